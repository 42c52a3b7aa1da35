"""The gradient by distance, and which units carry it."""

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, percent, short
from lessons.kit.pictures.phrases import join_with_and
from lessons.recurrence.gradient.compute import FAINT, MAX_STEPS, Reach
from lessons.recurrence.unit_pictures import ACT_WIDTH_PX, WIDTH_PX

NAMES = {"vanilla": "vanilla RNN", "GRU": "GRU", "LSTM": "LSTM"}
ROLES = {"vanilla": "source", "GRU": "target", "LSTM": "context"}
FEW_UNITS = 8
RUN_NOTES = {"untrained": "untrained; {} seeds", "trained": "trained; one model each, {} stories"}


def reach(run: Reach) -> Curves:
    distance = np.arange(run.T)
    lines = tuple(
        Line(name, distance, line, ROLES[name], runs.min(0), runs.max(0), points=name == run.cell)
        for name, line, runs in zip(run.cells, run.median, run.norms, strict=True)
    )
    note = RUN_NOTES[run.weights].format(run.norms.shape[1])
    return Curves(
        lines,
        x_title="distance T − t, steps",
        y_title="‖∂h_T / ∂h_t‖ / √m",
        x_range=(0, MAX_STEPS),
        y_range=(1e-10, 1e4),
        log_y=True,
        rules=((FAINT, percent(FAINT)),),
        key="distance",
        wide=WIDTH_PX,
        tall=360,
        title=f"How strongly the last state still depends on an earlier one ({note}, lowest to highest)",
    )


def reading(run: Reach) -> str:
    n = run.cells.index(run.cell)
    sentences = [
        f"In the {NAMES[run.cell]} each step back multiplies the gradient by **{run.factor[n]:.2f}** on"
        " average.",
        describe_end(run, n),
    ]
    if run.cell == "vanilla":
        why = "; a flat tanh passes on less" if run.factor[n] < run.radius else ""
        sentences.append(f"The spectral radius is **{run.radius:.2f}**{why}.")
    return " ".join(sentences)


def describe_end(run: Reach, n: int) -> str:
    """Describe the gradient of cell n at the farthest distance."""
    first, end, ends = run.median[n, 0], run.median[n, -1], run.norms[n, :, -1]
    lowest, highest = format_norm(ends.min()), format_norm(ends.max())
    seed_range = f" ({lowest} to {highest})" if lowest != highest else ""
    sentence = f"{bold_count(run.T - 1, 'step')} back it is **{format_norm(end)}**{seed_range}"
    if end > first:
        return f"{sentence}. At the last step it is {format_norm(first)}, so it grows on the way back."
    if run.faint_from[n] is None:
        return f"{sentence}, still above {percent(FAINT)}."
    return f"{sentence}. From **{run.faint_from[n]}** steps back on it is below {percent(FAINT)}."


def format_norm(value: float) -> str:
    """Format with two digits, or more if needed to distinguish the value from FAINT."""
    texts = ((short(value, digits), short(FAINT, digits)) for digits in range(2, 9))
    return next((text for text, faint in texts if text != faint), short(value))


def carriers(run: Reach) -> Curves:
    """Curves that show whether many or few units carry the gradient."""
    units = np.arange(1, run.carried.shape[1] + 1)
    return Curves(
        tuple(
            Line(name, units, line, ROLES[name]) for name, line in zip(run.cells, run.carried, strict=True)
        ),
        x_title="units, the strongest first",
        y_title="fraction carried",
        x_range=(1, len(units)),
        y_range=(0, 1),
        current=FEW_UNITS,
        key="units",
        wide=ACT_WIDTH_PX,
        tall=260,
        title=f"How many units carry the gradient at distance {run.T - 1}?",
    )


def shares(run: Reach) -> str:
    """Say what fraction of the gradient the few strongest units of each cell carry."""
    carried = [
        f"**{percent(line[FEW_UNITS - 1])}** in the {NAMES[cell]}"
        for cell, line in zip(run.cells, run.carried, strict=True)
    ]
    return (
        f"Take the {FEW_UNITS} strongest of {run.carried.shape[1]} units at distance {run.T - 1}. Their part"
        f" of the gradient is {join_with_and(carried)}."
    )
