"""The change at one position before two blocks, and the resulting changes after them."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.phrases import word_at
from lessons.transformer.pointwise.compute import PointwiseRun
from lessons.transformer.sheets import Sheet, Sheets

COLUMNS_SHOWN = 16  # number of columns shown per word
HEIGHT_PX = 330


def change_sheet(run: PointwiseRun, name: str, change: np.ndarray) -> Sheet:
    columns = tuple(str(n + 1) for n in range(run.d))
    return Sheet(name, "change", change, run.source, columns, top=1.0, marked=run.position - 1)


def given(run: PointwiseRun) -> Sheets:
    """The change before the blocks, which is the same for both."""
    change = np.zeros((len(run.source), run.d))
    change[run.position - 1] = run.amount
    sheet = change_sheet(run, "input", change)
    title = f"Input: you change {word_at(run.source, run.position - 1).replace('*', '')}"
    return Sheets((sheet,), first=COLUMNS_SHOWN, title=title, wide=296, tall=HEIGHT_PX)


def changes(run: PointwiseRun) -> Sheets:
    sheets = (
        change_sheet(run, "feed-forward network", run.fc),
        change_sheet(run, "self-attention", run.attention),
    )
    title = f"Change of the outputs (first {COLUMNS_SHOWN} numbers)"
    return Sheets(sheets, across=2, first=COLUMNS_SHOWN, title=title, wide=608, tall=HEIGHT_PX)


def reading(run: PointwiseRun) -> str:
    added = (
        f"You add **{signed(run.amount, 1)}** to each of the {run.d} numbers of"
        f" {word_at(run.source, run.position - 1)}."
    )
    if len(run.source) == 1:
        fc, attention = (f"by up to **{np.abs(change).max():.2f}**" for change in (run.fc, run.attention))
        return (
            f"{added} Its numbers change {fc} after the FFN and {attention} after self-attention. There is no"
            " other word."
        )
    fc, attention = (describe_changes(run, change) for change in (run.fc, run.attention))
    return f"{added} After the FFN, {fc}. After self-attention, {attention}."


def describe_changes(run: PointwiseRun, change: np.ndarray) -> str:
    """Describe how many words change, and the largest change in any other word."""
    changed_words = int((np.abs(change).max(1) > 0).sum())
    elsewhere = float(np.delete(np.abs(change), run.position - 1, axis=0).max())
    others = f"other words change by up to **{elsewhere:.2f}**" if elsewhere else "no other word changes"
    vectors, verb = ("vector", "changes") if changed_words == 1 else ("vectors", "change")
    return f"the {vectors} of **{changed_words}** of {len(run.source)} words {verb}, and {others}"


def sizes(run: PointwiseRun) -> Bars:
    """The norm of the change in each word's vector."""
    attention, fc = (np.linalg.norm(change, axis=1) for change in (run.attention, run.fc))
    return Bars(
        attention,
        run.source,
        compare=fc,
        compare_names=("attention", "FFN"),
        keys=tuple(f"source:{n}" for n in range(len(run.source))),
        title="Length ‖Δ out‖ of the change in each word’s vector",
        role="weight",
        top=12.0,
        label_role="source",
        changed=frozenset({run.position - 1}),
    )


def learned(run: PointwiseRun) -> Bars:
    title = f"Parameters in encoder layer {run.layer}"
    return Bars(run.parameters, tuple(run.parts), role="quiet", top=20000.0, digits=0, title=title)
