"""One attention layer with its scores and weights recorded, and random matrices for it."""

import math

import torch
from torch import Tensor

from models.multihead import scaled_dot_product
from models.trace import Tap

MAX_SIZE = 6  # rows and columns of a random matrix


def attend(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, scale: bool = True) -> Tap:
    """Run scaled dot-product attention and record its scores, weights and Y.

    Without the scale, Q is multiplied by √d first, so that the division cancels.
    """
    tap = Tap()
    scaled_dot_product(Q if scale else Q * math.sqrt(Q.shape[-1]), K, V, mask, tap)
    return tap


def draw_matrices(seed: int, count: int) -> list[Tensor]:
    """Random matrices, each (MAX_SIZE, MAX_SIZE): a part cut out of one stays the same when sizes change."""
    generator = torch.Generator().manual_seed(seed)
    return [
        torch.randn(MAX_SIZE, MAX_SIZE, generator=generator).double().clamp(-2, 2).round(decimals=1)
        for _ in range(count)
    ]


def max_difference(a: Tensor, b: Tensor) -> float:
    """The largest absolute difference of two numbers at the same place."""
    return (a - b).abs().max().item()
