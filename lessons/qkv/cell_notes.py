"""Notes on matrix cells: how each number of an attention layer was computed."""

import numpy as np

from lessons.kit.pictures.numbers import signed

Notes = tuple[tuple[str, ...], ...]  # one note per cell


def product_notes(left: np.ndarray, right: np.ndarray) -> Notes:
    """Notes for the product of each row of `left` and each column of `right`."""
    product = left @ right
    return tuple(
        tuple(
            f"{write_products(left[r], right[:, c])} = {signed(product[r, c])}" for c in range(right.shape[1])
        )
        for r in range(len(left))
    )


def score_notes(Q: np.ndarray, K: np.ndarray, E: np.ndarray, scale: bool = True) -> Notes:
    """Notes for the scores: each query times each key, divided by √d if scaled."""
    d = Q.shape[1]

    def note(r: int, c: int) -> str:
        if np.isinf(E[r, c]):
            return f"masked: row {r + 1} may not attend to row {c + 1}"
        products = write_products(Q[r], K[c])
        return f"({products}) / √{d} = {signed(E[r, c])}" if scale else f"{products} = {signed(E[r, c])}"

    return tuple(tuple(note(r, c) for c in range(len(K))) for r in range(len(Q)))


def softmax_notes(E: np.ndarray, A: np.ndarray) -> Notes:
    """Notes for the weights: exp of each score divided by the sum of its row."""

    def note(r: int, c: int) -> str:
        unmasked = np.flatnonzero(np.isfinite(E[r]))
        if c not in unmasked:
            return "masked: weight 0"
        denominator = " + ".join(f"exp({write_short(E[r, i])})" for i in unmasked)
        return f"exp({write_short(E[r, c])}) / ({denominator}) = {A[r, c]:.2f}"

    return tuple(tuple(note(r, c) for c in range(A.shape[1])) for r in range(len(A)))


def write_products(row: np.ndarray, column: np.ndarray) -> str:
    return " + ".join(f"{write_short(a)} × {write_short(b)}" for a, b in zip(row, column, strict=True))


def write_short(value: float) -> str:
    """Format without trailing zeros (0.5, not 0.50) to keep sums of products short."""
    return signed(value).rstrip("0").rstrip(".") or "0"
