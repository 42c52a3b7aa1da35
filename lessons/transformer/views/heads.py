"""The maps of all heads of one kind, one of them large, and what the heads do by habit."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.transformer.compute.heads import SAMPLE, Habit, HeadsRun
from lessons.transformer.sheets import Maps
from lessons.transformer.views.truth import verdict
from lessons.transformer.views.words import at

KINDS = {
    "encoder self": "encoder self-attention",
    "decoder self": "decoder self-attention",
    "cross": "cross-attention",
}


def maps(run: HeadsRun) -> Maps:
    notes = tuple(
        tuple(f"layer {n}, head {h}: {said(habit)}" for h, habit in enumerate(layer, 1))
        for n, layer in enumerate(run.habits[run.kind], 1)
    )
    title = f"All heads of {KINDS[run.kind]}: choose one"
    return Maps(run.maps(run.kind), notes, chosen=(run.layer - 1, run.head - 1), title=title)


def said(habit: Habit) -> str:
    return f"{habit.says} in {percent(habit.share)} of steps" if habit.says else "no single habit"


def reading(run: HeadsRun) -> str:
    habit = run.habit
    words = f"Over **{SAMPLE}** test sentences this head "
    words += (
        f"{habit.says} in **{percent(habit.share)}** of its steps" if habit.says else "has no single habit"
    )
    words += f"; its strongest look gets **{habit.strongest:.2f}** on average. "
    if run.kind == "cross":
        here = float(run.aer_test[run.layer - 1, run.head - 1])
        words += f"As an aligner it errs at a rate of **{here:.2f}** on the test set"
        if run.aer is not None:
            words += f", and **{run.aer[run.layer - 1, run.head - 1]:.2f}** in this sentence"
        return words + "." + verdict(run.right, run.truth)
    rows, looked = (run.source, run.source) if run.kind == "encoder self" else (run.writes, run.reads)
    first = int(
        run.kind == "decoder self" and len(rows) > 1
    )  # at the first step there is nothing to choose from
    row, column = np.unravel_index(run.chosen[first:].argmax(), run.chosen[first:].shape)
    weight = run.chosen[first + row, column]
    asks = "{} looks" if run.kind == "encoder self" else "about to write {}, it looks"
    words += (
        f"Largest weight here: {asks.format(at(rows, first + int(row)))} at {at(looked, int(column))} with"
        f" **{weight:.2f}**."
    )
    return words + verdict(run.right, run.truth)


def one(run: HeadsRun) -> Heatmap:
    room: dict[str, Any] = {
        "wide": 480,
        "tall": 500,
        "title": f"Layer {run.layer}, head {run.head}: rows look at columns",
    }
    if run.kind == "encoder self":
        look: dict[str, Any] = {"keys": ("source", "source"), "row_role": "source", "column_role": "source"}
        return Heatmap(
            run.chosen, run.source, run.source, row_title="looks", column_title="looked at", **room, **look
        )
    if run.kind == "decoder self":
        weights = np.where(np.tril(np.ones_like(run.chosen)) > 0, run.chosen, np.nan)  # the mask
        look = {"keys": ("target", "target"), "row_role": "target", "column_role": "target"}
        return Heatmap(
            weights,
            run.writes,
            run.reads,
            row_title="about to write",
            column_title="has read",
            **room,
            **look,
        )
    look = {
        "keys": ("target", "source"),
        "row_role": "target",
        "column_role": "source",
        "gold": run.gold or (),
    }
    room["title"] += "" if run.gold is not None else " (no gold alignment here)"
    return Heatmap(run.chosen, run.writes, run.source, row_title="about to write", **room, **look)


def aligners(run: HeadsRun) -> Bars:
    """AER of every cross-attention head on the test set; in this sentence as a tick, where gold is known."""
    names = tuple(f"layer {layer + 1}, head {head + 1}" for layer, head in np.ndindex(run.aer_test.shape))
    chosen = frozenset(
        {(run.layer - 1) * run.aer_test.shape[1] + run.head - 1} if run.kind == "cross" else ()
    )
    compare: dict[str, Any] = (
        {} if run.aer is None else {"compare": run.aer.ravel(), "compare_names": ("test set", "here")}
    )
    title = "AER of each cross-attention head (0 is perfect)"
    return Bars(run.aer_test.ravel(), names, role="weight", changed=chosen, title=title, wide=520, **compare)
