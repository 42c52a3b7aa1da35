"""Heatmaps of attention weights (rows attend to columns) or hidden states (units over time)."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from math import cos, radians, sin
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.language import local_number, translate
from lessons.kit.pictures import mpl, summary
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
from lessons.kit.pictures.numbers import short
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import colour_scale, printable

Labels = tuple[str, ...]
Cells = tuple[tuple[int, int], ...]

MAX_CELL_PX = 26
DEFAULT_WIDTH_PX, MAX_GRID_HEIGHT_PX = 860, 480
MIN_DENSE_ROW_PX = 4  # minimum height of a row in a grid with more than 40 rows
LABEL_LINE_PX, MIN_LABEL_LINE_PX = 16, 11  # vertical distance between two labels
MAX_ALL_NAMED = 24  # a heatmap with at most this many rows or columns labels all of them
LABEL_DEGREES = 60  # angle of rotated column labels
LABEL_COS, LABEL_SIN = cos(radians(LABEL_DEGREES)), sin(radians(LABEL_DEGREES))
LEGEND_HEIGHT_PX = 26
MAX_LABEL_PX = 120  # labels are smaller in narrow pictures
TICK_STEPS = (2, 5, 10, 20, 50, 100, 200, 500, 1000)


class GridLayout(NamedTuple):
    """Positions and sizes in pixels."""

    left: float
    top: float
    cell_width: float
    cell_height: float
    row_ticks: range  # rows with a label
    column_ticks: range
    leaning: bool
    sizes: tuple[float, float]  # font sizes of row and column labels
    width: float
    height: float


@dataclass(frozen=True)
class Heatmap(Picture):
    """A grid of values: weights 0..top in the colour of `role`, or signed activations (`role=None`)."""

    can_narrow = True

    values: Any  # (R, C); masked where not finite
    rows: Labels
    columns: Labels
    _: KW_ONLY
    role: str | None = "weight"
    top: float = 1.0
    keys: tuple[str, str] = ("row", "column")
    row_role: str | None = None
    column_role: str | None = None
    row_title: str = ""
    column_title: str = ""
    gold: Cells = ()  # reference: dashed outline
    current_row: int | None = None  # 0-based, as are all cells
    current_column: int | None = None
    changed: Cells = ()  # changed by the learner: heavy outline
    hatched: str = "masked"  # what NaN means in this heatmap

    @property
    def hatched_name(self) -> str:
        return translate("masked") if self.hatched == "masked" else self.hatched

    @property
    def grid(self) -> np.ndarray:  # (R, C)
        values, shape = np.asarray(self.values, dtype=float), (len(self.rows), len(self.columns))
        if values.size and values.shape != shape:
            raise ValueError(
                f"{self.title}: {shape[0]} × {shape[1]} labels for values of shape {values.shape}"
            )
        return np.where(np.isfinite(values), values, np.nan).reshape(shape)

    def existing_cells(self, cells: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Cells that are inside the grid: a reference may be longer than the model's output."""
        return [(r, c) for r, c in cells if 0 <= r < len(self.rows) and 0 <= c < len(self.columns)]

    @property
    def max_label_width(self) -> float:
        return min(MAX_LABEL_PX, (self.wide or DEFAULT_WIDTH_PX) / 3)

    def label_width(self, words: str, size: float = FONT_PX) -> float:
        return min(self.max_label_width, 1.1 * text_width(words, size))  # wide enough for the words in bold

    def layout(self) -> GridLayout:
        rows, columns = len(self.rows), len(self.columns)
        left = (
            max([self.label_width(row) for row in self.rows] + [text_width(self.row_title, SMALL_FONT_PX)])
            + 12
        )
        wide, size, apart = self.column_width(left)
        column_ticks = visible_ticks(columns, wide, apart)
        widths = [self.label_width(self.columns[c], size) for c in column_ticks]
        leaning = any(width > wide * column_ticks.step - 4 for width in widths)
        up = max(widths, default=0) * LABEL_SIN + 12 if leaning else LABEL_LINE_PX + 2
        right = [
            left + (c + 0.5) * wide + width * (LABEL_COS if leaning else 0.5)
            for c, width in zip(column_ticks, widths, strict=True)
        ]
        right += [
            left + columns * wide,
            left + text_width(self.column_title, SMALL_FONT_PX),
            legend_width(self),
        ]
        top = up + LABEL_LINE_PX * bool(self.column_title)
        least = (
            MIN_DENSE_ROW_PX
            if rows > 40
            else LABEL_LINE_PX
            if rows > MAX_ALL_NAMED and self.tall is None
            else MIN_LABEL_LINE_PX
        )
        high = max(
            least,
            min(
                MAX_CELL_PX,
                (MAX_GRID_HEIGHT_PX if self.tall is None else self.tall - top - LEGEND_HEIGHT_PX)
                / max(rows, 1),
            ),
        )
        sizes = FONT_PX if high >= LABEL_LINE_PX else SMALL_FONT_PX, size
        width, height = max(right) + (12 if leaning else 6), top + rows * high + LEGEND_HEIGHT_PX
        return GridLayout(
            left,
            top,
            wide,
            high,
            visible_ticks(rows, high, MIN_LABEL_LINE_PX),
            column_ticks,
            leaning,
            sizes,
            width,
            height,
        )

    def column_width(self, left: float) -> tuple[float, float, float]:
        """Width of a cell, font size of column labels, and minimum distance between two labels.

        If there is little room, labels get a smaller font before some are left out.
        """
        columns, room = len(self.columns), (self.wide or DEFAULT_WIDTH_PX) - left
        for size, apart in ((FONT_PX, LABEL_LINE_PX), (SMALL_FONT_PX, MIN_LABEL_LINE_PX / LABEL_SIN)):
            # a rotated label extends beyond its column
            leans = [
                (room - 12 - LABEL_COS * self.label_width(name, size)) / (c + 0.5)
                for c, name in enumerate(self.columns)
            ]
            wide = min([MAX_CELL_PX, (room - 12) / max(columns, 1), *leans])
            if wide >= apart:
                break
        return (max(wide, apart) if columns <= MAX_ALL_NAMED else wide), size, apart

    def draw(self) -> Canvas:
        layout = self.layout()
        canvas = Canvas(layout.width, layout.height)
        names: dict[str, Any] = {
            "rows": self.rows,
            "columns": self.columns,
            "keys": self.keys,
            "hatched": self.hatched,
        }
        canvas.cells(
            self.grid,
            layout.left,
            layout.top,
            layout.cell_width,
            layout.cell_height,
            role=self.role,
            top=self.top or 1,
            **names,
        )
        self.draw_row_labels(canvas, layout)
        self.draw_column_labels(canvas, layout)
        gold, changed = (
            outline_path(self.existing_cells(self.gold), layout),
            outline_path(self.existing_cells(self.changed), layout),
        )
        still = {"fill": "none", "pointer_events": "none"}
        canvas.add("path", d=gold, stroke="var(--gold)", stroke_width=2, stroke_dasharray="4 2", **still)
        canvas.add("path", d=changed, stroke="currentColor", stroke_width=2.5, **still)
        for line in self.current_boxes(layout):
            canvas.add("rect", **line, rx=3, stroke="currentColor", stroke_width=1.5, **still)
        draw_legend(canvas, self, layout.height - LEGEND_HEIGHT_PX + 10)
        return canvas

    def draw_row_labels(self, canvas: Canvas, layout: GridLayout) -> None:
        canvas.open(text_anchor="end", style=text_colour(self.row_role))
        if self.row_title:
            canvas.text(layout.left - 8, layout.top - 6, self.row_title, SMALL_FONT_PX, "end")
        for r in layout.row_ticks:
            said = {
                "x": layout.left - 8,
                "y": layout.top + (r + 0.5) * layout.cell_height + layout.sizes[0] / 3,
            }
            draw_label(
                canvas,
                self.rows[r],
                data_key(self.keys[0], r),
                r == self.current_row,
                self.max_label_width,
                layout.sizes[0],
                **said,
            )
        canvas.close()

    def draw_column_labels(self, canvas: Canvas, layout: GridLayout) -> None:
        canvas.open(text_anchor=None if layout.leaning else "middle", style=text_colour(self.column_role))
        if self.column_title:
            canvas.text(layout.left, SMALL_FONT_PX, self.column_title, SMALL_FONT_PX, "start")
        for c in layout.column_ticks:
            x, y = layout.left + (c + 0.5) * layout.cell_width, layout.top - 6
            lean = f"translate({num(x + 3)} {num(y)})rotate(-{LABEL_DEGREES})"
            said = {"transform": lean} if layout.leaning else {"x": x, "y": y}
            draw_label(
                canvas,
                self.columns[c],
                data_key(self.keys[1], c),
                c == self.current_column,
                self.max_label_width,
                layout.sizes[1],
                **said,
            )
        canvas.close()

    def current_boxes(self, layout: GridLayout) -> list[dict[str, float]]:
        """Boxes around the current row and column."""
        found = []
        if self.current_row is not None and 0 <= self.current_row < len(self.rows):
            y, across = (
                layout.top + self.current_row * layout.cell_height,
                len(self.columns) * layout.cell_width,
            )
            found.append(
                {"x": layout.left - 2, "y": y - 1, "width": across + 2, "height": layout.cell_height + 2}
            )
        if self.current_column is not None and 0 <= self.current_column < len(self.columns):
            x, down = (
                layout.left + self.current_column * layout.cell_width,
                len(self.rows) * layout.cell_height,
            )
            found.append(
                {"x": x - 2, "y": layout.top - 1, "width": layout.cell_width + 2, "height": down + 2}
            )
        return found

    def figure(self) -> "mpl.Figure":
        layout, grid = self.layout(), self.grid
        figure = new_figure(layout.width + 60, layout.height)
        axes = figure.add_subplot()
        scale = colour_scale(self.role, self.top or 1)
        if grid.size:
            look = {"cmap": scale.cmap, "norm": scale.norm, "interpolation": "nearest"}
            axes.imshow(np.ma.masked_invalid(grid), aspect=layout.cell_height / layout.cell_width, **look)
            figure.colorbar(scale, ax=axes, shrink=0.6, aspect=24)
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        masked = [corners + cell[::-1] for cell in np.argwhere(np.isnan(grid))]
        axes.add_collection(
            mpl.PolyCollection(masked, facecolor="none", edgecolor=LIGHT["quiet"], linewidth=0, hatch="////")
        )
        for cells, look in (
            (self.gold, {"edgecolor": LIGHT["gold"], "linestyle": "--", "linewidth": 1.6}),
            (self.changed, {"edgecolor": LIGHT["ink"], "linewidth": 2.2}),
        ):
            for r, c in self.existing_cells(cells):
                axes.add_patch(mpl.Rectangle((c - 0.47, r - 0.47), 0.94, 0.94, fill=False, **look))
        for box in self.current_boxes(layout):
            corner = (
                (box["x"] - layout.left) / layout.cell_width - 0.5,
                (box["y"] - layout.top) / layout.cell_height - 0.5,
            )
            size = (box["width"] / layout.cell_width, box["height"] / layout.cell_height)
            axes.add_patch(
                mpl.Rectangle(corner, *size, fill=False, edgecolor=LIGHT["ink"], linewidth=1.4, clip_on=False)
            )
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        lean = {"rotation": LABEL_DEGREES, "ha": "left", "rotation_mode": "anchor"} if layout.leaning else {}
        columns = [printable(shorten(self.columns[c], self.max_label_width)) for c in layout.column_ticks]
        rows = [printable(shorten(self.rows[r], self.max_label_width)) for r in layout.row_ticks]
        axes.set_xticks(
            layout.column_ticks, columns, color=LIGHT[self.column_role or "ink"], parse_math=False, **lean
        )
        axes.set_yticks(layout.row_ticks, rows, color=LIGHT[self.row_role or "ink"], parse_math=False)
        axes.set_xlabel(
            printable(self.column_title), color=LIGHT[self.column_role or "ink"], parse_math=False
        )
        axes.set_ylabel(printable(self.row_title), color=LIGHT[self.row_role or "ink"], parse_math=False)
        axes.set(xlim=(-0.5, max(len(self.columns), 1) - 0.5), ylim=(max(len(self.rows), 1) - 0.5, -0.5))
        axes.tick_params(length=0)
        axes.spines[:].set_color(LIGHT["line"])
        return figure

    def summary(self) -> str:
        describe = summary.range_of if self.role is None else summary.largest_per_row
        return describe(self.grid, self.rows, self.columns, lambda value: short(value, 2))

    def frame(self) -> DataFrame:
        """Data frame with one row per cell, with positions from 1, because words may repeat."""
        down, across = (
            map(translate, self.keys)
            if len(set(self.keys)) == 2
            else (translate(f"{self.keys[0]} row"), translate(f"{self.keys[1]} column"))
        )
        gold, changed = set(self.existing_cells(self.gold)), set(self.existing_cells(self.changed))
        cells = list(np.ndindex(self.grid.shape))
        columns = {
            down: [r + 1 for r, _ in cells],
            translate("{name} label", name=down): [self.rows[r] for r, _ in cells],
            across: [c + 1 for _, c in cells],
            translate("{name} label", name=across): [self.columns[c] for _, c in cells],
            translate("value"): self.grid.ravel(),
        }
        if gold:
            columns[translate("gold")] = [cell in gold for cell in cells]
        if changed:
            columns[translate("changed")] = [cell in changed for cell in cells]
        return DataFrame(columns)


