"""The parts of a lesson: data and pure functions. The web package builds pages from them.

Lesson      a page: experiments, one screen each, then exercises ("Check yourself"); texts in text.md
(lesson_text.py)
Experiment  controls → compute(**controls) → Result → views → pictures, and a reading with this run's numbers
Act         a closer look: a question and the pictures that answer it; drawn when the learner opens it
Control     one thing that a learner can set (controls.py)

Each part validates itself when it is created (validation.py); the error says what to change. Nothing here
imports
gradio or torch.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from lessons.kit import validation
from lessons.kit.controls import (
    Choice,
    Control,
    DragHandles,
    Matrix,
    Number,
    Numbers,
    PairFile,
    RowEdits,
    Rows,
    SavedRuns,
    Slider,
    Step,
    Text,
    Toggle,
    parse_number,
)
from lessons.kit.lesson_text import LessonText, read_lesson_text
from models.dynamic_types import Json
from models.vocabulary import InputError

if TYPE_CHECKING:
    from lessons.kit.pictures.base import Canvas

__all__ = (
    "Act",
    "Choice",
    "Control",
    "DragHandles",
    "Exercise",
    "Experiment",
    "InputError",
    "Job",
    "JobRun",
    "Lesson",
    "Matrix",
    "Number",
    "Numbers",
    "PairFile",
    "Preset",
    "Result",
    "RowEdits",
    "Rows",
    "SavedRuns",
    "Slider",
    "State",
    "Step",
    "Text",
    "Toggle",
    "Verdict",
    "View",
    "json_value",
    "lesson_numbers",
    "parse_number",
    "state_key",
)

# control name → value, of the type that its control checks
State = Mapping[str, Any]  # type: ignore[explicit-any]
# the Result of its own experiment → a Picture, or a sentence
View = Callable[[Any], Any]  # type: ignore[explicit-any]
# the Result of its own experiment → the question of a closer look
Question = Callable[[Any], str]  # type: ignore[explicit-any]
# to an exercise: a number, an option, or None for a challenge
Answer = Any  # type: ignore[explicit-any]
# a function or class whose source is shown under "code"
SourceObject = Callable[..., object]  # type: ignore[explicit-any]
# takes the controls by name
Compute = Callable[..., "Result"]  # type: ignore[explicit-any]
# names of views and controls; a tuple is a row, a tuple in a row is a column, and so on
Layout = tuple["str | Layout", ...]


class JobRun(Protocol):
    """The work of a job: takes the controls by name, yields (fraction done, Result so far)."""

    def __call__(  # type: ignore[explicit-any]
        self, *args: Any, **controls: Any
    ) -> Iterator[tuple[float, "Result"]]: ...


# ---- results ----


class Result:
    """What an experiment computed: a frozen dataclass of numpy arrays, numbers and words.

    A quantity that only a closer look needs can be a cached_property: it is computed when a view reads it.
    """

    def numbers(self) -> Json:
        """The result as JSON: the answer of the public endpoint. Fields that begin with _ are left out."""
        stored = [field.name for field in fields(self) if not field.name.startswith("_")]  # type: ignore[arg-type]
        lazy = [name for name, value in vars(type(self)).items() if isinstance(value, cached_property)]
        return {name: json_value(getattr(self, name)) for name in stored + lazy}

    def limits(self) -> Json:
        """Limits of controls: last step of a Step, (rows, columns) of a Matrix, whether a Text is used."""
        return {}

    def idle(self) -> dict[str, str]:
        """Controls without effect in this setting, with the reason; the page dims them."""
        return {}

    def sets(self) -> Json:
        """Values that a job sets: the names of what it has saved, for a `SavedRuns` control."""
        return {}


def json_value(value: object) -> object:
    """A value of a result as JSON has it: lists, numbers, strings; None where a number is not finite."""
    if isinstance(value, np.ndarray | np.generic):
        return json_value(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, Sequence | frozenset) and not isinstance(value, str):
        return [json_value(item) for item in (sorted(value) if isinstance(value, frozenset) else value)]
    if is_dataclass(value):
        return {field.name: json_value(getattr(value, field.name)) for field in fields(value)}
    return value


# ---- experiments, exercises, lessons ----


@dataclass(frozen=True)
class Preset:
    """An instructive setting of the controls."""

    title: str
    watch: str  # what to look at there
    state: State


@dataclass(frozen=True)
class Verdict:
    ok: bool | None  # None: there is no right answer
    message: str


@dataclass(frozen=True)
class Exercise:
    """A question with a check of the learner's answer.

    `check(answer, state)` gets the current state of the experiment named. Without `answer` the exercise is a
    challenge: the check looks at the state alone.
    """

    slug: str
    question: str
    check: Callable[[Answer, State], Verdict]
    hint: str  # how to think about it, never the answer
    answer: Choice | Number | None = None
    experiment: str | None = None
    covers: tuple[str, ...] = ()  # of a guess: views that show the answer, hidden with the reading until then
    solution: Callable[[], str] | None = None  # the answer for lecturers, if it is no option


@dataclass(frozen=True)
class Job:
    """Long work on demand: each Result that `run` yields is drawn.

    Jobs share one queue and can be stopped.
    """

    label: str  # on its button: "measure again"
    run: JobRun
    onward: "Job | None" = (
        None  # continues what was saved; `Result.limits` ("job") says whether its button is shown
    )


@dataclass(frozen=True)
class Act:
    """A closer look. Its question and its text are in text.md."""

    slug: str
    views: tuple[View, ...]
    layout: Layout = ()  # as in an experiment; a control named here is shown here and nowhere else
    asks: Question | None = None  # writes the question with the numbers of this run, instead of text.md


@dataclass(frozen=True, eq=False)  # compared by identity: there is one of each
class Experiment:
    slug: str
    title: str  # on its tab
    controls: tuple[Control, ...]
    compute: Compute
    views: tuple[View, ...]  # the pictures that answer the question, and `reading`, their caption
    presets: tuple[Preset, ...] = ()
    predict: Exercise | None = None  # a guess before the learner changes anything
    job: Job | None = None
    code: tuple[SourceObject, ...] = ()  # shown under "code", beside `compute`
    acts: tuple[Act, ...] = ()
    layout: Layout = ()  # of the views; by default one below the other
    files: tuple[
        View, ...
    ] = ()  # result → bytes of a zip, at /export/<lesson>/<experiment>/<function name>.zip
    core: bool = False  # on the short route through the lesson; core experiments come first
    is_heavy: bool = False  # runs a large model: only one such drawing at a time in each worker

    def __post_init__(self) -> None:
        validation.check_experiment(self)

    @property
    def all_views(self) -> tuple[View, ...]:
        return (*self.views, *(view for act in self.acts for view in act.views))

    def state(self, values: State | None = None) -> Json:
        """The values of all controls, checked; a control that is not given has its default."""
        unknown = set(values or {}) - {control.name for control in self.controls}
        if unknown:
            raise InputError(f"{self.slug} has no control named {', '.join(sorted(unknown))}.")
        state = {}
        for control in self.controls:
            try:
                state[control.name] = control.check((values or {}).get(control.name, control.default))
            except InputError as error:
                raise InputError(str(error), control.name) from error
        return state

    def select_acts(self, acts: object = ()) -> tuple[str, ...]:
        """The slugs among `acts` that this experiment has, in its own order."""
        named = {act for act in acts if isinstance(act, str)} if isinstance(acts, Sequence) else set()
        return tuple(act.slug for act in self.acts if act.slug in named)

    def is_private(self, state: State) -> bool:
        """Whether the state holds the learner's own data. Then no answer computed from it is cached."""
        return any(control.is_private and state[control.name] != control.default for control in self.controls)

    def run(self, values: State | None = None) -> Result:
        return self.compute(**self.state(values))


