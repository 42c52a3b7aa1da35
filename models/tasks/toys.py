"""Four small tasks over characters: reversal, copy, addition, dates (lessons `bottleneck` and `training`)."""

import random
import re
from datetime import date, timedelta
from string import Formatter, ascii_lowercase, digits

from models.tasks.task import Pair, Task
from models.vocabulary import InputError, Vocabulary, normalise

LETTERS = Vocabulary.of(ascii_lowercase)


# Reversal and copy: the model only has to learn which position to attend to, so the gold alignment is exact.


def _letters(rng: random.Random, lengths: range) -> tuple[str, ...]:
    """Draw random letters. Every length is equally likely, so that long words do not dominate."""
    return tuple(rng.choices(ascii_lowercase, k=rng.choice(lengths)))


def draw_reversal(rng: random.Random, lengths: range) -> Pair:
    source = _letters(rng, lengths)
    last = len(source) - 1
    return Pair(source, reverse(source), frozenset((t, last - t) for t in range(len(source))))


def reverse(source: tuple[str, ...]) -> tuple[str, ...]:
    return source[::-1]


def draw_copy(rng: random.Random, lengths: range) -> Pair:
    source = _letters(rng, lengths)
    return Pair(source, source, frozenset((t, t) for t in range(len(source))))


REVERSAL = Task(
    "reversal", LETTERS, LETTERS, draw_reversal, unit="character", lengths=range(1, 41), answer=reverse
)
COPY = Task("copy", LETTERS, LETTERS, draw_copy, unit="character", lengths=range(1, 41), answer=tuple)


# Addition: 27+58 → 85.


