"""Six steps of a vanilla RNN with the learner's weights, term by term."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lessons.kit.contract import Result, Rows
from lessons.recurrence.hand_cells import build_cell, run_cell

STEPS = 6
MAX_VALUE = {"W_hh": 3, "W_xh": 3, "b_h": 3, "h_0": 1}  # largest absolute value allowed


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
        """(m,) h_{t-1}, the state before the current step."""
        return np.vstack([self.h_0, self.h])[self.t - 1]

    def limits(self) -> dict[str, Any]:
        m, d = self.W_xh.shape
        more = (STEPS, d - 1) if d > 1 else (0, 0)
        return {"t": STEPS, "W_hh": (m, m), "W_xh": (m, d), "b_h": (m, 1), "h_0": (m, 1), "x_more": more}


def compute(
    m: int, d: int, W_hh: Rows, W_xh: Rows, b_h: Rows, h_0: Rows, x: Rows, x_more: Rows, t: int
) -> CellRun:
    """Run the first m units on d features. The first feature of each input is x, the others are x_more."""
    weights = {"W_hh": np.array(W_hh)[:m, :m], "W_xh": np.array(W_xh)[:m, :d], "b_h": np.array(b_h)[:m, 0]}
    start, inputs = np.array(h_0)[:m, 0], np.hstack([x, x_more])[:, :d]
    tap = run_cell(build_cell("vanilla", **weights), torch.tensor(inputs), (torch.tensor(start),))
    terms = {name: tap.value(name).numpy() for name in ("from_memory", "from_input", "sum", "h")}
    return CellRun(t=t, h_0=start, x=inputs, **weights, **terms)
