"""Say in words what a picture shows: for screen readers, after the title and the view's description."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lessons.kit.language import translate

MAX_LISTED = 16  # bars, rows, lines and arrows that are listed one by one
MAX_CHARS = 170  # the numbers of the picture, as a table, are complete
EXTREMES = 3  # of a longer list, the largest values


def join(parts: Iterable[str], between: str = "; ") -> str:
    """A sentence of these parts, cut where it becomes too long."""
    text = between.join(part for part in parts if part)
    if len(text) > MAX_CHARS:
        text = text[:MAX_CHARS].rpartition(" ")[0] + " …"
    return text and text + ("" if text[-1] in ".?!…" else ".")


def list_values(names: Sequence[str], values: Any, texts: Sequence[str]) -> str:
    """List names with their values; of a long list, only the largest and the smallest values."""
    said = [f"{name} {text}" for name, text in zip(names, texts, strict=True)]
    if len(said) <= MAX_LISTED:
        return join(said, ", ")
    order = np.argsort(-np.nan_to_num(np.asarray(values, dtype=float)), kind="stable")
    largest = ", ".join(said[i] for i in order[:EXTREMES])
    template = "{n} values. Largest: {largest}. Smallest: {smallest}."
    return translate(template, n=len(said), largest=largest, smallest=said[order[-1]])


def largest_per_row(grid: np.ndarray, rows: Sequence[str], columns: Sequence[str], number: Any) -> str:
    """The largest value of each row, or only that of the grid if there are many rows."""
    if not grid.size or np.isnan(grid).all():
        return translate("{size}, without values.", size=size_of(rows, columns))
    filled = np.where(np.isnan(grid), -np.inf, grid)
    best = filled.argmax(1)
    if len(rows) <= MAX_LISTED:
        said = (
            translate("{name}: {value}", name=row, value=f"{columns[c]} {number(grid[r, c])}")
            for r, (row, c) in enumerate(zip(rows, best.tolist(), strict=True))
            if np.isfinite(filled[r, c])
        )
        return translate("Largest value of each row: {values}", values=join(said))
    r = int(filled.max(1).argmax())
    return translate(
        "{size}. Largest value: {value}.",
        size=size_of(rows, columns),
        value=f"{rows[r]} · {columns[best[r]]} {number(grid[r, best[r]])}",
    )


def size_of(rows: Sequence[str], columns: Sequence[str]) -> str:
    return translate("{rows} rows and {columns} columns", rows=len(rows), columns=len(columns))


def range_of(grid: np.ndarray, rows: Sequence[str], columns: Sequence[str], number: Any) -> str:
    """The smallest and the largest value of a grid, and where they are."""
    size = size_of(rows, columns)
    if not grid.size or np.isnan(grid).all():
        return translate("{size}, without values.", size=size)

    def place(at: int) -> str:
        r, c = divmod(at, grid.shape[1])
        return f"{number(grid[r, c])} ({rows[r]} · {columns[c]})"

    ends = {"low": place(int(np.nanargmin(grid))), "high": place(int(np.nanargmax(grid)))}
    return translate("{size}, from {low} to {high}.", size=size, **ends)


def course_of(name: str, x: Any, y: Any, number: Any) -> str:
    """The first and the last point of a line, and its extremes between them."""
    x, y = (np.asarray(part, dtype=float) for part in (x, y))
    known = np.flatnonzero(np.isfinite(y) & np.isfinite(x))
    if not len(known):
        return translate("{name}: no values", name=name)
    first, last = known[0], known[-1]

    def point(template: str, at: int) -> str:
        return translate(template, y=number(y[at]), x=number(x[at]))

    text = ", ".join(point("{y} at {x}", at) for at in (first, last))
    text = translate("{name}: {value}", name=name, value=text) if name else text
    high, low = known[y[known].argmax()], known[y[known].argmin()]
    if y[high] > max(y[first], y[last]):
        text += point(", at most {y} at {x}", high)
    if y[low] < min(y[first], y[last]):
        text += point(", at least {y} at {x}", low)
    return text
