"""Controls: the inputs that a learner can set.

A control validates every value, whether it comes from a page, link, API call or preset.
"""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from lessons.kit.language import translate
from models.vocabulary import InputError

Numbers = tuple[float, ...]
Rows = tuple[Numbers, ...]


@dataclass(frozen=True)
class Control:
    """One input of an experiment, with its default."""

    name: str  # keyword argument of `compute`
    label: str
    default: Any

    is_private: ClassVar[bool] = False  # contains the learner's own data: results are not cached

    def check(self, value: Any) -> Any:
        """Return the value in its proper type, or raise an InputError that says what to enter."""
        raise NotImplementedError

    def refusal(self, problem: str, **values: object) -> InputError:
        """An error that names this control. `problem` is a template, which is translated."""
        return InputError(
            translate("{label}: {problem}", label=translate(self.label), problem=translate(problem, **values))
        )

    @property
    def accepts(self) -> str:
        """Describe the accepted values in words."""
        raise NotImplementedError

    def write(self, value: Any) -> str:
        """Write the value as text for a link."""
        return str(value)

    def read(self, text: str) -> Any:
        """Read the value from the text of a link."""
        return self.check(text)

    def parse(self, text: str) -> Any:
        """Parse the text that a page sends, which may contain more than fits in a link."""
        return self.read(text)


@dataclass(frozen=True)
class Slider(Control):
    low: float
    high: float
    step: float = 1

    def check(self, value: Any) -> float | int:
        number = parse_number(value, self.low, self.high, self.label)
        number = self.low + round((number - self.low) / self.step) * self.step
        return int(number) if self.whole else round(number, 6)

    @property
    def whole(self) -> bool:
        return all(float(part).is_integer() for part in (self.low, self.step))

    @property
    def accepts(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}, in steps of {self.step:g}"

    def write(self, value: float) -> str:
        """Write the number as JavaScript does, so that each state has exactly one link."""
        return str(value).removesuffix(".0")


@dataclass(frozen=True)
class Step(Slider):
    """A time step: a slider with a play button. `Result.limits` may set an end below `high`."""


class Percentage(float):
    """A number typed with a percent sign: 67% has the value 0.67."""


@dataclass(frozen=True)
class Number(Control):
    """An answer typed as a number, a fraction or a percentage: 0.67, 2/3, 67%."""

    default: Any = None
    low: float = -1e9
    high: float = 1e9

    def check(self, value: Any) -> float:
        if isinstance(value, str) and value.strip().endswith("%"):
            return Percentage(parse_number(value.strip()[:-1], self.low, self.high, self.label) / 100)
        if isinstance(value, str) and value.count("/") == 1:
            top, bottom = (parse_number(part, -1e9, 1e9, self.label) for part in value.split("/"))
            value = top / bottom if bottom else math.nan
        return parse_number(value, self.low, self.high, self.label)


@dataclass(frozen=True)
class Choice(Control):
    options: tuple[str, ...]
    # earlier name of an option, as in old links → its present name
    renamed: Mapping[str, str] = field(default_factory=dict, hash=False)

    def check(self, value: Any) -> str:
        if isinstance(value, str):
            value = self.renamed.get(value, value)
        if not isinstance(value, str) or value not in self.options:
            options = ", ".join(map(translate, self.options))
            raise self.refusal("choose one of {options}.", options=options)
        return value

    @property
    def accepts(self) -> str:
        return f"one of {', '.join(self.options)}"


@dataclass(frozen=True)
class Toggle(Control):
    def check(self, value: Any) -> bool:
        if value not in (True, False, "0", "1"):
            raise self.refusal("on or off.")
        return value in (True, "1")

    @property
    def accepts(self) -> str:
        return "true or false"

    def write(self, value: bool) -> str:
        return str(int(value))


