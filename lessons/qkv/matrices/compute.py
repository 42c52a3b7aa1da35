"""One attention layer small enough to follow by hand, with numbers that the learner sets."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result, Rows
from lessons.qkv.attention_layer import MAX_SIZE, attend, draw_matrices
from models.multihead import causal

GIVEN = ("X", "W_Q", "W_K", "W_V")
MIN_VALUE, MAX_VALUE = -3, 3
FILLS = ("set by hand", "identity", "random")

# ---- starting values, (MAX_SIZE, MAX_SIZE) each ----
X = (
    (1.0, 0.0, 0.5, -0.5, 0.0, 1.0),
    (0.0, 1.0, -0.5, 0.5, 1.0, 0.0),
    (1.0, 1.0, 0.0, 0.0, -1.0, 0.5),
    (-1.0, 0.5, 1.0, 0.0, 0.5, -0.5),
    (0.5, -1.0, 0.0, 1.0, 0.0, 0.5),
    (0.0, 0.5, -1.0, -0.5, 1.0, 1.0),
)
W_Q = (
    (2.0, 0.0, 0.5, 0.0, -0.5, 0.0),
    (0.0, 1.0, 0.0, 0.5, 0.0, -0.5),
    (0.5, 0.0, 1.0, 0.0, 0.5, 0.0),
    (0.0, 0.5, 0.0, 1.0, 0.0, 0.5),
    (-0.5, 0.0, 0.5, 0.0, 1.0, 0.0),
    (0.0, -0.5, 0.0, 0.5, 0.0, 1.0),
)
W_K = (
    (0.0, 1.0, 0.0, 0.5, 0.0, 0.0),
    (2.0, 0.0, 0.5, 0.0, 0.0, 0.5),
    (0.0, 0.5, 0.0, 1.0, 0.0, 0.0),
    (0.5, 0.0, 1.0, 0.0, 0.5, 0.0),
    (0.0, 0.0, 0.0, 0.5, 0.0, 1.0),
    (0.0, 0.5, 0.0, 0.0, 1.0, 0.0),
)
W_V = (
    (1.0, -1.0, 0.0, 0.0, 0.5, 0.0),
    (1.0, 1.0, 0.0, 0.5, 0.0, 0.0),
    (0.0, 0.0, 1.0, -1.0, 0.0, 0.5),
    (0.0, 0.5, 1.0, 1.0, 0.0, 0.0),
    (0.5, 0.0, 0.0, 0.0, 1.0, -1.0),
    (0.0, 0.0, 0.5, 0.0, 1.0, 1.0),
)
START = (X, W_Q, W_K, W_V)


@dataclass(frozen=True)
class Attention(Result):
    """Q = X W_Q, K = X W_K, V = X W_V;  E = Q Kᵀ / √d;  A = softmax of each row;  Y = A V"""

    fill: str
    scale: bool
    mask: bool
    X: np.ndarray  # (T, d)
    W_Q: np.ndarray  # (d, d)
    W_K: np.ndarray  # (d, d)
    W_V: np.ndarray  # (d, d)
    Q: np.ndarray  # (T, d)
    K: np.ndarray  # (T, d)
    V: np.ndarray  # (T, d)
    E: np.ndarray  # (T, T); −∞ where masked
    A: np.ndarray  # (T, T)
    Y: np.ndarray  # (T, d)
    changed: dict[str, tuple[tuple[int, int], ...]]  # matrix → cells changed by the learner, 0-based
    moved: np.ndarray  # (T,) largest resulting change in each row of Y

    def idle(self) -> dict[str, str]:
        T, d = self.X.shape
        reasons = {} if self.fill == "random" else {"seed": "Only random numbers depend on the seed."}
        if d == 1:
            reasons["scale"] = "√1 is 1."
        if T == 1:
            reasons["mask"] = "One row has no later rows."
        return reasons


def compute(
    T: int, d: int, fill: str, seed: int, scale: bool, mask: bool, X: Rows, W_Q: Rows, W_K: Rows, W_V: Rows
) -> Attention:
    """Run the layer on T rows of d numbers, as edited and with the starting values."""
    edited, start = (
        run_layer(T, d, scale, mask, *fill_matrices(fill, seed, given))
        for given in ((X, W_Q, W_K, W_V), START)
    )
    changed = {
        name: tuple((row, column) for row, column in np.argwhere(edited[name] != start[name]).tolist())
        for name in GIVEN
    }
    moved = np.abs(edited["Y"] - start["Y"]).max(1)
    return Attention(fill, scale, mask, **edited, changed=changed, moved=moved)


def fill_matrices(fill: str, seed: int, given: tuple[Rows, ...]) -> list[Tensor]:
    """X, W_Q, W_K and W_V, (MAX_SIZE, MAX_SIZE) each: as given, with identity matrices, or all random."""
    if fill == "random":
        return draw_matrices(seed, len(given))
    X, *W = (torch.tensor(rows, dtype=torch.float64) for rows in given)
    return [X, *([torch.eye(MAX_SIZE).double()] * len(W) if fill == "identity" else W)]


def run_layer(T: int, d: int, scale: bool, mask: bool, X: Tensor, *W: Tensor) -> dict[str, np.ndarray]:
    """Run the layer and return every matrix by name."""
    X, W = X[:T, :d], tuple(each[:d, :d] for each in W)
    Q, K, V = (X @ each for each in W)
    allowed = causal(T) if mask else None
    tap = attend(Q, K, V, allowed, scale)
    E = tap.last("scores")
    E = E if allowed is None else E.masked_fill(~allowed, -math.inf)
    matrices = dict(zip(GIVEN, (X, *W), strict=True)) | {"Q": Q, "K": K, "V": V, "E": E}
    matrices |= {"A": tap.last("weights"), "Y": tap.last("Y")}
    return {name: matrix.numpy() for name, matrix in matrices.items()}
