"""One word, two senses."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.compute.bank import LEFT, READERS, TWO_SIDED, Sense

ROLES = dict(zip(READERS, ("source", "target"), strict=True))


def both_sides(run: Sense) -> Tokens:
    return unfolding(
        run, TWO_SIDED, f"Read with both sides in view. Red: {run.senses[0]}, blue: {run.senses[1]}"
    )


def left_to_right(run: Sense) -> Tokens:
    return unfolding(run, LEFT, "Read from left to right")


def unfolding(run: Sense, reader: str, title: str) -> Tokens:
    """Under every word read so far: which sense the ambiguous word has by then."""
    line = run.unfolding[run.readers.index(reader)]
    lean = np.concatenate([np.zeros(run.position), line[:, 0] - line[:, 1]])
    lean[run.position + run.t + 1 :] = 0  # not read yet
    notes = tuple(
        (
            word
            if n < run.position or n > run.position + run.t
            else f"after “{word}”: {said(run, line[n - run.position])}"
        )
        for n, word in enumerate(run.words)
    )
    lines = (TokenLine(f"“{run.word}” is", run.words, lean, notes),)
    return Tokens(lines, current=run.position + run.t, wide=900, title=title)


def said(run: Sense, row: np.ndarray) -> str:
    return ", ".join(f"{sense} {p:.2f}" for sense, p in zip(run.senses, row, strict=True))


def reading(run: Sense) -> str:
    left, both = run.now
    sense = int(both.argmax())
    read = run.words[run.position + run.t]
    name, other = run.senses[sense], run.senses[1 - sense]
    told = f"“{run.word}” means **{name}**" if both[sense] > 0.8 else f"{name} and {other} are both open"
    seen = f"Read up to “**{read}**”" if run.t else f"At “**{read}**” itself"
    said = (
        f"{seen}, the two-sided model says: {told} ({name} **{both[sense]:.3f}**, {other}"
        f" {both[1 - sense]:.3f}). "
    )
    if run.told_before:
        said += (
            f"The model that reads left to right says **{left[sense]:.3f}**: the word that tells stands left"
            f" of “{run.word}”. "
        )
    else:
        said += (
            f"The model that reads left to right stays at **{left[sense]:.3f}**: what comes after"
            f" “{run.word}” never reaches it. "
        )
    side = "left" if run.told_before else "right"
    right = f"they get **{percent(run.overall[side][1])}** and **{percent(run.overall[side][0])}** right"
    return said + f"Of {run.counts[side]} test sentences told from the {side}, {right}."


def senses(run: Sense) -> Bars:
    title = f"How probable is each “{run.word}” by now?"
    return Bars(
        run.now[1],
        run.senses,
        compare=run.now[0],
        compare_names=(run.readers[1], run.readers[0]),
        digits=3,
        wide=600,
        title=title,
    )


def curve(run: Sense) -> Curves:
    after = np.arange(run.unfolding.shape[1])
    lines = tuple(
        Line(reader, after, line[:, 0], ROLES[reader], points=True)
        for reader, line in zip(run.readers, run.unfolding, strict=True)
    )
    axes: dict[str, Any] = {
        "x_title": f"words read after “{run.word}”",
        "y_title": f"P({run.senses[0]})",
        "y_range": (0, 1),
    }
    x_range = (0, max(1, len(after) - 1))
    return Curves(
        lines,
        x_range=x_range,
        rules=((0.5, "chance"),),
        current=run.t,
        title="While the sentence grows",
        **axes,
    )


def look_asked(run: Sense) -> str:
    return f"Where does “{run.word}” look?"


def gaze(run: Sense) -> Heatmap:
    rows = tuple(f"{reader} {row}" for reader in ("→", "↔") for row in run.rows)
    words = run.words[: run.position + run.t + 1]
    return Heatmap(
        np.concatenate(run.weights),
        rows,
        words,
        keys=("head", "step"),
        current_column=run.position,
        title=f"Where “{run.word}” looks: → left to right, ↔ both sides",
    )
