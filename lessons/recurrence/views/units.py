"""What reading, editing and gates share: words in a sentence, the scale of a picture, units at every step, bars of next words."""

from math import ceil

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.tokens import quoted

FAINT = 0.01  # where all words are below it, two digits say nothing
MOST = 40  # steps shown at once; of a longer text, those around the one looked at


def bold(word: str) -> str:
    """A word of the text inside a sentence, in bold. A quotation mark does not stand between two others."""
    return quoted(f"**{word}**") if quoted(word) == f"“{word}”" else f"the mark **{word}**"


def full_scale(*values: np.ndarray) -> int:
    """The whole number that no value exceeds, at least 1: a state lies within ±1, the cell of an LSTM does not."""
    return max(1, *(ceil(np.abs(part).max()) for part in values))


def unit_map(
    values: np.ndarray, words: tuple[str, ...], unit: int, t: int, title: str, role: str | None = None
) -> Heatmap:
    """values (T, m), drawn with a row for each unit; units count from 1."""
    begin = max(0, min(t - MOST // 2, len(words) - MOST))
    shown = slice(begin, begin + MOST)
    whole = len(words) <= MOST
    return Heatmap(
        values[shown].T,
        tuple(f"unit {n + 1}" for n in range(values.shape[1])),
        words[shown],
        role=role,
        top=1 if role else full_scale(values),
        keys=("unit", "step" if whole else "column"),  # a column is a step only if the first is the first
        column_role="source",
        row_title="unit",
        current_row=unit - 1,
        current_column=t - 1 - begin,
        title=title if whole else f"{title}, steps {begin + 1} to {begin + MOST}",
    )


def word_bars(
    words: tuple[str, ...],
    values: np.ndarray,
    after: str,
    true_next: str | None,
    compare: np.ndarray | None = None,
) -> Bars:
    """The likeliest words after a word; the one that the text goes on with has ✓."""
    title = f"What comes after {quoted(after)}?" + (" (✓: as in the text)" if true_next else "")
    labels = tuple(f"{word} ✓" if word == true_next else word for word in words)
    keys = tuple(f"word:{word}" for word in words)
    digits = 2 if np.max(values) >= FAINT else 4
    return Bars(
        values,
        labels,
        role="target",
        keys=keys,
        compare=compare,
        digits=digits,
        title=title,
        wide=400,
        tall=190,
    )
