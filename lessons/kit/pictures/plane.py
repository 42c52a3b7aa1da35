"""Two-dimensional vectors as arrows or points, and their convex hull."""

import math
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl, palette, summary
from lessons.kit.pictures.base import (
    FONT_PX,
    SMALL_FONT_PX,
    Canvas,
    Picture,
    new_figure,
    num,
    shorten,
    text_width,
)
from lessons.kit.pictures.curves import Axis
from lessons.kit.pictures.numbers import signed

MAX_SIDE_PX, MIN_SIDE_PX = 360, 160  # side of the square
LEFT_PX, TOP_PX, RIGHT_PX = 34, 24, 26  # margins of the square
ARROW_HEAD_PX = 11
SHADE_COUNT, MAX_SHADE_OPACITY = 12, 0.6  # number of shades and strongest shade of the background

Pair = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Arrow:
    """An arrow from the origin to (x, y). With a handle (control, row) it can be dragged."""

    name: str
    x: float
    y: float
    role: str = "source"
    handle: tuple[str, int] | None = None
    dashed: bool = False
    key: str | None = None  # data-at


@dataclass(frozen=True)
class Dot:
    name: str
    x: float
    y: float
    role: str = "context"
    size: float = 5
    hollow: bool = False
    key: str | None = None


@dataclass(frozen=True)
class Plane(Picture):
    """Arrows and dots on square axes.

    Marks outside the axes are drawn at the edge; their tooltip shows the values.
    """

    can_narrow = True

    arrows: tuple[Arrow, ...]
    dots: tuple[Dot, ...] = ()
    _: KW_ONLY
    span: float = 1.5  # axes run from −span to span
    circle: float | None = None  # radius of a dashed circle
    hull: tuple[Pair, ...] = ()  # points whose convex hull is drawn
    path: tuple[Pair, ...] = ()
    tones: Any = None  # (n, n) darkness of the background, 0..1; the first row is at the bottom
    x_title: str = ""
    y_title: str = ""

    @property
    def foot_height(self) -> float:
        return 40 if self.x_title else 24

    @cached_property
    def side(self) -> float:
        wide, tall = (
            (self.wide or math.inf) - LEFT_PX - RIGHT_PX,
            (self.tall or math.inf) - TOP_PX - self.foot_height,
        )
        return max(MIN_SIDE_PX, min(MAX_SIDE_PX, wide, tall))

    @property
    def unit(self) -> float:
        """Pixels per unit."""
        return self.side / 2 / self.span

    def to_pixels(self, x: float, y: float) -> Pair:
        x, y = clip_to_span(x, y, self.span)
        return LEFT_PX + self.side / 2 + x * self.unit, TOP_PX + self.side / 2 - y * self.unit

    def draw(self) -> Canvas:
        canvas = Canvas(LEFT_PX + self.side + RIGHT_PX, TOP_PX + self.side + self.foot_height)
        if self.tones is not None:
            self.draw_shades(canvas, np.asarray(self.tones, dtype=float))
        self.draw_axes(canvas)
        corners = [self.to_pixels(*point) for point in convex_hull(self.hull)]
        if corners:
            shape = "M" + "L".join(f"{num(x)} {num(y)}" for x, y in corners) + "z"
            how = {
                "fill": "var(--context)",
                "fill_opacity": 0.12,
                "stroke": "var(--context)",
                "stroke_opacity": 0.5,
            }
            canvas.add("path", d=shape, **how, stroke_linejoin="round")
        steps = [self.to_pixels(*point) for point in self.path if is_finite(*point)]
        if steps:
            trail = "M" + "L".join(f"{num(x)} {num(y)}" for x, y in steps)
            canvas.add(
                "path", d=trail, fill="none", stroke="var(--context)", stroke_width=1.5, stroke_opacity=0.7
            )
        arrows = [arrow for arrow in self.arrows if is_finite(arrow.x, arrow.y)]
        dots = [dot for dot in self.dots if is_finite(dot.x, dot.y)]
        for arrow in sorted(
            arrows, key=lambda arrow: arrow.handle is not None
        ):  # draw arrows that can be dragged on top
            self.draw_arrow(canvas, arrow)
        for dot in dots:
            x, y = self.to_pixels(dot.x, dot.y)
            look = {
                "fill": "var(--paper)" if dot.hollow else f"var(--{dot.role})",
                "stroke": f"var(--{dot.role})",
                "stroke_width": 2,
            }
            canvas.add("circle", cx=x, cy=y, r=dot.size, **look, data_tip=tip_text(dot), data_at=dot.key)
        self.draw_names(canvas, [*arrows, *dots])
        return canvas

    def draw_shades(self, canvas: Canvas, tones: np.ndarray) -> None:
        """Draw the shaded background: one path per shade, made of runs along the rows."""
        levels = np.rint(np.nan_to_num(tones, nan=1.0).clip(0, 1) * SHADE_COUNT).astype(int)
        cell = self.side / len(levels)
        paths: dict[int, str] = {}
        for r, row in enumerate(levels):
            borders = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), len(row)]
            for left, right in pairwise(borders):
                box = (
                    f"M{num(LEFT_PX + left * cell)}"
                    f" {num(TOP_PX + self.side - (r + 1) * cell)}h{num((right - left) * cell)}v{num(cell)}"
                )
                paths[int(row[left])] = (
                    paths.get(int(row[left]), "") + f"{box}h-{num((right - left) * cell)}z"
                )
        for level, path in sorted(paths.items()):
            if level:
                canvas.add(
                    "path",
                    d=path,
                    fill="var(--quiet)",
                    fill_opacity=round(MAX_SHADE_OPACITY * level / SHADE_COUNT, 2),
                )

    def draw_axes(self, canvas: Canvas) -> None:
        """Draw grid, axes, ticks, titles and the circle."""
        right, foot, (x0, y0) = LEFT_PX + self.side, TOP_PX + self.side, self.to_pixels(0, 0)
        ticks = Axis(-self.span, self.span, False, 0, 1, 6, False).ticks()
        grid = "".join(
            f"M{num(self.to_pixels(v, 0)[0])} {TOP_PX}V{num(foot)}M{LEFT_PX}"
            f" {num(self.to_pixels(0, v)[1])}H{num(right)}"
            for v, _ in ticks
        )
        canvas.add("path", d=grid, stroke="var(--line)")
        canvas.add(
            "path",
            d=f"M{LEFT_PX} {num(y0)}H{num(right)}M{num(x0)} {TOP_PX}V{num(foot)}",
            stroke="var(--quiet)",
        )
        for value, text in ticks:
            canvas.text(self.to_pixels(value, 0)[0], foot + 15, text, SMALL_FONT_PX, class_="quiet")
            canvas.text(
                LEFT_PX - 6, self.to_pixels(0, value)[1] + 4, text, SMALL_FONT_PX, "end", class_="quiet"
            )
        canvas.text(right, foot + 33, shorten(self.x_title, self.side), anchor="end", class_="quiet")
        canvas.text(4, 14, shorten(self.y_title, self.side), anchor="start", class_="quiet")
        if self.circle:
            tip = f"radius {self.circle:g}"
            look = {"fill": "none", "stroke": "var(--quiet)", "stroke_dasharray": "5 4"}
            canvas.add("circle", cx=x0, cy=y0, r=self.circle * self.unit, **look, data_tip=tip)

    def draw_arrow(self, canvas: Canvas, arrow: Arrow) -> None:
        (x0, y0), (x, y) = self.to_pixels(0, 0), self.to_pixels(arrow.x, arrow.y)
        canvas.open(data_tip=tip_text(arrow), data_at=arrow.key)
        if arrow.handle:
            control, row = arrow.handle
            value = clip_to_span(arrow.x, arrow.y, self.span)
            unit = (self.unit, -self.unit)
            canvas.handle(control, row, (x0, y0), unit, value, -self.span, self.span, arrow.name, arrow.role)
        else:
            length = math.hypot(x - x0, y - y0)
            head = min(ARROW_HEAD_PX, length)
            along = ((x - x0) / length, (y - y0) / length) if length else (0, 0)
            neck = (x - along[0] * head, y - along[1] * head)
            dash = "6 4" if arrow.dashed else None
            stem = {"x1": x0, "y1": y0, "x2": neck[0], "y2": neck[1], "stroke_dasharray": dash}
            canvas.add("line", **stem, stroke=f"var(--{arrow.role})", stroke_width=2.5)
            wing = (-along[1] * head * 0.45, along[0] * head * 0.45)
            sides = [(neck[0] + wing[0], neck[1] + wing[1]), (neck[0] - wing[0], neck[1] - wing[1])]
            point = "L".join(f"{num(a)} {num(b)}" for a, b in [(x, y), *sides])
            canvas.add("path", d=f"M{point}z", fill=f"var(--{arrow.role})")
        canvas.close()

    def draw_names(self, canvas: Canvas, marks: list[Arrow | Dot]) -> None:
        """Draw each name beside its arrow tip, outward if possible, with the least overlap."""
        tips = [self.to_pixels(mark.x, mark.y) for mark in marks]
        taken = [(x - 7, y - 7, x + 7, y + 7) for x, y in tips]
        # points along each stem, as fractions of its length
        for arrow, share in product(self.arrows, (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)):
            if is_finite(arrow.x, arrow.y):
                x, y = self.to_pixels(*(share * part for part in clip_to_span(arrow.x, arrow.y, self.span)))
                taken.append((x - 3, y - 3, x + 3, y + 3))
        for mark, (x, y) in zip(marks, tips, strict=True):
            name = shorten(mark.name, 110)
            if not name:
                continue
            width, outward = (
                1.1 * text_width(name),
                math.atan2(y - self.to_pixels(0, 0)[1], x - self.to_pixels(0, 0)[0]),
            )
            boxes = []
            for far, turn in product((13, 26, 40), (0, 0.8, -0.8, 1.6, -1.6, 2.4, -2.4, math.pi)):
                # `far` is the distance between the tip and the nearest edge of the name
                across, down = math.cos(outward + turn), math.sin(outward + turn)
                left = min(
                    max(x + across * (far + width / 2) - width / 2, LEFT_PX + 5), canvas.width - width - 2
                )
                upper = min(
                    max(y + down * (far + FONT_PX / 2) - FONT_PX / 2, 2), TOP_PX + self.side - FONT_PX
                )
                boxes.append((left, upper, left + width, upper + FONT_PX))
            best = boxes[int(np.rint(overlap_areas(boxes, taken)).argmin())]
            taken.append(best)
            halo = "paint-order:stroke;stroke:var(--paper);stroke-width:3px"
            look = f"fill:var(--{mark.role});{halo};font-weight:600"
            canvas.text(
                best[0] + width / 2, best[3] - 2, name, style=look, data_tip=tip_text(mark), data_at=mark.key
            )

    def figure(self) -> "mpl.Figure":
        figure = new_figure(480, 460)
        axes, light = figure.add_subplot(), palette.LIGHT
        axes.axhline(0, color=light["quiet"], linewidth=0.8)
        axes.axvline(0, color=light["quiet"], linewidth=0.8)
        if self.tones is not None:
            ends = (-self.span, self.span, -self.span, self.span)
            axes.imshow(
                self.tones, origin="lower", extent=ends, cmap="Greys", vmin=0, vmax=1 / MAX_SHADE_OPACITY
            )
        corners = convex_hull(self.hull)
        if corners:
            axes.fill(
                *zip(*corners, strict=True), facecolor=light["context"] + "22", edgecolor=light["context"]
            )
        if self.path:
            axes.plot(*zip(*self.path, strict=True), color=light["context"], linewidth=1.2)
        if self.circle:
            turn = np.linspace(0, 2 * math.pi, 200)
            axes.plot(
                self.circle * np.cos(turn),
                self.circle * np.sin(turn),
                "--",
                color=light["quiet"],
                linewidth=1,
            )
        for arrow in self.arrows:
            if is_finite(arrow.x, arrow.y):
                look = {
                    "arrowstyle": "-|>",
                    "color": light[arrow.role],
                    "linewidth": 2,
                    "shrinkA": 0,
                    "shrinkB": 0,
                }
                tip = clip_to_span(arrow.x, arrow.y, self.span)
                axes.annotate("", tip, (0, 0), arrowprops=look | {"linestyle": "--" if arrow.dashed else "-"})
        for dot in self.dots:
            face = "white" if dot.hollow else light[dot.role]
            axes.plot(
                dot.x,
                dot.y,
                "o",
                markersize=dot.size * 1.5,
                markeredgecolor=light[dot.role],
                markerfacecolor=face,
            )
        marks: list[Arrow | Dot] = [*self.arrows, *self.dots]
        for mark in marks:
            if is_finite(mark.x, mark.y):
                x, y = clip_to_span(mark.x, mark.y, self.span)
                away = (8 if x >= 0 else -8, 6 if y >= 0 else -6)
                how = {
                    "textcoords": "offset points",
                    "ha": "left" if x >= 0 else "right",
                    "va": "bottom" if y >= 0 else "top",
                }
                axes.annotate(mark.name, (x, y), away, color=light[mark.role], parse_math=False, **how)
        axes.set_xlim(-self.span, self.span)
        axes.set_ylim(-self.span, self.span)
        axes.set_aspect("equal")
        axes.grid(color=light["line"], linewidth=0.6)
        axes.set_xlabel(self.x_title, parse_math=False)
        axes.set_ylabel(self.y_title, parse_math=False)
        axes.set_title(self.title, loc="left", parse_math=False)
        return figure

    def summary(self) -> str:
        marks: list[Arrow | Dot] = [*self.arrows, *self.dots]
        more = f"{len(marks)} points" if len(marks) > summary.MAX_LISTED else ""
        return summary.join([*map(tip_text, marks[: summary.MAX_LISTED]), more])

    def frame(self) -> DataFrame:
        rows = [
            (kind, mark.name, mark.x, mark.y)
            for kind, marks in (("arrow", self.arrows), ("dot", self.dots))
            for mark in marks
        ]
        rows += [
            (kind, "", x, y) for kind, points in (("hull", self.hull), ("path", self.path)) for x, y in points
        ]
        return DataFrame(rows, columns=["kind", "name", "x", "y"])


