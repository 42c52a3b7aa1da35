"""What several experiments draw alike: encoder and decoder with the curves of one step, a row of weights, the next words."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.unrolled import Chain, Unrolled

Words = tuple[str, ...]
STRONG = 0.5  # the state of full colour


def looking(
    source: Words, H: np.ndarray, output: Words, s: np.ndarray, t: int, weights: np.ndarray, context: np.ndarray, title: str
) -> Unrolled:
    """The decoder above, the encoder below, and how much step t looks at each state."""
    chains = (
        Chain("encoder reads", source, H, key="source", first=0),
        Chain("decoder writes", output, s, "target"),
    )
    return Unrolled(chains, current=t - 1, weights=weights, context=context, top=STRONG, cells=6, title=title)


def source_keys(T: int) -> Words:
    return tuple(f"source:{i}" for i in range(T))


def next_bars(words: Words, probabilities: np.ndarray, title: str, compare: np.ndarray | None = None, **look: Any) -> Bars:
    keys = tuple(f"word:{word}" for word in words)
    return Bars(probabilities, words, role="target", keys=keys, compare=compare, title=title, **look)


def quoted(words: Words, most: int = 4) -> str:
    """“a”, “b” and “c”, in bold; not more than a few."""
    shown = [f"“**{word}**”" for word in words[:most]]
    more = [f"{len(words) - most} more"] if len(words) > most else []
    *first, last = shown + more
    return f"{', '.join(first)} and {last}" if first else last
