"""A modern decoder-only Transformer, as in Llama and SmolLM2, or GPT-2 with other settings (lesson `real`).

    RMSNorm            γ x / √(mean(x²) + ε)                     LayerNorm without the mean and without β
    rotary positions   each pair of dimensions of a query or key at position t is rotated by the angle t θ_i
    grouped queries    several query heads share one head of keys and values
    SwiGLU             (SiLU(x W_gate) ⊙ x W_up) W_down          a feed-forward network with a gate
    key-value cache    stores keys and values of the text so far, so a new token costs one position

models/blocks.py contains the same parts as of 2017. `CausalLM.variant` replaces or removes any part.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.blocks import Caches
from models.multihead import KeyValues, causal, scaled_dot_product
from models.trace import UNTAPPED, AnyTap, Edits, Tap
from models.vocabulary import InputError

NORMS = ("rms", "layer", "none")
POSITIONS = ("rotary", "learned", "none")
PAIRINGS = ("halves", "neighbours")  # rotated pairs: i and i + d/2 (Hugging Face), or 2i and 2i + 1 (GGUF)
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "silu": F.silu,  # SiLU: x σ(x)
    "gelu": partial(F.gelu, approximate="tanh"),  # an approximation of GELU, as GPT-2 computes it
    "relu": torch.relu,
}
MAX_LOGIT_ROWS = 64  # maximum computed at once; a row has V numbers, 200 KB for SmolLM2


@dataclass(frozen=True)
class CausalLMConfig:
    """Sizes of a decoder-only Transformer and the kind of each part; the default kinds are those of Llama."""

    words: int  # tokens in the vocabulary
    d: int = 64
    heads: int = 4  # query heads
    kv_heads: int = 2  # key-value heads; each is shared by heads / kv_heads query heads
    layers: int = 2
    d_fc: int = 128
    max_length: int = 128
    norm: str = "rms"
    eps: float = 1e-5
    positions: str = "rotary"
    pairing: str = "halves"
    base: float = 10_000.0  # base of the rotary angles
    activation: str = "silu"
    gated: bool = True
    bias: bool = False
    tied: bool = True  # the output layer uses the embedding table as its weights
    bos: int = 1  # begin token, read first if there is no prompt
    eos: int = 2

    def __post_init__(self) -> None:
        kinds = {"norm": NORMS, "positions": POSITIONS, "pairing": PAIRINGS, "activation": tuple(ACTIVATIONS)}
        for field, known in kinds.items():
            if getattr(self, field) not in known:
                raise ValueError(f"{field} is one of {', '.join(known)}, not {getattr(self, field)!r}")
        if self.d % self.heads or self.heads % self.kv_heads:
            sizes = f"{self.d} dimensions and {self.kv_heads} heads of keys"
            raise ValueError(f"{sizes} cannot be divided equally among {self.heads} heads")
        if self.positions == "rotary" and self.d_head % 2:
            raise ValueError(
                f"rotary positions need an even number of dimensions per head, not {self.d_head}"
            )

    @property
    def d_head(self) -> int:
        return self.d // self.heads


class Affine(nn.Module):
    """x W + b for rows x (..., n), W (n, m); x W without a bias."""

    def __init__(self, n: int, m: int, bias: bool):
        super().__init__()
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(n, m)))
        self.b = nn.Parameter(torch.zeros(m)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.W.t(), self.b)  # (..., m)


class Norm(nn.Module):
    """RMSNorm: γ x / √(mean(x²) + ε) at each position. LayerNorm subtracts the mean first and may add β."""

    def __init__(self, c: CausalLMConfig):
        super().__init__()
        self.kind, self.eps = c.norm, c.eps
        self.γ = nn.Parameter(torch.ones(c.d))
        self.β = nn.Parameter(torch.zeros(c.d)) if c.bias else None

    def forward(self, x: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        if self.kind == "none":
            return tap("out", x)
        if self.kind == "layer":
            x = x - tap("mean", x.mean(-1, keepdim=True))  # (..., T, 1)
        rms = tap("rms", (x.square().mean(-1, keepdim=True) + self.eps).sqrt())  # (..., T, 1)
        out = self.γ * (x / rms)
        return tap("out", out if self.β is None else out + self.β)  # (..., T, d)


def rotary_angles(start: int, end: int, d: int, base: float, device: torch.device | None = None) -> Tensor:
    """Angles (T, d/2): position t rotates pair i by t θ_i, θ_i = base^(-2i/d). Low pairs rotate fastest."""
    θ = base ** (-torch.arange(0, d, 2, dtype=torch.float64, device=device) / d)  # (d/2,)
    return (torch.arange(start, end, device=device)[:, None] * θ).float()


def rotate(x: Tensor, angles: Tensor, pairing: str = "halves") -> Tensor:
    """Rotate each pair (a, b) of dimensions of x (..., T, d) by φ: (a cos φ - b sin φ, a sin φ + b cos φ).

    The dot product of a rotated query at s and a rotated key at t depends only on s - t.
    """
    is_halves = pairing == "halves"
    a, b = x.chunk(2, -1) if is_halves else x.unflatten(-1, (-1, 2)).unbind(-1)  # (..., T, d/2) each
    cos, sin = angles.cos(), angles.sin()  # (T, d/2)
    rotated = (a * cos - b * sin, a * sin + b * cos)
    return torch.cat(rotated, -1) if is_halves else torch.stack(rotated, -1).flatten(-2)


class GroupedQueryAttention(nn.Module):
    """Causal self-attention in which query head h uses key-value head ⌊h · kv_heads / heads⌋.

    kv_heads = heads gives multi-head attention, kv_heads = 1 multi-query attention.
    """

    def __init__(self, c: CausalLMConfig):
        super().__init__()
        self.heads, self.kv_heads, self.pairing = c.heads, c.kv_heads, c.pairing
        self.q = Affine(c.d, c.d, c.bias)
        self.k = Affine(c.d, c.kv_heads * c.d_head, c.bias)
        self.v = Affine(c.d, c.kv_heads * c.d_head, c.bias)
        self.o = Affine(c.d, c.d, c.bias)

    def forward(
        self,
        x: Tensor,
        angles: Tensor | None,
        mask: Tensor | None,
        past: KeyValues | None,
        tap: AnyTap = UNTAPPED,
    ) -> tuple[Tensor, KeyValues]:
        """Attend from x (..., T, d) to itself and the cache `past`. Returns output and longer cache."""
        Q = tap("q", split_heads(self.q(x), self.heads))  # (..., heads, T, d_head)
        K = tap("k", split_heads(self.k(x), self.kv_heads))  # (..., kv_heads, T, d_head)
        V = tap("v", split_heads(self.v(x), self.kv_heads))  # (..., kv_heads, T, d_head)
        if angles is not None:
            Q = tap("q_rotated", rotate(Q, angles, self.pairing))
            K = tap("k_rotated", rotate(K, angles, self.pairing))
        if past is not None:
            K = torch.cat([past[0], K], dim=-2)  # (..., kv_heads, t + T, d_head)
            V = torch.cat([past[1], V], dim=-2)
        group = self.heads // self.kv_heads
        K_all, V_all = (
            x.repeat_interleave(group, dim=-3) for x in (K, V)
        )  # (..., heads, t + T, d_head) each
        heads = tap("heads", scaled_dot_product(Q, K_all, V_all, mask, tap))  # (..., heads, T, d_head)
        return tap("out", self.o(heads.transpose(-3, -2).flatten(-2))), (K, V)  # (..., T, d)


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Split rows into heads: (..., T, heads · d_head) -> (..., heads, T, d_head)"""
    return x.unflatten(-1, (heads, -1)).transpose(-3, -2)


