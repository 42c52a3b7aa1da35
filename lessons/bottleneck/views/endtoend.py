"""How the loss reaches back through c to every step of the encoder."""

from typing import Any

import numpy as np

from lessons.bottleneck.compute.vector import EndToEnd
from lessons.bottleneck.views.parts import WIDE
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import plural, scientific, short
from lessons.kit.pictures.unrolled import Chain, Unrolled
from models.vocabulary import BOS


def losses(run: EndToEnd) -> Bars:
    """Choosing a bar chooses its word."""
    words = range(1, len(run.teacher) + 1)
    return Bars(
        run.losses,
        run.teacher,
        role="target",
        top=8,
        keys=tuple(f"target:{n}" for n in words),
        changed=frozenset({run.t - 1}) if run.t else frozenset(),
        label_role="target",
        upright=True,
        pick=("t", tuple(map(str, words))),
        wide=WIDE,
        tall=136,
        title="The loss of each French word, −log P in nats: choose one",
    )


def unrolled(run: EndToEnd) -> Unrolled:
    """The same network, its strips filled with gradients instead of states."""
    top = max(largest_strip(run.to_h), largest_strip(run.to_s), 1e-9)
    below = Chain("∂L/∂h, encoder", run.words, run.to_h, key="source", first=0)
    used = frozenset(np.flatnonzero(np.abs(run.to_s).max(-1) > 0).tolist())
    read = (BOS, *run.teacher[:-1])
    above = Chain("∂L/∂s, decoder", read, run.to_s, "target", outputs=run.teacher, used=used)
    current = run.t - 1 if run.t else None
    look: dict[str, Any] = {
        "context": run.to_h[-1],
        "current": current,
        "top": top,
        "wide": WIDE,
        "tall": 268,
    }
    return Unrolled((below, above), **look, title=f"Gradients of {what(run)} (colour: share of the largest)")


def largest_strip(vectors: np.ndarray) -> float:
    """The largest cell of a strip, whose 8 cells are means of neighbouring units."""
    return max(float(np.abs(part.mean(-1)).max()) for part in np.array_split(vectors, 8, axis=-1))


def what(run: EndToEnd) -> str:
    return f"the loss at “{run.teacher[run.t - 1]}”" if run.t else "the whole loss"


def reading(run: EndToEnd) -> str:
    loss = run.losses[run.t - 1] if run.t else run.losses.sum()
    lengths = run.trained if run.weights == "trained" else run.fresh
    first, last = float(lengths[0]), float(lengths[-1])
    nats = short(float(loss)) if loss else f"below {scientific(1e-7)}"  # it is not 0: its gradient is not
    said = (
        f"**{what(run).capitalize()}** is **{nats}** nats. Its gradient is **{short(last)}** long where it "
    )
    said += f"enters the encoder, at “{run.words[-1]}”, and **{short(first)}** at “{run.words[0]}”, "
    ratio = short(first / max(last, 1e-30), 2)
    back = plural(len(run.words) - 1, "step")
    return said + f"{back} earlier: **{'1.0' if ratio == '1' else ratio}** times as long."


def reach(run: EndToEnd) -> Curves:
    steps = np.arange(1, len(run.words) + 1)
    lines = (
        Line("trained", steps, run.trained, "target", points=True),
        Line("before training", steps, run.fresh, "quiet", dashed=True, points=True),
    )
    axes: dict[str, Any] = {
        "x_title": "encoder step i",
        "y_title": "‖∂L/∂hᵢ‖",
        "x_range": (1, max(2, len(steps))),
        "y_range": (1e-5, 100),
    }
    return Curves(lines, log_y=True, wide=700, title=f"How much of {what(run)} reaches step i?", **axes)


def every_word(run: EndToEnd) -> Heatmap:
    sizes = run.sizes / np.maximum(run.sizes.max(axis=1, keepdims=True), 1e-30)
    return Heatmap(
        sizes,
        run.teacher,
        run.words,
        keys=("target", "source"),
        row_role="target",
        column_role="source",
        row_title="loss at",
        column_title="encoder step",
        current_row=run.t - 1 if run.t else None,
        title="Every word’s loss at every source word (each row: share of its largest)",
    )
