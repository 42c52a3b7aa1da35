"""Lessons `attention` and `scores` in a real browser: dragging weights and vectors."""

import re

from playwright.sync_api import Page, expect

from lessons.attention import LESSON
from tests.browser.expected import remarks, text_of_reading
from tests.chromium import wait_for

# Resolves to true if the drawn state and the address agree and do not change for half a second.
IS_SETTLED = """(stage) => new Promise((settled) => {
  const link = () => document.querySelector(stage).dataset.link, before = link();
  setTimeout(() => settled(link() === before && location.search.slice(1) === before), 500);
})"""


def open_steer(page: Page, course: str) -> None:
    page.goto(f"{course}/attention?experiment=steer")
    expect(page.locator("#attention-steer-reading")).to_contain_text(text_of_reading(LESSON, "steer"))


def test_dragging_a_bar_changes_the_sentence(page, course):
    open_steer(page, course)
    picture = page.locator("#attention-steer-row")
    knobs = picture.locator(".knob")
    knobs.nth(4).scroll_into_view_if_needed()
    box, track = knobs.nth(4).bounding_box(), picture.locator(".ground").nth(4).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] * 0.98, box["y"] + box["height"] / 2, steps=12)
    page.mouse.up()
    expect(page.locator("#attention-steer-reading")).not_to_contain_text(text_of_reading(LESSON, "steer"))
    expect(page).to_have_url(re.compile("weights="))
    wait_for(page, IS_SETTLED, arg="#attention-steer-stage .drawing")
    edited = page.locator("#attention-steer-reading").text_content()
    page.goto(page.url)
    expect(page.locator("#attention-steer-reading")).to_have_text(edited)  # the link contains the edit


def test_the_keyboard_moves_a_bar_and_undo_brings_it_back(page, course):
    open_steer(page, course)
    page.locator("#attention-steer-stage .handle").nth(4).press("End")
    expect(page.locator("#attention-steer-reading")).not_to_contain_text(text_of_reading(LESSON, "steer"))
    page.get_by_role("button", name="undo all").click()
    expect(page.locator("#attention-steer-reading")).to_contain_text(text_of_reading(LESSON, "steer"))


def test_dragging_in_the_plane(page, course):
    page.goto(f"{course}/scores?experiment=plane&guess=0")
    reading = page.locator("#scores-plane-reading")
    expect(reading).not_to_be_empty()
    before = reading.text_content()
    knob = page.locator("#scores-plane-stage .knob").nth(1).bounding_box()
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y + 60, steps=8)
    page.mouse.up()
    expect(reading).not_to_have_text(before)


def test_a_missing_final_mark_is_added_with_a_notice(page, course):
    page.goto(f"{course}/attention?experiment=step")
    field, notice = (
        page.locator("#attention-step-source textarea"),
        page.locator("#attention-step-source .notice"),
    )
    expect(page.locator("#attention-step-reading")).not_to_be_empty()
    expect(notice).to_have_text(remarks(LESSON, "step")["source"])
    field.fill("is she young")
    expect(notice).to_have_text(remarks(LESSON, "step", source="is she young")["source"])
    expect(page.locator("#attention-step-reading")).to_contain_text(
        text_of_reading(LESSON, "step", source="is she young ?")
    )
    field.fill("is she young ?")
    expect(notice).to_be_empty()
    field.fill("Is Zaphod young?")
    expect(notice).to_have_text(remarks(LESSON, "step", source="Is Zaphod young?")["source"])
    expect(page.locator("#attention-step-unrolled svg").first).to_contain_text("<zaphod>")


def test_a_bar_chooses_the_word_that_is_changed(page, course):
    page.goto(f"{course}/attention?experiment=readers&guess=0")
    reading = page.locator("#attention-readers-reading")
    expect(reading).to_contain_text(text_of_reading(LESSON, "readers"))
    page.locator("#attention-readers-two_way_change [role=button]").nth(8).click()
    expect(reading).to_contain_text(text_of_reading(LESSON, "readers", i=9))
    page.locator("#attention-readers-put textarea").fill("two houses")
    expect(page.locator("#attention-readers-put .notice")).to_have_text(
        remarks(LESSON, "readers", i=9, put="two houses")["put"]
    )


def test_an_unknown_name_is_copied_and_a_bar_moves_its_weight(page: Page, course: str):
    page.goto(f"{course}/attention?experiment=unknown&guess=0")
    reading = page.locator("#attention-unknown-reading")
    expect(reading).to_contain_text(text_of_reading(LESSON, "unknown"))
    page.locator("#attention-unknown-source textarea").fill("Zaphod is hungry 🍕")
    expect(reading).to_contain_text(text_of_reading(LESSON, "unknown", source="Zaphod is hungry 🍕"))
    expect(page.locator("#attention-unknown-lines svg")).to_contain_text("zaphod")
    expect(page.locator("#attention-unknown-source")).to_contain_text("Emoji")
    page.locator('#attention-unknown-row [data-pick="word"][data-value="3"]').click()
    expect(reading).to_contain_text(text_of_reading(LESSON, "unknown", source="Zaphod is hungry 🍕", word=3))


def test_a_silent_letter_is_spoken_when_its_bar_is_moved(page: Page, course: str):
    page.goto(f"{course}/attention?experiment=sounds&guess=0")
    reading = page.locator("#attention-sounds-reading")
    expect(reading).to_contain_text(text_of_reading(LESSON, "sounds"))
    page.locator("#attention-sounds-word textarea").fill("Chalk it")
    expect(reading).to_contain_text(text_of_reading(LESSON, "sounds", word="chalk"))
    expect(page.locator("#attention-sounds-word .notice")).to_have_text(
        remarks(LESSON, "sounds", word="Chalk it")["word"]
    )
    page.locator("#attention-sounds-stage .handle").nth(3).press("End")
    weights = ((3, (0.0, 0.0, 0.0, 1.0, 0.0)),)
    expect(reading).to_contain_text(text_of_reading(LESSON, "sounds", word="chalk", t=3, weights=weights))
    expect(page.locator("#attention-sounds-outputs svg")).to_contain_text("L")
