"""Backpropagation through time, written out: ∂h_T / ∂h_t, or ∂h_T / ∂cell_t, for t = T … 1.

Used in lesson `recurrence`, experiment `gradient`. Each cell has one function for the derivatives of its
steps (slopes) and one that multiplies them by the chain rule. A test compares the result with autograd, which
works gate by gate. Here the gates of a step are summed first, so each step needs only one matrix product.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import torch
from torch import Tensor
from torch.nn import functional as F

from models.rnn import GRU, LSTM, Cell, VanillaRNN
from models.trace import Tap

Slopes = tuple[Tensor, ...]  # each (T, m) for one run, or (R, m) for all R runs at one step


def step_derivatives(cells: Sequence[Cell], x: Tensor) -> tuple[Tensor, Slopes]:
    """Derivatives of every step, for R cells of one kind that read x (R, T, P), one text each.

    Returns W_hh (gates, R, m, m) and the slopes, (T, R, m) each. Later words do not change the slopes.
    """
    slopes, _ = CELL_DERIVATIVES[type(cells[0])]
    runs = [slopes(cell, x_run) for cell, x_run in zip(cells, x, strict=True)]
    W = torch.stack([cell.W_hh.unflatten(0, (-1, cell.m)) for cell in cells], 1)
    return W, tuple(torch.stack(slope, 1) for slope in zip(*runs, strict=True))


def backpropagate(kind: type[Cell], W: Tensor, slopes: Slopes) -> Iterator[Tensor]:
    """Yield ∂h_T/∂h_t, or ∂h_T/∂cell_t for an LSTM, (R, m, m), for t = T … 1."""
    _, backward = CELL_DERIVATIVES[kind]
    steps = zip(*(slope.flip(0) for slope in slopes), strict=True)  # slopes of the steps, the last step first
    identity = torch.eye(W.shape[-1]).expand(W.shape[1:])  # ∂h_T/∂h_T is the identity
    return islice(backward(identity, W, steps), len(slopes[0]))  # stop before t = 0


def hidden_states(cell: Cell, x: Tensor) -> tuple[Tensor, Tensor]:
    """All h_t (T, m), and all h_{t-1} (T, m)."""
    h = cell(x[None], cell.initial_state(1))[0][0]
    return h, torch.cat([cell.initial_state(1)[0], h[:-1]])


def sum_over_gates(slopes: Slopes, W: Tensor) -> Tensor:
    """Σ diag(slope) W_gate: slopes (R, m) each, W (gates, R, m, m) → (R, m, m)"""
    total = slopes[0][:, :, None] * W[0]
    for slope, W_gate in zip(slopes[1:], W[1:], strict=True):
        total.addcmul_(slope[:, :, None], W_gate)
    return total


# ---- vanilla: ∂h_t/∂h_{t-1} = diag(1 − h_t²) W_hh ----


def vanilla_slopes(cell: Cell, x: Tensor) -> Slopes:
    return (1 - hidden_states(cell, x)[0] ** 2,)


def backward_vanilla(by_h: Tensor, W: Tensor, steps: Iterable[Slopes]) -> Iterator[Tensor]:
    for (slope,) in steps:
        yield by_h
        by_h = (by_h * slope[:, None]) @ W[0]


# ---- GRU: ∂h_t/∂h_{t-1} = diag(z_t) + Σ diag(∂h_t/∂gate) W_gate over r, z, n ----


def gru_slopes(cell: GRU, x: Tensor) -> Slopes:
    _, h_prev = hidden_states(cell, x)
    tap = Tap()
    cell.step(x, (h_prev,), tap)
    r, z, n = (tap.value(gate) for gate in cell.gates)  # (T, m) each
    h_n = F.linear(h_prev, cell.W_hh.chunk(3)[2], cell.b_hh.chunk(3)[2])
    by_n = (1 - z) * (1 - n**2)
    return z, by_n * h_n * r * (1 - r), (h_prev - n) * z * (1 - z), by_n * r


def backward_gru(by_h: Tensor, W: Tensor, steps: Iterable[Slopes]) -> Iterator[Tensor]:
    for z, *gates in steps:
        yield by_h
        step = sum_over_gates(tuple(gates), W)
        step.diagonal(dim1=1, dim2=2).add_(z)
        by_h = by_h @ step


# ---- LSTM: a change reaches the next step through cell_t (forget gate) and through h_t (output gate) ----


def lstm_slopes(cell: Cell, x: Tensor) -> Slopes:
    _, h_prev = hidden_states(cell, x)
    tap = Tap()
    cell.step(x, (h_prev, torch.zeros_like(h_prev)), tap)
    i, f, g, o = (tap.value(gate) for gate in cell.gates)  # (T, m) each
    cells = [torch.zeros(cell.m)]
    for f_t, new in zip(f, i * g, strict=True):
        cells.append(f_t * cells[-1] + new)
    cell_prev, squashed = torch.stack(cells[:-1]), torch.tanh(torch.stack(cells[1:]))
    by_gates = g * i * (1 - i), cell_prev * f * (1 - f), i * (1 - g**2)
    return f, o * (1 - squashed**2), squashed * o * (1 - o), *by_gates


def backward_lstm(by_h: Tensor, W: Tensor, steps: Iterable[Slopes]) -> Iterator[Tensor]:
    from_later = torch.zeros_like(by_h)
    for f, h_by_cell, h_by_o, *gates in steps:
        by_cell = from_later.addcmul(by_h, h_by_cell[:, None])
        yield by_cell
        through_o = (by_h * h_by_o[:, None]) @ W[3]
        by_h = through_o.baddbmm(by_cell, sum_over_gates(tuple(gates), W[:3]))
        from_later = by_cell * f[:, None]


# arguments: a cell of the matching class, and x
SlopesFunction = Callable[..., Slopes]  # type: ignore[explicit-any]
BackwardFunction = Callable[[Tensor, Tensor, Iterable[Slopes]], Iterator[Tensor]]
CELL_DERIVATIVES: dict[type[Cell], tuple[SlopesFunction, BackwardFunction]] = {
    VanillaRNN: (vanilla_slopes, backward_vanilla),
    GRU: (gru_slopes, backward_gru),
    LSTM: (lstm_slopes, backward_lstm),
}
