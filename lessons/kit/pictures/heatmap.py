"""Heatmap: rows look at columns (attention), or units live through time (hidden states)."""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from math import cos, radians, sin
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SIZE, SMALL, Canvas, Picture, new_figure, num, shorten, width_of
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import printable, tones

Labels = tuple[str, ...]
Cells = tuple[tuple[int, int], ...]

CELL = 26  # a cell with room
WIDE, TALL = 860, 480  # of all; of the grid, if its rows can be that thin
THIN = 4  # a row of which there are a hundred
LINE, CLOSE = 16, 11  # between two labels, one above the other; at the least
NAMED = 24  # so many rows and columns are all named
LEAN = 60  # degrees; column labels rise to the right
ALONG, UP = cos(radians(LEAN)), sin(radians(LEAN))
FOOT = 26  # the scale
LABEL = 120  # the longest label, in pixels; less where there is little room
EVERY = (2, 5, 10, 20, 50, 100, 200, 500, 1000)


class Places(NamedTuple):
    """Where things are, in pixels."""

    left: float
    top: float
    wide: float  # one cell
    high: float
    row_ticks: range  # which rows are named
    column_ticks: range
    leaning: bool
    sizes: tuple[float, float]  # of the words at rows and columns
    width: float
    height: float


@dataclass(frozen=True)
class Heatmap(Picture):
    """Weights run from 0 to `top` in their role's colour; activations (`role=None`) from −top, blue, to top, red."""

    can_narrow = True

    values: Any  # (R, C); what is not finite is masked
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
    gold: Cells = ()  # the reference: dashed
    current_row: int | None = None  # 0-based, as are all cells
    current_column: int | None = None
    changed: Cells = ()  # by the learner: heavy
    hatched: str = "masked"  # what it means that a cell has no number

    @property
    def grid(self) -> np.ndarray:  # (R, C)
        values, shape = np.asarray(self.values, dtype=float), (len(self.rows), len(self.columns))
        if values.size and values.shape != shape:
            raise ValueError(
                f"{self.title}: {shape[0]} × {shape[1]} labels for values of shape {values.shape}"
            )
        return np.where(np.isfinite(values), values, np.nan).reshape(shape)

    def inside(self, cells: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Cells that are there: a reference may be longer than what the model wrote."""
        return [(r, c) for r, c in cells if 0 <= r < len(self.rows) and 0 <= c < len(self.columns)]

    @property
    def longest(self) -> float:
        """Label, in pixels."""
        return min(LABEL, (self.wide or WIDE) / 4)

    def long(self, words: str, size: float = SIZE) -> float:
        return min(self.longest, 1.1 * width_of(words, size))  # it may be bold

    def places(self) -> Places:
        rows, columns = len(self.rows), len(self.columns)
        left = max([self.long(row) for row in self.rows] + [width_of(self.row_title, SMALL)]) + 12
        wide, size, apart = self.across(left)
        column_ticks = ticks(columns, wide, apart)
        widths = [self.long(self.columns[c], size) for c in column_ticks]
        leaning = any(width > wide * column_ticks.step - 4 for width in widths)
        up = max(widths, default=0) * UP + 12 if leaning else LINE + 2
        right = [
            left + (c + 0.5) * wide + width * (ALONG if leaning else 0.5)
            for c, width in zip(column_ticks, widths, strict=True)
        ]
        right += [left + columns * wide, left + width_of(self.column_title, SMALL), legend_end(self)]
        top = up + LINE * bool(self.column_title)
        least = THIN if rows > 40 else LINE if rows > NAMED and self.tall is None else CLOSE
        high = max(least, min(CELL, (TALL if self.tall is None else self.tall - top - FOOT) / max(rows, 1)))
        sizes = SIZE if high >= LINE else SMALL, size
        width, height = max(right) + (12 if leaning else 6), top + rows * high + FOOT
        return Places(
            left, top, wide, high, ticks(rows, high, CLOSE), column_ticks, leaning, sizes, width, height
        )

    def across(self, left: float) -> tuple[float, float, float]:
        """How wide a cell is, how large the words above, and how far apart two of them must be: small words before fewer words."""
        columns, room = len(self.columns), (self.wide or WIDE) - left
        for size, apart in ((SIZE, LINE), (SMALL, CLOSE / UP)):
            # a word that leans reaches beyond its column
            leans = [
                (room - 12 - ALONG * self.long(name, size)) / (c + 0.5) for c, name in enumerate(self.columns)
            ]
            wide = min([CELL, (room - 12) / max(columns, 1), *leans])
            if wide >= apart:
                break
        return (max(wide, apart) if columns <= NAMED else wide), size, apart

    def draw(self) -> Canvas:
        at = self.places()
        canvas = Canvas(at.width, at.height)
        with_names: dict[str, Any] = {
            "rows": self.rows,
            "columns": self.columns,
            "keys": self.keys,
            "hatched": self.hatched,
        }
        canvas.cells(
            self.grid, at.left, at.top, at.wide, at.high, role=self.role, top=self.top or 1, **with_names
        )
        self.name_rows(canvas, at)
        self.name_columns(canvas, at)
        gold, changed = boxes(self.inside(self.gold), at), boxes(self.inside(self.changed), at)
        still = {"fill": "none", "pointer_events": "none"}
        canvas.add("path", d=gold, stroke="var(--gold)", stroke_width=2, stroke_dasharray="4 2", **still)
        canvas.add("path", d=changed, stroke="currentColor", stroke_width=2.5, **still)
        for line in self.current(at):
            canvas.add("rect", **line, rx=3, stroke="currentColor", stroke_width=1.5, **still)
        legend(canvas, self, at.height - FOOT + 10)
        return canvas

    def name_rows(self, canvas: Canvas, at: Places) -> None:
        canvas.open(text_anchor="end", style=tint(self.row_role))
        if self.row_title:
            canvas.text(at.left - 8, at.top - 6, self.row_title, SMALL, "end", opacity=0.85)
        for r in at.row_ticks:
            said = {"x": at.left - 8, "y": at.top + (r + 0.5) * at.high + at.sizes[0] / 3}
            name(
                canvas,
                self.rows[r],
                key(self.keys[0], r),
                r == self.current_row,
                self.longest,
                at.sizes[0],
                **said,
            )
        canvas.close()

    def name_columns(self, canvas: Canvas, at: Places) -> None:
        canvas.open(text_anchor=None if at.leaning else "middle", style=tint(self.column_role))
        if self.column_title:
            canvas.text(at.left, SMALL, self.column_title, SMALL, "start", opacity=0.85)
        for c in at.column_ticks:
            x, y = at.left + (c + 0.5) * at.wide, at.top - 6
            lean = f"translate({num(x + 3)} {num(y)})rotate(-{LEAN})"
            said = {"transform": lean} if at.leaning else {"x": x, "y": y}
            name(
                canvas,
                self.columns[c],
                key(self.keys[1], c),
                c == self.current_column,
                self.longest,
                at.sizes[1],
                **said,
            )
        canvas.close()

    def current(self, at: Places) -> list[dict[str, float]]:
        """The row and the column of this step, as boxes around them."""
        found = []
        if self.current_row is not None and 0 <= self.current_row < len(self.rows):
            y, across = at.top + self.current_row * at.high, len(self.columns) * at.wide
            found.append({"x": at.left - 2, "y": y - 1, "width": across + 2, "height": at.high + 2})
        if self.current_column is not None and 0 <= self.current_column < len(self.columns):
            x, down = at.left + self.current_column * at.wide, len(self.rows) * at.high
            found.append({"x": x - 2, "y": at.top - 1, "width": at.wide + 2, "height": down + 2})
        return found

    def figure(self) -> "mpl.Figure":
        at, grid = self.places(), self.grid
        figure = new_figure(at.width + 60, at.height)
        axes = figure.add_subplot()
        scale = tones(self.role, self.top or 1)
        if grid.size:
            look = {"cmap": scale.cmap, "norm": scale.norm, "interpolation": "nearest"}
            axes.imshow(np.ma.masked_invalid(grid), aspect=at.high / at.wide, **look)
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
            for r, c in self.inside(cells):
                axes.add_patch(mpl.Rectangle((c - 0.47, r - 0.47), 0.94, 0.94, fill=False, **look))
        for box in self.current(at):
            corner = ((box["x"] - at.left) / at.wide - 0.5, (box["y"] - at.top) / at.high - 0.5)
            size = (box["width"] / at.wide, box["height"] / at.high)
            axes.add_patch(
                mpl.Rectangle(corner, *size, fill=False, edgecolor=LIGHT["ink"], linewidth=1.4, clip_on=False)
            )
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        lean = {"rotation": LEAN, "ha": "left", "rotation_mode": "anchor"} if at.leaning else {}
        columns = [printable(shorten(self.columns[c], self.longest)) for c in at.column_ticks]
        rows = [printable(shorten(self.rows[r], self.longest)) for r in at.row_ticks]
        axes.set_xticks(
            at.column_ticks, columns, color=LIGHT[self.column_role or "ink"], parse_math=False, **lean
        )
        axes.set_yticks(at.row_ticks, rows, color=LIGHT[self.row_role or "ink"], parse_math=False)
        axes.set_xlabel(
            printable(self.column_title), color=LIGHT[self.column_role or "ink"], parse_math=False
        )
        axes.set_ylabel(printable(self.row_title), color=LIGHT[self.row_role or "ink"], parse_math=False)
        axes.set(xlim=(-0.5, max(len(self.columns), 1) - 0.5), ylim=(max(len(self.rows), 1) - 0.5, -0.5))
        axes.tick_params(length=0)
        axes.spines[:].set_color(LIGHT["line"])
        return figure

    def frame(self) -> DataFrame:
        """One line a cell; with positions, from 1, since a word may come twice."""
        down, across = (
            self.keys if len(set(self.keys)) == 2 else (f"{self.keys[0]} row", f"{self.keys[1]} column")
        )
        gold, changed = set(self.inside(self.gold)), set(self.inside(self.changed))
        cells = list(np.ndindex(self.grid.shape))
        columns = {
            down: [r + 1 for r, _ in cells],
            f"{down} label": [self.rows[r] for r, _ in cells],
            across: [c + 1 for _, c in cells],
            f"{across} label": [self.columns[c] for _, c in cells],
            "value": self.grid.ravel(),
        }
        if gold:
            columns["gold"] = [cell in gold for cell in cells]
        if changed:
            columns["changed"] = [cell in changed for cell in cells]
        return DataFrame(columns)


def ticks(many: int, pitch: float, room: float) -> range:
    """Every label if each has its room, or every second, fifth, tenth, …: a few, well apart."""
    return range(
        0, many, 1 if pitch >= room else next((n for n in EVERY if n * pitch >= 2 * room), EVERY[-1])
    )


def key(kind: str, index: int) -> str:
    """What nobody reads: only steps are counted from 1 here. All that is shown is counted from 1."""
    return f"{kind}:{index + (kind == 'step')}"


def tint(role: str | None) -> str | None:
    return role and f"color:var(--{role})"  # text is filled with currentColor


def name(canvas: Canvas, words: str, at: str, bold: bool, room: float, size: float, **where: Any) -> None:
    """A label, shortened if need be; then the whole word is its tip."""
    short = shorten(words, room, size)
    look = {"font_size": None if size == SIZE else size, "font_weight": 700 if bold else None}
    canvas.add("text", short, **where, **look, data_at=at, data_tip=words if short != words else None)


def boxes(cells: list[tuple[int, int]], at: Places) -> str:
    """One path around each cell, where Canvas.cells draws it."""
    wide, high = num(0.94 * at.wide), num(0.94 * at.high)
    return "".join(
        f"M{num(at.left + c * at.wide)} {num(at.top + (r + 0.03) * at.high)}h{wide}v{high}h-{wide}z"
        for r, c in sorted(set(cells))
    )


# ---- what the tones mean ----

SWATCH = 12


def steps(role: str | None) -> list[float]:
    return [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1] if role is None else [0, 0.2, 0.4, 0.6, 0.8, 1]


def ends(role: str | None, top: float) -> tuple[str, str]:
    return (f"−{top:g}" if role is None else "0", f"{top:g}")


def draw_scale(canvas: Canvas, x: float, y: float, role: str | None, top: float, full: float = 1.0) -> float:
    """From nothing to full colour, with the values at both ends; returns where it ends."""
    low, high = ends(role, top)
    canvas.text(x, y + 9, low, SMALL, "start", class_="quiet")
    x += width_of(low, SMALL) + 8
    canvas.open(fill="none", stroke_width=10)
    canvas.add(
        "path",
        d=f"M{num(x)} {num(y + 5)}h{SWATCH * len(steps(role))}",
        stroke="currentColor",
        stroke_opacity=0.05,
    )
    for i, share in enumerate(steps(role)):
        tone = role or ("plus" if share > 0 else "minus")
        mark = f"M{num(x + i * SWATCH)} {num(y + 5)}h{SWATCH - 1}"
        canvas.add("path", d=mark, stroke=f"var(--{tone})", stroke_opacity=abs(share) * full)
    canvas.close()
    x += SWATCH * len(steps(role)) + 4
    canvas.text(x, y + 9, high, SMALL, "start", class_="quiet")
    return x + width_of(high, SMALL)


def scale_width(role: str | None, top: float) -> float:
    return sum(width_of(end, SMALL) for end in ends(role, top)) + SWATCH * len(steps(role)) + 12


def marks(heatmap: Heatmap) -> list[tuple[str, dict[str, Any]]]:
    """What else is drawn on the cells, and how."""
    found = []
    if heatmap.inside(heatmap.gold):
        found.append(("gold", {"stroke": "var(--gold)", "stroke_width": 2, "stroke_dasharray": "4 2"}))
    if heatmap.inside(heatmap.changed):
        found.append(("changed", {"stroke": "currentColor", "stroke_width": 2.5}))
    if np.isnan(heatmap.grid).any():
        found.append((heatmap.hatched, {"stroke": "var(--quiet)"}))
    return found


def legend_end(heatmap: Heatmap) -> float:
    return scale_width(heatmap.role, heatmap.top or 1) + sum(
        16 + SWATCH + 5 + width_of(word, SMALL) for word, _ in marks(heatmap)
    )


def legend(canvas: Canvas, heatmap: Heatmap, y: float) -> None:
    """Right under the cells; pushed to the left only where there is no room."""
    x = min(heatmap.places().left, canvas.width - 6 - legend_end(heatmap))
    x = draw_scale(canvas, x, y, heatmap.role, heatmap.top or 1)
    for word, look in marks(heatmap):
        x += 16
        box = f"M{num(x)} {num(y)}l10 10" if word == heatmap.hatched else f"M{num(x)} {num(y)}h10v10h-10z"
        canvas.add("path", d=box, fill="none", **look)
        x += SWATCH + 5
        canvas.text(x, y + 9, word, SMALL, "start", class_="quiet")
        x += width_of(word, SMALL)
