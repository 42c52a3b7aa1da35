"""Attention sees a set."""

from typing import Any

import numpy as np

from lessons.attention.compute.unordered import SHUFFLES, Shuffled
from lessons.attention.views.parts import WIDE, looking, source_keys, truth_line
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted, scientific
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled

FLOAT = 1.2e-7  # what a 32-bit number near 1 cannot resolve


def unrolled(run: Shuffled) -> Unrolled:
    whose = "states" if run.what == SHUFFLES[0] else "words"
    title = f"Step {run.t}, {whose} in " + ("their own order" if run.seed == 0 else f"order {run.seed}")
    linked = run.what != SHUFFLES[0] or run.seed == 0
    written = ()  # that would answer the guess; it stands below
    seen = run.source, run.H, written, run.s, run.t, run.weights, run.context
    return looking(*seen, linked=linked, tall=330, title=title)


def reading(run: Shuffled) -> str:
    best = int(run.weights.argmax())
    stands = "now stands" if run.seed else "stands"
    place = f"“**{run.source[best]}**” {stands} at place **{best + 1}** and has weight **{run.weights[best]:.2f}**"
    if run.seed == 0:
        return f"Nothing is shuffled yet. {place}. Move the slider: which pictures change, and which do not?"
    if run.what == SHUFFLES[0]:
        same = "and the sentence is the same" if not run.new else "but the sentence changed"
        return (
            f"{place}: the weight went along. No number of any context changed by more than **{scientific(run.gap)}**, "
            f"which is rounding of 32-bit numbers, {same}."
        )
    return (
        f"{place}. The encoder read other neighbours, so the states themselves differ: with the same words written, "
        f"contexts change by up to **{run.gap:.2f}**. Left alone, it writes {counted(len(run.new), 'word')} of "
        f"{len(run.yours)} otherwise."
    )


def translations(run: Shuffled) -> Tokens:
    lines = (
        TokenLine("untouched", run.plain, right=run.right[0]),
        TokenLine("shuffled", run.yours, changed=frozenset(run.new), right=run.right[1]),
        *truth_line(run.truth, run.right[0]),
    )
    return Tokens(
        lines, current=run.t - 1, wide=WIDE, tall=90, title="What it writes" + ("; outlined is what differs" if run.new else "")
    )


def weights(run: Shuffled) -> Bars:
    names: dict[str, Any] = {"compare": run.plain_weights[list(run.order)], "compare_names": ("shuffled", "untouched")}
    title = f"Weights of step {run.t}, word by word"
    return Bars(run.weights, run.source, keys=source_keys(len(run.source)), label_role="source", wide=560, title=title, **names)


def change(run: Shuffled) -> Curves:
    """Both shuffles at once, on one axis: rounding against meaning."""
    steps = np.arange(1, run.gaps.shape[1] + 1)
    lines = tuple(
        Line(name, steps, np.maximum(gaps, 1e-9), role, points=True)
        for name, role, gaps in zip(("states", "words"), ("source", "target"), run.gaps, strict=True)
    )
    axes: dict[str, Any] = {
        "x_range": (1, len(steps)),
        "y_range": (1e-9, 10),
        "log_y": True,
        "x_title": "step t",
        "y_title": "largest change in c_t",
        "wide": 700,
    }
    title = "How much the context changes"
    return Curves(lines, rules=((FLOAT, "float precision"),), current=run.t, key="step", title=title, **axes)
