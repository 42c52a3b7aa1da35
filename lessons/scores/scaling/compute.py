"""Scores of random queries and keys of size d, with and without 1/√d, and the softmax of these scores."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from models.attention import SCORES

NAMES = ("dot", "scaled dot")
KEY_COUNT = 16
QUERY_COUNT, KEY_SETS = 64, 16  # every query is scored with every set of keys
MAX_POWER = 10  # d = 1, 2, 4 … 1024


@dataclass(frozen=True)
class Samples:
    """Statistics for each score and size d = 2⁰ … 2¹⁰, over all queries and sets of keys."""

    scores: torch.Tensor  # (2, 11, queries · sets, keys)

    @cached_property
    def weights(self) -> torch.Tensor:
        return torch.softmax(self.scores, -1)

    @cached_property
    def spread(self) -> np.ndarray:
        """(2, 11) standard deviation of the scores."""
        return self.scores.flatten(2).numpy().std(-1, ddof=1)

    @cached_property
    def entropy(self) -> np.ndarray:
        """(2, 11) entropy of the weights in bits; log₂ of the number of keys if all weights are equal."""
        return torch.special.entr(self.weights).sum(-1).mean(-1).div(np.log(2)).numpy()

    @cached_property
    def gradient(self) -> np.ndarray:
        """(2, 11) ‖∂α/∂e‖, the norm of the softmax's Jacobian.

        ∂α_i/∂e_j = α_i (δ_ij − α_j), and the sum of their squares is Σ α_i² − 2 Σ α_i³ + (Σ α_i²)².
        """
        second, third = (self.weights**power for power in (2, 3))
        squares = second.sum(-1) - 2 * third.sum(-1) + second.sum(-1) ** 2
        return squares.clamp(min=0).sqrt().mean(-1).numpy()

    @cached_property
    def largest(self) -> np.ndarray:
        """(2, 11) mean of the largest weight."""
        return self.weights.amax(-1).mean(-1).numpy()


@memoize
def draw_samples(seed: int) -> Samples:
    """Draw vectors with standard normal entries; size d uses the first d entries."""
    generator = torch.Generator().manual_seed(seed)
    vectors = torch.randn(QUERY_COUNT + KEY_SETS * KEY_COUNT, 2**MAX_POWER, generator=generator)
    s, H, sizes = vectors[:QUERY_COUNT], vectors[QUERY_COUNT:], [2**k for k in range(MAX_POWER + 1)]
    products = torch.stack([(s[:, :d] @ H[:, :d].mT).reshape(-1, KEY_COUNT) for d in sizes])
    scales = torch.tensor([[SCORES[name](d).scale for d in sizes] for name in NAMES])  # (2, 11)
    return Samples(scales[..., None, None] * products)


@dataclass(frozen=True)
class Scaling(Result):
    """Results at size d. In each pair: dot, then scaled dot."""

    k: int  # d = 2ᵏ
    scaled: bool
    sizes: np.ndarray  # (11,) d
    spread: np.ndarray  # (2, 11) standard deviation of the scores
    weights: np.ndarray  # (2, 16) weights of the first query
    winner: np.ndarray  # (2,) mean of the largest weight at this size
    slope: np.ndarray  # (2,) norm of the gradient at this size
    _samples: Samples

    @cached_property
    def entropy(self) -> np.ndarray:
        return self._samples.entropy  # (2, 11) bits

    @cached_property
    def gradient(self) -> np.ndarray:
        return self._samples.gradient  # (2, 11)

    @cached_property
    def largest(self) -> np.ndarray:
        return self._samples.largest  # (2, 11)

    @property
    def d(self) -> int:
        return int(self.sizes[self.k])

    def idle(self) -> dict[str, str]:
        return {} if self.k else {"scaled": "√1 is 1, so dividing changes nothing."}


def compute(k: int, scaled: bool, seed: int) -> Scaling:
    samples = draw_samples(seed)
    at_size = Samples(samples.scores[:, k : k + 1])
    return Scaling(
        k=k,
        scaled=scaled,
        sizes=2 ** np.arange(MAX_POWER + 1),
        spread=samples.spread,
        weights=at_size.weights[:, 0, 0].numpy(),
        winner=at_size.largest[:, 0],
        slope=at_size.gradient[:, 0],
        _samples=samples,
    )
