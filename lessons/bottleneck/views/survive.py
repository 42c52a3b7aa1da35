"""What is left of each word in c."""

import numpy as np

from lessons.bottleneck.compute.vector import Survived
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.tokens import TokenLine, Tokens


def read_off(run: Survived) -> Tokens:
    """The sentence, and what the probe finds in c where each word was."""
    n = len(run.read_off)
    wrong = frozenset(i for i in range(n) if run.read_off[i] != run.words[i])
    notes = tuple(f"P({word}) = {p:.2f}" for word, p in zip(run.words, run.certainty, strict=False))
    lines = (
        TokenLine("it read", run.words),
        TokenLine("left in c", run.read_off, run.certainty, notes, wrong),
        TokenLine("it says", run.outputs),
    )
    title = "A linear probe reads the words back from c; marked: not what stood there"
    return Tokens(lines, role="weight", key="source", first=0, title=title)


def reading(run: Survived) -> str:
    n = len(run.read_off)
    right = sum(a == b for a, b in zip(run.read_off, run.words, strict=False))
    most = int(run.pull.argmax())
    about = f"output word “{run.outputs[run.t - 1]}”" if run.t else "whole output"
    said = f"From c alone the probe names **{right}** of {n} words. Over test sentences it finds **{percent(run.natural)}**: "
    said += f"**{percent(run.recovered[0])}** at position 1, **{percent(run.recovered[9])}** at position 10. "
    return said + f"The {about} hangs most on “**{run.words[most]}**” (gradient **{run.pull[most]:.2f}**)."


def pull(run: Survived) -> Bars:
    """How strongly each source word moves what is said."""
    keys = tuple(f"source:{n}" for n in range(len(run.words)))
    top = max(1.0, float(np.ceil(run.pull.max())))
    about = f"“{run.outputs[run.t - 1]}”" if run.t else "the whole output"
    title = f"Which source words could still change {about}? (gradient)"
    return Bars(run.pull, run.words, role="source", top=top, keys=keys, upright=True, label_role="source", title=title)


def recovery(run: Survived) -> Curves:
    lines = [
        Line("probe on c", run.positions, run.recovered, "context", points=True),
        Line("without c", run.positions, run.commonest, "quiet", dashed=True),
    ]
    axes = {"x_title": "position in the source", "y_title": "share found", "x_range": (1, len(run.positions)), "y_range": (0, 1)}
    return Curves(tuple(lines), title="Measured: how often is the word at position i found?", **axes)


def recovery_by_length(run: Survived) -> Curves:
    roles = ("weight", "context", "source", "target")
    lines = tuple(
        Line(f"{name} words", run.positions, line, role, points=True)
        for (name, line), role in zip(run.by_length, roles, strict=True)
    )
    axes = {"x_title": "position in the source", "y_title": "share found", "x_range": (1, len(run.positions)), "y_range": (0, 1)}
    return Curves(lines, title="By length: the middle of a long sentence is lost first", **axes)
