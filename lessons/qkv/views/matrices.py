"""The attention layer in numbers. Every cell says the sum that made it."""

from typing import Any

import numpy as np

from lessons.kit.pictures.matrix import Block, Edit, Matrix
from lessons.kit.pictures.numbers import counted, plural, signed
from lessons.qkv.compute.layer import HIGH, LOW, Attention
from lessons.qkv.flow import Flow

Made = tuple[tuple[str, ...], ...]
TOP = 2.0  # full colour
WIDE, TALL = 920, 450


def layer(run: Attention) -> Flow:
    """X goes through three matrices; what comes out is compared, softened and mixed. One decimal where two are too wide."""
    (_, d), by_hand = (
        run.X.shape,
        {"own": ("X", "W_Q", "W_K", "W_V"), "identity": ("X",), "random": ()}[run.fill],
    )

    def given(name: str) -> Block:
        edit = Edit(name, LOW, HIGH) if name in by_hand else None
        return Block(name, getattr(run, name), changed=frozenset(run.changed[name]), edit=edit)

    grids = (
        *map(given, ("X", "W_Q", "W_K", "W_V")),
        Block("Q = X W_Q", run.Q, "target", sums(run.X, run.W_Q)),
        Block("K = X W_K", run.K, "source", sums(run.X, run.W_K)),
        Block("V = X W_V", run.V, "context", sums(run.X, run.W_V)),
        Block(
            f"E = Q Kᵀ / √{d}" if run.scale else "E = Q Kᵀ",
            run.E,
            None,
            scored(run.Q, run.K, run.E, run.scale),
        ),
        Block("A = softmax of rows", run.A, "weight", softened(run.E, run.A)),
        Block("Y = A V", run.Y, "context", sums(run.A, run.V)),
    )
    arrows = ((0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 7), (7, 8), (8, 9), (6, 9))
    title = (
        "From X to Y. Underlined numbers are yours: click, type, or drag sideways"
        if by_hand
        else "From X to Y"
    )
    look: dict[str, Any] = {
        "columns": (1, 3, 3, 3),
        "arrows": arrows,
        "top": TOP,
        "wide": WIDE,
        "tall": TALL,
        "title": title,
    }
    fine, coarse = (Flow(grids, digits=digits, **look) for digits in (2, 1))
    return fine if fine.at_home else coarse


def scores(run: Attention) -> Matrix:
    """One row of E and A: the one that looks most firmly."""
    (row, _), over = firmest(run), f"/ √{run.Q.shape[1]}" if run.scale else ""
    q, e, a = one_row(run, row, "QEA")
    terms = (q, Block("Kᵀ", run.K.T, "source"), f"{over} =", e, "softmax:", a)
    return Matrix(terms, top=TOP, wide=900, title=f"Row {row + 1} asks, and every key answers")


def outputs(run: Attention) -> Matrix:
    row, _ = firmest(run)
    a, y = one_row(run, row, "AY")
    return Matrix(
        (a, Block("V", run.V, "context"), "=", y), top=TOP, wide=900, title="A mixture of the rows of V"
    )


def one_row(run: Attention, row: int, names: str) -> tuple[Block, ...]:
    """Of these matrices: Q_3, E_3, …"""
    roles = {"Q": "target", "E": None, "A": "weight", "Y": "context"}
    return tuple(Block(f"{name}_{row + 1}", getattr(run, name)[row], roles[name]) for name in names)


def firmest(run: Attention) -> tuple[int, int]:
    """The row that looks most firmly, and at which; under the mask the first row has no choice."""
    first = 1 if run.mask and len(run.X) > 1 else 0
    row = first + int(run.A[first:].max(1).argmax())
    return row, int(run.A[row].argmax())


def weight_asked(run: Attention) -> str:
    row, seen = firmest(run)
    return f"How did row {row + 1} come to give row {seen + 1} a weight of {run.A[row, seen]:.2f}?"


def output_asked(run: Attention) -> str:
    return f"And what does row {firmest(run)[0] + 1} take home?"


def reading(run: Attention) -> str:
    (T, d), (row, seen) = run.X.shape, firmest(run)
    edited = sum(map(len, run.changed.values()))
    if edited:
        said = (
            f"You changed {counted(edited, 'number')}: **{(run.moved > 1e-9).sum()}** of {plural(T, 'row')}"
            " of Y moved, "
        )
        said += f"by up to **{run.moved.max():.2f}**. "
    else:
        said = f"X is **{T}×{d}**, so E and A are **{T}×{T}** and Y is **{T}×{d}** again. "
    said += looks(run, row, seen)
    if run.mask and T > 1:
        said += f" The mask hides **{T * (T - 1) // 2}** of {T * T} scores."
    return said


def looks(run: Attention, row: int, seen: int) -> str:
    """Which row looks most firmly, if one does; under the mask the first has no choice."""
    if len(run.X) == 1:
        return "One row alone can only look at itself."
    most, who = run.A[row, seen], " of the rows with a choice" if run.mask else ""
    places = int(((run.A[1:] if run.mask else run.A) > most - 1e-9).sum())
    if places > 1:
        return f"The largest weight{who} is **{most:.2f}**, and stands in **{places}** places."
    said = f"{who[1:].capitalize()}, row" if who else "Row"
    return f"{said} **{row + 1}** looks most firmly: **{most:.2f}** of its weight is on row **{seen + 1}**."


# ---- how a number was made ----


def sums(left: np.ndarray, right: np.ndarray) -> Made:
    """Each row of left times each column of right, written out."""
    made = left @ right
    return tuple(
        tuple(f"{terms(left[r], right[:, c])} = {signed(made[r, c])}" for c in range(right.shape[1]))
        for r in range(len(left))
    )


def terms(row: np.ndarray, column: np.ndarray) -> str:
    return " + ".join(f"{brief(a)} × {brief(b)}" for a, b in zip(row, column, strict=True))


def brief(value: float) -> str:
    """0.5, not 0.50: a sum of six products is long enough."""
    return signed(value).rstrip("0").rstrip(".") or "0"


def scored(Q: np.ndarray, K: np.ndarray, E: np.ndarray, scale: bool = True) -> Made:
    d = Q.shape[1]

    def cell(r: int, c: int) -> str:
        if np.isinf(E[r, c]):
            return f"masked: row {r + 1} may not look at row {c + 1}"
        said = terms(Q[r], K[c])
        return f"({said}) / √{d} = {signed(E[r, c])}" if scale else f"{said} = {signed(E[r, c])}"

    return tuple(tuple(cell(r, c) for c in range(len(K))) for r in range(len(Q)))


def softened(E: np.ndarray, A: np.ndarray) -> Made:
    def cell(r: int, c: int) -> str:
        seen = np.flatnonzero(np.isfinite(E[r]))
        if c not in seen:
            return "masked: weight 0"
        below = " + ".join(f"exp({brief(E[r, i])})" for i in seen)
        return f"exp({brief(E[r, c])}) / ({below}) = {A[r, c]:.2f}"

    return tuple(tuple(cell(r, c) for c in range(A.shape[1])) for r in range(len(A)))
