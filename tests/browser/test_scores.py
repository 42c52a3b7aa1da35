"""Lesson `scores` in a real browser: editing a matrix, controls without effect, and the guess."""

import re

from playwright.sync_api import Page, expect

from lessons.scores import LESSON
from tests.browser.expected import text_of_reading


def test_a_number_is_edited_in_the_equation(page: Page, course: str):
    page.goto(f"{course}/scores?experiment=same&guess=0")
    reading = page.locator("#scores-same-reading")
    expect(reading).to_contain_text(text_of_reading(LESSON, "same"))
    page.get_by_role("spinbutton", name="W, row 1, column 2").click()
    page.keyboard.type("0,5")
    page.keyboard.press("Enter")
    expect(reading).to_contain_text(text_of_reading(LESSON, "same", W=((1, 0.5), (0, 1))))
    expect(page).to_have_url(re.compile(r"W=1(,|%2C)0\.5"))
    page.get_by_role("spinbutton", name="W, row 1, column 2").press("Shift+ArrowDown")
    expect(page).to_have_url(re.compile(r"W=1(,|%2C)-0\.5"))


def test_W_is_dimmed_until_a_score_has_one(page: Page, course: str):
    page.goto(f"{course}/scores?experiment=plane&guess=0")
    control = page.locator("#scores-plane-stage .place")
    reason = LESSON.experiment("plane").run().idle()["W"]
    expect(control).to_contain_text(reason)
    before = page.locator("#scores-plane-reading").text_content()
    page.locator("#scores-plane-score").get_by_role("radio", name="scaled bilinear", exact=True).check()
    expect(page.locator("#scores-plane-reading")).not_to_have_text(before)
    expect(control).not_to_contain_text(reason)
    expect(page.locator("#scores-plane-query_and_keys svg")).to_contain_text("Wᵀs")


def test_the_meaning_is_hidden_until_the_guess(page: Page, course: str):
    page.goto(f"{course}/scores?experiment=scaling")
    meaning = page.locator("#scores-scaling-meaning")
    expect(page.locator("#scores-scaling-spread > .cover")).to_be_visible()
    expect(meaning).to_be_hidden()
    page.locator("#scores-scaling-predict").get_by_role("button", name="it doubles").click()
    expect(meaning).to_be_visible()
