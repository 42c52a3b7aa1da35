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
        return descend(start.expand(len(SWEPT), 2), rates, self.warm, self.clip, self.unit, self.length)[1][-1].numpy()

    def limits(self) -> dict[str, Any]:
        return {"step": STEPS}


@lru_cache(maxsize=16)
def numbers(length: int) -> Tensor:
    """(32, T): first 1 or −1, then noise, and the same noise upside down: it says nothing about the first."""
    noise = torch.randn(8, length, generator=torch.Generator().manual_seed(length)) * 0.3
    numbers = torch.cat([noise, -noise]).repeat(2, 1)
    numbers[:, 0] = torch.tensor([1.0, -1.0]).repeat_interleave(16)
    return numbers


def loss(weights: Tensor, unit: str, length: int) -> Tensor:
    """How far h_T is from the first number: h_t = tanh(W_hh h_{t-1} + W_xh x_t). weights (n, 2) → (n,)"""
    x = numbers(length)
    W_hh, W_xh = weights[:, :1], weights[:, 1:]  # (n, 1) each
    h = torch.zeros(len(weights), len(x))  # (n, 32)
    for t in range(length):
        h = W_hh * h + W_xh * x[:, t]
        h = torch.tanh(h) if unit == "tanh" else h
    return (h - KEPT * x[:, 0]).square().mean(1)


def descend(start: Tensor, rate: Tensor, warm: bool, clip: bool, unit: str, length: int) -> tuple[Tensor, Tensor, Tensor]:
    """W ← W − rate · ∂L/∂W, again and again. start (n, 2), rate (n,) → at every step: weights, loss, length of the gradient"""
    weights, seen = start, []
    for step in range(STEPS + 1):
        weights = weights.detach().requires_grad_()
        L = loss(weights, unit, length)
        (gradient,) = torch.autograd.grad(L.sum(), weights)
        long = gradient.norm(dim=1)
        seen.append((weights.detach(), L.detach(), long))
        if clip:
            gradient = gradient * (CLIP / long).clamp(max=1)[:, None]
        now = rate * min(1, (step + 1) / WARM) if warm else rate
        weights = weights - now[:, None] * gradient
    path, losses, lengths = (torch.stack(each) for each in zip(*seen, strict=True))
    return path, torch.where(losses.isfinite(), losses, math.nan), lengths


@lru_cache(maxsize=32)
def landscape(unit: str, length: int) -> np.ndarray:
    axis = torch.linspace(-SPAN, SPAN, GRID)
    W_xh, W_hh = torch.meshgrid(axis, axis, indexing="ij")
    return loss(torch.stack([W_hh.flatten(), W_xh.flatten()], 1), unit, length).reshape(GRID, GRID).numpy()


def rate(power: float, warm: bool, clip: bool, unit: str, length: int, start: tuple[tuple[float, float]], step: int) -> Descent:
    with torch.inference_mode(False), torch.enable_grad():
        path, losses, lengths = descend(torch.tensor(start), torch.tensor([10**power]), warm, clip, unit, length)
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
