"""Attention over shuffled states or words. Shuffled states keep their weights, so c_t does not change."""

from copy import deepcopy
from dataclasses import dataclass
from functools import cache, cached_property
from operator import eq
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.attention.translators import ADDITIVE, Source, read_source
from lessons.kit.checkpoints import Tokens, Words
from lessons.kit.contract import Result
from lessons.kit.language import translate
from lessons.kit.memo import memoize
from lessons.kit.references import Positions, differing_positions
from lessons.kit.typed_text import TypedSentence
from models.seq2seq import Seq2Seq, Seq2SeqTrace

SHUFFLES = ("the states, after reading", "the words, before reading")


@dataclass(frozen=True)
class Shuffled(Result):
    """The original run, and a run with shuffled states or words ("yours")."""

    what: str
    seed: int
    t: int
    order: tuple[int, ...]  # (T) position i holds what was at position order[i]
    source: Words  # (T) shuffled
    H: np.ndarray  # (T, m) as the decoder sees them
    s: np.ndarray  # (T', m)
    plain: Words  # (T') original output, with <eos>
    yours: Words  # (T'') output of the shuffled run
    truth: Words | None  # the reference for the sentence as typed, if it is known
    right: tuple[bool | None, bool | None]  # whether each output is the reference: original, shuffled
    lost: Positions  # positions of words in the original output that the shuffled output lacks
    new: Positions  # positions of words in the shuffled output that the original output lacks
    plain_weights: np.ndarray  # (T,) at step t, in the original order
    weights: np.ndarray  # (T,) at step t, in the new order
    context: np.ndarray  # (m,) c_t
    gap: float  # largest absolute change of any number in any c_t
    _tokens: Tokens  # (T) as typed

    @cached_property
    def gaps(self) -> np.ndarray:
        """(2, T') largest absolute change of a number in c_t, for shuffled states and for shuffled words."""
        return np.stack([context_gaps(what, self._tokens, self.order) for what in SHUFFLES])

    @cached_property
    def gaps_64_bit(self) -> np.ndarray:
        """(T',) `gaps` of shuffled states in 64-bit precision, where rounding errors are smaller."""
        return context_gaps_64_bit(self._tokens, self.order)

    @property
    def is_in_order(self) -> bool:
        return self.order == tuple(range(len(self.order)))

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.yours)}

    def idle(self) -> dict[str, str]:
        return {} if self.seed else {"what": translate("Shuffle 0 is the original order.")}


def compute(source: str, seed: int, what: str, t: int) -> Shuffled:
    read = read_source(source)
    tokens, original = read.tokens, read.run()
    order = permutation(len(tokens), seed)
    shuffled = run_shuffled(what, tokens, order, original.output)
    if tuple(shuffled.logits.argmax(-1).tolist()) != original.output:  # free running writes other words
        shuffled = run_shuffled(what, tokens, order)
    t = min(t, len(shuffled.output))
    reordered = Source(ADDITIVE, reorder(read.sentence, order))
    outputs = read.output(original), reordered.output(shuffled)
    lost, new = differences_after_common_start(*outputs)
    return Shuffled(
        what=what,
        seed=seed,
        t=t,
        order=order,
        source=reordered.words,
        H=shuffled.H.numpy(),
        s=shuffled.s.numpy(),
        plain=outputs[0],
        yours=outputs[1],
        truth=read.truth,
        right=(read.is_right(outputs[0]), read.is_right(outputs[1])),
        lost=lost,
        new=new,
        plain_weights=original.weights[min(t, len(original.output)) - 1].numpy(),
        weights=shuffled.values["weights"][t - 1].numpy(),
        context=shuffled.contexts[t - 1].numpy(),
        gap=float(context_gaps(what, tokens, order).max()),
        _tokens=tokens,
    )


def differences_after_common_start(first: Words, second: Words) -> tuple[Positions, Positions]:
    """Positions where two outputs differ, after the words that both start with."""
    start = [*map(eq, first, second), False].index(False)
    lost, new = differing_positions(first[start:], second[start:])
    return tuple(start + n for n in lost), tuple(start + n for n in new)


def reorder(sentence: TypedSentence, order: Tokens) -> TypedSentence:
    typed, words = (tuple(words[i] for i in order) for words in (sentence.typed, sentence.words))
    return TypedSentence(typed, words)


def permutation(T: int, seed: int) -> tuple[int, ...]:
    """A random order; seed 0 is the original order."""
    return tuple(np.random.default_rng(seed).permutation(T).tolist()) if seed else tuple(range(T))


def run_shuffled(what: str, tokens: Tokens, order: Tokens, target: Tokens | None = None) -> Seq2SeqTrace:
    """Run with shuffled states or words. With a target, step t matches step t of the original run."""
    if what == SHUFFLES[0]:
        return run_shuffled_states(tokens, order, target)
    return ADDITIVE.run(tuple(tokens[i] for i in order), target)


@memoize
def run_shuffled_states(tokens: Tokens, order: Tokens, target: Tokens | None) -> Seq2SeqTrace:
    """Run the encoder on the words in their original order, then shuffle its states."""

    def reorder(H: Tensor, step: int) -> Tensor:
        return H[list(order)]

    with torch.inference_mode():
        return ADDITIVE.model.run(tokens, target, edits={"H": reorder})


def context_gaps(what: str, tokens: Tokens, order: Tokens) -> np.ndarray:
    """(T',) largest absolute change of a number in c_t while the decoder is fed the same words."""
    original = ADDITIVE.run(tokens)
    shuffled = run_shuffled(what, tokens, order, original.output)
    return (shuffled.contexts - original.contexts).abs().amax(-1).numpy()


def context_gaps_64_bit(tokens: Tokens, order: Tokens) -> np.ndarray:
    """(T',) `context_gaps` of shuffled states, computed by a copy of the model in double precision."""
    model, output = double_precision_model(), ADDITIVE.run(tokens).output
    with torch.inference_mode():
        original, shuffled = (
            model.run(tokens, output, edits=edits) for edits in (None, {"H": lambda H, step: H[list(order)]})
        )
    return (shuffled.contexts - original.contexts).abs().amax(-1).numpy()


@cache
def double_precision_model() -> Seq2Seq:
    return deepcopy(ADDITIVE.model).double()