@dataclass(frozen=True, eq=False)  # there is one of each
class Lesson:
    slug: str
    title: str
    short_title: str  # in the bar on top
    summary: str  # on the map: what it is about
    pictogram: Callable[["Canvas"], None]  # on the map: 160 × 88
    folder: Path  # with its text.md, and one folder per experiment
    experiments: tuple[Experiment, ...]
    exercises: tuple[Exercise, ...] = ()
    number: int | None = None  # by default one more than the lesson before (`lesson_numbers`)

    def __post_init__(self) -> None:
        validation.check_lesson(self)

    @cached_property
    def text(self) -> LessonText:
        return read_lesson_text(self.folder, [experiment.slug for experiment in self.experiments])

    @property
    def core(self) -> tuple[Experiment, ...]:
        """The experiments of the short route, which map, "next", plans and presentations follow.

        All experiments if none is marked."""
        return tuple(experiment for experiment in self.experiments if experiment.core) or self.experiments

    @property
    def further(self) -> tuple[Experiment, ...]:
        """The experiments that are not on the short route."""
        return tuple(experiment for experiment in self.experiments if experiment not in self.core)

    def experiment(self, slug: str) -> Experiment:
        return next(experiment for experiment in self.experiments if experiment.slug == slug)


def lesson_numbers(lessons: Sequence[Lesson]) -> dict[str, int]:
    """The number of each lesson by its slug."""
    numbers: dict[str, int] = {}
    last = 0
    for lesson in lessons:
        last = last + 1 if lesson.number is None else lesson.number
        numbers[lesson.slug] = last
    return numbers


def state_key(state: State) -> str:
    """A canonical text of a state, used as a cache key."""
    return json.dumps(state, sort_keys=True, ensure_ascii=False)
