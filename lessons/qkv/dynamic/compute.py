"""Three layers with random weights that mix the rows of X: fully connected, convolution, attention."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.kit.contract import Result
from lessons.qkv.attention_layer import attend
from lessons.qkv.word_order import reorder, words_at

WORDS = ("the", "dog", "sees", "a", "cat", "near", "my", "house")
FIXED_LENGTH = 5  # number of positions that M has weights for
WINDOW_SIZE = 3
LAYERS = ("fully connected", "convolution", "attention")
CHANGES = ("no change", "two words swapped", "reversed", "a word twice")
LENGTHS = tuple(range(1, 33))  # sentence lengths of the curve
Mixed = tuple[Tensor, Tensor]  # weights (T, T) of each input in each output; outputs (T, d)


@dataclass(frozen=True)
class Dynamic(Result):
    change: str
    d: int
    words: tuple[str, ...]  # (T,) in the original order
    places: tuple[int, ...]  # (T,) index of the word now at each position
    before: np.ndarray  # (3, T, T) weights of each layer, original sentence; NaN where there is no weight
    now: np.ndarray  # (3, T, T) weights for the edited sentence
    changed: np.ndarray  # (3,) number of weights that differ
    moved: np.ndarray  # (3, T) largest change in each word's output; NaN where there is no output
    along: float  # for attention: largest change of a weight between the same two words
    apart: np.ndarray  # (3,) largest difference between the outputs at the second and the last position
    fault: str  # torch's error message for M and a sentence of a different length
    counts: np.ndarray  # (3, lengths) number of parameters

    @property
    def edited_words(self) -> tuple[str, ...]:
        return words_at(self.words, self.places)


def compute(change: str, T: int, d: int, seed: int) -> Dynamic:
    """Run the same three layers on the original sentence and on the edited one."""
    generator = torch.Generator().manual_seed(seed)
    M = 2 * torch.rand(FIXED_LENGTH, FIXED_LENGTH, generator=generator).double() - 1
    kernel = 2 * torch.rand(WINDOW_SIZE, generator=generator).double() - 1
    embeddings = torch.randn(len(WORDS), d, generator=generator).double()
    W = torch.randn(3, d, d, generator=generator).double() * (2 / d) ** 0.5
    layers: tuple[Callable[[Tensor], Mixed], ...] = (
        lambda X: fully_connected(X, M),
        lambda X: convolution(X, kernel),
        lambda X: attention(X, *W),
    )
    X, places = embeddings[:T], new_places(change, T)
    (before, Y), (now, new_Y) = (
        map(torch.stack, zip(*(layer(rows) for layer in layers), strict=True))
        for rows in (X, X[list(places)])
    )
    same_pairs = before[2][list(places)][:, list(places)]
    return Dynamic(
        change=change,
        d=d,
        words=WORDS[:T],
        places=places,
        before=before.numpy(),
        now=now.numpy(),
        changed=((now - before).abs() > 1e-6).sum((1, 2)).numpy(),
        moved=(new_Y - Y[:, list(places)]).abs().amax(-1).numpy(),
        along=(now[2] - same_pairs).abs().max().item() if len(set(places)) == T else float("nan"),
        apart=(new_Y[:, 1] - new_Y[:, -1]).abs().amax(-1).numpy(),
        fault=length_error(X, M),
        counts=np.array([parameter_counts(length, d) for length in LENGTHS]).T,
    )


def new_places(change: str, T: int) -> tuple[int, ...]:
    """Index of the word now at each position."""
    places = reorder(change, T, (1, T - 1))
    if change == "a word twice":
        places[-1] = 1
    return tuple(places)


def fully_connected(X: Tensor, M: Tensor) -> Mixed:
    """Y = M X. A shorter X is padded with zeros; for a longer X, M has no weights and there is no Y."""
    T, known = len(X), min(len(X), len(M))
    weights = torch.full((T, T), torch.nan, dtype=X.dtype)
    weights[:known, :known] = M[:known, :known]
    return weights, weights @ X


def convolution(X: Tensor, kernel: Tensor) -> Mixed:
    """Mix a window of three rows, with zero padding at both ends."""
    T = len(X)
    weights = sum(torch.diag(kernel[j + 1].expand(T - abs(j)), j) for j in (-1, 0, 1))
    assert isinstance(weights, Tensor)
    return weights, F.conv1d(X.T[:, None], kernel[None, None], padding=1)[:, 0].T


def attention(X: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> Mixed:
    """Run self-attention, whose weights are computed from X."""
    tap = attend(X @ W_Q, X @ W_K, X @ W_V)
    return tap.last("weights"), tap.last("Y")


def length_error(X: Tensor, M: Tensor) -> str:
    """torch's error message if M does not fit the number of rows of X; "" if it fits."""
    try:
        F.linear(X.T, M)
    except RuntimeError as error:
        return str(error)
    return ""


def parameter_counts(T: int, d: int) -> tuple[int, int, int]:
    """Number of parameters of M (one per pair of positions), of the window, and of W_Q, W_K and W_V."""
    return T**2, WINDOW_SIZE, 3 * d**2
