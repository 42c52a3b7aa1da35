"""What several pictures of this lesson share."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from lessons.bottleneck.compute.common import Band, Learning
from lessons.kit.pictures.curves import Line
from lessons.kit.pictures.numbers import rate
from lessons.kit.pictures.tokens import TokenLine
from lessons.kit.pictures.unrolled import Chain, Unrolled
from models.vocabulary import EOS

Words = tuple[str, ...]
TOP = 0.5  # the value of full colour: most numbers of a state lie within
WIDE = 900  # of the main act, in pixels


def encoder(words: Words, states: np.ndarray) -> Chain:
    """Only the last state is handed on."""
    return Chain("encoder reads", words, states, used=frozenset({len(words) - 1}), key="source", first=0)


def pair(
    below: Chain,
    read: Words,
    states: np.ndarray,
    start: np.ndarray,
    outputs: Words,
    context: np.ndarray,
    **look,
) -> Unrolled:
    """An encoder, c as one strip, and a decoder that reads what stands below it and writes what stands above."""
    above = Chain("decoder writes", read, states, "target", outputs=outputs, start=start, fed_back=True)
    return Unrolled((below, above), context=context, **{"top": TOP, "wide": WIDE} | look)


def without_end(words: Words) -> Words:
    return tuple(word for word in words if word != EOS)


def reference(truth: Words | None, teacher: Words) -> TokenLine:
    """What the other lines are held against: the truth, or who stands in for it."""
    return TokenLine("right" if truth else "teacher", without_end(teacher), quiet=True)


def compared(truth: Words | None) -> str:
    """What marks in the lines above mean."""
    return "marked: not the right word" if truth else "marked: not as the teacher has it"


def too_long(run: Any) -> str:
    """A teacher that is a model is no better than its training."""
    far = run.truth is None and len(run.words) > run.trained[1]
    return f" The teacher, too, was trained on at most {run.trained[1]} words." if far else ""


# ---- figures over seeds ----


def line_of(name: str, x: np.ndarray, band: Band, role: str, **look: Any) -> Line:
    """A line, with its band where several seeds make one."""
    low, high = (band.low, band.high) if band.seeds.max() > 1 else (None, None)
    return Line(name, x, band.mean, role, low, high, **look)


def since(one: Learning) -> str:
    """Since when a training has come no further, if it stood still before the last look."""
    if one.still == one.steps[-1]:
        return f"was **still learning** at step {one.still:,}"
    return f"stands still since step **{one.still:,}**"


def learned_at(rates: Mapping[str, float]) -> str:
    """Which size of c was trained at which learning rate."""
    groups: dict[float, list[str]] = {}
    for k, used in rates.items():
        groups.setdefault(used, []).append(k)
    said = "; ".join(f"**{rate(used)}** for k = {', '.join(sizes)}" for used, sizes in groups.items())
    return f"Learning rates, each the best of four tried: {said}."
