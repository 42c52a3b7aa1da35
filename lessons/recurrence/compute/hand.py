"""Cells small enough to follow by hand. Their steps are those of models.rnn, with weights a learner sets."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Numbers, Result, Rows
from models.rnn import CELLS, Cell
from models.trace import Tap
from models.zoo import BUILDING

STEPS = 6  # of the cell by hand
MOST = {"W_hh": 3, "W_xh": 3, "b_h": 3, "h_0": 1}  # how far its numbers go, up and down


def cell_with(kind: str, **weights: Any) -> Cell:
    """A cell of models.rnn with these weights; what it was born with is random, and gone."""
    tensors = {name: torch.as_tensor(np.array(value), dtype=torch.float64) for name, value in weights.items()}
    with BUILDING, torch.random.fork_rng(devices=[]):
        made = CELLS[kind](tensors["W_xh"].shape[1], tensors["W_hh"].shape[1])
    made.load_state_dict(tensors, assign=True)
    return made.requires_grad_(False)


def walk(cell: Cell, x: Tensor, state: tuple[Tensor, ...], linear: bool = False) -> Tap:
    """Reads x (T, d) step by step, in sight of a tap. Linear: h is the sum itself, as if there were no tanh."""
    tap = Tap()
    if linear:
        tap.edits["h"] = lambda value, step: tap.last("sum")
    for t in tap.steps(range(len(x))):
        state = cell.step(x[t], state, tap)
    return tap


# ---- one cell by hand ----


@dataclass(frozen=True)
class CellRun(Result):
    """h_t = tanh(W_hh h_{t-1} + W_xh x_t + b_h) for t = 1 … 6, term by term."""

    t: int
    W_hh: np.ndarray  # (m, m)
    W_xh: np.ndarray  # (m, d)
    b_h: np.ndarray  # (m,)
    h_0: np.ndarray  # (m,)
    x: np.ndarray  # (6, d)
    from_memory: np.ndarray  # (6, m) W_hh h_{t-1}
    from_input: np.ndarray  # (6, m) W_xh x_t
    sum: np.ndarray  # (6, m)
    h: np.ndarray  # (6, m)

    @property
    def h_before(self) -> np.ndarray:
        """h_{t-1} of the step looked at (m,)"""
        return np.vstack([self.h_0, self.h])[self.t - 1]

    def limits(self) -> dict[str, Any]:
        m, d = self.W_xh.shape
        more = (STEPS, d - 1) if d > 1 else (0, 0)
        return {"t": STEPS, "W_hh": (m, m), "W_xh": (m, d), "b_h": (m, 1), "h_0": (m, 1), "x_more": more}


def cell(
    m: int, d: int, W_hh: Rows, W_xh: Rows, b_h: Rows, h_0: Rows, x: Rows, x_more: Rows, t: int
) -> CellRun:
    """The first m units and d features of what is set. The first feature of each input is x, the others are x_more."""
    weights = {"W_hh": np.array(W_hh)[:m, :m], "W_xh": np.array(W_xh)[:m, :d], "b_h": np.array(b_h)[:m, 0]}
    start, inputs = np.array(h_0)[:m, 0], np.hstack([x, x_more])[:, :d]
    tap = walk(cell_with("vanilla", **weights), torch.tensor(inputs), (torch.tensor(start),))
    terms = {name: tap.value(name).numpy() for name in ("from_memory", "from_input", "sum", "h")}
    return CellRun(t=t, h_0=start, x=inputs, **weights, **terms)


# ---- the echo of one pulse ----

KINDS = ("linear", "vanilla", "GRU", "LSTM")
GATE = {"GRU": "z", "LSTM": "f"}  # the gate that keeps
PUSH = 10.0  # how hard an input of 1 pushes the gates that let it in
OPEN = 40.0  # the bias of a gate that is always open: σ(40) is 1 to the last digit


def rotation(eigenvalue: Numbers) -> np.ndarray:
    """The 2 × 2 matrix that turns and stretches; its eigenvalues are a ± bi."""
    a, b = eigenvalue
    return np.array([[a, -b], [b, a]])


def pulsed(kind: str, eigenvalue: Numbers, keep: float) -> Cell:
    """Two units that one input reaches through the first. In the gated cells an input opens the way in, and in silence only
    the bias `keep` of the gate that keeps (z of the GRU, f of the LSTM) decides what stays."""
    W, first, none = rotation(eigenvalue), [[1.0], [0.0]], np.zeros((2, 2))
    if kind in ("linear", "vanilla"):
        return cell_with("vanilla", W_hh=W, W_xh=first, b_h=[0, 0])
    if kind == "GRU":  # blocks r, z, n; the candidate sees all of the memory
        W_xh, bias = np.vstack([[[0], [0]], [[-PUSH], [-PUSH]], first]), [OPEN, OPEN, keep, keep, 0, 0]
        return cell_with("GRU", W_hh=np.vstack([none, none, W]), W_xh=W_xh, b_h=bias, b_hh=np.zeros(6))
    W_xh = np.vstack([[[PUSH], [PUSH]], [[0], [0]], first, [[0], [0]]])  # blocks i, f, g, o; o stays open
    bias = [-PUSH / 2, -PUSH / 2, keep, keep, 0, 0, OPEN, OPEN]
    return cell_with("LSTM", W_hh=np.vstack([none, none, W, none]), W_xh=W_xh, b_h=bias)


def at_rest(cell: Cell) -> np.ndarray:
    """The leading eigenvalue of one silent step near the empty state, by autograd: as (real, imaginary ≥ 0)."""
    silence = torch.zeros(cell.P, dtype=torch.float64)

    def step(state: Tensor) -> Tensor:
        return torch.cat(cell.step(silence, state.chunk(cell.state_vectors)))

    values = torch.linalg.eigvals(torch.autograd.functional.jacobian(step, torch.cat(cell.initial_state())))
    leading = values[values.abs().argmax()]
    return np.array([leading.real.item(), abs(leading.imag.item())])


@dataclass(frozen=True)
class MemoryRun(Result):
    kind: str
    eigenvalue: np.ndarray  # (2,) of W_hh: real and imaginary
    keep: float  # the value of the gate that keeps, in silence; 0 where there is none
    enters: float  # how much of the candidate a silent step takes: 1 − z, or i; 1 where there is no gate
    leading: np.ndarray  # (2,) the eigenvalue of the whole silent step near rest,
    rho: float  # and its size: the factor by which a silent step multiplies a faint echo
    turn: (
        float | None
    )  # steps in which the echo goes round once; None if it fades before that can be seen, or tanh holds it
    h: np.ndarray  # (T, 2)
    size: np.ndarray  # (T,) ‖h_t‖
    envelope: np.ndarray  # (T,) ‖h_1‖ · rho^(t-1)
    half_life: (
        int | None
    )  # steps after the pulse until less than half of it is left for good, if that is within T
    fate: str  # fades | wears off | stays | saturates | grows

    def idle(self) -> dict[str, str]:
        return {} if self.kind in GATE else {"keep": f"The {self.kind} cell has no gate."}


def memory(eigenvalue: Rows, kind: str, pulse: float, keep: float, T: int) -> MemoryRun:
    """x_1 is the pulse, then silence. What is left of it in h?"""
    cell = pulsed(kind, eigenvalue[0], keep)
    x = torch.zeros(T, 1, dtype=torch.float64)
    x[0] = pulse
    tap = walk(cell, x, cell.initial_state(), linear=kind == "linear")
    h, leading = tap.value("h").numpy(), at_rest(cell)
    size, rho = np.linalg.norm(h, axis=1), float(np.hypot(*leading))
    kept = float(tap.last(GATE[kind])[0]) if kind in GATE else 0.0
    return MemoryRun(
        kind=kind,
        eigenvalue=np.array(eigenvalue[0]),
        keep=kept,
        enters=float(tap.last("i")[0]) if kind == "LSTM" else 1 - kept,
        leading=leading,
        rho=rho,
        turn=turn(leading, rho, bounded=kind != "linear"),
        h=h,
        size=size,
        envelope=size[0] * rho ** np.arange(T),
        half_life=half_life(size),
        fate=fate(rho, bounded=kind != "linear"),
    )


def half_life(size: np.ndarray) -> int | None:
    """Steps until the size stays below half of the first."""
    above = np.flatnonzero(size >= size[0] / 2)
    return int(above[-1]) + 1 if above[-1] + 1 < len(size) else None


def fate(rho: float, bounded: bool) -> str:
    """What becomes of the pulse in the end: up to the step alone, however long somebody watches."""
    if np.isclose(rho, 1, rtol=0, atol=1e-9):
        return "wears off" if bounded else "stays"  # tanh takes a little at every step, ever less
    return "fades" if rho < 1 else "saturates" if bounded else "grows"


def turn(leading: np.ndarray, rho: float, bounded: bool) -> float | None:
    """Steps of one round, where half a round is made before less than 1% is left."""
    angle = float(np.arctan2(leading[1], leading[0]))
    lasts = np.log(0.01) / np.log(rho) if 0 < rho < 1 else 0.0 if rho == 0 else np.inf
    held = bounded and rho > 1  # what tanh holds need not turn with λ
    return 2 * np.pi / angle if not held and lasts * angle >= np.pi else None
