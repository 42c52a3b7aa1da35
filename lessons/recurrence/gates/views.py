"""The gates of one unit word by word, the unit's memory, and the chosen gate of all units."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.phrases import word_at
from lessons.recurrence.gates.cell_diagram import CellDiagram
from lessons.recurrence.gates.compute import Gated
from lessons.recurrence.unit_pictures import WIDTH_PX, draw_next_words, draw_unit_map, full_scale

GATE_NAMES = {
    "i": "input gate",
    "f": "forget gate",
    "o": "output gate",
    "r": "reset gate",
    "z": "update gate",
}
ROLES = {"i": "source", "f": "context", "o": "target", "r": "target", "z": "context"}


def gate_of_all(run: Gated) -> Heatmap:
    title = f"Gate {run.gate} of every unit: faint is near 0, full colour near 1"
    return draw_unit_map(run.all_units, run.words, run.unit, run.t, title, ROLES[run.gate])


def unit_gates(run: Gated) -> Heatmap:
    """The gates of one unit, word by word, one row per gate."""
    gates = [name for name in run.names if name in GATE_NAMES]
    labels = GATE_NAMES | ({run.gate: f"clamped to {run.force}"} if run.is_clamped else {})
    return Heatmap(
        run.values[[run.names.index(name) for name in gates]],
        tuple(f"{name} {labels[name]}" for name in gates),
        run.words,
        role="weight",
        keys=("gate", "step"),
        column_role="source",
        current_row=gates.index(run.gate),
        current_column=run.t - 1,
        wide=WIDTH_PX,
        tall=170,
        title=f"The gates of unit {run.unit}, word by word",
    )


def reading(run: Gated) -> str:
    sentences = describe_lstm(run) if run.cell == "LSTM" else describe_gru(run)
    if run.is_clamped:
        sentences.append(describe_clamp(run))
    return " ".join(sentences)


def describe_lstm(run: Gated) -> list[str]:
    gates = dict(zip(run.names, run.values[:, run.t - 1], strict=True))
    memory, h = run.memory[1, run.t - 1], run.h[1, run.t - 1]
    return [
        f"At {word_at(run.words, run.t - 1)} the forget gate of unit {run.unit} is **{gates['f']:.2f}**,"
        f" its input gate **{gates['i']:.2f}** and its output gate **{gates['o']:.2f}**.",
        f"With the candidate {signed(gates['g'])} the cell state becomes **{signed(memory)}** and h"
        f" becomes **{signed(h)}**.",
    ]


def describe_gru(run: Gated) -> list[str]:
    gates = dict(zip(run.names, run.values[:, run.t - 1], strict=True))
    return [
        f"At {word_at(run.words, run.t - 1)} the update gate of unit {run.unit} is **{gates['z']:.2f}**"
        f" and its reset gate **{gates['r']:.2f}**.",
        f"The unit keeps {gates['z']:.2f} of its old h and takes {1 - gates['z']:.2f} of the candidate"
        f" {signed(gates['n'])}. So h becomes **{signed(run.h[1, run.t - 1])}**.",
    ]


def describe_clamp(run: Gated) -> str:
    units = "every unit" if run.every else f"unit {run.unit}"
    original, edited = (f"{bits:.1f}" for bits in run.surprise)
    change = "the same as" if original == edited else f"compared with **{original}**"
    return (
        f"With {run.gate} = {run.force} in {units}, the surprisal of the text is **{edited}** bits per word,"
        f" {change} in the original run."
    )


def kept(run: Gated) -> Curves:
    steps = np.arange(1, len(run.words) + 1)
    name = "cell" if run.cell == "LSTM" else "h"
    lines = [Line(name, steps, run.memory[1], "context", points=True)]
    if run.cell == "LSTM":
        lines.append(Line("h", steps, run.h[1], "target", points=True))
    if run.is_clamped:
        lines.append(Line(f"{name}, original", steps, run.memory[0], "quiet", dashed=True))
    limit = full_scale(run.memory, run.h)
    return Curves(
        tuple(lines),
        x_title="step t",
        y_title="value",
        x_range=(1, len(steps)),
        y_range=(-limit, limit),
        current=run.t,
        key="step",
        wide=480,
        tall=200,
        title=f"{'Cell state and h' if run.cell == 'LSTM' else 'h'} of unit {run.unit}, step by step",
    )


def next_words(run: Gated) -> Bars:
    original, edited = run.probabilities
    compare = original if run.is_clamped else None
    return draw_next_words(run.next_words, edited, run.words[run.t - 1], run.true_next, compare)


def built(run: Gated) -> CellDiagram:
    """The wiring of the cell, with the numbers of this unit at step t."""
    n, memory = run.t - 1, run.memory[1]
    values = {name: float(row[n]) for name, row in zip(run.names, run.values, strict=True)}
    values |= {
        "before": float(memory[n - 1]) if n else 0.0,
        "memory": float(memory[n]),
        "h": float(run.h[1, n]),
    }
    if run.cell == "GRU":
        del values["h"]  # the memory of a GRU is h itself
    title = f"{run.cell}, unit {run.unit} at step {run.t}: gates multiply, + adds"
    return CellDiagram(run.cell, values, title=title)
