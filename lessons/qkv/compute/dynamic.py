"""Three ways to mix the rows of X: a fixed table, a fixed window, and weights made from X itself. All drawn, none trained."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.kit.contract import Result
from lessons.qkv.compute.layer import attend

WORDS = ("the", "dog", "sees", "a", "cat", "near", "my", "house")
MADE_FOR = 5  # places that M has weights for
WIDTH = 3  # of the window
LAYERS = ("fully connected", "convolution", "attention")
CHANGES = ("nothing", "two swapped", "reversed", "a word twice")
LENGTHS = tuple(range(1, 33))  # of the curve
Mixed = tuple[Tensor, Tensor]  # who takes how much of whom, (T, T), and what comes of it, (T, d)


@dataclass(frozen=True)
class Dynamic(Result):
    change: str
    d: int
    words: tuple[str, ...]  # (T,) as they stand
    places: tuple[int, ...]  # (T,) which of them stands at each place now
    before: np.ndarray  # (3, T, T) who takes how much of whom, by layer; NaN where there is no weight
    now: np.ndarray  # (3, T, T)
    changed: np.ndarray  # (3,) how many of these weights are others
    moved: (
        np.ndarray
    )  # (3, T) how far each output is from the same word's before, at most; NaN where there is none
    along: float  # attention's weights against those of the same pairs of words: the largest difference
    apart: np.ndarray  # (3,) outputs of the second and the last place now: the largest difference
    fault: str  # what torch says of M and a sentence of another length
    counts: np.ndarray  # (3, lengths) numbers to learn

    @property
    def yours(self) -> tuple[str, ...]:
        return tuple(self.words[i] for i in self.places)


def dynamic(change: str, T: int, d: int, seed: int) -> Dynamic:
    """The same layers read the sentence as it stands, and as you have changed it."""
    chance = torch.Generator().manual_seed(seed)
    M = 2 * torch.rand(MADE_FOR, MADE_FOR, generator=chance).double() - 1
    kernel = 2 * torch.rand(WIDTH, generator=chance).double() - 1
    table = torch.randn(len(WORDS), d, generator=chance).double()
    W = torch.randn(3, d, d, generator=chance).double() * (2 / d) ** 0.5
    mixers: tuple[Callable[[Tensor], Mixed], ...] = (
        lambda X: fully_connected(X, M),
        lambda X: convolution(X, kernel),
        lambda X: attention(X, *W),
    )
    X, now = table[:T], places(change, T)
    (maps, Y), (your_maps, your_Y) = (
        map(torch.stack, zip(*(mix(rows) for mix in mixers), strict=True)) for rows in (X, X[list(now)])
    )
    same_pairs = maps[2][list(now)][:, list(now)]
    return Dynamic(
        change=change,
        d=d,
        words=WORDS[:T],
        places=now,
        before=maps.numpy(),
        now=your_maps.numpy(),
        changed=((your_maps - maps).abs() > 1e-6).sum((1, 2)).numpy(),
        moved=(your_Y - Y[:, list(now)]).abs().amax(-1).numpy(),
        along=(your_maps[2] - same_pairs).abs().max().item() if len(set(now)) == T else float("nan"),
        apart=(your_Y[:, 1] - your_Y[:, -1]).abs().amax(-1).numpy(),
        fault=refusal(X, M),
        counts=np.array([learned(length, d) for length in LENGTHS]).T,
    )


def places(change: str, T: int) -> tuple[int, ...]:
    """Which word of the sentence stands at each place now. The second and the last are two that can change places."""
    now = list(range(T))
    if change == "reversed":
        now.reverse()
    elif change == "two swapped":
        now[1], now[-1] = now[-1], now[1]
    elif change == "a word twice":
        now[-1] = 1
    return tuple(now)


def fully_connected(X: Tensor, M: Tensor) -> Mixed:
    """Y = M X. A shorter X is filled up with rows of zeros; for a longer one M has no weights, and there is no Y."""
    T, has = len(X), min(len(X), len(M))
    weights = torch.full((T, T), torch.nan, dtype=X.dtype)
    weights[:has, :has] = M[:has, :has]
    return weights, weights @ X


def convolution(X: Tensor, kernel: Tensor) -> Mixed:
    """A window of three rows, with zeros beyond the ends."""
    T = len(X)
    weights = sum(torch.diag(kernel[j + 1].expand(T - abs(j)), j) for j in (-1, 0, 1))
    assert isinstance(weights, Tensor)
    return weights, F.conv1d(X.T[:, None], kernel[None, None], padding=1)[:, 0].T


def attention(X: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> Mixed:
    """Self-attention, as in The layer: A is made from this X."""
    seen = attend(X @ W_Q, X @ W_K, X @ W_V)
    return seen.last("weights"), seen.last("Y")


def refusal(X: Tensor, M: Tensor) -> str:
    """torch's own words, if these rows do not fit this table."""
    try:
        F.linear(X.T, M)
    except RuntimeError as error:
        return str(error)
    return ""


def learned(T: int, d: int) -> tuple[int, int, int]:
    """Weights of M (one for each pair of places), of the window, and of W_Q, W_K and W_V."""
    return T**2, WIDTH, 3 * d**2
