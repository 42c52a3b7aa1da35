"""Every translation model of the course on one test set. Accuracy, AER, parameters and training time stand on the models'
cards, time per sentence in assets/scoreboard.json (`python -m models.scoreboard`); nothing is typed in."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lessons.kit.contract import Result, lesson_numbers
from models import export_script
from models import scoreboard as measured
from models.recipes import FAMILIES
from models.zoo import Card

TAUGHT = {  # a family of recipes, or the beginning of a model's name → the lesson that shows it
    "bottleneck": "bottleneck",
    "cells": "bottleneck",
    "wirings": "bottleneck",
    "translation-oneway": "attention",  # trained for the bottleneck's curve, and it attends
    "translation-additive": "attention",
    "translation-before": "attention",
    "translation-uniform": "attention",
    "scores": "scores",
    "translation-between": "qkv",
    "transformers": "transformer",
}
NAMES = {
    "none": "no attention, k =",
    "none-vanilla": "no attention, vanilla",
    "none-lstm": "no attention, LSTM",
    "none-two-layers": "no attention, two layers",
    "none-four-layers": "no attention, four layers",
    "every": "context every step",
    "shared": "one RNN for both",
    "oneway": "read one way",
    "before": "query before",
    "uniform": "even weights",
    "between": "no order",
    "between-ordered": "with positions",
    "transformer": "Transformer",
}
COLUMNS = (
    "lesson",
    "exact match",
    "beyond training",
    "AER",
    "parameters",
    "steps",
    "training seconds",
    "ms per sentence",
)
SATURATED = 0.95  # exact match from which on few sentences are left to tell models apart
LOWER_IS_BETTER = ("AER", "parameters", "steps", "training seconds", "ms per sentence")


@dataclass(frozen=True)
class Row:
    """One model. Exact match of every seed; other figures are means over its seeds."""

    model: str  # as in the names of its checkpoints
    name: str  # for people
    lesson: str  # its slug
    steps: int  # of training
    exact_by_seed: tuple[float, ...]  # on sentences of the lengths trained on
    lengths_by_seed: tuple[tuple[float, ...], ...]  # (seeds, lengths) exact match by source length
    attends: bool  # a recurrent encoder and decoder with learned attention weights
    aer: float | None
    parameters: int
    seconds: float
    ms: float

    @property
    def seeds(self) -> int:
        return len(self.exact_by_seed)

    @property
    def exact(self) -> float:
        return float(np.mean(self.exact_by_seed))

    @property
    def by_length(self) -> tuple[float, ...]:
        return tuple(np.mean(self.lengths_by_seed, axis=0).tolist())

    def at_length(self, n: int) -> tuple[float, ...]:
        """Exact match of every seed on one group of lengths."""
        return tuple(seed[n] for seed in self.lengths_by_seed)

    @property
    def file(self) -> str:
        """The checkpoint to take home: its first seed."""
        return f"{self.model}-s0"


@dataclass(frozen=True)
class Other:
    """A shipped model that is not on the board, or another seed of one."""

    file: str
    kind: str
    task: str
    parameters: int


@dataclass(frozen=True)
class Board(Result):
    sort: str
    rows: tuple[Row, ...]  # in the order asked for
    lessons: dict[str, int]  # slug → its number
    lengths: tuple[str, ...]  # 3–8, 9–12, …
    trained: tuple[int, int]  # the lengths trained on
    sentences: int  # of the lengths trained on
    measured: dict[str, Any]  # the date, cores and sentences of ms per sentence
    others: tuple[Other, ...]  # to take home, too

    def value(self, row: Row, column: str) -> float | None:
        return {
            "lesson": self.lessons[row.lesson],
            "exact match": row.exact,
            "beyond training": row.by_length[self.beyond],
            "AER": row.aer,
            "parameters": row.parameters,
            "steps": row.steps,
            "training seconds": row.seconds,
            "ms per sentence": row.ms,
        }[column]

    @property
    def saturated(self) -> tuple[Row, ...]:
        """Models that get nearly every sentence of the lengths trained on: exact match hardly tells them apart."""
        return tuple(row for row in self.rows if row.exact >= SATURATED)

    @property
    def beyond(self) -> int:
        """The first of the lengths that are longer than anything in training."""
        return next(n for n, name in enumerate(self.lengths) if int(name.split("–")[0]) > self.trained[1])


def name_of(model: str) -> str:
    """`translation-dot-64` in words: dot, 64. `translation-none-64`: no attention, k = 64."""
    name = model.removeprefix("translation-")
    kind, _, number = name.rpartition("-")
    words = NAMES.get(kind, kind.replace("-", " "))
    return NAMES.get(name) or (f"{words} {number}" if words.endswith("=") else f"{words}, {number}")


def lesson_of(family: str, model: str) -> str | None:
    return next((lesson for name, lesson in TAUGHT.items() if model.startswith(name)), TAUGHT.get(family))


def numbers_of_lessons() -> dict[str, int]:
    """By slug, in the order of the course."""
    from lessons import LESSONS  # late: this lesson is one of them

    return lesson_numbers(LESSONS)


@lru_cache(maxsize=1)
def table() -> tuple[tuple[Row, ...], Mapping[str, Any]]:
    """A row for every model that a lesson of the course shows, in the order of the lessons; and one card's figures, for what
    all have in common."""
    cards: dict[tuple[str, str], list[Card]] = defaultdict(list)
    times, order = measured.read()["ms"], numbers_of_lessons()
    for family in FAMILIES:
        for recipe in family():
            model = recipe.name.rpartition("-s")[0]
            if measured.translates(recipe) and (lesson := lesson_of(family.__name__, model)) in order:
                card, others = Card.read(recipe.name), cards[model, lesson]
                if (
                    not others or others[0].recipe["steps"] == card.recipe["steps"]
                ):  # a seed that was trained less is no mean
                    others.append(card)
    rows = [
        row(model, lesson, of, [times[card.name] for card in of if card.name in times])
        for (model, lesson), of in cards.items()
    ]
    return tuple(sorted(rows, key=lambda one: order[one.lesson])), next(iter(cards.values()))[0].metrics


@lru_cache(maxsize=1)
def others() -> tuple[Other, ...]:
    shown, cards = {one.file for one in table()[0]}, map(Card.read, export_script.offered())
    return tuple(
        Other(card.name, card.kind, card.task, card.parameters) for card in cards if card.name not in shown
    )


def row(model: str, lesson: str, cards: list[Card], ms: list[float]) -> Row:
    natural, config = [card.metrics["natural"] for card in cards], cards[0].config
    return Row(
        model=model,
        name=name_of(model),
        lesson=lesson,
        steps=cards[0].recipe["steps"],
        exact_by_seed=tuple(figures["exact_match"] for figures in natural),
        lengths_by_seed=tuple(
            tuple(bucket["exact_match"] for bucket in card.metrics["by_length"]) for card in cards
        ),
        attends=(config.get("encoder"), config.get("context")) == ("recurrent", "attention")
        and config["score"] != "uniform",
        aer=float(np.mean([figures["aer"] for figures in natural])) if "aer" in natural[0] else None,
        parameters=cards[0].parameters,
        seconds=float(np.mean([card.seconds for card in cards])),
        ms=float(np.mean(ms)),
    )


def scoreboard(sort: str) -> Board:
    rows, figures = table()
    buckets = [(bucket["from"], bucket["to"]) for bucket in figures["by_length"]]
    board = Board(
        sort=sort,
        rows=rows,
        lessons=numbers_of_lessons(),
        lengths=tuple(f"{low}–{high}" for low, high in buckets),
        trained=tuple(figures["trained_lengths"]),
        sentences=int(figures["natural"]["count"]),
        measured={key: value for key, value in measured.read().items() if key != "ms"},
        others=others(),
    )
    if sort != "lesson":
        board = Board(
            **vars(board) | {"rows": tuple(sorted(rows, key=lambda one: place(board.value(one, sort), sort)))}
        )
    return board


def place(value: Any, column: str) -> float:
    """Best first; what has no figure last."""
    if value is None:
        return np.inf
    return value if column in LOWER_IS_BETTER else -value
