"""Every lesson keeps the contract: each corner of each control, preset and exercise computes, draws and travels in a link."""

import json
import re
from itertools import chain
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest

from lessons import LESSONS
from lessons.kit import link
from lessons.kit.contract import Choice, Edits, Exercise, Experiment, Lesson, Matrix, Slider, State, Text, Toggle, Verdict
from lessons.kit.pictures.base import Picture
from lessons.kit.shell.export import rendered
from lessons.kit.shell.stage import Stage
from tests.toy import LESSON as TOY

LARGEST = 200 * 1024  # bytes of one event
USUAL = 48 * 1024  # at the defaults
COST = next(lesson for lesson in LESSONS if lesson.slug == "qkv").experiment("cost")  # its equations stand in a table
EXPERIMENTS = [pytest.param(lesson, e, id=f"{lesson.slug}-{e.slug}") for lesson in (TOY, *LESSONS) for e in lesson.experiments]
over_experiments = pytest.mark.parametrize(("lesson", "experiment"), EXPERIMENTS)


def corners(experiment: Experiment):
    """One control at a time at its ends; then all sliders at their ends together."""
    for control in experiment.controls:
        match control:
            case Slider():
                ends = (control.low, control.high)
            case Choice():
                ends = control.options
            case Toggle():
                ends = (False, True)
            case Text():
                ends = control.suggestions
            case Edits():
                ends = ((),)
            case Matrix():
                ends = tuple(tuple(tuple(end for _ in row) for row in control.default) for end in (control.low, 0.0, control.high))
        yield from ({control.name: end} for end in ends)
    sliders = [control for control in experiment.controls if isinstance(control, Slider)]
    yield {control.name: control.low for control in sliders}
    yield {control.name: control.high for control in sliders}


@over_experiments
def test_every_corner_and_preset_computes_and_draws(lesson: Lesson, experiment: Experiment):
    stage = Stage(lesson, experiment)
    assert len(stage.html({}).encode()) <= USUAL
    for values in chain(corners(experiment), (preset.state for preset in experiment.presets)):
        assert len(stage.html(values).encode()) <= LARGEST, values


SETTINGS = [
    pytest.param(lesson, e, state, id=f"{lesson.slug}-{e.slug}: {title}")
    for lesson in LESSONS
    for e in lesson.experiments
    for title, state in [("default", {}), *((preset.title, preset.state) for preset in e.presets)]
]


@pytest.mark.parametrize(("lesson", "experiment", "state"), SETTINGS)
def test_every_setting_computes_reads_and_draws(lesson: Lesson, experiment: Experiment, state: State):
    result = experiment.run(state)
    assert json.loads(json.dumps(result.numbers(), allow_nan=False))
    shown = {view.__name__: view(result) for view in experiment.views}
    assert re.search(r"\*\*[^*]+\*\*", shown["reading"])
    pictures = [picture for picture in shown.values() if isinstance(picture, Picture)]
    assert pictures
    assert all(picture.svg() and len(picture.frame()) for picture in pictures)


@over_experiments
def test_every_state_travels_in_a_link(lesson: Lesson, experiment: Experiment):
    for values in chain([{}], corners(experiment), (preset.state for preset in experiment.presets)):
        state = experiment.state(values)
        query = dict(parse_qsl(link.encode(experiment, state), keep_blank_values=True))
        assert query.pop("experiment") == experiment.slug
        found, complaints = link.decode(experiment, query)
        assert not complaints
        assert found == state
    assert link.encode(experiment, experiment.state()) == f"experiment={experiment.slug}"


@over_experiments
def test_every_picture_leaves_in_every_format(lesson: Lesson, experiment: Experiment):
    pictures = Stage(lesson, experiment).pictures()
    assert pictures
    for picture in pictures.values():
        assert ElementTree.fromstring(rendered(picture, "svg")).tag.endswith("svg")
        assert len(rendered(picture, "csv").splitlines()) > 1
        assert rendered(picture, "png").startswith(b"\x89PNG")
        assert rendered(picture, "pdf").startswith(b"%PDF")
        assert picture.title


@over_experiments
def test_numbers_are_json_and_the_same_every_time(lesson: Lesson, experiment: Experiment):
    first, again = (json.dumps(experiment.run().numbers(), allow_nan=False) for _ in range(2))
    assert first == again


@over_experiments
def test_words_and_reading_are_there(lesson: Lesson, experiment: Experiment):
    section = lesson.words.sections[experiment.slug]
    assert section.question.endswith("?")
    assert 1 <= len(re.findall(r"[.?](?:\s|$)", section.before)) <= 2, "a sentence or two before the picture"
    assert "reading" in {view.__name__ for view in experiment.views}
    parameters = set(experiment.compute.__code__.co_varnames[: experiment.compute.__code__.co_argcount])
    assert {control.name for control in experiment.controls} == parameters


@over_experiments
def test_ids_of_controls_and_views_never_meet(lesson: Lesson, experiment: Experiment):
    names = [control.name for control in experiment.controls] + [view.__name__ for view in experiment.views]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_a_lesson_is_complete(lesson: Lesson):
    assert len(lesson.exercises) >= 5
    assert any(exercise.answer is None and exercise.experiment for exercise in lesson.exercises), "no challenge"
    assert set(lesson.words.sections) == {experiment.slug for experiment in lesson.experiments}
    for experiment in lesson.experiments:
        assert 2 <= len(experiment.presets) <= 4, experiment.slug
        assert experiment.predict, experiment.slug
        assert ("| $" if experiment is COST else "$$") in lesson.words.sections[experiment.slug].after, experiment.slug
    slugs = [exercise.slug for exercise in lesson.exercises]
    assert len(set(slugs)) == len(slugs)


def exercises():
    for lesson in (TOY, *LESSONS):
        guesses = [(experiment, experiment.predict) for experiment in lesson.experiments if experiment.predict]
        others = [(lesson.experiment(e.experiment) if e.experiment else None, e) for e in lesson.exercises]
        for experiment, exercise in guesses + others:
            yield pytest.param(experiment, exercise, id=f"{lesson.slug}-{exercise.slug}")


@pytest.mark.parametrize(("experiment", "exercise"), list(exercises()))
def test_every_exercise_answers_and_can_be_wrong(experiment: Experiment | None, exercise: Exercise):
    state = experiment.state() if experiment else {}
    answers = exercise.answer.options if isinstance(exercise.answer, Choice) else (0.0, -12345.0) if exercise.answer else (None,)
    verdicts = [exercise.check(answer, state) for answer in answers]
    assert all(isinstance(verdict, Verdict) and verdict.message for verdict in verdicts)
    assert not all(verdict.ok for verdict in verdicts)
    if isinstance(exercise.answer, Choice):
        assert sum(verdict.ok for verdict in verdicts) == 1
    if experiment and exercise is experiment.predict:
        assert isinstance(exercise.answer, Choice)
        assert [exercise.check(answer, {}) for answer in answers] == verdicts, "a guess comes before anything is set"
    assert exercise.hint
