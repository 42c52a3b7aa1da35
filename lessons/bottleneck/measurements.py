"""Measurements read from the models' cards: by source length, over seeds, and during training."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lessons.bottleneck.translator import SMALL_TRANSLATOR
from lessons.kit.checkpoints import figures_at, load_card

MEASURES = {"exact match": "exact_match", "token accuracy": "token_accuracy"}  # option → key on the card
MAX_PLATEAU_GAIN = 1.02  # a validation loss within 2% of its minimum counts as flat


# ---- source lengths ----


def length_buckets() -> tuple[tuple[int, int], ...]:
    """The shortest and the longest source sentence of each bucket, in words."""
    return tuple((row["from"], row["to"]) for row in load_card(SMALL_TRANSLATOR).metrics["by_length"])


def bucket_middles() -> np.ndarray:
    """(buckets,) the middle length of each bucket."""
    return np.array(length_buckets()).mean(1)


def longest_trained_bucket(buckets: Sequence[tuple[int, int]], trained: tuple[int, int]) -> int:
    """Index of the bucket with the longest sentences seen in training."""
    return next(n for n, (_, high) in enumerate(buckets) if high == trained[1])


# ---- over seeds ----


@dataclass(frozen=True)
class Band:
    """A measurement over seeds; NaN where no seed was measured."""

    mean: np.ndarray  # (n,)
    low: np.ndarray  # (n,)
    high: np.ndarray  # (n,)
    seeds: np.ndarray  # (n,) how many seeds were measured


def band_over_seeds(lines: Iterable[Sequence[float] | np.ndarray]) -> Band:
    """Combine one row of values per seed; NaN marks values that were not measured."""
    values = np.stack([np.asarray(line, dtype=float) for line in lines])  # (seeds, n)
    missing = np.isnan(values)
    counts = (~missing).sum(0)
    mean = np.where(missing, 0, values).sum(0) / np.where(counts, counts, np.nan)
    low, high = np.where(missing, np.inf, values).min(0), np.where(missing, -np.inf, values).max(0)
    return Band(mean, np.where(counts, low, np.nan), np.where(counts, high, np.nan), counts)


def band_by_length(models: Iterable[str], measure: str, steps: int) -> Band:
    """(buckets,) a measurement by source length, over seeds, after this number of training steps."""
    return band_over_seeds(
        [row[measure] for row in figures_at(model, steps)["by_length"]] for model in models
    )


def natural_scores(models: Iterable[str], measure: str, steps: int | None = None) -> np.ndarray:
    """(seeds,) a measurement on test sentences of natural length."""
    return np.array([figures_at(model, steps)["natural"][measure] for model in models])


def clear_winner(scores: Mapping[str, np.ndarray]) -> str | None:
    """The name whose seeds all score higher than every other seed, if any. `scores`: name → (seeds,).

    None if seeds overlap, or if there is only one seed each, so that chance cannot be ruled out.
    """
    first, *others = sorted(scores, key=lambda name: -scores[name].mean())
    is_ahead = all(scores[first].min() > scores[other].max() for other in others)
    return first if is_ahead and any(len(values) > 1 for values in scores.values()) else None


# ---- during training ----


@dataclass(frozen=True)
class LearningCurve:
    """The losses of one training run."""

    steps: np.ndarray  # (evaluations,)
    loss: np.ndarray  # (evaluations,) nats per word, mean since the previous evaluation
    validation: np.ndarray  # (evaluations,) nats per word, on validation sentences

    @property
    def plateau_start(self) -> int:
        """The first step after which the validation loss falls by no more than 2%."""
        best = np.minimum.accumulate(self.validation)
        return int(self.steps[np.flatnonzero(best <= MAX_PLATEAU_GAIN * best[-1])[0]])


def read_learning_curve(model: str) -> LearningCurve:
    rows = load_card(model).metrics["learning"]
    return LearningCurve(*(np.array([row[key] for row in rows]) for key in ("step", "loss", "validation")))
