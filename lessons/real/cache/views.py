"""Counted work and bytes by text length, and times if they were measured."""

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, plural
from lessons.kit.pictures.table import Table
from lessons.real.cache.compute import LENGTHS, CacheRun

NAMES = ("with cache", "without cache")
ROLES = ("source", "target")


def two_lines(run: CacheRun, values: np.ndarray, names: tuple[str, str], unit: str, title: str) -> Curves:
    """Two lines over the number of pieces read; values (2, n)."""
    lines = tuple(Line(name, run.lengths, values[n], ROLES[n], points=True) for n, name in enumerate(names))
    return Curves(
        lines,
        x_title="pieces read so far",
        y_title=unit,
        x_range=(0, LENGTHS[-1]),
        y_range=(0, float(np.ceil(values.max()))),
        current=float(run.T),
        wide=420,
        title=title,
    )


def work(run: CacheRun) -> Curves:
    return two_lines(run, run.products / 1e9, NAMES, "billion multiplications", "Work for one more piece")


def size(run: CacheRun) -> Curves:
    names = (f"{plural(run.kv_heads, 'head')} of keys", f"{run.heads} heads of keys")
    return two_lines(run, run.kilobytes / 1024, names, "megabytes", "Size of the cache")


def times(run: CacheRun) -> Table:
    measured = np.full((2, len(LENGTHS)), np.nan) if run.measured is None else run.measured

    def shown(ms: float) -> str:
        return "–" if np.isnan(ms) else f"{ms:.0f} ms"

    rows = tuple(
        (str(T), shown(measured[0, n]), shown(measured[1, n])) for n, T in enumerate(run.lengths.tolist())
    )
    return Table(
        ("pieces read", *NAMES), rows, key="length", title="Times on this machine (press “Measure …”)"
    )


def reading(run: CacheRun) -> str:
    with_cache, without, kilobytes, all_heads = run.here
    sentences = [
        (
            f"After {run.T} pieces, one more piece costs **{with_cache / 1e9:.2f}** billion multiplications"
            f" with the cache and **{without / 1e9:.2f}** billion without it."
        ),
        f"The cache then takes **{kilobytes / 1024:.1f}** MB.",
        (
            "Here each query head has its own keys and values."
            if kilobytes == all_heads
            else f"If each query head had its own keys and values, the cache would take"
            f" {all_heads / 1024:.1f} MB."
        ),
    ]
    if run.measured is not None and np.isfinite(run.measured).all(0).any():
        last = int(np.flatnonzero(np.isfinite(run.measured).all(0))[-1])
        ratio = run.measured[1, last] / run.measured[0, last]
        sentences.append(
            f"Measured after {LENGTHS[last]} pieces, the next piece comes {compact(ratio)} times as fast with"
            " the cache."
        )
    return " ".join(sentences)