@dataclass(frozen=True)
class Text(Control):
    """Typed words with suggestions. `Result.limits` may replace the suggestions, or hide the control."""

    suggestions: tuple[str, ...] = ()
    limit: int = 400

    def check(self, value: Any) -> str:
        text = value if isinstance(value, str) else ""
        if len(text) > self.limit:
            raise self.refusal(
                "at most {limit} characters, please; this has {n:,}.", limit=self.limit, n=len(text)
            )
        return text

    @property
    def accepts(self) -> str:
        known = ", ".join(f"“{words}”" for words in self.suggestions[:3])
        return f"a text of at most {self.limit} characters{known and f'; for instance {known}'}"


@dataclass(frozen=True)
class Matrix(Control):
    """Numbers to edit cell by cell.

    The default has the largest shape; `Result.limits` says how much of it is shown.
    """

    low: float = -9.0
    high: float = 9.0
    step: float = 0.1
    in_picture: bool = False  # edited in a picture (pictures/matrix.py, `Edit`), not in a table

    def check(self, value: Any) -> Rows:
        rows = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
        shape = (len(self.default), len(self.default[0]))
        if len(rows) != shape[0] or any(
            not isinstance(row, Sequence) or len(row) != shape[1] for row in rows
        ):
            raise self.refusal("{rows} rows of {columns} numbers, please.", rows=shape[0], columns=shape[1])
        return tuple(
            tuple(parse_number(cell, self.low, self.high, self.label) for cell in row) for row in rows
        )

    @property
    def accepts(self) -> str:
        return (
            f"{len(self.default)} rows of {len(self.default[0])} numbers, each from {self.low:g} to"
            f" {self.high:g}"
        )

    def write(self, value: Rows) -> str:
        return ";".join(",".join(f"{cell:g}" for cell in row) for row in value)

    def read(self, text: str) -> Rows:
        return self.check([row.split(",") for row in text.split(";")])


@dataclass(frozen=True)
class DragHandles(Matrix):
    """Marks in a picture that can be dragged. Each row is a mark: one number (bar) or two (arrow)."""


