"""Teacher forcing, free running, and the wake of one wrong word."""

import numpy as np

from lessons.bottleneck.compute.sentences import FED, Forced
from lessons.bottleneck.views.parts import encoder, pair
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled


def side_by_side(run: Forced) -> Tokens:
    lines = (
        TokenLine("free running", run.free[0]),
        TokenLine("… yours", run.free[1], changed=frozenset(run.changed[0])),
        TokenLine("teacher", run.teacher),
        TokenLine("taught", run.guesses[0]),
        TokenLine("… yours", run.guesses[1], changed=frozenset(run.changed[1])),
    )
    title = "Free running reads its own words; taught, it guesses each word after the teacher’s"
    return Tokens(lines, current=run.t - 1, title=title)


def reading(run: Forced) -> str:
    if not run.wrong:
        right = sum(a == b for a, b in zip(run.guesses[0], run.teacher, strict=True))
        return f"Nothing is forced yet. Taught, it guesses {counted(right, 'word')} of {len(run.teacher)} as the teacher has them."
    wake = [sum(place > run.t - 1 for place in places) for places in run.changed]
    said = f"At step **{run.t}** it must say “**{run.wrong}**” where it wanted “**{run.free[0][run.t - 1]}**”. "
    if run.wrong == run.free[0][run.t - 1]:
        return said + "That is its own word: force another one."
    said += f"Fed back, {counted(wake[0], 'later word')} {'is' if wake[0] == 1 else 'are'} different"
    return said + f"; with the teacher’s words after it, **{wake[1]}** of its later guesses."


def wake(run: Forced) -> Curves:
    lines = tuple(
        Line(name, np.arange(1, len(moved) + 1), moved, role, points=True)
        for name, moved, role in zip(("free running", "taught"), run.moved, ("target", "source"), strict=True)
    )
    longest = max(2, *map(len, run.moved))
    axes = {"x_title": "step", "y_title": "share of P that moved", "x_range": (1, longest), "y_range": (0, 1)}
    return Curves(lines, current=run.t, key="step", title="The wake: how far each prediction is from untouched", **axes)


def next_words(run: Forced) -> Bars:
    keys = tuple(f"word:{word}" for word in run.next_words)
    title = f"Step {run.t + 1}, right after your word, when it reads {run.fed}"
    yours, plain = run.next_probabilities[1], run.next_probabilities[0]
    return Bars(yours, run.next_words, role="weight", keys=keys, compare=plain, label_role="target", title=title)


def unrolled(run: Forced) -> Unrolled:
    """The decoder with your word, fed as chosen."""
    fed_back = run.fed == FED[0]
    title = f"Yours: each step reads {run.fed}"
    look = {"current": run.t - 1, "fed_back": fed_back, "title": title}
    return pair(encoder(run.words, run.H), run.read, run.s, run.s_0, run.outputs, run.c, **look)
