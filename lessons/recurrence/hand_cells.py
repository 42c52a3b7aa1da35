"""Cells with weights set by the learner; the steps are computed by models.rnn."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.rnn import CELLS, Cell
from models.trace import Tap
from models.zoo import RNG_LOCK

KEEP_GATE = {"GRU": "z", "LSTM": "f"}  # the gate that multiplies the old memory


def build_cell(kind: str, **weights: Any) -> Cell:
    """Build a cell of models.rnn with the given weights in place of random ones."""
    tensors = {name: torch.as_tensor(np.array(value), dtype=torch.float64) for name, value in weights.items()}
    with RNG_LOCK, torch.random.fork_rng(devices=[]):
        cell = CELLS[kind](tensors["W_xh"].shape[1], tensors["W_hh"].shape[1])
    cell.load_state_dict(tensors, assign=True)
    return cell.requires_grad_(False)


def run_cell(cell: Cell, x: Tensor, state: tuple[Tensor, ...], linear: bool = False) -> Tap:
    """Read x (T, d) step by step and record every quantity. If linear, h is the sum itself, without tanh."""
    tap = Tap()
    if linear:
        tap.edits["h"] = lambda value, step: tap.last("sum")
    for t in tap.steps(range(len(x))):
        state = cell.step(x[t], state, tap)
    return tap
