"""Every experiment, at its default and in each preset, fits one screen: question, task, hand, main act and reading together."""

from pprint import pformat

import pytest
from playwright.sync_api import Page, expect

from lessons import LESSONS
from lessons.kit.contract import Experiment, Lesson
from tests.chromium import wait_for

EXPERIMENTS = [pytest.param(lesson, e, id=f"{lesson.slug}-{e.slug}") for lesson in LESSONS for e in lesson.experiments]
over_experiments = pytest.mark.parametrize(("lesson", "experiment"), EXPERIMENTS)
PROJECTOR, LAPTOP, WALL, PHONE = (1280, 720), (1280, 800), (1920, 1080), (390, 844)
SMALLEST = 11  # pixels of any label

# What is not as it should be on this screen, in words.
FAULTS = """([id, smallest]) => {
  const root = document.getElementById(id), found = [], box = (e) => e.getBoundingClientRect();
  const inside = (name, e) => {
    if (!e) return found.push(`${name} is missing`);
    const { top, bottom, left, right } = box(e);
    if (bottom > innerHeight + 1) found.push(`${name} ends at ${Math.round(bottom)}, the window at ${innerHeight}`);
    if (top < 0 || left < -1 || right > innerWidth + 1) found.push(`${name} begins outside the window`);
  };
  inside("the question", root.querySelector(".question"));
  inside("the task", root.querySelector(".before"));
  inside("the guess", root.querySelector(".guess"));
  inside("the column of the hand", root.querySelector(".hand"));
  inside("the main act", root.querySelector(".scene"));
  for (const view of root.querySelectorAll(".scene .view, .scene .reading")) inside(view.id, view);
  const sizes = [...root.querySelectorAll(".scene svg text")].filter((text) => text.textContent.trim()).map((text) => {
    const ctm = text.getScreenCTM();
    return [parseFloat(getComputedStyle(text).fontSize) * Math.hypot(ctm.a, ctm.b), text.textContent];
  });
  const small = sizes.filter(([size]) => size < smallest - 0.05);
  if (small.length) found.push(`${small.length} labels under ${smallest} px, “${small[0][1]}” at ${small[0][0].toFixed(1)}`);
  for (const frame of root.querySelectorAll(".scene .frame"))
    if (frame.scrollWidth > frame.clientWidth + 1) found.push(`${frame.parentElement.id} is wider than its room`);
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  return found;
}"""

# On a phone: the picture on top, the first control under it.
PHONE_FAULTS = """(id) => {
  const root = document.getElementById(id), found = [], scene = root.querySelector(".scene").getBoundingClientRect();
  const first = root.querySelector(".hand .widget").getBoundingClientRect();
  if (scene.height > 0.46 * innerHeight) found.push(`the picture takes ${Math.round(scene.height)} of ${innerHeight}`);
  if (scene.top < 0 || scene.bottom > innerHeight) found.push("the picture is not in view");
  if (first.top < scene.bottom - 1 || first.top > innerHeight - 30) found.push(`the first control is at ${Math.round(first.top)}`);
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  return found;
}"""


def opened(page: Page, course: str, lesson: Lesson, experiment: Experiment, size: tuple[int, int]) -> str:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{course}/{lesson.slug}?experiment={experiment.slug}")
    id = f"{lesson.slug}-{experiment.slug}"
    expect(page.locator(f"#{id} .bench.fitted")).to_be_visible()
    return id


@over_experiments
def test_an_experiment_fits_one_screen(page: Page, course: str, lesson: Lesson, experiment: Experiment):
    id = opened(page, course, lesson, experiment, PROJECTOR)
    faults = {}
    for preset in (None, *experiment.presets):
        if preset:
            before = page.locator(f"#{id}-stage .stage").get_attribute("data-link")
            page.locator(f"#{id}-presets").get_by_role("button", name=preset.title, exact=True).click()
            if experiment.state(preset.state) != experiment.state():
                expect(page.locator(f"#{id}-stage .stage")).not_to_have_attribute("data-link", before or "")
        for size in (PROJECTOR, LAPTOP, WALL):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.evaluate("new Promise(requestAnimationFrame)")
            if found := page.evaluate(FAULTS, [id, SMALLEST]):
                faults[preset.title if preset else "default", size] = found
    assert not faults, pformat(faults)


# Below the pictures or below the controls: the equation, the first sentence, and the rest one click away.
MEANING_FAULTS = """(id) => {
  const meaning = document.getElementById(`${id}-meaning`), shown = [...meaning.children].filter((part) => part.offsetHeight);
  if (!shown.length) return ["nothing is said about what it means"];
  if (meaning.querySelector(".tex:not(.set)")?.checkVisibility()) return ["an equation is not set"];
  const bottom = Math.round(Math.max(...shown.map((part) => part.getBoundingClientRect().bottom)));
  return bottom <= innerHeight ? [] : [`it ends at ${bottom}, the window at ${innerHeight}`];
}"""
TOO_MUCH = {"qkv-layer", "training-live"}  # their controls and pictures fill the screen: the meaning begins below it


@over_experiments
def test_after_the_guess_the_equation_and_the_first_sentence_are_in_view(
    page: Page, course: str, lesson: Lesson, experiment: Experiment
):
    id = opened(page, course, lesson, experiment, PROJECTOR)
    if f"{lesson.slug}-{experiment.slug}" in TOO_MUCH:
        pytest.skip("what there is to move and to see fills the screen")
    if experiment.predict:
        page.locator(f"#{id}-predict [data-answer]").first.click()
        expect(page.locator(f"#{id}-predict .verdict")).not_to_be_empty()
        expect(page.locator(f"#{id}-predict .asked")).to_be_hidden()
    wait_for(page, f"id => !({MEANING_FAULTS})(id).length", arg=id, timeout=10_000)
    assert not page.evaluate(MEANING_FAULTS, id)
    assert not page.evaluate(FAULTS, [id, SMALLEST])


@over_experiments
def test_on_a_phone_the_picture_stays_on_top(page: Page, course: str, lesson: Lesson, experiment: Experiment):
    id = opened(page, course, lesson, experiment, PHONE)
    assert not page.evaluate(PHONE_FAULTS, id)
    page.mouse.wheel(0, 600)
    wait_for(page, "scrollY > 0 || document.documentElement.scrollHeight <= innerHeight")
    scene = page.locator(f"#{id} .scene").bounding_box()
    assert scene
    assert -1 <= scene["y"] < 844 / 2
