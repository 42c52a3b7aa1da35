"""The layer with every size free."""

from typing import Any

import numpy as np

from lessons.kit.pictures.curves import short
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import counted
from lessons.kit.pictures.table import Table
from lessons.qkv.compute.general import General
from lessons.qkv.flow import Flow
from lessons.qkv.views.matrices import TOP, scored, softened, sums

WIDE, TALL = 920, 396


def whole(run: General) -> Flow:
    """From the rows that ask and the rows that are looked at to Y, as far as the sizes meet."""
    asks, looked_at = names(run)
    grids: list[Block | str] = [] if run.own else [Block(asks, run.X_Q, "target")]
    grids += [
        Block(looked_at, run.X, None if run.own else "source"),
        *(Block(name, getattr(run, name)) for name in ("W_Q", "W_K", "W_V")),
        Block(f"Q = {asks} W_Q", run.Q, "target", sums(run.X_Q, run.W_Q)),
        Block(f"K = {looked_at} W_K", run.K, "source", sums(run.X, run.W_K)),
        Block(f"V = {looked_at} W_V", run.V, "context", sums(run.X, run.W_V)),
    ]
    if run.E is None or run.A is None:
        grids += [f"✗ {run.Q.shape[1]} ≠ {run.K.shape[1]}"]
        after: tuple[tuple[int, int], ...] = ((3, 6), (4, 6))
    else:
        grids += [
            Block(f"E = Q Kᵀ / √{run.Q.shape[1]}", run.E, None, scored(run.Q, run.K, run.E)),
            Block("A = softmax of rows", run.A, "weight", softened(run.E, run.A)),
            Block("Y = A V", run.Y, "context", sums(run.A, run.V)),
        ]
        after = ((3, 6), (4, 6), (6, 7), (7, 8), (5, 8))
    first, X = (1, 0) if run.own else (2, 1)  # grids before the matrices; the place of X
    arrows = [(0, first), (X, first + 1), (X, first + 2)]
    arrows += [(first + a, first + b) for a, b in ((0, 3), (1, 4), (2, 5), *after)]
    title = "From X to Y" if run.own else "From the rows that ask, X_Q, and the inputs, X, to Y"
    title += "" if run.turn == "nothing" else "; Π turns the rows upside down"
    columns = (first, 3, 3, len(grids) - first - 6)
    look: dict[str, Any] = {
        "columns": columns,
        "arrows": tuple(arrows),
        "top": TOP,
        "wide": WIDE,
        "tall": TALL,
        "title": title,
    }
    fine, coarse = (Flow(tuple(grids), digits=digits, **look) for digits in (2, 1))
    return fine if fine.at_home else coarse


def names(run: General) -> tuple[str, str]:
    """Of the rows that ask, and of those looked at; Π where they are turned."""
    if run.own:
        return ("X", "X") if run.turn == "nothing" else ("Π X", "Π X")
    return "Π X_Q" if run.turn == "queries" else "X_Q", "Π X" if run.turn == "inputs" else "X"


def size(grid: np.ndarray) -> str:
    return f"{grid.shape[0]}×{grid.shape[1]}"


def reading(run: General) -> str:
    if run.E is None or run.Y is None:
        cure = (
            "equally many columns to W_Q and W_K"
            if run.fill == "random"
            else "queries and inputs equally many numbers"
        )
        return (
            f"**No Y.** Each query has {counted(run.Q.shape[1], 'number')}, each key **{run.K.shape[1]}**: no"
            f" dot product. torch says “{run.fault}”. Give {cure}."
        )
    said = (
        f"Queries and keys have {counted(run.Q.shape[1], 'number')} each: they can meet. A is"
        f" **{size(run.E)}**, "
    )
    said += f"queries by inputs, and Y is **{size(run.Y)}**: a row for each query, as wide as V."
    return said + moved(run)


def moved(run: General) -> str:
    """What that did to Y."""
    if run.turn == "nothing":
        return ""
    if run.turn == "inputs" and not run.own:
        return f" The inputs are upside down, and Y stays, to within **{short(run.stays or 0, 2)}**."
    who = "X asks itself: Y turns" if run.own else "Y turns"
    return f" {who} with its queries, to within **{short(run.along or 0, 2)}**."


def agree(run: General) -> Table:
    """Every product of the layer, with the sizes that meet in it."""
    asks, looked_at = names(run)

    def row(
        made: str, left: tuple[str, np.ndarray], right: tuple[str, np.ndarray], why: str
    ) -> tuple[str, ...]:
        (one, a), (other, b) = left, right
        meet, count = a.shape[1] == b.shape[0], (a.shape[1], b.shape[0])
        sizes = f"{size(a)} · {size(b)}"
        return (
            f"{made} = {one} {other}",
            sizes,
            f"{count[0]} {'=' if meet else '≠'} {count[1]} {'✓' if meet else '✗'}",
            why,
        )

    rows = [
        row("Q", (asks, run.X_Q), ("W_Q", run.W_Q), "W_Q is made for it"),
        row("K", (looked_at, run.X), ("W_K", run.W_K), "W_K is made for it"),
        row("V", (looked_at, run.X), ("W_V", run.W_V), "W_V is made for it"),
        row("√d_K · E", ("Q", run.Q), ("Kᵀ", run.K.T), "up to you: columns of W_Q and of W_K"),
    ]
    if run.A is None:
        rows += [("Y = A V", "–", "–", "there is no A")]
    else:
        rows += [row("Y", ("A", run.A), ("V", run.V), "always: K and V both have a row for each input")]
    return Table(
        ("product", "sizes", "inner sizes", "who sees to it"),
        tuple(rows),
        key="product",
        title="Inner sizes must agree",
    )


def weights_turned(run: General) -> Matrix | str:
    if run.as_drawn is None:
        return "There is no A and no Y to compare: first let queries and keys meet."
    return before_and_now("A", run.as_drawn[0], run.A, "weight")


def outputs_turned(run: General) -> Matrix | str:
    return "" if run.as_drawn is None else before_and_now("Y", run.as_drawn[1], run.Y, "context")


def before_and_now(name: str, before: np.ndarray, now: np.ndarray | None, role: str) -> Matrix:
    terms = (Block(f"{name}, as drawn", before, role), "→", Block(f"{name}, now", now, role))
    return Matrix(terms, top=TOP, wide=900, title=f"{name}, before and after")
