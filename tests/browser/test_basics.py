"""Lesson `basics` in a real browser: play merges on typed text, drag logits, choose a word with a bar."""

import re

from playwright.sync_api import Page, expect

from lessons.basics import LESSON
from tests.browser.expected import text_of_reading


def test_merges_play_on_typed_text(page: Page, course: str):
    page.goto(f"{course}/basics?experiment=tokens&guess=0")
    said = page.locator("#basics-tokens-reading")
    expect(said).to_contain_text(text_of_reading(LESSON, "tokens"))
    page.locator("#basics-tokens-text textarea").fill("garden 🌹 <b>")
    expect(said).to_contain_text(text_of_reading(LESSON, "tokens", text="garden 🌹 <b>"))
    merges = page.locator("#basics-tokens-merge input[type=range]")
    merges.press("Home")
    expect(said).to_contain_text(text_of_reading(LESSON, "tokens", text="garden 🌹 <b>", merge=0))
    merges.press("ArrowRight")
    expect(said).to_contain_text(text_of_reading(LESSON, "tokens", text="garden 🌹 <b>", merge=1))
    expect(page.locator("#basics-tokens-splits svg")).to_contain_text("‹F0›")


def test_a_row_moves_to_another_word(page: Page, course: str):
    page.goto(f"{course}/basics?experiment=embedding&guess=0")
    page.locator("#basics-embedding-share input[type=range]").press("End")
    expect(page.locator("#basics-embedding-reading")).to_contain_text(
        text_of_reading(LESSON, "embedding", share=1.0)
    )
    expect(page.locator("#basics-embedding-plane svg")).to_contain_text("your row")
    page.locator("#basics-embedding-word").locator("textarea, input").first.fill("zorblax")
    notice = page.locator("#basics-embedding-word .notice")
    expect(notice).to_contain_text("zorblax")
    instead = notice.inner_text().partition("≈")[2].split()[0]
    expect(page.locator("#basics-embedding-reading")).to_contain_text(instead)


def test_a_dragged_logit_moves_all_probabilities(page: Page, course: str):
    page.goto(f"{course}/basics?experiment=softmax&guess=0")
    page.locator("#basics-softmax-logit_bars [role=slider]").first.press("ArrowRight")
    expect(page).to_have_url(re.compile("logits=2.05"))
    logits = ((2.05,), (1.5,), (0.5,), (0.0,), (-2.0,))
    expect(page.locator("#basics-softmax-reading")).to_contain_text(
        text_of_reading(LESSON, "softmax", logits=logits)
    )


def test_the_guess_covers_and_the_act_about_overflow_opens(page: Page, course: str):
    page.goto(f"{course}/basics?experiment=softmax")
    expect(page.locator("#basics-softmax-reading > .cover")).to_be_visible()
    page.locator("#basics-softmax-predict").get_by_role("button", name="it stays the same").click()
    expect(page.locator("#basics-softmax-reading > .cover")).to_be_hidden()
    page.goto(f"{course}/basics?experiment=softmax&shift=100&acts=overflow")
    expect(page.locator("#basics-softmax-overflow svg")).to_contain_text("float16")
    expect(page.locator("#basics-softmax-overflow svg")).to_contain_text("∞")


def test_a_bar_chooses_the_word_whose_guess_is_shown(page: Page, course: str):
    page.goto(f"{course}/basics?experiment=loss&guess=0")
    page.locator('#basics-loss-surprisal [data-pick="t"][data-value="15"]').click()
    expect(page.locator("#basics-loss-reading")).to_contain_text(text_of_reading(LESSON, "loss", t=15))
    expect(page.locator("#basics-loss-guess_bars")).to_contain_text("ring")
