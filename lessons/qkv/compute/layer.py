"""One attention small enough to follow by hand. Its sums are those of models.multihead, with numbers a learner sets."""

import math
from dataclasses import dataclass

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
MATCH: Rows = ((4.0,), (1.0,), (2.0,), (1.5,))  # at the start


def raised(by: float) -> Rows:
    """Every match at the start, and so much more."""
    return tuple((match + by,) for (match,) in MATCH)


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
    scores = torch.tensor(match, dtype=torch.float64)[:, 0]  # (experts,)
    best = (scores == scores.max()).double()
    weights = best / best.sum() if hard else torch.softmax(scores, -1)
    said = torch.tensor([[float(word in words) for word in WORDS] for words in ADVICE.values()]).double()
    return Advice(
        tuple(ADVICE), scores.numpy(), weights.numpy(), WORDS, said.numpy(), (weights @ said).numpy(), hard
    )


# ---- the attention layer ----

MOST = 6  # rows, and numbers in a row
LOW, HIGH = -3, 3  # of a number
FILLS = ("own", "identity", "random")

# what a learner begins with
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
    E: np.ndarray  # (T, T); −∞ where the mask hides
    A: np.ndarray  # (T, T)
    Y: np.ndarray  # (T, d)
    changed: dict[
        str, tuple[tuple[int, int], ...]
    ]  # cells the learner has set, 0-based, by the name of their matrix
    moved: np.ndarray  # (T,) by how much that changed each row of Y, at most

    def idle(self) -> dict[str, str]:
        T, d = self.X.shape
        found = {} if self.fill == "random" else {"seed": "Only random numbers are drawn."}
        return (
            found
            | ({"scale": "√1 is 1."} if d == 1 else {})
            | ({"mask": "One row has no later rows."} if T == 1 else {})
        )


def matrices(
    T: int, d: int, fill: str, seed: int, scale: bool, mask: bool, X: Rows, W_Q: Rows, W_K: Rows, W_V: Rows
) -> Attention:
    """The first T rows of X and the first d numbers of each, through one attention layer; and what that was at the start."""
    yours, start = (
        through(T, d, scale, mask, *filled(fill, seed, given)) for given in ((X, W_Q, W_K, W_V), START)
    )
    changed = {
        name: tuple((row, column) for row, column in np.argwhere(yours[name] != start[name]).tolist())
        for name in ("X", "W_Q", "W_K", "W_V")
    }
    return Attention(
        fill, scale, mask, **yours, changed=changed, moved=np.abs(yours["Y"] - start["Y"]).max(1)
    )


def filled(fill: str, seed: int, given: tuple[Rows, ...]) -> list[Tensor]:
    """X, W_Q, W_K, W_V, each (MOST, MOST): as given, or with the identity for the matrices, or all drawn by chance."""
    if fill == "random":
        return drawn(seed, len(given))
    X, *W = (torch.tensor(rows, dtype=torch.float64) for rows in given)
    return [X, *([torch.eye(MOST).double()] * len(W) if fill == "identity" else W)]


def drawn(seed: int, many: int) -> list[Tensor]:
    """So many matrices by chance, each (MOST, MOST): what is cut out of them stays as it is when sizes change."""
    chance = torch.Generator().manual_seed(seed)
    return [
        torch.randn(MOST, MOST, generator=chance).double().clamp(-2, 2).round(decimals=1) for _ in range(many)
    ]


def through(T: int, d: int, scale: bool, mask: bool, X: Tensor, *W: Tensor) -> dict[str, np.ndarray]:
    """Every matrix of the layer by its name."""
    X, W = X[:T, :d], tuple(each[:d, :d] for each in W)
    Q, K, V = (X @ each for each in W)
    may_look = causal(T) if mask else None
    seen = attend(Q, K, V, may_look, scale)
    E = seen.last("scores")
    E = E if may_look is None else E.masked_fill(~may_look, -math.inf)
    named = zip(("W_Q", "W_K", "W_V"), W, strict=True)
    found = {
        "X": X,
        **dict(named),
        "Q": Q,
        "K": K,
        "V": V,
        "E": E,
        "A": seen.last("weights"),
        "Y": seen.last("Y"),
    }
    return {name: each.numpy() for name, each in found.items()}


def attend(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, scale: bool = True) -> Tap:
    """The layer's scores, weights and Y in sight. Without the scale, Q is made √d longer first, and the division undoes it."""
    tap = Tap()
    scaled_dot_product(Q if scale else Q * math.sqrt(Q.shape[-1]), K, V, mask, tap)
    return tap


def largest(a: Tensor, b: Tensor) -> float:
    """The largest difference of any two numbers."""
    return (a - b).abs().max().item()
