"""What a lesson is made of: data and pure functions. The shell makes the page from it; nothing here knows gradio or torch.

Lesson      a page: experiments, one screen each, then exercises ("Check yourself"). Its words are in text.md.
Experiment  controls → compute(**controls) → Result → views → pictures, and a reading with this run's numbers
Act         a closer look: a question, and the pictures that answer it; closed at first, and drawn only when it is open
Control     one thing a learner can set (controls.py)

All of them check themselves when they are made (checks.py), and say what to do.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.kit import validation
from lessons.kit.controls import (
    Choice,
    Control,
    Edits,
    Handles,
    Made,
    Matrix,
    Number,
    Numbers,
    Pairs,
    Rows,
    Slider,
    Step,
    Text,
    Toggle,
    number_in,
)
from lessons.kit.lesson_text import ActText, ExperimentText, LessonText, read_lesson_text
from models.dynamic_types import Json
from models.vocabulary import InputError

if TYPE_CHECKING:
    from lessons.kit.pictures.base import Canvas

__all__ = (
    "Act",
    "ActWords",
    "Choice",
    "Control",
    "Edits",
    "Exercise",
    "Experiment",
    "Handles",
    "InputError",
    "Job",
    "Lesson",
    "Made",
    "Matrix",
    "Number",
    "Numbers",
    "Pairs",
    "Preset",
    "Result",
    "Rows",
    "Section",
    "Slider",
    "State",
    "Step",
    "Text",
    "Toggle",
    "Verdict",
    "View",
    "Words",
    "canonical",
    "lesson_numbers",
    "number_in",
    "plain",
    "read_words",
)

State = Mapping[str, Any]  # type: ignore[explicit-any]  # control name → value, of the type that its control checks
View = Callable[[Any], Any]  # type: ignore[explicit-any]  # the Result of its own experiment → Picture or words
Question = Callable[[Any], str]  # type: ignore[explicit-any]  # the Result of its own experiment → words
Answer = Any  # type: ignore[explicit-any]  # to an exercise: a number, an option, or None where there is none to give
Shown = Callable[..., object]  # type: ignore[explicit-any]  # a function or class whose source is shown
Compute = Callable[..., "Result"]  # type: ignore[explicit-any]  # takes the controls by name
Run = Callable[..., Iterator[tuple[float, "Result"]]]  # type: ignore[explicit-any]  # takes the controls by name
Layout = tuple[
    "str | Layout", ...
]  # names of views and controls; a tuple inside stands side by side, one inside that stacked, …


# ---- results ----


class Result:
    """What an experiment computed: a frozen dataclass of numpy arrays, numbers and words.

    What only a closer look needs can be a cached_property: it is worked out when a view asks for it.
    """

    def numbers(self) -> Json:
        """The same as JSON: what the public endpoint answers. Fields that begin with _ are means, not results."""
        named = [field.name for field in fields(self) if not field.name.startswith("_")]  # type: ignore[arg-type]
        later = [name for name, value in vars(type(self)).items() if isinstance(value, cached_property)]
        return {name: plain(getattr(self, name)) for name in named + later}

    def limits(self) -> Json:
        """How far controls reach here: last step of a Step, (rows, columns) of a Matrix, whether a Text is used at all."""
        return {}

    def idle(self) -> dict[str, str]:
        """Controls without effect in this setting, and why: they are dimmed."""
        return {}

    def sets(self) -> Json:
        """Controls that long work has set: what it made is then theirs (`Made`)."""
        return {}


def plain(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | frozenset) and not isinstance(value, str):
        return [plain(item) for item in (sorted(value) if isinstance(value, frozenset) else value)]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


# ---- experiments, exercises, lessons ----


@dataclass(frozen=True)
class Preset:
    """An instructive setting, and what to watch there."""

    title: str
    watch: str
    state: State


@dataclass(frozen=True)
class Verdict:
    ok: bool | None  # None: nobody can tell
    message: str


@dataclass(frozen=True)
class Exercise:
    """`check(answer, state)`: the state is that of the experiment named, as the learner has set it just now.

    Without an answer to give it is a challenge: what counts is the state itself.
    """

    slug: str
    question: str
    check: Callable[[Answer, State], Verdict]
    hint: str  # a way to think, never the answer
    answer: Choice | Number | None = None
    experiment: str | None = None
    covers: tuple[
        str, ...
    ] = ()  # of a guess: views that would give it away, covered like the reading until somebody guesses
    solution: Callable[[], str] | None = None  # for lecturers, where no option says it


@dataclass(frozen=True)
class Job:
    """Long work on demand: `run(**controls)` yields (share done, Result); each is drawn. It can be stopped; all share one queue."""

    label: str  # on its button: "measure again"
    run: Run
    onward: "Job | None" = (
        None  # goes on with what was made: there is a button for it where `Result.limits` says so ("job")
    )


@dataclass(frozen=True)
class Act:
    """A closer look. Its question and its words are in text.md; `asks` writes the question with this run's numbers instead."""

    slug: str
    views: tuple[View, ...]
    layout: Layout = ()  # as in an experiment; a control named here stands here, and nowhere else
    asks: Question | None = None


