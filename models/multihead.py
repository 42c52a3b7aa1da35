"""Scaled dot-product attention and multi-head attention (lesson `qkv`).

    E = Q Kᵀ / √d        scores: how well each query matches each key
    A = softmax_rows(E)  weights: how much each query attends to each key
    Y = A V              outputs: weighted sums of the values

Any number of leading axes (a batch, the heads) is allowed: "..." in a shape comment.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.trace import UNTAPPED, AnyTap

KeyValues = tuple[Tensor, Tensor]  # K and V, each (..., heads, T, d_head)


def causal(T: int, device: torch.device | None = None) -> Tensor:
    """(T, T) mask, True = may attend: every position sees itself and earlier positions."""
    return torch.ones(T, T, dtype=torch.bool, device=device).tril()


def scaled_dot_product(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, tap: AnyTap = UNTAPPED
) -> Tensor:
    """Y = softmax(Q Kᵀ / √d) V for Q (..., T_q, d), K (..., T_k, d), V (..., T_k, d_v).

    mask (T_q, T_k), True = may attend. A query that may attend to nothing gets zeros.
    """
    if tap is UNTAPPED:  # without a tap, one call computes the same numbers
        return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    if mask is None:
        mask = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool, device=Q.device)
    hidden = tap("mask", mask) == 0  # (T_q, T_k)
    scores = tap("scores", Q @ K.mT / math.sqrt(Q.shape[-1]))  # (..., T_q, T_k)
    lowest = torch.finfo(scores.dtype).min  # not -inf: the softmax of a fully masked row would be 0/0
    weights = torch.softmax(scores.masked_fill(hidden, lowest), dim=-1)
    weights = tap("weights", weights.masked_fill(hidden, 0.0))  # (..., T_q, T_k)
    return tap("Y", weights @ V)  # (..., T_q, d_v)


class MultiHeadAttention(nn.Module):
    """Several attention heads side by side, each with d / heads dimensions; W_o combines their outputs.

    Q = X W_q + b_q, K = M W_k + b_k, V = M W_v + b_v;  out = [head_1 ; ... ; head_h] W_o + b_o
    Queries come from X, keys and values from M. Self-attention: M = X. Cross-attention: M = encoder states.
    """

    def __init__(self, d: int, heads: int):
        super().__init__()
        if d % heads:
            raise ValueError(f"{d} dimensions cannot be divided equally among {heads} heads")
        self.heads = heads
        self.W_q, self.b_q = init_affine(d)
        self.W_k, self.b_k = init_affine(d)
        self.W_v, self.b_v = init_affine(d)
        self.W_o, self.b_o = init_affine(d)

    def split_heads(self, x: Tensor) -> Tensor:
        """Split rows into heads: (..., T, d) -> (..., heads, T, d_head)"""
        return x.unflatten(-1, (self.heads, -1)).transpose(-3, -2)

    def join_heads(self, x: Tensor) -> Tensor:
        """Join the heads again: (..., heads, T, d_head) -> (..., T, d)"""
        return x.transpose(-3, -2).flatten(-2)

    def keys_values(self, m: Tensor, tap: AnyTap = UNTAPPED) -> KeyValues:
        """Keys and values of m (..., T_k, d). They do not depend on the queries, so they can be cached."""
        K = tap("k", self.split_heads(affine(m, self.W_k, self.b_k)))  # (..., heads, T_k, d_head)
        V = tap("v", self.split_heads(affine(m, self.W_v, self.b_v)))  # (..., heads, T_k, d_head)
        return K, V

    def attend(
        self, x: Tensor, keys_values: KeyValues, mask: Tensor | None = None, tap: AnyTap = UNTAPPED
    ) -> Tensor:
        """Attend from x (..., T_q, d) to given keys and values -> (..., T_q, d)."""
        Q = tap("q", self.split_heads(affine(x, self.W_q, self.b_q)))  # (..., heads, T_q, d_head)
        heads = tap("heads", scaled_dot_product(Q, *keys_values, mask, tap))  # (..., heads, T_q, d_head)
        return tap("out", affine(self.join_heads(heads), self.W_o, self.b_o))  # (..., T_q, d)

    def forward(self, x: Tensor, m: Tensor, mask: Tensor | None = None, tap: AnyTap = UNTAPPED) -> Tensor:
        return self.attend(x, self.keys_values(m, tap), mask, tap)

    def split_one(self, x: Tensor) -> Tensor:
        """Split one position of each of k texts into heads: (k, d) -> (k, heads, 1, d_head)"""
        return x.view(len(x), self.heads, 1, -1)

    def append_one(self, x: Tensor, cache: KeyValues) -> KeyValues:
        """Append the key and value of one position x (k, d) to the cache (k, heads, t, d_head)."""
        K, V = cache
        k, v = self.split_one(affine(x, self.W_k, self.b_k)), self.split_one(affine(x, self.W_v, self.b_v))
        return torch.cat([K, k], dim=-2), torch.cat([V, v], dim=-2)

    def attend_one(self, x: Tensor, cache: KeyValues) -> Tensor:
        """Attend from one position x (k, d) to everything in the cache -> (k, d)."""
        q = self.split_one(affine(x, self.W_q, self.b_q))
        return affine(scaled_dot_product(q, *cache).flatten(1), self.W_o, self.b_o)


def affine(x: Tensor, W: Tensor, b: Tensor) -> Tensor:
    """x W + b for rows x (..., n), W (n, m), b (m,)."""
    return F.linear(x, W.t(), b)  # (..., m)


def init_affine(d: int) -> tuple[nn.Parameter, nn.Parameter]:
    """Initial weights: W (d, d) Xavier uniform, b (d,) zeros."""
    return nn.Parameter(nn.init.xavier_uniform_(torch.empty(d, d))), nn.Parameter(torch.zeros(d))
