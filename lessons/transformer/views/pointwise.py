"""One position changed, and who notices."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import signed
from lessons.transformer.compute.pointwise import PointRun
from lessons.transformer.sheets import Sheet, Sheets
from lessons.transformer.views.words import at

FIRST = 16  # numbers of each word that are drawn
TALL = 330


def sheet(run: PointRun, name: str, change: np.ndarray) -> Sheet:
    columns = tuple(str(n + 1) for n in range(run.d))
    return Sheet(name, "change", change, run.source, columns, top=1.0, marked=run.position - 1)


def given(run: PointRun) -> Sheets:
    """The same change goes into both blocks."""
    change = np.zeros((len(run.source), run.d))
    change[run.position - 1] = run.amount
    title = f"You change {at(run.source, run.position - 1).replace('*', '')} …"
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
    said = (
        f"You add **{signed(run.amount, 1)}** to each of the {run.d} numbers of"
        f" {at(run.source, run.position - 1)}. "
    )
    if len(run.source) == 1:
        most = [f"by up to **{np.abs(change).max():.2f}**" for change in (run.fc, run.attention)]
        return (
            said
            + f"Its numbers move {most[0]} after the FC and {most[1]} after self-attention. There is no other"
            " word."
        )
    fc, attention = (words_moved(run, change) for change in (run.fc, run.attention))
    return said + f"After the FC the vectors of {fc}; after self-attention those of {attention}."


def words_moved(run: PointRun, change: np.ndarray) -> str:
    """How many words' vectors changed, and by how much a single number of another word changed at most."""
    many = int((np.abs(change).max(1) > 0).sum())
    most = elsewhere(run, change)
    others = (
        f"a number of another word moves by up to **{most:.2f}**"
        if most
        else "no number of another word moves"
    )
    return f"**{many}** of {len(run.source)} words change, and {others}"


def sizes(run: PointRun) -> Bars:
    """How far each position's output moved."""
    keys = tuple(f"source:{n}" for n in range(len(run.source)))
    size, fc = (np.linalg.norm(change, axis=1) for change in (run.attention, run.fc))
    look: dict[str, Any] = {
        "role": "weight",
        "top": 12.0,
        "label_role": "source",
        "changed": frozenset({run.position - 1}),
    }
    names, title = ("attention", "FC"), "How far each word’s vector moves: the length ‖Δ out‖ of its change"
    return Bars(size, run.source, compare=fc, compare_names=names, keys=keys, title=title, **look)


def learned(run: PointRun) -> Bars:
    title = f"Learned numbers in encoder layer {run.layer}"
    return Bars(run.parameters, tuple(run.parts), role="quiet", top=20000.0, digits=0, title=title)