def draw_sum(rng: random.Random, lengths: range) -> Pair:
    """Draw a sum whose length lies in `lengths`; an operand has at most three digits."""
    most = min(3, lengths[-1] // 2)
    sizes = [(a, b) for a in range(1, most + 1) for b in range(1, most + 1) if a + 1 + b in lengths]
    if not sizes:
        raise ValueError(f"no sum has a length in {lengths}")
    a, b = (_number(rng, count) for count in rng.choice(sizes))  # all sizes equally likely
    # No gold alignment: because of the carry, a digit of the sum depends on every column to its right.
    source = tuple(f"{a}+{b}")
    return Pair(source, add_numbers(source))


def add_numbers(source: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(sum(int(number) for number in "".join(source).split("+"))))


def _number(rng: random.Random, count: int) -> int:
    """Draw a number with exactly `count` digits."""
    return rng.randrange(10 ** (count - 1) if count > 1 else 0, 10**count)


def clean_sum(text: str) -> str:
    """Remove spaces from a typed sum. Reject leading zeros, because the model never saw them."""
    text = normalise(text).replace(" ", "")
    if not re.fullmatch(r"[0-9]+\+[0-9]+", text):
        raise InputError(
            "Type a sum of two whole numbers from 0 to 999, such as 27+58. The model learned no other"
            " arithmetic."
        )
    plain = [number.lstrip("0") or "0" for number in text.split("+")]
    if any(len(number) > 3 for number in plain):
        raise InputError(
            "The model learned numbers from 0 to 999. Use at most three digits on each side of the +."
        )
    if text != "+".join(plain):
        raise InputError(f"Leave the leading zeros out: {'+'.join(plain)}.")
    return text


# There are only a hundred one-digit sums. All are in training, repeated so that they are not too rare.
ADDITION = Task(
    "addition",
    Vocabulary.of(digits + "+"),
    Vocabulary.of(digits),
    draw_sum,
    unit="character",
    lengths=range(3, 8),
    clean=clean_sum,
    answer=add_numbers,
    course={
        Pair(tuple(sum_), add_numbers(tuple(sum_))): 30
        for a in range(10)
        for b in range(10)
        for sum_ in [f"{a}+{b}"]
    },
)


# Dates: the 3rd of march 1992 → 1992-03-03.

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FIRST, LAST = date(1950, 1, 1), date(2049, 12, 31)  # a hundred years: '92 is only 1992, '07 only 2007

PARTS = {
    "weekday": lambda day: WEEKDAYS[day.weekday()],
    "day": lambda day: str(day.day),
    "ordinal": lambda day: f"{day.day}{_suffix(day.day)}",
    "month": lambda day: MONTHS[day.month - 1],
    "mon": lambda day: MONTHS[day.month - 1][:3],
    "year": lambda day: str(day.year),
    "yy": lambda day: str(day.year)[2:],
}
FORMATS = (  # the month is always a word, because 3/4/1992 is a different day in London and in New York
    "{day} {month} {year}",
    "{month} {day}, {year}",
    "the {ordinal} of {month} {year}",
    "{weekday}, {month} {day}, {year}",
    "{weekday} {day} {month} {year}",
    "{month} {ordinal}, {year}",
    "{day} {mon} {year}",
    "{mon} {day}, {year}",
    "{day} {mon} '{yy}",
)


def _suffix(day: int) -> str:
    return "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def write_date(day: date, form: str) -> tuple[str, dict[str, range]]:
    """Write a date in one of the FORMATS. Return the text and the position of each part in it."""
    text, places = "", {}
    for literal, part, _, _ in Formatter().parse(form):
        text += literal
        if part:
            written = PARTS[part](day)
            places[part] = range(len(text), len(text) + len(written))
            text += written
    return text, places


def align_date(day: date, places: dict[str, range]) -> frozenset[tuple[int, int]]:
    """Link the characters of y y y y - m m - d d (t = 0 … 9) to the source characters, hyphens to none."""
    links: list[tuple[int, int]] = []
    if "year" in places:
        links += zip(range(4), places["year"], strict=True)
    else:
        tens, ones = places["yy"]
        links += [
            (0, tens),
            (1, tens),
            (2, tens),
            (3, ones),
        ]  # '50 to '99 are 19.., '00 to '49 are 20..: the tens digit decides
    name = places["month"] if "month" in places else places["mon"]
    links += [(t, i) for t in (5, 6) for i in name]  # no single letter identifies the month
    first = (places["day"] if "day" in places else places["ordinal"])[0]
    count = len(str(day.day))
    links += [(10 - count + k, first + k) for k in range(count)]
    return frozenset(links)


def draw_date(rng: random.Random, lengths: range) -> Pair:
    if not any(length in lengths for length in range(9, 30)):
        raise ValueError(f"no written date has a length in {lengths}")
    while True:
        day = FIRST + timedelta(days=rng.randrange((LAST - FIRST).days + 1))
        text, places = write_date(day, rng.choice(FORMATS))
        if len(text) in lengths:
            return Pair(tuple(text), tuple(day.isoformat()), align_date(day, places))


def parse_date(text: str) -> date:
    """Parse a written date."""
    words = re.findall(r"[a-z]+", text)
    months = [k for k, name in enumerate(MONTHS, start=1) if name in words or name[:3] in words]
    year = re.search(r"(?<![0-9])([0-9]{4})(?![0-9])|'([0-9]{2})(?![0-9])", text)
    number = re.search(r"(?<![0-9'])([0-9]{1,2})(?![0-9])", text)
    if len(months) != 1 or not year or not number:
        raise InputError(
            "Type a date with its month as a word, such as 3 march 1992, march 3, 1992 or 3 mar '92."
        )
    full_year = int(year[1]) if year[1] else 1950 + (int(year[2]) - 50) % 100
    if not FIRST.year <= full_year <= LAST.year:
        raise InputError(f"The model learned the years {FIRST.year} to {LAST.year}. Use one of these.")
    try:
        return date(full_year, months[0], int(number[1]))
    except ValueError:
        raise InputError(
            f"There is no {number[1]} {MONTHS[months[0] - 1]} {full_year}. Use a day that exists."
        ) from None


def iso_date(source: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(parse_date("".join(source)).isoformat())


def clean_date(text: str) -> str:
    """Return a typed date if it is a real day written in one of the FORMATS."""
    text = normalise(text)
    day, words = parse_date(text), re.findall(r"[a-z]+", text)
    written = list(dict.fromkeys(write_date(day, form)[0] for form in FORMATS))
    if text in written:
        return text
    weekday = WEEKDAYS[day.weekday()]
    if any(word in WEEKDAYS for word in words) and weekday not in words:
        raise InputError(f"{written[0]} is a {weekday}. Write that, or leave the weekday out.")
    raise InputError(f"The model learned other ways to write this date. Use one of: {'; '.join(written)}.")


DATES = Task(
    "dates",
    Vocabulary.of("".join(MONTHS + WEEKDAYS) + digits + " ,'" + "the of st nd rd th"),
    Vocabulary.of(digits + "-"),
    draw_date,
    unit="character",
    lengths=range(9, 30),
    clean=clean_date,
    answer=iso_date,
)
