"""What the probe reads from c, its gain by position, and the gradient of the output by source word."""

from typing import Any

import numpy as np

from lessons.bottleneck.pictures import WIDTH_PX, reference_line, without_eos
from lessons.bottleneck.survive.compute import Survived
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import percent, signed
from lessons.kit.pictures.tokens import TokenLine, Tokens

ROLES = ("weight", "context", "source", "target")
QUOTED_POSITIONS = (1, 15)


def heard(run: Survived) -> Tokens:
    """The translation that the decoder wrote from this c."""
    lines = [TokenLine("it writes", without_eos(run.outputs), right=run.right)]
    if not run.right:
        lines.append(reference_line(run.truth, run.teacher))
    title = f"What the decoder wrote from its {run.width} numbers"
    return Tokens(tuple(lines), wide=WIDTH_PX, tall=80, title=title)


def read_off(run: Survived) -> Tokens:
    """The source, and what the probe finds in c at each position."""
    wrong = frozenset(i for i, word in enumerate(run.read_off) if word != run.words[i])
    notes = tuple(f"P({word}) = {p:.2f}" for word, p in zip(run.words, run.certainty, strict=False))
    lines = TokenLine("it read", run.shown), TokenLine("left in c", run.read_off, run.certainty, notes, wrong)
    title = "Words that a linear probe finds in c (marked: not the word of the source)"
    return Tokens(lines, role="weight", key="source", first=0, wide=WIDTH_PX, tall=120, title=title)


def reading(run: Survived) -> str:
    correct = sum(read == word for read, word in zip(run.read_off, run.words, strict=False))
    sizes = sorted(run.natural, key=run.width.__ne__)  # the chosen size first
    shares = " and ".join(f"**{percent(run.natural[size])}** in a c of size {size}" for size in sizes)
    gains = " and ".join(
        f"**{signed(run.gains[run.width][n - 1])}** at position {n}" for n in QUOTED_POSITIONS
    )
    sentences = [
        f"Of all test words, the probe finds {shares}.",
        f"The best guess without c finds **{percent(run.without)}**.",
        f"The gain from c is {gains}.",
        f"In your sentence the probe finds **{correct}** of {len(run.read_off)} words, but one sentence"
        " proves little.",
    ]
    return " ".join(sentences)


def gain(run: Survived) -> Curves:
    others = [
        Line(f"k = {size}", run.positions, gains, "quiet", dashed=True)
        for size, gains in run.gains.items()
        if size != run.width
    ]
    chosen = Line(f"k = {run.width}", run.positions, run.gains[run.width], "context", points=True)
    title = "Gain: how much more often words are found with c than without"
    return draw_by_position(run, (chosen, *others), wide=WIDTH_PX, tall=190, title=title)


def draw_by_position(run: Survived, lines: tuple[Line, ...], **options: Any) -> Curves:
    axes = {"y_title": "gain", "y_range": (-0.1, 1)} | options
    return Curves(lines, x_title="position in the source", x_range=(1, len(run.positions)), **axes)


def recovery(run: Survived) -> Curves:
    lines = (
        Line("probe on c", run.positions, run.recovered, "context", points=True),
        Line("without c", run.positions, run.commonest, "quiet", dashed=True),
    )
    title = "How often is the word at position i found? The last words are mostly full stops"
    return draw_by_position(run, lines, wide=600, y_title="fraction found", title=title)


def gain_by_length(run: Survived) -> Curves:
    lines = tuple(
        Line(f"{name} words", run.positions, gains, role, points=True)
        for (name, gains), role in zip(run.by_length, ROLES, strict=True)
    )
    return draw_by_position(run, lines, wide=700, y_range=(-0.3, 1), title="Gain by length of the sentence")


def pull(run: Survived) -> Bars:
    """The length of the gradient of log P with respect to each source word."""
    return Bars(
        run.pull,
        run.shown,
        role="source",
        top=max(1.0, float(np.ceil(run.pull.max()))),
        keys=tuple(f"source:{n}" for n in range(len(run.words))),
        upright=True,
        label_role="source",
        wide=700,
        title=f"Length of the gradient of log P of {name_output(run)}",
    )


def name_output(run: Survived) -> str:
    return f"“{run.outputs[run.t - 1]}”" if run.t else "the whole output"


def ask_pull(run: Survived) -> str:
    return f"Which source words could still change {name_output(run)}?"
