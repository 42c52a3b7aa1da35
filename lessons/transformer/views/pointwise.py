"""One position changed, and who notices."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import signed
from lessons.transformer.compute.pointwise import PointRun
from lessons.transformer.sheets import Sheet, Sheets

FIRST = 16  # numbers of each word that are drawn
TALL = 330


def sheet(run: PointRun, name: str, change: np.ndarray) -> Sheet:
    columns = tuple(str(n + 1) for n in range(run.d))
    return Sheet(name, "change", change, run.source, columns, top=1.0, marked=run.position - 1)


def given(run: PointRun) -> Sheets:
    """The same change goes into both blocks."""
    change = np.zeros((len(run.source), run.d))
    change[run.position - 1] = run.amount
    title = f"You change “{run.source[run.position - 1]}” …"
    return Sheets((sheet(run, "goes in", change),), first=FIRST, title=title, wide=296, tall=TALL)


def changes(run: PointRun) -> Sheets:
    both = sheet(run, "point-wise FC", run.fc), sheet(run, "self-attention", run.attention)
    title = f"… and this changes in what comes out (first {FIRST} numbers)"
    return Sheets(both, across=2, first=FIRST, title=title, wide=608, tall=TALL)


def elsewhere(run: PointRun, change: np.ndarray) -> float:
    """The largest change of any number at any other position."""
    others = np.delete(np.abs(change), run.position - 1, axis=0)
    return float(others.max()) if others.size else 0.0


def reading(run: PointRun) -> str:
    word, fc, attention = run.source[run.position - 1], elsewhere(run, run.fc), elsewhere(run, run.attention)
    moved = [int((np.abs(change).max(1) > 0).sum()) for change in (run.fc, run.attention)]
    said = f"Added **{signed(run.amount, 1)}** to each of the {run.d} numbers of “**{word}**”. "
    if len(run.source) == 1:
        most = [f"by up to **{np.abs(change).max():.2f}**" for change in (run.fc, run.attention)]
        return said + f"After the FC it moved {most[0]}, after self-attention {most[1]}; there is no other word to notice."
    said += f"After the FC **{moved[0]}** of {len(run.source)} outputs moved, and no other word by more than **{fc:g}**; "
    return said + f"after self-attention **{moved[1]}** of {len(run.source)}, another word by up to **{attention:.2f}**."


def sizes(run: PointRun) -> Bars:
    """How far each position's output moved."""
    keys = tuple(f"source:{n}" for n in range(len(run.source)))
    size, fc = (np.linalg.norm(change, axis=1) for change in (run.attention, run.fc))
    look: dict[str, Any] = {"role": "weight", "top": 12.0, "label_role": "source", "changed": frozenset({run.position - 1})}
    names, title = ("attention", "FC"), "How far each word’s output moves (length of the change)"
    return Bars(size, run.source, compare=fc, compare_names=names, keys=keys, title=title, **look)


def learned(run: PointRun) -> Bars:
    title = f"Learned numbers in encoder layer {run.layer}"
    return Bars(run.parameters, tuple(run.parts), role="quiet", top=20000.0, digits=0, title=title)
