"""A learner's own pairs: text in two columns, read line by line. What cannot be used is counted, and said where and why."""

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
BYTES = 120_000  # of a text; as JSON it is at most twice as long, and still passes the door
PAIRS, LEAST = 4000, 10  # different ones
LONGEST = {"words": 30, "characters": 40}  # on a side
KNOWN = 3000  # different words on a side
LINE = 2000  # characters of a line that is still looked at
ROWS = 5  # shown, as they came
SEPARATORS = {"\t": "tab", ",": "comma", ";": "semicolon"}
STRANGE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd\ufffe\ud800-\udfff]")

UTF_16 = (
    "This is UTF-16. Save it again as UTF-8: editors and spreadsheets ask for the encoding under “save as”."
)
NO_TEXT = "This is no text. Of a spreadsheet (.xlsx, .ods) save the two columns as CSV, in UTF-8."
ENCODING = (
    "This is text, but not in UTF-8. Save it again as UTF-8: editors and spreadsheets ask for the encoding"
    " under “save as”."
)
EMPTY = "There is nothing in it. Write one pair on each line: the left side, a tab, the right side."
ONE_COLUMN = (
    "There is only one column. Put a tab (or a comma, or a semicolon) between the left side and the right"
    " side of every line."
)
ENDLESS = "It is one line of {0:,} characters. Put each pair on a line of its own."
ONE_PAIR = (
    "All {0:,} lines hold the same pair. Nothing can be learned from one; {1} different ones are needed."
)
FEW = "Only {0} of {1} can be used; {2} different pairs are needed."
MANY_WORDS = "The {0} side has {1:,} different {2}, and {3:,} fit. Use fewer pairs, or read it as characters."
MANY_CHARACTERS = "The {0} side has {1:,} different {2}, and {3:,} fit. Use fewer pairs."

REASONS = {  # why a line is skipped, and what to do about it
    "blank": ("an empty line", "Nothing to do."),
    "one": ("one column", "Put a tab or a comma between its two sides."),
    "more": ("more than two columns", "Put a side with a comma in double quotes, or part the sides by tabs."),
    "quotes": ("wrong quoting", "Close the double quote on the same line; inside quotes write two for one."),
    "side": ("an empty side", "Write something on both sides."),
    "long": ("too long", "Make two pairs of it."),
    "twice": ("there already", "Nothing to do: each pair counts once."),
    "over": ("past the limit of pairs", f"Nothing to do: the first {PAIRS:,} pairs are used."),
}


class Side(NamedTuple):
    """Different words; and how many words a line has."""

    known: int
    shortest: int
    middle: int
    longest: int


class Skipped(NamedTuple):
    why: str
    lines: int  # how many
    line: int  # the first of them
    do: str


@dataclass(frozen=True)
class Report:
    """What was made of a text."""

    lines: int
    pairs: int  # kept
    held: int  # of these, held back to measure on
    unit: str  # words or characters
    separator: str
    left: Side
    right: Side
    torn: int  # left sides that have more than one right side: they cannot all be right
    skipped: tuple[Skipped, ...]
    first: tuple[tuple[str, str], ...]  # as they came

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, told: dict[str, Any]) -> "Report":
        sides = {"left": Side(*told["left"]), "right": Side(*told["right"])}
        skipped = tuple(Skipped(*each) for each in told["skipped"])
        return cls(
            **told
            | sides
            | {
                "skipped": skipped,
                "first": tuple((left, right) for left, right in told["first"]),
            }
        )


class Line(NamedTuple):
    number: int
    columns: list[str]
    fault: str = ""  # a key of REASONS


def readable(text: str) -> str:
    """The text without its mark of order, if it is one."""
    text = text.removeprefix("\ufeff")
    strange = STRANGE.findall(text)
    if strange.count("\0") > len(text) / 5:
        raise InputError(UTF_16, "pairs")
    if "\0" in strange or len(strange) > len(text) / 100:
        raise InputError(NO_TEXT, "pairs")
    if not text.strip():
        raise InputError(EMPTY, "pairs")
    return text


