"""Gradient descent on a network with one unit and two weights, small enough to draw its whole loss.

The network reads T numbers and must remember the first one. All functions handle many networks at once.
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
MAX_WEIGHT, GRID_SIZE = 2.0, 41  # weights from −2 to 2 are drawn
MAX_GRADIENT, WARM_UP_STEPS = 1.0, 10
SWEPT_POWERS = tuple(round(-2 + 0.1 * n, 1) for n in range(31))  # log10 of the compared learning rates
TARGET_SCALE = 0.8  # factor on the first number, because a tanh cannot reach 1


@dataclass(frozen=True)
class DescentRun(Result):
    """One training run. Losses are NaN after it diverges."""

    rate: float
    warm: bool
    clip: bool
    unit: str
    length: int
    step: int
    weights: np.ndarray  # (steps + 1, 2) W_hh, W_xh
    losses: np.ndarray  # (steps + 1,)
    gradients: np.ndarray  # (steps + 1,) norm of the gradient before clipping
    landscape: np.ndarray  # (grid, grid) loss; W_hh varies along a row, W_xh from row to row

    @property
    def diverged_at(self) -> int | None:
        """The first step whose loss is not finite."""
        steps = np.flatnonzero(~np.isfinite(self.losses))
        return int(steps[0]) if len(steps) else None

    @cached_property
    def zero_loss(self) -> float:
        """The loss of a network whose weights are 0, so that it always answers 0: a plateau of the loss."""
        return float(loss(torch.zeros(1, 2), self.unit, self.length))

    @cached_property
    def swept(self) -> np.ndarray:
        """Final loss at every rate from the same start: (rates,); NaN if the run diverges."""
        start = torch.tensor(self.weights[0], dtype=torch.float32).expand(len(SWEPT_POWERS), 2)
        rates = 10 ** torch.tensor(SWEPT_POWERS)
        _, losses, _ = descend(start, rates, self.warm, self.clip, self.unit, self.length)
        return losses[-1].numpy()

    def limits(self) -> dict[str, Any]:
        return {"step": STEPS}


@lru_cache(maxsize=16)
def make_inputs(length: int) -> Tensor:
    """Inputs (32, T): first 1 or −1, then noise. Each noise sample also occurs negated, so its mean is 0."""
    noise = torch.randn(8, length, generator=torch.Generator().manual_seed(length)) * 0.3
    inputs = torch.cat([noise, -noise]).repeat(2, 1)
    inputs[:, 0] = torch.tensor([1.0, -1.0]).repeat_interleave(16)
    return inputs


def run_network(weights: Tensor, unit: str, length: int) -> list[Tensor]:
    """h_t = tanh(W_hh h_{t-1} + W_xh x_t) for t = 0 … T. weights (n, 2) → T + 1 tensors (n, 32)"""
    x = make_inputs(length)
    W_hh, W_xh = weights[:, :1], weights[:, 1:]  # (n, 1) each
    h = [torch.zeros(len(weights), len(x))]
    for from_input in (W_xh * x.T[:, None]).unbind():
        total = W_hh * h[-1] + from_input
        h.append(total.tanh_() if unit == "tanh" else total)
    return h


def loss(weights: Tensor, unit: str, length: int) -> Tensor:
    """Mean squared error between h_T and the scaled first number. weights (n, 2) → (n,)"""
    target = TARGET_SCALE * make_inputs(length)[:, 0]
    return (run_network(weights, unit, length)[-1] - target).square().mean(1)


def loss_and_gradient(weights: Tensor, unit: str, length: int) -> tuple[Tensor, Tensor]:
    """The loss (n,) and its gradient ∂L/∂W (n, 2), by backpropagation through time."""
    x, W_hh = make_inputs(length), weights[:, :1]
    h = torch.stack(run_network(weights, unit, length))  # (T + 1, n, 32)
    error = h[-1] - TARGET_SCALE * x[:, 0]
    by_h, by_sums = 2 / len(x) * error, []
    for tanh_slope in (1 - h[1:].flip(0) ** 2).unbind() if unit == "tanh" else [1.0] * length:
        by_sums.append(by_h * tanh_slope)
        by_h = by_sums[-1] * W_hh
    by_sum = torch.stack(by_sums[::-1])  # (T, n, 32)
    gradient = torch.stack([(by_sum * h[:-1]).sum((0, 2)), (by_sum * x.T[:, None]).sum((0, 2))], 1)
    return error.square().mean(1), gradient


@torch.inference_mode()
def descend(
    start: Tensor, rate: Tensor, warm: bool, clip: bool, unit: str, length: int
) -> tuple[Tensor, Tensor, Tensor]:
    """W ← W − rate · ∂L/∂W. start (n, 2), rate (n,) → weights, loss and gradient norm at every step"""
    weights, history = start, []
    for step in range(STEPS + 1):
        L, gradient = loss_and_gradient(weights, unit, length)
        norm = gradient.norm(dim=1)
        history.append((weights, L, norm))
        if clip:
            gradient = gradient * (MAX_GRADIENT / norm).clamp(max=1)[:, None]
        step_rate = rate * min(1, (step + 1) / WARM_UP_STEPS) if warm else rate
        weights = weights - step_rate[:, None] * gradient
    path, losses, norms = (torch.stack(each) for each in zip(*history, strict=True))
    return path, torch.where(losses.isfinite(), losses, math.nan), norms


@memoize
def descend_once(
    start: tuple[tuple[float, float]], power: float, *settings: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """One descent, cached so that moving between its steps needs no recomputation."""
    return descend(torch.tensor(start), torch.tensor([10**power]), *settings)


@memoize
@torch.inference_mode()
def loss_landscape(unit: str, length: int) -> np.ndarray:
    axis = torch.linspace(-MAX_WEIGHT, MAX_WEIGHT, GRID_SIZE)
    W_xh, W_hh = torch.meshgrid(axis, axis, indexing="ij")
    weights = torch.stack([W_hh.flatten(), W_xh.flatten()], 1)
    return loss(weights, unit, length).reshape(GRID_SIZE, GRID_SIZE).numpy()


def rate(
    power: float, warm: bool, clip: bool, unit: str, length: int, start: tuple[tuple[float, float]], step: int
) -> DescentRun:
    path, losses, norms = descend_once(start, power, warm, clip, unit, length)
    return DescentRun(
        rate=10**power,
        warm=warm,
        clip=clip,
        unit=unit,
        length=length,
        step=step,
        weights=path[:, 0].numpy(),
        losses=losses[:, 0].numpy(),
        gradients=norms[:, 0].numpy(),
        landscape=loss_landscape(unit, length),
    )
