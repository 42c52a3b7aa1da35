"""Any output has a probability."""

from typing import Any

import numpy as np

from lessons.bottleneck.compute.sentences import Scored
from lessons.bottleneck.views.parts import WIDE, without_end
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, signed
from lessons.kit.pictures.tokens import TokenLine, Tokens


def side_by_side(run: Scored) -> Tokens:
    lines = [
        TokenLine("source", run.words),
        TokenLine("its own", without_end(run.own), right=run.right[0]),
        TokenLine("yours", without_end(run.candidate), changed=frozenset(run.changed), right=run.right[1]),
    ]
    if run.right[0] is False:
        lines.append(TokenLine("right", run.truth or (), quiet=True))
    return Tokens(
        tuple(lines),
        wide=WIDE,
        tall=150,
        title="What it writes by itself, and yours; marked: not its own words",
    )


def reading(run: Scored) -> str:
    own, yours = run.log_p
    n = int(run.factors.argmin())
    said = (
        f"P(yours | x) is the product of **{len(run.factors)}** factors: **{compact(np.exp(yours))}**, log"
        f" **{signed(yours)}**. "
    )
    if run.own == run.candidate:
        return said + "It is what the model writes by itself: change a word and see which factor breaks."
    said += (
        f"The model’s own output is **{times(own, yours)}** times {'more' if own > yours else 'less'}"
        " probable. "
    )
    said += f"Your smallest factor is “**{run.candidate[n]}**” (**{compact(run.factors[n])}**)"
    if run.preferred[n] == run.candidate[n]:
        return said + ", and still the likeliest word there."
    return said + f"; there it wanted “**{run.preferred[n]}**” ({run.preferred_factors[n]:.2f})."


def times(own: float, yours: float) -> str:
    """The ratio of two probabilities, given as logarithms."""
    return compact(np.exp(abs(own - yours))) if abs(own - yours) < 700 else "more than 10³⁰⁰"


def factors(run: Scored) -> Bars:
    """One column a factor, <eos> included; ticks show what the model would have liked best there."""
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
        wide=WIDE,
        tall=250,
        title="Your factors: how probable is each word after the words before it?",
    )


def log_sum(run: Scored) -> Curves:
    lines = []
    for name, logs, role in (("its own", run.logs[0], "quiet"), ("yours", run.logs[1], "target")):
        lines.append(Line(name, np.arange(len(logs) + 1), np.append(0, logs.cumsum()), role, points=True))
    low = min(-1.0, float(min(line.y.min() for line in lines)))
    longest = max(len(run.own), len(run.candidate))
    axes: dict[str, Any] = {
        "x_title": "words so far",
        "y_title": "sum of log P",
        "x_range": (0, longest),
        "y_range": (1.05 * low, 0),
    }
    return Curves(
        tuple(lines),
        key="step",
        wide=700,
        title="The log of a product is a sum: each word can only take away",
        **axes,
    )
