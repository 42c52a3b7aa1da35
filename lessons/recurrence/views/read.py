"""A trained language model reads."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import compact
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.recurrence.compute.stories import DOCUMENTS, Reading
from lessons.recurrence.views.units import bold, full_scale, unit_map, word_bars

LAYERS = ("lower ", "upper ")
WEAK = 0.2  # a |correlation| below it explains less than 4% of the variance


def text_coloured(run: Reading) -> Tokens:
    names = LAYERS if len(run.h) == 2 else ("",)
    lines = tuple(
        TokenLine(f"{name}unit {unit}", run.words, memory)
        for name, unit, memory in zip(names, run.units, run.memory, strict=True)
    )
    title = (
        f"The text, coloured by {'the cell state of ' if run.cell == 'LSTM' else ''}one unit: red above zero,"
        " blue below"
    )
    return Tokens(lines, top=full_scale(run.memory), current=run.t - 1, title=title, wide=920, tall=240)


def reading(run: Reading) -> str:
    strengths = np.abs(run.correlations)
    cell = "the cell state of " if run.cell == "LSTM" else ""
    by_layer = " and ".join(
        f"{cell}{name}unit **{unit}** has |correlation| **{strength:.2f}** with **{run.feature}**"
        for name, unit, strength in zip(
            LAYERS if len(run.h) == 2 else ("",), run.units, strengths, strict=True
        )
    )
    said = (
        f"Over {DOCUMENTS} other stories"
        f" {by_layer}{', which is next to nothing' if max(strengths) < WEAK else ''}. "
    )
    said += f"After {bold(run.words[run.t - 1])} the model expects {bold(run.next_words[0])} "
    said += f"with probability **{compact(run.probabilities[0])}**"
    if run.true_next is None:
        return said + "."
    if run.true_next == run.next_words[0]:
        return said + ", and that is how the text goes on."
    return (
        said + f". The text goes on with {bold(run.true_next)}, which the model gave"
        f" **{compact(run.true_probability)}**."
    )


def units(run: Reading) -> Heatmap:
    title = "Every unit at every word" if len(run.h) == 1 else "Lower layer: every unit at every word"
    return unit_map(run.h[0], run.words, run.units[0], run.t, title)


def upper_units(run: Reading) -> Heatmap | str:
    if len(run.h) == 1:
        return ""
    return unit_map(run.h[1], run.words, run.units[1], run.t, "Upper layer: every unit at every word")


def next_words(run: Reading) -> Bars:
    return word_bars(run.next_words, run.probabilities, run.words[run.t - 1], run.true_next)


def follows(run: Reading) -> Bars:
    """For each feature the best unit of this model."""
    where = ("", "") if len(run.h) == 1 else (" ↓", " ↑")
    labels = tuple(f"{found.feature} → {found.unit}{where[found.layer - 1]}" for found in run.followers)
    keys = tuple(f"unit:{found.unit - 1}" for found in run.followers)
    values = np.abs([found.correlation for found in run.followers])
    title = "|correlation| of the best unit" + (" (↓ lower, ↑ upper layer)" if len(run.h) == 2 else "")
    return Bars(values, labels, role="context", keys=keys, title=title, wide=520)


def surprise(run: Reading) -> Tokens:
    """Nothing is said about <bos>: it is given."""
    words = run.words[1:]
    notes = tuple(f"{word}: {bits:.1f} bits" for word, bits in zip(words, run.surprise, strict=True))
    current = run.t - 2 if run.t > 1 else None
    title = "How surprising was each word? (bits: −log₂ P)"
    return Tokens(
        (TokenLine("surprise", words, run.surprise, notes),),
        role="target",
        top=12,
        first=2,
        current=current,
        title=title,
    )
