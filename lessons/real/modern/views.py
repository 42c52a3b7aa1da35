"""Surprisal with a part replaced, and each part in numbers."""

import math

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import compact, signed
from lessons.kit.pictures.plane import Arrow, Plane
from lessons.kit.pictures.table import Table
from lessons.real.modern.compute import ModernRun
from lessons.real.pretrained_model import quote

MAX_BITS = 24.0
ROLES = ("source", "target", "context", "weight")


def surprisals(run: ModernRun) -> Bars:
    return Bars(
        np.minimum(run.changed, MAX_BITS),
        run.words[1:],
        compare=np.minimum(run.original, MAX_BITS),
        compare_names=("edited", "original"),
        role="target",
        top=MAX_BITS,
        digits=1,
        upright=True,
        wide=820,
        tall=300,
        title="Surprisal of each piece in bits",
    )


def reading(run: ModernRun) -> str:
    before = f"The text costs **{run.original.mean():.2f}** bits per piece"
    if run.part == "nothing":
        return (
            f"{before}, a perplexity of **{compact(2 ** run.original.mean())}**. Replace a part to see what"
            " it is worth."
        )
    if not np.isfinite(run.changed).all():
        return f"{before}. With {run.part}, the model diverged: its numbers are no longer finite."
    return f"{before}. With {run.part}, the text costs **{run.changed.mean():.2f}** bits per piece."


def numbered_table(headings: tuple[str, ...], columns: tuple[np.ndarray, ...], title: str) -> Table:
    """One row per dimension or unit, counted from 1."""
    rows = tuple(
        (str(i), *map(signed, values)) for i, values in enumerate(zip(*columns, strict=True), start=1)
    )
    return Table(headings, rows, key=headings[0], title=title)


def norm_table(run: ModernRun) -> Table:
    title = f"Layer {run.layer}, {quote(run.words[run.position - 1])}: rms = {run.rms:.2f}"
    return numbered_table(("dimension", "x", "γ", "γ x / rms"), (run.x, run.gamma, run.normed), title)


def rotation(run: ModernRun) -> Plane:
    """Each pair of numbers before and after rotation."""
    top = float(np.abs(np.concatenate([run.query, run.rotated])).max())
    arrows = []
    for n, ((x, y), (turned_x, turned_y)) in enumerate(zip(run.query, run.rotated, strict=True)):
        arrows.append(Arrow("", float(x), float(y), ROLES[n], dashed=True))
        arrows.append(Arrow(f"pair {run.pairs[n] + 1}", float(turned_x), float(turned_y), ROLES[n]))
    word = quote(run.words[run.position - 1])
    title = f"Query of head 1 at {word} (dashed: before, solid: after the rotation)"
    return Plane(tuple(arrows), span=max(1.0, math.ceil(top)), wide=360, tall=360, title=title)


def angle_table(run: ModernRun) -> Table:
    rows = tuple(
        (str(pair + 1), f"{np.degrees(angle):,.1f}°", signed(a), signed(b))
        for pair, angle, a, b in zip(run.pairs, run.angles, run.rotated[:, 0], run.rotated[:, 1], strict=True)
    )
    return Table(
        ("pair", "turned by", "first number", "second number"),
        rows,
        key="pair",
        title="Angle t θ, and the pair after the rotation",
    )


def gate_table(run: ModernRun) -> Table:
    headings = ("unit", "gate: SiLU(x W_gate)", "x W_up", "product")
    title = f"Layer {run.layer}, the first units of the feed-forward network"
    return numbered_table(headings, (run.gate, run.up, run.hidden), title)


def grouped_table(run: ModernRun) -> Table:
    group = run.heads // run.kv_heads
    rows = tuple((f"{n * group + 1} to {(n + 1) * group}", str(n + 1)) for n in range(run.kv_heads))
    return Table(
        ("query heads", "share the keys and values of"),
        rows,
        key="group",
        title=f"{run.kv_heads} heads of keys and values for {run.heads} heads of queries",
    )


def grouped_sentence(run: ModernRun) -> str:
    per_piece = run.layers * 2 * run.d_head * 4
    return (
        f"For each piece the cache keeps **{per_piece * run.kv_heads / 1024:.0f}** KB. If every query head"
        f" had its own keys and values, it would keep **{per_piece * run.heads / 1024:.0f}** KB."
    )
