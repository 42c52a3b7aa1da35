"""The classes a lesson is made of: data and pure functions. The web package builds pages from them.

Lesson      a page: experiments, one screen each, then exercises ("Check yourself"); texts in text.md
(lesson_text.py)
Experiment  controls → compute(**controls) → Result → views → pictures, and a text with this run's numbers
Act         a closer look: a question and the pictures that answer it; drawn when the learner opens it
Control     one input that a learner can set (controls.py)

Each part validates itself when it is created (validation.py); the error says what to change. Nothing here
imports
gradio or torch.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
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
    Pixels,
    RowEdits,
    Rows,
    SavedRuns,
    Slider,
    Step,
    Text,
    Toggle,
    parse_number,
)
from lessons.kit.language import TEXT_LANGUAGE
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
    "Pixels",
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

# control name → validated value
State = Mapping[str, Any]  # type: ignore[explicit-any]
# Result of the experiment → a Picture or a sentence
View = Callable[[Any], Any]  # type: ignore[explicit-any]
# Result of the experiment → the question of a closer look
Question = Callable[[Any], str]  # type: ignore[explicit-any]
# answer to an exercise: a number, an option, or None for a challenge
Answer = Any  # type: ignore[explicit-any]
# a function or class whose source is shown under "code"
SourceObject = Callable[..., object]  # type: ignore[explicit-any]
# called with the control values as keyword arguments
Compute = Callable[..., "Result"]  # type: ignore[explicit-any]
# names of views and controls; a tuple is a row, a tuple in a row is a column, and so on
Layout = tuple["str | Layout", ...]


class JobRun(Protocol):
    """The function a job runs: takes the controls by name, yields (fraction done, Result so far)."""

    def __call__(  # type: ignore[explicit-any]
        self, *args: Any, **controls: Any
    ) -> Iterator[tuple[float, "Result"]]: ...


# ---- results ----


class Result:
    """What an experiment computed: a frozen dataclass of numpy arrays, numbers and words.

    A quantity that only a closer look needs can be a cached_property: it is computed when a view reads it.
    """

    def numbers(self) -> Json:
        """The result as JSON, for the public API. Fields whose name begins with _ are left out."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        stored = [name for name in names if not name.startswith("_")]
        lazy = [name for name, value in vars(type(self)).items() if isinstance(value, cached_property)]
        return {name: json_value(getattr(self, name)) for name in stored + lazy}

    def limits(self) -> Json:
        """Limits by control: last step of a Step, (rows, columns) of a Matrix, whether a Text is used."""
        return {}

    def idle(self) -> dict[str, str]:
        """Controls that have no effect in this state, with the reason; the page dims them."""
        return {}

    def sets(self) -> Json:
        """Control values that a job sets: the names of its saved runs, for a `SavedRuns` control."""
        return {}


def json_value(value: object) -> object:
    """Convert a value to JSON types: lists, numbers, strings; None for numbers that are not finite."""
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
    """A named, instructive setting of the controls."""

    title: str
    watch: str  # what to look at in this setting
    state: State


@dataclass(frozen=True)
class Verdict:
    ok: bool | None  # None: there is no right answer
    message: str


@dataclass(frozen=True)
class Exercise:
    """A question with a check of the learner's answer.

    `check(answer, state)` receives the current state of `experiment`. Without `answer` the exercise is a
    challenge: the check uses only the state.
    """

    slug: str
    question: str
    check: Callable[[Answer, State], Verdict]
    hint: str  # helps to find the answer, without giving it away
    answer: Choice | Number | None = None
    experiment: str | None = None
    covers: tuple[str, ...] = ()  # for a guess: views that show the answer, hidden until the learner guesses
    solution: Callable[[], str] | None = None  # the answer that lecturers see, if the question has no options
    tolerance: float = 0.0  # accepted error of a typed number; 0 if the answer depends on the state


@dataclass(frozen=True)
class Job:
    """A long computation that the learner starts. Each Result that `run` yields is drawn.

    Jobs share one queue and can be stopped.
    """

    label: str  # button text, e.g. "measure again"
    run: JobRun
    onward: "Job | None" = (
        None  # continues a saved run; `Result.limits` ("job") says whether its button is shown
    )


