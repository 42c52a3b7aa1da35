"""What a lesson is made of: data and pure functions. The shell makes the page from it; nothing here knows gradio or torch.

Lesson      a page: experiments, one screen each, then exercises ("Check yourself"). Its words are in text.md.
Experiment  controls → compute(**controls) → Result → views → pictures, and a reading with this run's numbers
Control     one thing a learner can set. It checks every value, wherever it comes from: page, link, endpoint, preset.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from models.vocabulary import InputError

State = Mapping[str, Any]  # control name → value: all that a learner can set
Numbers = tuple[float, ...]
Rows = tuple[Numbers, ...]


# ---- controls ----


@dataclass(frozen=True)
class Control:
    """`check` lets a value in, or says what to do; `write` and `read` carry it through a link."""

    name: str  # a keyword of compute
    label: str
    default: Any

    def check(self, value: Any) -> Any:
        raise NotImplementedError

    def write(self, value: Any) -> str:
        return str(value)

    def read(self, text: str) -> Any:
        return self.check(text)


@dataclass(frozen=True)
class Slider(Control):
    low: float
    high: float
    step: float = 1

    def check(self, value: Any) -> float | int:
        number = number_in(value, self.low, self.high, self.label)
        number = self.low + round((number - self.low) / self.step) * self.step
        return int(number) if all(float(part).is_integer() for part in (self.low, self.step)) else round(number, 6)


@dataclass(frozen=True)
class Step(Slider):
    """Time: a slider that also plays. How far it goes is up to the result (`Result.limits`); `high` is the most there can be."""


@dataclass(frozen=True)
class Number(Control):
    """An answer typed as a number."""

    default: Any = None
    low: float = -1e9
    high: float = 1e9

    def check(self, value: Any) -> float:
        return number_in(value, self.low, self.high, self.label)


@dataclass(frozen=True)
class Choice(Control):
    options: tuple[str, ...]

    def check(self, value: Any) -> str:
        if value not in self.options:
            raise InputError(f"{self.label}: choose one of {', '.join(self.options)}.")
        return value


@dataclass(frozen=True)
class Toggle(Control):
    def check(self, value: Any) -> bool:
        if value not in (True, False, "0", "1"):
            raise InputError(f"{self.label}: on or off.")
        return value in (True, "1")

    def write(self, value: bool) -> str:
        return str(int(value))


@dataclass(frozen=True)
class Text(Control):
    """Typed words, with suggestions one click away."""

    suggestions: tuple[str, ...] = ()
    limit: int = 400

    def check(self, value: Any) -> str:
        text = value if isinstance(value, str) else ""
        if len(text) > self.limit:
            raise InputError(f"{self.label}: at most {self.limit} characters, please; this has {len(text):,}.")
        return text


@dataclass(frozen=True)
class Matrix(Control):
    """Numbers to edit cell by cell. The default has the largest shape; `Result.limits` says how much of it is shown."""

    low: float = -9.0
    high: float = 9.0
    step: float = 0.1

    def check(self, value: Any) -> Rows:
        rows = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
        shape = (len(self.default), len(self.default[0]))
        if len(rows) != shape[0] or any(not isinstance(row, Sequence) or len(row) != shape[1] for row in rows):
            raise InputError(f"{self.label}: {shape[0]} rows of {shape[1]} numbers, please.")
        return tuple(tuple(number_in(cell, self.low, self.high, self.label) for cell in row) for row in rows)

    def write(self, value: Rows) -> str:
        return ";".join(",".join(f"{cell:g}" for cell in row) for row in value)

    def read(self, text: str) -> Rows:
        return self.check([row.split(",") for row in text.split(";")])


@dataclass(frozen=True)
class Handles(Matrix):
    """Marks of a picture that can be dragged: one row a mark, one number (a bar) or two (the tip of an arrow)."""


@dataclass(frozen=True)
class Edits(Control):
    """Rows that a learner has changed, by step: ((step, (value, …)), …). Dragged in a picture, like Handles.

    `Result.limits` gives the row shown now and rows on offer: {"step": 5, "row": […], "offers": {"even": […]}}.
    """

    default: Any = ()
    low: float = 0.0
    high: float = 1.0
    longest: int = 64  # steps, and values in a row

    def check(self, value: Any) -> tuple[tuple[int, Numbers], ...]:
        try:
            pairs = sorted((int(step), tuple(row)) for step, row in value)
        except (TypeError, ValueError):
            pairs = [(0, ())]
        if len(pairs) > self.longest or any(
            not 0 < step <= self.longest or not 0 < len(row) <= self.longest for step, row in pairs
        ):
            raise InputError(f"{self.label}: rows of numbers, each with its step, please.")
        return tuple(
            (step, tuple(number_in(cell, self.low, self.high, self.label) for cell in row)) for step, row in dict(pairs).items()
        )

    def write(self, value: tuple[tuple[int, Numbers], ...]) -> str:
        return ";".join(f"{step}:" + ",".join(f"{cell:.3g}" for cell in row) for step, row in value)

    def read(self, text: str) -> tuple[tuple[int, Numbers], ...]:
        return self.check([(step, row.split(",")) for step, _, row in (part.partition(":") for part in text.split(";") if part)])


def number_in(value: Any, low: float, high: float, label: str) -> float:
    """The value as a number within its range; text from a link is welcome, NaN is not."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise InputError(f"{label}: a number, please, such as {max(low, min(0.5, high)):g}.")
    if not low <= number <= high:
        raise InputError(f"{label}: between {low:g} and {high:g}, please; this is {number:g}.")
    return number


