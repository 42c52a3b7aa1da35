"""Every guess comes before its answer: covered until somebody guesses, and then each option has a sentence of its own."""

import re

import pytest
from playwright.sync_api import Page, expect

from lessons import LESSONS
from lessons.kit.contract import Choice, Experiment, Lesson

GUESSES = [pytest.param(lesson, e, id=f"{lesson.slug}-{e.slug}") for lesson in LESSONS for e in lesson.experiments if e.predict]


def lowered(words: str) -> str:
    """As a reader hears it: the index of W_Q stands below."""
    return re.sub(r"(?<=\b[A-Za-z])_([A-Za-z0-9]{1,2})\b", r"\1", words)


@pytest.mark.parametrize(("lesson", "experiment"), GUESSES)
def test_covered_before_shown_after(page: Page, course: str, lesson: Lesson, experiment: Experiment):
    guess, id = experiment.predict, f"{lesson.slug}-{experiment.slug}"
    assert guess
    assert isinstance(guess.answer, Choice)
    page.goto(f"{course}/{lesson.slug}?experiment={experiment.slug}")
    main = {view.__name__ for view in experiment.views}
    covered = [f"{id}-{name}" for name in ("reading", *guess.covers) if name in main]
    for name in covered:
        expect(page.locator(f"#{name} > .cover")).to_be_visible()
    expect(page.locator(f"#{id} .scene .covered")).to_have_count(len(covered))
    panel, said = page.locator(f"#{id}-predict"), set()
    for number, option in enumerate(guess.answer.options):
        if number:
            panel.locator(".fold").click()  # an answered guess is folded to its verdict
        panel.get_by_role("button", name=lowered(option), exact=True).click()
        wanted = lowered(guess.check(option, {}).message)
        expect(panel.locator(".verdict")).to_contain_text(wanted)
        said.add(wanted)
    assert len(said) == len(guess.answer.options)
    assert guess.hint not in said
    for name in covered:
        expect(page.locator(f"#{name} > .cover")).to_have_count(0)
        expect(page.locator(f"#{name}")).to_be_visible()
