"""The pretrained model of lesson 9: typed text as pieces, and runs that share their beginning."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from lessons.kit.checkpoints import blame_control
from lessons.kit.contract import InputError
from models import pretrained
from models.blocks import Caches
from models.modern import CausalLM, truncate_caches
from models.pretrained.tokenizer import PieceTokenizer
from models.trace import Edits

MAX_PIECES = 40  # of a text whose attention maps are all wanted
MAX_CHARACTERS = 400
CACHED_RUNS = 6  # 3 to 5 MB each
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


def encode(text: str, control: str = "text", limit: int = MAX_PIECES) -> Tokens:
    """Typed text as pieces, or an InputError that says what to change."""
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
    """Quantities of one run over T pieces; logits only of the last, because each position has 200 KB."""

    tokens: Tokens
    weights: Tensor  # (layers, heads, T, T)
    stream: Tensor  # (layers + 1, T, d) residual stream before the first layer and after each
    logits: Tensor  # (V,) of the next piece
    caches: Caches

    @property
    def probabilities(self) -> Tensor:
        """(V,)"""
        return self.logits.double().softmax(-1)


class RunCache:
    """The latest readings. A new text starts from the longest beginning that one of them shares."""

    def __init__(self, size: int = CACHED_RUNS):
        self.size, self.lock, self.readings = size, threading.Lock(), OrderedDict[Tokens, Reading]()

    def __call__(self, tokens: Tokens) -> Reading:
        with self.lock:
            found = self.readings.pop(tokens, None) or self.read(tokens)
            self.readings[tokens] = found
            while len(self.readings) > self.size:
                self.readings.popitem(last=False)
            return found

    def read(self, tokens: Tokens) -> Reading:
        best = max(
            self.readings.values(), key=lambda known: shared_length(known.tokens, tokens), default=None
        )
        known = min(shared_length(best.tokens, tokens), len(tokens) - 1) if best else 0
        with torch.inference_mode():
            trace = model().run(
                tokens[known:], past=truncate_caches(best.caches, known) if best and known else None
            )
        weights, stream = trace.weights, trace.stream
        if best and known:
            layers, heads, _, width = weights.shape
            whole = weights.new_zeros(layers, heads, width, width)
            whole[:, :, :known, :known] = best.weights[:, :, :known, :known]
            whole[:, :, known:] = weights
            weights, stream = whole, torch.cat([best.stream[:, :known], stream], 1)
        return Reading(tokens, weights, stream, trace.logits[-1].clone(), trace.caches)


def shared_length(first: Tokens, second: Tokens) -> int:
    """How many pieces two texts have in common from the start."""
    return next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )


read = RunCache()


def read_edited(tokens: Tokens, edits: Edits) -> Tensor:
    """The logits of the next piece (V,) when some quantities of the run are replaced."""
    with read.lock, torch.inference_mode():
        return model().run(tokens, edits).logits[-1].clone()


def quote(piece: str) -> str:
    """A piece inside a sentence, without the mark of its leading space."""
    return f"“{piece.removeprefix('␣') or piece}”"


def most_probable(probabilities: Tensor, count: int) -> list[int]:
    """The ids of the most probable pieces, best first."""
    return probabilities.topk(count).indices.tolist()
