"""Everything works without a mouse and without dragging, and a screen reader is told what happens."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from lessons import LESSONS
from lessons.attention import LESSON as ATTENTION
from lessons.kit.contract import DragHandles, RowEdits
from tests.browser.expected import text_of_reading
from tests.chromium import wait_for, wait_until

DRAGGED = [
    (lesson, experiment, control)
    for lesson in LESSONS
    for experiment in lesson.experiments
    for control in experiment.controls
    if isinstance(control, DragHandles | RowEdits)
]


def open_experiment(page: Page, course: str, lesson: str, slug: str, query: str = "&guess=0") -> Locator:
    """Open an experiment and return its drawing."""
    page.goto(f"{course}/{lesson}?experiment={slug}{query}")
    page.wait_for_selector("html.live", state="attached")
    return page.locator(f"#{lesson}-{slug}-stage .drawing")


# ---- without dragging (2.5.7) ----


def test_a_click_in_its_track_sets_a_bar(page: Page, course: str):
    open_experiment(page, course, "attention", "steer")
    reading = page.locator("#attention-steer-reading")
    expect(reading).to_contain_text(text_of_reading(ATTENTION, "steer"))
    track = page.locator("#attention-steer-row .ground").nth(4).bounding_box()
    assert track
    page.mouse.click(track["x"] + 0.9 * track["width"], track["y"] + track["height"] / 2)
    expect(page).to_have_url(re.compile("weights=6"))
    moved = float(page.locator("#attention-steer-row .handle").nth(4).get_attribute("aria-valuenow") or 0)
    assert moved == pytest.approx(0.9, abs=0.03)
    expect(reading).not_to_contain_text(text_of_reading(ATTENTION, "steer"))


def test_two_clicks_move_an_arrow(page: Page, course: str):
    open_experiment(page, course, "scores", "plane")
    arrow, picture = (
        page.locator("#scores-plane-query_and_keys .handle").nth(1),
        "#scores-plane-query_and_keys svg",
    )
    before, knob, box = arrow.get_attribute("aria-valuetext"), arrow.locator(".knob").bounding_box(), None
    box = page.locator(picture).bounding_box()
    assert knob
    assert box
    free = box["x"] + 0.75 * box["width"], box["y"] + 0.85 * box["height"]
    page.mouse.click(*free)  # no arrow is chosen yet
    page.mouse.click(knob["x"] + 7, knob["y"] + 7)
    expect(page.locator(f"{picture} .handle.chosen")).to_have_count(1)
    expect(arrow).to_have_attribute("aria-valuetext", before or "")
    page.mouse.click(*free)
    expect(arrow).not_to_have_attribute("aria-valuetext", before or "")
    x, y = (
        float(part.replace("−", "-")) for part in (arrow.get_attribute("aria-valuetext") or "").split(", ")
    )
    assert x > 0 > y  # right of the middle and below it
    expect(page.locator(f"{picture} .handle.chosen")).to_have_count(0)


@pytest.mark.parametrize(
    ("lesson", "experiment", "control"),
    DRAGGED,
    ids=lambda part: getattr(part, "slug", None) or getattr(part, "name", None),
)
def test_every_dragged_mark_has_a_number_field(page: Page, course: str, lesson, experiment, control):
    acts = ".".join(act.slug for act in experiment.acts)
    drawing = open_experiment(page, course, lesson.slug, experiment.slug, f"&guess=0&acts={acts}")
    widget = page.locator(f'#{lesson.slug}-{experiment.slug} .widget[data-name="{control.name}"]')
    widget.get_by_role("button", name="type numbers").click()
    marks = page.locator(f'.handle[data-handle="{control.name}"]')
    places = {
        (mark.get_attribute("data-index"), mark.get_attribute("aria-valuetext")) for mark in marks.all()
    }
    fields = widget.locator(".fields input")
    expect(fields).to_have_count(sum(2 if text else 1 for _, text in places))
    expect(fields.first).to_be_focused()
    for field in fields.all():
        box = field.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24
    before, value = drawing.get_attribute("data-link"), number_in(fields.first)
    fields.first.press("ArrowDown" if value > 0.5 else "ArrowUp")
    expect(drawing).not_to_have_attribute("data-link", before or "")
    assert abs(number_in(fields.first) - value) == pytest.approx(0.05, abs=0.002)
    fields.first.fill("9999")
    expect(widget.locator(".cell-wrong")).to_contain_text("a number between")
    expect(fields.first).to_have_attribute("aria-invalid", "")


def number_in(field: Locator) -> float:
    return float(field.input_value().replace("−", "-"))


# ---- what a screen reader hears ----


def test_the_reading_is_announced_once_when_nothing_moves_any_more(page: Page, course: str):
    open_experiment(page, course, "attention", "step")
    heard = """() => { globalThis.heard = []; const place = document.querySelector(".announcer");
      new MutationObserver(() => heard.push(place.textContent)).observe(place, { childList: true }); }"""
    reading = page.locator("#attention-step-reading")
    expect(reading).to_contain_text(text_of_reading(ATTENTION, "step"))
    page.wait_for_timeout(1500)  # a page that opens does not announce anything
    page.evaluate(heard)
    assert page.evaluate("document.querySelector('.announcer').textContent") == ""
    slider = page.locator("#attention-step-t input")
    for _ in range(2):
        before = reading.text_content()
        slider.press("ArrowRight")
        expect(reading).not_to_have_text(before or "")
    wait_until(page, lambda: page.evaluate("heard.length") > 0)
    assert page.evaluate("heard") == [(reading.text_content() or "").strip()]
    assert page.locator("[aria-live=polite], [role=status]").filter(has=reading).count() == 0


def test_a_picture_is_told_in_words_and_as_a_table(page: Page, course: str):
    open_experiment(page, course, "attention", "align")
    wait_for(page, "document.querySelector('[data-numbers]')")
    picture = page.locator("#attention-align-alignment")
    said = picture.get_by_role("img").get_attribute("aria-label") or ""
    assert "Largest value of each row:" in said
    assert "zone: area" in said
    picture.locator(".frame").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("columnheader", name="value")).to_be_visible()
    expect(dialog.get_by_role("cell", name="zone", exact=True).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(picture.locator(".frame")).to_be_focused()
    page.keyboard.press("Tab")
    button = picture.get_by_role("button", name="Numbers as a table")
    expect(button).to_be_focused()
    assert (button.bounding_box() or {})["height"] >= 24  # visible while it has the focus
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("columnheader", name="value")).to_be_visible()
