"""One position changed, and who notices."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.transformer.compute.pointwise import PointRun
from lessons.transformer.sheets import Sheet, Sheets


def changes(run: PointRun) -> Sheets:
    columns = tuple(str(n) for n in range(run.d))
    rows = tuple(f"▸ {word}" if n == run.position - 1 else word for n, word in enumerate(run.source))
    sheets = (
        Sheet("point-wise FC", "yours − untouched", run.fc, rows, columns, top=1.0),
        Sheet("self-attention", "yours − untouched", run.attention, rows, columns, top=1.0),
    )
    return Sheets(sheets, across=2, title=f"You change the vector of “{run.source[run.position - 1]}”: which outputs move?")


def elsewhere(run: PointRun, change: np.ndarray) -> float:
    """The largest change of any number at any other position."""
    others = np.delete(np.abs(change), run.position - 1, axis=0)
    return float(others.max()) if others.size else 0.0


def reading(run: PointRun) -> str:
    word, fc, attention = run.source[run.position - 1], elsewhere(run, run.fc), elsewhere(run, run.attention)
    moved = int((np.abs(run.attention).max(1) > 0).sum())
    said = f"Added **{run.amount:g}** to each of the {run.d} numbers of “**{word}**”. ".replace("-", "−")
    said += f"After the FC the largest change at any other word is **{fc:g}**; after self-attention it is **{attention:.2f}**, "
    return said + f"and **{moved}** of {len(run.source)} outputs have moved."


def sizes(run: PointRun) -> Bars:
    """How far each position's output moved."""
    keys = tuple(f"source:{n}" for n in range(len(run.source)))
    names = ("attention", "FC")
    size, fc = (np.linalg.norm(change, axis=1) for change in (run.attention, run.fc))
    look = {"role": "weight", "top": 12.0, "label_role": "source", "changed": frozenset({run.position - 1})}
    return Bars(
        size, run.source, compare=fc, compare_names=names, keys=keys, title="How far each word’s output moves (length)", **look
    )


def learned(run: PointRun) -> Bars:
    labels = tuple(run.parts)
    title = "Learned numbers in this layer, whatever the length"
    return Bars(run.parameters, labels, role="quiet", top=20000.0, digits=0, title=title)
