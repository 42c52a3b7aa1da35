"""Lesson `decoding` in a browser: choose a word, move a filter, hover a pruned branch, repeat a phrase."""

import re

from playwright.sync_api import expect


def test_choosing_the_next_word(page, course):
    page.goto(f"{course}/decoding?experiment=sample&n=0")
    field = page.locator("#decoding-sample-text textarea")
    expect(page.locator("#decoding-sample-reading")).to_contain_text(re.compile(r"\b0\b"))
    before, word = field.input_value(), page.locator("#decoding-sample-next_words .pick").first
    chosen = word.get_attribute("data-value")
    word.click()
    expect(field).to_have_value(chosen)
    assert chosen.startswith(before.strip())
    expect(page.locator("#decoding-sample-text_so_far")).to_contain_text(chosen.split()[-1])


def test_filter_slider_stands_above_its_stage(page, course):
    page.goto(f"{course}/decoding?experiment=filters&guess=0")
    reading, slider = (
        page.locator("#decoding-filters-reading"),
        page.locator("[data-control=decoding-filters-p] input[type=range]"),
    )
    slider_box, stage = slider.bounding_box(), page.locator("#decoding-filters-after_top_p").bounding_box()
    assert (
        stage["x"] - 2
        <= slider_box["x"]
        < slider_box["x"] + slider_box["width"]
        <= stage["x"] + stage["width"] + 2
    )
    assert 0 < stage["y"] - slider_box["y"] < 60
    before = reading.text_content()
    slider.press("Home")
    expect(reading).not_to_have_text(before)
    expect(reading).to_contain_text(re.compile(r"\b1\b.*\bleft\b"))


def test_banned_word_is_crossed_out(page, course):
    page.goto(f"{course}/decoding?experiment=filters&acts=steer")
    page.locator("[data-control=decoding-filters-ban]").get_by_role("button", name="she", exact=True).click()
    expect(page.locator("#decoding-filters-adjusted")).to_contain_text("she ✗ cut")
    expect(page.locator("#decoding-filters-tempered")).to_contain_text("she ✗ cut")


def test_pruned_branch_shows_its_reason(page, course):
    page.goto(f"{course}/decoding?experiment=beam")
    page.locator("#decoding-beam-tree [data-tip*='Ranked']").first.hover()
    expect(page.locator(".tip")).to_contain_text(re.compile(r"\b2\b"))


def test_repetitions_change_the_reading(page, course):
    page.goto(f"{course}/decoding?experiment=loop&guess=0")
    reading = page.locator("#decoding-loop-reading")
    expect(reading).to_contain_text("loop")
    before = reading.text_content()
    page.locator("#decoding-loop-r input[type=range]").press("ArrowRight")
    expect(reading).not_to_have_text(before)
    expect(page).to_have_url(re.compile("r="))
