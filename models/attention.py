"""Attention: who looks where, and what is brought back.

A score compares a query s with every encoder state h_i. `keys` does the part that does not depend on the query, once a
sentence. Softmax over i turns scores e into weights α, and the context is the weighted sum of the states.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.trace import UNTAPPED, AnyTap


class Dot(nn.Module):
    """e_i = sᵀ h_i"""

    def __init__(self, m: int):
        super().__init__()
        self.scale = 1.0

    def keys(self, H: Tensor) -> Tensor:
        """H (…, T, m) → what each query is compared with (…, T, m)."""
        return H

    def forward(self, s: Tensor, keys: Tensor) -> Tensor:
        """s (…, T', m), keys (…, T, m) → scores (…, T', T)."""
        return s @ keys.mT * self.scale


class ScaledDot(Dot):
    """e_i = sᵀ h_i / √m"""

    def __init__(self, m: int):
        super().__init__(m)
        self.scale = 1 / math.sqrt(m)


class Bilinear(Dot):
    """e_i = sᵀ W h_i        also called multiplicative, general, Luong"""

    def __init__(self, m: int):
        super().__init__(m)
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(m, m)))

    def keys(self, H: Tensor) -> Tensor:
        return F.linear(H, self.W)  # W h_i for every i


class ScaledBilinear(Bilinear):
    """e_i = h_iᵀ W_g s / √m"""

    def __init__(self, m: int):
        super().__init__(m)
        self.scale = 1 / math.sqrt(m)

    def keys(self, H: Tensor) -> Tensor:
        return F.linear(H, self.W.T)  # h_iᵀ W_g for every i


class Additive(nn.Module):
    """e_i = vᵀ tanh(W_1 h_i + W_2 s)        also called Bahdanau, concat, MLP"""

    def __init__(self, m: int, a: int | None = None):
        super().__init__()
        a = a or m
        self.W_1 = nn.Parameter(nn.init.xavier_uniform_(torch.empty(a, m)))
        self.W_2 = nn.Parameter(nn.init.xavier_uniform_(torch.empty(a, m)))
        self.v = nn.Parameter(torch.empty(a).uniform_(-1, 1) / math.sqrt(a))

    def keys(self, H: Tensor) -> Tensor:
        return F.linear(H, self.W_1)  # W_1 h_i for every i: (…, T, a)

    def forward(self, s: Tensor, keys: Tensor) -> Tensor:
        query = F.linear(s, self.W_2).unsqueeze(-2)  # (…, T', 1, a)
        if keys.dim() > 2:
            keys = keys.unsqueeze(-3)  # (B, 1, T, a)
        return torch.tanh(query + keys) @ self.v  # (…, T', T)


SCORES: dict[str, type[nn.Module]] = {
    "dot": Dot,
    "scaled dot": ScaledDot,
    "bilinear": Bilinear,
    "scaled bilinear": ScaledBilinear,
    "additive": Additive,
}


def attend(score: nn.Module, query: Tensor, keys: Tensor, H: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
    """e_ti = score(s, h_i);  α_ti = softmax_i(e_ti);  c_t = Σ_i α_ti h_i        lesson attention, A1"""
    scores = tap("scores", score(tap("query", query), keys))  # (…, T)
    weights = tap("weights", torch.softmax(scores, -1))  # (…, T)
    return tap("context", weights @ H)  # (…, m)
