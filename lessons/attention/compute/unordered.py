"""Attention over shuffled states. Weights move along with the states; their weighted sum stays."""

from copy import deepcopy
from dataclasses import dataclass
from functools import cache, cached_property
from operator import eq
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.attention.compute.wirings import ADDITIVE
from lessons.kit.checkpoints import (
    TRANSLATION,
    Tokens,
    Words,
    english,
    french,
    load_model,
    original_run,
    read_source,
)
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import Places, differing_positions, matches_reference, reference_for
from models.seq2seq import Seq2Seq, Seq2SeqTrace

SHUFFLES = ("the states, after reading", "the words, before reading")


@dataclass(frozen=True)
class Shuffled(Result):
    """The untouched run, and one in which states or words stand in another order."""

    what: str
    seed: int
    t: int
    order: tuple[int, ...]  # (T) place i holds what was at place order[i]
    source: Words  # (T) as shuffled
    H: np.ndarray  # (T, m) as the decoder sees them
    s: np.ndarray  # (T', m)
    plain: Words  # (T') with <eos>
    yours: Words  # (T'')
    truth: Words | None  # the translation of the sentence as it was typed, where it is known
    right: tuple[bool | None, bool | None]  # untouched, yours
    lost: Places  # places of the untouched sentence that yours has not,
    new: Places  # and of yours that it has not
    plain_weights: np.ndarray  # (T,) at step t, in the old order
    weights: np.ndarray  # (T,) at step t, in the new order
    context: np.ndarray  # (m,) c_t
    gap: float  # largest |change of a number in any c_t|
    _tokens: Tokens  # (T) as typed

    @cached_property
    def gaps(self) -> np.ndarray:
        """(2, T') largest |change of a number in c_t|, for shuffled states and for shuffled words"""
        return np.stack([gap(what, self._tokens, self.order) for what in SHUFFLES])

    @cached_property
    def gaps_64_bit(self) -> np.ndarray:
        """(T',) the same for shuffled states, computed with 64-bit numbers: what is only rounding shrinks with the precision"""
        return gap_64_bit(self._tokens, self.order)

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.yours)}

    def idle(self) -> dict[str, str]:
        return {} if self.seed else {"what": "At 0 nothing is shuffled."}


def unordered(source: str, seed: int, what: str, t: int) -> Shuffled:
    tokens = read_source(source)
    plain, order = original_run(ADDITIVE, tokens), shuffle(len(tokens), seed)
    words = tuple(tokens[i] for i in order)
    fed = shuffled(what, tokens, order, plain.output)
    alike = (
        tuple(fed.logits.argmax(-1).tolist()) == plain.output
    )  # then it would have written the same, left alone
    yours = fed if alike else shuffled(what, tokens, order)
    t = min(t, len(yours.output))
    now = min(t, len(plain.output)) - 1
    written = french(plain.output), french(yours.output)
    begin = [*map(eq, *written), False].index(False)  # up to here they are alike
    lost, new = (
        tuple(begin + n for n in places)
        for places in differing_positions(*(words[begin:] for words in written))
    )
    truth = reference_for(TRANSLATION, english(tokens))
    return Shuffled(
        what=what,
        seed=seed,
        t=t,
        order=order,
        source=english(words),
        H=yours.H.numpy(),
        s=yours.s.numpy(),
        plain=written[0],
        yours=written[1],
        truth=truth,
        right=(matches_reference(written[0], truth), matches_reference(written[1], truth)),
        lost=lost,
        new=new,
        plain_weights=plain.weights[now].numpy(),
        weights=yours.values["weights"][t - 1].numpy(),
        context=yours.contexts[t - 1].numpy(),
        gap=float(gap(what, tokens, order).max()),
        _tokens=tokens,
    )


def gap(what: str, tokens: Tokens, order: Tokens) -> np.ndarray:
    """(T',) largest |change of a number in c_t|, while the same words are written."""
    plain = original_run(ADDITIVE, tokens)
    return (shuffled(what, tokens, order, plain.output).contexts - plain.contexts).abs().amax(-1).numpy()


def gap_64_bit(tokens: Tokens, order: Tokens) -> np.ndarray:
    """(T',) `gap` of shuffled states, computed by a copy of the model in double precision."""
    model, output = double_precision(), original_run(ADDITIVE, tokens).output
    with torch.inference_mode():
        plain, yours = (
            model.run(tokens, output, edits=edits) for edits in (None, {"H": lambda H, step: H[list(order)]})
        )
    return (yours.contexts - plain.contexts).abs().amax(-1).numpy()


@cache
def double_precision() -> Seq2Seq:
    return deepcopy(load_model(ADDITIVE)).double()


def shuffled(what: str, tokens: Tokens, order: Tokens, target: Tokens | None = None) -> Seq2SeqTrace:
    """With a target, step t means the same as in the untouched run."""
    if what == SHUFFLES[0]:
        return states_shuffled(tokens, order, target)
    return original_run(ADDITIVE, tuple(tokens[i] for i in order), target)


@memoize
def states_shuffled(tokens: Tokens, order: Tokens, target: Tokens | None) -> Seq2SeqTrace:
    """The encoder reads as ever; then its states change places."""

    def reorder(H: Tensor, step: int) -> Tensor:
        return H[list(order)]

    with torch.inference_mode():
        return load_model(ADDITIVE).run(tokens, target, edits={"H": reorder})


def shuffle(T: int, seed: int) -> tuple[int, ...]:
    """A permutation; 0 leaves all in place."""
    return tuple(np.random.default_rng(seed).permutation(T).tolist()) if seed else tuple(range(T))
