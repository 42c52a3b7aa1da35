"""Attention sees a set."""

import numpy as np

from lessons.attention.compute.unordered import SHUFFLES, Shuffled
from lessons.attention.views.parts import looking, source_keys
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import scientific
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Chain, Unrolled

FLOAT = 1.2e-7  # what a 32-bit number near 1 cannot resolve


def unrolled(run: Shuffled) -> Unrolled:
    whose = "states" if run.what == SHUFFLES[0] else "words"
    title = f"Step {run.t}, {whose} in " + ("their own order" if run.seed == 0 else f"order {run.seed}")
    picture = looking(run.source, run.H, run.yours, run.s, run.t, run.weights, run.context, title)
    linked = run.what != SHUFFLES[0] or run.seed == 0
    encoder = Chain(
        "states h, shuffled" if not linked else "encoder reads", run.source, run.H, key="source", first=0, linked=linked
    )
    return Unrolled(
        (encoder, picture.chains[1]),
        **{name: getattr(picture, name) for name in ("current", "weights", "context", "top", "cells", "title")},
    )


def reading(run: Shuffled) -> str:
    best, gap = int(run.weights.argmax()), run.gaps[int(run.what == SHUFFLES[1])].max()
    place = f"“**{run.source[best]}**” now stands at place **{best + 1}** and has weight **{run.weights[best]:.2f}**"
    if run.seed == 0:
        return f"Nothing is shuffled yet. {place}. Move the slider: which pictures change, and which do not?"
    if run.what == SHUFFLES[0]:
        same = "and the sentence is the same" if not run.new else "but the sentence changed"
        return (
            f"{place}: the weight went along. No number of any context changed by more than **{scientific(gap)}**, "
            f"which is rounding of 32-bit numbers, {same}."
        )
    return (
        f"{place}. The encoder read other neighbours, so the states themselves differ: with the same words written, "
        f"contexts change by up to **{gap:.2f}**, and **{len(run.new)}** of the {len(run.yours)} words come out differently."
    )


def translations(run: Shuffled) -> Tokens:
    lines = (TokenLine("untouched", run.plain), TokenLine("shuffled", run.yours, changed=frozenset(run.new)))
    return Tokens(lines, current=run.t - 1, title="What it writes")


def weights(run: Shuffled) -> Bars:
    keys = source_keys(len(run.source))
    compare = run.plain_weights[list(run.order)]
    names = {"compare": compare, "compare_names": ("shuffled", "untouched")}
    return Bars(run.weights, run.source, keys=keys, label_role="source", title=f"Weights of step {run.t}, word by word", **names)


def change(run: Shuffled) -> Curves:
    """Both shuffles at once, on one axis: rounding against meaning."""
    steps = np.arange(1, run.gaps.shape[1] + 1)
    lines = tuple(
        Line(name, steps, np.maximum(gaps, 1e-9), role, points=True)
        for name, role, gaps in zip(("states", "words"), ("source", "target"), run.gaps, strict=True)
    )
    axes = {
        "x_range": (1, len(steps)),
        "y_range": (1e-9, 10),
        "log_y": True,
        "x_title": "step t",
        "y_title": "largest change in c_t",
    }
    title = "How much the context changes"
    return Curves(lines, rules=((FLOAT, "float precision"),), current=run.t, key="step", title=title, **axes)
