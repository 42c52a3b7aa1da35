"""All contexts at once."""

from typing import Any

import numpy as np

from lessons.kit.pictures.curves import Curves, Line, short
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import counted, plural
from lessons.qkv.compute.swoop import EXPRESSIONS, WIDTH, Swoop

ROLES = {"S": "target", "Sᵀ": "target", "H": "source", "Hᵀ": "source"}
TOP = 2.0
SOFTMAX = {-1: "softmax of each row →", -2: "softmax of each column →"}


def product(run: Swoop) -> Matrix:
    """Factor by factor, as far as the sizes fit."""
    first, second, third = (
        Block(name, factor, ROLES[name]) for name, factor in zip(run.names, run.factors, strict=True)
    )
    terms: list[Block | str] = [first, "·", second]
    if run.scores is None:
        terms += ["✗ sizes do not meet"]
    else:
        over = EXPRESSIONS[run.expression].over
        name = f"{run.names[0]} {run.names[1]}"
        terms += ["=", Block(name, run.scores)]
        terms += [] if over is None else [SOFTMAX[over], Block("weights", run.weights, "weight")]
        terms += ["·", third]
        terms += ["✗ sizes do not meet"] if run.made is None else ["=", Block("yours", run.made, "context")]
    return Matrix(tuple(terms), top=TOP, wide=920, tall=450, title=f"{run.expression}, with every shape")


def reading(run: Swoop) -> str:
    T, m = run.contexts.shape
    if run.difference is None:
        return f"**Not C.** {run.fault}"
    if run.fault:
        return (
            f"**Not C.** {run.fault} The largest difference from the loop is **{short(run.difference, 2)}**."
        )
    made = f"{counted(T, 'context')} of {plural(m, 'number')}"
    said = f"**This is C**: {made}, all at once. The largest difference from the loop over t is "
    said += f"**{short(run.difference, 2)}**."
    if run.measured is not None:
        done = np.flatnonzero(np.isfinite(run.measured[1]))[-1]
        loop, once = run.measured[:, done]
        said += f" Measured at T = T′ = **{run.sizes[done]}**: {loop:.2f} ms by loop, {once:.2f} ms at once, "
        said += f"**{short(loop / once, 2)}** times as fast."
    return said


def loop(run: Swoop) -> Matrix:
    terms: list[Block | str] = [Block("C", run.contexts, "context", note="one row a step t")]
    if run.difference is not None:
        terms += ["−", Block("yours", run.made, "context"), "=", Block("difference", run.contexts - run.made)]
    return Matrix(tuple(terms), top=TOP, title="By the loop")


def pace(run: Swoop) -> Curves:
    """Calls by count, or milliseconds once a job has measured them."""
    by_count = run.measured is None
    rows = np.array(run.calls, dtype=float) if run.measured is None else run.measured
    names = ("loop", "at once")
    lines = tuple(
        Line(name, run.sizes, row, role, points=True)
        for name, row, role in zip(names, rows, ("target", "weight"), strict=True)
    )
    title = "Calls one after another (measure to see the time)" if by_count else f"Measured time, m = {WIDTH}"
    axes: dict[str, Any] = {
        "x_title": "T = T′",
        "y_title": "calls" if by_count else "milliseconds",
        "log_x": True,
        "log_y": True,
    }
    return Curves(
        lines, x_range=(8, 256), y_range=(1, 1000) if by_count else (0.001, 100), title=title, **axes
    )
