"""Every attention map, one of them large, and what the heads do by habit."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.transformer.compute.heads import SAMPLE, HeadsRun
from lessons.transformer.sheets import Maps, Panel

KINDS = ("encoder self", "decoder self", "cross")


def maps(run: HeadsRun) -> Maps:
    panels = tuple(Panel(kind, run.maps(kind), notes(run, kind), under(run, kind)) for kind in KINDS)
    chosen = (KINDS.index(run.kind), run.layer - 1, run.head - 1)
    return Maps(panels, chosen=chosen, title="All heads at a glance: rows look at columns")


def notes(run: HeadsRun, kind: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(f"{kind}, layer {n}, head {h}: {said(habit.says, habit.share)}" for h, habit in enumerate(layer, 1))
        for n, layer in enumerate(run.habits[kind], 1)
    )


def said(habit: str, share: float) -> str:
    return f"{habit} in {share:.0%} of steps" if habit else "no single habit"


def under(run: HeadsRun, kind: str) -> tuple[tuple[str, ...], ...]:
    if kind != "cross" or run.aer is None:
        return tuple(tuple("" for _ in layer) for layer in run.maps(kind))
    return tuple(tuple(f"AER {error:.2f}" for error in layer) for layer in run.aer)


def reading(run: HeadsRun) -> str:
    habit = run.habit
    words = f"Over **{SAMPLE}** test sentences this head "
    words += f"{habit.says} in **{habit.share:.0%}** of its steps" if habit.says else "has no single habit"
    words += f"; its strongest look gets **{habit.strongest:.2f}** on average. "
    if run.kind == "cross":
        best = np.unravel_index(run.aer_test.argmin(), run.aer_test.shape)
        here = float(run.aer_test[run.layer - 1, run.head - 1])
        words += f"As an aligner it errs at a rate of **{here:.2f}** on the test set"
        if run.aer is not None:
            words += f", and **{run.aer[run.layer - 1, run.head - 1]:.2f}** in this sentence"
        return words + f"; the best head is layer **{best[0] + 1}**, head **{best[1] + 1}** with **{run.aer_test[best]:.2f}**."
    rows, looked = (run.source, run.source) if run.kind == "encoder self" else (run.writes, run.reads)
    first = int(run.kind == "decoder self" and len(rows) > 1)  # at the first step there is nothing to choose from
    row, column = np.unravel_index(run.chosen[first:].argmax(), run.chosen[first:].shape)
    weight, asks = (
        run.chosen[first + row, column],
        "“**{}**” looks" if run.kind == "encoder self" else "about to write “**{}**”, it looks",
    )
    return words + f"Most decided here: {asks.format(rows[first + row])} at “**{looked[column]}**” with **{weight:.2f}**."


def one(run: HeadsRun) -> Heatmap:
    title = f"{run.kind.capitalize()}, layer {run.layer}, head {run.head}"
    if run.kind == "encoder self":
        keys = {"keys": ("source", "source"), "row_role": "source", "column_role": "source"}
        return Heatmap(run.chosen, run.source, run.source, row_title="looks", column_title="looked at", title=title, **keys)
    if run.kind == "decoder self":
        weights = np.where(np.tril(np.ones_like(run.chosen)) > 0, run.chosen, np.nan)  # the mask
        keys = {"keys": ("target", "target"), "row_role": "target", "column_role": "target"}
        return Heatmap(weights, run.writes, run.reads, row_title="about to write", column_title="has read", title=title, **keys)
    keys = {"keys": ("target", "source"), "row_role": "target", "column_role": "source", "gold": run.gold or ()}
    told = "" if run.gold is not None else " (no gold alignment for this sentence)"
    return Heatmap(run.chosen, run.writes, run.source, row_title="about to write", title=title + told, **keys)


def aligners(run: HeadsRun) -> Bars:
    """AER of every cross-attention head on the test set; in this sentence as a tick, where gold is known."""
    names = tuple(f"layer {layer + 1}, head {head + 1}" for layer, head in np.ndindex(run.aer_test.shape))
    chosen = frozenset({(run.layer - 1) * run.aer_test.shape[1] + run.head - 1} if run.kind == "cross" else ())
    compare = {} if run.aer is None else {"compare": run.aer.ravel(), "compare_names": ("test set", "here")}
    title = "AER of each cross-attention head (0 is perfect)"
    return Bars(run.aer_test.ravel(), names, role="weight", changed=chosen, title=title, **compare)
