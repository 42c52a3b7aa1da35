"""Line charts. Lines differ in dash pattern, mark and name."""

import math
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.language import local_number, translate
from lessons.kit.pictures import mpl, palette, summary
from lessons.kit.pictures.base import SMALL_FONT_PX, Canvas, Picture, new_figure, num, shorten, text_width
from lessons.kit.pictures.label_placement import (
    LABEL_GAP_PX,
    Box,
    find_crowded,
    place_along_lines,
    spread_heights,
)
from lessons.kit.pictures.numbers import short, ten_to

NAME_STEP_PX = 8  # step along x for comparing lines when names are placed
MAX_MARKS = 40  # maximum number of marks on a line
DASHES = ("", "9 4", "2 4", "9 3 2 3", "15 4")
MARK_SHAPES = {  # shapes of marks, by their name in matplotlib
    "o": "h0",
    "s": "h0",
    "D": "m-5 0l5 -5l5 5l-5 5z",
    "^": "m-5 4h10l-5 -8z",
    "v": "m-5 -4h10l-5 8z",
    "+": "m-5 0h10m-5 -5v10",
}
MARKS = tuple(MARK_SHAPES)
MAX_POINTS = 1200  # per picture; longer lines keep their maxima and minima
MAX_TIPS = 48  # number of tooltip positions along x
MAX_DRAWABLE = 1e150  # larger numbers are not drawn


@dataclass(frozen=True)
class Line:
    name: str
    x: Any  # (n,)
    y: Any  # (n,); NaN is a gap
    role: str = "source"
    low: Any = None  # (n,): a band from low to high
    high: Any = None
    dashed: bool = False  # draws this line dashed; the lines without it are then solid
    points: bool = False  # whether every point has a mark


class LineName(NamedTuple):
    """Name of a line and its position: right of the plot, or beside the line."""

    words: str
    role: str
    x: float
    y: float  # middle of the name
    start: tuple[float, float] | None = None  # end of its line; None for a name beside its line
    mark: str = ""  # mark of the line, drawn before the name


class PlacedLine(NamedTuple):
    """A line in pixels."""

    kept: np.ndarray  # indices of the points that are drawn
    places: np.ndarray  # x of these points
    heights: np.ndarray  # y of these points
    trail: np.ndarray  # (n, 2) points of the line, clipped to the plot; NaN is a gap


