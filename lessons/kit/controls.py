"""Everything a learner can set. A control checks every value, wherever it comes from: page, link, endpoint, preset."""

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from models.vocabulary import InputError

Numbers = tuple[float, ...]
Rows = tuple[Numbers, ...]


@dataclass(frozen=True)
class Control:
    """`check` lets a value in, or says what to do; `wants` says it beforehand; `write` and `read` carry it through a link."""

    name: str  # a keyword of compute
    label: str
    default: Any

    private: ClassVar[bool] = False  # what it holds is the learner's own: no answer to it is kept

    def check(self, value: Any) -> Any:
        raise NotImplementedError

    @property
    def wants(self) -> str:
        raise NotImplementedError

    def write(self, value: Any) -> str:
        return str(value)

    def read(self, text: str) -> Any:
        return self.check(text)

    def parse(self, text: str) -> Any:
        """The value that a page sends: as in a link, but for what a link cannot carry."""
        return self.read(text)


@dataclass(frozen=True)
class Slider(Control):
    low: float
    high: float
    step: float = 1

    def check(self, value: Any) -> float | int:
        number = number_in(value, self.low, self.high, self.label)
        number = self.low + round((number - self.low) / self.step) * self.step
        return int(number) if self.whole else round(number, 6)

    @property
    def whole(self) -> bool:
        return all(float(part).is_integer() for part in (self.low, self.step))

    @property
    def wants(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}, in steps of {self.step:g}"

    def write(self, value: float) -> str:
        """As a browser writes it: one state has one link."""
        return str(value).removesuffix(".0")


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
        if not isinstance(value, str) or value not in self.options:
            raise InputError(f"{self.label}: choose one of {', '.join(self.options)}.")
        return value

    @property
    def wants(self) -> str:
        return f"one of {', '.join(self.options)}"


@dataclass(frozen=True)
class Toggle(Control):
    def check(self, value: Any) -> bool:
        if value not in (True, False, "0", "1"):
            raise InputError(f"{self.label}: on or off.")
        return value in (True, "1")

    @property
    def wants(self) -> str:
        return "true or false"

    def write(self, value: bool) -> str:
        return str(int(value))


@dataclass(frozen=True)
class Text(Control):
    """Typed words, with suggestions one click away; which of them belong here may be up to the result (`Result.limits`)."""

    suggestions: tuple[str, ...] = ()
    limit: int = 400

    def check(self, value: Any) -> str:
        text = value if isinstance(value, str) else ""
        if len(text) > self.limit:
            raise InputError(
                f"{self.label}: at most {self.limit} characters, please; this has {len(text):,}."
            )
        return text

    @property
    def wants(self) -> str:
        known = ", ".join(f"“{words}”" for words in self.suggestions[:3])
        return f"a text of at most {self.limit} characters{known and f'; for instance {known}'}"


@dataclass(frozen=True)
class Matrix(Control):
    """Numbers to edit cell by cell. The default has the largest shape; `Result.limits` says how much of it is shown.

    `in_picture`: it has no table of its own, a picture has its cells (pictures/matrix.py, `Edit`).
    """

    low: float = -9.0
    high: float = 9.0
    step: float = 0.1
    in_picture: bool = False

    def check(self, value: Any) -> Rows:
        rows = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
        shape = (len(self.default), len(self.default[0]))
        if len(rows) != shape[0] or any(
            not isinstance(row, Sequence) or len(row) != shape[1] for row in rows
        ):
            raise InputError(f"{self.label}: {shape[0]} rows of {shape[1]} numbers, please.")
        return tuple(tuple(number_in(cell, self.low, self.high, self.label) for cell in row) for row in rows)

    @property
    def wants(self) -> str:
        return (
            f"{len(self.default)} rows of {len(self.default[0])} numbers, each from {self.low:g} to"
            f" {self.high:g}"
        )

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
        except (TypeError, ValueError, OverflowError):
            pairs = [(0, ())]
        if len(pairs) > self.longest or any(
            not 0 < step <= self.longest or not 0 < len(row) <= self.longest for step, row in pairs
        ):
            raise InputError(f"{self.label}: rows of numbers, each with its step, please.")
        return tuple(
            (step, tuple(number_in(cell, self.low, self.high, self.label) for cell in row))
            for step, row in dict(pairs).items()
        )

    @property
    def wants(self) -> str:
        return (
            f"rows changed by hand, [[step, [number, …]], …], each number from {self.low:g} to {self.high:g}"
        )

    def write(self, value: tuple[tuple[int, Numbers], ...]) -> str:
        return ";".join(f"{step}:" + ",".join(f"{cell:.3g}" for cell in row) for step, row in value)

    def read(self, text: str) -> tuple[tuple[int, Numbers], ...]:
        return self.check(
            [
                (step, row.split(","))
                for step, _, row in (part.partition(":") for part in text.split(";") if part)
            ]
        )


