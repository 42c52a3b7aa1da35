"""A small network trained on few examples: what it memorises, and how well it generalises.

A two-layer network reads twelve signs, + or −, and predicts whether two particular signs are equal. Which
two signs matter must be learned from the examples.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod, sqrt

import numpy as np
import torch

from lessons.kit.contract import Result
from lessons.kit.memo import memoize

SIGNS, WIDTH = 12, 64
COMPARED_SIGNS = (2, 7)
STEPS, MEASURED_EVERY = 200, 10
SHAPES = ((SIGNS, WIDTH), (WIDTH, 1), (1, WIDTH), (1, 1))  # W_1, W_2, b_1, b_2
PARAMETERS = sum(map(prod, SHAPES))
LEARNING_RATE, BETAS = 0.03, (0.9, 0.999)
UNSEEN_EXAMPLES = 1000
SEEDS = 5  # number of training runs that each figure averages
MAX_BATCHED_EXAMPLES = 1000  # larger arrays are slower, because their memory is not reused


@dataclass(frozen=True)
class OverfitRun(Result):
    """Fractions correct while a network learns, one row per seed."""

    examples: int
    wrong: float  # fraction of the training labels that are wrong
    decay: float
    dropout: float
    seed: int  # the seed that is also drawn on its own
    steps: np.ndarray  # (measurements,)
    known: np.ndarray  # (seeds, measurements) fraction of training labels predicted, right or wrong ones
    new: np.ndarray  # (seeds, measurements) fraction of unseen examples predicted correctly
    believed: np.ndarray  # (seeds, measurements) fraction of wrong labels predicted; NaN without any

    @property
    def gap(self) -> int:
        """Percentage points between the two final accuracies, as rounded on the page."""
        return round(100 * self.known[:, -1].mean()) - round(100 * self.new[:, -1].mean())


def wrong_label_count(examples: int, wrong: float) -> int:
    return round(examples * wrong)


def overfit(examples: int, wrong: float, decay: float, dropout: float, seed: int) -> OverfitRun:
    together = max(1, MAX_BATCHED_EXAMPLES // examples)
    groups = [tuple(range(SEEDS))[first : first + together] for first in range(0, SEEDS, together)]
    runs = np.concatenate([train(examples, wrong, decay, dropout, seeds) for seeds in groups], axis=1)
    return OverfitRun(examples, wrong, decay, dropout, seed, np.arange(0, STEPS + 1, MEASURED_EVERY), *runs)


@memoize
def train(examples: int, wrong: float, decay: float, dropout: float, seeds: tuple[int, ...]) -> np.ndarray:
    """Train one network per seed with AdamW, all of them at once, using all examples in every step.

    Returns (3, seeds, measurements): fraction predicted of the training labels, of the unseen labels, and of
    the wrong labels. Uses numpy: torch's overhead is three times the arithmetic of such small networks.
    """
    setups = [set_up(examples, wrong, seed) for seed in seeds]
    x, labels, flipped, *unseen, parameters = map(np.stack, zip(*setups, strict=True))
    parts = np.split(parameters, np.cumsum([prod(shape) for shape in SHAPES[:-1]]), axis=1)
    # views into `parameters`, so that a step changes both
    weights = [part.reshape(-1, *shape) for part, shape in zip(parts, SHAPES, strict=True)]
    mean, square = np.zeros((2, *parameters.shape), np.float32)
    dropout_generators = [np.random.default_rng(seed) for seed in seeds]
    noise, mask = np.empty((len(seeds), examples, WIDTH), np.float32), None
    no_wrong_labels, measurements = np.full(len(seeds), np.nan), []
    for step in range(STEPS + 1):
        if step % MEASURED_EVERY == 0:
            known = is_correct(weights, x, labels)  # (seeds, n)
            new = np.stack([is_correct(one[:4], *one[4:]) for one in zip(*weights, *unseen, strict=True)])
            believed = known[flipped].reshape(len(seeds), -1).mean(1) if flipped.any() else no_wrong_labels
            measurements.append([known.mean(1), new.mean(1), believed])
        if dropout:
            for generator, out in zip(dropout_generators, noise, strict=True):
                generator.random(dtype=np.float32, out=out)
            mask = (noise >= dropout) * np.float32(1 / (1 - dropout))
        gradient = loss_gradient(weights, x, labels, mask)
        mean += (1 - BETAS[0]) * (gradient - mean)
        square += (1 - BETAS[1]) * (gradient**2 - square)
        scale = np.sqrt(square / (1 - BETAS[1] ** (step + 1))) + 1e-8
        parameters *= 1 - LEARNING_RATE * decay
        parameters -= LEARNING_RATE / (1 - BETAS[0] ** (step + 1)) * mean / scale
    return np.moveaxis(np.array(measurements), 0, -1)


def set_up(examples: int, wrong: float, seed: int) -> tuple[np.ndarray, ...]:
    """One seed's inputs, labels, which labels are wrong, unseen inputs and labels, and initial parameters."""
    generator = torch.Generator().manual_seed(seed)
    x, truth = draw_examples(examples, generator)
    flipped = np.zeros(examples, bool)
    order = torch.randperm(examples, generator=generator)
    flipped[order[: wrong_label_count(examples, wrong)].numpy()] = True
    labels = np.where(flipped, 1 - truth, truth)
    unseen = draw_examples(UNSEEN_EXAMPLES, generator)
    matrices = [torch.randn(shape, generator=generator).numpy() / sqrt(shape[0]) for shape in SHAPES[:2]]
    parameters = np.concatenate([*map(np.ravel, matrices), np.zeros(WIDTH + 1)], dtype=np.float32)
    return x, labels, flipped, *unseen, parameters


def draw_examples(count: int, generator: torch.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Random inputs x (count, 12) and their true labels (count,)."""
    x = (torch.randint(0, 2, (count, SIGNS), generator=generator) * 2.0 - 1).numpy()
    first, second = COMPARED_SIGNS
    return x, (x[:, first] == x[:, second]).astype(np.float32)


def forward(weights: Sequence[np.ndarray], x: np.ndarray) -> np.ndarray:
    """Logits of the network: x (…, n, 12) → (…, n, 1)."""
    W_1, W_2, b_1, b_2 = weights
    return np.tanh(x @ W_1 + b_1) @ W_2 + b_2


def loss_gradient(
    weights: list[np.ndarray], x: np.ndarray, labels: np.ndarray, mask: np.ndarray | None
) -> np.ndarray:
    """∂L/∂W of the mean cross-entropy by backpropagation. With dropout, units are multiplied by the mask."""
    W_1, W_2, b_1, b_2 = weights
    h = np.tanh(x @ W_1 + b_1)  # (…, n, WIDTH)
    out = h if mask is None else h * mask
    p = (1 + np.tanh((out @ W_2 + b_2) / 2)) / 2  # (…, n, 1) logistic function, stable for large logits
    by_logit = (p - labels[..., None]) / x.shape[-2]  # (…, n, 1)
    by_h = by_logit * W_2.mT if mask is None else by_logit * W_2.mT * mask
    by_sum = by_h * (1 - h**2)  # (…, n, WIDTH)
    by_weight = [x.mT @ by_sum, out.mT @ by_logit, by_sum.sum(-2), by_logit.sum(-2)]
    return np.concatenate([each.reshape(*x.shape[:-2], -1) for each in by_weight], axis=-1)


def is_correct(weights: Sequence[np.ndarray], x: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return (forward(weights, x)[..., 0] > 0) == (labels > 0.5)
