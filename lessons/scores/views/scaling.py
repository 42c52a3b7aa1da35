"""Why the dot product is divided by √d."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.scores.compute.scaling import KEYS, WAYS, Scaling

ROLES = ("target", "source")
SIZE: dict[str, Any] = {"x_title": "d, numbers in a vector", "x_range": (1, 1024), "log_x": True}
BESIDE: dict[str, Any] = {"wide": 450, "tall": 330}  # two of them stand side by side


def spread(run: Scaling) -> Curves:
    theory = Line("√d", run.sizes, np.sqrt(run.sizes), "quiet", dashed=True)
    flat = Line("1", run.sizes, np.ones(len(run.sizes)), "quiet", dashed=True)
    lines = (*measured(run, run.spread), theory, flat)
    y: dict[str, Any] = {"y_title": "standard deviation of the scores", "y_range": (0.5, 64), "log_y": True}
    return Curves(lines, current=run.d, title="How far scores spread", **y, **SIZE, **BESIDE)


def reading(run: Scaling) -> str:
    way, k = int(run.scaled), run.k
    said = f"At d = **{run.d}** dot scores spread by **{run.spread[0, k]:.2f}**; √d is **{run.d**0.5:.2f}**. "
    said += "Divided by √d" if run.scaled else "Unscaled"
    said += (
        f", the winner of {KEYS} keys takes **{run.winner[way]:.2f}** of the weight on average, and the"
        " softmax’s gradient "
    )
    said += f"is **{run.slope[way]:.2f}**"
    if not run.k:
        return said + ": with d = 1, scaled and unscaled are the same."
    other = 1 - way
    return (
        said
        + f" ({'unscaled' if run.scaled else 'scaled'}: {run.winner[other]:.2f} and {run.slope[other]:.2f})."
    )


def one_query(run: Scaling) -> Bars:
    way = int(run.scaled)
    labels = tuple(f"{i}" for i in range(1, KEYS + 1))
    names = ("scaled", "unscaled") if run.scaled else ("unscaled", "scaled")
    look: dict[str, Any] = {"upright": True, "compare_names": names, **BESIDE}
    title = f"One query’s weights over {KEYS} keys, d = {run.d}"
    return Bars(run.weights[way], labels, compare=run.weights[1 - way], title=title, **look)


def winner(run: Scaling) -> Curves:
    y: dict[str, Any] = {"y_title": "largest weight α, on average", "y_range": (0, 1)}
    return Curves(
        measured(run, run.largest), current=run.d, title="What the winner takes", wide=430, **y, **SIZE
    )


def entropy(run: Scaling) -> Curves:
    rule = ((np.log2(KEYS), "all the same"),)
    y: dict[str, Any] = {"y_title": "entropy of the weights, bits", "y_range": (0, 4.2), "rules": rule}
    return Curves(
        measured(run, run.entropy),
        current=run.d,
        title="How evenly weights are spread",
        wide=430,
        **y,
        **SIZE,
    )


def gradient(run: Scaling) -> Curves:
    y: dict[str, Any] = {"y_title": "‖∂α/∂e‖", "y_range": (0, 0.4)}
    return Curves(
        measured(run, run.gradient),
        current=run.d,
        title="How much weights still move when scores do",
        **y,
        **SIZE,
    )


def measured(run: Scaling, values: np.ndarray) -> tuple[Line, ...]:
    return tuple(
        Line(way, run.sizes, row, role, points=True)
        for way, row, role in zip(WAYS, values, ROLES, strict=True)
    )
