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
from models.vocabulary import EOS

PRECISION = {
    bits: float(np.finfo(f"float{bits}").eps) for bits in (32, 64)
}  # the step between numbers near 1


def unrolled(run: Shuffled) -> Unrolled:
    whose = "states" if run.what == SHUFFLES[0] else "words"
    title = f"Step {run.t}, {whose} in " + ("their own order" if run.seed == 0 else f"order {run.seed}")
    linked = run.what != SHUFFLES[0] or run.seed == 0
    written = ()  # that would answer the guess; it stands below
    seen = run.source, run.H, written, run.s, run.t, run.weights, run.context
    return looking(*seen, linked=linked, tall=330, title=title)


def reading(run: Shuffled) -> str:
    best = int(run.weights.argmax())
    stands = "stands" if run.order == tuple(range(len(run.order))) else "now stands"
    place = (
        f"“**{run.source[best]}**” {stands} at place **{best + 1}** and has weight"
        f" **{run.weights[best]:.2f}**"
    )
    if run.order == tuple(range(len(run.order))):
        yet = (
            "Nothing is shuffled yet" if run.seed == 0 else f"Order {run.seed} leaves every word in its place"
        )
        return f"{yet}. {place}. Move the slider: which pictures change, and which do not?"
    if run.what == SHUFFLES[0]:
        same = "The sentence is the same" if run.plain == run.yours else "The sentence changed"
        return (
            f"{place}: the weight moved with its state. No number of any context changed by more than"
            f" **{scientific(run.gap)}**. That is rounding: the terms of the sum are the same, only their"
            f" order is different. {same}."
        )
    return (
        f"{place}. The encoder read every word with other neighbours, so the states themselves changed: fed"
        f" the same words, the decoder’s contexts change by up to **{run.gap:.2f}**. {rewritten(run)}"
    )


def rewritten(run: Shuffled) -> str:
    """How the sentence that the model writes by itself differs from the untouched one."""
    if run.plain == run.yours:
        return "By itself it still writes the same sentence."
    if run.yours[-1] != EOS:
        return f"By itself it finds no end: we stopped it after {counted(len(run.yours), 'word')}."
    lost, new = len(run.lost), counted(len(run.new), "word")
    return (
        f"By itself it leaves out {counted(lost, 'word')} of the untouched sentence and writes {new} that it"
        " did not have."
    )


def translations(run: Shuffled) -> Tokens:
    lines = (
        TokenLine("untouched", run.plain, right=run.right[0]),
        TokenLine("shuffled", run.yours, changed=frozenset(run.new), right=run.right[1]),
        *truth_line(run.truth, run.right[0]),
    )
    return Tokens(
        lines,
        current=run.t - 1,
        wide=WIDE,
        tall=90,
        title="What it writes" + ("; outlined is what differs" if run.new else ""),
    )


def weights(run: Shuffled) -> Bars:
    names: dict[str, Any] = {
        "compare": run.plain_weights[list(run.order)],
        "compare_names": ("shuffled", "untouched"),
    }
    title = f"Weights of step {run.t}, word by word"
    return Bars(
        run.weights,
        run.source,
        keys=source_keys(len(run.source)),
        label_role="source",
        wide=560,
        title=title,
        **names,
    )


def change(run: Shuffled) -> Curves:
    """Both shuffles on one axis, and shuffled states in 64-bit numbers: rounding against meaning."""
    floor, steps = PRECISION[64] / 100, np.arange(1, run.gaps.shape[1] + 1)
    found = (
        ("states", "source", run.gaps[0]),
        ("words", "target", run.gaps[1]),
        ("states, 64-bit", "quiet", run.gaps_64_bit),
    )
    lines = tuple(Line(name, steps, np.maximum(gaps, floor), role, points=True) for name, role, gaps in found)
    axes: dict[str, Any] = {
        "x_range": (1, len(steps)),
        "y_range": (floor, 10),
        "log_y": True,
        "x_title": "step t",
        "y_title": "largest change in c_t",
        "wide": 700,
    }
    rules = tuple((step, f"{bits}-bit precision") for bits, step in PRECISION.items())
    return Curves(lines, rules=rules, current=run.t, key="step", title="How much the context changes", **axes)
