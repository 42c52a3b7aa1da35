"""Backpropagation through time, written out: ∂h_T / ∂(what was remembered at t), for t = T … 1. Lesson recurrence, gradient.

Each cell says how one step passes a small change on; the chain rule multiplies the steps. Autograd finds the same (tested), gate by
gate; here the gates of a step are added up first, so that one product a step will do.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import torch
from torch import Tensor
from torch.nn import functional as F

from models.rnn import GRU, LSTM, Cell, VanillaRNN
from models.trace import Tap

Slopes = tuple[Tensor, ...]  # of one run (T, m) each; of all runs at one step (R, m) each


def step_derivatives(cells: Sequence[Cell], x: Tensor) -> tuple[Tensor, Slopes]:
    """How each step passes a change on. Cells of one kind, each with weights of its own, read x (R, T, P).

    (gates, R, m, m) their W_hh, and (T, R, m) each: the slopes of every step. What is read later does not change them.
    """
    slopes, _ = WAYS[type(cells[0])]
    runs = [slopes(cell, read) for cell, read in zip(cells, x, strict=True)]
    W = torch.stack([cell.W_hh.unflatten(0, (-1, cell.m)) for cell in cells], 1)
    return W, tuple(torch.stack(each, 1) for each in zip(*runs, strict=True))


def backpropagate(kind: type[Cell], W: Tensor, slopes: Slopes) -> Iterator[Tensor]:
    """For t = T … 1: ∂h_T/∂h_t, or ∂h_T/∂cell_t, (R, m, m)."""
    _, products = WAYS[kind]
    steps = zip(*(each.flip(0) for each in slopes), strict=True)  # the last step first
    return islice(
        products(torch.eye(W.shape[-1]).expand(W.shape[1:]), W, steps), len(slopes[0])
    )  # none for t = 0


def read(cell: Cell, x: Tensor) -> tuple[Tensor, Tensor]:
    """Every h (T, m), and every h before."""
    h = cell(x[None], cell.initial_state(1))[0][0]
    return h, torch.cat([cell.initial_state(1)[0], h[:-1]])


def mixed(slopes: Slopes, W: Tensor) -> Tensor:
    """Σ diag(slope) W over the gates: (R, m) each, (gates, R, m, m) → (R, m, m)"""
    total = slopes[0][:, :, None] * W[0]
    for slope, W_gate in zip(slopes[1:], W[1:], strict=True):
        total.addcmul_(slope[:, :, None], W_gate)
    return total


# ---- vanilla: ∂h_t/∂h_{t-1} = diag(1 − h_t²) W_hh ----


def vanilla_slopes(cell: Cell, x: Tensor) -> Slopes:
    return (1 - read(cell, x)[0] ** 2,)


def backward_vanilla(by_h: Tensor, W: Tensor, steps: Iterable[Slopes]) -> Iterator[Tensor]:
    for (slope,) in steps:
        yield by_h
        by_h = (by_h * slope[:, None]) @ W[0]


# ---- GRU: ∂h_t/∂h_{t-1} = diag(z_t) + Σ diag(∂h_t/∂gate) W_gate over r, z, n ----


def gru(cell: GRU, x: Tensor) -> Slopes:
    _, before = read(cell, x)
    tap = Tap()
    cell.step(x, (before,), tap)
    r, z, n = (tap.value(gate) for gate in cell.gates)  # (T, m) each
    h_n = F.linear(before, cell.W_hh.chunk(3)[2], cell.b_hh.chunk(3)[2])
    by_n = (1 - z) * (1 - n**2)
    return z, by_n * h_n * r * (1 - r), (before - n) * z * (1 - z), by_n * r


def through_gates(by_h: Tensor, W: Tensor, steps: Iterable[Slopes]) -> Iterator[Tensor]:
    for z, *gates in steps:
        yield by_h
        step = mixed(tuple(gates), W)
        step.diagonal(dim1=1, dim2=2).add_(z)
        by_h = by_h @ step


# ---- LSTM: a change goes on in cell_t, past the gate f, and in h_t, past the gate o ----


def lstm(cell: Cell, x: Tensor) -> Slopes:
    _, before = read(cell, x)
    tap = Tap()
    cell.step(x, (before, torch.zeros_like(before)), tap)
    i, f, g, o = (tap.value(gate) for gate in cell.gates)  # (T, m) each
    memory = [torch.zeros(cell.m)]
    for keep, new in zip(f, i * g, strict=True):
        memory.append(keep * memory[-1] + new)
    cells, shown = torch.stack(memory[:-1]), torch.tanh(torch.stack(memory[1:]))
    return f, o * (1 - shown**2), shown * o * (1 - o), g * i * (1 - i), cells * f * (1 - f), i * (1 - g**2)


def through_cells(by_h: Tensor, W: Tensor, steps: Iterable[Slopes]) -> Iterator[Tensor]:
    from_later = torch.zeros_like(by_h)
    for f, h_by_cell, h_by_o, *gates in steps:
        by_cell = from_later.addcmul(by_h, h_by_cell[:, None])
        yield by_cell
        past_o = (by_h * h_by_o[:, None]) @ W[3]
        from_later, by_h = by_cell * f[:, None], past_o.baddbmm(by_cell, mixed(tuple(gates), W[:3]))


Slope = Callable[..., Slopes]  # type: ignore[explicit-any]  # of its own kind of cell, and x
Backward = Callable[[Tensor, Tensor, Iterable[Slopes]], Iterator[Tensor]]
WAYS: dict[type[Cell], tuple[Slope, Backward]] = {
    VanillaRNN: (vanilla_slopes, backward_vanilla),
    GRU: (gru, through_gates),
    LSTM: (lstm, through_cells),
}
