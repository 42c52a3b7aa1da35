"""Three ways to hand c over."""

import numpy as np

from lessons.bottleneck.compute.measured import WIRINGS, Wired
from lessons.bottleneck.views.parts import TOP, encoder, pair, too_long
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Chain, Unrolled

ROLES = dict(zip(WIRINGS, ("source", "target", "context"), strict=True))
TITLES = {
    "first state": "c makes the first state s₀, and is never looked at again",
    "every step": "c makes the first state, and enters every step and every output",
    "one RNN": "One RNN reads on: there is no c but the state it is in",
}


def unrolled(run: Wired) -> Unrolled:
    if run.wiring == "one RNN":  # the state after the last source word is c itself
        words, states = (*run.words, *run.read), np.concatenate([run.H, run.s])
        outputs = (*("" for _ in run.words), *run.written)
        return Unrolled((Chain("one RNN", words, states, outputs=outputs),), top=TOP, title=TITLES[run.wiring])
    look = {"every": run.wiring == "every step", "title": TITLES[run.wiring]}
    return pair(encoder(run.words, run.H), run.read, run.s, run.s_0, run.written, run.c, **look)


def reading(run: Wired) -> str:
    right = [name for name, changed, output in zip(WIRINGS, run.changed, run.outputs, strict=True) if output == run.teacher]
    best = list(WIRINGS)[int(run.natural.argmax())]
    said = (
        f"On this sentence {counted(len(right), 'wiring')} of three {'says' if len(right) == 1 else 'say'} what the teacher says. "
    )
    figures = ", ".join(f"{name} **{value:.2f}**" for name, value in zip(WIRINGS, run.natural, strict=True))
    said += f"Over 1000 test sentences, {run.measure}: {figures}; best is **{best}**. "
    said += "Luck alone moves the first of them between {:.2f} and {:.2f} (three seeds).".format(*run.seeds)
    return said + too_long(run.words, run.trained)


def outputs(run: Wired) -> Tokens:
    lines = [TokenLine("source", run.words), TokenLine("teacher", run.teacher)]
    lines += [
        TokenLine(name, words, changed=frozenset(changed))
        for name, words, changed in zip(WIRINGS, run.outputs, run.changed, strict=True)
    ]
    return Tokens(tuple(lines), title="The same sentence through each wiring; marked: not as the teacher has it")


def by_length(run: Wired) -> Curves:
    lines = tuple(Line(name, run.lengths, line, ROLES[name], points=True) for name, line in zip(WIRINGS, run.accuracy, strict=True))
    return Curves(
        lines,
        x_title="source words",
        y_title=run.measure,
        x_range=(3, 40),
        y_range=(0, 1),
        shaded=((run.trained[1] + 0.5, 40, "longer than trained"),),
        title=f"Measured: {run.measure} by length",
    )


def sizes(run: Wired) -> Bars:
    values = np.array(run.parameters) / 1000
    title = "What each has to learn: thousand parameters"
    return Bars(values, tuple(WIRINGS), role="context", top=float(np.ceil(values.max() / 50) * 50), digits=0, title=title)
