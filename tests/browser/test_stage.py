"""Presentation mode: a clicker leads through a lesson, and a focused control keeps its keys."""

import json
import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from lessons import LESSONS
from tests.chromium import wait_for
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
    expect(reading).to_contain_text("Word 1 is one, worth -0.60")  # the setting that the guess is about
    for act in ("pulling", "table"):
        on(stage)
        expect(stage.locator(f"[data-act={act}]")).to_have_attribute("aria-expanded", "true")
        expect(stage.locator("#toy-sizes .scene")).to_be_hidden()  # the closer look fills the screen
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
        expect(stage.locator(f"#toy-check-{exercise.slug} .verdict")).not_to_be_empty()
        on(stage)
    expect(stage).to_have_url(f"{toy}/?present=1")  # after the last lesson: back to the map
    expect(stage.locator(".rail")).to_be_visible()
    on(stage)
    expect(stage).to_have_url(re.compile(r"/toy\?.*present=1"))


def test_presenting_is_in_the_link_and_the_button_leaves(page, toy):
    page.goto(f"{toy}/")
    page.get_by_role("button", name="present").click()
    expect(page).to_have_url(f"{toy}/?present=1")
    expect(page.get_by_role("link", name="1 Toy").first).to_have_attribute("href", re.compile("present=1"))
    page.get_by_role("button", name="present", exact=True).click()
    expect(page).to_have_url(f"{toy}/")


@pytest.mark.parametrize(
    ("forth", "back"), [("PageDown", "PageUp"), ("ArrowRight", "ArrowLeft"), ("Space", "ArrowLeft")]
)
def test_a_clicker_and_the_keyboard_lead_and_back_undoes_what_on_did(stage, forth, back):
    reading = stage.locator("#toy-sizes-reading")
    stage.keyboard.press(forth)
    expect(reading).not_to_have_class(re.compile("covered"))
    stage.keyboard.press(forth)
    expect(reading).to_contain_text("worth -0.60")
    stage.keyboard.press(forth)
    expect(stage.locator("[data-act=pulling]")).to_have_attribute("aria-expanded", "true")
    stage.keyboard.press(back)
    expect(stage.locator("#toy-sizes .scene")).to_be_visible()
    stage.keyboard.press(back)
    expect(reading).to_contain_text("worth 0.30")
    stage.keyboard.press(back)
    expect(reading).to_have_class(re.compile("covered"))


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
    words.press("ArrowLeft")
    words.press("Space")
    expect(words).to_have_value("a bcf  ?")
    expect(stage.locator("body")).not_to_have_class(re.compile("black|no-controls"))
    words.press("PageDown")  # shows what the guess is about
    expect(stage.locator("#toy-sizes-reading")).to_contain_text("worth -0.60")


def test_black_controls_keys_and_leaving(stage):
    body = stage.locator("body")
    stage.keyboard.press("b")
    expect(body).to_have_class(re.compile("black"))
    on(stage)  # the first press only ends the black screen
    expect(body).not_to_have_class(re.compile("black"))
    expect(stage.locator("#toy-sizes-reading")).to_have_class(re.compile("covered"))
    expect(stage.locator("#toy-sizes-scale")).to_be_visible()
    stage.keyboard.press("c")
    expect(stage.locator("#toy-sizes-scale")).to_be_hidden()
    stage.keyboard.press("c")
    expect(stage.locator("#toy-sizes-scale")).to_be_visible()
    stage.keyboard.press("?")
    expect(stage.get_by_role("dialog", name="Keys of the presentation")).to_be_visible()
    stage.keyboard.press("Escape")
    expect(stage.get_by_role("dialog", name="Keys of the presentation")).to_be_hidden()
    expect(body).to_have_class(re.compile("present"))
    stage.keyboard.press("Escape")
    expect(body).not_to_have_class(re.compile("present"))
    expect(stage).not_to_have_url(re.compile("present"))