def visible_ticks(many: int, pitch: float, room: float) -> range:
    """Indices to label: all if there is room, else every second, fifth, tenth, …"""
    return range(
        0,
        many,
        1 if pitch >= room else next((n for n in TICK_STEPS if n * pitch >= 2 * room), TICK_STEPS[-1]),
    )


def data_key(kind: str, index: int) -> str:
    """The data-at key of a row or column: steps count from 1, others from 0."""
    return f"{kind}:{index + (kind == 'step')}"


def text_colour(role: str | None) -> str | None:
    return role and f"color:var(--{role})"  # text is filled with currentColor, so set `color`


def draw_label(
    canvas: Canvas, words: str, at: str, bold: bool, room: float, size: float, **where: Any
) -> None:
    """Draw a label; if it is shortened, its tooltip shows the full text."""
    short = shorten(words, room, size)
    look = {"font_size": None if size == FONT_PX else size, "font_weight": 700 if bold else None}
    canvas.add("text", short, **where, **look, data_at=at, data_tip=words if short != words else None)


def outline_path(cells: list[tuple[int, int]], layout: GridLayout) -> str:
    """Path around each cell, as Canvas.cells draws it."""
    wide, high = num(0.94 * layout.cell_width), num(0.94 * layout.cell_height)
    return "".join(
        f"M{num(layout.left + c * layout.cell_width)}"
        f" {num(layout.top + (r + 0.03) * layout.cell_height)}h{wide}v{high}h-{wide}z"
        for r, c in sorted(set(cells))
    )