class FeedForward(nn.Module):
    """(SiLU(x W_gate) ⊙ x W_up) W_down, known as SwiGLU; without a gate: SiLU(x W_up) W_down."""

    def __init__(self, c: CausalLMConfig):
        super().__init__()
        self.activation = ACTIVATIONS[c.activation]
        self.gate = Affine(c.d, c.d_fc, c.bias) if c.gated else None
        self.up = Affine(c.d, c.d_fc, c.bias)
        self.down = Affine(c.d_fc, c.d, c.bias)

    def forward(self, x: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        up = tap("up", self.up(x))  # (..., T, d_fc)
        if self.gate is None:
            hidden = self.activation(up)
        else:
            hidden = tap("gate", self.activation(self.gate(x))) * up
        return tap("out", self.down(tap("hidden", hidden)))  # (..., T, d)


class Block(nn.Module):
    """One layer: x <- x + attention(norm(x)), then x <- x + fc(norm(x)). x is the residual stream."""

    def __init__(self, c: CausalLMConfig):
        super().__init__()
        self.norm1, self.attention = Norm(c), GroupedQueryAttention(c)
        self.norm2, self.fc = Norm(c), FeedForward(c)

    def forward(
        self,
        x: Tensor,
        angles: Tensor | None,
        mask: Tensor | None,
        past: KeyValues | None,
        tap: AnyTap = UNTAPPED,
    ) -> tuple[Tensor, KeyValues]:
        normed = self.norm1(x, tap.inside("norm1"))
        change, cache = self.attention(normed, angles, mask, past, tap.inside("self"))
        x = tap("added1", tap("residual1", x) + change)  # (..., T, d)
        change = self.fc(self.norm2(x, tap.inside("norm2")), tap.inside("fc"))
        return tap("out", tap("residual2", x) + change), cache


@dataclass(frozen=True)
class CausalLMTrace:
    """All quantities computed while reading T tokens, after t tokens in the cache (usually none)."""

    tokens: tuple[int, ...]  # the T tokens
    weights: Tensor  # (layers, heads, T, t + T)    after the softmax
    logits: Tensor  # (T, V)    row i predicts token i + 1
    caches: Caches  # per layer: rotated keys, and values, (kv_heads, t + T, d_head) each
    values: Mapping[str, Tensor]  # every quantity by path, such as "layer1.self.scores"

    @cached_property
    def probabilities(self) -> Tensor:
        """The softmax of the logits: (T, V)."""
        return self.logits.softmax(-1)

    @property
    def stream(self) -> Tensor:
        """The residual stream before the first layer and after every layer: (layers + 1, T, d)"""
        return torch.stack(
            [self.values["input"], *(self.values[f"layer{n}.out"] for n in range(1, len(self.weights) + 1))]
        )


class CausalLM(nn.Module):
    """P(x_{t+1} | x_1 ... x_t) = softmax(norm(x) Eᵀ), where x is the final residual stream at position t."""

    def __init__(self, config: CausalLMConfig):
        super().__init__()
        self.config = c = config
        self.E = init_table(c.words, c.d)  # embedding table, one row per token
        self.P = init_table(c.max_length, c.d) if c.positions == "learned" else None
        self.layers = cast(Sequence[Block], nn.ModuleList(Block(c) for _ in range(c.layers)))
        self.norm = Norm(c)
        self.out = None if c.tied else Affine(c.d, c.words, bias=False)

    def forward(self, tokens: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """Logits of the next tokens: ids (..., T) -> (..., T, V); row t predicts token t + 1."""
        x, _ = self.read_tokens(tokens, tap=tap)
        return tap("logits", self.logit_lens(x, tap.inside("norm")))

    def read_tokens(
        self, tokens: Tensor, past: Caches | None = None, tap: AnyTap = UNTAPPED
    ) -> tuple[Tensor, Caches]:
        """Read tokens (..., T) after the cached text. Returns the final stream (..., T, d) and new caches.

        No position sees a later one, so cached keys and values stay valid when the text grows.
        """
        c, start = self.config, past[0][0].shape[-2] if past else 0
        end = start + tokens.shape[-1]
        if end > c.max_length:
            raise InputError(f"The text has {end:,} tokens. Use at most {c.max_length:,}.")
        x = tap("embedded", F.embedding(tokens, self.E))  # (..., T, d)
        if self.P is not None:
            x = x + tap("positions", self.P[start:end])
        return self.run_layers(tap("input", x), 0, past, tap)

    def run_layers(
        self,
        x: Tensor,
        first: int = 0,
        past: Caches | None = None,
        tap: AnyTap = UNTAPPED,
        last: int | None = None,
    ) -> tuple[Tensor, Caches]:
        """Run the layers from `first` (0-based) up to, but without, `last` on the stream x (..., T, d).

        Returns the stream after them, and the caches of these layers. `past` has the caches of all layers.
        """
        c, start = self.config, past[0][0].shape[-2] if past else 0
        end, angles = start + x.shape[-2], None
        if c.positions == "rotary":
            angles = tap("angles", rotary_angles(start, end, c.d_head, c.base, x.device))  # (T, d_head / 2)
        needs_mask = tap is not UNTAPPED or x.shape[-2] > 1
        mask = causal(end, x.device)[start:] if needs_mask else None  # (T, t + T)
        caches = []
        for n in range(first, c.layers if last is None else last):
            x, cache = self.layers[n](x, angles, mask, past[n] if past else None, tap.inside(f"layer{n + 1}"))
            caches.append(cache)
        return x, tuple(caches)

    def logit_lens(self, x: Tensor, tap: AnyTap = UNTAPPED) -> Tensor:
        """Logits (..., V) of the residual stream x (..., d) of any layer: final norm, then output layer."""
        x = self.norm(x, tap)
        return F.linear(x, self.E) if self.out is None else self.out(x)

    def run(
        self, tokens: Sequence[int], edits: Edits | None = None, past: Caches | None = None
    ) -> CausalLMTrace:
        """Read the tokens and trace every quantity. No begin token is added.

        `past` contains the caches of text read earlier, such as `truncate_caches(trace.caches, n)`.
        """
        tap = Tap(edits)
        tap.step = len(tokens) - 1
        x, caches = self.read_tokens(self._ids(tokens), past, tap)
        logits = tap("logits", self.logit_lens(x, tap.inside("norm")))
        values = tap.finish()
        weights = torch.stack([values[f"layer{n}.self.weights"] for n in range(1, self.config.layers + 1)])
        return CausalLMTrace(tuple(tokens), weights, logits, caches, values)

    def logprobs(self, tokens: Sequence[int]) -> Tensor:
        """log P (T - 1,) of each token except the first, given the tokens before it; natural logarithms."""
        ids = self._ids(tokens)
        x, _ = self.read_tokens(ids)
        rows = zip(x[:-1].split(MAX_LOGIT_ROWS), ids[1:].split(MAX_LOGIT_ROWS), strict=True)
        return torch.cat(
            [
                self.logit_lens(x_t).double().log_softmax(-1).gather(-1, next_[:, None])[:, 0]
                for x_t, next_ in rows
            ]
        )

    def writer(
        self, prompt: Sequence[int] = (), eos: int | None = None, past: Caches | None = None
    ) -> "CausalLMWriter":
        """A writer that continues the prompt, or the begin token if empty. `eos` overrides the end token.

        `past` may contain the caches of the first tokens of the prompt, but not of its last token.
        """
        ids = self._ids(prompt or (self.config.bos,))[None]
        return replace(self.batch_writer(ids, eos), past=past)

    def batch_writer(self, prompts: Tensor, eos: int | None = None) -> "CausalLMWriter":
        """A writer that continues many prompts of one length (B, T), with one hypothesis each."""
        return CausalLMWriter(self, prompts, self.config.eos if eos is None else eos)

    def variant(self, **changes: str | float | bool) -> "CausalLM":
        """A model with different parts that shares these weights, such as `variant(positions="none")`."""
        with torch.device("meta"):
            twin = CausalLM(replace(self.config, **changes))  # type: ignore[arg-type]  # fields by name
        weights = self.state_dict()
        missing = sorted(twin.state_dict().keys() - weights.keys())
        if missing:
            raise ValueError(f"this model has no weights {', '.join(missing)}, so it cannot have {changes}")
        twin.load_state_dict({name: weights[name] for name in twin.state_dict()}, assign=True)
        return twin.requires_grad_(False).eval()

    def _ids(self, tokens: Sequence[int]) -> Tensor:
        if not tokens:
            raise InputError("Type at least one word.")
        for token in tokens:
            if not 0 <= token < self.config.words:
                raise InputError(f"There is no token number {token}. Use 0 to {self.config.words - 1}.")
        return torch.tensor(tokens, device=self.E.device)


def init_table(rows: int, d: int) -> nn.Parameter:
    """An untrained table (rows, d) whose rows have length about 1."""
    bound = (3 / d) ** 0.5  # uniform numbers between −bound and bound have variance 1/d
    return nn.Parameter(nn.init.uniform_(torch.empty(rows, d), -bound, bound))


def truncate_caches(caches: Caches, n: int) -> Caches:
    """Cut the caches down to the first n tokens."""
    return tuple((K[..., :n, :], V[..., :n, :]) for K, V in caches)


@dataclass(frozen=True)
class CausalLMWriter:
    """Continue prompts, one token per call. State: prompt tokens not yet read (k, 0 or 1), and caches."""

    model: CausalLM
    prompts: Tensor  # (B, T)
    eos: int
    past: Caches | None = None  # caches of the prompts' first tokens

    @property
    def bos(self) -> int:
        """The last token of the first prompt. The first call of `next` reads each prompt's last token."""
        return int(self.prompts[0, -1])

    def begin(self) -> tuple[Tensor, Caches]:
        known = self.past[0][0].shape[-2] if self.past else 0
        past = self.past and tuple((K.expand(1, *K.shape), V.expand(1, *V.shape)) for K, V in self.past)
        if past and known == self.prompts.shape[1] - 1:
            return self.prompts[:, -1:], past
        return self.prompts[:, -1:], self.model.read_tokens(self.prompts[:, known:-1], past)[1]

    def next(self, tokens: Tensor, state: tuple[Tensor, Caches]) -> tuple[Tensor, tuple[Tensor, Caches]]:
        """Read the tokens just written (k,) -> logits of the next tokens (k, V), and the new state."""
        unread, past = state
        x, caches = self.model.read_tokens(unread if unread.shape[1] else tokens[:, None], past)  # (k, 1, d)
        return self.model.logit_lens(x[:, 0]), (unread[:, :0], caches)
