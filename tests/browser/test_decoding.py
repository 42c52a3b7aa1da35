"""Lesson 7 in a real browser: take a word, move top-p, look at a pruned branch, run the loop."""

import re

from playwright.sync_api import expect


def test_taking_the_next_word(page, course):
    page.goto(f"{course}/decoding?experiment=sample&n=0")
    field = page.locator("#decoding-sample-text textarea")
    expect(page.locator("#decoding-sample-reading")).to_contain_text("0 words")
    before, word = field.input_value(), page.locator("#decoding-sample-next_words .pick").first
    chosen = word.get_attribute("data-value")
    word.click()
    expect(field).to_have_value(chosen)
    assert chosen.startswith(before.strip())
    expect(page.locator("#decoding-sample-text_so_far")).to_contain_text(chosen.split()[-1])


def test_moving_top_p(page, course):
    page.goto(f"{course}/decoding?experiment=filters")
    said = page.locator("#decoding-filters-reading")
    expect(said).not_to_be_empty()
    before = said.inner_text()
    page.locator("#decoding-filters-p input[type=range]").press("Home")
    expect(said).not_to_have_text(before)


def test_a_pruned_branch_says_why(page, course):
    page.goto(f"{course}/decoding?experiment=beam")
    page.locator("#decoding-beam-tree [data-tip*='Ranked']").first.hover()
    expect(page.locator(".tip")).to_contain_text("the beam had room for 2")


def test_the_loop_runs(page, course):
    page.goto(f"{course}/decoding?experiment=loop")
    said = page.locator("#decoding-loop-reading")
    expect(said).to_contain_text("loop")
    before = said.inner_text()
    page.locator("#decoding-loop-r input[type=range]").press("ArrowRight")
    expect(said).not_to_have_text(before)
    expect(page).to_have_url(re.compile("r="))
