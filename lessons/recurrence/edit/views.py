"""The original and the edited run: the unit, the predictions, and the distance between them."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import bold_count, compact, plural, signed
from lessons.kit.pictures.phrases import bold_word
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.recurrence.edit.compute import Edited
from lessons.recurrence.unit_pictures import (
    ACT_WIDTH_PX,
    WIDTH_PX,
    draw_next_words,
    draw_unit_map,
    full_scale,
)


def touched(run: Edited) -> Tokens:
    """The text twice, coloured by the original and by the edited values of the unit."""
    changed = frozenset({run.t - 1} if run.only else range(run.t - 1, len(run.words)))
    lines = (
        TokenLine("original", run.words, run.memory[0]),
        TokenLine("edited", run.words, run.memory[1], changed=changed),
    )
    unit = name_memory(run).capitalize()
    title = f"{unit} at every word: red above zero, blue below; outlined where you set it"
    return Tokens(lines, top=full_scale(run.memory), title=title, wide=WIDTH_PX, tall=150)


def name_memory(run: Edited) -> str:
    return f"the cell state of unit {run.unit}" if run.cell == "LSTM" else f"unit {run.unit}"


def changed_predictions(run: Edited) -> frozenset[int]:
    """Steps (from 0) after which the most probable next word differs."""
    pairs = zip(*run.likely, strict=True)
    return frozenset(n for n, (original, edited) in enumerate(pairs) if original != edited)


def expected(run: Edited) -> Tokens:
    """The most probable next word after each word, in both runs."""
    original, edited = run.likely
    lines = (TokenLine("original", original), TokenLine("edited", edited, changed=changed_predictions(run)))
    title = "The most probable next word after each word"
    return Tokens(lines, title=title, wide=WIDTH_PX, tall=100)


def reading(run: Edited) -> str:
    before, after = run.memory[:, run.t - 1]
    original, edited = (likely[-1] for likely in run.likely)
    last = (
        f"both runs expect {bold_word(edited)}"
        if original == edited
        else f"the edited run expects {bold_word(edited)}, and the original run {bold_word(original)}"
    )
    changed = len(changed_predictions(run))
    change = (
        f"leave {name_memory(run)} at **{signed(after)}**"
        if signed(before) == signed(after)
        else f"change {name_memory(run)} from **{signed(before)}** to **{signed(after)}**"
    )
    sentences = [
        f"At step **{run.t}** you {change}.",
        f"The most probable next word changes after **{changed}** of {plural(len(run.words), 'word')}."
        if changed
        else "The most probable next word is the same after every word.",
        f"After the last word {last}.",
        f"There **{compact(run.total_variation[-1])}** of the probability has moved to other words (total"
        " variation distance).",
        *(describe_rest(run) if run.only and run.t < len(run.words) else []),
    ]
    return " ".join(sentences)


def describe_rest(run: Edited) -> list[str]:
    """Say how much of a change at a single step remains at the end."""
    first, *_, last = run.change_of_h[run.t - 1 :]
    steps = bold_count(len(run.words) - run.t, "step")
    return [
        f"Your change moves h by **{compact(first)}** at step {run.t}.",
        f"At the last word, {steps} later, h {'still differs' if last < first else 'differs'} by"
        f" **{compact(last)}**.",
    ]


def difference(run: Edited) -> Heatmap:
    title = "Every unit: edited − original"
    return draw_unit_map(run.h[1] - run.h[0], run.words, run.unit, run.t, title)


def next_words(run: Edited) -> Bars:
    original, edited = run.probabilities
    return draw_next_words(run.next_words, edited, run.words[-1], None, original)


def fading(run: Edited) -> Curves:
    steps = np.arange(1, len(run.words) + 1)
    lines = (
        Line("change of h", steps, run.change_of_h, "context", points=True),
        Line("total variation", steps, run.total_variation, "target", points=True),
    )
    return Curves(
        lines,
        x_title="step t",
        y_title="size",
        x_range=(1, len(steps)),
        y_range=(0, full_scale(run.change_of_h, run.total_variation)),
        current=run.t,
        key="step",
        wide=ACT_WIDTH_PX,
        tall=240,
        title="How far the edited run is from the original",
    )