def read(text: str, unit: str) -> tuple[list[Pair], dict[str, Any]]:
    """The different pairs, in their order, and what a `Report` says of them; or an InputError that says what to do."""
    lines = re.split(r"\r\n|\r|\n", readable(text).rstrip("\r\n"))
    if len(lines) == 1 and len(lines[0]) > LINE:
        raise InputError(ENDLESS.format(len(lines[0])), "pairs")
    separator = separator_of(lines)
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[str, str]] = {}
    faults: list[tuple[str, int]] = []
    for number, columns, fault in rows(lines, separator):
        if not fault:
            source, target = (tokens(column, unit) for column in columns)
            fault = judged(source, target, unit)
            if not fault and (source, target) in found:
                fault = "twice"
            if not fault and len(found) == PAIRS:
                fault = "over"
            if not fault:
                found[source, target] = (columns[0], columns[1])
        if fault:
            faults.append((fault, number))
    skipped = counted(faults)
    enough(len(found), len(lines), skipped)
    pairs = [Pair(source, target) for source, target in found]
    left = side([pair.source for pair in pairs], "left", unit)
    right = side([pair.target for pair in pairs], "right", unit)
    many = Counter(pair.source for pair in pairs)
    return pairs, {
        "lines": len(lines),
        "pairs": len(pairs),
        "unit": unit,
        "separator": SEPARATORS[separator],
        "left": left,
        "right": right,
        "torn": sum(count > 1 for count in many.values()),
        "skipped": skipped,
        "first": tuple(found.values())[:ROWS],
    }


def separator_of(lines: list[str]) -> str:
    """A tab where most lines have one; else what parts most lines in two."""
    some = [line for line in lines if line.strip()][:200]
    if 2 * sum("\t" in line for line in some) >= len(some):
        return "\t"
    in_two = {mark: sum(len(split(line[:LINE], mark) or ()) == 2 for line in some) for mark in (",", ";")}
    best = max(in_two, key=lambda mark: in_two[mark])
    if not in_two[best] and any("\t" in line for line in some):
        return "\t"
    if not any(mark in line for line in some for mark in SEPARATORS):
        raise InputError(ONE_COLUMN, "pairs")
    return best


def split(line: str, separator: str) -> list[str] | None:
    """The columns of a line; None where its quotes are wrong. In tabbed text a quote is a quote."""
    if separator == "\t":
        return line.split("\t")
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        return None


def rows(lines: list[str], separator: str) -> Iterator[Line]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            yield Line(number, [], "blank")
            continue
        if len(line) > LINE:
            yield Line(number, [], "long")
            continue
        columns = split(line, separator)
        if columns is None:
            yield Line(number, [], "quotes")
        elif len(columns) < 2:
            yield Line(number, [], "one")
        elif len(columns) > 2 and separator != "\t":
            yield Line(number, [], "more")
        else:  # what stands behind a second tab is a note of whoever made the file
            yield Line(number, [column.strip() for column in columns[:2]])


NOTHING, SPACE = Vocabulary.of(()), Vocabulary.of((" ",))


def tokens(text: str, unit: str) -> tuple[str, ...]:
    return tuple(split_words(text, NOTHING) if unit == "words" else split_characters(text, SPACE))


def judged(source: tuple[str, ...], target: tuple[str, ...], unit: str) -> str:
    if not source or not target:
        return "side"
    return "long" if max(len(source), len(target)) > LONGEST[unit] else ""


def counted(faults: list[tuple[str, int]]) -> tuple[Skipped, ...]:
    """By reason, the most frequent first."""
    first = dict(reversed(faults))
    return tuple(
        Skipped(REASONS[fault][0], count, first[fault], REASONS[fault][1])
        for fault, count in Counter(fault for fault, _ in faults).most_common()
    )


def enough(pairs: int, lines: int, skipped: tuple[Skipped, ...]) -> None:
    if pairs >= LEAST:
        return
    whys = {each.why: each for each in skipped if each.why != REASONS["blank"][0]}
    if pairs == 1 and [*whys] == [REASONS["twice"][0]]:
        raise InputError(ONE_PAIR.format(lines, LEAST), "pairs")
    if not pairs and [*whys] == [REASONS["one"][0]]:
        raise InputError(ONE_COLUMN, "pairs")
    said = FEW.format(pairs, f"{lines:,} lines" if lines > 1 else "1 line", LEAST)
    if whys:
        worst = next(iter(whys.values()))
        said += f" Most often the reason is: {worst.why} (line {worst.line:,}). {worst.do}"
    raise InputError(said, "pairs")


def side(texts: list[tuple[str, ...]], name: str, unit: str) -> Side:
    known = len({token for text in texts for token in text})
    if known > KNOWN:
        sentence = MANY_WORDS if unit == "words" else MANY_CHARACTERS
        raise InputError(sentence.format(name, known, unit, KNOWN), "pairs")
    lengths = [len(text) for text in texts]
    return Side(known, min(lengths), median_low(lengths), max(lengths))
