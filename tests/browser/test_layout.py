"""The layout of every experiment on every screen: one page load per lesson and size, then each tab.

On a desktop everything fits on one screen, at the default and in each preset (the usual run sees presets
only on the smallest screen); the answer to a guess is covered first and explained afterwards. On a phone the
picture stays on top. In a presentation all text is readable from the last row.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from pprint import pformat

import pytest
from playwright.sync_api import Page, expect

from lessons import LESSONS
from lessons.kit.contract import Choice, Experiment, Lesson
from tests.chromium import wait_for

EACH = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
PROJECTOR, LAPTOP, WALL, PHONE = (1280, 720), (1280, 800), (1920, 1080), (390, 844)
ZOOMED_200, ZOOMED_400 = (640, 400), (320, 256)  # a laptop's window with a zoom of 200 % and 400 %
SMALLEST = 11  # minimum label size in pixels
READABLE = 0.02  # minimum font size readable from the last row, as a fraction of the screen height
TOO_MUCH = {
    "qkv-layer",
    "training-live",
}  # their controls and pictures fill the screen, so the explanation starts below it

# Returns the layout errors of this screen as messages.
FAULTS = """([id, smallest]) => {
  const root = document.getElementById(id), found = [], box = (e) => e.getBoundingClientRect();
  const inside = (name, e) => {
    if (!e) return found.push(`${name} is missing`);
    const { top, bottom, left, right } = box(e);
    const text = `${name} ends at ${Math.round(bottom)}, the window at ${innerHeight}`;
    if (bottom > innerHeight + 1) found.push(text);
    if (top < 0 || left < -1 || right > innerWidth + 1) found.push(`${name} begins outside the window`);
  };
  inside("the question", root.querySelector(".question"));
  inside("the task", root.querySelector(".before"));
  inside("the guess", root.querySelector(".guess"));
  inside("the column of the hand", root.querySelector(".controls"));
  inside("the main act", root.querySelector(".scene"));
  for (const view of root.querySelectorAll(".scene .view, .scene .reading")) inside(view.id, view);
  const labels = [...root.querySelectorAll(".scene svg text")].filter((text) => text.textContent.trim());
  const sizes = labels.map((text) => {
    const ctm = text.getScreenCTM();
    return [parseFloat(getComputedStyle(text).fontSize) * Math.hypot(ctm.a, ctm.b), text.textContent];
  });
  const small = sizes.filter(([size]) => size < smallest - 0.05);
  if (small.length) {
    const [[size, label]] = small;
    found.push(`${small.length} labels under ${smallest} px, “${label}” at ${size.toFixed(1)}`);
  }
  for (const frame of root.querySelectorAll(".scene .frame")) {
    const isWide = frame.scrollWidth > frame.clientWidth + 1;
    if (isWide) found.push(`${frame.parentElement.id} is wider than its frame`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  return found;
}"""

# The equation and the first sentence must be in view, below the pictures or the controls.
MEANING_FAULTS = """(id) => {
  const meaning = document.getElementById(`${id}-meaning`);
  const shown = [...meaning.children].filter((part) => part.offsetHeight);
  if (!shown.length) return ["nothing is said about what it means"];
  if (meaning.querySelector(".tex:not(.set)")?.checkVisibility()) return ["an equation is not set"];
  const bottom = Math.round(Math.max(...shown.map((part) => part.getBoundingClientRect().bottom)));
  return bottom <= innerHeight ? [] : [`it ends at ${bottom}, the window at ${innerHeight}`];
}"""

# On a phone the picture must be on top, with the first control below it.
PHONE_FAULTS = """(id) => {
  const root = document.getElementById(id), found = [];
  const scene = root.querySelector(".scene").getBoundingClientRect();
  const first = root.querySelector(".controls .widget").getBoundingClientRect();
  const height = Math.round(scene.height);
  if (scene.height > 0.46 * innerHeight) found.push(`the picture takes ${height} of ${innerHeight}`);
  if (scene.top < 0 || scene.bottom > innerHeight) found.push("the picture is not in view");
  const isOutside = first.top < scene.bottom - 1 || first.top > innerHeight - 30;
  if (isOutside) found.push(`the first control is at ${Math.round(first.top)}`);
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  return found;
}"""

# With a large zoom nothing is lost and nothing lies beside the window.
ZOOM_FAULTS = """(id) => {
  const root = document.getElementById(id), found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  const parts = ".question, .before, .guess, .widget, .presets, .view, .reading, .act-head, .foot-tools > *";
  for (const part of [...root.querySelectorAll(parts), ...document.querySelectorAll(".header button")]) {
    const { left, right, width } = part.getBoundingClientRect();
    const name = part.id || part.className || part.textContent;
    const isNeeded = part.matches(".widget, .view, .guess, .question, .header button") && !isHidden(part);
    if (isNeeded && !width) found.push(`${name} is lost`);
    if (width && (left < -1 || right > innerWidth + 1)) found.push(`${name} ends at ${Math.round(right)}`);
  }
  function isHidden(part) { return part.hidden || part.closest(".placed, .dimmed, [hidden]"); }
  return found;
}"""

# In a presentation: smallest text and label relative to the height, whether all fits, and which pictures.
SEEN = """(id) => {
  const root = document.getElementById(id), page = document.documentElement;
  const seen = (e) => e.checkVisibility() && e.getClientRects().length && e.textContent.trim();
  const texts = ".question, .asked, .chip, .reading span, .label, figcaption, .pill span, .verdict"
    + ", .scene .passages";
  const words = [...root.querySelectorAll(texts)];
  const size = (e) => parseFloat(getComputedStyle(e).fontSize) / innerHeight;
  const label = (e) => size(e) * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b);
  const whole = ({ top, left, bottom, right }) =>
    top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  const views = [...root.querySelectorAll(".scene .view")].filter(seen);
  return {
    words: Math.min(1, ...words.filter(seen).map(size)),
    labels: Math.min(1, ...[...root.querySelectorAll(".scene svg text")].filter(seen).map(label)),
    fits: page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth,
    cut: views.filter((view) => !whole(view.getBoundingClientRect())).map((view) => view.id),
    views: views.map((view) => view.id),
  };
}"""
NEXT_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(page: Page, size: tuple[int, int]) -> None:
    if page.viewport_size != {"width": size[0], "height": size[1]}:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(NEXT_FRAMES)


def tabs(
    page: Page, course: str, lesson: Lesson, size: tuple[int, int], query: str = ""
) -> Iterator[tuple[str, Experiment]]:
    """Open the lesson once in this size, then yield each experiment with its id, in its tab."""
    resize(page, size)
    page.goto(f"{course}/{lesson.slug}{query}")
    page.wait_for_selector("html.live", state="attached")
    for experiment in lesson.experiments:
        id = f"{lesson.slug}-{experiment.slug}"
        page.evaluate(
            "slug => document.querySelector(`.tab-strip [data-tab='${slug}']`).click()", experiment.slug
        )
        expect(page.locator(f"#{id} .columns.fitted")).to_be_visible()
        yield id, experiment


# ---- on a desktop ----


@EACH
def test_an_experiment_fits_one_screen_and_is_explained_after_the_guess(
    page: Page, course: str, lesson: Lesson, subtests
):
    for id, experiment in tabs(page, course, lesson, PROJECTOR):
        with subtests.test(experiment=experiment.slug, check="covered before"):
            covered_before(page, id, experiment)
        with subtests.test(experiment=experiment.slug, check="one screen"):
            assert not (found := faults(page, id, LAPTOP, WALL, PROJECTOR)), pformat(found)
        with subtests.test(experiment=experiment.slug, check="explained after"):
            explained_after(page, id, experiment)
        with subtests.test(experiment=experiment.slug, check="the meaning is in view"):
            meaning_is_in_view(page, id)
        with subtests.test(experiment=experiment.slug, check="axe, light theme"):
            assert not serious(page, id)
        for preset in experiment.presets:
            with subtests.test(experiment=experiment.slug, check="one screen", preset=preset.title):
                choose(page, id, experiment, preset.title)
                assert not (found := faults(page, id, PROJECTOR)), pformat(found)


@pytest.mark.slow
@EACH
def test_each_preset_fits_every_screen(page: Page, course: str, lesson: Lesson, subtests):
    for id, experiment in tabs(page, course, lesson, PROJECTOR):
        for preset in experiment.presets:
            with subtests.test(experiment=experiment.slug, preset=preset.title):
                choose(page, id, experiment, preset.title)
                assert not (found := faults(page, id, LAPTOP, WALL, PROJECTOR)), pformat(found)


def faults(page: Page, id: str, *sizes: tuple[int, int]) -> dict[tuple[int, int], list[str]]:
    found = {}
    for size in sizes:
        resize(page, size)
        found[size] = page.evaluate(FAULTS, [id, SMALLEST])
    return {size: each for size, each in found.items() if each}


def choose(page: Page, id: str, experiment: Experiment, title: str) -> None:
    """Click a preset and wait for its picture."""
    stage = page.locator(f"#{id}-stage .drawing")
    before, [preset] = (
        stage.get_attribute("data-link"),
        [one for one in experiment.presets if one.title == title],
    )
    page.locator(f"#{id}-presets").get_by_role("button", name=title, exact=True).click()
    if experiment.state(preset.state) != experiment.state():
        expect(stage).not_to_have_attribute("data-link", before or "")


def covered_pieces(id: str, experiment: Experiment) -> list[str]:
    assert experiment.predict
    main = {view.__name__ for view in experiment.views}
    return [f"{id}-{name}" for name in ("reading", *experiment.predict.covers) if name in main]


def covered_before(page: Page, id: str, experiment: Experiment) -> None:
    covered = covered_pieces(id, experiment)
    for name in covered:
        expect(page.locator(f"#{name} > .cover")).to_be_visible()
    expect(page.locator(f"#{id} .scene .covered")).to_have_count(len(covered))


def explained_after(page: Page, id: str, experiment: Experiment) -> None:
    """Check that the first and the last option are explained, and that nothing is covered afterwards."""
    guess = experiment.predict
    assert guess
    assert isinstance(guess.answer, Choice)
    panel, said = page.locator(f"#{id}-predict"), set()
    ends = guess.answer.options[0], guess.answer.options[-1]
    for number, option in enumerate(ends):
        if number:
            panel.locator(".fold").click()  # an answered guess is collapsed to its verdict
        panel.get_by_role("button", name=without_underscores(option), exact=True).click()
        wanted = without_underscores(guess.check(option, {}).message)
        expect(panel.locator(".verdict")).to_contain_text(wanted)
        said.add(wanted)
    assert len(said) == len(ends)
    assert guess.hint not in said
    for name in covered_pieces(id, experiment):
        expect(page.locator(f"#{name} > .cover")).to_have_count(0)
        expect(page.locator(f"#{name}")).to_be_visible()


def without_underscores(words: str) -> str:
    """Remove the underscore of names such as W_Q, because the page shows a subscript."""
    return re.sub(r"(?<=\b[A-Za-z])_([A-Za-z0-9]{1,2})\b", r"\1", words)


def meaning_is_in_view(page: Page, id: str) -> None:
    expect(page.locator(f"#{id}-predict .asked")).to_be_hidden()
    if id in TOO_MUCH:
        return
    wait_for(page, f"id => !({MEANING_FAULTS})(id).length", arg=id, timeout=10_000)
    assert not page.evaluate(FAULTS, [id, SMALLEST])


# ---- on a phone ----


@EACH
def test_on_a_phone_the_picture_stays_on_top(page: Page, course: str, lesson: Lesson, subtests):
    page.emulate_media(color_scheme="dark")
    for id, experiment in tabs(page, course, lesson, PHONE):
        with subtests.test(experiment=experiment.slug):
            assert not page.evaluate(PHONE_FAULTS, id)
            page.mouse.wheel(0, 600)
            wait_for(page, "scrollY > 0 || document.documentElement.scrollHeight <= innerHeight")
            scene = page.locator(f"#{id} .scene").bounding_box()
            assert scene
            assert -1 <= scene["y"] < 844 / 2
        with subtests.test(experiment=experiment.slug, check="axe, dark theme"):
            assert not serious(page, id)
        with subtests.test(experiment=experiment.slug, check="zoom"):
            for size in (ZOOMED_200, ZOOMED_400):
                resize(page, size)
                assert not page.evaluate(ZOOM_FAULTS, id), size
        resize(page, PHONE)


# ---- in a presentation ----


@EACH
def test_the_last_row_can_read_it(page: Page, course: str, lesson: Lesson, subtests):
    """All text must be readable from the last row; pictures that do not fit follow with PageDown."""
    last_row(page, course, lesson, PROJECTOR, subtests)


@pytest.mark.slow
@EACH
def test_the_last_row_can_read_a_wall(page: Page, course: str, lesson: Lesson, subtests):
    last_row(page, course, lesson, WALL, subtests)


def last_row(page: Page, course: str, lesson: Lesson, size: tuple[int, int], subtests) -> None:
    for id, experiment in tabs(page, course, lesson, size, "?present=1"):
        with subtests.test(experiment=experiment.slug):
            all_pictures_are_shown(page, id, experiment)


def all_pictures_are_shown(page: Page, id: str, experiment: Experiment) -> None:
    pictures = set(
        page.locator(f"#{id} .scene .view").evaluate_all("(views) => views.map((view) => view.id)")
    )
    if experiment.predict:
        readable(page, id)
        expect(page.locator(f"#{id}-predict .asked")).to_be_visible()
        page.keyboard.press("PageDown")
        expect(page.locator(f"#{id} .covered")).to_have_count(0)
        expect(page.locator(f"#{id}-predict .verdict")).not_to_be_empty()
    shown = readable(page, id)
    # one press to play, one to end playing, and one per picture after the first screen
    presses = len(pictures) + 1
    for _ in range(presses):
        if shown == pictures:
            break
        page.keyboard.press("PageDown")
        shown |= readable(page, id)
    assert shown == pictures


def readable(page: Page, id: str) -> set[str]:
    """Check that everything in view is readable from the last row; return the visible pictures."""
    page.evaluate(NEXT_FRAMES)
    wait_for(page, f"id => ({SEEN})(id).fits", arg=id, timeout=5_000)  # a drawing may be on its way
    found = page.evaluate(SEEN, id)
    assert found["words"] >= READABLE
    assert found["labels"] >= READABLE - 4e-4
    assert not found["cut"]
    return {*found["views"]}


# ---- accessibility ----

AXE = Path(sys.prefix) / "lint" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = """async (id) => {
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const root = id ? document.getElementById(id) : document;
  const { violations } = await axe.run(root, { runOnly: rules, resultTypes: ["violations"] });
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
}"""


DIALOGS = ("notation", "glossary", "about", "accessibility")


def serious(page: Page, id: str = "") -> list[str]:
    """What axe finds in the page or in one element; nothing where it is not installed."""
    if not AXE.exists():
        return []
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(SERIOUS, id)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is installed by tests/run where Node is there")
@pytest.mark.parametrize(
    "path", ["", "attention", "attention?experiment=welcome", "attention?experiment=check"]
)
def test_axe_finds_nothing_serious(page: Page, course: str, path: str, subtests):
    """Whole pages with header and footer; experiments are examined by the tests of their layout."""
    page.goto(f"{course}/{path}{'&' if '?' in path else '?'}guess=0")
    page.wait_for_selector("html.live", state="attached")
    for size in (LAPTOP, PHONE):
        resize(page, size)
        for scheme in ("light", "dark"):
            page.evaluate("dark => document.documentElement.classList.toggle('dark', dark)", scheme == "dark")
            with subtests.test(size=size, scheme=scheme):
                assert serious(page) == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is installed by tests/run where Node is there")
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_axe_finds_nothing_serious_in_questions(page: Page, course: str, lesson: Lesson):
    page.goto(f"{course}/{lesson.slug}?experiment=welcome")
    page.wait_for_selector("html.live", state="attached")
    assert serious(page, f"{lesson.slug}-welcome") == []
    page.evaluate("document.querySelector('.tab-strip [data-tab=check]').click()")
    expect(page.locator(f"#{lesson.slug}-check")).to_be_visible()
    assert serious(page, f"{lesson.slug}-check") == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is installed by tests/run where Node is there")
def test_axe_finds_nothing_serious_in_dialogs(page: Page, course: str, subtests):
    page.goto(f"{course}/attention?guess=0")
    page.wait_for_selector("html.live", state="attached")
    for name in DIALOGS:
        if name == "accessibility":  # its link is in “about”
            page.get_by_role("dialog").get_by_role("link", name=name).click()
        else:
            page.locator(f'.header [href$="{name}"]').click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        expect(dialog).not_to_have_accessible_name("")
        with subtests.test(dialog=name):
            assert serious(page) == []
        if name != "about":
            page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is installed by tests/run where Node is there")
def test_axe_finds_nothing_serious_on_pages_without_a_lesson(page: Page, course: str, subtests):
    for path in ("r", "teach", "teach/remote", "handout", "handout?item=attention", *DIALOGS):
        page.goto(f"{course}/{path}")
        for size in (LAPTOP, PHONE):
            resize(page, size)
            with subtests.test(path=path, size=size):
                assert serious(page) == []
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
