"""The sentence with a new word, the attention weights, and the change in each output."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import short
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.mask.compute import Mask

AXIS_END = 9.0  # about the largest change among the suggested words; a larger change extends the axis
HEIGHT_PX = 340


def sentence(run: Mask) -> Tokens:
    changed = frozenset({run.t - 1})
    lines = (TokenLine("original", run.words), TokenLine("edited", run.yours, changed=changed))
    return Tokens(lines, wide=900, title="One word is replaced")


def reading(run: Mask) -> str:
    old, new = run.words[run.t - 1], run.yours[run.t - 1]
    if old == new:
        return f"Word **{run.t}** is already “**{new}**”, so no output changes. Type another word."
    sentences = [f"You replaced word **{run.t}**, “{old}”, by “**{new}**”.", describe_earlier_outputs(run)]
    if run.masked or run.t == 1:
        sentences.append(describe_later_outputs(run))
    return " ".join(filter(None, sentences))


def describe_earlier_outputs(run: Mask) -> str:
    """Describe how much the outputs before the new word change."""
    earlier = run.t - 1
    if not earlier:
        return "This is the first word, so there is no earlier output."
    outputs = "the earlier output changes" if earlier == 1 else f"the **{earlier}** earlier outputs change"
    if run.masked:
        change = "exactly **0**" if run.moved_before == 0 else f"**{short(run.moved_before, 2)}**"
        return f"With the mask, {outputs} by {change}, because no word attends to a later word."
    change = f"**{run.moved_before:.2f}**"
    if earlier > 1:
        largest = int(np.argmax(run.moved[:earlier]))
        change = f"up to {change}, most at word {largest + 1}, “**{run.words[largest]}**”"
    return f"Without the mask, {outputs} by {change}: the future leaks into the past."


def describe_later_outputs(run: Mask) -> str:
    """Describe how many later outputs change."""
    later, changed = len(run.words) - run.t, int((run.moved[run.t :] > 0).sum())
    if not changed:
        return ""
    outputs = "the later output changes" if later == 1 else f"**{changed}** of {later} later outputs change"
    return f"Later words may attend to the new word: {outputs}."


def moved(run: Mask) -> Bars:
    return Bars(
        run.moved,
        tuple(f"{n} {word}" for n, word in enumerate(run.yours, start=1)),
        changed=frozenset({run.t - 1}),
        role="context",
        top=max(AXIS_END, run.moved.max()),
        keys=tuple(f"step:{n}" for n in range(1, len(run.words) + 1)),
        wide=430,
        tall=HEIGHT_PX,
        title="How far did each output move?",
    )


def gaze(run: Mask) -> Heatmap:
    return Heatmap(
        run.weights,
        run.yours,
        run.yours,
        keys=("step", "step"),
        current_column=run.t - 1,
        row_title="query",
        column_title="key",
        wide=445,
        tall=HEIGHT_PX,
        title="Which word attends to which (layer 1, head 1)",
    )
