"""Every lesson fulfils the contract: extreme control values, presets and exercises compute and draw."""

import json
import re
from functools import cache
from html import unescape
from itertools import chain
from pathlib import Path
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import numpy as np
import pytest

from lessons import LESSONS
from lessons.kit import link
from lessons.kit.contract import (
    Choice,
    Control,
    DragHandles,
    Exercise,
    Experiment,
    InputError,
    Lesson,
    Matrix,
    PairFile,
    RowEdits,
    SavedRuns,
    Slider,
    Text,
    Toggle,
    Verdict,
)
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.base import Picture
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.prose import Prose
from lessons.kit.plan import read_plan
from lessons.kit.web.export import encode_picture
from lessons.kit.web.renderer import Renderer
from tests.example import LESSON as EXAMPLE
from tests.toy import LESSON as TOY

MAX_BYTES = 150 * 1024  # one drawing with every closer look open
MAX_DEFAULT_BYTES = 32 * 1024
EXPERIMENTS = [
    pytest.param(lesson, e, id=f"{lesson.slug}-{e.slug}")
    for lesson in (TOY, EXAMPLE, *LESSONS)
    for e in lesson.experiments
]
over_experiments = pytest.mark.parametrize(("lesson", "experiment"), EXPERIMENTS)


def corners(experiment: Experiment):
    """Yield states with one control at its extremes, then with all sliders at their extremes."""
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
            case RowEdits() | SavedRuns():
                ends = ((),)
            case PairFile():
                ends = ("",)
            case Matrix():
                ends = tuple(
                    tuple(tuple(end for _ in row) for row in control.default)
                    for end in (control.low, 0.0, control.high)
                )
        yield from ({control.name: end} for end in ends)
    sliders = [control for control in experiment.controls if isinstance(control, Slider)]
    yield {control.name: control.low for control in sliders}
    yield {control.name: control.high for control in sliders}


@over_experiments
def test_every_corner_and_preset_computes_reads_and_draws(lesson: Lesson, experiment: Experiment):
    renderer, acts = Renderer(lesson, experiment), [act.slug for act in experiment.acts]
    assert len(renderer.drawing({}).encode()) <= MAX_DEFAULT_BYTES
    for values in chain([{}], corners(experiment), (preset.state for preset in experiment.presets)):
        shown = renderer.drawing(values, acts)
        assert len(shown.encode()) <= MAX_BYTES, values
        assert "class='view-error'" not in shown, values
        assert lesson is TOY or re.search(r"id='[^']*-reading'[^>]*>.*?<b>", shown), (
            f"a number stands out in the reading: {values}"
        )
        result = renderer.compute(experiment.state(values))
        assert json.dumps(result.numbers(), allow_nan=False) != "{}"
        pictures = [picture for view in experiment.all_views if isinstance(picture := view(result), Picture)]
        assert pictures
        assert all(len(picture.frame()) for picture in pictures), values


@over_experiments
def test_every_state_travels_in_a_link(lesson: Lesson, experiment: Experiment):
    for values in chain([{}], corners(experiment), (preset.state for preset in experiment.presets)):
        state = experiment.state(values)
        query = dict(parse_qsl(link.encode(experiment, state), keep_blank_values=True))
        assert query.pop("experiment") == experiment.slug
        found, acts, complaints = link.decode(experiment, query)
        assert not complaints
        assert not acts
        assert found == state
    assert link.encode(experiment, experiment.state()) == f"experiment={experiment.slug}"
    slugs = tuple(act.slug for act in experiment.acts)
    query = dict(parse_qsl(link.encode(experiment, experiment.state(), slugs)))
    assert link.decode(experiment, query) == (experiment.state(), slugs, [])


@over_experiments
def test_every_picture_leaves_as_svg_and_as_a_table(lesson: Lesson, experiment: Experiment):
    pictures = Renderer(lesson, experiment).pictures()
    assert pictures
    for picture in pictures.values():
        assert ElementTree.fromstring(encode_picture(picture, "svg")).tag.endswith("svg")
        assert len(encode_picture(picture, "csv").splitlines()) > 1
        assert picture.title
        is_text = isinstance(picture, Prose)
        assert is_text or picture.full_description or picture.summary(), "nothing for a screen reader"


def labelled(picture: Picture) -> dict[str, str | None]:
    """Map what the labels of a picture stand for (their keys) to the colour role of the labels."""
    if isinstance(picture, Heatmap):
        return dict(zip(picture.keys, (picture.row_role, picture.column_role), strict=True))
    if isinstance(picture, Bars) and picture.keys:
        return {picture.keys[0].partition(":")[0]: picture.label_role}
    return {}


