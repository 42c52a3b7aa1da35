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


def quotes(text: str) -> list[str]:
    """The quoted parts of a text, which may contain quotes themselves."""
    return re.findall("“((?:[^“”]|“[^“”]+”)+)”", text)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_a_tempting_answer_is_a_wrong_option(lesson):
    """A plan begins with an option of the page that is wrong, and quotes no right one as tempting."""
    for step in read_plan(lesson.folder / "plan.md"):
        experiment = lesson.experiment(step.slug)
        verdicts = dict(option_verdicts(experiment.predict, experiment.state()))
        quoted = quotes(step.parts["Tempting"])
        assert step.parts["Tempting"].startswith("“"), step.slug
        assert {quoted[0], f"“{quoted[0]}”"} & set(verdicts), step.slug
        assert not [option for option in quoted if option in verdicts and verdicts[option].ok], step.slug


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_what_a_plan_quotes_is_on_the_page(lesson):
    """The presets, closer looks, controls and values that a lecturer should use next."""
    titles = {experiment.title for lesson in LESSONS for experiment in lesson.experiments}
    for step in read_plan(lesson.folder / "plan.md"):
        experiment, text = lesson.experiment(step.slug), lesson.text.experiments[step.slug]
        known = titles | {preset.title for preset in experiment.presets}
        known |= {text.acts[act.slug].question for act in experiment.acts}
        known |= {experiment.job.label} if experiment.job else set()
        known |= {control.label for control in experiment.controls}
        known |= {option for control in experiment.controls for option in getattr(control, "options", ())}
        known |= {value for value in experiment.state().values() if isinstance(value, str)}
        for quoted in quotes(step.parts["Next"]):
            is_computed = quoted.endswith("?") and any(act.asks for act in experiment.acts)
            assert quoted in known or is_computed, f"{step.slug}: “{quoted}” is not on the page"


def test_a_line_that_means_nothing_is_named(tmp_path):
    (tmp_path / "plan.md").write_text("## steer: 10 | 15\nHope: all goes well.\n", encoding="utf-8")
    with pytest.raises(ValueError, match="Hope: all goes well"):
        read_plan(tmp_path / "plan.md")