@dataclass(frozen=True)
class Pixels(Matrix):
    """A drawing: cells that are filled (1) or empty (0), painted in a picture (pictures/pixels.py)."""

    low: float = 0.0
    high: float = 1.0
    step: float = 1.0

    def check(self, value: Any) -> Rows:
        return tuple(tuple(float(cell >= 0.5) for cell in row) for row in super().check(value))

    @property
    def accepts(self) -> str:
        rows, columns = self.shape
        return f"{rows} rows of {columns} cells, each 1 (filled) or 0 (empty)"

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.default), len(self.default[0])

    def write(self, value: Rows) -> str:
        """Write the cells row by row as bits of a hexadecimal number."""
        bits = "".join(str(int(cell)) for row in value for cell in row)
        return f"{int(bits, 2):0{-(-len(bits) // 4)}x}"

    def read(self, text: str) -> Rows:
        rows, columns = self.shape
        digits = -(-rows * columns // 4)
        if not re.fullmatch(f"[0-9a-f]{{{digits}}}", text):
            raise self.refusal("{n} hexadecimal digits, one bit per cell, please.", n=digits)
        bits = f"{int(text, 16):0{rows * columns}b}"[-rows * columns :]
        return self.check([bits[start : start + columns] for start in range(0, rows * columns, columns)])


@dataclass(frozen=True)
class RowEdits(Control):
    """Rows that a learner has changed, by step: ((step, (value, …)), …).

    Their values are dragged in a picture, like DragHandles. `Result.limits` gives the current row and rows
    to choose from: {"step": 5, "row": […], "offers": {"even": […]}}.
    """

    default: Any = ()
    low: float = 0.0
    high: float = 1.0
    max_length: int = 64  # maximum number of steps, and of values per row

    def check(self, value: Any) -> tuple[tuple[int, Numbers], ...]:
        try:
            pairs = sorted((int(step), tuple(row)) for step, row in value)
        except (TypeError, ValueError, OverflowError):
            pairs = [(0, ())]
        if len(pairs) > self.max_length or any(
            not 0 < step <= self.max_length or not 0 < len(row) <= self.max_length for step, row in pairs
        ):
            raise self.refusal("rows of numbers, each with its step, please.")
        return tuple(
            (step, tuple(parse_number(cell, self.low, self.high, self.label) for cell in row))
            for step, row in dict(pairs).items()
        )

    @property
    def accepts(self) -> str:
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
class SavedRuns(Control):
    """Saved runs of a job: names of artifacts (jobs/artifacts.py), the one in view first.

    The browser keeps the names. `Result.limits` gives their labels, [[name, label], …], oldest first.
    """

    is_private = True  # a run may still be in progress, so its artifact can change
    default: Any = ()
    max_runs: int = 6

    def check(self, value: Any) -> tuple[str, ...]:
        names = value if isinstance(value, Sequence) and not isinstance(value, str) else (None,)
        if len(names) > self.max_runs or not all(
            isinstance(name, str) and ARTIFACT_NAME.fullmatch(name) for name in names
        ):
            raise self.refusal("at most {n} names of what was made here, please.", n=self.max_runs)
        return tuple(dict.fromkeys(names))

    @property
    def accepts(self) -> str:
        return (
            f"names of at most {self.max_runs} things that long work has made, as the page has them in its"
            " link"
        )

    def write(self, value: tuple[str, ...]) -> str:
        return ",".join(value)

    def read(self, text: str) -> tuple[str, ...]:
        return self.check(text.split(",") if text else ())


@dataclass(frozen=True)
class PairFile(Control):
    """Text in two columns, from a file or pasted. It stays in the browser and is sent with every request.

    A link contains only the fingerprint of the text, which identifies the runs trained on this text.
    """

    is_private = True
    default: Any = ""
    max_bytes: int = 100_000
    formats: str = ""  # accepted formats, in a few words
    file_errors: tuple[tuple[str, str], ...] = ()  # file type that the page rejects → what to do

    def check(self, value: Any) -> str:
        text = value if isinstance(value, str) else ""
        size = len(text.encode("utf-8", "replace"))
        if size > self.max_bytes:
            raise self.refusal(
                "at most {limit} KB, please; this has {size:,} KB. Take its first lines.",
                limit=self.max_bytes // 1000,
                size=size // 1000,
            )
        return text

    @property
    def accepts(self) -> str:
        return f"text in two columns, parted by tabs or commas, one pair per line. {self.formats}"

    def write(self, value: str) -> str:
        return value and text_fingerprint(value)  # "" stands for no file and has no fingerprint

    def parse(self, text: str) -> str:
        return self.check(text)

    def read(self, text: str) -> str:
        if not FINGERPRINT.fullmatch(text):
            raise InputError(translate("A link cannot carry pairs. Choose the file here."))
        return text


def text_fingerprint(text: str) -> str:
    """Hash a text to twelve hexadecimal digits; a fingerprint is returned unchanged."""
    return (
        text
        if FINGERPRINT.fullmatch(text)
        else hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    )


FINGERPRINT = re.compile(r"[0-9a-f]{12}")
ARTIFACT_NAME = re.compile(r"[0-9a-f]{16}")  # see jobs/artifacts.py, `new_name`
GROUPED_DIGITS = re.compile(
    r"[+-]?[1-9]\d{0,2}([ ,\u00a0\u202f’'])\d{3}(\1\d{3})*(\.\d+)?"
)  # matches 1,280 and 1 280


def parse_number(value: Any, low: float, high: float, label: str) -> float:
    """Parse a finite number within its range. Typed text may be 1,280 or 1 280 (1280) or 0,5 (0.5)."""
    if isinstance(value, str):
        value = value.strip().replace("−", "-")
        grouped = GROUPED_DIGITS.fullmatch(value)
        value = value.replace(grouped[1], "") if grouped else value.replace(",", ".")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise InputError(
            translate(
                "{label}: a number, please, such as {example:g}.",
                label=translate(label),
                example=max(low, min(0.5, high)),
            )
        )
    if not low <= number <= high:
        message = translate(
            "{label}: between {low:g} and {high:g}, please; this is {number:g}.",
            label=translate(label),
            low=low,
            high=high,
            number=number,
        )
        raise InputError(re.sub(r"(?<= )-(?=\d)", "−", message))
    return number
