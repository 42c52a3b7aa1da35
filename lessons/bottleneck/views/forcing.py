"""Teacher forcing, free running, and the wake of one wrong word."""

from typing import Any

import numpy as np

from lessons.bottleneck.compute.sentences import FED, Forced
from lessons.bottleneck.views.parts import TOP, WIDE, compared, reference, without_end
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Chain, Unrolled

LONG = 17  # steps that have room beside the name of the chain


def unrolled(run: Forced) -> Unrolled:
    """The decoder with your word, fed as chosen: dashed arrows bring its own words back in, the teacher's come from below."""
    long = len(run.s) > LONG  # then its name makes room, as the title says it too, and all lies closer
    chain = Chain(
        "" if long else "decoder writes",
        run.read,
        run.s,
        "target",
        run.outputs,
        run.s_0,
        fed_back=run.fed == FED[0],
    )
    return Unrolled(
        (chain,),
        top=TOP,
        wide=WIDE,
        tall=150 if long else 240,
        title=f"The decoder: each step reads {run.fed}",
    )


def side_by_side(run: Forced) -> Tokens:
    named = ("free running", run.free[1]), ("taught", run.guesses[1])
    lines = [
        TokenLine(name, without_end(words), changed=frozenset(changed), right=right)
        for (name, words), changed, right in zip(named, run.changed, run.right, strict=True)
    ]
    title = f"Free running it reads its own words, taught the teacher’s; {compared(run.truth)}"
    return Tokens(
        (reference(run.truth, run.teacher), *lines), current=run.t - 1, wide=WIDE, tall=130, title=title
    )


def reading(run: Forced) -> str:
    if not run.wrong:
        return (
            f"Nothing is forced. At step **{run.t}** it says “**{run.free[0][run.t - 1]}**” by itself: make"
            " it say another word."
        )
    said = f"At step **{run.t}** it must say “**{run.wrong}**”"
    if run.wrong == run.free[0][run.t - 1]:
        return said + ". That is its own word: force another one."
    free, taught = run.wake
    said += f" where it wanted “**{run.free[0][run.t - 1]}**”. Reading its own words, the decoder then loses "
    said += (
        f"{counted(free.lost, 'later word')} that it says by itself and adds {counted(free.new, 'new one')}"
    )
    said += (
        f"; {counted(free.moved, 'word')} only {'changes' if free.moved == 1 else 'change'} place"
        if free.moved
        else ""
    )
    said += ". Reading the "
    said += (
        f"teacher’s words, it changes {counted(max(taught), 'later word')}, because step {run.t + 1} reads "
    )
    said += f"“**{run.teacher[run.t - 1]}**” in both cases."
    marked = tuple(sum(place >= run.t for place in places) for places in run.changed)
    if marked == (free.new, taught.new):
        return said
    anyway = f" with or without “{run.wrong}”" if marked[1] else ""
    said += (
        f" The marks in the picture compare with the {'right' if run.truth else 'teacher’s'} words: after"
        f" step {run.t} they mark "
    )
    return said + f"{counted(marked[0], 'word')} in “free running” and **{marked[1]}** in “taught”{anyway}."


def wake(run: Forced) -> Curves:
    line = Line("moved", np.arange(1, len(run.moved) + 1), run.moved, "target", points=True)
    axes: dict[str, Any] = {
        "x_title": "step",
        "y_title": "share of P that moved",
        "x_range": (1, max(2, len(run.moved))),
        "y_range": (0, 1),
    }
    return Curves(
        (line,), current=run.t, key="step", title=f"How far each prediction moved, reading {run.fed}", **axes
    )


def next_words(run: Forced) -> Bars:
    keys = tuple(f"word:{word}" for word in run.next_words)
    yours, plain = run.next_probabilities[1], run.next_probabilities[0]
    title = f"Step {run.t + 1}, right after your word"
    return Bars(
        yours, run.next_words, role="weight", keys=keys, compare=plain, label_role="target", title=title
    )
