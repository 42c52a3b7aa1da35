"""All units at every step: the picture that reading, editing and gates share."""

import numpy as np

from lessons.kit.pictures.heatmap import Heatmap

MOST = 40  # steps shown at once; of a longer text, those around the one looked at


def unit_map(values: np.ndarray, words: tuple[str, ...], unit: int, t: int, title: str, role: str | None = None) -> Heatmap:
    """values (T, m), drawn with a row for each unit; units count from 1."""
    begin = max(0, min(t - MOST // 2, len(words) - MOST))
    shown = slice(begin, begin + MOST)
    whole = len(words) <= MOST
    return Heatmap(
        values[shown].T,
        tuple(f"unit {n + 1}" for n in range(values.shape[1])),
        words[shown],
        role=role,
        keys=("unit", "step" if whole else "column"),  # a column is a step only if the first is the first
        column_role="source",
        row_title="unit",
        current_row=unit - 1,
        current_column=t - 1 - begin,
        title=title if whole else f"{title}, steps {begin + 1} to {begin + MOST}",
    )