def is_finite(x: float, y: float) -> bool:
    return math.isfinite(x) and math.isfinite(y)


def clip_to_span(x: float, y: float, span: float) -> Pair:
    """Move a point towards the origin until it is inside the axes."""
    share = min(1, span / max(abs(x), abs(y), span))
    return x * share, y * share


def tip_text(mark: Arrow | Dot) -> str:
    return f"{mark.name}: ({signed(mark.x)}, {signed(mark.y)}), length {signed(math.hypot(mark.x, mark.y))}"


def overlap_areas(boxes: list[Box], taken: list[Box]) -> np.ndarray:
    """Area of each box (left, top, right, bottom) that is covered by the boxes in `taken`."""
    one, other = np.array(boxes)[:, None], np.array(taken)[None]  # (boxes, 1, 4), (1, taken, 4)
    sides = np.minimum(one[..., 2:], other[..., 2:]) - np.maximum(one[..., :2], other[..., :2])
    return sides.clip(0).prod(axis=2).sum(axis=1)


def convex_hull(points: tuple[Pair, ...]) -> list[Pair]:
    """Corners of the convex hull, in order (monotone chain)."""
    in_order = sorted({(float(x), float(y)) for x, y in points if is_finite(x, y)})
    if len(in_order) < 3:
        return in_order
    corners: list[Pair] = []
    for way in (in_order, in_order[::-1]):  # corners of the lower hull, then of the upper hull
        side: list[Pair] = []
        for x, y in way:
            while len(side) > 1 and (
                (side[-1][0] - side[-2][0]) * (y - side[-2][1])
                <= (side[-1][1] - side[-2][1]) * (x - side[-2][0])
            ):
                side.pop()
            side.append((x, y))
        corners += side[:-1]
    return corners
