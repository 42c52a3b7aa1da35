"""On stage, what the last row must read is at least 2 % of the height: all words, and the labels of a picture that stands alone.

Where many pictures share one screen their labels may be smaller; then PageDown shows each of them alone.
"""

import pytest
from playwright.sync_api import Page, expect

from lessons import LESSONS
from lessons.kit.contract import Experiment, Lesson

EXPERIMENTS = [pytest.param(lesson, e, id=f"{lesson.slug}-{e.slug}") for lesson in LESSONS for e in lesson.experiments]
ROW, TOGETHER = 0.02, 0.8 * 11 / 720  # of the height: alone; and with others, 11 px at the least zoom (assets/js/zoom.js)
SIZES = [(1280, 720), (1920, 1080)]

# The smallest words and the smallest label in view, as parts of the height; and whether all is on one screen.
SEEN = """(id) => {
  const root = document.getElementById(id), seen = (e) => e.checkVisibility() && e.getClientRects().length && e.textContent.trim();
  const words = [...root.querySelectorAll(".question, .asked, .chip, .reading span, .label, figcaption, .pill span, .verdict")];
  const size = (e) => parseFloat(getComputedStyle(e).fontSize) / innerHeight;
  const label = (e) => size(e) * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b);
  return {
    words: Math.min(1, ...words.filter(seen).map(size)),
    labels: Math.min(1, ...[...root.querySelectorAll(".scene svg text")].filter(seen).map(label)),
    fits: document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth,
    alone: root.hasAttribute("data-near"),
  };
}"""


def seen(page: Page, id: str) -> dict:
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = page.evaluate(SEEN, id)
    assert found["words"] >= ROW
    assert found["labels"] >= (ROW - 1e-4 if found["alone"] else TOGETHER)
    assert found["fits"]
    return found


@pytest.mark.parametrize(("lesson", "experiment"), EXPERIMENTS)
def test_the_last_row_can_read_it(page: Page, course: str, lesson: Lesson, experiment: Experiment):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{course}/{lesson.slug}?experiment={experiment.slug}&present=1")
    id = f"{lesson.slug}-{experiment.slug}"
    expect(page.locator(f"#{id}-stage .picture").first).to_be_attached()
    seen(page, id)
    if experiment.predict:
        page.keyboard.press("PageDown")
        expect(page.locator(f"#{id} .covered")).to_have_count(0)
        expect(page.locator(f"#{id}-predict .verdict")).not_to_be_empty()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        together = seen(page, id)
        page.keyboard.press("z")
        pictures = 0
        while seen(page, id)["alone"]:
            pictures += 1
            page.keyboard.press("z")
        assert pictures == page.locator(f"#{id} .scene .view").count() or not together["labels"] < ROW
