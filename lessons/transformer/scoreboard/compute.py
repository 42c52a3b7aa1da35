"""Results of every translation model of the course, on the test set of its task.

Accuracy, AER, parameters and training time come from the models' cards, copied names from
assets/copying.json (`python -m models.copying`), time per sentence from assets/scoreboard.json
(`python -m models.scoreboard`).
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

import models.scoreboard
from lessons.kit.contract import Result, lesson_numbers
from lessons.kit.notices import add_notice
from models import export_script
from models.copying import load_copying
from models.recipes import FAMILIES
from models.zoo import Card

LESSON_OF_MODEL = {  # recipe family or prefix of a model's name → lesson that shows it
    "bottleneck": "bottleneck",
    "cells": "bottleneck",
    "wirings": "bottleneck",
    "translation-oneway": "attention",  # belongs to a family of lesson `bottleneck`, but has attention
    "translation-additive": "attention",
    "translation-before": "attention",
    "translation-uniform": "attention",
    "scores": "scores",
    "translation-between": "qkv",
    "transformers": "transformer",
    "everyday-additive": "attention",
    "everyday-before": "attention",
    "everyday-oneway": "attention",
    "everyday-none": "bottleneck",
    "everyday-transformer": "transformer",
    "everyday": "scores",  # the remaining everyday models differ in their score
    "pronounce": "bottleneck",
}
SMALL_WORLD, EVERYDAY, PRONUNCIATION = "small world", "everyday English", "pronunciation"
TASKS = {SMALL_WORLD: "translation", EVERYDAY: "everyday", PRONUNCIATION: "pronounce"}  # option → task
MODEL_LABELS = {
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
    "names copied",
    "phoneme errors",
    "parameters",
    "steps",
    "training seconds",
    "ms per sentence",
)
LOWER_IS_BETTER = ("AER", "phoneme errors", "parameters", "steps", "training seconds", "ms per sentence")
SATURATED_EXACT_MATCH = 0.95  # above this value, too few errors are left to separate models


@dataclass(frozen=True)
class Row:
    """One model. Exact match is listed per seed; other figures are means over seeds."""

    model: str  # name of the model, as in the names of its checkpoints
    name: str  # name of the model on the page
    lesson: str  # slug of the lesson that teaches it
    steps: int  # training steps
    exact_by_seed: tuple[float, ...]  # exact match on sentences of the trained lengths
    lengths_by_seed: tuple[tuple[float, ...], ...]  # (seeds, lengths) exact match by source length
    attends: bool  # whether it has recurrent encoder and decoder with learned attention weights
    aer: float | None
    copied: float | None  # fraction of sentences with a hidden name in which the name is copied
    correct: float | None  # fraction of the sentences with a hidden name that are entirely right
    errors_by_seed: tuple[float, ...]  # phoneme error rate; empty for translation
    parameters: int
    seconds: float
    ms: float
    exportable: bool  # whether the model can be downloaded

    @property
    def seeds(self) -> int:
        return len(self.exact_by_seed)

    @property
    def exact(self) -> float:
        return float(np.mean(self.exact_by_seed))

    @property
    def by_length(self) -> tuple[float, ...]:
        return tuple(np.mean(self.lengths_by_seed, axis=0).tolist())

    @property
    def errors(self) -> float | None:
        return float(np.mean(self.errors_by_seed)) if self.errors_by_seed else None

    def at_length(self, group: int) -> tuple[float, ...]:
        """Exact match of every seed for one group of lengths."""
        return tuple(seed[group] for seed in self.lengths_by_seed)

    @property
    def file(self) -> str:
        """The checkpoint offered for download: that of the first seed."""
        return f"{self.model}-s0"


@dataclass(frozen=True)
class Download:
    """A shipped model without a row, because it has another task or another seed."""

    file: str
    kind: str
    task: str
    parameters: int


@dataclass(frozen=True)
class Scoreboard(Result):
    task: str  # a key of TASKS
    sort: str
    rows: tuple[Row, ...]  # sorted by the chosen column
    lessons: dict[str, int]  # slug → lesson number
    lengths: tuple[str, ...]  # length groups: 3–8, 9–12, …
    trained: tuple[int, int]  # shortest and longest length in training
    sentences: int  # number of test sentences of the trained lengths
    hidden_names: int  # number of sentences in which a name was hidden
    measured: dict[str, Any]  # date, cores and sentences used to measure ms per sentence
    others: tuple[Download, ...]

    def value(self, row: Row, column: str) -> float | None:
        return {
            "lesson": self.lessons[row.lesson],
            "exact match": row.exact,
            "beyond training": row.by_length[self.beyond] if self.beyond else None,
            "AER": row.aer,
            "names copied": row.copied,
            "phoneme errors": row.errors,
            "parameters": row.parameters,
            "steps": row.steps,
            "training seconds": row.seconds,
            "ms per sentence": row.ms,
        }[column]

    @property
    def saturated(self) -> tuple[Row, ...]:
        """Models whose exact match is so high that it hardly separates them."""
        return tuple(row for row in self.rows if row.exact >= SATURATED_EXACT_MATCH)

    @property
    def beyond(self) -> int:
        """Index of the first group of lengths beyond those in training; 0 if there is none."""
        starts = [int(name.split("–")[0]) for name in self.lengths]
        return next((n for n, start in enumerate(starts) if start > self.trained[1]), 0)


def model_label(model: str) -> str:
    """Readable name of a model: `translation-dot-64` → dot, 64. Only the small world has several k."""
    task, _, name = model.partition("-")
    if task != "translation":
        name = name.replace("none", "one-vector")
    kind, _, number = name.rpartition("-")
    words = MODEL_LABELS.get(kind, kind.replace("-", " "))
    return MODEL_LABELS.get(name) or (f"{words} {number}" if words.endswith("=") else f"{words}, {number}")


def find_lesson(family: str, model: str) -> str | None:
    by_name = (lesson for prefix, lesson in LESSON_OF_MODEL.items() if model.startswith(prefix))
    return next(by_name, LESSON_OF_MODEL.get(family))


def numbers_by_lesson() -> dict[str, int]:
    """Number of each lesson, by slug, in course order."""
    from lessons import LESSONS  # imported late to avoid an import cycle

    return lesson_numbers(LESSONS)


@lru_cache(maxsize=len(TASKS))
def load_rows(task: str = "translation") -> tuple[tuple[Row, ...], Mapping[str, Any]]:
    """One row per model of the task that a lesson shows, in course order; and the metrics of one card."""
    cards: dict[tuple[str, str], list[Card]] = defaultdict(list)
    times, order = models.scoreboard.load_scoreboard()["ms"], numbers_by_lesson()
    for family in FAMILIES:
        for recipe in family():
            model = recipe.name.rpartition("-s")[0]
            lesson = find_lesson(family.__name__, model)
            if lesson in order and recipe.task == task and models.scoreboard.is_translator(recipe):
                card, seeds = Card.read(recipe.name), cards[model, lesson]
                # average only seeds with equally many training steps
                if not seeds or seeds[0].recipe["steps"] == card.recipe["steps"]:
                    seeds.append(card)
    exportable = export_script.exportable_names()
    rows = [
        build_row(
            model,
            lesson,
            seeds,
            [times[card.name] for card in seeds if card.name in times],
            seeds[0].name in exportable,
        )
        for (model, lesson), seeds in cards.items()
    ]
    return tuple(sorted(rows, key=lambda row: order[row.lesson])), next(iter(cards.values()))[0].metrics


@lru_cache(maxsize=len(TASKS))
def other_downloads(task: str) -> tuple[Download, ...]:
    """All downloadable models without a row on the board of this task."""
    shown = {row.file for row in load_rows(task)[0]}
    cards = map(Card.read, export_script.exportable_names())
    return tuple(
        Download(card.name, card.kind, card.task, card.parameters) for card in cards if card.name not in shown
    )


def build_row(model: str, lesson: str, cards: list[Card], ms: list[float], exportable: bool) -> Row:
    natural, config = [card.metrics["natural"] for card in cards], cards[0].config
    is_recurrent = (config.get("encoder"), config.get("context")) == ("recurrent", "attention")
    return Row(
        model=model,
        name=model_label(model),
        lesson=lesson,
        steps=cards[0].recipe["steps"],
        exact_by_seed=tuple(figures["exact_match"] for figures in natural),
        lengths_by_seed=tuple(
            tuple(bucket["exact_match"] for bucket in card.metrics["by_length"]) for card in cards
        ),
        attends=is_recurrent and config["score"] != "uniform",
        aer=float(np.mean([figures["aer"] for figures in natural])) if "aer" in natural[0] else None,
        copied=load_copying().get(cards[0].name, {}).get("copied"),
        correct=load_copying().get(cards[0].name, {}).get("correct"),
        errors_by_seed=tuple(figures["error_rate"] for figures in natural if "error_rate" in figures),
        parameters=cards[0].parameters,
        seconds=float(np.mean([card.seconds for card in cards])),
        ms=float(np.mean(ms)),
        exportable=exportable,
    )


def scoreboard(sort: str, task: str = SMALL_WORLD) -> Scoreboard:
    rows, figures = load_rows(TASKS[task])
    buckets = [(bucket["from"], bucket["to"]) for bucket in figures["by_length"]]
    board = Scoreboard(
        task=task,
        sort=sort,
        rows=rows,
        lessons=numbers_by_lesson(),
        lengths=tuple(f"{low}–{high}" for low, high in buckets),
        trained=tuple(figures["trained_lengths"]),
        sentences=int(figures["natural"]["count"]),
        hidden_names=next(iter(load_copying().values()))["sentences"],
        measured={key: value for key, value in models.scoreboard.load_scoreboard().items() if key != "ms"},
        others=other_downloads(TASKS[task]),
    )
    if sort == "lesson":
        return board
    if all(board.value(row, sort) is None for row in rows):
        add_notice("sort", f"No model of “{task}” has a figure for “{sort}”. The rows are sorted by lesson.")
        return replace(board, sort="lesson")
    return replace(board, rows=tuple(sorted(rows, key=lambda row: sort_key(board.value(row, sort), sort))))


def sort_key(value: float | None, column: str) -> float:
    """Sort key: best first, rows without a value last."""
    if value is None:
        return np.inf
    return value if column in LOWER_IS_BETTER else -value
