"""A lecturer's plan fits its lesson and the time available."""

import re

import pytest

from lessons import LESSONS
from lessons.kit.exercises import option_verdicts
from lessons.kit.plan import PARTS, read_plan


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_a_plan_fits_its_lesson_and_its_hour(lesson):
    steps = read_plan(lesson.folder / "plan.md")
    slugs = [step.slug for step in steps]
    assert len(set(slugs)) == len(slugs) >= min(5, len(lesson.experiments))
    assert set(slugs) <= {experiment.slug for experiment in lesson.experiments}
    assert all(tuple(step.parts) == PARTS for step in steps)
    assert 40 <= sum(step.minutes_of_50 for step in steps) <= 45, "5 of 50 minutes are for questions"
    assert 70 <= sum(step.minutes_of_90 for step in steps) <= 85, "5 of 90 minutes are for questions"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_no_tempting_answer_is_right(lesson):
    """The tempting answers that a plan quotes must all be wrong."""
    for step in read_plan(lesson.folder / "plan.md"):
        experiment = lesson.experiment(step.slug)
        quoted = set(re.findall("“([^”]+)”", step.parts["Tempting"]))
        assert not [
            option
            for option, verdict in option_verdicts(experiment.predict, experiment.state())
            if verdict.ok and option in quoted
        ], step.slug


def test_a_line_that_means_nothing_is_named(tmp_path):
    (tmp_path / "plan.md").write_text("## steer: 10 | 15\nHope: all goes well.\n", encoding="utf-8")
    with pytest.raises(ValueError, match="Hope: all goes well"):
        read_plan(tmp_path / "plan.md")
