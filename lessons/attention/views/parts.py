"""What several experiments draw alike: encoder and decoder with the curves of one step, a row of weights, the next words."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.tokens import TokenLine
from lessons.kit.pictures.unrolled import Chain, Unrolled
from models.vocabulary import EOS

Words = tuple[str, ...]
STRONG = 0.5  # the state of full colour
WIDE = 920  # the room of a main act


def looking(
    source: Words,
    H: np.ndarray,
    output: Words,
    s: np.ndarray,
    t: int,
    weights: np.ndarray,
    context: np.ndarray,
    *,
    linked: bool = True,  # else the states have been taken out of their chain
    cells: int = 6,  # of a strip
    **look: Any,
) -> Unrolled:
    """The decoder above, the encoder below, and how much step t looks at each state. These encoders read both ways."""
    read: dict[str, Any] = {"key": "source", "first": 0, "linked": linked, "both_ways": linked}
    chains = (
        Chain("encoder reads" if linked else "states h, shuffled", source, H, **read),
        Chain("decoder writes" if output else "decoder", output, s, "target"),
    )
    return Unrolled(
        chains, current=t - 1, weights=weights, context=context, top=STRONG, cells=cells, wide=WIDE, **look
    )


def source_keys(T: int) -> Words:
    return tuple(f"source:{i}" for i in range(T))


def next_bars(
    words: Words, probabilities: np.ndarray, compare: np.ndarray | None = None, **look: Any
) -> Bars:
    keys = tuple(f"word:{word}" for word in words)
    return Bars(probabilities, words, role="target", keys=keys, compare=compare, **look)


def truth_line(truth: Words | None, *right: bool | None) -> tuple[TokenLine, ...]:
    """The truth, where it is known and something is not right."""
    return (TokenLine("right is", truth, quiet=True),) if truth and False in right else ()


def graded(output: Words, truth: Words | None, right: bool | None) -> str:
    """Is what the model writes right, where that is known?"""
    if right is None:
        return ""
    said = " ".join(word for word in output if word != EOS)
    return f" “{said}” is right ✓." if right else f" “{said}” is wrong ✗; right is “{' '.join(truth or ())}”."


def placed(source: Words, i: int) -> str:
    """The source word at place i (from 0), in bold, with its number if the sentence has it more than once."""
    return f"“**{source[i]}**”" + (f" (word {i + 1})" if source.count(source[i]) > 1 else "")


def quoted(words: Words, most: int = 4) -> str:
    """“a”, “b” and “c”, in bold; not more than a few."""
    shown = [f"“**{word}**”" for word in words[:most]]
    more = [f"{len(words) - most} more"] if len(words) > most else []
    *first, last = shown + more
    return f"{', '.join(first)} and {last}" if first else last
