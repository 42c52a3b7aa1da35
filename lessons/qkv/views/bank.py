"""One word, two senses."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.compute.bank import Sense

ROLES = ("source", "target")  # left to right, both sides


def unfolds(run: Sense) -> Tokens:
    """Under every word read so far: which sense the ambiguous word has by then."""
    blank = np.zeros(run.position)
    lines = []
    for reader, line in zip(run.readers, run.unfolding, strict=True):
        lean = np.concatenate([blank, line[:, 0] - line[:, 1]])
        lean[run.position + run.t + 1 :] = 0  # not read yet
        notes = tuple(
            word if n < run.position or n > run.position + run.t else f"after “{word}”: {said(run, line[n - run.position])}"
            for n, word in enumerate(run.words)
        )
        lines.append(TokenLine(reader, run.words, lean, notes))
    title = f"Which “{run.word}” is it, word by word? Red: {run.senses[0]}, blue: {run.senses[1]}"
    return Tokens(tuple(lines), current=run.position + run.t, title=title)


def said(run: Sense, row: np.ndarray) -> str:
    return ", ".join(f"{sense} {p:.2f}" for sense, p in zip(run.senses, row, strict=True))


def reading(run: Sense) -> str:
    left, both = run.now
    sense = int(both.argmax())
    read = run.words[run.position + run.t]
    name, other = run.senses[sense], run.senses[1 - sense]
    told = f"“{run.word}” means **{name}**" if both[sense] > 0.8 else f"{name} and {other} are both open"
    seen = f"Read up to “**{read}**”" if run.t else f"At “**{read}**” itself"
    return (
        f"{seen}, the two-sided model says: {told} ({name} **{both[sense]:.2f}**). The model that reads left to right stays at "
        f"**{left[sense]:.2f}**: it decided at “{run.word}”, before anything told. On {run.count} test sentences they are right in "
        f"**{percent(run.overall[1])}** and **{percent(run.overall[0])}**."
    )


def senses(run: Sense) -> Bars:
    title = f"P(sense) at “{run.word}”"
    return Bars(run.now[1], run.senses, compare=run.now[0], compare_names=run.readers[::-1], title=title)


def curve(run: Sense) -> Curves:
    after = np.arange(run.unfolding.shape[1])
    lines = tuple(
        Line(reader, after, line[:, 0], role, points=True)
        for reader, line, role in zip(run.readers, run.unfolding, ROLES, strict=True)
    )
    axes = {"x_title": f"words read after “{run.word}”", "y_title": f"P({run.senses[0]})", "y_range": (0, 1)}
    x_range = (0, max(1, len(after) - 1))
    return Curves(lines, x_range=x_range, rules=((0.5, "chance"),), current=run.t, title="While the sentence grows", **axes)


def gaze(run: Sense) -> Heatmap:
    rows = tuple(f"{reader} {row}" for reader in ("←", "↔") for row in run.rows)
    words = run.words[: run.position + run.t + 1]
    return Heatmap(
        np.concatenate(run.weights),
        rows,
        words,
        keys=("head", "step"),
        current_column=run.position,
        wide=420,
        title=f"Where “{run.word}” looks: ← left to right, ↔ both sides",
    )


def tested(run: Sense) -> Bars:
    return Bars(run.overall, run.readers, title=f"Right on {run.count} test sentences (from the models’ cards)")
