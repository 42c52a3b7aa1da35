"""Few examples, many weights: what is learned by heart, and what of it holds for examples that were not there.

A network of two layers reads twelve signs, each + or −, and shall say whether two of them are alike. Which two, nobody tells it.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from lessons.kit.contract import Result

SIGNS, WIDTH = 12, 64
PAIR = (2, 7)  # the two signs that count
STEPS, EVERY = 200, 10
RATE = 0.03
NEW = 1000  # examples to measure on


@dataclass(frozen=True)
class Learnt(Result):
    examples: int
    wrong: float  # share of the training labels that are wrong
    decay: float
    dropout: float
    seed: int
    steps: np.ndarray  # (looks,)
    known: np.ndarray  # (looks,) share right of the examples trained on, by their labels as given
    new: np.ndarray  # (looks,) share right of new ones, by the truth
    believed: np.ndarray  # (looks,) share of the wrong labels that it repeats; NaN where none is wrong

    @property
    def gap(self) -> float:
        return float(self.known[-1] - self.new[-1])


def overfit(examples: int, wrong: float, decay: float, dropout: float, seed: int) -> Learnt:
    shares = training(examples, wrong, decay, dropout, seed)
    return Learnt(examples, wrong, decay, dropout, seed, np.arange(0, STEPS + 1, EVERY), *shares)


@lru_cache(maxsize=256)
def training(examples: int, wrong: float, decay: float, dropout: float, seed: int) -> np.ndarray:
    """AdamW, all examples at once. (3, looks): the shares right, of the known, of the new, and of the wrong labels."""
    chance = torch.Generator().manual_seed(seed)
    x, truth = drawn(examples, chance)
    flipped = torch.rand(examples, generator=chance) < wrong
    labels = torch.where(flipped, 1 - truth, truth)
    x_new, truth_new = drawn(NEW, chance)
    with torch.inference_mode(False), torch.enable_grad():
        weights = [torch.randn(shape, generator=chance) / sqrt(shape[0]) for shape in ((SIGNS, WIDTH), (WIDTH, 1))]
        weights = [weight.requires_grad_() for weight in (*weights, torch.zeros(WIDTH), torch.zeros(1))]
        optimiser = torch.optim.AdamW(weights, lr=RATE, weight_decay=decay, fused=True)
        seen = []
        for step in range(STEPS + 1):
            if step % EVERY == 0:
                seen.append([right(weights, *shown) for shown in ((x, labels), (x_new, truth_new), (x[flipped], labels[flipped]))])
            kept = (torch.rand(examples, WIDTH, generator=chance) >= dropout) / (1 - dropout)  # some units are out, at random
            loss = F.binary_cross_entropy_with_logits(said(weights, x, kept), labels)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return np.array(seen).T


def drawn(count: int, chance: torch.Generator) -> tuple[Tensor, Tensor]:
    x = torch.randint(0, 2, (count, SIGNS), generator=chance) * 2.0 - 1
    return x, (x[:, PAIR[0]] == x[:, PAIR[1]]).float()


def said(weights: list[Tensor], x: Tensor, kept: Tensor | float = 1.0) -> Tensor:
    """x (n, 12) → logits (n,)"""
    W_1, W_2, b_1, b_2 = weights
    return ((torch.tanh(x @ W_1 + b_1) * kept) @ W_2 + b_2)[:, 0]


@torch.no_grad()
def right(weights: list[Tensor], x: Tensor, labels: Tensor) -> float:
    return float(((said(weights, x) > 0) == (labels > 0.5)).float().mean())
