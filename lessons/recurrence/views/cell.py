"""One cell by hand."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.matrix import Block, Edit, Matrix
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.palette import SERIES
from lessons.kit.pictures.unrolled import Chain, Unrolled
from lessons.recurrence.compute.hand import MOST, CellRun


def unrolled(run: CellRun) -> Unrolled:
    chain = Chain("h", names(run), run.h, start=run.h_0, inputs=run.x)
    title = "The same cell, once for every input"
    return Unrolled((chain,), current=run.t - 1, arrows=("W_hh", "W_xh"), title=title, tall=150)


def reading(run: CellRun) -> str:
    now, before = run.from_input[run.t - 1], run.from_memory[run.t - 1]
    unit = loudest(run)
    said = [
        f"At step **{run.t}** unit **{unit + 1}** adds **{signed(before[unit])}** from memory,"
        f" **{signed(now[unit])}** from the input and **{signed(run.b_h[unit])}** of bias:"
        f" **{signed(run.sum[run.t - 1, unit])}**, which tanh bends to **{signed(run.h[run.t - 1, unit])}**."
    ]
    m, d = run.W_xh.shape
    said.append(f"The same **{m * m + m * d + m}** weights serve all {len(run.x)} steps.")
    return " ".join(said)


def inputs(run: CellRun) -> Bars:
    """The first feature of every input, to be dragged."""
    keys = tuple(f"step:{step}" for step in range(1, len(run.x) + 1))
    title = "Drag the inputs" if run.x.shape[1] == 1 else "Drag the inputs (first feature)"
    look: dict[str, Any] = {
        "role": None,
        "top": 2,
        "low": -2,
        "high": 2,
        "upright": True,
        "label_role": "source",
    }
    return Bars(run.x[:, 0], names(run), handle="x", keys=keys, title=title, wide=370, tall=140, **look)


def equation(run: CellRun) -> Matrix:
    t = run.t
    terms = (
        Block(f"h_{t}", column(run.h[t - 1]), "context", made_by_tanh(run)),
        *("=", "tanh ("),
        Block("W_hh", run.W_hh, edit=editable("W_hh")),
        Block(f"h_{t - 1}", column(run.h_before), "context"),
        "+",
        Block("W_xh", run.W_xh, edit=editable("W_xh")),
        Block(f"x_{t}", column(run.x[t - 1]), "source"),
        "+",
        Block("b_h", column(run.b_h), edit=editable("b_h")),
        ")",
        "start:",
        Block("h_0", column(run.h_0), "context", edit=editable("h_0")),
    )
    title, about = (
        f"Step {t} in numbers: change what is underlined",
        "Every weight, the memory and the input, with shapes.",
    )
    return Matrix(terms, title=title, description=about, wide=920, tall=120)


def editable(name: str) -> Edit:
    return Edit(name, -MOST[name], MOST[name])


def asks_terms(run: CellRun) -> str:
    """The unit that the reading names."""
    unit = loudest(run)
    return f"How did unit {unit + 1} get {signed(run.h[run.t - 1, unit])}?"


def terms(run: CellRun) -> Matrix:
    t = run.t
    now = run.from_memory[t - 1], run.from_input[t - 1]
    blocks = (
        Block(f"W_hh h_{t - 1}", column(now[0]), "context", made_by(run.W_hh, run.h_before)),
        "+",
        Block(f"W_xh x_{t}", column(now[1]), "source", made_by(run.W_xh, run.x[t - 1])),
        "+",
        Block("b_h", column(run.b_h)),
        "=",
        Block("sum", column(run.sum[t - 1]), None, made_by_sum(*now, run.b_h)),
        "→ tanh →",
        Block(f"h_{t}", column(run.h[t - 1]), "context", made_by_tanh(run)),
    )
    return Matrix(
        blocks,
        title=f"Step {t}, term by term",
        description="From memory, from the input, the bias, their sum, and tanh of it.",
    )


def over_time(run: CellRun) -> Curves:
    steps = np.arange(len(run.h) + 1)
    h = np.vstack([run.h_0, run.h])
    lines = tuple(Line(f"unit {n + 1}", steps, h[:, n], SERIES[n], points=True) for n in range(h.shape[1]))
    axes: dict[str, Any] = {
        "x_title": "step t",
        "y_title": "h",
        "x_range": (0, len(run.h)),
        "y_range": (-1, 1),
    }
    return Curves(
        lines, current=run.t, key="step", title="The hidden state over time", wide=520, tall=164, **axes
    )


def loudest(run: CellRun) -> int:
    """The unit (from 0) whose value is farthest from zero at this step."""
    return int(np.abs(run.h[run.t - 1]).argmax())


def names(run: CellRun) -> tuple[str, ...]:
    return tuple(f"x{chr(0x2080 + step)}" for step in range(1, len(run.x) + 1))  # x₁ … x₆


# ---- how a number was made ----


def column(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector)[:, None]


def made_by(W: np.ndarray, v: np.ndarray) -> tuple[tuple[str, ...], ...]:
    """Each row of W times v, written out."""
    sums = (" + ".join(f"{signed(w)} × {signed(x)}" for w, x in zip(row, v, strict=True)) for row in W)
    return tuple((f"{said} = {signed(total)}",) for said, total in zip(sums, W @ v, strict=True))


def made_by_sum(*parts: np.ndarray) -> tuple[tuple[str, ...], ...]:
    rows = zip(*parts, strict=True)
    return tuple((f"{' + '.join(signed(part) for part in row)} = {signed(sum(row))}",) for row in rows)


def made_by_tanh(run: CellRun) -> tuple[tuple[str, ...], ...]:
    pairs = zip(run.sum[run.t - 1], run.h[run.t - 1], strict=True)
    return tuple((f"tanh({signed(total)}) = {signed(h)}",) for total, h in pairs)