def test_a_menu_jumps_to_any_experiment(stage):
    stage.keyboard.press("m")
    menu = stage.get_by_role("dialog", name="Jump to an experiment")
    expect(menu.get_by_role("link")).to_have_text([one.title for one in TOY.experiments])
    menu.get_by_role("link", name="Steer").click()
    expect(menu).to_be_hidden()
    expect(stage.locator("#toy-steer-reading")).to_be_visible()
    expect(stage).to_have_url(re.compile("experiment=steer.*present=1"))
    stage.keyboard.press("m")
    stage.keyboard.press("m")
    expect(menu).to_be_hidden()


def test_f_asks_for_the_full_screen(stage):
    stage.evaluate(
        "() => { document.documentElement.requestFullscreen = () => { document.title = 'full'; }; }"
    )
    expect(stage).not_to_have_title("full")
    stage.keyboard.press("f")
    expect(stage).to_have_title("full")


# Everything on the page that a press of the clicker may change.
STANDS = """() => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const [experiment] = seen(".experiment");
  const act = seen(".act:has(> .closer:not([hidden])) [data-act]")[0]?.dataset.act;
  const views = seen(".view").map((view) => view.id);
  const link = experiment?.querySelector(".drawing")?.dataset.link;
  const state = [link, seen(".guess.open").length, ...views, seen(".closer .words").length];
  const steps = seen(".experiment input[type=range]").map((slider) => slider.value);
  const asked = seen(".exercises .asked")[0]?.innerText;
  steps.push(...seen(".verdict.shown").map((verdict) => verdict.innerText));
  return JSON.stringify([location.pathname, experiment?.id, act, asked, ...state, ...steps]);
}"""


def test_page_down_alone_walks_a_lesson_of_the_course_into_the_next(page, course):
    lesson, after = next(pair for pair in pairwise(LESSONS) if pair[0].slug == "scores")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{course}/scores?present=1")
    expect(page.locator("#scores-plane .question")).to_be_visible()
    came: list[tuple[str | None, ...]] = []
    for _ in range(100):
        stands = page.evaluate(STANDS)
        path, experiment, act, asked, *_rest = json.loads(stands)
        if path != "/scores":
            break
        if (experiment, act, asked) not in came:
            came.append((experiment, act, asked))
        on(page)
        wait_for(page, f"(before) => ({STANDS})() !== before", arg=stands)
    expect(page).to_have_url(re.compile(f"/{after.slug}.*present=1"))
    acts = [
        (f"scores-{e.slug}", act, None) for e in lesson.core for act in (None, *(act.slug for act in e.acts))
    ]
    assert came[: len(acts)] == acts
    assert [experiment for experiment, _, asked in came if asked] == ["scores-check"] * len(lesson.exercises)


CUT_EQUATIONS = """[...document.querySelectorAll(".katex-display")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1).length"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize(
    "address",
    [
        "bottleneck?experiment=translate&acts=inputs",
        "scores?experiment=plane&acts=score",
        "transformer?experiment=block&acts=all-numbers",
    ],
)
def test_equations_are_whole_and_nothing_is_below_the_window(page, course, address, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{course}/{address}&guess=0&present=1")
    expect(page.locator(".katex-display:visible").first).to_be_visible()
    wait_for(page, f"{CUT_EQUATIONS} === 0")
    wait_for(page, "document.documentElement.scrollHeight <= innerHeight")


def test_a_long_table_is_not_for_the_stage(page, course):
    page.goto(f"{course}/transformer?experiment=scoreboard&guess=0&present=1")
    table = page.locator("#transformer-scoreboard [data-act=others]")
    expect(table).to_have_attribute("aria-expanded", "false")
    check = page.locator("#transformer-check")
    for _ in range(6):
        if not check.is_visible():
            on(page)
            page.wait_for_timeout(300)
            assert table.get_attribute("aria-expanded") == "false"
    expect(check).to_be_visible()


def test_presets_can_be_shown_one_after_the_other(page, course):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{course}/attention?experiment=caveat&guess=0&present=1")
    for title in ("Even weights, same word", "A word that needs its weights"):
        preset = page.locator("#attention-caveat .presets").get_by_text(title)
        preset.click()
        expect(preset).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#attention-caveat-reading")).to_be_visible()


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
