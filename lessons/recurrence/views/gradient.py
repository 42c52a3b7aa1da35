"""How far back a gradient reaches."""

from typing import Any

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted, percent, short
from lessons.recurrence.compute.reach import FAINT, LONGEST, Reach

NAMES = {"vanilla": "vanilla RNN", "GRU": "GRU", "LSTM": "LSTM"}
ROLES = {"vanilla": "source", "GRU": "target", "LSTM": "context"}
FEW = 8  # units
TIMES = {"fresh": "{} seeds", "trained": "one model each, {} stories"}


def reach(run: Reach) -> Curves:
    distance = np.arange(run.T)
    lines = tuple(
        Line(name, distance, line, ROLES[name], runs.min(0), runs.max(0), points=name == run.cell)
        for name, line, runs in zip(run.cells, run.middle, run.stretch, strict=True)
    )
    axes: dict[str, Any] = {
        "x_title": "distance T − t, steps",
        "y_title": "‖∂h_T / ∂h_t‖ / √m",
        "x_range": (0, LONGEST),
        "y_range": (1e-10, 1e4),
    }
    times = TIMES[run.weights].format(run.stretch.shape[1])
    title = (
        f"How strongly the last state still depends on an earlier one ({run.weights}; {times}, lowest to"
        " highest)"
    )
    return Curves(
        lines,
        log_y=True,
        rules=((FAINT, percent(FAINT)),),
        wide=920,
        tall=400,
        key="distance",
        title=title,
        **axes,
    )


def reading(run: Reach) -> str:
    n = run.cells.index(run.cell)
    lost, end = run.lost[n], run.middle[n, -1]
    said = (
        f"In the {NAMES[run.cell]} each step back multiplies the gradient by **{run.factor[n]:.2f}** on"
        " average. "
    )
    said += f"{counted(run.T - 1, 'step')} back it is **{size(end)}**"
    least, most = (size(edge) for edge in (run.stretch[n, :, -1].min(), run.stretch[n, :, -1].max()))
    said += f" ({least} to {most})" if least != most else ""
    if end > run.middle[n, 0]:
        said += f". It has grown from {size(run.middle[n, 0])}."
    elif lost is None:
        said += f", still above {percent(FAINT)}."
    else:
        said += f". It is below {percent(FAINT)} from **{lost}** steps back on."
    if run.cell == "vanilla":
        said += f" The spectral radius of W_hh is **{run.radius:.2f}**"
        said += "; where tanh is flat, a step passes on less." if run.factor[n] < run.radius else "."
    return said


def size(value: float) -> str:
    """Two digits, or as many as it takes to tell it from FAINT."""
    return next(
        (said for digits in range(2, 9) if (said := short(value, digits)) != short(FAINT, digits)),
        short(value),
    )


def carriers(run: Reach) -> Curves:
    """Is it many units that carry the gradient, or few?"""
    units = np.arange(1, run.carried.shape[1] + 1)
    lines = tuple(
        Line(name, units, line, ROLES[name]) for name, line in zip(run.cells, run.carried, strict=True)
    )
    axes: dict[str, Any] = {
        "x_title": "units, the strongest first",
        "y_title": "share carried",
        "x_range": (1, len(units)),
        "y_range": (0, 1),
    }
    title = f"Who carries what is left at distance {run.T - 1}?"
    return Curves(lines, current=FEW, key="units", title=title, wide=860, tall=260, **axes)


def shares(run: Reach) -> str:
    """What the few strongest units carry, cell by cell."""
    few = ", ".join(
        f"{name} **{percent(line[FEW - 1])}**" for name, line in zip(run.cells, run.carried, strict=True)
    )
    return f"The {FEW} strongest of {run.carried.shape[1]} units carry: {few}."
