"""Attention as one layer: queries look at keys and take home values.        lesson qkv

    E = Q Kᵀ / √d        scores: how well each query matches each key
    A = softmax_rows(E)  weights: how much each query looks at each key
    Y = A V              what each query takes home

Everything here works with any number of leading axes (a batch, the heads): "..." in a shape comment.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.trace import UNTAPPED, AnyTap

Memory = tuple[Tensor, Tensor]  # K and V, each (..., heads, T, d_head)


def causal(T: int, device: torch.device | None = None) -> Tensor:
    """(T, T) mask, True = may look: every position looks at itself and at what came before."""
    return torch.ones(T, T, dtype=torch.bool, device=device).tril()


def scaled_dot_product(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, tap: AnyTap = UNTAPPED
) -> Tensor:
    """Y = softmax(Q Kᵀ / √d) V. Q (..., T_q, d), K (..., T_k, d), V (..., T_k, d_v); mask (T_q, T_k), True = may look.

    A query that may look nowhere takes home zeros.
    """
    if tap is UNTAPPED:  # the same numbers in one call
        return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    if mask is None:
        mask = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool, device=Q.device)
    hidden = tap("mask", mask) == 0  # (T_q, T_k)
    scores = tap("scores", Q @ K.mT / math.sqrt(Q.shape[-1]))  # (..., T_q, T_k)
    open_scores = scores.masked_fill(
        hidden, torch.finfo(scores.dtype).min
    )  # not -inf: a row all hidden would be 0/0
    weights = tap("weights", torch.softmax(open_scores, dim=-1).masked_fill(hidden, 0.0))  # (..., T_q, T_k)
    return tap("Y", weights @ V)  # (..., T_q, d_v)


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each on its own slice of d / heads numbers; W_o mixes what they bring.

    Q = X W_q + b_q, K = M W_k + b_k, V = M W_v + b_v;  out = [head_1 ; ... ; head_h] W_o + b_o
    X asks, M is looked at: the same rows in self-attention, the encoder's in cross-attention. No size depends on T.
    """

    def __init__(self, d: int, heads: int):
        super().__init__()
        if d % heads:
            raise ValueError(f"{heads} heads cannot share {d} numbers equally")
        self.heads = heads
        self.W_q, self.b_q = fresh(d)
        self.W_k, self.b_k = fresh(d)
        self.W_v, self.b_v = fresh(d)
        self.W_o, self.b_o = fresh(d)

    def split(self, x: Tensor) -> Tensor:
        """(..., T, d) -> (..., heads, T, d_head)"""
        return x.unflatten(-1, (self.heads, -1)).transpose(-3, -2)

    def join(self, x: Tensor) -> Tensor:
        """(..., heads, T, d_head) -> (..., T, d)"""
        return x.transpose(-3, -2).flatten(-2)

    def remember(self, m: Tensor, tap: AnyTap = UNTAPPED) -> Memory:
        """The keys and values of what is looked at, m (..., T_k, d). They can be kept: no query changes them."""
        K = tap("k", self.split(affine(m, self.W_k, self.b_k)))  # (..., heads, T_k, d_head)
        V = tap("v", self.split(affine(m, self.W_v, self.b_v)))  # (..., heads, T_k, d_head)
        return K, V

    def attend(self, x: Tensor, memory: Memory, mask: Tensor | None = None, tap: AnyTap = UNTAPPED) -> Tensor:
        """What x (..., T_q, d) takes home from keys and values made before: (..., T_q, d)."""
        Q = tap("q", self.split(affine(x, self.W_q, self.b_q)))  # (..., heads, T_q, d_head)
        heads = tap("heads", scaled_dot_product(Q, *memory, mask, tap))  # (..., heads, T_q, d_head)
        return tap("out", affine(self.join(heads), self.W_o, self.b_o))  # (..., T_q, d)

    def forward(self, x: Tensor, m: Tensor, mask: Tensor | None = None, tap: AnyTap = UNTAPPED) -> Tensor:
        return self.attend(x, self.remember(m, tap), mask, tap)

    def split_one(self, x: Tensor) -> Tensor:
        """One row of each of k texts, (k, d) -> (k, heads, 1, d_head)"""
        return x.view(len(x), self.heads, 1, -1)

    def remember_one(self, x: Tensor, memory: Memory) -> Memory:
        """The memory (k, heads, t, d_head) with one more row, x (k, d)."""
        K, V = memory
        k, v = self.split_one(affine(x, self.W_k, self.b_k)), self.split_one(affine(x, self.W_v, self.b_v))
        return torch.cat([K, k], dim=-2), torch.cat([V, v], dim=-2)

    def attend_one(self, x: Tensor, memory: Memory) -> Tensor:
        """What one row x (k, d) takes home, where it may look at all there is: (k, d)."""
        q = self.split_one(affine(x, self.W_q, self.b_q))
        return affine(scaled_dot_product(q, *memory).flatten(1), self.W_o, self.b_o)


def affine(x: Tensor, W: Tensor, b: Tensor) -> Tensor:
    """x W + b for rows x (..., n), W (n, m), b (m,)."""
    return F.linear(x, W.t(), b)  # (..., m)


def fresh(d: int) -> tuple[nn.Parameter, nn.Parameter]:
    """W (d, d) and b (d,) before training."""
    return nn.Parameter(nn.init.xavier_uniform_(torch.empty(d, d))), nn.Parameter(torch.zeros(d))
