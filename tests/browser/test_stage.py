"""On stage: a clicker leads through a lesson, and what the hand holds keeps its keys."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.toy import LESSON as TOY

SMALL = """() => {
  const parts = ".experiment :is(.question, .asked, .chip, .reading span, .label, figcaption, .pill span)";
  const sizes = [...document.querySelectorAll(parts)]
    .filter((part) => part.checkVisibility() && part.getBoundingClientRect().width && part.textContent.trim())
    .map((part) => [parseFloat(getComputedStyle(part).fontSize), part.textContent.trim()]);
  return sizes.filter(([size]) => size < innerHeight * 0.02);
}"""


@pytest.fixture
def stage(page: Page, toy: str) -> Page:
    page.goto(f"{toy}/toy?present=1")
    expect(page.locator(".rail")).to_be_visible()
    return page


def on(page: Page) -> None:
    page.keyboard.press("PageDown")


def test_page_down_alone_walks_a_whole_lesson(stage, toy):
    reading = stage.locator("#toy-sizes-reading")
    expect(reading).to_have_class(re.compile("covered"))
    on(stage)
    expect(reading).not_to_have_class(re.compile("covered"))
    expect(stage.locator("#toy-sizes-predict .verdict")).to_have_text("three. It has 5 letters.")
    on(stage)
    expect(reading).to_contain_text("Word 2 is three")  # played to its end
    for act in ("pulling", "table"):
        on(stage)
        expect(stage.locator(f"[data-act={act}]")).to_have_attribute("aria-expanded", "true")
        expect(stage.locator("#toy-sizes .scene")).to_be_hidden()  # it has the screen to itself
    on(stage)
    expect(stage).to_have_url(re.compile("experiment=again&present=1"))
    on(stage)
    expect(stage.locator("#toy-again [data-act=first]")).to_have_attribute("aria-expanded", "true")
    on(stage)
    expect(stage).to_have_url(re.compile("experiment=steer&present=1"))
    on(stage)
    expect(stage.locator("#toy-steer-reading")).to_contain_text("Step 3")
    on(stage)
    for exercise in TOY.exercises:
        expect(stage.locator(f"#toy-check-{exercise.slug}")).to_be_visible()
        expect(stage.locator(".exercises > .control:visible")).to_have_count(1)
        on(stage)
    expect(stage).to_have_url(f"{toy}/?present=1")  # the last lesson: back to the map
    expect(stage.locator(".rail")).to_be_visible()
    on(stage)
    expect(stage).to_have_url(re.compile(r"/toy\?.*present=1"))


def test_presenting_is_in_the_link_and_the_button_leaves(page, toy):
    page.goto(f"{toy}/")
    page.get_by_role("button", name="present").click()
    expect(page).to_have_url(f"{toy}/?present=1")
    expect(page.get_by_role("link", name="1 Toy").first).to_have_attribute("href", re.compile("present=1"))
    page.get_by_role("button", name="present").click()
    expect(page).to_have_url(f"{toy}/")


def test_back_undoes_what_on_did(stage):
    reading = stage.locator("#toy-sizes-reading")
    for _ in range(3):
        on(stage)
    expect(stage.locator("[data-act=pulling]")).to_have_attribute("aria-expanded", "true")
    stage.keyboard.press("PageUp")
    expect(stage.locator("#toy-sizes .scene")).to_be_visible()
    stage.keyboard.press("ArrowLeft")
    expect(reading).to_contain_text("Word 1 is one")


def test_the_question_is_asked_again_after_back(stage):
    on(stage)
    expect(stage.locator("#toy-sizes-predict .verdict")).not_to_be_empty()
    stage.keyboard.press("PageUp")
    expect(stage.locator("#toy-sizes-reading")).to_have_class(re.compile("covered"))
    expect(stage.locator("#toy-sizes-predict .verdict")).to_be_empty()


def test_a_focused_control_keeps_its_keys_and_a_clicker_leads_all_the_same(stage):
    scale = stage.locator("#toy-sizes-scale input[type=range]")
    scale.press("ArrowRight")
    expect(stage.locator("#toy-sizes-reading")).to_contain_text("worth 0.33")
    words = stage.locator("#toy-sizes-words textarea")
    words.fill("a")
    words.press("End")
    words.press_sequentially(" bcf ?")
    expect(words).to_have_value("a bcf ?")
    expect(stage.locator("body")).not_to_have_class(re.compile("black|bare"))
    words.press("PageDown")  # plays
    expect(stage.locator("#toy-sizes-reading")).to_contain_text("Word 3")


def test_black_controls_keys_and_leaving(stage):
    body = stage.locator("body")
    stage.keyboard.press("b")
    expect(body).to_have_class(re.compile("black"))
    on(stage)  # light, and nothing else
    expect(body).not_to_have_class(re.compile("black"))
    expect(stage.locator("#toy-sizes-reading")).to_have_class(re.compile("covered"))
    expect(stage.locator("#toy-sizes-scale")).to_be_visible()
    stage.keyboard.press("c")
    expect(stage.locator("#toy-sizes-scale")).to_be_hidden()
    stage.keyboard.press("?")
    expect(stage.get_by_role("dialog", name="Keys on stage")).to_be_visible()
    stage.keyboard.press("Escape")
    expect(stage.get_by_role("dialog", name="Keys on stage")).to_be_hidden()
    expect(body).to_have_class(re.compile("present"))
    stage.keyboard.press("Escape")
    expect(body).not_to_have_class(re.compile("present"))
    expect(stage).not_to_have_url(re.compile("present"))


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_the_last_row_can_read_it(stage, width, height):
    stage.set_viewport_size({"width": width, "height": height})
    assert stage.evaluate(SMALL) == []
    on(stage)
    expect(stage.locator("#toy-sizes-reading")).not_to_have_class(re.compile("covered"))
    assert stage.evaluate(SMALL) == []
    assert stage.evaluate("document.documentElement.scrollHeight <= innerHeight")
    on(stage)
    on(stage)
    expect(stage.locator("[data-act=pulling]")).to_have_attribute("aria-expanded", "true")
    assert stage.evaluate(SMALL) == []
