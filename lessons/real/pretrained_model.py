"""The pretrained model of lesson 9: tokenise typed text, reuse runs that share a prefix, continue runs."""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import blame_control
from lessons.kit.contract import InputError
from lessons.kit.memo import deep_bytes, memoize
from lessons.kit.notices import add_notice
from models import pretrained
from models.blocks import Caches
from models.modern import CausalLM, truncate_caches
from models.pretrained.tokenizer import PieceTokenizer
from models.trace import Edits, Tap

# layers and heads of SmolLM2, as in controls and questions; a test compares them with the model
LAYERS, HEADS = 30, 9
MAX_PIECES = 40  # maximum length of a text for which all attention maps are shown
MAX_CHARACTERS = 400
CACHE_BYTES = 128 << 20  # for the readings of one worker: 25 texts of 32 pieces, or 200 of five
Tokens = tuple[int, ...]
Words = tuple[str, ...]


def is_available() -> bool:
    """Whether the weights are on this machine."""
    return pretrained.is_ready()


@cache
def loaded() -> pretrained.Pretrained:
    return pretrained.load()


def model() -> CausalLM:
    return loaded().model


def tokenizer() -> PieceTokenizer:
    return loaded().tokenizer


def model_name() -> str:
    """The name of the model for readers; recorded runs are of SmolLM2."""
    name = pretrained.chosen() if is_available() else "smollm2"
    return "SmolLM2" if name == "smollm2" else Path(name).name


def clamp(control: str, value: int, last: int) -> int:
    """A layer or head within the model's range; a notice says so if another model has fewer of them."""
    if value > last:
        add_notice(control, f"{model_name()} has only {last}. You see number {last}.")
    return min(value, last)


def encode(text: str, control: str = "text", limit: int = MAX_PIECES) -> Tokens:
    """Convert typed text to tokens, or raise an InputError that says what to change."""
    with blame_control(control):
        tokens = tuple(tokenizer().encode(text))
        if not tokens:
            raise InputError("Type at least one word.")
        if len(tokens) > limit:
            raise InputError(f"That is {len(tokens)} pieces. Use at most {limit}.")
        return tokens


def pieces(tokens: Sequence[int]) -> Words:
    return tokenizer().pieces(tokens)


@dataclass(frozen=True)
class Reading:
    """Quantities of one run over T tokens. Only the last logits are kept: each position needs 200 KB."""

    tokens: Tokens
    weights: Tensor  # (layers, heads, T, T)
    stream: Tensor  # (layers + 1, T, d) residual stream before the first layer and after each
    logits: Tensor  # (V,) logits of the next token
    caches: Caches

    @property
    def probabilities(self) -> Tensor:
        """P of the next token: (V,)."""
        return self.logits.double().softmax(-1)