@dataclass(frozen=True)
class Act:
    """A closer look. Its question and its text are in text.md."""

    slug: str
    views: tuple[View, ...]
    layout: Layout = ()  # as in Experiment; a control named here is shown only here
    asks: Question | None = None  # builds the question from this run's numbers; replaces the one in text.md
    is_for_stage: bool = True  # False: a presentation passes over it, as over a long table to look things up


@dataclass(frozen=True, eq=False)  # acts are compared by identity
class Experiment:
    slug: str
    title: str  # text of the tab
    controls: tuple[Control, ...]
    compute: Compute
    views: tuple[View, ...]  # pictures that answer the question, and `reading`, their caption
    presets: tuple[Preset, ...] = ()
    predict: Exercise | None = None  # a guess to make before changing anything
    job: Job | None = None
    code: tuple[SourceObject, ...] = ()  # shown under "code" together with `compute`
    acts: tuple[Act, ...] = ()
    layout: Layout = ()  # arrangement of the views; by default one below the other
    files: tuple[
        View, ...
    ] = ()  # result → bytes of a zip, at /export/<lesson>/<experiment>/<function name>.zip
    demonstrates: str | State = ""  # preset or values that show what the guess asks about; {}: the default
    core: bool = False  # whether it is on the short route; core experiments come first
    is_heavy: bool = False  # runs a large model: each worker draws only one such experiment at a time

    def __post_init__(self) -> None:
        validation.check_experiment(self)

    @property
    def all_views(self) -> tuple[View, ...]:
        return (*self.views, *(view for act in self.acts for view in act.views))

    def state(self, values: State | None = None) -> Json:
        """Validate the values of all controls; controls that are not given get their default."""
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

    @property
    def demonstration(self) -> State | None:
        """Control values that show what the guess asks about, if the default state does not show it."""
        if isinstance(self.demonstrates, str):
            return next((one.state for one in self.presets if one.title == self.demonstrates), None)
        return self.demonstrates

    def select_acts(self, acts: object = ()) -> tuple[str, ...]:
        """The slugs in `acts` that exist in this experiment, in the experiment's order."""
        named = {act for act in acts if isinstance(act, str)} if isinstance(acts, Sequence) else set()
        return tuple(act.slug for act in self.acts if act.slug in named)

    def is_private(self, state: State) -> bool:
        """Whether the state contains the learner's own data. If so, nothing computed from it is cached."""
        return any(control.is_private and state[control.name] != control.default for control in self.controls)

    def run(self, values: State | None = None) -> Result:
        return self.compute(**self.state(values))


@dataclass(frozen=True, eq=False)
class Lesson:
    slug: str
    title: str
    short_title: str  # shown in the navigation bar
    summary: str  # shown on the map
    pictogram: Callable[["Canvas"], None]  # draws the picture on the map, 160 × 88
    folder: Path  # contains text.md and one folder per experiment
    experiments: tuple[Experiment, ...]
    exercises: tuple[Exercise, ...] = ()
    number: int | None = None  # by default one more than the previous lesson (`lesson_numbers`)

    def __post_init__(self) -> None:
        validation.check_lesson(self)

    @property
    def text(self) -> LessonText:
        """The text in the language of this part of the page, or in English where it has no translation."""
        return lesson_text(self, TEXT_LANGUAGE.get())

    @property
    def core(self) -> tuple[Experiment, ...]:
        """Experiments on the short route, used by the map, "next", plans and presentations.

        If no experiment is marked as core, all of them.
        """
        return tuple(experiment for experiment in self.experiments if experiment.core) or self.experiments

    @property
    def further(self) -> tuple[Experiment, ...]:
        """Experiments that are not on the short route."""
        return tuple(experiment for experiment in self.experiments if experiment not in self.core)

    def experiment(self, slug: str) -> Experiment:
        return next(experiment for experiment in self.experiments if experiment.slug == slug)


@cache
def lesson_text(lesson: Lesson, language: str) -> LessonText:
    return read_lesson_text(lesson.folder, [experiment.slug for experiment in lesson.experiments], language)


def lesson_numbers(lessons: Sequence[Lesson]) -> dict[str, int]:
    """Number of each lesson, by slug."""
    numbers: dict[str, int] = {}
    last = 0
    for lesson in lessons:
        last = last + 1 if lesson.number is None else lesson.number
        numbers[lesson.slug] = last
    return numbers


def state_key(state: State) -> str:
    """Serialize a state to a canonical string, used as a cache key."""
    return json.dumps(state, sort_keys=True, ensure_ascii=False)
