"""Metrics of one kind of model on unseen sentences, for each seed, read from the cards."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from lessons.kit.checkpoints import load_card
from models.recipes import seeds_of


@dataclass(frozen=True)
class SeedMetrics:
    name: str
    steps: int  # training steps
    parameters: int  # parameters of the whole model
    aer: tuple[float, ...]  # (seeds)
    exact: tuple[float, ...]  # (seeds) exact match
    by_length: np.ndarray  # (seeds, buckets) exact match


@cache
def read_metrics(name: str, model: str) -> SeedMetrics:
    """Read the metrics of a model (e.g. `translation-additive-64`); `name` is its name on the page."""
    cards = [load_card(seed) for seed in seeds_of(model)]
    natural = [card.metrics["natural"] for card in cards]
    return SeedMetrics(
        name=name,
        steps=cards[0].recipe["steps"],
        parameters=cards[0].parameters,
        aer=tuple(metrics["aer"] for metrics in natural),
        exact=tuple(metrics["exact_match"] for metrics in natural),
        by_length=np.array([[row["exact_match"] for row in card.metrics["by_length"]] for card in cards]),
    )


def last_trained_bucket(lengths: np.ndarray, longest_trained: int) -> int:
    """Index of the last bucket whose sentences are no longer than those seen in training.

    `lengths` (buckets, 2): shortest and longest length of each bucket.
    """
    return int(np.flatnonzero(lengths[:, 1] <= longest_trained)[-1])
