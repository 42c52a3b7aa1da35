"""The loss of each target word, and its gradient at every step of decoder and encoder."""

import numpy as np

from lessons.bottleneck.endtoend.compute import EndToEnd
from lessons.bottleneck.pictures import WIDTH_PX
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import plural, scientific, short
from lessons.kit.pictures.unrolled import Chain, Unrolled
from models.vocabulary import BOS

STRIP_CELLS = 8  # each is the mean of neighbouring units
MIN_LOSS = 1e-7  # upper bound on a loss that float32 rounds to 0


def losses(run: EndToEnd) -> Bars:
    """The loss of each target word; clicking a bar selects its word."""
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
        wide=WIDTH_PX,
        tall=136,
        title="The loss of each French word, −log P in nats: choose one",
    )


def unrolled(run: EndToEnd) -> Unrolled:
    """The unrolled network, its strips filled with gradients instead of states."""
    encoder = Chain("∂L/∂h, encoder", run.words, run.to_h, key="source", first=0)
    used = frozenset(np.flatnonzero(np.abs(run.to_s).max(-1) > 0).tolist())
    inputs = (BOS, *run.teacher[:-1])
    decoder = Chain("∂L/∂s, decoder", inputs, run.to_s, "target", outputs=run.teacher, used=used)
    return Unrolled(
        (encoder, decoder),
        context=run.to_h[-1],
        current=run.t - 1 if run.t else None,
        top=max(largest_cell(run.to_h), largest_cell(run.to_s), 1e-9),
        wide=WIDTH_PX,
        tall=268,
        title=f"Gradients of {name_loss(run)} (colour: relative to the largest)",
    )


def largest_cell(vectors: np.ndarray) -> float:
    """The largest absolute value of any cell of the strips."""
    return max(float(np.abs(units.mean(-1)).max()) for units in np.array_split(vectors, STRIP_CELLS, axis=-1))


def name_loss(run: EndToEnd) -> str:
    return f"the loss at “{run.teacher[run.t - 1]}”" if run.t else "the whole loss"


def reading(run: EndToEnd) -> str:
    loss = run.losses[run.t - 1] if run.t else run.losses.sum()
    nats = short(float(loss)) if loss else f"below {scientific(MIN_LOSS)}"
    lengths = run.trained if run.weights == "trained" else run.before_training
    first, last = float(lengths[0]), float(lengths[-1])
    ratio = short(first / max(last, 1e-30), 2)
    sentences = [
        f"**{name_loss(run).capitalize()}** is **{nats}** nats.",
        f"The length of its gradient is **{short(last)}** where it enters the encoder, at “{run.words[-1]}”,"
        f" and **{short(first)}** at “{run.words[0]}”, {plural(len(run.words) - 1, 'step')} earlier.",
        f"So at the first word the gradient is **{'1.0' if ratio == '1' else ratio}** times as long as at the"
        " last.",
    ]
    return " ".join(sentences)


def reach(run: EndToEnd) -> Curves:
    steps = np.arange(1, len(run.words) + 1)
    lines = (
        Line("trained", steps, run.trained, "target", points=True),
        Line("before training", steps, run.before_training, "quiet", dashed=True, points=True),
    )
    return Curves(
        lines,
        x_title="encoder step i",
        y_title="‖∂L/∂hᵢ‖",
        x_range=(1, max(2, len(steps))),
        y_range=(1e-5, 100),
        log_y=True,
        wide=700,
        title=f"How much of {name_loss(run)} reaches step i?",
    )


def every_word(run: EndToEnd) -> Heatmap:
    return Heatmap(
        run.sizes / np.maximum(run.sizes.max(axis=1, keepdims=True), 1e-30),
        run.teacher,
        run.words,
        keys=("target", "source"),
        row_role="target",
        column_role="source",
        row_title="loss at",
        column_title="encoder step",
        current_row=run.t - 1 if run.t else None,
        title="Every word’s loss at every source word (each row: relative to its largest)",
    )
