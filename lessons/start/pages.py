"""The map of the course, the table of notations and the glossary, as HTML. Styled by assets/css/start.css."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from lessons.kit.contract import Lesson, lesson_numbers
from lessons.kit.glossary import anchor, used
from lessons.kit.pictures.pictogram import pictogram
from lessons.kit.templates import render
from lessons.start import compute
from lessons.start.words import (
    EVERYDAY,
    EXAMPLES,
    FIGURES,
    GLOSSARY,
    PARTS,
    ROLES,
    ROSETTA,
    TIMELINE,
    Example,
)
from models.zoo import CheckpointError

log = logging.getLogger("seq2see")
Answer = Callable[
    [str, str], tuple[Sequence[str], Sequence[str]]
]  # (model, text) → tokens read, tokens written


# ---- the map ----


class Stop(NamedTuple):
    """A lesson, as the road shows it."""

    number: int
    lesson: Lesson
    pictogram: Markup
    todo: int


@dataclass(frozen=True)
class Shown:
    """An example with its tokens; a fault in place of them if its model cannot be read."""

    example: Example
    source: Sequence[str] = ()
    target: Sequence[str] = ()
    fault: str = ""


def map_page(lessons: Sequence[Lesson], todo: Mapping[str, int], answer: Answer = compute.answer) -> Markup:
    """The road, what was before it, its history, its uses. `todo`: how many things there are to do in each lesson."""
    return render(
        "start/templates/map.html",
        stops=[
            Stop(number, lesson, Markup(pictogram(lesson.pictogram)), todo[lesson.slug])
            for lesson, number in zip(lessons, lesson_numbers(lessons).values(), strict=True)
        ],
        numbers=lesson_numbers(lessons),
        parts=PARTS,
        figures=FIGURES,
        timeline=TIMELINE,
        examples=[shown(example, answer) for example in EXAMPLES],
    )


def shown(example: Example, answer: Answer) -> Shown:
    if not example.model:
        return Shown(example, example.source.split(), example.target.split())
    try:
        return Shown(example, *answer(example.model, example.source))
    except Exception as error:  # a defect of one model costs its own example only
        log.exception("the map’s example %s", example.task)
        return Shown(
            example,
            fault=str(error) if isinstance(error, CheckpointError) else "This one cannot be shown just now.",
        )


# ---- reachable from every lesson ----


def glossary(lessons: Sequence[Lesson]) -> Markup:
    """The words of these lessons, from A to Z, each with the lesson where it is taught."""
    known = in_use(lessons)
    return render(
        "start/templates/glossary.html",
        terms=[
            (term, anchor(term), slug, formulas(said))
            for term, (slug, said) in GLOSSARY.items()
            if term in known
        ],
        numbers=lesson_numbers(lessons),
    )


def in_use(lessons: Sequence[Lesson]) -> set[str]:
    """The terms that these lessons teach, or say."""
    taught = {term for term, (slug, _) in GLOSSARY.items() if slug in lesson_numbers(lessons)}
    texts = (lesson.folder / "text.md" for lesson in lessons)
    return taught.union(*(used(text.read_text(encoding="utf-8"), tuple(GLOSSARY)) for text in texts))


def terms(lessons: Sequence[Lesson], here: Lesson) -> tuple[str, ...]:
    """What a lesson may link. A word of every day means the term only from the lesson on that teaches it."""
    place = lesson_numbers(lessons)
    early = {term for term in EVERYDAY if place.get(GLOSSARY[term][0], len(place) + 1) > place[here.slug]}
    return tuple(sorted(in_use(lessons) - early))


def rosetta() -> Markup:
    """How this course writes it, and how others do."""
    return render("start/templates/rosetta.html", rows=[[formulas(cell) for cell in row] for row in ROSETTA])


# ---- mathematics in running text: `code marks`, _ and ^ for indices ----

ROLE_OF = {symbol: role for role, symbols in ROLES.items() for symbol in symbols}
INDEX = r"_(?:\{[^}]+\}|[0-9A-Za-z]+′?)"  # _ti, _T′, _{t−1}
SYMBOL = re.compile(rf"(?<!\w)([{''.join(ROLE_OF)}](?:{INDEX})?)(?![A-Za-z_])")

Marked = tuple[str, str]  # "", "sub" or "sup", and the words
Run = tuple[str, list[Marked]]  # the role of a symbol, or ""
Piece = str | list[Run]  # plain words, or a formula


def formulas(text: str) -> list[Piece]:
    return [formula(part) if k % 2 else part for k, part in enumerate(text.split("`"))]


def formula(text: str) -> list[Run]:
    """Symbols with their role, which is their colour, and what stands between them."""
    return [
        (ROLE_OF[part[0]] if k % 2 else "", indices(part))
        for k, part in enumerate(SYMBOL.split(text))
        if part
    ]


def indices(text: str) -> list[Marked]:
    tags = {"_": "sub", "^": "sup"}
    parts = re.split(rf"({INDEX}|\^\w)", text)
    return [
        (tags[part[0]], part.strip("_^{}")) if k % 2 else ("", part) for k, part in enumerate(parts) if part
    ]
