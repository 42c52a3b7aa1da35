"""Plot scores against the length of the source sentence."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from lessons.kit.language import translate
from lessons.kit.pictures.curves import Curves, Line


def draw_by_length(
    lines: Iterable[Line],
    measure: str,
    longest_trained: int,
    lengths: tuple[float, float] = (3, 40),
    **options: Any,
) -> Curves:
    """Draw values between 0 and 1 by source length, with the lengths beyond training shaded."""
    return Curves(
        tuple(lines),
        **{"x_title": translate("source words")} | options,
        y_title=measure,
        x_range=lengths,
        y_range=(0, 1),
        shaded=((longest_trained + 0.5, lengths[1], translate("longer than trained")),),
    )


def exact_match_by_length(
    series: Iterable[tuple[str, str, np.ndarray]], buckets: np.ndarray, longest_trained: int, **options: Any
) -> Curves:
    """Draw exact match by source length. `series`: name, role and values (seeds, buckets).

    `buckets` (buckets, 2): shortest and longest source length of each bucket. Several seeds give a band.
    """
    lines = []
    for name, role, values in series:
        low, high = (values.min(0), values.max(0)) if len(values) > 1 else (None, None)
        lines.append(Line(name, buckets.mean(1), values.mean(0), role, low, high, points=True))
    lengths = (float(buckets[0, 0]), float(buckets[-1, 1]))
    options = {"x_title": translate("source words T")} | options
    return draw_by_length(lines, translate("exact match"), longest_trained, lengths, **options)
