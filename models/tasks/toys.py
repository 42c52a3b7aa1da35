"""Four small tasks over characters: reversal, copy, addition, dates (lessons `bottleneck` and `training`)."""

import random
import re
from dataclasses import replace
from datetime import date, timedelta
from string import Formatter, ascii_lowercase, digits

from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary, normalise, strip_accents

LETTERS = Vocabulary.of(ascii_lowercase)
MAX_TYPED = 40  # maximum number of typed characters


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


def keep_letters(text: str) -> str:
    """The letters a to z of a text, without accents."""
    return "".join(re.findall("[a-z]", strip_accents(normalise(text))))


REVERSAL = Task(
    "reversal",
    LETTERS,
    LETTERS,
    draw_reversal,
    unit="character",
    lengths=range(1, MAX_TYPED + 1),
    answer=reverse,
    nearest=keep_letters,
)
COPY = replace(REVERSAL, name="copy", draw=draw_copy, answer=tuple)


# ---- addition: 27+58 → 85 ----


def draw_sum(rng: random.Random, lengths: range) -> Pair:
    """Draw a sum whose length lies in `lengths`; an operand has at most three digits."""
    most = min(3, lengths[-1] // 2)
    sizes = [(a, b) for a in range(1, most + 1) for b in range(1, most + 1) if a + 1 + b in lengths]
    if not sizes:
        raise ValueError(f"no sum has a length in {lengths}")
    # draw the size first, so that all sizes are equally likely
    a, b = (_number(rng, count) for count in rng.choice(sizes))
    # No gold alignment: because of the carry, a digit of the sum depends on every column to its right.
    source = tuple(f"{a}+{b}")
    return Pair(source, tuple(str(int(a) + int(b))))


def add_numbers(source: tuple[str, ...]) -> tuple[str, ...] | None:
    """The digits of the sum; None if the text is not a sum."""
    numbers = "".join(source).split("+")
    is_sum = len(numbers) > 1 and all(number.isdecimal() for number in numbers)
    return tuple(str(sum(map(int, numbers)))) if is_sum else None


def _number(rng: random.Random, count: int) -> int:
    """Draw a number with exactly `count` digits."""
    return rng.randrange(10 ** (count - 1) if count > 1 else 0, 10**count)


def clean_sum(text: str) -> str:
    return normalise(text).replace(" ", "")


def describe_unseen_sum(source: tuple[str, ...]) -> str:
    """Describe how a sum differs from all training sums; empty if it does not."""
    numbers = "".join(source).split("+")
    if len(numbers) != 2 or not all(numbers):
        return "Never trained on this: the model learned sums of two numbers, such as 27+58."
    if any(len(number) > 3 for number in numbers):
        return "Never trained on this: the model learned numbers from 0 to 999."
    if any(number != str(int(number)) for number in numbers):
        return "Never trained on leading zeros."
    return ""


def nearest_sum(text: str) -> str:
    """Join the numbers of a text by plus signs: 7*8 becomes 7+8. Empty if it has fewer than two numbers."""
    numbers = re.findall("[0-9]+", normalise(text))
    return "+".join(numbers) if len(numbers) > 1 else ""


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
    max_typed=MAX_TYPED,
    unseen=describe_unseen_sum,
    nearest=nearest_sum,
    course={
        Pair(tuple(sum_), tuple(str(a + b))): 30
        for a in range(10)
        for b in range(10)
        for sum_ in [f"{a}+{b}"]
    },
)


# ---- dates: the 3rd of march 1992 → 1992-03-03 ----

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
    # all letters of the month's name, because no single one identifies it
    links += [(t, i) for t in (5, 6) for i in name]
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


def parse_date(text: str) -> date | None:
    """Parse a date whose month is a word; None if there is no such day."""
    words = re.findall(r"[a-z]+", text)
    months = [k for k, name in enumerate(MONTHS, start=1) if name in words or name[:3] in words]
    year = re.search(r"(?<![0-9])([0-9]{4})(?![0-9])|'([0-9]{2})(?![0-9])", text)
    number = re.search(r"(?<![0-9'])([0-9]{1,2})(?![0-9])", text)
    if len(months) != 1 or not year or not number:
        return None
    return existing_day(
        int(year[1]) if year[1] else 1950 + (int(year[2]) - 50) % 100, months[0], int(number[1])
    )


def existing_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def iso_date(source: tuple[str, ...]) -> tuple[str, ...] | None:
    day = parse_date("".join(source))
    return tuple(day.isoformat()) if day else None


def describe_unseen_date(source: tuple[str, ...]) -> str:
    """Describe how a date differs from all training dates; empty if it does not."""
    text = "".join(source)
    day = parse_date(text)
    if day is None:
        return "Never trained on this: the model learned dates that exist, with the month as a word."
    if not FIRST <= day <= LAST:
        return f"Never trained on this: the model learned the years {FIRST.year} to {LAST.year}."
    if text not in written_forms(day):
        return f"Never trained on a date written like this, but on such as “{written_forms(day)[0]}”."
    return ""


def written_forms(day: date) -> list[str]:
    return list(dict.fromkeys(write_date(day, form)[0] for form in FORMATS))


NUMERIC_DATE = re.compile(r"([0-9]{1,4})[/.-]([0-9]{1,2})[/.-]([0-9]{1,4})")


def nearest_date(text: str) -> str:
    """Write a numeric date with its month as a word, day before month unless only the other order exists.

    31/12/1999 becomes 31 december 1999. In any other text, leave out the characters that DATES does not know.
    """
    text = normalise(text)
    if found := NUMERIC_DATE.search(text):
        first, second, third = map(int, found.groups())
        if len(found[1]) > 2:
            first, third = third, first
        year = third if third > 99 else 1950 + (third - 50) % 100
        if day := existing_day(year, second, first) or existing_day(year, first, second):
            return write_date(day, FORMATS[0])[0]
    return " ".join("".join(c if c in DATES.source else " " for c in text).split())


DATES = Task(
    "dates",
    Vocabulary.of("".join(MONTHS + WEEKDAYS) + digits + " ,'" + "the of st nd rd th"),
    Vocabulary.of(digits + "-"),
    draw_date,
    unit="character",
    lengths=range(9, 30),
    clean=normalise,
    answer=iso_date,
    max_typed=MAX_TYPED,
    unseen=describe_unseen_date,
    nearest=nearest_date,
)
