"""The attention maps of all heads, one map enlarged, and alignment errors."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.phrases import correctness_sentences, word_at
from lessons.transformer.heads.compute import HABIT_SENTENCES, Habit, HeadsRun
from lessons.transformer.heads.head_maps import HeadMaps

ATTENTION_NAMES = {
    "encoder self": "encoder self-attention",
    "decoder self": "decoder self-attention",
    "cross": "cross-attention",
}


def maps(run: HeadsRun) -> HeadMaps:
    notes = tuple(
        tuple(f"layer {n}, head {h}: {describe_habit(habit)}" for h, habit in enumerate(layer, 1))
        for n, layer in enumerate(run.habits[run.kind], 1)
    )
    title = f"All heads of {ATTENTION_NAMES[run.kind]}: choose one"
    return HeadMaps(run.maps(run.kind), notes, chosen=(run.layer - 1, run.head - 1), title=title)


def describe_habit(habit: Habit) -> str:
    return f"{habit.says} in {percent(habit.share)} of steps" if habit.says else "no habit"


def reading(run: HeadsRun) -> str:
    habit = run.habit
    action = f"{habit.says} in **{percent(habit.share)}** of its steps" if habit.says else "has no habit"
    sentences = [
        f"In **{HABIT_SENTENCES}** test sentences this head {action}.",
        f"Its largest weight is **{habit.strongest:.2f}** on average.",
        describe_alignment(run) if run.kind == "cross" else describe_largest_weight(run),
        *correctness_sentences(run.right, run.truth),
    ]
    return " ".join(sentences)


def describe_alignment(run: HeadsRun) -> str:
    error = float(run.aer_test[run.layer - 1, run.head - 1])
    here = "" if run.aer is None else f" and **{run.aer[run.layer - 1, run.head - 1]:.2f}** in this sentence"
    return f"Its alignment error rate (AER) is **{error:.2f}** on the test set{here}."


def describe_largest_weight(run: HeadsRun) -> str:
    """Describe which position gives the largest weight to which position in this sentence."""
    is_encoder = run.kind == "encoder self"
    rows, columns = (run.source, run.source) if is_encoder else (run.writes, run.reads)
    first = int(not is_encoder and len(rows) > 1)  # skip the decoder's first step, which has only one key
    row, column = np.unravel_index(run.chosen[first:].argmax(), run.chosen[first:].shape)
    weight = run.chosen[first + row, column]
    word = word_at(rows, first + int(row))
    query = f"{word} attends" if is_encoder else f"before writing {word}, it attends"
    return (
        f"Its largest weight in this sentence is **{weight:.2f}**: {query} to"
        f" {word_at(columns, int(column))}."
    )


def one(run: HeadsRun) -> Heatmap:
    title = f"Layer {run.layer}, head {run.head}: rows attend to columns"
    size: dict[str, Any] = {"wide": 480, "tall": 500}
    if run.kind == "encoder self":
        return Heatmap(
            run.chosen,
            run.source,
            run.source,
            row_title="attends",
            column_title="attended to",
            keys=("source", "source"),
            row_role="source",
            column_role="source",
            title=title,
            **size,
        )
    if run.kind == "decoder self":
        return Heatmap(
            # a causal mask hides later positions
            np.where(np.tril(np.ones_like(run.chosen)) > 0, run.chosen, np.nan),
            run.writes,
            run.reads,
            row_title="about to write",
            column_title="has read",
            keys=("target", "target"),
            row_role="target",
            column_role="target",
            title=title,
            **size,
        )
    return Heatmap(
        run.chosen,
        run.writes,
        run.source,
        row_title="about to write",
        keys=("target", "source"),
        row_role="target",
        column_role="source",
        gold=run.gold or (),
        title=title if run.gold is not None else f"{title} (no gold alignment here)",
        **size,
    )


def aligners(run: HeadsRun) -> Bars:
    """AER of every cross-attention head on the test set; ticks show it in this sentence."""
    names = tuple(f"layer {layer + 1}, head {head + 1}" for layer, head in np.ndindex(run.aer_test.shape))
    chosen = (run.layer - 1) * run.aer_test.shape[1] + run.head - 1
    compare: dict[str, Any] = (
        {} if run.aer is None else {"compare": run.aer.ravel(), "compare_names": ("test set", "here")}
    )
    return Bars(
        run.aer_test.ravel(),
        names,
        role="weight",
        changed=frozenset({chosen} if run.kind == "cross" else ()),
        title="AER of each cross-attention head (0 is perfect)",
        wide=520,
        **compare,
    )
