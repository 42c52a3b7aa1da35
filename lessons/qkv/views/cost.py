"""What it costs."""

from typing import Any

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import signed
from lessons.qkv.compute.cost import LAYERS, LENGTHS, PASSES, Cost, without_cache

ROLES = dict(zip(LAYERS, ("source", "weight"), strict=True))
SHORT = dict(zip(LAYERS, ("RNN", "attention"), strict=True))
WORK: dict[str, Any] = {"wide": 540, "tall": 380}
CHAIN: dict[str, Any] = {"wide": 355, "tall": 380}
ALONG: dict[str, Any] = {
    "x_title": "words T",
    "x_range": (LENGTHS[0], LENGTHS[-1]),
    "log_x": True,
    "log_y": True,
}


def work(run: Cost) -> Curves:
    """Multiplications by formula; milliseconds once a job has measured them."""
    if run.measured is None:
        return counted(run, WORK)
    slopes = run.measured.slopes()
    lines = tuple(
        Line(label, LENGTHS, run.measured.milliseconds[i, j], ROLES[layer], dashed=j == 0, points=True)
        for i, layer in enumerate(LAYERS)
        for j, label in enumerate((f"{SHORT[layer]} {PASSES[0]}", name(layer, slopes[i, 1])))
    )
    axes = ALONG | {"y_title": "milliseconds", "y_range": (0.01, 1000)}
    return Curves(lines, **WORK, title="Time of a training step, measured (dashed: forward only)", **axes)


def counted(run: Cost, room: dict[str, Any]) -> Curves:
    lines = tuple(
        Line(name(layer, slope), LENGTHS, line, ROLES[layer], points=True)
        for layer, slope, line in zip(LAYERS, run.slopes, run.products, strict=True)
    )
    axes = ALONG | {"y_title": "multiplications", "y_range": (1e4, 1e9)}
    return Curves(lines, **room, current=run.T, title="Work, counted", **axes)


def name(layer: str, slope: float) -> str:
    """Short: it stands at the end of a line."""
    return SHORT[layer] if np.isnan(slope) else f"{SHORT[layer]} ∝ T^{signed(slope, 1)}"


def reading(run: Cost) -> str:
    (steps, steps_a), (products, products_a), (_, scores) = (
        run.here[name] for name in ("steps", "products", "scores")
    )
    known = "with all inputs known" if run.forcing else "writing word by word"
    said = (
        f"For **{run.T}** words, {known}, the recurrence needs **{steps:,}** steps in a row and attention"
        f" **{steps_a:,}**. "
    )
    said += (
        f"With d = {run.d} the recurrence needs **{many(products)}** multiplications and attention"
        f" **{many(products_a)}**. "
    )
    if run.forcing:
        said += f"Attention computes {run.T}² = **{scores:,}** scores."
    else:
        said += (
            f"Each word looks only at the words so far: {run.T} · {run.T + 1} / 2 = **{scores:,}** scores."
            " This needs a cache "
        )
        said += (
            f"of keys and values; without it attention needs **{many(without_cache(run.T, run.d))}**"
            " multiplications."
        )
    if run.measured is not None:
        done = int(np.isfinite(run.measured.milliseconds[0, 0]).sum()) - 1
        rnn, attention = run.measured.milliseconds[:, 1, done]
        said += (
            f" Measured at T = {LENGTHS[done]}, a training step takes **{rnn:.1f} ms** with the recurrence"
            " and "
        )
        said += f"**{attention:.1f} ms** with attention."
    return said


def many(count: float) -> str:
    return f"{count / 1e6:,.1f} million" if count >= 1e6 else f"{count:,}"


def chain(run: Cost) -> Curves:
    """Steps in a row, one line where both take as many; once time is measured, the work counted beside it."""
    if run.measured is not None:
        return counted(run, CHAIN)
    lines = tuple(
        Line(layer, LENGTHS, line, ROLES[layer], points=True)
        for layer, line in zip(LAYERS, run.steps, strict=True)
    )
    if np.array_equal(*run.steps):
        lines = (Line("both alike", LENGTHS, run.steps[0], "context", points=True),)
    axes = ALONG | {"y_title": "steps", "y_range": (0.5, 1000)}
    return Curves(lines, **CHAIN, current=run.T, title="Steps that must wait for each other", **axes)


def path(run: Cost) -> Curves:
    lines = tuple(
        Line(layer, LENGTHS, line, ROLES[layer], points=True)
        for layer, line in zip(LAYERS, run.path, strict=True)
    )
    axes = ALONG | {"y_title": "steps", "y_range": (0.5, 1000)}
    return Curves(lines, current=run.T, title="The way from the last word back to the first", **axes)


def memory(run: Cost) -> Curves:
    """Bytes; measured ones count every tensor that the forward pass of training keeps."""
    rows = 4 * run.numbers_kept if run.measured is None else run.measured.kept
    lines = tuple(
        Line(layer, LENGTHS, line, ROLES[layer], points=True)
        for layer, line in zip(LAYERS, rows, strict=True)
    )
    kept = "for the way back" if run.forcing or run.measured is not None else "for the next word"
    how = "counted" if run.measured is None else "measured"
    axes = ALONG | {"y_title": "bytes", "y_range": (10, 1e8)}
    return Curves(lines, current=run.T, title=f"Memory kept {kept}, {how}", **axes)
