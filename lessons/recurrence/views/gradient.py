"""How far back a gradient reaches."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import small
from lessons.recurrence.compute.reach import Reach

ROLES = {"vanilla": "source", "GRU": "target", "LSTM": "context"}


def reach(run: Reach) -> Curves:
    distance = np.arange(run.T)
    lines = tuple(
        Line(name, distance, line, ROLES[name], points=name == run.cell) for name, line in zip(run.cells, run.stretch, strict=True)
    )
    axes = {"x_title": "distance T − t, steps", "y_title": "‖∂h_T / ∂h_t‖ / √m", "x_range": (0, 60), "y_range": (1e-10, 1e4)}
    return Curves(
        lines,
        log_y=True,
        rules=((0.01, "1 %"),),
        wide=860,
        key="distance",
        title=f"How strongly the last state still depends on an earlier one ({run.weights} weights)",
        **axes,
    )


def reading(run: Reach) -> str:
    n = run.cells.index(run.cell)
    said = f"Each step back multiplies the {run.cell} gradient by about **{run.factor[n]:.2f}**. "
    if run.lost[n] is None:
        said += f"After **{run.T - 1}** steps it is still above 1 %"
    else:
        said += f"From **{run.lost[n]}** steps on less than 1 % is left"
    said += f": **{small(run.stretch[n, -1])}** at distance {run.T - 1}."
    if run.cell == "vanilla":
        said += f" The spectral radius of W_hh is **{run.radius:.2f}**"
        said += ", and where tanh is flat a step passes on less than that." if run.factor[n] < run.radius else "."
    return said


def factors(run: Reach) -> Bars:
    keys = tuple(f"cell:{name}" for name in run.cells)
    return Bars(run.factor, run.cells, role="weight", top=1.25, keys=keys, title="Mean factor per step back")
