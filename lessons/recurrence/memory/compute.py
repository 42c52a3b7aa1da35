"""The echo of one pulse in a cell of two units whose eigenvalue the learner sets."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Numbers, Result, Rows
from lessons.recurrence.hand_cells import KEEP_GATE, build_cell, run_cell
from models.rnn import Cell

KINDS = ("linear", "vanilla", "GRU", "LSTM")
INPUT_WEIGHT = 10.0  # weight with which an input of 1 opens the input gate
OPEN_BIAS = 40.0  # bias of a gate that is always open: σ(40) is 1 in double precision
MIN_VISIBLE = 0.01  # smallest visible fraction of the pulse


def rotation(eigenvalue: Numbers) -> np.ndarray:
    """The 2 × 2 matrix that rotates and scales; its eigenvalues are a ± bi."""
    a, b = eigenvalue
    return np.array([[a, -b], [b, a]])


def build_echo_cell(kind: str, eigenvalue: Numbers, keep: float) -> Cell:
    """A cell of two units whose input reaches only the first one.

    In the gated cells, an input opens the gates through which it enters. Without input, the bias `keep` of
    the keep gate (z of the GRU, f of the LSTM) determines how much of the memory stays.
    """
    W, first_unit, zeros = rotation(eigenvalue), [[1.0], [0.0]], np.zeros((2, 2))
    if kind in ("linear", "vanilla"):
        return build_cell("vanilla", W_hh=W, W_xh=first_unit, b_h=[0, 0])
    if kind == "GRU":  # blocks r, z, n; the reset gate stays open
        W_xh = np.vstack([[[0], [0]], [[-INPUT_WEIGHT], [-INPUT_WEIGHT]], first_unit])
        bias = [OPEN_BIAS, OPEN_BIAS, keep, keep, 0, 0]
        return build_cell("GRU", W_hh=np.vstack([zeros, zeros, W]), W_xh=W_xh, b_h=bias, b_hh=np.zeros(6))
    W_xh = np.vstack(
        [[[INPUT_WEIGHT], [INPUT_WEIGHT]], [[0], [0]], first_unit, [[0], [0]]]
    )  # an LSTM, with blocks i, f, g, o
    bias = [-INPUT_WEIGHT / 2, -INPUT_WEIGHT / 2, keep, keep, 0, 0, OPEN_BIAS, OPEN_BIAS]
    return build_cell("LSTM", W_hh=np.vstack([zeros, zeros, W, zeros]), W_xh=W_xh, b_h=bias)


def silent_step_eigenvalue(cell: Cell) -> np.ndarray:
    """(2,) the leading eigenvalue (real, |imaginary|) of one step without input, near the zero state."""
    no_input = torch.zeros(cell.P, dtype=torch.float64)

    def step(state: Tensor) -> Tensor:
        return torch.cat(cell.step(no_input, state.chunk(cell.state_vectors)))

    values = torch.linalg.eigvals(torch.autograd.functional.jacobian(step, torch.cat(cell.initial_state())))
    leading = values[values.abs().argmax()]
    return np.array([leading.real.item(), abs(leading.imag.item())])


@dataclass(frozen=True)
class Echo(Result):
    kind: str
    eigenvalue: np.ndarray  # (2,) of W_hh: real and imaginary
    keep: float  # value of the keep gate without input; 0 if the cell has no gates
    enters: float  # fraction of the candidate used without input: 1 − z, or i; 1 if no gates
    leading: np.ndarray  # (2,) eigenvalue of a whole step without input, near zero
    rho: float  # its absolute value: the factor by which such a step multiplies a small echo
    turn: (
        float | None
    )  # steps per oscillation; None if the echo fades before one is visible or tanh limits it
    h: np.ndarray  # (T, 2)
    size: np.ndarray  # (T,) ‖h_t‖
    envelope: np.ndarray  # (T,) ‖h_1‖ · rho^(t-1)
    pulse: float
    h_of_half: np.ndarray  # (T, 2) after a pulse of half the size
    half_life: int | None  # steps until the size stays below half of the pulse; None if beyond T
    fate: str  # fades | wears off | stays | saturates | grows

    def idle(self) -> dict[str, str]:
        return {} if self.kind in KEEP_GATE else {"keep": f"The {self.kind} cell has no gate."}


def compute(eigenvalue: Rows, kind: str, pulse: float, keep: float, T: int) -> Echo:
    """Run the cell on a pulse at step 1, then on zeros."""
    cell = build_echo_cell(kind, eigenvalue[0], keep)
    x = torch.zeros(T, 1, dtype=torch.float64)
    x[0] = pulse
    tap = run_cell(cell, x, cell.initial_state(), linear=kind == "linear")
    h, leading = tap.value("h").numpy(), silent_step_eigenvalue(cell)
    half = run_cell(cell, x / 2, cell.initial_state(), linear=kind == "linear")
    size, rho, is_bounded = np.linalg.norm(h, axis=1), float(np.hypot(*leading)), kind != "linear"
    gate = float(tap.last(KEEP_GATE[kind])[0]) if kind in KEEP_GATE else 0.0
    return Echo(
        kind=kind,
        eigenvalue=np.array(eigenvalue[0]),
        keep=gate,
        enters=float(tap.last("i")[0]) if kind == "LSTM" else 1 - gate,
        leading=leading,
        rho=rho,
        turn=oscillation_period(leading, rho, is_bounded),
        h=h,
        size=size,
        envelope=size[0] * rho ** np.arange(T),
        pulse=pulse,
        h_of_half=half.value("h").numpy(),
        half_life=half_life(size),
        fate=fate(rho, is_bounded),
    )


def half_life(size: np.ndarray) -> int | None:
    """Number of steps until the size stays below half of its first value."""
    above = np.flatnonzero(size >= size[0] / 2)
    return int(above[-1]) + 1 if above[-1] + 1 < len(size) else None


def fate(rho: float, is_bounded: bool) -> str:
    """What happens to the echo in the limit; this depends only on ρ, not on the number of steps drawn."""
    if np.isclose(rho, 1, rtol=0, atol=1e-9):
        return "wears off" if is_bounded else "stays"  # tanh shrinks the echo, but less at every step
    return "fades" if rho < 1 else "saturates" if is_bounded else "grows"


def oscillation_period(leading: np.ndarray, rho: float, is_bounded: bool) -> float | None:
    """Steps per oscillation; None if less than 1% of the echo is left after half an oscillation."""
    if is_bounded and rho > 1:
        return None  # an echo that tanh limits need not rotate with λ
    angle = float(np.arctan2(leading[1], leading[0]))
    visible_steps = np.log(MIN_VISIBLE) / np.log(rho) if 0 < rho < 1 else 0.0 if rho == 0 else np.inf
    return 2 * np.pi / angle if visible_steps * angle >= np.pi else None
