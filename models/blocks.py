"""Parts of a Transformer: positions, norm, feed-forward network, layer, stack (lesson `transformer`)."""

import math
from collections.abc import Callable, Sequence
from copy import copy
from typing import TypeVar, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.multihead import KeyValues, MultiHeadAttention, affine, causal
from models.trace import UNTAPPED, AnyTap, Tap
from models.vocabulary import InputError

Caches = tuple[KeyValues, ...]  # keys and values of the words so far, one pair per layer
Part = TypeVar("Part", bound=nn.Module)
NORMS = ("pre", "post", "none")  # where a layer applies its norms


def positions(T: int, d: int) -> Tensor:
    """Sinusoidal positions (T, d): P[t, 2i] = sin(t / 10000^(2i/d)), P[t, 2i+1] = cos of the same angle."""
    t = torch.arange(T, dtype=torch.float64)[:, None]  # (T, 1)
    angle = t / 10_000 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)  # (T, ⌈d/2⌉)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, :d].float()


class Norm(nn.Module):
    """Layer norm: γ (x - mean) / std + β, with a mean and a standard deviation per position."""

    eps = 1e-5

    def __init__(self, d: int):
        super().__init__()
        self.γ = nn.Parameter(torch.ones(d))
        self.β = nn.Parameter(torch.zeros(d))

    def forward(self, x: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        if tap is UNTAPPED:  # without a tap, one call computes the same numbers
            return F.layer_norm(x, x.shape[-1:], self.γ, self.β, self.eps)
        mean = tap("mean", x.mean(-1, keepdim=True))  # (..., T, 1)
        std = tap("std", (x.var(-1, correction=0, keepdim=True) + self.eps).sqrt())  # (..., T, 1)
        return tap("out", self.γ * (x - mean) / std + self.β)  # (..., T, d)


class FeedForward(nn.Module):
    """Position-wise feed-forward network: ReLU(x W_1 + b_1) W_2 + b_2, d -> d_fc -> d."""

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
    """A layer: self-attention, cross-attention if `cross`, feed-forward network; each with residual and norm.

    norm="post":  x <- Norm(x + f(x))   as in Vaswani et al. 2017
    norm="pre":   x <- x + f(Norm(x))   trains without a long warm-up
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
        """Apply f as sublayer n, with its residual connection and norm: (..., T, d) -> (..., T, d)."""
        norm, inside = self.norms[n - 1], tap.inside(f"norm{n}")
        change = f(norm(x, inside) if self.norm == "pre" else x)
        added = tap(f"added{n}", tap(f"residual{n}", x) + change)
        return norm(added, inside) if self.norm == "post" else added

    def forward(
        self, x: Tensor, mask: Tensor | None = None, source: Tensor | None = None, tap: AnyTap = UNTAPPED
    ) -> Tensor:
        """Apply the layer to x (..., T, d), with mask (T, T) and source (..., T_source, d) -> (..., T, d)"""
        x = self.add_norm(1, x, lambda y: self.self_attention(y, y, mask, tap.inside("self")), tap)
        if (cross := self.cross_attention) is not None:
            x = self.add_norm(2, x, lambda y: cross(y, source, None, tap.inside("cross")), tap)
        return tap("out", self.add_norm(len(self.norms), x, lambda y: self.fc(y, tap.inside("fc")), tap))

    def extend(self, x: Tensor, cache: KeyValues, source: KeyValues | None) -> tuple[Tensor, KeyValues]:
        """Compute only the new position x (k, d), after the t positions in `cache` (k, heads, t, d_head).

        With a causal mask, later positions never change earlier ones, so cached keys and values stay valid.
        """

        def self_attend(y: Tensor) -> Tensor:
            nonlocal cache
            cache = self.self_attention.append_one(y, cache)
            return self.self_attention.attend_one(y, cache)

        x = self.add_norm(1, x, self_attend, UNTAPPED)
        if (cross := self.cross_attention) is not None and source is not None:
            x = self.add_norm(2, x, lambda y: cross.attend_one(y, source), UNTAPPED)
        return self.add_norm(len(self.norms), x, self.fc, UNTAPPED), cache


class TransformerStack(nn.Module):
    """Embeddings plus positions, then layers: an encoder, a decoder (cross=True) or a language model."""

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
        self.E = nn.Parameter(torch.randn(words, d) / math.sqrt(d))  # embedding table, one row per word
        stack = nn.ModuleList(Layer(d, heads, d_fc, norm, cross) for _ in range(layers))
        self.layers = cast(Sequence[Layer], stack)
        self.norm = Norm(d) if norm == "pre" else None  # pre-norm layers end without a norm
        self.register_buffer("P", positions(max_length, d), persistent=False)

    def embed(self, ids: Tensor, start: int = 0, tap: AnyTap = UNTAPPED) -> Tensor:
        """Embed ids (..., T), the first at position `start` -> (..., T, d)"""
        end = start + ids.shape[-1]
        if end > self.max_length:
            raise InputError(f"The text needs {end} positions. Use at most {self.max_length}.")
        embedded = tap("embedded", F.embedding(ids, self.E) * math.sqrt(self.d))  # (..., T, d)
        return tap("input", embedded + tap("positions", self.P[start:end]))  # (..., T, d)

    def forward(
        self, ids: Tensor, mask: Tensor | None = None, source: Tensor | None = None, tap: AnyTap = UNTAPPED
    ) -> Tensor:
        """Run all layers on ids (..., T), with mask (T, T) and source (..., T_source, d) -> (..., T, d)"""
        x = self.embed(ids, tap=tap)
        for number, layer in enumerate(self.layers, 1):
            x = layer(x, mask, source, tap.inside(f"layer{number}"))
        return x if self.norm is None else self.norm(x, tap.inside("norm"))

    def empty_caches(self, k: int) -> Caches:
        """Empty caches for k hypotheses, before the first word."""
        empty = self.E.new_empty(k, self.heads, 0, self.d // self.heads)
        return tuple((empty, empty) for _ in self.layers)

    def prefill(self, ids: Tensor) -> Caches:
        """Read the words ids (k, t) in one pass and return the caches after them."""
        tap = Tap()
        self(ids, causal(ids.shape[-1], ids.device), tap=tap)
        return tuple(
            (tap.last(f"layer{n}.self.k"), tap.last(f"layer{n}.self.v")) for n, _ in enumerate(self.layers, 1)
        )

    def source_caches(self, source: Tensor) -> Caches:
        """Keys and values of the source (k, T, d) for every cross-attention: (k, heads, T, d_head) each."""
        attentions = (layer.cross_attention for layer in self.layers)
        return tuple(attention.keys_values(source) for attention in attentions if attention is not None)

    def extend(self, ids: Tensor, caches: Caches, sources: Caches | None = None) -> tuple[Tensor, Caches]:
        """Read one more word per hypothesis, ids (k,). Returns its state (k, d) and the longer caches.

        `sources` contains one source shared by all k hypotheses, or one source for each.
        """
        x = self.embed(ids[:, None], start=caches[0][0].shape[-2])[:, 0]  # (k, d)
        new_caches = []
        for number, layer in enumerate(self.layers):
            source = expand_rows(sources[number], len(ids)) if sources else None
            x, cache = layer.extend(x, caches[number], source)
            new_caches.append(cache)
        return (x if self.norm is None else self.norm(x)), tuple(new_caches)


def expand_rows(keys_values: KeyValues, k: int) -> KeyValues:
    """Share the keys and values of one source among k hypotheses: (1 or k, heads, T, d_head) -> (k, …)."""
    K, V = keys_values
    return K.expand(k, -1, -1, -1), V.expand(k, -1, -1, -1)


def unwrap_parameters(module: Part) -> Part:
    """Copy the module with its parameters as plain attributes. The copy shares the tensors.

    In a small decoding step most of the time goes into nn.Module's attribute lookup; this avoids it.
    """
    twin = copy(module)
    vars(twin).update(module._parameters)
    for name, part in module.named_children():
        if isinstance(part, nn.ModuleList):
            vars(twin)[name] = tuple(map(unwrap_parameters, part))
        else:
            vars(twin)[name] = unwrap_parameters(part)
    return twin