@dataclass(frozen=True)
class Curves(Picture):
    """Lines on linear or logarithmic axes.

    On a logarithmic axis, values of 0 or less are gaps with a small triangle.
    """

    can_narrow = True

    lines: tuple[Line, ...]
    _: KW_ONLY
    x_title: str
    y_title: str
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    log_x: bool = False
    log_y: bool = False
    shaded: tuple[tuple[float, float, str], ...] = ()  # from x to x, label
    rules: tuple[tuple[float, str], ...] = ()  # horizontal lines: y, name
    current: float | None = None  # x of the current setting
    key: str | None = None  # prefix of the data-at keys along x, such as "step" in step:3

    @cached_property
    def styles(self) -> list[tuple[str, str]]:
        """Dash and mark of each line; a line without a name looks like the previous one."""
        has_dashed, styles, n = any(line.dashed for line in self.lines), [("", "")], 0
        for line in self.lines:
            if line.name:
                dash = (
                    DASHES[1 + n % (len(DASHES) - 1)]
                    if line.dashed
                    else ""
                    if has_dashed
                    else DASHES[n % len(DASHES)]
                )
                styles.append((dash, MARKS[n % len(MARKS)]))
                n += 1
            else:
                styles.append((styles[-1][0], ""))
        return styles[1:]

    @property
    def size(self) -> tuple[float, float]:
        """Width of the picture, and bottom of the plot."""
        width, top = self.wide or 420, 26 + (16 if self.shaded else 0)
        plot = 200 + 60 * (width > 600) if self.tall is None else self.tall - top - self.foot_height
        return width, top + max(plot, LABEL_GAP_PX * (len(self.lines) + len(self.rules) + 1))

    @property
    def foot_height(self) -> int:
        """Height below the plot."""
        return 40 if self.x_title else 24

    def axes(self, beside: float) -> tuple["Axis", "Axis"]:
        """Axes of the plot, with `beside` pixels on the right for names."""
        (width, foot), top = self.size, 26 + (16 if self.shaded else 0)
        x_values = np.concatenate([[], *(drawable_values(line.x, self.log_x) for line in self.lines)])
        parts = [
            drawable_values(part, self.log_y)
            for line in self.lines
            for part in (line.y, line.low, line.high)
            if part is not None
        ]
        y_values = np.concatenate(
            [[], *parts, drawable_values([height for height, _ in self.rules], self.log_y)]
        )
        most = max(2, min(6, int((foot - top) // 38)))
        y = Axis.covering(y_values, self.y_range, self.log_y, foot, top, most=most, rounded=True)
        left = max([20, *(text_width(text, SMALL_FONT_PX) for _, text in y.ticks())]) + 14
        x = Axis.covering(
            x_values,
            self.x_range,
            self.log_x,
            left,
            width - beside - 14 - 12 * (len(self.lines) > 1),
            most=10 if width > 600 else 5,
        )
        return x, y

    @cached_property
    def plot_layout(self) -> tuple["Axis", "Axis", list[LineName], list[PlacedLine]]:
        """Axes, names and lines. Names are on the right if line ends are far apart, else beside the lines."""
        most = 170 if self.size[0] > 600 else 120
        beside = [
            min(text_width(name), most)
            for name in (*(line.name for line in self.lines), *(name for _, name in self.rules))
        ]
        axes = self.axes(max(beside, default=0))
        placed = [self.place_line(*axes, line) for line in self.lines]
        at_right, inside = self.place_names(*axes, placed)
        if inside:
            wider = self.axes(max((beside[i] for i in at_right), default=0))
            moved = [self.place_line(*wider, line) for line in self.lines]
            again = self.place_names(*wider, moved)
            if again[0].keys() == at_right.keys():
                axes, placed, (at_right, inside) = wider, moved, again
        x, y = axes
        heights = spread_heights([end[1] for end in at_right.values()], y.end, y.start)
        marks = [mark if len(self.lines) > 1 else "" for _, mark in self.styles] + [""] * len(self.rules)
        names = [
            LineName(*self.name_and_role(i), x.end + 10, high, at_right[i], marks[i])
            for i, high in zip(at_right, heights, strict=True)
        ]
        names += [
            LineName(*self.name_and_role(i), (a + c) / 2, (b + d) / 2) for i, (a, b, c, d) in inside.items()
        ]
        return x, y, names, placed

    def name_and_role(self, i: int) -> tuple[str, str]:
        """Name and role of line i, or of a rule."""
        return (
            (self.lines[i].name, self.lines[i].role)
            if i < len(self.lines)
            else (self.rules[i - len(self.lines)][1], "quiet")
        )

    def place_names(
        self, x: "Axis", y: "Axis", placed: list[PlacedLine]
    ) -> tuple[dict[int, tuple[float, float]], dict[int, Box]]:
        """Line ends of names on the right, and boxes of names beside their lines."""
        ends = {}
        for i, (line, there) in enumerate(zip(self.lines, placed, strict=True)):
            seen = there.trail[~np.isnan(there.trail).any(axis=1)]
            if len(seen) and line.name:
                ends[i] = float(seen[-1, 0]), float(seen[-1, 1])
        for n, (height, _) in enumerate(self.rules, len(self.lines)):
            at = float(y.to_pixels([height])[0])
            if y.end <= at <= y.start:
                ends[n] = x.end, at
        close = [list(ends)[n] for n in find_crowded([height for _, height in ends.values()])]
        wanted = {i: 1.05 * text_width(self.lines[i].name) for i in close if i < len(self.lines)}
        inside: dict[int, Box] = {}
        if wanted and len(self.lines) > 1:
            places = np.arange(x.start + 4, x.end, NAME_STEP_PX)
            heights = [heights_at(there.trail, places) for there in placed]
            heights += [np.full(len(places), y.to_pixels([height])[0]) for height, _ in self.rules]
            if self.current is not None:  # a gap in all lines keeps names off the marker
                marker = np.abs(places - x.to_pixels([self.current])[0]).argmin()
                heights = [np.where(np.arange(len(places)) == marker, np.nan, height) for height in heights]
            inside = place_along_lines(
                np.stack(heights), NAME_STEP_PX, wanted, float(places[0]), y.end, y.start
            )
        return {i: end for i, end in ends.items() if i not in inside}, inside

    def draw(self) -> Canvas:
        x, y, names, placed = self.plot_layout
        canvas = Canvas(self.size[0], y.start + self.foot_height)
        self.draw_grid(canvas, x, y)
        for line, there, style in zip(self.lines, placed, self.styles, strict=True):
            self.draw_line(canvas, x, y, line, there, *style)
        for height, _ in self.rules:
            at = float(y.to_pixels([height])[0])
            if y.end <= at <= y.start:
                how = {"stroke": "var(--quiet)", "stroke_width": 1.5, "stroke_dasharray": "1 3"}
                canvas.add("line", x1=x.start, y1=at, x2=x.end, y2=at, **how)
        if self.current is not None:
            self.draw_marker(canvas, x, y, self.current)
        for name in names:
            self.draw_name(canvas, x, name)
        self.draw_tips(canvas, x, y)
        return canvas

    def draw_name(self, canvas: Canvas, x: "Axis", name: LineName) -> None:
        colour = f"fill:var(--{name.role})"
        if name.start is None:
            halo = f"{colour};paint-order:stroke;stroke:var(--paper);stroke-width:3px"
            canvas.text(name.x, name.y + 4.5, name.words, style=halo)
            return
        from_x, from_y = name.start
        if abs(name.y - from_y) > 4 or from_x < x.end - 2:
            thread = f"M{num(from_x)} {num(from_y)}H{num(x.end)}L{num(x.end + 8)} {num(name.y)}"
            canvas.add("path", d=thread, fill="none", stroke=f"var(--{name.role})", stroke_dasharray="1 3")
        left = name.x + (12 if name.mark else 0)
        if name.mark:
            draw_marks(canvas, name.mark, np.array([name.x + 4]), np.array([name.y]), f"var(--{name.role})")
        short = shorten(name.words, canvas.width - left - 2)
        canvas.text(
            left,
            name.y + 4.5,
            short,
            anchor="start",
            style=colour,
            data_tip=name.words if short != name.words else None,
        )

    def draw_grid(self, canvas: Canvas, x: "Axis", y: "Axis") -> None:
        """Draw everything behind the lines: shaded parts, grid, ticks, titles."""
        before = x.start
        for first, last, name in self.shaded:
            left, right = np.clip(np.nan_to_num(x.to_pixels([first, last]), nan=x.start), x.start, x.end)
            box = {"x": left, "y": y.end, "width": right - left, "height": y.start - y.end}
            canvas.add("rect", class_="ground", **box)
            short_name = shorten(name, max(right - before - 8, 0), SMALL_FONT_PX)
            canvas.text(right, y.end - 6, short_name, SMALL_FONT_PX, "end", class_="quiet", data_tip=name)
            before = right
        rows, columns = y.ticks_in_pixels(), x.ticks_in_pixels()
        grid = "".join(f"M{num(x.start)} {num(height)}H{num(x.end)}" for height, _ in rows)
        canvas.add("path", d=grid or None, stroke="var(--line)")
        notches = "".join(f"M{num(place)} {num(y.start)}v5" for place, _ in columns)
        canvas.add("path", d=f"M{num(x.start)} {num(y.start)}H{num(x.end)}{notches}", stroke="var(--quiet)")
        for height, text in rows:
            canvas.text(x.start - 6, height + 4, text, SMALL_FONT_PX, "end", class_="quiet")
        for place, text in columns:
            canvas.text(place, y.start + 17, text, SMALL_FONT_PX, class_="quiet")
        canvas.text(
            (x.start + x.end) / 2, y.start + 34, shorten(self.x_title, x.end - x.start), class_="quiet"
        )
        canvas.text(4, 14, shorten(self.y_title, canvas.width - 8), anchor="start", class_="quiet")

    def place_line(self, x: "Axis", y: "Axis", line: Line) -> PlacedLine:
        room, heights = (
            MAX_POINTS // sum(1 if other.low is None else 3 for other in self.lines),
            y.to_pixels(line.y),
        )
        kept = extreme_points(heights, min(max(room, 40), 240))
        places, heights = x.to_pixels(line.x)[kept], heights[kept]
        points = np.stack([places, heights], axis=1)
        return PlacedLine(
            kept, places, heights, clip_line(clip_line(points, 0, x.start, x.end), 1, y.end, y.start)
        )

    def draw_line(
        self, canvas: Canvas, x: "Axis", y: "Axis", line: Line, there: PlacedLine, dash: str, mark: str
    ) -> None:
        colour, (kept, places, heights, points) = f"var(--{line.role})", there
        if line.low is not None and line.high is not None:
            low, high = (
                np.clip(y.to_pixels(edge, lowest=True)[kept], y.end, y.start)
                for edge in (line.low, line.high)
            )
            canvas.add(
                "path",
                d=band_path(np.clip(places, x.start, x.end), low, high),
                fill=colour,
                fill_opacity=0.16,
            )
        ends = {"stroke_dasharray": dash} if dash else {"stroke_linecap": "round"}
        canvas.add(
            "path",
            d=path_data(points),
            stroke_width=2.2,
            fill="none",
            stroke=colour,
            stroke_linejoin="round",
            **ends,
        )
        inside = (places > x.start - 0.5) & (places < x.end + 0.5)
        seen = np.flatnonzero(inside & (heights > y.end - 0.5) & (heights < y.start + 0.5))
        if mark and len(seen) and (line.points or len(self.lines) > 1):
            some = seen[:: ceil(len(seen) / (MAX_MARKS if line.points else 6))]
            draw_marks(canvas, mark, places[some], heights[some], colour)
        if self.log_y:
            below = inside & (np.asarray(line.y, dtype=float)[kept] <= 0)
            canvas.add(
                "path",
                d="".join(
                    f"M{format_pixel(a - 4)} {format_pixel(y.start - 8)}h8l-4 7z" for a in places[below]
                ),
                fill=colour,
            )

    def draw_marker(self, canvas: Canvas, x: "Axis", y: "Axis", current: float) -> None:
        """Draw a vertical line at the current x, with a dot on each line that has a value there."""
        at = float(x.to_pixels([current])[0])
        if not x.start - 0.5 <= at <= x.end + 0.5:
            return
        canvas.add(
            "line",
            x1=at,
            y1=y.end,
            x2=at,
            y2=y.start,
            stroke="currentColor",
            stroke_width=1.5,
            class_="current",
        )
        for line in self.lines:
            for height in y.to_pixels(line.y)[np.isclose(np.asarray(line.x, dtype=float), current)][:1]:
                if y.end <= height <= y.start:
                    canvas.add(
                        "circle",
                        cx=at,
                        cy=height,
                        r=4.5,
                        fill=f"var(--{line.role})",
                        stroke="var(--paper)",
                        stroke_width=1.5,
                    )

    def draw_tips(self, canvas: Canvas, x: "Axis", y: "Axis") -> None:
        """Draw invisible vertical strips, one per x, whose tooltips show the values of all lines."""
        every, lines = np.unique(
            np.concatenate([[], *(drawable_values(line.x, self.log_x) for line in self.lines)]),
            return_counts=True,
        )
        at = x.to_pixels(every)
        shown = (at > x.start - 0.5) & (at < x.end + 0.5)
        every, lines = every[shown], lines[shown]
        if len(every) > MAX_TIPS:  # in each interval, use the x at which most lines have a value
            stretches = zip(np.array_split(every, MAX_TIPS), np.array_split(lines, MAX_TIPS), strict=True)
            every = np.array([places[count.argmax()] for places, count in stretches])
        places = x.to_pixels(every)
        borders = [x.start, *(places[:-1] + places[1:]) / 2, x.end]
        worth = [
            (
                line.name,
                dict(
                    zip(*(np.asarray(part, dtype=float).tolist() for part in (line.x, line.y)), strict=True)
                ),
            )
            for line in self.lines
        ]
        canvas.open(class_="strips", fill="currentColor", fill_opacity=0)
        for value, (left, right) in zip(every.tolist(), pairwise(borders), strict=False):
            said = [f"{name} {short(there[value])}".strip() for name, there in worth if value in there]
            box = {"x": left, "y": y.end, "width": right - left, "height": y.start - y.end}
            name = f"{self.x_title or 'x'} {short(value)}"
            tip = translate("{name}: {value}", name=name, value=", ".join(said))
            canvas.add("rect", **box, data_tip=tip, data_at=f"{self.key}:{value:g}" if self.key else None)
        canvas.close()

    def figure(self) -> "mpl.Figure":
        x, y, names, _ = self.plot_layout
        figure = new_figure(900 if self.size[0] > 600 else 600, 380)
        axes = figure.add_subplot()
        axes.set_xscale("log" if self.log_x else "linear")
        axes.set_yscale("log" if self.log_y else "linear")
        for first, last, why in self.shaded:
            axes.axvspan(first, last, color=palette.LIGHT["ink"], alpha=0.06, linewidth=0)
            axes.text(
                last,
                1.01,
                why,
                transform=axes.get_xaxis_transform(),
                ha="right",
                fontsize=8,
                parse_math=False,
            )
        for line, (dash, mark) in zip(self.lines, self.styles, strict=True):
            colour, at, worth = (
                palette.LIGHT[line.role],
                drawable_values(line.x, False, gaps=True),
                drawable_values(line.y, self.log_y, gaps=True),
            )
            stroke = (0, tuple(float(part) / 2 for part in dash.split())) if dash else "-"
            marked = {
                "marker": mark or None,
                "markevery": 1 if line.points else max(1, len(at) // 6),
                "markersize": 5,
            }
            axes.plot(
                at,
                worth,
                color=colour,
                linestyle=stroke,
                **(marked if line.points or len(self.lines) > 1 else {}),
            )
            if line.low is not None and line.high is not None:
                low, high = (drawable_values(edge, False, gaps=True) for edge in (line.low, line.high))
                axes.fill_between(
                    at,
                    np.maximum(low, y.low) if self.log_y else low,
                    high,
                    color=colour,
                    alpha=0.16,
                    linewidth=0,
                )
        for height, _ in self.rules:
            axes.axhline(height, color=palette.LIGHT["quiet"], linestyle=":", linewidth=1)
        if self.current is not None:
            axes.axvline(self.current, color=palette.LIGHT["ink"], linewidth=1)
        for name in names:
            over, up = (name.x - x.start) / (x.end - x.start), (y.start - name.y) / (y.start - y.end)
            place = {"x": over, "ha": "center"} if name.start is None else {"x": 1.02, "ha": "left"}
            colour = palette.LIGHT[name.role]
            axes.text(
                **place,
                y=up,
                s=name.words,
                transform=axes.transAxes,
                va="center",
                color=colour,
                parse_math=False,
            )
        axes.set_xlim(x.low, x.high)
        axes.set_ylim(y.low, y.high)
        axes.set_xticks([value for value, _ in x.ticks()], [text for _, text in x.ticks()])
        axes.set_yticks([value for value, _ in y.ticks()], [text for _, text in y.ticks()])
        axes.minorticks_off()
        axes.set_xlabel(self.x_title, parse_math=False)
        axes.set_ylabel(self.y_title, parse_math=False)
        axes.grid(axis="y", color=palette.LIGHT["line"], linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(self.title, loc="left", pad=18 if self.shaded else None, parse_math=False)
        return figure

    def summary(self) -> str:
        axes = translate("{y} by {x}.", y=self.y_title or translate("value"), x=self.x_title or "x")
        lines = [summary.course_of(line.name, line.x, line.y, short) for line in self.lines if line.name]
        lines = lines or [summary.course_of("", line.x, line.y, short) for line in self.lines]
        rules = [translate("{name}: {value}", name=name, value=short(height)) for height, name in self.rules]
        return f"{axes} " + summary.join([*lines[: summary.MAX_LISTED], *rules])

    def frame(self) -> DataFrame:
        """Data frame with one row per point of each line."""
        bands = any(line.low is not None for line in self.lines)
        rows = []
        for line in self.lines:
            nothing = [math.nan] * len(line.x)
            low, high = (nothing if edge is None else edge for edge in (line.low, line.high))
            for x, y, below, above in zip(line.x, line.y, low, high, strict=True):
                rows.append((line.name, float(x), float(y)) + ((float(below), float(above)) if bands else ()))
        return DataFrame(
            rows,
            columns=[translate("line"), self.x_title or "x", self.y_title or "y"]
            + ([translate("low"), translate("high")] if bands else []),
        )


@dataclass(frozen=True)
class Axis:
    """A linear or logarithmic axis that maps values low…high to pixels start…end."""

    low: float
    high: float
    log: bool
    start: float
    end: float
    max_ticks: int
    whole: bool  # whether only whole numbers get a tick

    @classmethod
    def covering(
        cls,
        values: np.ndarray,
        wanted: Any,
        log: bool,
        start: float,
        end: float,
        most: int,
        rounded: bool = False,
    ) -> "Axis":
        """Create an axis over the wanted range or all values. `rounded`: begin and end at a tick."""
        whole = not log and not rounded and len(values) > 0 and bool((values == np.rint(values)).all())
        low, high = wanted or (
            (float(values.min()), float(values.max())) if len(values) else (0.1, 1) if log else (0, 1)
        )
        if log:
            low = low if low > 0 else min([high, *values]) if high > 0 else 0.1
            high = high if high > low else low * 10
        elif not high - low > 1e-9 * max(abs(low), abs(high), 1e-9):
            low, high = low - 0.5, high + 0.5 + abs(high) * 1e-6
        if rounded and wanted is None and log:
            low, high = 10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(high))
        elif rounded and wanted is None:
            step = tick_step(low, high, most)
            low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
        return cls(low, high, log, start, end, most, whole)

    def to_pixels(self, values: Any, lowest: bool = False) -> np.ndarray:
        """Convert values to pixels, NaN if not drawable. `lowest`: put values ≤ 0 at the axis start."""
        values, low, high = drawable_values(values, False, gaps=True), self.low, self.high
        if self.log:
            values = np.where(values <= 0, low, values) if lowest else values
            low, high, values = (
                math.log10(low),
                math.log10(high),
                np.log10(drawable_values(values, True, gaps=True)),
            )
        return self.start + (values - low) / (high - low) * (self.end - self.start)

    def ticks_in_pixels(self) -> list[tuple[float, str]]:
        """Positions of the ticks in pixels, with their texts."""
        ticks = self.ticks()
        return [
            (at, text)
            for at, (_, text) in zip(
                self.to_pixels([value for value, _ in ticks]).tolist(), ticks, strict=True
            )
        ]

    def ticks(self) -> list[tuple[float, str]]:
        if self.log:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            if last - first >= 2:
                every = math.ceil((last - first) / self.max_ticks)  # so that multiples of `every` include 10⁰
                return [
                    (10.0**power, format_power(power))
                    for power in range(-(-first // every) * every, last + 1, every)
                ]
            few = [m * 10.0**power for power in range(first - 1, last + 1) for m in (1, 2, 5)]
            few = [value for value in few if self.low * (1 - 1e-9) <= value <= self.high * (1 + 1e-9)]
            if len(few) > 1:
                return [(value, short(value)) for value in few]
        step = tick_step(self.low, self.high, self.max_ticks)
        step = max(step, 1) if self.whole else step
        values = [
            n * step
            for n in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)
        ]
        return [(value, short(value, 10)) for value in values]


def tick_step(low: float, high: float, most: int) -> float:
    """Smallest step (1, 2 or 5 times a power of ten) that gives at most `most` ticks."""
    least = (high - low) / most
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))


def drawable_values(values: Any, positive: bool, gaps: bool = False) -> np.ndarray:
    """The values that can be drawn; with `gaps`, NaN in place of the others."""
    values = np.asarray(values, dtype=float).ravel()
    fine = (np.abs(values) < MAX_DRAWABLE) & ((values > 1 / MAX_DRAWABLE) | (not positive))
    return np.where(fine, values, math.nan) if gaps else values[fine]


def extreme_points(values: np.ndarray, most: int) -> np.ndarray:
    """Indices of the points to draw if there are too many: maximum and minimum of each part."""
    if len(values) <= most:
        return np.arange(len(values))
    stretches = most // 2 - 1
    long = math.ceil(len(values) / stretches)
    padded = np.full(stretches * long, math.nan)
    padded[: len(values)] = values
    parts = padded.reshape(stretches, long)
    gaps = np.isnan(parts)
    first = np.arange(stretches) * long
    lows, highs = (
        np.where(gaps, math.inf, parts).argmin(axis=1),
        np.where(gaps, -math.inf, parts).argmax(axis=1),
    )
    broken = (first + gaps.argmax(axis=1))[gaps.any(axis=1)]  # parts that contain a gap keep it
    kept = np.unique(np.concatenate([[0, len(values) - 1], first + lows, first + highs, broken]))
    return kept[kept < len(values)]


def clip_line(points: np.ndarray, axis: int, low: float, high: float) -> np.ndarray:
    """Clip a line to the plot: points at the border are added, points outside become gaps."""
    if not ((points[:, axis] < low - 0.01) | (points[:, axis] > high + 0.01)).any():
        return points
    here, there = points[:-1], points[1:]
    crossings = sorted(
        (int(i), (edge - here[i, axis]) / (there[i, axis] - here[i, axis]))
        for edge in (low, high)
        for i in np.flatnonzero((here[:, axis] - edge) * (there[:, axis] - edge) < 0)
    )
    if crossings:
        added = [here[i] + (there[i] - here[i]) * share for i, share in crossings]
        points = np.insert(points, [i + 1 for i, _ in crossings], added, axis=0)
    else:
        points = points.copy()
    points[(points[:, axis] < low - 0.5) | (points[:, axis] > high + 0.5)] = math.nan
    return points


def path_data(points: np.ndarray) -> str:
    """SVG path along points; NaN is a gap, a single point is a dot."""
    path, down = [], False
    for (x, y), gap in zip(points.tolist(), np.isnan(points).any(axis=1).tolist(), strict=True):
        if not gap:
            path.append(
                f"L{format_pixel(x)} {format_pixel(y)}" if down else f"M{format_pixel(x)} {format_pixel(y)}h0"
            )
        down = not gap
    return "".join(path)


def band_path(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> str:
    """SVG path around a band, one shape per part without gaps."""
    whole = np.flatnonzero(~np.isnan(x + low + high))
    path = []
    for stretch in np.split(whole, np.flatnonzero(np.diff(whole) > 1) + 1):
        back = stretch[::-1]
        around = np.stack(
            [np.concatenate([x[stretch], x[back]]), np.concatenate([low[stretch], high[back]])], 1
        ).tolist()
        path += (
            ["M" + "L".join(f"{format_pixel(a)} {format_pixel(b)}" for a, b in around) + "z"]
            if around
            else []
        )
    return "".join(path)


def heights_at(points: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Height of a line at these x; NaN outside the line and in gaps."""
    points = points[np.argsort(points[:, 0], kind="stable")] if len(points) else np.full((1, 2), math.nan)
    known = points[~np.isnan(points[:, 0])]
    return (
        np.interp(places, known[:, 0], known[:, 1], left=math.nan, right=math.nan)
        if len(known)
        else np.full(len(places), math.nan)
    )


def draw_marks(canvas: Canvas, mark: str, x: np.ndarray, y: np.ndarray, colour: str) -> None:
    """Draw marks: dots and squares as strokes of length 0, others as shapes."""
    path = "".join(
        f"M{format_pixel(a)} {format_pixel(b)}{MARK_SHAPES[mark]}"
        for a, b in zip(x.tolist(), y.tolist(), strict=True)
    )
    ends = {"o": (7, "round"), "s": (6, "square"), "+": (2.2, "butt")}
    if mark in ends:
        canvas.add(
            "path",
            d=path,
            fill="none",
            stroke=colour,
            stroke_width=ends[mark][0],
            stroke_linecap=ends[mark][1],
        )
    else:
        canvas.add("path", d=path, fill=colour)


def format_pixel(value: float) -> str:
    """Format a coordinate with one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def format_power(power: int) -> str:
    """Format a power of ten as tick text: 0.1, 1, 100, but 10⁻³ and 10⁴."""
    return local_number(f"{10.0**power:g}") if -3 < power < 4 else ten_to(power)
