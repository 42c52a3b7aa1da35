"""The candidate beside the model's own output, its factors, and the sum of their logarithms."""

import numpy as np

from lessons.bottleneck.pictures import WIDTH_PX, without_eos
from lessons.bottleneck.score.compute import Scored
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, signed
from lessons.kit.pictures.tokens import TokenLine, Tokens

MAX_LOG_RATIO = 700  # exp of larger values overflows


def side_by_side(run: Scored) -> Tokens:
    lines = [
        TokenLine("source", run.words),
        TokenLine("its own", without_eos(run.own), right=run.right[0]),
        TokenLine("yours", without_eos(run.candidate), changed=frozenset(run.changed), right=run.right[1]),
    ]
    if run.right[0] is False:
        lines.append(TokenLine("right", run.truth or (), quiet=True))
    title = "What the model writes by itself, and yours; marked: not the model’s own words"
    return Tokens(tuple(lines), wide=WIDTH_PX, tall=150, title=title)


def reading(run: Scored) -> str:
    own, yours = run.log_p
    n = int(run.factors.argmin())
    product = (
        f"Your **{len(run.factors)}** factors multiply to a probability of **{compact(np.exp(yours))}**."
        f" Its logarithm is **{signed(yours)}**."
    )
    if run.own == run.candidate:
        return f"{product} This is the model’s own translation. Change a word: which factor falls?"
    sentences = [
        product,
        f"The model’s own output is **{probability_ratio(own, yours)}** times"
        f" {'more' if own > yours else 'less'} probable.",
        f"Your least probable word is “**{run.candidate[n]}**” with P = **{compact(run.factors[n])}**.",
        "It is still the most probable word there."
        if run.preferred[n] == run.candidate[n]
        else f"There the model prefers “**{run.preferred[n]}**” with P = {run.preferred_factors[n]:.2f}.",
    ]
    return " ".join(sentences)


def probability_ratio(own: float, yours: float) -> str:
    """How many times larger the larger of two probabilities is, given their logarithms."""
    return compact(np.exp(abs(own - yours))) if abs(own - yours) < MAX_LOG_RATIO else "more than 10³⁰⁰"


def factors(run: Scored) -> Bars:
    """One bar per factor, <eos> included; ticks show the most probable word at each position."""
    return Bars(
        run.factors,
        run.candidate,
        role="weight",
        keys=tuple(f"step:{n}" for n in range(1, len(run.candidate) + 1)),
        compare=run.preferred_factors,
        compare_names=("yours", "likeliest"),
        changed=frozenset(run.changed),
        upright=True,
        label_role="target",
        wide=WIDTH_PX,
        tall=250,
        title="Your factors: how probable is each word after the words before it?",
    )


def log_sum(run: Scored) -> Curves:
    lines = tuple(
        Line(name, np.arange(len(logs) + 1), np.append(0, logs.cumsum()), role, points=True)
        for name, logs, role in zip(("its own", "yours"), run.logs, ("quiet", "target"), strict=True)
    )
    lowest = min(-1.0, float(min(line.y.min() for line in lines)))
    return Curves(
        lines,
        x_title="words so far",
        y_title="sum of log P",
        x_range=(0, max(len(run.own), len(run.candidate))),
        y_range=(1.05 * lowest, 0),
        key="step",
        wide=700,
        title="The log of a product is a sum: each word can only lower it",
    )
