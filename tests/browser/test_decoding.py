"""Lesson 7 in a real browser: take a word, move a filter, look at a pruned branch, run the loop."""

import re

from playwright.sync_api import expect


def test_taking_the_next_word(page, course):
    page.goto(f"{course}/decoding?experiment=sample&n=0")
    field = page.locator("#decoding-sample-text textarea")
    expect(page.locator("#decoding-sample-reading")).to_contain_text(re.compile(r"\b0\b"))
    before, word = field.input_value(), page.locator("#decoding-sample-next_words .pick").first
    chosen = word.get_attribute("data-value")
    word.click()
    expect(field).to_have_value(chosen)
    assert chosen.startswith(before.strip())
    expect(page.locator("#decoding-sample-text_so_far")).to_contain_text(chosen.split()[-1])


def test_a_filter_stands_at_its_stage(page, course):
    page.goto(f"{course}/decoding?experiment=filters&guess=0")
    said, slider = (
        page.locator("#decoding-filters-reading"),
        page.locator("[data-control=decoding-filters-p] input[type=range]"),
    )
    hand, stage = slider.bounding_box(), page.locator("#decoding-filters-after_top_p").bounding_box()
    assert stage["x"] - 2 <= hand["x"] < hand["x"] + hand["width"] <= stage["x"] + stage["width"] + 2
    assert 0 < stage["y"] - hand["y"] < 60
    before = said.text_content()
    slider.press("Home")
    expect(said).not_to_have_text(before)
    expect(said).to_contain_text(re.compile(r"\b1\b.*\bleft\b"))


def test_what_is_banned_is_set_where_it_shows(page, course):
    page.goto(f"{course}/decoding?experiment=filters&acts=steer")
    page.locator("[data-control=decoding-filters-ban]").get_by_role("button", name="she", exact=True).click()
    expect(page.locator("#decoding-filters-adjusted")).to_contain_text("she ✗")
    expect(page.locator("#decoding-filters-tempered")).to_contain_text("she ✗")


def test_a_pruned_branch_says_why(page, course):
    page.goto(f"{course}/decoding?experiment=beam")
    page.locator("#decoding-beam-tree [data-tip*='Ranked']").first.hover()
    expect(page.locator(".tip")).to_contain_text(re.compile(r"\b2\b"))


def test_the_loop_runs(page, course):
    page.goto(f"{course}/decoding?experiment=loop&guess=0")
    said = page.locator("#decoding-loop-reading")
    expect(said).to_contain_text("loop")
    before = said.text_content()
    page.locator("#decoding-loop-r input[type=range]").press("ArrowRight")
    expect(said).not_to_have_text(before)
    expect(page).to_have_url(re.compile("r="))
