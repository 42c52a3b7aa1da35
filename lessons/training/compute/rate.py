"""Gradient descent on a network of one unit and two weights: small enough to see the whole of its loss, and every step on it.

It reads T numbers and shall still hold the first of them at the end. All functions take many networks at once.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.kit.memo import memoize

UNITS = ("tanh", "no tanh")
STEPS = 60
SPAN, GRID = 2.0, 41  # the weights that are drawn run from −2 to 2
CLIP, WARM = 1.0, 10  # the longest gradient; steps until the full rate
SWEPT = tuple(round(-2 + 0.1 * n, 1) for n in range(31))  # powers of ten: the rates that are compared
KEPT = 0.8  # of the first number: what a tanh can hold


@dataclass(frozen=True)
class Descent(Result):
    """One training. From the step at which the loss is no number any more, there is NaN."""

    rate: float
    warm: bool
    clip: bool
    unit: str
    length: int
    step: int
    weights: np.ndarray  # (steps + 1, 2) W_hh, W_xh
    losses: np.ndarray  # (steps + 1,)
    gradients: np.ndarray  # (steps + 1,) length of the gradient, before it is clipped
    landscape: np.ndarray  # (GRID, GRID) loss; W_hh grows along a row, W_xh from row to row

    @property
    def lost(self) -> int | None:
        """The first step whose loss is no number."""
        broken = np.flatnonzero(~np.isfinite(self.losses))
        return int(broken[0]) if len(broken) else None

    @cached_property
    def swept(self) -> np.ndarray:
        """(rates,) the loss at the end, had the rate been another; NaN where it is no number."""
        start = torch.tensor(self.weights[0], dtype=torch.float32)
        rates = 10 ** torch.tensor(SWEPT)
        return descend(start.expand(len(SWEPT), 2), rates, self.warm, self.clip, self.unit, self.length)[1][
            -1
        ].numpy()

    def limits(self) -> dict[str, Any]:
        return {"step": STEPS}


@lru_cache(maxsize=16)
def numbers(length: int) -> Tensor:
    """(32, T): first 1 or −1, then noise, and the same noise upside down: it says nothing about the first."""
    noise = torch.randn(8, length, generator=torch.Generator().manual_seed(length)) * 0.3
    numbers = torch.cat([noise, -noise]).repeat(2, 1)
    numbers[:, 0] = torch.tensor([1.0, -1.0]).repeat_interleave(16)
    return numbers


def read(weights: Tensor, unit: str, length: int) -> list[Tensor]:
    """h_t = tanh(W_hh h_{t-1} + W_xh x_t) for t = 0 … T. weights (n, 2) → (n, 32) each"""
    x = numbers(length)
    W_hh, W_xh = weights[:, :1], weights[:, 1:]  # (n, 1) each
    h = [torch.zeros(len(weights), len(x))]
    for from_input in (W_xh * x.T[:, None]).unbind():
        total = W_hh * h[-1] + from_input
        h.append(total.tanh_() if unit == "tanh" else total)
    return h


def loss(weights: Tensor, unit: str, length: int) -> Tensor:
    """How far h_T is from the first number. weights (n, 2) → (n,)"""
    return (read(weights, unit, length)[-1] - KEPT * numbers(length)[:, 0]).square().mean(1)


def slope(weights: Tensor, unit: str, length: int) -> tuple[Tensor, Tensor]:
    """The loss (n,), and ∂L/∂W (n, 2) by the chain rule, from the last step to the first."""
    x, W_hh = numbers(length), weights[:, :1]
    h = torch.stack(read(weights, unit, length))  # (T + 1, n, 32)
    off = h[-1] - KEPT * x[:, 0]
    by_h, by_sums = 2 / len(x) * off, []
    for steep in (1 - h[1:].flip(0) ** 2).unbind() if unit == "tanh" else [1.0] * length:
        by_sums.append(by_h * steep)
        by_h = by_sums[-1] * W_hh
    by_sum = torch.stack(by_sums[::-1])  # (T, n, 32)
    gradient = torch.stack([(by_sum * h[:-1]).sum((0, 2)), (by_sum * x.T[:, None]).sum((0, 2))], 1)
    return off.square().mean(1), gradient


@torch.inference_mode()
def descend(
    start: Tensor, rate: Tensor, warm: bool, clip: bool, unit: str, length: int
) -> tuple[Tensor, Tensor, Tensor]:
    """W ← W − rate · ∂L/∂W, again and again. start (n, 2), rate (n,) → at every step: weights, loss, length of the gradient"""
    weights, seen = start, []
    for step in range(STEPS + 1):
        L, gradient = slope(weights, unit, length)
        long = gradient.norm(dim=1)
        seen.append((weights, L, long))
        if clip:
            gradient = gradient * (CLIP / long).clamp(max=1)[:, None]
        now = rate * min(1, (step + 1) / WARM) if warm else rate
        weights = weights - now[:, None] * gradient
    path, losses, lengths = (torch.stack(each) for each in zip(*seen, strict=True))
    return path, torch.where(losses.isfinite(), losses, math.nan), lengths


@memoize
def walked(start: tuple[tuple[float, float]], power: float, *settings: Any) -> tuple[Tensor, Tensor, Tensor]:
    """One way down, kept: a step along it needs no other."""
    return descend(torch.tensor(start), torch.tensor([10**power]), *settings)


@memoize
@torch.inference_mode()
def landscape(unit: str, length: int) -> np.ndarray:
    axis = torch.linspace(-SPAN, SPAN, GRID)
    W_xh, W_hh = torch.meshgrid(axis, axis, indexing="ij")
    return loss(torch.stack([W_hh.flatten(), W_xh.flatten()], 1), unit, length).reshape(GRID, GRID).numpy()


def rate(
    power: float, warm: bool, clip: bool, unit: str, length: int, start: tuple[tuple[float, float]], step: int
) -> Descent:
    path, losses, lengths = walked(start, power, warm, clip, unit, length)
    return Descent(
        rate=10**power,
        warm=warm,
        clip=clip,
        unit=unit,
        length=length,
        step=step,
        weights=path[:, 0].numpy(),
        losses=losses[:, 0].numpy(),
        gradients=lengths[:, 0].numpy(),
        landscape=landscape(unit, length),
    )
