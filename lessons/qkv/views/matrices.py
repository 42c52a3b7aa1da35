"""The attention layer in numbers. Every cell says the sum that made it."""

import numpy as np

from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import signed
from lessons.qkv.compute.layer import Attention

Made = tuple[tuple[str, ...], ...]
TOP = 2.0  # full colour


def queries(run: Attention) -> Matrix:
    return projection(run.X, "Q", run.W_Q, run.Q, "target", "Queries: what does each row ask for?")


def keys(run: Attention) -> Matrix:
    return projection(run.X, "K", run.W_K, run.K, "source", "Keys: what can each row be found by?")


def values(run: Attention) -> Matrix:
    return projection(run.X, "V", run.W_V, run.V, "context", "Values: what does each row hand over?")


def projection(X: np.ndarray, name: str, W: np.ndarray, made: np.ndarray, role: str, title: str) -> Matrix:
    terms = (Block("X", X), Block(f"W_{name}", W), "=", Block(name, made, role, sums(X, W)))
    return Matrix(terms, top=TOP, title=title)


def scores(run: Attention) -> Matrix:
    d = run.Q.shape[1]
    over = f"/ √{d}" if run.scale else ""
    terms = (Block("Q", run.Q, "target"), Block("Kᵀ", run.K.T, "source"), f"{over} =", Block("E", run.E, None, scored(run)))
    return Matrix(terms, top=TOP, title="Scores: how well does each query match each key?")


def weights(run: Attention) -> Matrix:
    terms = ("softmax of each row:", Block("A", run.A, "weight", softened(run), "each row adds up to 1"))
    return Matrix(terms, title="Weights: whom does each row look at?")


def outputs(run: Attention) -> Matrix:
    terms = (Block("A", run.A, "weight"), Block("V", run.V, "context"), "=", Block("Y", run.Y, "context", sums(run.A, run.V)))
    return Matrix(terms, top=TOP, title="Outputs: what does each row take home?")


def reading(run: Attention) -> str:
    T, d = run.X.shape
    first = 1 if run.mask and T > 1 else 0  # under the mask the first row has no choice
    row = first + int(run.A[first:].max(1).argmax())
    looks = int(run.A[row].argmax())
    said = f"X is **{T}×{d}**, so E and A are **{T}×{T}** and Y is **{T}×{d}** again. "
    said += f"Row **{row + 1}** looks most firmly: **{run.A[row, looks]:.2f}** of its weight is on row **{looks + 1}**."
    if run.mask and T > 1:
        said += f" The mask hides **{T * (T - 1) // 2}** of {T * T} scores."
    return said


# ---- how a number was made ----


def sums(left: np.ndarray, right: np.ndarray) -> Made:
    """Each row of left times each column of right, written out."""
    made = left @ right
    return tuple(
        tuple(f"{terms(left[r], right[:, c])} = {signed(made[r, c])}" for c in range(right.shape[1])) for r in range(len(left))
    )


def terms(row: np.ndarray, column: np.ndarray) -> str:
    return " + ".join(f"{signed(a)} × {signed(b)}" for a, b in zip(row, column, strict=True))


def scored(run: Attention) -> Made:
    d = run.Q.shape[1]

    def cell(r: int, c: int) -> str:
        if np.isinf(run.E[r, c]):
            return f"masked: row {r + 1} may not look at row {c + 1}"
        said = terms(run.Q[r], run.K[c])
        return f"({said}) / √{d} = {signed(run.E[r, c])}" if run.scale else f"{said} = {signed(run.E[r, c])}"

    return tuple(tuple(cell(r, c) for c in range(len(run.K))) for r in range(len(run.Q)))


def softened(run: Attention) -> Made:
    def cell(r: int, c: int) -> str:
        seen = np.flatnonzero(np.isfinite(run.E[r]))
        if c not in seen:
            return "masked: weight 0"
        below = " + ".join(f"e^{signed(run.E[r, i])}" for i in seen)
        return f"e^{signed(run.E[r, c])} / ({below}) = {run.A[r, c]:.2f}"

    return tuple(tuple(cell(r, c) for c in range(len(run.A))) for r in range(len(run.A)))
