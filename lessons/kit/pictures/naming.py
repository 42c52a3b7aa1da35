"""Where the names of lines stand: at their ends if these are apart, or else along the line, where it is apart from the others."""

from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lessons.kit.pictures.base import FONT_PX

LABEL_GAP_PX = 15  # pixels between two names, one above the other
OWN_LINE_GAP_PX, OTHER_LINE_GAP_PX = 4, 9  # of a name: from its own line, and at least from every other
MAX_COUNTED_GAP_PX = 60  # is far enough

Box = tuple[float, float, float, float]  # left, top, right, foot


def spread_heights(heights: list[float], top: float, foot: float) -> list[float]:
    """As near to these heights as can be, but no two nearer than GAP, and none outside."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    groups: list[
        tuple[float, int]
    ] = []  # names that touch move as one: sum of where each would have its first, how many
    for rank, i in enumerate(order):
        groups.append((heights[i] - rank * LABEL_GAP_PX, 1))
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] >= groups[-1][0] / groups[-1][1]:
            total, count = groups.pop()
            groups[-1] = groups[-1][0] + total, groups[-1][1] + count
    firsts = [total / count for total, count in groups for _ in range(count)]
    last = foot - (len(heights) - 1) * LABEL_GAP_PX
    placed = dict(
        zip(
            order, (min(max(first, top), last) + rank * LABEL_GAP_PX for rank, first in enumerate(firsts)), strict=True
        )
    )
    return [placed[i] for i in range(len(heights))]


def find_crowded(heights: Sequence[float]) -> list[int]:
    """Which of these are too near to another for both to be named there."""
    return [
        i
        for i, one in enumerate(heights)
        if any(abs(one - other) < LABEL_GAP_PX for j, other in enumerate(heights) if i != j)
    ]


def place_along_lines(
    lines: np.ndarray, step: float, wanted: dict[int, float], left: float, top: float, foot: float
) -> dict[int, Box]:
    """Places beside lines, for names of these widths. `lines` (L, K) are heights, one every `step` pixels; NaN where there is none.

    A name stands right over or under its own line, clear of all others, where these are farthest. What finds no place is left out.
    """
    placed: dict[int, Box] = {}
    for i, width in wanted.items():
        many = ceil(width / step) + 1
        if many > lines.shape[1]:
            continue
        windows = sliding_window_view(lines, many, axis=1)  # (L, places, many)
        own, others = windows[i], np.delete(windows, i, axis=0)
        gone = np.isnan(own)
        highest, lowest = np.where(gone, np.inf, own).min(1), np.where(gone, -np.inf, own).max(1)  # (places,)
        tops = np.stack([highest - OWN_LINE_GAP_PX - FONT_PX, lowest + OWN_LINE_GAP_PX])  # (2, places): over the line, under it
        from_top = tops[None, :, :, None] - others[:, None]  # (L-1, 2, places, many)
        away = np.maximum(from_top, -from_top - FONT_PX)
        gap = np.where(np.isnan(away), MAX_COUNTED_GAP_PX, away).min(axis=(0, 3), initial=MAX_COUNTED_GAP_PX)
        worth = gap - (lowest - highest) / 2  # a flat stretch rather than a steep one
        worth[(gap < OTHER_LINE_GAP_PX) | (tops < top) | (tops + FONT_PX > foot) | gone.any(1)] = -np.inf
        lefts = left + step * np.arange(len(highest))
        for a, b, c, d in placed.values():
            worth[
                (lefts < c + 6) & (lefts + width > a - 6) & (tops < d + 3) & (tops + FONT_PX > b - 3)
            ] = -np.inf
        side, place = np.unravel_index(worth.argmax(), worth.shape)
        if np.isfinite(worth[side, place]):
            x, y = float(lefts[place]), float(tops[side, place])
            placed[i] = (x, y, x + width, y + FONT_PX)
    return placed
