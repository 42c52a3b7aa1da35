"""Attention: scores, weights and the context vector (lessons `attention` and `scores`).

A score compares a query s with every encoder state h_i. `keys` computes the part that does not depend on the
query, once per sentence. Softmax over i turns the scores e into weights α; the context is the weighted sum of
the states.

The states h_i have d_1 dimensions and the query has d_2; d_2 = d_1 by default.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.trace import UNTAPPED, AnyTap


class Score(nn.Module):
    """Interface of all scores: compute the keys once, then compare them with any number of queries."""

    def __init__(self, d_1: int, d_2: int | None = None):
        super().__init__()

    def keys(self, H: Tensor) -> Tensor:
        """States H (…, T, d_1) → keys (…, T, ·), the part of the score that does not depend on the query."""
        return H

    def forward(self, s: Tensor, keys: Tensor) -> Tensor:
        """Queries s (…, d_2) and the keys (T, ·) of one sentence → scores (…, T)."""
        raise NotImplementedError

    def batch(self, s: Tensor, keys: Tensor) -> Tensor:
        """Queries s (B, T', d_2) and keys (B, T, ·) of B sentences → scores (B, T', T)."""
        return self(s, keys)


class Dot(Score):
    """e_i = sᵀ h_i"""

    def __init__(self, d_1: int, d_2: int | None = None):
        super().__init__(d_1, d_2)
        if d_2 not in (None, d_1):
            raise ValueError(
                f"a dot product needs vectors of one size, but s has {d_2} and h_i has {d_1} dimensions"
            )
        self.scale = 1.0

    def forward(self, s: Tensor, keys: Tensor) -> Tensor:
        return s @ keys.mT * self.scale


class ScaledDot(Dot):
    """e_i = sᵀ h_i / √d        d = d_1 = d_2"""

    def __init__(self, d_1: int, d_2: int | None = None):
        super().__init__(d_1, d_2)
        self.scale = 1 / math.sqrt(d_1)


class Bilinear(Dot):
    """e_i = sᵀ W h_i        also called multiplicative, general, Luong"""

    def __init__(self, d_1: int, d_2: int | None = None):
        super().__init__(d_1)  # W maps keys to the size of the queries, so d_2 may differ from d_1
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_2 or d_1, d_1)))

    def keys(self, H: Tensor) -> Tensor:
        return F.linear(H, self.W)  # the keys: W h_i for every i


class ScaledBilinear(Dot):
    """e_i = h_iᵀ W_g s / √m        m = d_2, the number of products in the sum"""

    def __init__(self, d_1: int, d_2: int | None = None):
        super().__init__(d_1)
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_1, d_2 or d_1)))
        self.scale = 1 / math.sqrt(d_2 or d_1)

    def keys(self, H: Tensor) -> Tensor:
        return F.linear(H, self.W.T)  # the keys: h_iᵀ W_g for every i


class Additive(Score):
    """e_i = vᵀ tanh(W_1 h_i + W_2 s)        also called Bahdanau, concat, MLP; v has d_3 dimensions"""

    def __init__(self, d_1: int, d_2: int | None = None, d_3: int | None = None):
        super().__init__(d_1, d_2)
        d_3 = d_3 or d_1
        self.W_1 = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_3, d_1)))
        self.W_2 = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_3, d_2 or d_1)))
        self.v = nn.Parameter(torch.empty(d_3).uniform_(-1, 1) / math.sqrt(d_3))

    def keys(self, H: Tensor) -> Tensor:
        return F.linear(H, self.W_1)  # W_1 h_i for every i: (…, T, d_3)

    def forward(self, s: Tensor, keys: Tensor) -> Tensor:
        query = F.linear(s, self.W_2).unsqueeze(-2)  # (…, 1, d_3)
        return torch.tanh(query + keys) @ self.v  # (…, T)

    def batch(self, s: Tensor, keys: Tensor) -> Tensor:
        return self(s, keys.unsqueeze(1))  # keys (B, 1, T, d_3) for every query of their sentence


class Uniform(Score):
    """e_i = 0, so α_i = 1/T: every state gets the same weight (lesson `attention`, `caveat`)."""

    def forward(self, s: Tensor, keys: Tensor) -> Tensor:
        return s.new_zeros(*s.shape[:-1], keys.shape[-2])


SCORES: dict[str, type[Score]] = {
    "dot": Dot,
    "scaled dot": ScaledDot,
    "bilinear": Bilinear,
    "scaled bilinear": ScaledBilinear,
    "additive": Additive,
}


def attend(
    score: Callable[[Tensor, Tensor], Tensor], query: Tensor, keys: Tensor, H: Tensor, tap: AnyTap = UNTAPPED
) -> Tensor:
    """e_ti = score(s, h_i);  α_ti = softmax_i(e_ti);  c_t = Σ_i α_ti h_i        lesson attention, step"""
    scores = tap("scores", score(tap("query", query), keys))  # (…, T)
    weights = tap("weights", torch.softmax(scores, -1))  # (…, T)
    return tap("context", weights @ H)  # (…, m)
