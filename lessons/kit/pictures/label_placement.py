"""Place the names of lines: at the line ends if these are far enough apart, else along the lines."""

from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lessons.kit.pictures.base import FONT_PX

LABEL_GAP_PX = 15  # vertical distance between two names
OWN_LINE_GAP_PX = 4  # distance between a name and its own line
OTHER_LINE_GAP_PX = 9  # minimum distance between a name and any other line
MAX_COUNTED_GAP_PX = 60  # larger distances count as this one

Box = tuple[float, float, float, float]  # left, top, right, bottom


def spread_heights(heights: list[float], top: float, foot: float) -> list[float]:
    """Move heights as little as possible so that they are LABEL_GAP_PX apart, between top and foot."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    # names that touch move as one group: (sum of preferred positions of its first name, number of names)
    groups: list[tuple[float, int]] = []
    for rank, i in enumerate(order):
        groups.append((heights[i] - rank * LABEL_GAP_PX, 1))
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] >= groups[-1][0] / groups[-1][1]:
            total, count = groups.pop()
            groups[-1] = groups[-1][0] + total, groups[-1][1] + count
    firsts = [total / count for total, count in groups for _ in range(count)]
    last = foot - (len(heights) - 1) * LABEL_GAP_PX
    placed = dict(
        zip(
            order,
            (min(max(first, top), last) + rank * LABEL_GAP_PX for rank, first in enumerate(firsts)),
            strict=True,
        )
    )
    return [placed[i] for i in range(len(heights))]


def find_crowded(heights: Sequence[float]) -> list[int]:
    """Indices of heights that are too close to another one for both to have a name."""
    return [
        i
        for i, one in enumerate(heights)
        if any(abs(one - other) < LABEL_GAP_PX for j, other in enumerate(heights) if i != j)
    ]


def place_along_lines(
    lines: np.ndarray, step: float, wanted: dict[int, float], left: float, top: float, foot: float
) -> dict[int, Box]:
    """Find boxes for names of the given widths, above or below their lines, far from other lines.

    `lines` (L, K): heights, one every `step` pixels; NaN where there is no line. Names that do not fit are
    left out.
    """
    placed: dict[int, Box] = {}
    for i, width in wanted.items():
        count = ceil(width / step) + 1
        if count > lines.shape[1]:
            continue
        windows = sliding_window_view(lines, count, axis=1)  # (L, places, count)
        own, others = windows[i], np.delete(windows, i, axis=0)
        is_gap = np.isnan(own)
        # (places,)
        highest, lowest = np.where(is_gap, np.inf, own).min(1), np.where(is_gap, -np.inf, own).max(1)
        # (2, places): above the line, below it
        tops = np.stack([highest - OWN_LINE_GAP_PX - FONT_PX, lowest + OWN_LINE_GAP_PX])
        from_top = tops[None, :, :, None] - others[:, None]  # (L-1, 2, places, count)
        away = np.maximum(from_top, -from_top - FONT_PX)
        gap = np.where(np.isnan(away), MAX_COUNTED_GAP_PX, away).min(axis=(0, 3), initial=MAX_COUNTED_GAP_PX)
        worth = gap - (lowest - highest) / 2  # a flat part of the line is a better place
        worth[(gap < OTHER_LINE_GAP_PX) | (tops < top) | (tops + FONT_PX > foot) | is_gap.any(1)] = -np.inf
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
