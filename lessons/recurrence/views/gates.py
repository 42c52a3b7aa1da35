"""The gates of the LSTM and the GRU, opened."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import signed
from lessons.recurrence.compute.stories import OWN, Gated
from lessons.recurrence.views.units import bold, full_scale, unit_map, word_bars

MEANS = {"i": "lets in", "f": "keeps", "o": "lets out", "r": "reads back", "z": "keeps"}
CANDIDATE = ("g", "n")
ROLES = {
    "i": "source",
    "f": "context",
    "o": "target",
    "r": "target",
    "z": "context",
    "g": "quiet",
    "n": "quiet",
}


def gate_of_all(run: Gated) -> Heatmap:
    title = f"Gate {run.gate} of every unit: faint is shut, full colour open"
    return unit_map(run.all_units, run.words, run.unit, run.t, title, ROLES[run.gate])


def unit_gates(run: Gated) -> Heatmap:
    """The gates of one unit, word by word: rows that can be read against each other."""
    order = [n for n, name in enumerate(run.names) if name not in CANDIDATE]
    names = [run.names[n] for n in order]
    means = MEANS | ({} if run.force == OWN else {run.gate: f"held at {run.force}"})
    rows = tuple(f"{name} {means[name]}" for name in names)
    look: dict[str, Any] = {"role": "weight", "keys": ("gate", "step"), "column_role": "source"}
    marks: dict[str, Any] = {"current_row": names.index(run.gate), "current_column": run.t - 1}
    return Heatmap(
        run.values[order],
        rows,
        run.words,
        title=f"The gates of unit {run.unit}, word by word",
        wide=920,
        tall=170,
        **look,
        **marks,
    )


def reading(run: Gated) -> str:
    values = dict(zip(run.names, run.values[:, run.t - 1], strict=True))
    h, at = signed(run.h[1, run.t - 1]), bold(run.words[run.t - 1])
    if run.cell == "LSTM":
        said = (
            f"At {at} unit **{run.unit}** has forget gate **{values['f']:.2f}**, input gate"
            f" **{values['i']:.2f}** and output gate **{values['o']:.2f}**. With the candidate"
            f" {signed(values['g'])} its cell state becomes **{signed(run.memory[1, run.t - 1])}** and h"
            f" **{h}**."
        )
    else:
        said = (
            f"At {at} unit **{run.unit}** has update gate **{values['z']:.2f}** and reset gate"
            f" **{values['r']:.2f}**. It keeps {values['z']:.2f} of its old h and takes {1 - values['z']:.2f}"
            f" of the candidate {signed(values['n'])}, so h becomes **{h}**."
        )
    if run.force != OWN:
        who = "every unit" if run.every else f"unit {run.unit}"
        own, yours = (f"{bits:.1f}" for bits in run.surprise)
        said += (
            f" With {run.gate} = {run.force} in {who}, the surprisal of the text is **{yours}** bits per word"
        )
        said += ", the same as “untouched”." if own == yours else f" instead of **{own}**."
    return said


def kept(run: Gated) -> Curves:
    steps = np.arange(1, len(run.words) + 1)
    name = "cell" if run.cell == "LSTM" else "h"
    lines = [Line(name, steps, run.memory[1], "context", points=True)]
    if run.cell == "LSTM":
        lines.append(Line("h", steps, run.h[1], "target", points=True))
    if run.force != OWN:
        lines.append(Line(f"{name}, untouched", steps, run.memory[0], "quiet", dashed=True))
    full = full_scale(run.memory, run.h)
    axes: dict[str, Any] = {
        "x_title": "step t",
        "y_title": "value",
        "x_range": (1, len(steps)),
        "y_range": (-full, full),
    }
    return Curves(
        tuple(lines),
        current=run.t,
        key="step",
        title=f"What unit {run.unit} holds, and what it shows",
        wide=480,
        tall=200,
        **axes,
    )


def next_words(run: Gated) -> Bars:
    compare = None if run.force == OWN else run.probabilities[0]
    return word_bars(run.next_words, run.probabilities[1], run.words[run.t - 1], run.true_next, compare)
