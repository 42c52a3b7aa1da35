"""The pretrained model of lesson 9: tokenise typed text, and reuse runs that share a prefix."""

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

LAYERS, HEADS = 30, 9  # of SmolLM2, for controls and questions; a test compares them with the model
MAX_PIECES = 40  # maximum length of a text for which all attention maps are shown
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
    """Length of the common prefix of two texts, in tokens."""
    return next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )


read = RunCache()


def read_edited(tokens: Tokens, edits: Edits) -> Tensor:
    """Logits of the next token (V,) when some quantities of the run are replaced."""
    with read.lock, torch.inference_mode():
        return model().run(tokens, edits).logits[-1].clone()


def quote(piece: str) -> str:
    """Quote a piece for use in a sentence, without the mark for its leading space."""
    return f"“{piece.removeprefix('␣') or piece}”"


def most_probable(probabilities: Tensor, count: int) -> list[int]:
    """Ids of the most probable tokens, best first."""
    return probabilities.topk(count).indices.tolist()
