"""Pictures shared by experiments `read`, `edit` and `gates`: a map of all units, and next-word bars."""

from math import ceil

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.tokens import quote

MIN_TWO_DIGITS = 0.01  # smaller probabilities are written with four digits
MAX_COLUMNS = 40  # for longer texts, only the steps around the current step are drawn
WIDTH_PX = 920
ACT_WIDTH_PX = 860


def full_scale(*values: np.ndarray) -> int:
    """The smallest whole number ≥ 1 that no absolute value exceeds; LSTM cell states may exceed 1."""
    return max(1, *(ceil(np.abs(part).max()) for part in values))


def draw_unit_map(
    values: np.ndarray, words: tuple[str, ...], unit: int, t: int, title: str, role: str | None = None
) -> Heatmap:
    """Draw values (T, m) with one row per unit; `unit` counts from 1."""
    begin = max(0, min(t - MAX_COLUMNS // 2, len(words) - MAX_COLUMNS))
    columns = slice(begin, begin + MAX_COLUMNS)
    is_whole = len(words) <= MAX_COLUMNS
    return Heatmap(
        values[columns].T,
        tuple(f"unit {n + 1}" for n in range(values.shape[1])),
        words[columns],
        role=role,
        top=1 if role else full_scale(values),
        keys=("unit", "step" if is_whole else "column"),  # columns match steps only for the whole text
        column_role="source",
        row_title="unit",
        current_row=unit - 1,
        current_column=t - 1 - begin,
        title=title if is_whole else f"{title}, steps {begin + 1} to {begin + MAX_COLUMNS}",
    )


def draw_next_words(
    words: tuple[str, ...],
    probabilities: np.ndarray,
    after: str,
    true_next: str | None,
    compare: np.ndarray | None = None,
) -> Bars:
    """Draw the most probable next words; ✓ marks the word that comes next in the text."""
    return Bars(
        probabilities,
        tuple(f"{word} ✓" if word == true_next else word for word in words),
        role="target",
        keys=tuple(f"word:{word}" for word in words),
        compare=compare,
        digits=2 if np.max(probabilities) >= MIN_TWO_DIGITS else 4,
        title=f"What comes after {quote(after)}?" + (" (✓: as in the text)" if true_next else ""),
        wide=400,
        tall=190,
    )
