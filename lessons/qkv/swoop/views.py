"""The chosen expression factor by factor, and its difference from the loop."""

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import bold_count, plural, short
from lessons.qkv.flow_diagram import FULL_COLOUR
from lessons.qkv.swoop.compute import EXPRESSIONS, MEASURED_WIDTH, Swoop

ROLES = {"S": "target", "Sᵀ": "target", "H": "source", "Hᵀ": "source"}
SOFTMAX = {-1: "softmax of each row →", -2: "softmax of each column →"}
MISFIT = "✗ sizes do not meet"
NOT_C = "**This is not C**, the matrix of all context vectors."


def product(run: Swoop) -> Matrix:
    """Draw the expression factor by factor, as far as the sizes fit."""
    first, second, third = (
        Block(name, factor, ROLES[name]) for name, factor in zip(run.names, run.factors, strict=True)
    )
    terms: list[Block | str] = [first, "·", second]
    if run.scores is None:
        terms.append(MISFIT)
    else:
        axis = EXPRESSIONS[run.expression].softmax_axis
        terms += ["=", Block(f"{run.names[0]} {run.names[1]}", run.scores)]
        terms += [] if axis is None else [SOFTMAX[axis], Block("weights", run.weights, "weight")]
        terms += ["·", third]
        terms += [MISFIT] if run.made is None else ["=", Block("yours", run.made, "context")]
    title = f"{run.expression}, with every shape"
    return Matrix(tuple(terms), top=FULL_COLOUR, wide=920, tall=450, title=title)


def reading(run: Swoop) -> str:
    if run.difference is None:
        return f"{NOT_C} {run.fault}"
    difference = f"The largest difference from the loop over the steps is **{short(run.difference, 2)}**."
    if run.fault:
        return f"{NOT_C} {run.fault} {difference}"
    steps, m = run.contexts.shape
    sentences = [
        f"**This is C**: it contains {bold_count(steps, 'context vector')} with {plural(m, 'number')} each,"
        " one per row, all computed at once.",
        difference,
    ]
    if run.measured is not None:
        last = np.flatnonzero(np.isfinite(run.measured[1]))[-1]
        loop_ms, once_ms = run.measured[:, last]
        sentences += [
            f"Measured at T = T′ = **{run.sizes[last]}**, the loop takes {loop_ms:.2f} ms and the single"
            f" product {once_ms:.2f} ms.",
            f"The single product is **{short(loop_ms / once_ms, 2)}** times as fast.",
        ]
    return " ".join(sentences)


def loop(run: Swoop) -> Matrix:
    terms: list[Block | str] = [Block("C", run.contexts, "context", note="one row per step t")]
    if run.difference is not None:
        terms += ["−", Block("yours", run.made, "context"), "=", Block("difference", run.contexts - run.made)]
    return Matrix(tuple(terms), top=FULL_COLOUR, title="The contexts computed by the loop")


def pace(run: Swoop) -> Curves:
    """Number of calls, or milliseconds once a job has measured them."""
    is_counted = run.measured is None
    rows = np.array(run.calls, dtype=float) if run.measured is None else run.measured
    lines = tuple(
        Line(name, run.sizes, row, role, points=True)
        for name, row, role in zip(("loop", "at once"), rows, ("target", "weight"), strict=True)
    )
    title = "Number of calls that follow each other (measure to see the time)"
    return Curves(
        lines,
        x_title="T = T′",
        y_title="calls" if is_counted else "milliseconds",
        log_x=True,
        log_y=True,
        x_range=(8, 256),
        y_range=(1, 1000) if is_counted else (0.001, 100),
        title=title if is_counted else f"Measured time, m = {MEASURED_WIDTH}",
    )
