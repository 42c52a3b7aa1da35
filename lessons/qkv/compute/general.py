"""The layer with every size free: rows that ask, rows that are looked at. Which sizes must agree?"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.qkv.compute.layer import attend, drawn

MOST = 5  # of every size
FILLS = ("random", "identity")
TURNS = ("nothing", "queries", "inputs")


class Seen(NamedTuple):
    """E, A, Y of one run; or, where sizes do not meet, what torch says."""

    E: np.ndarray | None = None  # (T', T)
    A: np.ndarray | None = None  # (T', T)
    Y: np.ndarray | None = None  # (T', d_V)
    fault: str = ""


@dataclass(frozen=True)
class General(Result):
    """Q = X_Q W_Q, K = X W_K, V = X W_V;  E = Q Kᵀ / √d_K;  A = softmax of each row;  Y = A V"""

    own: bool  # X asks itself
    fill: str
    turn: str  # whose rows are upside down
    X_Q: np.ndarray  # (T', d_Q)
    X: np.ndarray  # (T, d_X)
    W_Q: np.ndarray  # (d_Q, d_K)
    W_K: np.ndarray  # (d_X, d_K), or with another width: then nothing comes of it
    W_V: np.ndarray  # (d_X, d_V)
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    E: np.ndarray | None
    A: np.ndarray | None
    Y: np.ndarray | None
    fault: str  # torch's own words, where Q and K do not meet
    as_drawn: tuple[np.ndarray, np.ndarray] | None  # A and Y before rows were turned
    stays: float | None  # Y against Y as drawn: the largest difference of any number
    along: float | None  # the same, once Y is turned back

    def idle(self) -> dict[str, str]:
        found: dict[str, str] = {}
        if self.own:
            found |= dict.fromkeys(("T_Q", "d_Q"), "X asks itself.")
        if self.fill == "identity":
            found |= dict.fromkeys(("wide_Q", "wide_K", "d_V"), "The identity is square.")
        return found


def general(
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
    """Rows of X_Q (or of X itself) look at rows of X. Who is turned is turned before the layer sees it."""
    inputs, queries, *W = drawn(seed, 5)
    X = inputs[:T, :d_X]
    X_Q = X if own else queries[:T_Q, :d_Q]
    if fill == "identity":
        W_Q, W_K, W_V = (torch.eye(rows.shape[1]).double() for rows in (X_Q, X, X))
    else:
        sizes = ((X_Q, wide_Q), (X, wide_K), (X, d_V))
        W_Q, W_K, W_V = (
            each[: rows.shape[1], :columns] for each, (rows, columns) in zip(W, sizes, strict=True)
        )
    before = seen(X_Q @ W_Q, X @ W_K, X @ W_V)
    if own and turn != "nothing":
        X = X_Q = X.flip(0)
    elif turn == "queries":
        X_Q = X_Q.flip(0)
    elif turn == "inputs":
        X = X.flip(0)
    Q, K, V = X_Q @ W_Q, X @ W_K, X @ W_V
    now = seen(Q, K, V)
    stays = along = as_drawn = None
    if now.Y is not None and before.Y is not None and before.A is not None:
        as_drawn = (before.A, before.Y)
        stays, along = (float(np.abs(now.Y - Y).max()) for Y in (before.Y, before.Y[::-1]))
    given = {"X_Q": X_Q, "X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "Q": Q, "K": K, "V": V}
    named: dict[str, Any] = {name: each.numpy() for name, each in given.items()} | now._asdict()
    return General(own, fill, turn, **named, as_drawn=as_drawn, stays=stays, along=along)


def seen(Q: Tensor, K: Tensor, V: Tensor) -> Seen:
    """The layer of models.multihead, with its own complaint where it has one."""
    try:
        tap = attend(Q, K, V)
    except RuntimeError as error:
        return Seen(fault=str(error))
    E, A, Y = (tap.last(name).numpy() for name in ("scores", "weights", "Y"))
    return Seen(E, A, Y)
