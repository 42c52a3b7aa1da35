"""Few examples, many weights: what is learned by heart, and what of it holds for examples that were not there.

A network of two layers reads twelve signs, each + or −, and shall say whether two of them are alike. Which two, nobody tells it.
"""

from dataclasses import dataclass
from math import prod, sqrt

import numpy as np
import torch

from lessons.kit.contract import Result
from lessons.kit.memo import memoize

SIGNS, WIDTH = 12, 64
PAIR = (2, 7)  # the two signs that count
STEPS, EVERY = 200, 10
SHAPES = ((SIGNS, WIDTH), (WIDTH, 1), (WIDTH,), (1,))  # W_1, W_2, b_1, b_2
PARAMETERS = sum(map(prod, SHAPES))
RATE, BETAS = 0.03, (0.9, 0.999)
NEW = 1000  # examples to measure on
SEEDS = 5  # trainings that each figure is the mean of


@dataclass(frozen=True)
class Learnt(Result):
    """Fractions correct while a network learns, one row per seed."""

    examples: int
    wrong: float  # fraction of the training labels that are wrong
    decay: float
    dropout: float
    seed: int  # the one that is drawn by itself
    steps: np.ndarray  # (looks,)
    known: np.ndarray  # (seeds, looks) fraction correct of the training examples, by their labels as given
    new: np.ndarray  # (seeds, looks) fraction correct of unseen examples, by their true labels
    believed: (
        np.ndarray
    )  # (seeds, looks) fraction of the wrong labels that it repeats; NaN where none is wrong

    @property
    def gap(self) -> int:
        """Percentage points between the two fractions correct, as they are rounded on the page."""
        return round(100 * self.known[:, -1].mean()) - round(100 * self.new[:, -1].mean())


def wrong_labels(examples: int, wrong: float) -> int:
    return round(examples * wrong)


def overfit(examples: int, wrong: float, decay: float, dropout: float, seed: int) -> Learnt:
    runs = np.stack([training(examples, wrong, decay, dropout, each) for each in range(SEEDS)], axis=1)
    return Learnt(examples, wrong, decay, dropout, seed, np.arange(0, STEPS + 1, EVERY), *runs)


@memoize
def training(examples: int, wrong: float, decay: float, dropout: float, seed: int) -> np.ndarray:
    """One training with AdamW, all examples in each step. (3, looks): fraction correct of known, of new, of wrong labels.

    In numpy: for so small a network a call of torch takes three times as long as the arithmetic in it.
    """
    chance, units = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
    x, truth = drawn(examples, chance)
    flipped = np.zeros(examples, bool)
    flipped[torch.randperm(examples, generator=chance)[: wrong_labels(examples, wrong)].numpy()] = True
    labels = np.where(flipped, 1 - truth, truth)
    x_new, truth_new = drawn(NEW, chance)
    start = [torch.randn(shape, generator=chance).numpy() / sqrt(shape[0]) for shape in SHAPES[:2]]
    every = np.concatenate(
        [*map(np.ravel, start), np.zeros(WIDTH + 1)], dtype=np.float32
    )  # all weights, in one vector
    parts = np.split(every, np.cumsum([prod(shape) for shape in SHAPES[:-1]]))
    weights = [part.reshape(shape) for part, shape in zip(parts, SHAPES, strict=True)]
    mean, square = np.zeros((2, len(every)), np.float32)
    seen = []
    for step in range(STEPS + 1):
        if step % EVERY == 0:
            known, new = (right(weights, *shown) for shown in ((x, labels), (x_new, truth_new)))
            seen.append([known.mean(), new.mean(), known[flipped].mean() if flipped.any() else np.nan])
        kept = (
            None
            if dropout == 0
            else (units.random((examples, WIDTH), np.float32) >= dropout) * np.float32(1 / (1 - dropout))
        )
        gradient = slope(weights, x, labels, kept)
        mean += (1 - BETAS[0]) * (gradient - mean)
        square += (1 - BETAS[1]) * (gradient**2 - square)
        long = np.sqrt(square / (1 - BETAS[1] ** (step + 1))) + 1e-8
        every *= 1 - RATE * decay
        every -= RATE / (1 - BETAS[0] ** (step + 1)) * mean / long
    return np.array(seen).T


def drawn(count: int, chance: torch.Generator) -> tuple[np.ndarray, np.ndarray]:
    x = (torch.randint(0, 2, (count, SIGNS), generator=chance) * 2.0 - 1).numpy()
    return x, (x[:, PAIR[0]] == x[:, PAIR[1]]).astype(np.float32)


def said(weights: list[np.ndarray], x: np.ndarray) -> np.ndarray:
    """x (n, 12) → logits (n, 1)"""
    W_1, W_2, b_1, b_2 = weights
    return np.tanh(x @ W_1 + b_1) @ W_2 + b_2


def slope(
    weights: list[np.ndarray], x: np.ndarray, labels: np.ndarray, kept: np.ndarray | None
) -> np.ndarray:
    """∂L/∂W of the mean cross-entropy, by the chain rule; with dropout, units that are not kept are out."""
    W_1, W_2, b_1, b_2 = weights
    h = np.tanh(x @ W_1 + b_1)  # (n, WIDTH)
    out = h if kept is None else h * kept
    p = (1 + np.tanh((out @ W_2 + b_2) / 2)) / 2  # (n, 1) the logistic function, safe for large logits
    e = (p - labels[:, None]) / len(x)  # (n, 1) by the logits
    by_h = e * W_2.T if kept is None else e * W_2.T * kept
    by_sum = by_h * (1 - h**2)  # (n, WIDTH) by what goes into tanh
    return np.concatenate([(x.T @ by_sum).ravel(), (out.T @ e).ravel(), by_sum.sum(0), e.sum(0)])


def right(weights: list[np.ndarray], x: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return (said(weights, x)[:, 0] > 0) == (labels > 0.5)
