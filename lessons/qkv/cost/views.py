"""Work, steps, path length and memory by sentence length."""

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import signed
from lessons.qkv.cost.compute import LAYERS, LENGTHS, PASSES, Cost, products_without_cache

ROLES = dict(zip(LAYERS, ("source", "weight"), strict=True))
SHORT_NAMES = dict(zip(LAYERS, ("RNN", "attention"), strict=True))
WORK_WIDTH_PX, CHAIN_WIDTH_PX, HEIGHT_PX = 540, 355, 305


def work(run: Cost) -> Curves:
    """Multiplications by formula, or milliseconds once a job has measured them."""
    if run.measured is None:
        return draw_products(run, WORK_WIDTH_PX)
    slopes = run.measured.slopes()
    lines = tuple(
        Line(label, LENGTHS, run.measured.milliseconds[i, j], ROLES[layer], dashed=j == 0, points=True)
        for i, layer in enumerate(LAYERS)
        for j, label in enumerate((f"{SHORT_NAMES[layer]} {PASSES[0]}", name_with_slope(layer, slopes[i, 1])))
    )
    title = "Time of a training step, measured (dashed: forward only)"
    return draw_by_length(lines, title, "milliseconds", (0.01, 1000), size=(WORK_WIDTH_PX, HEIGHT_PX))


def draw_products(run: Cost, width_px: int) -> Curves:
    lines = tuple(
        Line(name_with_slope(layer, slope), LENGTHS, line, ROLES[layer], points=True)
        for layer, slope, line in zip(LAYERS, run.slopes, run.products, strict=True)
    )
    return draw_by_length(
        lines, "Work, counted", "multiplications", (1e4, 1e9), current=run.T, size=(width_px, HEIGHT_PX)
    )


def draw_by_length(
    lines: tuple[Line, ...],
    title: str,
    y_title: str,
    y_range: tuple[float, float],
    current: int | None = None,
    size: tuple[int | None, int | None] = (None, None),
) -> Curves:
    """Draw lines over the number of words on logarithmic axes."""
    wide, tall = size
    return Curves(
        lines,
        wide=wide,
        tall=tall,
        current=current,
        title=title,
        x_title="words T",
        x_range=(LENGTHS[0], LENGTHS[-1]),
        log_x=True,
        y_title=y_title,
        y_range=y_range,
        log_y=True,
    )


def layer_lines(rows: np.ndarray) -> tuple[Line, ...]:
    """One line per layer, labelled with its full name."""
    return tuple(
        Line(layer, LENGTHS, row, ROLES[layer], points=True) for layer, row in zip(LAYERS, rows, strict=True)
    )


def name_with_slope(layer: str, slope: float) -> str:
    """A short label with the exponent, to fit at the end of a line."""
    return SHORT_NAMES[layer] if np.isnan(slope) else f"{SHORT_NAMES[layer]} ∝ T^{signed(slope, 1)}"


def reading(run: Cost) -> str:
    (rnn_steps, steps), (rnn_products, products) = run.here["steps"], run.here["products"]
    known = "With all inputs known" if run.forcing else "If the text is written word by word"
    sentences = [
        f"{known}, the recurrence needs **{rnn_steps:,}** steps in a row for **{run.T}** words and"
        f" attention **{steps:,}**.",
        f"With d = {run.d}, the recurrence needs **{write_count(rnn_products)}** multiplications and"
        f" attention **{write_count(products)}**.",
        *describe_scores(run),
    ]
    if run.measured is not None:
        last = int(np.isfinite(run.measured.milliseconds[0, 0]).sum()) - 1
        rnn_ms, attention_ms = run.measured.milliseconds[:, 1, last]
        sentences.append(
            f"Measured at T = {LENGTHS[last]}, a training step takes **{rnn_ms:.1f} ms** with the recurrence"
            f" and **{attention_ms:.1f} ms** with attention."
        )
    return " ".join(sentences)


def describe_scores(run: Cost) -> tuple[str, ...]:
    """Describe how many scores attention computes and, when generating, what the cache saves."""
    scores = f"**{run.here['scores'][1]:,}**"
    if run.forcing:
        return (f"Attention computes {run.T}² = {scores} scores.",)
    return (
        f"Each word attends only to the words so far, which gives T(T + 1) / 2 = {scores} scores.",
        "Keys and values are kept in a cache; without it attention would need"
        f" **{write_count(products_without_cache(run.T, run.d))}** multiplications.",
    )


def write_count(count: float) -> str:
    return f"{count / 1e6:,.1f} million" if count >= 1e6 else f"{count:,}"


def chain(run: Cost) -> Curves:
    """Sequential steps, as one line if both layers need equally many; after measuring, the counted work."""
    if run.measured is not None:
        return draw_products(run, CHAIN_WIDTH_PX)
    lines = layer_lines(run.steps)
    if np.array_equal(*run.steps):
        lines = (Line("both alike", LENGTHS, run.steps[0], "context", points=True),)
    title = "Steps that have to wait for each other"
    size = (CHAIN_WIDTH_PX, HEIGHT_PX)
    return draw_by_length(lines, title, "steps", (0.5, 1000), current=run.T, size=size)


def path(run: Cost) -> Curves:
    title = "Steps from the last word back to the first"
    return draw_by_length(layer_lines(run.path), title, "steps", (0.5, 1000), current=run.T)


def memory(run: Cost) -> Curves:
    """Bytes kept; if measured, those of every tensor that a training forward pass keeps."""
    rows = 4 * run.numbers_kept if run.measured is None else run.measured.saved_bytes
    purpose = "backward pass" if run.forcing or run.measured is not None else "next word"
    method = "counted" if run.measured is None else "measured"
    title = f"Memory kept for the {purpose}, {method}"
    return draw_by_length(layer_lines(rows), title, "bytes", (10, 1e8), current=run.T)
