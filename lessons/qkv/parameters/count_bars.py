"""Bars for counts, on a logarithmic axis."""

from dataclasses import dataclass
from math import log

from lessons.kit.pictures import mpl
from lessons.kit.pictures.bars import BarLayout, Bars
from lessons.kit.pictures.base import Canvas

AXIS_MIN = 0.5


@dataclass(frozen=True)
class CountBars(Bars):
    """Counts on a fixed logarithmic axis, so that a bar changes only when its count does."""

    def draw_bar(self, canvas: Canvas, layout: BarLayout, i: int, value: float, before: float | None) -> None:
        super().draw_bar(
            canvas, layout, i, self.top * log(value / AXIS_MIN) / log(self.top / AXIS_MIN), before
        )

    def figure(self) -> "mpl.Figure":
        figure = super().figure()
        figure.axes[0].set(xscale="log", xlim=(AXIS_MIN, self.top))
        return figure
