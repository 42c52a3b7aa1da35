"""A drawing made of strokes, strips and labels, rendered as SVG for the page or as a figure for slides."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import (
    FONT_PX,
    OPACITY_LEVELS,
    SMALL_FONT_PX,
    Canvas,
    Picture,
    element,
    escape,
    new_figure,
    num,
)
from lessons.kit.pictures.palette import LIGHT

Point = tuple[float, float]

STRIP_WIDTH_PX = 20
CELL_INSET_PX = 1  # gap between cells and the outline of their strip
FAINT_OPACITY = 0.3
DASHES = (4, 3)


@dataclass(frozen=True)
class Stroke:
    """A line from the first point to the last; with four points, a Bézier curve."""

    points: tuple[Point, ...]
    role: str
    width: float = 1.25
    opacity: float = 1.0
    dashed: bool = False
    head: bool = True
    tip: str | None = None
    at: str | None = None

    def group_key(self) -> Any:
        """Key for grouping: adjacent strokes with equal keys become one path, or a group with tooltips."""
        alike = "stroke", self.role, self.dashed, self.head
        return (*alike, self.width, self.opacity) if self.tip is None else alike

    def parts(self) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        """Points of the line up to the arrow head, and the three corners of the head."""
        if not self.head:
            return self.points, ()
        *rest, before, (x, y) = self.points
        far = max(math.hypot(x - before[0], y - before[1]), 1e-6)
        dx, dy = (x - before[0]) / far, (y - before[1]) / far
        length, wide = 3.5 + 2 * self.width, 1.75 + self.width
        foot = x - dx * length, y - dy * length
        return (*rest, before, foot), (
            (x, y),
            *((foot[0] - dy * side, foot[1] + dx * side) for side in (wide, -wide)),
        )

    @staticmethod
    def draw(canvas: Canvas, run: Sequence["Stroke"]) -> None:
        one, parts = run[0], [stroke.parts() for stroke in run]
        canvas.open(
            fill="none",
            stroke=f"var(--{one.role})",
            stroke_dasharray="{} {}".format(*DASHES) if one.dashed else None,
        )
        for stroke, lines in (
            ((one, parts),) if one.tip is None else zip(run, ([part] for part in parts), strict=True)
        ):
            look = {
                "stroke_width": stroke.width,
                "stroke_opacity": stroke.opacity,
                "data_at": stroke.at,
                "data_tip": stroke.tip,
            }
            canvas.add("path", d="".join(path_data(line) for line, _ in lines), **look)
        canvas.close()
        if one.head:
            heads = "".join(path_data(head) + "z" for _, head in parts)
            canvas.add("path", d=heads, fill=f"var(--{one.role})", fill_opacity=one.opacity)

    def plot(self, axes: Any) -> None:
        line, head = self.parts()
        codes = [mpl.Path.MOVETO] + [mpl.Path.CURVE4 if len(line) == 4 else mpl.Path.LINETO] * (len(line) - 1)
        look = {"color": LIGHT[self.role], "alpha": self.opacity}
        dashes = {"linestyle": (0, DASHES)} if self.dashed else {}
        axes.add_patch(
            mpl.PathPatch(
                mpl.Path(line, codes),
                fill=False,
                linewidth=0.8 * self.width,
                capstyle="butt",
                **look,
                **dashes,
            )
        )
        if head:
            axes.add_patch(mpl.Polygon(head, linewidth=0, **look))


@dataclass(frozen=True)
class Strip:
    """A vector as a column of cells: red above 0, blue below, hatched if not finite."""

    x: float  # middle
    y: float  # upper edge
    values: np.ndarray  # (n,)
    top: float  # value shown at full colour
    role: str
    tip: str
    at: str | None = None
    faint: bool = False
    bold: bool = False
    dashed: bool = False
    max_cell_px: int = 16

    def group_key(self) -> Any:
        return "strip", self.role, self.dashed, len(self.values), self.cell_px

    @property
    def cell_px(self) -> int:
        return min(self.max_cell_px, cell_height(len(self.values)))

    def tones(self) -> list[int | None]:
        """Shade of each cell, −LEVELS … LEVELS; None where there is no number."""
        shares = (
            None if value != value else max(-1.0, min(value / self.top, 1.0))
            for value in self.values.tolist()
        )
        return [None if share is None else round(share * OPACITY_LEVELS) for share in shares]

    @staticmethod
    def draw(canvas: Canvas, run: Sequence["Strip"]) -> None:
        one = run[0]
        dashes = "{} {}".format(*DASHES) if one.dashed else None
        canvas.open(class_="ground", stroke=f"var(--{one.role})", stroke_width=1.25, stroke_dasharray=dashes)
        for strip in run:
            box = {
                "x": strip.x - STRIP_WIDTH_PX / 2,
                "y": strip.y,
                "width": STRIP_WIDTH_PX,
                "height": strip.cell_px * len(strip.values),
                "rx": 3,
            }
            look = {
                "stroke_width": 3 if strip.bold else None,
                "opacity": FAINT_OPACITY if strip.faint else None,
            }
            canvas.add("rect", **box, **look, data_at=strip.at, data_tip=strip.tip)
        canvas.close()
        for faint in (False, True):
            canvas.open(
                stroke_width=one.cell_px - 0.75,
                fill="none",
                pointer_events="none",
                opacity=FAINT_OPACITY if faint else None,
            )
            Strip._paint(canvas, [strip for strip in run if strip.faint == faint], one.cell_px)
            canvas.close()

    @staticmethod
    def _paint(canvas: Canvas, run: Sequence["Strip"], height: int) -> None:
        """Draw the cells: one path per shade, so that the SVG stays small."""
        places: dict[int | None, list[str]] = {}
        for strip in run:
            left = num(strip.x - STRIP_WIDTH_PX / 2 + CELL_INSET_PX)
            for row, tone in enumerate(strip.tones()):
                places.setdefault(tone, []).append(f"M{left} {num(strip.y + (row + 0.5) * height)}")
        inner = num(STRIP_WIDTH_PX - 2 * CELL_INSET_PX)
        for role, sign in (("plus", 1), ("minus", -1)):
            canvas.open(stroke=f"var(--{role})")
            for tone in sorted(tone * sign for tone in places if tone and tone * sign > 0):
                canvas.add(
                    "path",
                    d=f"h{inner}".join([*places[tone * sign], ""]),
                    stroke_opacity=tone / OPACITY_LEVELS,
                )
            canvas.close()
        if None in places:
            hatch = f"m0 {num(height / 2 - 1)}l{inner} {num(2 - height)}"
            canvas.add(
                "path",
                d=hatch.join([*places[None], ""]),
                class_="masked",
                stroke="var(--quiet)",
                stroke_width=1,
            )

    def plot(self, axes: Any) -> None:
        dim = FAINT_OPACITY if self.faint else 1.0
        look = {
            "fill": False,
            "edgecolor": LIGHT[self.role],
            "alpha": dim,
            "linewidth": 2.4 if self.bold else 1.0,
        }
        dashes = {"linestyle": (0, DASHES)} if self.dashed else {}
        size = STRIP_WIDTH_PX, max(self.cell_px * len(self.values), 1)
        axes.add_patch(
            mpl.FancyBboxPatch(
                (self.x - STRIP_WIDTH_PX / 2, self.y),
                *size,
                boxstyle="round,pad=0,rounding_size=3",
                **look,
                **dashes,
            )
        )
        for row, tone in enumerate(self.tones()):
            corner = self.x - STRIP_WIDTH_PX / 2 + CELL_INSET_PX, self.y + row * self.cell_px + 0.375
            box = mpl.Rectangle(corner, STRIP_WIDTH_PX - 2 * CELL_INSET_PX, self.cell_px - 0.75, linewidth=0)
            if tone is None:
                box.set(fill=False, hatch="////", edgecolor=LIGHT["quiet"], alpha=dim)
            else:
                box.set(
                    facecolor=LIGHT["plus" if tone > 0 else "minus"], alpha=dim * abs(tone) / OPACITY_LEVELS
                )
            axes.add_patch(box)


@dataclass(frozen=True)
class Label:
    """Text at a position. In a symbol, the part after the underscore is a subscript: W_hh."""

    x: float
    y: float  # baseline
    words: str
    role: str = "ink"
    size: float = FONT_PX
    anchor: str = "middle"
    tip: str | None = None
    at: str | None = None
    faint: bool = False
    bold: bool = False
    symbol: bool = False

    def group_key(self) -> Any:
        return "label", self.role, self.size, self.anchor, self.symbol

    def split_subscript(self) -> tuple[str, str]:
        words, _, below = self.words.partition("_") if self.symbol else (self.words, "", "")
        return words, below

    @staticmethod
    def draw(canvas: Canvas, run: Sequence["Label"]) -> None:
        one = run[0]
        halo = {"stroke": "var(--paper)", "stroke_width": 3, "paint_order": "stroke"} if one.symbol else {}
        size, anchor = (
            None if one.size == FONT_PX else one.size,
            None if one.anchor == "start" else one.anchor,
        )
        # the stylesheet fills text with currentColor, so the colour belongs to the group
        canvas.open(style=f"color:var(--{one.role})", font_size=size, text_anchor=anchor, **halo)
        for label in run:
            words, below = label.split_subscript()
            inner = escape(words) + (
                element("tspan", escape(below), dy=3, font_size=SMALL_FONT_PX) if below else ""
            )
            look = {"font_weight": 600 if label.bold else None, "opacity": 0.5 if label.faint else None}
            canvas.parts.append(
                element("text", inner, x=label.x, y=label.y, **look, data_at=label.at, data_tip=label.tip)
            )
        canvas.close()

    def plot(self, axes: Any) -> None:
        words, below = self.split_subscript()
        axes.text(
            self.x,
            self.y,
            f"${words}_{{{below}}}$" if below else words,
            parse_math=bool(below),  # a dollar sign typed by a learner must not start math mode
            fontsize=0.8 * self.size,  # points; a pixel is 1/90 inch here, a point 1/72
            color=LIGHT[self.role],
            alpha=0.5 if self.faint else 1.0,
            weight="bold" if self.bold else "normal",
            ha={"middle": "center", "start": "left", "end": "right"}[self.anchor],
            va="baseline",
        )


Mark = Stroke | Strip | Label


@dataclass(frozen=True)
class Sketch:
    """Marks with their positions, for the page and for slides. Later marks are on top."""

    width: float
    height: float
    marks: tuple[Mark, ...]

    def canvas(self) -> Canvas:
        canvas = Canvas(self.width, self.height)
        for _, marks in groupby(self.marks, key=lambda mark: mark.group_key()):
            run: list[Any] = list(marks)  # neighbouring marks that are drawn together
            run[0].draw(canvas, run)
        return canvas

    def figure(self) -> "mpl.Figure":
        figure = new_figure(self.width, self.height)
        axes = figure.subplots()
        axes.set(xlim=(0, self.width), ylim=(self.height, 0), aspect="equal")
        axes.set_axis_off()
        for mark in self.marks:
            mark.plot(axes)
        return figure


@dataclass(frozen=True)
class SketchPicture(Picture):
    """A picture that is drawn as a sketch, on the page and on slides."""

    def sketch(self) -> Sketch:
        raise NotImplementedError

    def draw(self) -> Canvas:
        return self.sketch().canvas()

    def figure(self) -> "mpl.Figure":
        return self.sketch().figure()


def path_data(points: Sequence[Point]) -> str:
    """Short SVG path through the points, or a Bézier curve through four: M1 2l3-4"""
    (x, y), *rest = points
    curve = len(points) == 4
    origins = [points[0]] * 3 if curve else points  # the point to which each next point is relative
    steps = [num(to[axis] - start[axis]) for start, to in zip(origins, rest, strict=False) for axis in (0, 1)]
    return f"M{num(x)} {num(y)}{'c' if curve else 'l'}{' '.join(steps)}".replace(" -", "-")


def vertical_curve(x: float, y: float, to_x: float, to_y: float) -> tuple[Point, ...]:
    """Points of a Bézier curve that starts and ends vertically."""
    middle = (y + to_y) / 2
    return (x, y), (x, middle), (to_x, middle), (to_x, to_y)


def cell_height(size: int) -> int:
    return max(6, min(16, 64 // max(size, 1)))