# ---- results ----


class Result:
    """What an experiment computed: a frozen dataclass of numpy arrays, numbers and words."""

    def numbers(self) -> dict[str, Any]:
        """The same as JSON: what the public endpoint answers."""
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}

    def limits(self) -> dict[str, Any]:
        """How far controls reach here: last step of a Step, (rows, columns) of a Matrix, whether a Text is used at all."""
        return {}


def plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
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
    ok: bool
    message: str


@dataclass(frozen=True)
class Exercise:
    """`check(answer, state)`: the state is that of the experiment named, as the learner has set it just now.

    Without an answer to give it is a challenge: what counts is the state itself.
    """

    slug: str
    question: str
    check: Callable[[Any, State], Verdict]
    hint: str
    answer: Choice | Number | None = None
    experiment: str | None = None


@dataclass(frozen=True)
class Job:
    """Long work on demand: `run(**controls)` yields (share done, Result); each is drawn. It can be stopped; all share one queue."""

    label: str  # on its button: "measure again"
    run: Callable[..., Iterator[tuple[float, Result]]]


@dataclass(frozen=True)
class Experiment:
    slug: str
    title: str  # on its tab
    controls: tuple[Control, ...]
    compute: Callable[..., Result]
    views: tuple[Callable[[Any], Any], ...]  # Result -> Picture or words; `reading` is the caption
    presets: tuple[Preset, ...] = ()
    predict: Exercise | None = None  # a guess before the hand moves
    job: Job | None = None
    code: tuple[Any, ...] = ()  # what else to show under "code": functions and classes that do the work

    def state(self, values: State | None = None) -> dict[str, Any]:
        """All controls, checked; what is not given has its default."""
        unknown = set(values or {}) - {control.name for control in self.controls}
        if unknown:
            raise InputError(f"{self.slug} has no control named {', '.join(sorted(unknown))}.")
        return {control.name: control.check((values or {}).get(control.name, control.default)) for control in self.controls}

    def run(self, values: State | None = None) -> Result:
        return self.compute(**self.state(values))


@dataclass(frozen=True)
class Lesson:
    slug: str
    title: str
    short: str  # in the bar on top
    folder: Path  # where text.md is
    experiments: tuple[Experiment, ...]
    exercises: tuple[Exercise, ...] = ()

    @cached_property
    def words(self) -> "Words":
        return read_words(self.folder / "text.md")

    def experiment(self, slug: str) -> Experiment:
        return next(experiment for experiment in self.experiments if experiment.slug == slug)


@dataclass(frozen=True)
class Section:
    question: str
    before: str  # Markdown: the prediction, the thing to do
    after: str  # Markdown: equations and why


@dataclass(frozen=True)
class Words:
    question: str  # of the whole lesson
    lead: str
    sections: Mapping[str, Section]  # by experiment


def read_words(path: Path) -> Words:
    """text.md: `# question` and a lead, then for each experiment `## slug: question`, what to do, `---`, what it means."""
    head, *parts = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    question, _, lead = head.removeprefix("# ").partition("\n")
    sections = {}
    for part in parts:
        heading, _, body = part.partition("\n")
        slug, _, asked = heading.partition(": ")
        before, _, after = body.partition("\n---\n")
        sections[slug] = Section(asked.strip(), before.strip(), after.strip())
    return Words(question.strip(), lead.strip(), sections)


def canonical(state: State) -> str:
    """One text for one state: the key under which answers are kept."""
    return json.dumps(state, sort_keys=True, ensure_ascii=False)