# ---- legend ----

SWATCH_PX = 12


def scale_steps(role: str | None) -> list[float]:
    return [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1] if role is None else [0, 0.2, 0.4, 0.6, 0.8, 1]


def scale_ends(role: str | None, top: float) -> tuple[str, str]:
    high = local_number(f"{top:g}")
    return (f"−{high}" if role is None else "0", high)


def draw_scale(canvas: Canvas, x: float, y: float, role: str | None, top: float, full: float = 1.0) -> float:
    """Draw a colour scale with the values at both ends; return its right edge."""
    low, high = scale_ends(role, top)
    canvas.text(x, y + 9, low, SMALL_FONT_PX, "start", class_="quiet")
    x += text_width(low, SMALL_FONT_PX) + 8
    canvas.open(fill="none", stroke_width=10)
    canvas.add(
        "path",
        d=f"M{num(x)} {num(y + 5)}h{SWATCH_PX * len(scale_steps(role))}",
        stroke="currentColor",
        stroke_opacity=0.05,
    )
    for i, share in enumerate(scale_steps(role)):
        tone = role or ("plus" if share > 0 else "minus")
        mark = f"M{num(x + i * SWATCH_PX)} {num(y + 5)}h{SWATCH_PX - 1}"
        canvas.add("path", d=mark, stroke=f"var(--{tone})", stroke_opacity=abs(share) * full)
    canvas.close()
    x += SWATCH_PX * len(scale_steps(role)) + 4
    canvas.text(x, y + 9, high, SMALL_FONT_PX, "start", class_="quiet")
    return x + text_width(high, SMALL_FONT_PX)


