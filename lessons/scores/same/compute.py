"""Two pairs of scores, each one function under two names, in float32 like the models."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lessons.kit.contract import Result, Rows
from lessons.scores.score_functions import KEY_NAMES, build_score

PAIRS = ("bilinear and dot", "additive and concat")


@dataclass(frozen=True)
class Same(Result):
    """The same query and keys, scored by both functions of a pair."""

    pair: str
    names: tuple[str, str]
    s: np.ndarray  # (2,)
    H: np.ndarray  # (4, 2)
    matrices: dict[str, np.ndarray]  # matrices of this pair, by name
    wanted: np.ndarray  # the W for which both scores agree: I, or [W_1 W_2]
    one: np.ndarray  # (4,) e_i
    other: np.ndarray  # (4,)

    @property
    def difference(self) -> np.ndarray:
        """(4,) difference between the two scores of each key."""
        return self.one - self.other

    @property
    def changed(self) -> frozenset[tuple[int, int]]:
        """Entries of W that differ from `wanted`."""
        return frozenset((int(r), int(c)) for r, c in np.argwhere(self.matrices["W"] != self.wanted))

    def limits(self) -> dict[str, Any]:
        """Limits of the controls. Matrices get no tables because they are edited inside the equation."""
        return dict.fromkeys(("W", "W_1", "W_2", "v", "W_c"), (0, 0))


def compute(pair: str, seed: int, W: Rows, W_1: Rows, W_2: Rows, v: Rows, W_c: Rows) -> Same:
    generator = torch.Generator().manual_seed(seed)
    # rounded to one decimal
    vectors = torch.randn(1 + len(KEY_NAMES), 2, generator=generator).mul(10).round().div(10)
    s, H = vectors[0], vectors[1:]
    if pair == PAIRS[0]:
        bilinear, dot = build_score("bilinear", torch.float32, W=W), build_score("dot")
        scores = bilinear(s, bilinear.keys(H)), dot(s, dot.keys(H))
        names, matrices, wanted = ("bilinear", "dot"), {"W": W}, np.eye(2)
    else:
        weights = {"W_1": W_1, "W_2": W_2, "v": tuple(value for (value,) in v)}
        additive = build_score("additive", torch.float32, **weights)
        scores = additive(s, additive.keys(H)), concat(s, H, torch.tensor(W_c), torch.tensor(v)[:, 0])
        names, matrices = ("additive", "concat"), {"W": W_c, "W_1": W_1, "W_2": W_2, "v": v}
        wanted = np.hstack([W_1, W_2])
    return Same(
        pair=pair,
        names=names,
        s=s.double().round(decimals=1).numpy(),
        H=H.double().round(decimals=1).numpy(),
        matrices={name: np.array(value) for name, value in matrices.items()},
        wanted=wanted,
        one=scores[0].numpy(),
        other=scores[1].numpy(),
    )


def concat(s: torch.Tensor, H: torch.Tensor, W: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """e_i = v_aᵀ tanh(W [h_i ; s]), with one matrix W (d_3, d_1 + d_2) for key and query."""
    stacked = torch.cat([H, s.expand(len(H), -1)], -1)  # (T, d_1 + d_2)
    return torch.tanh(stacked @ W.T) @ v