@over_experiments
def test_words_have_the_colour_of_their_side(lesson: Lesson, experiment: Experiment):
    for name, picture in Renderer(lesson, experiment).pictures().items():
        for side in ("source", "target"):
            assert labelled(picture).get(side) in (None, side), name


@over_experiments
def test_a_picture_named_after_a_quantity_shows_it(lesson: Lesson, experiment: Experiment):
    """Compare absolute values, because a loss may be drawn as −log P."""
    result = experiment.run()
    for view in experiment.all_views:
        quantity, picture = getattr(result, view.__name__, None), view(result)
        is_number = isinstance(quantity, np.ndarray) and quantity.dtype.kind in "fi"
        if is_number and isinstance(picture, Bars | Heatmap) and quantity.shape == np.shape(picture.values):
            assert np.allclose(np.abs(quantity), np.abs(picture.values), equal_nan=True), view.__name__


def leaves_for_slides(picture: Picture) -> None:
    assert encode_picture(picture, "png").startswith(b"\x89PNG")
    assert encode_picture(picture, "pdf").startswith(b"%PDF")


@cache
def kinds_of_pictures() -> dict[type[Picture], Picture]:
    """Return one picture of each kind that the course uses."""
    stages = [Renderer(lesson, experiment) for lesson in LESSONS for experiment in lesson.experiments]
    return {type(picture): picture for stage in stages for picture in stage.pictures().values()}


def test_each_kind_of_picture_leaves_for_slides():
    assert len(kinds_of_pictures()) > 10
    for picture in kinds_of_pictures().values():
        leaves_for_slides(picture)


@pytest.mark.slow
@over_experiments
def test_every_picture_leaves_for_slides(lesson: Lesson, experiment: Experiment):
    for picture in Renderer(lesson, experiment).pictures().values():
        leaves_for_slides(picture)


@over_experiments
def test_numbers_are_json_and_the_same_every_time(lesson: Lesson, experiment: Experiment):
    first, again = (json.dumps(experiment.run().numbers(), allow_nan=False) for _ in range(2))
    assert first == again


DOCUMENT = Path(__file__).parents[2] / "assets" / "docs" / "add-a-lesson.md"
RULES = {  # rules for lessons; a failing test names the rule
    "question": "The heading of an experiment is a question.",
    "task": "The task is one or two sentences.",
    "act": "The heading of a closer look is a question.",
    "pictures": "An experiment shows one or two pictures, four at the most.",
    "presets": "Two to four presets.",
    "guess": "It asks for a guess before the learner changes anything.",
    "equation": "An equation stands beside the picture it belongs to.",
    "core": "Three to five core experiments come first, marked `core=True`.",
    "plan": "A `plan.md` for lecturers has the experiments in the order of the tabs.",
    "exercises": "At least five exercises.",
    "challenge": "One of them is a challenge, which checks what the learner has set.",
}


@pytest.mark.parametrize("name", RULES)
def test_the_document_names_every_rule(name):
    assert RULES[name] in " ".join(DOCUMENT.read_text(encoding="utf-8").split())


@over_experiments
def test_an_experiment_keeps_the_rules_of_the_house(lesson: Lesson, experiment: Experiment):
    section = lesson.text.experiments[experiment.slug]
    assert section.question.endswith("?"), RULES["question"]
    assert 1 <= len(re.findall(r"[.?](?:\s|$)", section.before)) <= 2, RULES["task"]
    for act in section.acts.values():
        assert act.question.endswith("?"), RULES["act"]
    if lesson is TOY:
        return
    pictures = [shown for view in experiment.views if isinstance(shown := view(experiment.run()), Picture)]
    assert 1 <= len(pictures) <= 4, RULES["pictures"]
    assert 2 <= len(experiment.presets) <= 4, RULES["presets"]
    assert experiment.predict, RULES["guess"]
    words = " ".join([section.after, *(act.body for act in section.acts.values())])
    assert "$" in words, RULES["equation"]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_a_lesson_keeps_the_rules_of_the_house(lesson: Lesson):
    assert len(lesson.exercises) >= 5, RULES["exercises"]
    challenges = [
        exercise for exercise in lesson.exercises if exercise.answer is None and exercise.experiment
    ]
    assert challenges, RULES["challenge"]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_tabs_texts_and_plans_follow_the_core_route(lesson: Lesson):
    slugs = [experiment.slug for experiment in lesson.experiments]
    core = [experiment.slug for experiment in lesson.experiments if experiment.core]
    assert 3 <= len(core) <= 5, RULES["core"]
    assert slugs[: len(core)] == core == [experiment.slug for experiment in lesson.core]
    steps = read_plan(lesson.folder / "plan.md")
    assert steps, RULES["plan"]
    planned = [step.slug for step in steps]
    assert planned == [slug for slug in slugs if slug in planned], "plan.md has another order than the tabs"
    short = [step.slug for step in steps if step.minutes_of_50]
    assert short == core[:4], "50 minutes are for three or four core experiments, each with a vote"
    assert set(core) <= {step.slug for step in steps if step.minutes_of_90}
    assert sum(step.minutes_of_50 for step in steps) == 40, "50 minutes: 5 for joining, 5 for questions"
    assert sum(step.minutes_of_90 for step in steps) <= 90


