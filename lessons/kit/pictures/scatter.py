"""A scatter plot: one point per thing, placed by two quantities."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl, palette, summary
from lessons.kit.pictures.base import SMALL_FONT_PX, Canvas, Picture, new_figure, num, text_width
from lessons.kit.pictures.curves import Axis
from lessons.kit.pictures.numbers import short

TOP_PX, FOOT_PX = 26, 40
RADIUS_PX, CURRENT_RADIUS_PX = 3.2, 6


@dataclass(frozen=True)
class Scatter(Picture):
    can_narrow = True

    x: Any  # (n,)
    y: Any  # (n,)
    names: tuple[str, ...]  # tooltips
    _: KW_ONLY
    x_title: str
    y_title: str
    x_range: tuple[float, float] | None = None
    current: int | None = None  # 0-based
    role: str = "weight"

    @cached_property
    def axes(self) -> tuple[Axis, Axis]:
        width, height = self.wide or 420, self.tall or 300
        x, y = (np.asarray(part, dtype=float) for part in (self.x, self.y))
        down = Axis.covering(y, None, False, height - FOOT_PX, TOP_PX, most=5, rounded=True)
        left = max(text_width(text, SMALL_FONT_PX) for _, text in down.ticks()) + 14
        return Axis.covering(x, self.x_range, False, left, width - 14, most=5), down

    def draw(self) -> Canvas:
        x, y = self.axes
        canvas = Canvas(self.wide or 420, self.tall or 300)
        rows, columns = y.ticks_in_pixels(), x.ticks_in_pixels()
        grid = "".join(f"M{num(x.start)} {num(height)}H{num(x.end)}" for height, _ in rows)
        canvas.add("path", d=grid, stroke="var(--line)")
        notches = "".join(f"M{num(place)} {num(y.start)}v5" for place, _ in columns)
        canvas.add("path", d=f"M{num(x.start)} {num(y.start)}H{num(x.end)}{notches}", stroke="var(--quiet)")
        for height, text in rows:
            canvas.text(x.start - 6, height + 4, text, SMALL_FONT_PX, "end", class_="quiet")
        for place, text in columns:
            canvas.text(place, y.start + 17, text, SMALL_FONT_PX, class_="quiet")
        canvas.text((x.start + x.end) / 2, y.start + 34, self.x_title, class_="quiet")
        canvas.text(4, 14, self.y_title, anchor="start", class_="quiet")
        canvas.open(fill=f"var(--{self.role})", fill_opacity=0.6)
        points = zip(x.to_pixels(self.x), y.to_pixels(self.y), self.x, self.y, self.names, strict=True)
        for across, down, a, b, name in points:
            canvas.add("circle", cx=across, cy=down, r=RADIUS_PX, data_tip=f"{name}: {short(a)}, {short(b)}")
        canvas.close()
        if self.current is not None:
            canvas.add(
                "circle",
                cx=float(x.to_pixels(self.x)[self.current]),
                cy=float(y.to_pixels(self.y)[self.current]),
                r=CURRENT_RADIUS_PX,
                fill="none",
                stroke="currentColor",
                stroke_width=2,
            )
        return canvas

    def figure(self) -> "mpl.Figure":
        x, y = self.axes
        figure = new_figure(600, 380)
        axes = figure.add_subplot()
        colour = palette.LIGHT[self.role]
        axes.plot(self.x, self.y, linestyle="none", marker="o", markersize=4, color=colour, alpha=0.6)
        if self.current is not None:
            axes.plot(
                [self.x[self.current]],
                [self.y[self.current]],
                linestyle="none",
                marker="o",
                markersize=10,
                markerfacecolor="none",
                markeredgecolor=palette.LIGHT["ink"],
            )
        axes.set_xlim(x.low, x.high)
        axes.set_ylim(y.low, y.high)
        axes.set_xlabel(self.x_title, parse_math=False)
        axes.set_ylabel(self.y_title, parse_math=False)
        axes.grid(axis="y", color=palette.LIGHT["line"], linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(self.title, loc="left", parse_math=False)
        return figure

    def summary(self) -> str:
        x, y = (np.asarray(part, dtype=float) for part in (self.x, self.y))
        if not len(x):
            return ""
        ends = [
            f"{title} from {short(part.min())} to {short(part.max())}"
            for title, part in ((self.x_title, x), (self.y_title, y))
        ]
        now = self.current
        here = "" if now is None else f"current: {self.names[now]}, {short(x[now])}, {short(y[now])}"
        return summary.join([f"{len(x)} points", *ends, here])

    def frame(self) -> DataFrame:
        """Data frame with one row per point."""
        return DataFrame({"name": self.names, self.x_title: self.x, self.y_title: self.y})
