"""Read a learner's pairs from text in two columns, and report which lines were skipped and why."""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import median_low
from typing import Any, NamedTuple

from lessons.kit.contract import InputError
from models.tasks.task import Pair
from models.vocabulary import Vocabulary, split_characters, split_words

UNITS = {"words": "word", "characters": "character"}
MAX_TEXT_BYTES = 120_000  # JSON doubles this at most, which is still below the request limit
MAX_PAIRS, MIN_PAIRS = 4000, 10  # distinct pairs
MAX_SIDE_TOKENS = {"words": 30, "characters": 40}
MAX_VOCABULARY = 3000  # maximum number of distinct words per side
MAX_LINE_CHARACTERS = 2000
ROWS_SHOWN = 5
SEPARATORS = {"\t": "tab", ",": "comma", ";": "semicolon"}
NOT_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd\ufffe\ud800-\udfff]")

UTF_16 = (
    "This is UTF-16. Save it again as UTF-8: editors and spreadsheets ask for the encoding under “save as”."
)
BINARY = "This is no text. If it is a spreadsheet (.xlsx, .ods), save its two columns as CSV in UTF-8."
NOT_UTF_8 = (
    "This is text, but not in UTF-8. Save it again as UTF-8: editors and spreadsheets ask for the encoding"
    " under “save as”."
)
EMPTY = "There is nothing in it. Write one pair per line: the left side, a tab, the right side."
ONE_COLUMN = (
    "There is only one column. Put a tab (or a comma, or a semicolon) between the left side and the right"
    " side of every line."
)
ONE_LONG_LINE = "It is one line of {0:,} characters. Put each pair on its own line."
ONE_PAIR = "All {0:,} lines hold the same pair. Training needs {1} different pairs."
TOO_FEW_PAIRS = "Only {0} of {1} can be used; {2} different pairs are needed."
TOO_MANY_WORDS = (
    "The {0} side has {1:,} different {2}, and {3:,} fit. Use fewer pairs, or read the text as characters."
)
TOO_MANY_CHARACTERS = "The {0} side has {1:,} different {2}, and {3:,} fit. Use fewer pairs."

REASONS = {  # fault of a line → why the line is skipped, and what to do
    "blank": ("an empty line", "Nothing to do."),
    "one": ("one column", "Put a tab or a comma between its two sides."),
    "more": (
        "more than two columns",
        "Put a side with a comma in double quotes, or separate the sides by tabs.",
    ),
    "quotes": (
        "wrong quoting",
        "Close the double quote on the same line; write a quote inside quotes twice.",
    ),
    "side": ("an empty side", "Write something on both sides."),
    "long": ("too long", "Split it into two pairs."),
    "twice": ("there already", "Nothing to do: each pair counts once."),
    "over": ("past the limit of pairs", f"Nothing to do: the first {MAX_PAIRS:,} pairs are used."),
}


class Side(NamedTuple):
    """Number of distinct tokens on one side, and token counts per line."""

    known: int
    shortest: int
    middle: int
    longest: int


class Skipped(NamedTuple):
    why: str
    lines: int  # number of skipped lines
    line: int  # line number of the first one
    do: str


@dataclass(frozen=True)
class Report:
    """Summary of what was read from a text."""

    lines: int
    pairs: int  # number of distinct pairs
    held: int  # number of these pairs held out for evaluation
    unit: str  # unit of the text: “words” or “characters”
    separator: str
    left: Side
    right: Side
    torn: int  # number of left sides with more than one right side
    skipped: tuple[Skipped, ...]
    first: tuple[tuple[str, str], ...]  # the first pairs, in file order

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "Report":
        typed = {
            "left": Side(*fields["left"]),
            "right": Side(*fields["right"]),
            "skipped": tuple(Skipped(*each) for each in fields["skipped"]),
            "first": tuple((left, right) for left, right in fields["first"]),
        }
        return cls(**fields | typed)


class Line(NamedTuple):
    number: int
    columns: list[str]
    fault: str = ""  # a key of REASONS


def check_text(text: str) -> str:
    """Remove the byte order mark, or raise an InputError if the input is not text."""
    text = text.removeprefix("\ufeff")
    control_characters = NOT_TEXT.findall(text)
    if control_characters.count("\0") > len(text) / 5:
        raise InputError(UTF_16, "pairs")
    if "\0" in control_characters or len(control_characters) > len(text) / 100:
        raise InputError(BINARY, "pairs")
    if not text.strip():
        raise InputError(EMPTY, "pairs")
    return text


