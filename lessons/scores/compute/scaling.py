"""Random queries and keys of d numbers: what their scores do to the softmax, with and without 1/√d."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from models.attention import SCORES

WAYS = ("dot", "scaled dot")
KEYS = 16
QUERIES, SETS = 64, 16  # every query looks at every set of keys
POWERS = 10  # d = 1, 2, 4 … 1024


@dataclass(frozen=True)
class Samples:
    """By way and size d = 2⁰ … 2¹⁰, over every query and every set of keys."""

    scores: torch.Tensor  # (2, 11, queries · sets, keys)

    @cached_property
    def weights(self) -> torch.Tensor:
        return torch.softmax(self.scores, -1)

    @cached_property
    def spread(self) -> np.ndarray:
        """(2, 11) standard deviation of the scores"""
        return self.scores.flatten(2).numpy().std(-1, ddof=1)

    @cached_property
    def entropy(self) -> np.ndarray:
        """(2, 11) of the weights, in bits; log₂ of the number of keys if all get the same"""
        return torch.special.entr(self.weights).sum(-1).mean(-1).div(np.log(2)).numpy()

    @cached_property
    def gradient(self) -> np.ndarray:
        """(2, 11) ‖∂α/∂e‖: how much the weights still move when the scores do.

        ∂α_i/∂e_j = α_i (δ_ij − α_j), and the sum of all their squares is Σ α_i² − 2 Σ α_i³ + (Σ α_i²)².
        """
        second, third = (self.weights**power for power in (2, 3))
        squares = second.sum(-1) - 2 * third.sum(-1) + second.sum(-1) ** 2
        return squares.clamp(min=0).sqrt().mean(-1).numpy()

    @cached_property
    def largest(self) -> np.ndarray:
        """(2, 11) the weight of the winner"""
        return self.weights.amax(-1).mean(-1).numpy()


@memoize
def samples(seed: int) -> Samples:
    """Every number of every vector is drawn from the standard normal distribution; size d takes the first d numbers."""
    drawn = torch.randn(QUERIES + SETS * KEYS, 2**POWERS, generator=torch.Generator().manual_seed(seed))
    s, H, sizes = drawn[:QUERIES], drawn[QUERIES:], [2**k for k in range(POWERS + 1)]
    products = torch.stack(
        [(s[:, :d] @ H[:, :d].mT).reshape(-1, KEYS) for d in sizes]
    )  # the same for both ways
    scales = torch.tensor([[SCORES[way](d).scale for d in sizes] for way in WAYS])  # (2, 11)
    return Samples(scales[..., None, None] * products)


@dataclass(frozen=True)
class Scaling(Result):
    """First dot, then scaled dot."""

    k: int  # d = 2ᵏ
    scaled: bool
    sizes: np.ndarray  # (11,) d
    spread: np.ndarray  # (2, 11)
    weights: np.ndarray  # (2, 16) of the first query
    winner: np.ndarray  # (2,) the largest weight, at this size
    slope: np.ndarray  # (2,) the gradient, at this size
    _drawn: Samples

    @cached_property
    def entropy(self) -> np.ndarray:
        return self._drawn.entropy  # (2, 11) bits

    @cached_property
    def gradient(self) -> np.ndarray:
        return self._drawn.gradient  # (2, 11)

    @cached_property
    def largest(self) -> np.ndarray:
        return self._drawn.largest  # (2, 11)

    @property
    def d(self) -> int:
        return int(self.sizes[self.k])

    def idle(self) -> dict[str, str]:
        return {} if self.k else {"scaled": "√1 is 1: there is nothing to divide by."}


def scaling(k: int, scaled: bool, seed: int) -> Scaling:
    drawn = samples(seed)
    here = Samples(drawn.scores[:, k : k + 1])
    return Scaling(
        k=k,
        scaled=scaled,
        sizes=2 ** np.arange(POWERS + 1),
        spread=drawn.spread,
        weights=here.weights[:, 0, 0].numpy(),
        winner=here.largest[:, 0],
        slope=here.gradient[:, 0],
        _drawn=drawn,
    )
