"""An attention layer with freely chosen sizes, and torch's error message if they do not fit."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.qkv.attention_layer import attend, draw_matrices

MAX_SIZE = 5
FILLS = ("random", "identity")
FLIPS = ("nothing", "queries", "inputs")  # options: which rows are reversed


class LayerOutput(NamedTuple):
    """E, A and Y of one run, or torch's error message if the sizes do not fit."""

    E: np.ndarray | None = None  # (T', T)
    A: np.ndarray | None = None  # (T', T)
    Y: np.ndarray | None = None  # (T', d_V)
    fault: str = ""


@dataclass(frozen=True)
class General(Result):
    """Q = X_Q W_Q, K = X W_K, V = X W_V;  E = Q Kᵀ / √d_K;  A = softmax of each row;  Y = A V"""

    own: bool  # whether this is self-attention (X_Q is X)
    fill: str
    turn: str  # which rows are reversed
    X_Q: np.ndarray  # (T', d_Q)
    X: np.ndarray  # (T, d_X)
    W_Q: np.ndarray  # (d_Q, d_K)
    W_K: np.ndarray  # (d_X, d_K); if its width differs from W_Q, there is no E, A or Y
    W_V: np.ndarray  # (d_X, d_V)
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    E: np.ndarray | None
    A: np.ndarray | None
    Y: np.ndarray | None
    fault: str  # torch's error message if Q and K do not fit
    as_drawn: tuple[np.ndarray, np.ndarray] | None  # A and Y without reversed rows
    stays: float | None  # largest difference between Y and the Y of unreversed rows
    along: float | None  # largest difference after also reversing the rows of the unreversed Y

    def idle(self) -> dict[str, str]:
        reasons: dict[str, str] = {}
        if self.own:
            reasons |= dict.fromkeys(("T_Q", "d_Q"), "Queries come from X.")
        if self.fill == "identity":
            reasons |= dict.fromkeys(("wide_Q", "wide_K", "d_V"), "With “identity”, every matrix is square.")
        return reasons


def compute(
    T: int,
    d_X: int,
    own: bool,
    T_Q: int,
    d_Q: int,
    wide_Q: int,
    wide_K: int,
    d_V: int,
    fill: str,
    seed: int,
    turn: str,
) -> General:
    """Let rows of X_Q attend to rows of X. Rows are reversed before the layer reads them."""
    inputs, queries, *W = draw_matrices(seed, 5)
    X = inputs[:T, :d_X]
    X_Q = X if own else queries[:T_Q, :d_Q]
    if fill == "identity":
        W_Q, W_K, W_V = (torch.eye(rows.shape[1]).double() for rows in (X_Q, X, X))
    else:
        sizes = ((X_Q, wide_Q), (X, wide_K), (X, d_V))
        W_Q, W_K, W_V = (
            each[: rows.shape[1], :columns] for each, (rows, columns) in zip(W, sizes, strict=True)
        )
    before = run_layer(X_Q @ W_Q, X @ W_K, X @ W_V)
    if own and turn != "nothing":
        X = X_Q = X.flip(0)
    elif turn == "queries":
        X_Q = X_Q.flip(0)
    elif turn == "inputs":
        X = X.flip(0)
    Q, K, V = X_Q @ W_Q, X @ W_K, X @ W_V
    now = run_layer(Q, K, V)
    stays = along = as_drawn = None
    if now.Y is not None and before.Y is not None and before.A is not None:
        as_drawn = (before.A, before.Y)
        stays, along = (float(np.abs(now.Y - Y).max()) for Y in (before.Y, before.Y[::-1]))
    given = {"X_Q": X_Q, "X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "Q": Q, "K": K, "V": V}
    matrices: dict[str, Any] = {name: each.numpy() for name, each in given.items()} | now._asdict()
    return General(own, fill, turn, **matrices, as_drawn=as_drawn, stays=stays, along=along)


def run_layer(Q: Tensor, K: Tensor, V: Tensor) -> LayerOutput:
    try:
        tap = attend(Q, K, V)
    except RuntimeError as error:
        return LayerOutput(fault=str(error))
    E, A, Y = (tap.last(name).numpy() for name in ("scores", "weights", "Y"))
    return LayerOutput(E, A, Y)