@over_experiments
def test_a_demonstration_shows_another_state(lesson: Lesson, experiment: Experiment):
    """What a presentation shows after the guess; an empty one says that the default state shows it."""
    if experiment.demonstration:
        assert experiment.state(experiment.demonstration) != experiment.state()


@over_experiments
def test_marks_name_controls_that_are_there(lesson: Lesson, experiment: Experiment):
    """Handles, picks, cells and limits must name existing controls; a misspelt name would have no effect."""
    kinds = {control.name: control for control in experiment.controls}
    result = experiment.run()
    known = ", ".join(kinds)
    goes_on = {"job"} if experiment.job and experiment.job.onward else set()
    for name in {*result.limits(), *result.idle()} - goes_on:
        assert name in kinds, (
            f"{experiment.slug}: limits() or idle() names {name!r}; the controls are {known}"
        )
    for view in experiment.all_views:
        shown = view(result)
        if not isinstance(shown, Picture):
            continue
        svg = shown.svg()
        for mark, wanted in (("handle", DragHandles | RowEdits), ("pick", Control), ("cell", Matrix)):
            for name in set(re.findall(f'data-{mark}="([^"]+)"', svg)):
                assert isinstance(kinds.get(name), wanted), (
                    f"{experiment.slug}, {view.__name__}: a {mark} for {name!r}, which is no such control;"
                    f" the controls are {known}"
                )
        for name, value in set(re.findall('data-pick="([^"]+)" data-value="([^"]*)"', svg)):
            try:
                kinds[name].read(unescape(value))
            except InputError as error:
                pytest.fail(
                    f"{experiment.slug}, {view.__name__}: a pick sets {name!r} to {value!r}, which it"
                    f" refuses. {error}"
                )


def exercises():
    for lesson in (TOY, EXAMPLE, *LESSONS):
        guesses = [
            (experiment, experiment.predict) for experiment in lesson.experiments if experiment.predict
        ]
        others = [(lesson.experiment(e.experiment) if e.experiment else None, e) for e in lesson.exercises]
        for experiment, exercise in guesses + others:
            yield pytest.param(experiment, exercise, id=f"{lesson.slug}-{exercise.slug}")


@pytest.mark.parametrize(("experiment", "exercise"), list(exercises()))
def test_every_exercise_answers_and_can_be_wrong(experiment: Experiment | None, exercise: Exercise):
    state = experiment.state() if experiment else {}
    answers = (
        exercise.answer.options
        if isinstance(exercise.answer, Choice)
        else (0.0, -12345.0)
        if exercise.answer
        else (None,)
    )
    verdicts = [exercise.check(answer, state) for answer in answers]
    assert all(isinstance(verdict, Verdict) and verdict.message for verdict in verdicts)
    if isinstance(exercise.answer, Choice):
        assert [verdict.ok for verdict in verdicts].count(True) == 1 or all(
            verdict.ok is None for verdict in verdicts
        )
    else:
        assert not all(verdict.ok for verdict in verdicts)
    if experiment and exercise is experiment.predict:
        assert isinstance(exercise.answer, Choice)
        assert [exercise.check(answer, {}) for answer in answers] == verdicts, (
            "a guess comes before anything is set"
        )
        said = [verdict.message for verdict in verdicts]
        assert len({message.split(". ", 1)[-1] for message in said}) == len(said), (
            "every option has a sentence of its own"
        )
        assert not any(exercise.hint in message for message in said), (
            "a hint is a way to think, not the answer"
        )
    assert exercise.hint