def scale_width(role: str | None, top: float) -> float:
    return (
        sum(text_width(end, SMALL_FONT_PX) for end in scale_ends(role, top))
        + SWATCH_PX * len(scale_steps(role))
        + 12
    )


def legend_marks(heatmap: Heatmap) -> list[tuple[str, dict[str, Any]]]:
    """Names and SVG styles of the marks on cells."""
    found = []
    if heatmap.existing_cells(heatmap.gold):
        found.append(
            (translate("gold"), {"stroke": "var(--gold)", "stroke_width": 2, "stroke_dasharray": "4 2"})
        )
    if heatmap.existing_cells(heatmap.changed):
        found.append((translate("changed"), {"stroke": "currentColor", "stroke_width": 2.5}))
    if np.isnan(heatmap.grid).any():
        found.append((heatmap.hatched_name, {"stroke": "var(--quiet)"}))
    return found


def legend_width(heatmap: Heatmap) -> float:
    return scale_width(heatmap.role, heatmap.top or 1) + sum(
        16 + SWATCH_PX + 5 + text_width(word, SMALL_FONT_PX) for word, _ in legend_marks(heatmap)
    )


def draw_legend(canvas: Canvas, heatmap: Heatmap, y: float) -> None:
    """Draw the legend below the cells, moved to the left if it is too wide."""
    x = min(heatmap.layout().left, canvas.width - 6 - legend_width(heatmap))
    x = draw_scale(canvas, x, y, heatmap.role, heatmap.top or 1)
    for word, look in legend_marks(heatmap):
        x += 16
        box = (
            f"M{num(x)} {num(y)}l10 10" if word == heatmap.hatched_name else f"M{num(x)} {num(y)}h10v10h-10z"
        )
        canvas.add("path", d=box, fill="none", **look)
        x += SWATCH_PX + 5
        canvas.text(x, y + 9, word, SMALL_FONT_PX, "start", class_="quiet")
        x += text_width(word, SMALL_FONT_PX)
