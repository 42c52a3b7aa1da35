"""The layer with freely chosen sizes, a table of sizes that must agree, and the effect of reversing rows."""

import numpy as np

from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import bold_count, short
from lessons.kit.pictures.table import Table
from lessons.qkv.cell_notes import product_notes, score_notes, softmax_notes
from lessons.qkv.flow_diagram import FULL_COLOUR, Flow, fit_flow
from lessons.qkv.layer.compute import General

HEIGHT_PX = 396


def whole(run: General) -> Flow:
    """Diagram from X_Q and X to Y, as far as the sizes fit."""
    queries, inputs = input_names(run)
    blocks: list[Block | str] = [] if run.own else [Block(queries, run.X_Q, "target")]
    blocks += [
        Block(inputs, run.X, None if run.own else "source"),
        *(Block(name, getattr(run, name)) for name in ("W_Q", "W_K", "W_V")),
        Block(f"Q = {queries} W_Q", run.Q, "target", product_notes(run.X_Q, run.W_Q)),
        Block(f"K = {inputs} W_K", run.K, "source", product_notes(run.X, run.W_K)),
        Block(f"V = {inputs} W_V", run.V, "context", product_notes(run.X, run.W_V)),
    ]
    if run.E is None or run.A is None:
        blocks.append(f"✗ {run.Q.shape[1]} ≠ {run.K.shape[1]}")
        from_QKV: tuple[tuple[int, int], ...] = ((3, 6), (4, 6))
    else:
        blocks += [
            Block(f"E = Q Kᵀ / √{run.Q.shape[1]}", run.E, None, score_notes(run.Q, run.K, run.E)),
            Block("A = softmax of rows", run.A, "weight", softmax_notes(run.E, run.A)),
            Block("Y = A V", run.Y, "context", product_notes(run.A, run.V)),
        ]
        from_QKV = ((3, 6), (4, 6), (6, 7), (7, 8), (5, 8))
    first, X = (1, 0) if run.own else (2, 1)  # index of W_Q, and index of X
    arrows = [(0, first), (X, first + 1), (X, first + 2)]
    arrows += [(first + a, first + b) for a, b in ((0, 3), (1, 4), (2, 5), *from_QKV)]
    title = "From X to Y" if run.own else "From the queries’ rows X_Q and the inputs X to Y"
    title += "" if run.turn == "nothing" else "; Π reverses the rows"
    columns = (first, 3, 3, len(blocks) - first - 6)
    return fit_flow(tuple(blocks), columns, tuple(arrows), HEIGHT_PX, title)


def input_names(run: General) -> tuple[str, str]:
    """Names of X_Q and X, with Π if their rows are reversed."""
    if run.own:
        return ("X", "X") if run.turn == "nothing" else ("Π X", "Π X")
    return "Π X_Q" if run.turn == "queries" else "X_Q", "Π X" if run.turn == "inputs" else "X"


def write_shape(matrix: np.ndarray) -> str:
    return f"{matrix.shape[0]}×{matrix.shape[1]}"


def reading(run: General) -> str:
    if run.E is None or run.Y is None:
        remedy = (
            "W_Q and W_K the same number of columns"
            if run.fill == "random"
            else "queries and inputs the same number of columns"
        )
        return (
            f"**Y is undefined.** Each query has {bold_count(run.Q.shape[1], 'number')} but each key has"
            f" **{run.K.shape[1]}**, so there is no dot product. PyTorch reports “{run.fault}”. Give"
            f" {remedy}."
        )
    sentences = [
        f"Queries and keys have {bold_count(run.Q.shape[1], 'number')} each, so they have a dot product.",
        f"A is **{write_shape(run.E)}**: one row per query and one column per input.",
        f"Y is **{write_shape(run.Y)}**: one row per query, with as many columns as V.",
        describe_reversal(run),
    ]
    return " ".join(filter(None, sentences))


def describe_reversal(run: General) -> str:
    """Describe how reversing rows changed Y."""
    if run.turn == "nothing":
        return ""
    if run.turn == "inputs" and not run.own:
        return (
            "The inputs are in reverse order, but Y stays the same: no number changes by more than"
            f" **{short(run.stays or 0, 2)}**."
        )
    which = "In self-attention the rows of Y" if run.own else "The rows of Y"
    return (
        f"{which} are reversed with the queries. Apart from the order, no number changes by more than"
        f" **{short(run.along or 0, 2)}**."
    )


def agree(run: General) -> Table:
    """Table of every product in the layer, with the sizes that must agree."""
    queries, inputs = input_names(run)

    def row(
        product: str, left: tuple[str, np.ndarray], right: tuple[str, np.ndarray], why: str
    ) -> tuple[str, ...]:
        (left_name, a), (right_name, b) = left, right
        columns, rows = a.shape[1], b.shape[0]
        comparison = f"{columns} = {rows}, defined" if columns == rows else f"{columns} ≠ {rows}, undefined"
        return (
            f"{product} = {left_name} {right_name}",
            f"{write_shape(a)} · {write_shape(b)}",
            comparison,
            why,
        )

    rows = [
        row("Q", (queries, run.X_Q), ("W_Q", run.W_Q), "W_Q gets as many rows as needed"),
        row("K", (inputs, run.X), ("W_K", run.W_K), "W_K gets as many rows as needed"),
        row("V", (inputs, run.X), ("W_V", run.W_V), "W_V gets as many rows as needed"),
        row("√d_K · E", ("Q", run.Q), ("Kᵀ", run.K.T), "you choose the columns of W_Q and W_K"),
    ]
    if run.A is None:
        rows.append(("Y = A V", "–", "–", "A is undefined"))
    else:
        rows.append(row("Y", ("A", run.A), ("V", run.V), "K and V always have one row per input"))
    headings = ("product", "sizes", "inner sizes", "why they are equal or not")
    return Table(headings, tuple(rows), key="product", title="In every product the inner sizes must be equal")


def weights_turned(run: General) -> Matrix | str:
    if run.as_drawn is None:
        return "A and Y are undefined. First give queries and keys the same size."
    return compare_matrices("A", run.as_drawn[0], run.A, "weight")


def outputs_turned(run: General) -> Matrix | str:
    return "" if run.as_drawn is None else compare_matrices("Y", run.as_drawn[1], run.Y, "context")


def compare_matrices(name: str, before: np.ndarray, now: np.ndarray | None, role: str) -> Matrix:
    terms = (Block(f"{name}, original order", before, role), "→", Block(f"{name}, now", now, role))
    return Matrix(terms, top=FULL_COLOUR, wide=900, title=f"{name} before and after reversing rows")
