"""An encoder reads, a decoder writes, and c stands between them."""

from typing import Any

import numpy as np

from lessons.bottleneck.compute.sentences import Translation
from lessons.bottleneck.views.parts import encoder, pair, without_end
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted, lowered, percent, signed
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled
from models.vocabulary import BOS

STATE = 12  # numbers of the previous state that are written out


def unrolled(run: Translation) -> Unrolled:
    read = (BOS, *run.outputs[:-1])
    look: dict[str, Any] = {
        "current": run.t - 1,
        "every": run.every,
        "tall": 330,
        "title": "All that the decoder has of the source is c",
    }
    return pair(encoder(run.words, run.H), read, run.s, run.s_0, run.outputs, run.c, **look)


def written(run: Translation) -> Tokens:
    """The whole output, held against the truth."""
    lines = [TokenLine("it writes", without_end(run.outputs), right=run.right)]
    if run.truth is not None:
        lines.append(TokenLine("right", run.truth, quiet=True))
    return Tokens(tuple(lines), current=run.t - 1, wide=900, tall=80, title="The whole output")


def reading(run: Translation) -> str:
    word, before = run.outputs[run.t - 1], run.outputs[run.t - 2] if run.t > 1 else BOS
    unit = "character" if run.task != "English → French" else "word"
    said = (
        f"{counted(len(run.words), unit)} went into **{len(run.c)}** numbers. At step **{run.t}** the decoder"
        " has its state "
    )
    said += (
        f"s{lowered(run.t - 1)} and {'its last output' if run.t > 1 else 'the sign to begin'} “**{before}**”"
    )
    said += f"{', and c again,' if run.every else ''} "
    said += f"and writes “**{word}**” (**{run.chosen[run.t - 1]:.2f}**). "
    verdict = {True: "This output is right; of", False: "This output is wrong; of", None: "Of"}[run.right]
    said += f"{verdict} all test inputs of the task **{percent(run.exact_match)}** come out exactly right."
    return (
        f"Until you type an input of this task, its example is shown: “**{run.text}**”. {said}"
        if run.example
        else said
    )


def next_words(run: Translation) -> Bars:
    labels = (*run.next_words, f"{run.vocabulary - len(run.next_words)} others")
    keys = (*(f"word:{word}" for word in run.next_words), "word:others")
    values = np.append(run.probabilities, run.rest)
    look: dict[str, Any] = {"keys": keys, "greyed": frozenset({len(labels) - 1}), "label_role": "target"}
    return Bars(values, labels, role="weight", **look, title=f"What could come at step {run.t}?")


def what_else(run: Translation) -> str:
    return f"What else could have come at step {run.t}?"


def certainty(run: Translation) -> Curves:
    line = Line("P(chosen)", np.arange(1, len(run.chosen) + 1), run.chosen, "target", points=True)
    axes: dict[str, Any] = {
        "x_title": "decoder step t",
        "y_title": "probability",
        "x_range": (1, max(2, len(run.chosen))),
        "y_range": (0, 1),
    }
    return Curves((line,), current=run.t, key="step", title="How sure was it at each step?", **axes)


def inputs(run: Translation) -> Tokens:
    """What this step is made from: of the state a few numbers, of c every one."""
    before = run.s[run.t - 2] if run.t > 1 else run.s_0
    output = run.outputs[run.t - 2] if run.t > 1 else BOS
    few = before[:STATE]
    lines = (
        TokenLine(
            "previous state",
            (*map(signed, few), f"… s{lowered(run.t - 1)} has {len(before)}"),
            np.append(few, 0),
        ),
        TokenLine("previous output" if run.t > 1 else "sign to begin", (output,)),
        TokenLine("context c", tuple(map(signed, run.c)), run.c),
    )
    things = (
        f"The three things step {run.t} sees"
        if run.every
        else f"The two things step {run.t} sees, and c, which only s₀ saw"
    )
    return Tokens(lines, key="number", title=things)
