"""Attention: who looks where, and what is brought back.

A score compares a query s with every encoder state h_i. `keys` does the part that does not depend on the query, once a
sentence. Softmax over i turns scores e into weights α, and the context is the weighted sum of the states.

Keys h_i have d_1 numbers, queries s have d_2, as many as the keys unless told otherwise (lesson scores, sizes).
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.trace import UNTAPPED, AnyTap


class Score(nn.Module):
    """What every score offers: keys, made once, and a comparison with any number of queries."""

    def __init__(self, d_1: int, d_2: int | None = None):
        super().__init__()

    def keys(self, H: Tensor) -> Tensor:
        """H (…, T, d_1) → what each query is compared with (…, T, ·)."""
        return H

    def forward(self, s: Tensor, keys: Tensor) -> Tensor:
        """Queries s (…, d_2) of one sentence, its keys (T, ·) → scores (…, T)."""
        raise NotImplementedError

    def batch(self, s: Tensor, keys: Tensor) -> Tensor:
        """Queries s (B, T', d_2) of B sentences, each with its own keys (B, T, ·) → scores (B, T', T)."""
        return self(s, keys)


class Dot(Score):
    """e_i = sᵀ h_i"""

    def __init__(self, d_1: int, d_2: int | None = None):
        super().__init__(d_1, d_2)
        if d_2 not in (None, d_1):
            raise ValueError(f"s has {d_2} numbers and h_i has {d_1}: a dot product pairs them one by one")
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
        super().__init__(d_1)  # W stands between keys and queries: their sizes may differ
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_2 or d_1, d_1)))

    def keys(self, H: Tensor) -> Tensor:
        return F.linear(H, self.W)  # W h_i for every i


class ScaledBilinear(Dot):
    """e_i = h_iᵀ W_g s / √m        m = d_2: h_iᵀ W_g has m numbers, and so many products are added up"""

    def __init__(self, d_1: int, d_2: int | None = None):
        super().__init__(d_1)
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_1, d_2 or d_1)))
        self.scale = 1 / math.sqrt(d_2 or d_1)

    def keys(self, H: Tensor) -> Tensor:
        return F.linear(H, self.W.T)  # h_iᵀ W_g for every i


class Additive(Score):
    """e_i = vᵀ tanh(W_1 h_i + W_2 s)        also called Bahdanau, concat, MLP; v has d_3 numbers"""

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
        return self(s, keys.unsqueeze(1))  # every query of a sentence meets its keys (B, 1, T, d_3)


class Uniform(Score):
    """e_i = 0, so that α_i = 1/T: nobody chooses        lesson attention, caveat"""

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
