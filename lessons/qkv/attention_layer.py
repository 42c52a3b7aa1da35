"""One attention layer that records its scores and weights, and random matrices for it."""

import math

import torch
from torch import Tensor

from models.multihead import scaled_dot_product
from models.trace import Tap

MAX_SIZE = 6  # maximum number of rows and columns of a random matrix


def attend(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, scale: bool = True) -> Tap:
    """Run scaled dot-product attention and record its scores, weights and Y.

    Without scaling, Q is first multiplied by √d, so that the division by √d cancels.
    """
    tap = Tap()
    scaled_dot_product(Q if scale else Q * math.sqrt(Q.shape[-1]), K, V, mask, tap)
    return tap


def draw_matrices(seed: int, count: int) -> list[Tensor]:
    """Draw random (MAX_SIZE, MAX_SIZE) matrices; smaller layers use their top-left parts."""
    generator = torch.Generator().manual_seed(seed)
    return [
        torch.randn(MAX_SIZE, MAX_SIZE, generator=generator).double().clamp(-2, 2).round(decimals=1)
        for _ in range(count)
    ]


def max_difference(a: Tensor, b: Tensor) -> float:
    """The largest absolute difference between entries at the same position."""
    return (a - b).abs().max().item()