@dataclass(frozen=True, eq=False)  # there is one of each
class Experiment:
    slug: str
    title: str  # on its tab
    controls: tuple[Control, ...]
    compute: Compute
    views: tuple[
        View, ...
    ]  # the main act: the pictures that answer the question, and `reading`, their caption
    presets: tuple[Preset, ...] = ()
    predict: Exercise | None = None  # a guess before the hand moves
    job: Job | None = None
    code: tuple[Shown, ...] = ()  # what else to show under "code": functions and classes that do the work
    acts: tuple[Act, ...] = ()
    layout: Layout = ()  # how the main act stands; without one its views stand one below the other
    files: tuple[
        View, ...
    ] = ()  # to take home: result → bytes of a zip, at /export/<lesson>/<experiment>/<its name>.zip
    core: bool = False  # on the short route through the lesson; core experiments come first

    def __post_init__(self) -> None:
        validation.experiment(self)

    @property
    def all_views(self) -> tuple[View, ...]:
        return (*self.views, *(view for act in self.acts for view in act.views))

    def state(self, values: State | None = None) -> Json:
        """All controls, checked; what is not given has its default."""
        unknown = set(values or {}) - {control.name for control in self.controls}
        if unknown:
            raise InputError(f"{self.slug} has no control named {', '.join(sorted(unknown))}.")
        found = {}
        for control in self.controls:
            try:
                found[control.name] = control.check((values or {}).get(control.name, control.default))
            except InputError as error:
                raise InputError(str(error), control.name) from error
        return found

    def opened(self, acts: object = ()) -> tuple[str, ...]:
        """Of the acts named, those that are here, in their order."""
        named = {act for act in acts if isinstance(act, str)} if isinstance(acts, Sequence) else set()
        return tuple(act.slug for act in self.acts if act.slug in named)

    def private(self, state: State) -> bool:
        """Does it hold something of the learner's own? Then nothing that is made from it is kept for others."""
        return any(control.private and state[control.name] != control.default for control in self.controls)

    def run(self, values: State | None = None) -> Result:
        return self.compute(**self.state(values))


@dataclass(frozen=True, eq=False)  # there is one of each
class Lesson:
    slug: str
    title: str
    short: str  # in the bar on top
    line: str  # on the map: what it is about
    pictogram: Callable[["Canvas"], None]  # on the map: 160 × 88
    folder: Path  # where its text.md is, and a folder for each experiment
    experiments: tuple[Experiment, ...]
    exercises: tuple[Exercise, ...] = ()
    number: int | None = (
        None  # None: one more than the lesson before it, 1 if it is the first (`lesson_numbers`)
    )

    def __post_init__(self) -> None:
        validation.lesson(self)

    @cached_property
    def words(self) -> LessonText:
        return read_lesson_text(self.folder, [experiment.slug for experiment in self.experiments])

    @property
    def core(self) -> tuple[Experiment, ...]:
        """The short route: what the map, "next", the plans and the presentation walk. All, where none is marked."""
        return tuple(experiment for experiment in self.experiments if experiment.core) or self.experiments

    @property
    def further(self) -> tuple[Experiment, ...]:
        """The experiments beyond the short route."""
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


def canonical(state: State) -> str:
    """One text for one state: the key under which answers are kept."""
    return json.dumps(state, sort_keys=True, ensure_ascii=False)
