"""The causal mask."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import short
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.compute.sets import Mask

TOP = 9.0  # about the most that any suggested word moves; a larger change widens the scale


def sentence(run: Mask) -> Tokens:
    lines = (TokenLine("untouched", run.words), TokenLine("yours", run.yours, changed=frozenset({run.t - 1})))
    return Tokens(lines, wide=900, title="One word is replaced")


def reading(run: Mask) -> str:
    old, new, earlier = run.words[run.t - 1], run.yours[run.t - 1], run.t - 1
    if old == new:
        return f"Word **{run.t}** is “**{new}**” already, so nothing has changed: type another word."
    said = f"Word **{run.t}** is now “**{new}**” instead of “{old}”. "
    before = "the output before it changes" if earlier == 1 else f"the **{earlier}** outputs before it change"
    if not earlier:
        return said + f"It is the first word, so no output comes before it.{looking_back(run)}"
    if run.masked:
        exactly = "exactly **0**" if run.moved_before == 0 else f"**{short(run.moved_before, 2)}**"
        return said + f"With the mask {before} by {exactly}: no word looks ahead.{looking_back(run)}"
    most, leak = f"**{run.moved_before:.2f}**", int(np.argmax(run.moved[:earlier]))
    by = most if earlier == 1 else f"up to {most}, most at word {leak + 1}, “**{run.words[leak]}**”"
    return said + f"Without the mask {before} by {by}: the future leaks into the past."


def looking_back(run: Mask) -> str:
    """Which later outputs change, by their numbers, as in the picture."""
    changed = [
        f"{n} “{word}”" for n, word in enumerate(run.words, start=1) if n > run.t and run.moved[n - 1] > 0
    ]
    return f" Later words look back, and their outputs change: {', '.join(changed)}." if changed else ""


def moved(run: Mask) -> Bars:
    keys = tuple(f"step:{n + 1}" for n in range(len(run.words)))
    labels = tuple(f"{n + 1} {word}" for n, word in enumerate(run.yours))
    title = "How far did each output move?"
    look: dict[str, Any] = {
        "role": "context",
        "top": max(TOP, run.moved.max()),
        "keys": keys,
        "wide": 430,
        "tall": 340,
    }
    return Bars(run.moved, labels, changed=frozenset({run.t - 1}), title=title, **look)


def gaze(run: Mask) -> Heatmap:
    return Heatmap(
        run.weights,
        run.yours,
        run.yours,
        keys=("step", "step"),
        current_column=run.t - 1,
        row_title="looks",
        column_title="at",
        wide=445,
        tall=340,
        title="Who looks at whom (layer 1, head 1)",
    )