@dataclass(frozen=True)
class Made(Control):
    """What long work has made for this visitor: names on the shelf (work/shelf.py), the one in view first; kept in the browser.

    `Result.limits` says how each is called, [[name, words], …], in the order in which they were made.
    """

    default: Any = ()
    most: int = 6

    private = True  # and may still be going on: the same name stands for more a second later

    def check(self, value: Any) -> tuple[str, ...]:
        names = value if isinstance(value, Sequence) and not isinstance(value, str) else (None,)
        if len(names) > self.most or not all(
            isinstance(name, str) and NAME.fullmatch(name) for name in names
        ):
            raise InputError(f"{self.label}: at most {self.most} names of what was made here, please.")
        return tuple(dict.fromkeys(names))

    @property
    def wants(self) -> str:
        return (
            f"names of at most {self.most} things that long work has made, as the page has them in its link"
        )

    def write(self, value: tuple[str, ...]) -> str:
        return ",".join(value)

    def read(self, text: str) -> tuple[str, ...]:
        return self.check(text.split(",") if text else ())


@dataclass(frozen=True)
class Pairs(Control):
    """Text in two columns, from a file or pasted. It stays in the page that it was given to, and comes with every question.

    A link has only its mark: by that, what long work has made of the text is found, if it is still here.
    """

    default: Any = ""
    most: int = 100_000  # bytes
    fits: str = ""  # what can be read, in a few words
    faults: tuple[
        tuple[str, str], ...
    ] = ()  # what is wrong with a file that cannot even be sent, and what to do

    private = True

    def check(self, value: Any) -> str:
        text = value if isinstance(value, str) else ""
        size = len(text.encode("utf-8", "replace"))
        if size > self.most:
            raise InputError(
                f"{self.label}: at most {self.most // 1000} KB, please; this has {size // 1000:,} KB. Take"
                " its first lines."
            )
        return text

    @property
    def wants(self) -> str:
        return f"text in two columns, parted by tabs or commas, a pair a line. {self.fits}"

    def write(self, value: str) -> str:
        return value and mark_of(value)  # no text has no mark: a page would take it for a file that is gone

    def parse(self, text: str) -> str:
        return self.check(text)

    def read(self, text: str) -> str:
        if not MARK.fullmatch(text):
            raise InputError("A link cannot carry pairs. Choose the file here.")
        return text


def mark_of(text: str) -> str:
    """Twelve characters that stand for a text; those of a mark are itself."""
    return text if MARK.fullmatch(text) else hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


MARK = re.compile(r"[0-9a-f]{12}")
NAME = re.compile(r"[0-9a-f]{16}")  # as work/shelf.py gives them
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}([ ,\u00a0\u202f’'])\d{3}(\1\d{3})*(\.\d+)?")  # 1,280 and 1 280


def number_in(value: Any, low: float, high: float, label: str) -> float:
    """The value as a number within its range; typed text is welcome (1,280 and 1 280 are 1280, 0,5 is 0.5), NaN is not."""
    if isinstance(value, str):
        value = value.strip().replace("−", "-")
        grouped = GROUPED.fullmatch(value)
        value = value.replace(grouped[1], "") if grouped else value.replace(",", ".")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise InputError(f"{label}: a number, please, such as {max(low, min(0.5, high)):g}.")
    if not low <= number <= high:
        message = f"{label}: between {low:g} and {high:g}, please; this is {number:g}."
        raise InputError(re.sub(r"(?<= )-(?=\d)", "−", message))
    return number
