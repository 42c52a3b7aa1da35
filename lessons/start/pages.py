"""Render the map of the course, the table of notations and the glossary (styled by assets/css/start.css)."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from lessons.kit.contract import Lesson, lesson_numbers
from lessons.kit.glossary import find_terms, term_anchor
from lessons.kit.pictures.pictogram import pictogram
from lessons.kit.templates import render
from lessons.start import compute
from lessons.start.words import (
    AMBIGUOUS,
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
# (model, text) → (tokens read, tokens written)
Answer = Callable[[str, str], tuple[Sequence[str], Sequence[str]]]


# ---- the map ----


class Stop(NamedTuple):
    """A lesson on the map."""

    number: int
    lesson: Lesson
    pictogram: Markup
    todo: int  # number of experiments and exercises


@dataclass(frozen=True)
class RenderedExample:
    """An example with its tokens, or with an error message if its model cannot be loaded."""

    example: Example
    source: Sequence[str] = ()
    target: Sequence[str] = ()
    fault: str = ""


def map_page(
    lessons: Sequence[Lesson], todo: Mapping[str, int], answer: Answer = compute.run_example
) -> Markup:
    """Render the map: lessons, history and uses. `todo`: number of experiments and exercises by lesson."""
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
        examples=[render_example(example, answer) for example in EXAMPLES],
    )


def render_example(example: Example, answer: Answer) -> RenderedExample:
    if not example.model:
        return RenderedExample(example, example.source.split(), example.target.split())
    try:
        return RenderedExample(example, *answer(example.model, example.source))
    except Exception as error:  # a broken model must not break the map
        log.exception("the map’s example %s", example.task)
        return RenderedExample(
            example,
            fault=str(error) if isinstance(error, CheckpointError) else "This example cannot be shown now.",
        )


# ---- glossary and notation ----


def glossary(lessons: Sequence[Lesson]) -> Markup:
    """Render the glossary of these lessons from A to Z; each term names the lesson that teaches it."""
    used = used_terms(lessons)
    return render(
        "start/templates/glossary.html",
        terms=[
            (term, term_anchor(term), slug, split_formulas(sentence))
            for term, (slug, sentence) in GLOSSARY.items()
            if term in used
        ],
        numbers=lesson_numbers(lessons),
    )


def used_terms(lessons: Sequence[Lesson]) -> set[str]:
    """The terms that these lessons teach or mention."""
    taught = {term for term, (slug, _) in GLOSSARY.items() if slug in lesson_numbers(lessons)}
    return taught.union(*(terms_in_folder(lesson.folder) for lesson in lessons))


@cache
def terms_in_folder(folder: Path) -> frozenset[str]:
    """The terms that the texts in a folder mention. Cached, because searching all texts takes 0.2 seconds."""
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("text.md"))
    return frozenset[str]().union(*(find_terms(text, tuple(GLOSSARY)) for text in texts))


def terms(lessons: Sequence[Lesson], here: Lesson) -> tuple[str, ...]:
    """The terms that a lesson links to the glossary.

    Everyday words are linked from the lesson that teaches them onwards, ambiguous words only in this lesson.
    """
    numbers = lesson_numbers(lessons)
    later = {
        term for term in EVERYDAY if numbers.get(GLOSSARY[term][0], len(numbers) + 1) > numbers[here.slug]
    }
    elsewhere = {term for term in AMBIGUOUS if GLOSSARY[term][0] != here.slug}
    return tuple(sorted(used_terms(lessons) - later - elsewhere))


def rosetta() -> Markup:
    """Render the table that compares this course's notation with others."""
    return render(
        "start/templates/rosetta.html", rows=[[split_formulas(cell) for cell in row] for row in ROSETTA]
    )


# ---- mathematics in running text: `code marks`, _ and ^ for indices ----

ROLE_OF = {symbol: role for role, symbols in ROLES.items() for symbol in symbols}
INDEX = r"_(?:\{[^}]+\}|[0-9A-Za-z]+′?)"  # matches _ti, _T′ and _{t−1}
SYMBOL = re.compile(rf"(?<!\w)([{''.join(ROLE_OF)}](?:{INDEX})?)(?![A-Za-z_])")

Marked = tuple[str, str]  # ("", "sub" or "sup"; the text)
Run = tuple[str, list[Marked]]  # (the role of a symbol or "", its text)
Piece = str | list[Run]  # plain text, or a formula


def split_formulas(text: str) -> list[Piece]:
    return [color_symbols(part) if k % 2 else part for k, part in enumerate(text.split("`"))]


def color_symbols(text: str) -> list[Run]:
    """Split a formula into symbols with their roles (colours) and the text between them."""
    return [
        (ROLE_OF[part[0]] if k % 2 else "", split_indices(part))
        for k, part in enumerate(SYMBOL.split(text))
        if part
    ]


def split_indices(text: str) -> list[Marked]:
    tags = {"_": "sub", "^": "sup"}
    parts = re.split(rf"({INDEX}|\^\w)", text)
    return [
        (tags[part[0]], part.strip("_^{}")) if k % 2 else ("", part) for k, part in enumerate(parts) if part
    ]
