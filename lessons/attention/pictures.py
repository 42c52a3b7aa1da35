"""Pictures that several experiments share: one step of attention, bars over words, the reference."""

from typing import Any

import numpy as np

from lessons.kit.checkpoints import Words
from lessons.kit.language import translate
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.phrases import bold_word, join_with_and
from lessons.kit.pictures.tokens import TokenLine
from lessons.kit.pictures.unrolled import Chain, Unrolled

PAGE_WIDTH_PX = 920
HALF_WIDTH_PX = 440  # width of each of two pictures side by side
FULL_COLOUR = 0.5  # activation drawn in the strongest colour


def attention_step(
    source: Words,
    H: np.ndarray,
    output: Words,
    s: np.ndarray,
    t: int,
    weights: np.ndarray,
    context: np.ndarray,
    *,
    is_linked: bool = True,  # False for shuffled states, which do not form a chain
    **options: Any,
) -> Unrolled:
    """Decoder above, bidirectional encoder below, and the weight that step t gives to each state."""
    encoder = Chain(
        "encoder reads" if is_linked else "states h, shuffled",
        source,
        H,
        key="source",
        first=0,
        linked=is_linked,
        both_ways=is_linked,
    )
    decoder = Chain("decoder writes" if output else "decoder", output, s, "target")
    options = {"cells": 6, "wide": PAGE_WIDTH_PX, **options}
    return Unrolled(
        (encoder, decoder), current=t - 1, weights=weights, context=context, top=FULL_COLOUR, **options
    )


def source_keys(T: int) -> Words:
    """Keys that link a bar to the same source word in other pictures."""
    return tuple(f"source:{i}" for i in range(T))


def source_bars(values: np.ndarray, source: Words, **options: Any) -> Bars:
    """One bar per source word."""
    return Bars(values, source, keys=source_keys(len(source)), label_role="source", **options)


def next_word_bars(words: Words, probabilities: np.ndarray, **options: Any) -> Bars:
    """One bar per candidate for the next word."""
    return Bars(probabilities, words, role="target", keys=tuple(f"word:{word}" for word in words), **options)


def reference_line(truth: Words | None, *right: bool | None) -> tuple[TokenLine, ...]:
    """The reference translation as a line of tokens, if it is known and an output differs from it."""
    return (TokenLine(translate("right is"), truth, quiet=True),) if truth and False in right else ()


def quote_list(words: Words, limit: int = 4) -> str:
    """List words as “a”, “b” and “c” in bold; after `limit` words, only count the rest."""
    more = [translate("{n} more", n=len(words) - limit)] if len(words) > limit else []
    return join_with_and([*map(bold_word, words[:limit]), *more])
