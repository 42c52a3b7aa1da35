"""One attention small enough to follow by hand. Its sums are those of models.multihead, with numbers a learner sets."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result, Rows
from models.multihead import causal, scaled_dot_product
from models.trace import Tap

# ---- whom to trust ----

ADVICE = {  # how to bridge two far places? Some words are said by more than one
    "engineer": ("raise", "pillars", "hang", "cable"),
    "biologist": ("grow", "nerve", "send", "signal"),
    "mathematician": ("draw", "map", "find", "path"),
    "programmer": ("lay", "cable", "send", "signal"),
}
WORDS = tuple(dict.fromkeys(word for words in ADVICE.values() for word in words))


@dataclass(frozen=True)
class Advice(Result):
    experts: tuple[str, ...]
    match: np.ndarray  # (experts,) how well each field fits the question
    weights: np.ndarray  # (experts,) softmax of the match; or all on the best
    words: tuple[str, ...]
    said: np.ndarray  # (experts, words) 1 where an expert says a word
    blend: np.ndarray  # (words,) the experts' answers, added up by weight
    hard: bool


def advice(match: Rows, hard: bool) -> Advice:
    """Everybody is asked, and heard as much as their field fits. Hard: only the best match is heard."""
    scores = torch.tensor(match)[:, 0]  # (experts,)
    best = (scores == scores.max()).double()
    weights = best / best.sum() if hard else torch.softmax(scores.double(), -1)
    said = torch.tensor([[float(word in words) for word in WORDS] for words in ADVICE.values()]).double()
    return Advice(tuple(ADVICE), scores.numpy(), weights.numpy(), WORDS, said.numpy(), (weights @ said).numpy(), hard)


# ---- the attention layer ----

MOST = 6  # rows, and numbers in a row
FILLS = ("own", "identity", "random")


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
    E: np.ndarray  # (T, T); −∞ where the mask hides
    A: np.ndarray  # (T, T)
    Y: np.ndarray  # (T, d)

    def limits(self) -> dict[str, Any]:
        """What is drawn by chance or is the identity is not set by hand."""
        T, d = self.X.shape
        weights = (d, d) if self.fill == "own" else (0, 0)
        return {"X": (0, 0) if self.fill == "random" else (T, d), "W_Q": weights, "W_K": weights, "W_V": weights}


def matrices(T: int, d: int, fill: str, seed: int, scale: bool, mask: bool, X: Rows, W_Q: Rows, W_K: Rows, W_V: Rows) -> Attention:
    """The first T rows of X and the first d numbers of each, through one attention layer."""
    given = {name: torch.tensor(rows).double() for name, rows in zip("XQKV", (X, W_Q, W_K, W_V), strict=True)}
    if fill == "random":
        chance = torch.Generator().manual_seed(seed)
        given = {name: torch.randn(MOST, MOST, generator=chance).double().clamp(-2, 2).round(decimals=1) for name in given}
    elif fill == "identity":
        given |= dict.fromkeys("QKV", torch.eye(MOST).double())
    X, *W = given["X"][:T, :d], *(given[name][:d, :d] for name in "QKV")
    Q, K, V = (X @ each for each in W)
    may_look = causal(T) if mask else None
    seen = attend(Q, K, V, may_look, scale)
    E = seen.last("scores")
    E = E if may_look is None else E.masked_fill(~may_look, -math.inf)
    arrays = (each.numpy() for each in (X, *W, Q, K, V, E, seen.last("weights"), seen.last("Y")))
    return Attention(fill, scale, mask, *arrays)


def attend(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, scale: bool = True) -> Tap:
    """The layer's scores, weights and Y in sight. Without the scale, Q is made √d longer first, and the division undoes it."""
    tap = Tap()
    scaled_dot_product(Q if scale else Q * math.sqrt(Q.shape[-1]), K, V, mask, tap)
    return tap


def largest(a: Tensor, b: Tensor) -> float:
    """The largest difference of any two numbers."""
    return (a - b).abs().max().item()
