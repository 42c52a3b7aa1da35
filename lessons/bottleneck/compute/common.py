"""What the experiments share: the translator of this lesson, its teachers, figures by length and over seeds, how training went."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons.kit.checkpoints import TRANSLATION, Tokens, Words, english, figures_at, load_card, translate
from lessons.kit.memo import memoize
from lessons.kit.references import reference_for
from models import recipes
from models.vocabulary import Vocabulary

MEASURES = {"exact match": "exact_match", "token accuracy": "token_accuracy"}
TRANSLATOR = "translation-none-128-s0"  # one vector c, handed over as the decoder's first state
TEACHERS = tuple(
    f"translation-additive-64-s{seed}" for seed in (0, 1, 2)
)  # with attention: they have an answer to any sentence


def figures(name: str) -> Mapping[str, Any]:
    """What the model's card says about it."""
    return load_card(name).metrics


def by_length(name: str, measure: str, steps: int) -> np.ndarray:
    """(buckets,) a figure against the source length."""
    return np.array([row[measure] for row in figures_at(name, steps)["by_length"]])


def middles(name: str) -> np.ndarray:
    """(buckets,) the middle of each bucket of lengths."""
    return np.array([(row["from"] + row["to"]) / 2 for row in figures(name)["by_length"]])


# ---- over seeds ----


@dataclass(frozen=True)
class Band:
    """A figure over seeds, and how many there are of it."""

    mean: np.ndarray  # (n,)
    low: np.ndarray
    high: np.ndarray
    seeds: np.ndarray  # (n,) whole numbers; 0 where nothing was measured, and the others are NaN


def band(lines: Iterable[Sequence[float] | np.ndarray]) -> Band:
    """Of lines with NaN where a seed was not measured."""
    every = np.stack([np.asarray(line, dtype=float) for line in lines])  # (seeds, n)
    counts, none = np.isfinite(every).sum(0), np.isnan(every)
    mean = np.where(none, 0, every).sum(0) / np.where(counts, counts, np.nan)
    low, high = np.where(none, np.inf, every).min(0), np.where(none, -np.inf, every).max(0)
    return Band(mean, np.where(counts, low, np.nan), np.where(counts, high, np.nan), counts)


def by_lengths(names: Iterable[str], measure: str, steps: int) -> Band:
    return band(by_length(name, measure, steps) for name in names)


def natural(names: Iterable[str], measure: str, steps: int) -> np.ndarray:
    """(seeds,) over sentences of natural length."""
    return np.array([figures_at(name, steps)["natural"][measure] for name in names])


def ahead_of_all(shares: Mapping[str, np.ndarray]) -> str | None:
    """By name (seeds,): the one whose every seed is ahead of every seed of the others. One seed each tells nothing of luck."""
    first, *others = sorted(shares, key=lambda name: -shares[name].mean())
    apart = all(shares[first].min() > shares[other].max() for other in others)
    return first if apart and any(len(values) > 1 for values in shares.values()) else None


def of_size(code: str) -> tuple[str, ...]:
    """The models whose c has so many numbers, one a seed."""
    return recipes.seeds_of(f"translation-none-{code}")


# ---- how training went ----


@dataclass(frozen=True)
class Learning:
    """How one training went: mean loss since the look before, and the loss on validation sentences."""

    steps: np.ndarray  # (looks,)
    loss: np.ndarray  # (looks,) nats a word
    validation: np.ndarray  # (looks,)

    def until(self, step: int) -> "Learning":
        there = self.steps <= step
        return Learning(self.steps[there], self.loss[there], self.validation[there])

    @property
    def still(self) -> int:
        """Since when the validation loss has come no further than 2% down."""
        best = np.minimum.accumulate(self.validation)
        return int(self.steps[np.flatnonzero(best <= 1.02 * best[-1])[0]])


def learning_of(name: str) -> Learning:
    rows = figures(name)["learning"]
    return Learning(*(np.array([row[key] for row in rows]) for key in ("step", "loss", "validation")))


# ---- learning rates ----


def tried(model: str) -> dict[float, np.ndarray]:
    """By learning rate: the loss on validation sentences after a short training (seeds,), of each seed that tried it."""
    by_seed = recipes.losses_by_rate(model)
    rates = sorted({rate for losses in by_seed for rate in losses}, key=float)
    return {float(rate): np.array([losses[rate] for losses in by_seed if rate in losses]) for rate in rates}


# ---- teachers ----


@memoize
def teacher_of(source: Tokens) -> Words:
    """The right translation where the grammar knows it; elsewhere a model with attention stands in for it."""
    return reference_for(TRANSLATION, english(source)) or translate(TEACHERS[0], source)


def taught(source: Tokens) -> Tokens:
    """What the teacher says, and <eos>."""
    return (*TRANSLATION.target.ids(teacher_of(source)), Vocabulary.eos)
