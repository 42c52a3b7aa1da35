"""On stage the last row can read everything: all words and all labels are at least 2 % of the height, and every picture comes.

Pictures that cannot all be so large together come screen after screen, led by PageDown.
"""

import pytest
from playwright.sync_api import Page, expect

from lessons import LESSONS
from lessons.kit.contract import Experiment, Lesson

EXPERIMENTS = [pytest.param(lesson, e, id=f"{lesson.slug}-{e.slug}") for lesson in LESSONS for e in lesson.experiments]
ROW = 0.02  # of the height
SIZES = [(1920, 1080), (1280, 720)]

# The smallest words and the smallest label in view, as parts of the height; whether all is on one screen; which pictures are there.
SEEN = """(id) => {
  const root = document.getElementById(id), seen = (e) => e.checkVisibility() && e.getClientRects().length && e.textContent.trim();
  const said = ".question, .asked, .chip, .reading span, .label, figcaption, .pill span, .verdict, .scene .passages";
  const words = [...root.querySelectorAll(said)];
  const size = (e) => parseFloat(getComputedStyle(e).fontSize) / innerHeight;
  const label = (e) => size(e) * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b);
  const whole = ({ top, left, bottom, right }) => top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  const views = [...root.querySelectorAll(".scene .view")].filter(seen);
  return {
    words: Math.min(1, ...words.filter(seen).map(size)),
    labels: Math.min(1, ...[...root.querySelectorAll(".scene svg text")].filter(seen).map(label)),
    fits: document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth,
    cut: views.filter((view) => !whole(view.getBoundingClientRect())).map((view) => view.id),
    views: views.map((view) => view.id),
  };
}"""


def seen(page: Page, id: str) -> set[str]:
    shown = set()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found = page.evaluate(SEEN, id)
        assert found["words"] >= ROW
        assert found["labels"] >= ROW - 1e-4
        assert found["fits"]
        assert not found["cut"]
        shown |= {*found["views"]}
    return shown


@pytest.mark.parametrize(("lesson", "experiment"), EXPERIMENTS)
def test_the_last_row_can_read_it(page: Page, course: str, lesson: Lesson, experiment: Experiment):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{course}/{lesson.slug}?experiment={experiment.slug}&present=1")
    id = f"{lesson.slug}-{experiment.slug}"
    expect(page.locator(f"#{id}-stage .picture").first).to_be_attached()
    pictures = set(page.locator(f"#{id} .scene .view").evaluate_all("(views) => views.map((view) => view.id)"))
    if experiment.predict:
        seen(page, id)
        expect(page.locator(f"#{id}-predict .asked")).to_be_visible()
        page.keyboard.press("PageDown")
        expect(page.locator(f"#{id} .covered")).to_have_count(0)
        expect(page.locator(f"#{id}-predict .verdict")).not_to_be_empty()
    shown = seen(page, id)
    for _ in range(len(pictures)):  # to play, and for each that is not on the first screen
        if shown == pictures:
            break
        page.keyboard.press("PageDown")
        shown |= seen(page, id)
    assert shown == pictures
