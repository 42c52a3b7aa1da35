"""What a Transformer is built of: norm, point-wise FC, one layer, a stack of layers, positions.        lesson transformer"""

import math
from collections.abc import Callable, Sequence
from copy import copy
from typing import TypeVar, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.multihead import Memory, MultiHeadAttention, affine, causal
from models.trace import UNTAPPED, AnyTap, Tap
from models.vocabulary import InputError

Caches = tuple[Memory, ...]  # one per layer
Part = TypeVar("Part", bound=nn.Module)
NORMS = ("pre", "post", "none")  # where a layer's norms stand


def positions(T: int, d: int) -> Tensor:
    """(T, d): P[t, 2i] = sin(t / 10000^(2i/d)), P[t, 2i+1] = cos of the same angle. Every place has its own pattern of waves."""
    t = torch.arange(T, dtype=torch.float64)[:, None]  # (T, 1)
    angle = t / 10_000 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)  # (T, ⌈d/2⌉)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, :d].float()


class Norm(nn.Module):
    """γ (x - mean) / std + β, over the d numbers of each position by itself. With mean 0 and std 1 it only applies γ and β."""

    eps = 1e-5

    def __init__(self, d: int):
        super().__init__()
        self.γ = nn.Parameter(torch.ones(d))
        self.β = nn.Parameter(torch.zeros(d))

    def forward(self, x: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        if tap is UNTAPPED:  # the same numbers in one call
            return F.layer_norm(x, x.shape[-1:], self.γ, self.β, self.eps)
        mean = tap("mean", x.mean(-1, keepdim=True))  # (..., T, 1)
        std = tap("std", (x.var(-1, correction=0, keepdim=True) + self.eps).sqrt())  # (..., T, 1)
        return tap("out", self.γ * (x - mean) / std + self.β)  # (..., T, d)


class FeedForward(nn.Module):
    """ReLU(x W_1 + b_1) W_2 + b_2: d -> d_fc -> d, the same at every position, and no position sees another."""

    def __init__(self, d: int, d_fc: int):
        super().__init__()
        self.W_1 = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d, d_fc)))
        self.b_1 = nn.Parameter(torch.zeros(d_fc))
        self.W_2 = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_fc, d)))
        self.b_2 = nn.Parameter(torch.zeros(d))

    def forward(self, x: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        hidden = tap("hidden", affine(x, self.W_1, self.b_1).relu())  # (..., T, d_fc)
        return tap("out", affine(hidden, self.W_2, self.b_2))  # (..., T, d)


class Layer(nn.Module):
    """Self-attention, then cross-attention if it reads a source, then point-wise FC; add & norm around each.

    norm="post":  x <- Norm(x + f(x))   as in Vaswani et al. 2017
    norm="pre":   x <- x + f(Norm(x))   trains without a careful warm-up
    norm="none":  x <- x + f(x)         for comparison
    """

    def __init__(self, d: int, heads: int, d_fc: int, norm: str, cross: bool):
        super().__init__()
        if norm not in NORMS:
            raise ValueError(f"norm is one of {', '.join(NORMS)}, not {norm!r}")
        self.norm = norm
        self.self_attention = MultiHeadAttention(d, heads)
        self.cross_attention = MultiHeadAttention(d, heads) if cross else None
        self.fc = FeedForward(d, d_fc)
        self.norms = nn.ModuleList(
            nn.Identity() if norm == "none" else Norm(d) for _ in range(3 if cross else 2)
        )

    def add_norm(self, n: int, x: Tensor, f: Callable[[Tensor], Tensor], tap: AnyTap) -> Tensor:
        """The n-th sublayer f with its residual and its norm. x and the result are (..., T, d)."""
        norm, inside = self.norms[n - 1], tap.inside(f"norm{n}")
        change = f(norm(x, inside) if self.norm == "pre" else x)
        added = tap(f"added{n}", tap(f"residual{n}", x) + change)
        return norm(added, inside) if self.norm == "post" else added

    def forward(
        self, x: Tensor, mask: Tensor | None = None, source: Tensor | None = None, tap: AnyTap = UNTAPPED
    ) -> Tensor:
        """x (..., T, d), mask (T, T), source (..., T_source, d) -> (..., T, d)"""
        x = self.add_norm(1, x, lambda y: self.self_attention(y, y, mask, tap.inside("self")), tap)
        if (cross := self.cross_attention) is not None:
            x = self.add_norm(2, x, lambda y: cross(y, source, None, tap.inside("cross")), tap)
        return tap("out", self.add_norm(len(self.norms), x, lambda y: self.fc(y, tap.inside("fc")), tap))

    def extend(self, x: Tensor, cache: Memory, source: Memory | None) -> tuple[Tensor, Memory]:
        """Only the new position x (k, d), after t positions whose keys and values are in `cache` (k, heads, t, d_head).

        Later positions never change earlier ones under the causal mask, so what was computed once can be kept.
        """

        def look_back(y: Tensor) -> Tensor:
            nonlocal cache
            cache = self.self_attention.remember_one(y, cache)
            return self.self_attention.attend_one(y, cache)

        x = self.add_norm(1, x, look_back, UNTAPPED)
        if (cross := self.cross_attention) is not None and source is not None:
            x = self.add_norm(2, x, lambda y: cross.attend_one(y, source), UNTAPPED)
        return self.add_norm(len(self.norms), x, self.fc, UNTAPPED), cache


class TransformerStack(nn.Module):
    """Embedding + positions, then layers: an encoder, a decoder (cross=True), or the body of a language model."""

    P: Tensor  # (max_length, d)

    def __init__(
        self,
        words: int,
        d: int,
        heads: int,
        layers: int,
        d_fc: int,
        max_length: int,
        norm: str = "pre",
        cross: bool = False,
    ):
        super().__init__()
        self.d, self.heads, self.max_length = d, heads, max_length
        self.E = nn.Parameter(torch.randn(words, d) / math.sqrt(d))  # one row a word
        self.layers = cast(
            Sequence[Layer], nn.ModuleList(Layer(d, heads, d_fc, norm, cross) for _ in range(layers))
        )
        self.norm = (
            Norm(d) if norm == "pre" else None
        )  # with the norm inside the layers, the last sum is still unnormed
        self.register_buffer("P", positions(max_length, d), persistent=False)

    def embed(self, ids: Tensor, start: int = 0, tap: AnyTap = UNTAPPED) -> Tensor:
        """ids (..., T), the first of them at place `start` -> (..., T, d)"""
        end = start + ids.shape[-1]
        if end > self.max_length:
            raise InputError(f"That takes {end} places. Use at most {self.max_length}.")
        embedded = tap("embedded", F.embedding(ids, self.E) * math.sqrt(self.d))  # (..., T, d)
        return tap("input", embedded + tap("positions", self.P[start:end]))  # (..., T, d)

    def forward(
        self, ids: Tensor, mask: Tensor | None = None, source: Tensor | None = None, tap: AnyTap = UNTAPPED
    ) -> Tensor:
        """ids (..., T), mask (T, T), source (..., T_source, d) -> (..., T, d)"""
        x = self.embed(ids, tap=tap)
        for number, layer in enumerate(self.layers, 1):
            x = layer(x, mask, source, tap.inside(f"layer{number}"))
        return x if self.norm is None else self.norm(x, tap.inside("norm"))

    def no_caches(self, k: int) -> Caches:
        """The caches before the first word: k hypotheses, no positions."""
        nothing = self.E.new_empty(k, self.heads, 0, self.d // self.heads)
        return tuple((nothing, nothing) for _ in self.layers)

    def remember(self, ids: Tensor) -> Caches:
        """The caches after the words ids (k, t), read all at once: the keys and values that a trace would show."""
        tap = Tap()
        self(ids, causal(ids.shape[-1], ids.device), tap=tap)
        return tuple(
            (tap.last(f"layer{n}.self.k"), tap.last(f"layer{n}.self.v")) for n, _ in enumerate(self.layers, 1)
        )

    def read(self, source: Tensor) -> Caches:
        """Keys and values of the source (k, T, d) for every layer's cross-attention, made once: (k, heads, T, d_head) each."""
        return tuple(
            layer.cross_attention.remember(source)
            for layer in self.layers
            if layer.cross_attention is not None
        )

    def extend(self, ids: Tensor, caches: Caches, sources: Caches | None = None) -> tuple[Tensor, Caches]:
        """One new word each, ids (k,), after those in the caches: their states (k, d), and the caches with them.

        `sources` holds one source for all k hypotheses, or one for each.
        """
        x = self.embed(ids[:, None], start=caches[0][0].shape[-2])[:, 0]  # (k, d)
        longer = []
        for number, layer in enumerate(self.layers):
            source = for_each(sources[number], len(ids)) if sources else None
            x, cache = layer.extend(x, caches[number], source)
            longer.append(cache)
        return (x if self.norm is None else self.norm(x)), tuple(longer)


def for_each(memory: Memory, k: int) -> Memory:
    """One memory (1, heads, T, d_head) for all k hypotheses, or one for each already: (k, heads, T, d_head)."""
    K, V = memory
    return K.expand(k, -1, -1, -1), V.expand(k, -1, -1, -1)


def unwrap_parameters(module: Part) -> Part:
    """The same weights in plain attributes, for a writer: nn.Module looks for them so long that a small step is mostly search."""
    twin = copy(module)  # shares the tensors
    vars(twin).update(module._parameters)
    for name, part in module.named_children():
        vars(twin)[name] = (
            tuple(map(unwrap_parameters, part))
            if isinstance(part, nn.ModuleList)
            else unwrap_parameters(part)
        )
    return twin
