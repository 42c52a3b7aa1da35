"""The unrolled cell, its equation in numbers, and its state over time."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.matrix import Block, Edit, Matrix
from lessons.kit.pictures.numbers import signed, subscript
from lessons.kit.pictures.palette import SERIES
from lessons.kit.pictures.unrolled import Chain, Unrolled
from lessons.recurrence.cell.compute import MAX_VALUE, CellRun
from lessons.recurrence.unit_pictures import WIDTH_PX

Notes = tuple[tuple[str, ...], ...]  # (rows, 1) explanation of each number in a column


def unrolled(run: CellRun) -> Unrolled:
    chain = Chain("h", input_names(run), run.h, start=run.h_0, inputs=run.x)
    title = "The same cell, once for every input"
    return Unrolled((chain,), current=run.t - 1, arrows=("W_hh", "W_xh"), title=title, tall=150)


def reading(run: CellRun) -> str:
    unit, (m, d) = largest_unit(run), run.W_xh.shape
    memory, seen = run.from_memory[run.t - 1, unit], run.from_input[run.t - 1, unit]
    total, h = run.sum[run.t - 1, unit], run.h[run.t - 1, unit]
    sentences = [
        f"At step **{run.t}** unit **{unit + 1}** adds **{signed(memory)}** from memory, **{signed(seen)}**"
        f" from the input and a bias of **{signed(run.b_h[unit])}**.",
        f"The sum is **{signed(total)}**, and tanh of it is **{signed(h)}**.",
        f"All {len(run.x)} steps use the same **{m * m + m * d + m}** weights.",
    ]
    return " ".join(sentences)


def inputs(run: CellRun) -> Bars:
    """The first feature of every input, with handles to drag."""
    return Bars(
        run.x[:, 0],
        input_names(run),
        role=None,
        top=2,
        handle="x",
        low=-2,
        high=2,
        keys=tuple(f"step:{step}" for step in range(1, len(run.x) + 1)),
        upright=True,
        label_role="source",
        wide=370,
        tall=140,
        title="Drag the inputs" if run.x.shape[1] == 1 else "Drag the inputs (first feature)",
    )


def equation(run: CellRun) -> Matrix:
    t = run.t
    terms = (
        Block(f"h_{t}", as_column(run.h[t - 1]), "context", explain_tanh(run)),
        *("=", "tanh ("),
        Block("W_hh", run.W_hh, edit=editable("W_hh")),
        Block(f"h_{t - 1}", as_column(run.h_before), "context"),
        "+",
        Block("W_xh", run.W_xh, edit=editable("W_xh")),
        Block(f"x_{t}", as_column(run.x[t - 1]), "source"),
        "+",
        Block("b_h", as_column(run.b_h), edit=editable("b_h")),
        ")",
        "start:",
        Block("h_0", as_column(run.h_0), "context", edit=editable("h_0")),
    )
    title = f"Step {t} in numbers: you can change the underlined ones"
    description = "Every weight, the memory and the input, with shapes."
    return Matrix(terms, title=title, description=description, wide=WIDTH_PX, tall=120)


def editable(name: str) -> Edit:
    return Edit(name, -MAX_VALUE[name], MAX_VALUE[name])


def ask_terms(run: CellRun) -> str:
    unit = largest_unit(run)
    return f"How did unit {unit + 1} get {signed(run.h[run.t - 1, unit])}?"


def terms(run: CellRun) -> Matrix:
    t = run.t
    memory, seen = run.from_memory[t - 1], run.from_input[t - 1]
    blocks = (
        Block(f"W_hh h_{t - 1}", as_column(memory), "context", explain_product(run.W_hh, run.h_before)),
        "+",
        Block(f"W_xh x_{t}", as_column(seen), "source", explain_product(run.W_xh, run.x[t - 1])),
        "+",
        Block("b_h", as_column(run.b_h)),
        "=",
        Block("sum", as_column(run.sum[t - 1]), None, explain_sum(memory, seen, run.b_h)),
        "→ tanh →",
        Block(f"h_{t}", as_column(run.h[t - 1]), "context", explain_tanh(run)),
    )
    description = "From memory, from the input, the bias, their sum, and tanh of it."
    return Matrix(blocks, title=f"Step {t}, term by term", description=description)


def over_time(run: CellRun) -> Curves:
    h = np.vstack([run.h_0, run.h])
    steps = np.arange(len(h))
    return Curves(
        tuple(Line(f"unit {n + 1}", steps, h[:, n], SERIES[n], points=True) for n in range(h.shape[1])),
        x_title="step t",
        y_title="h",
        x_range=(0, len(run.h)),
        y_range=(-1, 1),
        current=run.t,
        key="step",
        wide=520,
        tall=164,
        title="The hidden state over time",
    )


def largest_unit(run: CellRun) -> int:
    """The unit (from 0) whose value is farthest from zero at this step."""
    return int(np.abs(run.h[run.t - 1]).argmax())


def input_names(run: CellRun) -> tuple[str, ...]:
    return tuple(f"x{subscript(step)}" for step in range(1, len(run.x) + 1))


def as_column(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector)[:, None]


def explain_product(W: np.ndarray, v: np.ndarray) -> Notes:
    """Each row of W times v, written out."""
    sums = (" + ".join(f"{signed(w)} × {signed(x)}" for w, x in zip(row, v, strict=True)) for row in W)
    return tuple((f"{products} = {signed(total)}",) for products, total in zip(sums, W @ v, strict=True))


def explain_sum(*parts: np.ndarray) -> Notes:
    rows = zip(*parts, strict=True)
    return tuple((f"{' + '.join(signed(part) for part in row)} = {signed(sum(row))}",) for row in rows)


def explain_tanh(run: CellRun) -> Notes:
    pairs = zip(run.sum[run.t - 1], run.h[run.t - 1], strict=True)
    return tuple((f"tanh({signed(total)}) = {signed(h)}",) for total, h in pairs)