def read_pairs(text: str, unit: str) -> tuple[list[Pair], dict[str, Any]]:
    """Read the distinct pairs in file order and the fields of a `Report`, or raise an InputError."""
    lines = re.split(r"\r\n|\r|\n", check_text(text).rstrip("\r\n"))
    if len(lines) == 1 and len(lines[0]) > MAX_LINE_CHARACTERS:
        raise InputError(ONE_LONG_LINE.format(len(lines[0])), "pairs")
    separator = find_separator(lines)
    columns_by_pair: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[str, str]] = {}
    faults: list[tuple[str, int]] = []
    for number, columns, fault in parse_lines(lines, separator):
        if not fault:
            source, target = (split_tokens(column, unit) for column in columns)
            fault = find_fault(source, target, unit)
            if not fault and (source, target) in columns_by_pair:
                fault = "twice"
            if not fault and len(columns_by_pair) == MAX_PAIRS:
                fault = "over"
            if not fault:
                columns_by_pair[source, target] = (columns[0], columns[1])
        if fault:
            faults.append((fault, number))
    skipped = count_faults(faults)
    require_enough(len(columns_by_pair), len(lines), skipped)
    pairs = [Pair(source, target) for source, target in columns_by_pair]
    left = describe_side([pair.source for pair in pairs], "left", unit)
    right = describe_side([pair.target for pair in pairs], "right", unit)
    source_counts = Counter(pair.source for pair in pairs)
    return pairs, {
        "lines": len(lines),
        "pairs": len(pairs),
        "unit": unit,
        "separator": SEPARATORS[separator],
        "left": left,
        "right": right,
        "torn": sum(count > 1 for count in source_counts.values()),
        "skipped": skipped,
        "first": tuple(columns_by_pair.values())[:ROWS_SHOWN],
    }


def find_separator(lines: list[str]) -> str:
    """Tab if at least half of the lines contain one, else the separator that splits most lines in two."""
    first_lines = [line for line in lines if line.strip()][:200]
    if 2 * sum("\t" in line for line in first_lines) >= len(first_lines):
        return "\t"
    short_lines = [line[:MAX_LINE_CHARACTERS] for line in first_lines]
    two_columns = {
        mark: sum(len(split_columns(line, mark) or ()) == 2 for line in short_lines) for mark in (",", ";")
    }
    best = max(two_columns, key=lambda mark: two_columns[mark])
    if not two_columns[best] and any("\t" in line for line in first_lines):
        return "\t"
    if not any(mark in line for line in first_lines for mark in SEPARATORS):
        raise InputError(ONE_COLUMN, "pairs")
    return best


def split_columns(line: str, separator: str) -> list[str] | None:
    """The columns of a line; None if its quoting is wrong. With tab as separator, quotes are plain text."""
    if separator == "\t":
        return line.split("\t")
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        return None


def parse_lines(lines: list[str], separator: str) -> Iterator[Line]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            yield Line(number, [], "blank")
            continue
        if len(line) > MAX_LINE_CHARACTERS:
            yield Line(number, [], "long")
            continue
        columns = split_columns(line, separator)
        if columns is None:
            yield Line(number, [], "quotes")
        elif len(columns) < 2:
            yield Line(number, [], "one")
        elif len(columns) > 2 and separator != "\t":
            yield Line(number, [], "more")
        else:  # columns after a second tab are notes
            yield Line(number, [column.strip() for column in columns[:2]])


NO_WORDS, SPACE = Vocabulary.of(()), Vocabulary.of((" ",))


def split_tokens(text: str, unit: str) -> tuple[str, ...]:
    return tuple(split_words(text, NO_WORDS) if unit == "words" else split_characters(text, SPACE))


def find_fault(source: tuple[str, ...], target: tuple[str, ...], unit: str) -> str:
    if not source or not target:
        return "side"
    return "long" if max(len(source), len(target)) > MAX_SIDE_TOKENS[unit] else ""


def count_faults(faults: list[tuple[str, int]]) -> tuple[Skipped, ...]:
    """Count the skipped lines per reason, most frequent first."""
    first = dict(reversed(faults))
    return tuple(
        Skipped(REASONS[fault][0], count, first[fault], REASONS[fault][1])
        for fault, count in Counter(fault for fault, _ in faults).most_common()
    )


def require_enough(pairs: int, lines: int, skipped: tuple[Skipped, ...]) -> None:
    if pairs >= MIN_PAIRS:
        return
    reasons = {each.why: each for each in skipped if each.why != REASONS["blank"][0]}
    if pairs == 1 and [*reasons] == [REASONS["twice"][0]]:
        raise InputError(ONE_PAIR.format(lines, MIN_PAIRS), "pairs")
    if not pairs and [*reasons] == [REASONS["one"][0]]:
        raise InputError(ONE_COLUMN, "pairs")
    message = TOO_FEW_PAIRS.format(pairs, f"{lines:,} lines" if lines > 1 else "1 line", MIN_PAIRS)
    if reasons:
        worst = next(iter(reasons.values()))
        message += f" Most often the reason is: {worst.why} (line {worst.line:,}). {worst.do}"
    raise InputError(message, "pairs")


def describe_side(texts: list[tuple[str, ...]], name: str, unit: str) -> Side:
    vocabulary_size = len({token for text in texts for token in text})
    if vocabulary_size > MAX_VOCABULARY:
        sentence = TOO_MANY_WORDS if unit == "words" else TOO_MANY_CHARACTERS
        raise InputError(sentence.format(name, vocabulary_size, unit, MAX_VOCABULARY), "pairs")
    lengths = [len(text) for text in texts]
    return Side(vocabulary_size, min(lengths), median_low(lengths), max(lengths))