class RunCache:
    """A cache of the latest readings. A new text reuses the longest prefix shared with one of them."""

    def __init__(self, max_bytes: int = CACHE_BYTES):
        self.max_bytes, self.lock, self.readings = (
            max_bytes,
            threading.RLock(),
            OrderedDict[Tokens, Reading](),
        )
        self.sizes: dict[Tokens, int] = {}

    def __call__(self, tokens: Tokens) -> Reading:
        with self.lock:
            found = self.readings.pop(tokens, None) or self.read(tokens)
            self.readings[tokens] = found
            self.sizes.setdefault(tokens, deep_bytes(found.weights, found.stream, found.logits, found.caches))
            while sum(self.sizes.values()) > self.max_bytes and len(self.readings) > 1:
                oldest, _ = self.readings.popitem(last=False)
                del self.sizes[oldest]
            return found

    def clear(self) -> None:
        with self.lock:
            self.readings.clear()
            self.sizes.clear()

    def longest_prefix(self, tokens: Tokens) -> "tuple[Reading | None, int]":
        """The reading that shares the longest prefix with the text, and how many tokens it can spare.

        The last token is always read again, because its logits are wanted.
        """
        best = max(
            self.readings.values(), key=lambda known: shared_length(known.tokens, tokens), default=None
        )
        known = min(shared_length(best.tokens, tokens), len(tokens) - 1) if best else 0
        return (best, known) if known else (None, 0)

    def read(self, tokens: Tokens) -> Reading:
        best, known = self.longest_prefix(tokens)
        lm, tap = model(), Tap()
        with torch.inference_mode():
            past = truncate_caches(best.caches, known) if best else None
            x, caches = lm.read_tokens(torch.tensor(tokens[known:]), past, tap)
            layers = range(1, lm.config.layers + 1)
            weights = torch.stack([tap.value(f"layer{n}.self.weights") for n in layers])
            stream = torch.stack([tap.value("input"), *(tap.value(f"layer{n}.out") for n in layers)])
            logits = lm.logit_lens(x[-1])
            if best:
                T = len(tokens)
                whole = weights.new_zeros(*weights.shape[:2], T, T)
                whole[:, :, :known, :known] = best.weights[:, :, :known, :known]
                whole[:, :, known:] = weights
                weights, stream = whole, torch.cat([best.stream[:, :known], stream], 1)
        return Reading(tokens, weights, stream, logits, caches)

    def prefix_caches(self, tokens: Tokens) -> Caches | None:
        """Caches for the first tokens of a text, at most up to the last one; None if nothing is known."""
        with self.lock:
            best, known = self.longest_prefix(tokens)
            return truncate_caches(best.caches, known) if best else None


def shared_length(first: Tokens, second: Tokens) -> int:
    """Length of the common prefix of two texts, in tokens."""
    return next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )


read = RunCache()


def read_edited(tokens: Tokens, layer: int, edits: Edits) -> Tensor:
    """Logits of the next token (V,) when some quantities of one layer (1-based) are replaced.

    The layers below it do not change, so the run begins with their residual stream.
    """
    reading = read(tokens)
    with read.lock, torch.inference_mode():
        tap = Tap({f"layer{layer}.{name}": edit for name, edit in edits.items()})
        x, _ = model().run_layers(reading.stream[layer - 1], layer - 1, tap=tap)
        tap.finish()  # raises if an edit names no quantity
        return model().logit_lens(x[-1])


def run_up(
    reading: Reading,
    start: int,
    begin: Callable[[int], Tensor | None],
    edits: Mapping[int, Edits] = MappingProxyType({}),
) -> Tensor:
    """Runs that begin at different layers, all going up together → their final streams (k, T − start, d).

    `begin(n)` gives streams (k, T − start, d) after layer n with which new runs begin there. Positions before
    `start` do not change, so their keys and values are reused. edits: layer (1-based) → edits there
    """
    lm, T = model(), len(reading.tokens)
    known = truncate_caches(reading.caches, start)
    runs = torch.empty(0, T - start, lm.config.d)
    with read.lock, torch.inference_mode():
        for n in range(lm.config.layers + 1):
            fresh = begin(n)
            runs = runs if fresh is None else torch.cat([runs, fresh])
            if n == lm.config.layers or not len(runs):
                continue
            past = tuple((K.expand(len(runs), *K.shape), V.expand(len(runs), *V.shape)) for K, V in known)
            tap = Tap({f"layer{n + 1}.{name}": edit for name, edit in edits.get(n + 1, {}).items()})
            runs, _ = lm.run_layers(runs, n, past, tap, n + 1)
    return runs


@memoize
def surprisal(tokens: Tokens) -> np.ndarray:
    """Surprisal in bits of each token except the first (T − 1,)."""
    with read.lock, torch.inference_mode():
        logprobs = model().logit_lens(read(tokens).stream[-1, :-1]).double().log_softmax(-1)
    following = torch.tensor(tokens[1:])[:, None]
    return (-logprobs.gather(-1, following)[:, 0] / math.log(2)).numpy()


def quote(piece: str) -> str:
    """Quote a piece for use in a sentence, without the mark for its leading space."""
    return f"“{piece.removeprefix('␣') or piece}”"


def most_probable(probabilities: Tensor, count: int) -> list[int]:
    """Ids of the most probable tokens, best first."""
    return probabilities.topk(count).indices.tolist()
