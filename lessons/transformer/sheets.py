"""Sheets: the tensors of a block, a row for every word. Maps: the attention maps of all heads of one kind, at a glance."""

from collections import defaultdict
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame, concat

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SIZE, SMALL, Canvas, Picture, num, shorten, width_of
from lessons.kit.pictures.heatmap import CLOSE, LINE, draw_scale
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import page, slide_text, tones

WIDE, APART = 420, 16  # of one sheet with its words, between sheets
LABEL = 84  # the longest word beside a sheet
HIGH = 22  # a row with room
HEAD, BELOW = 20, 7  # name and shape, above a grid; after it
FOOT = 18  # the scale


@dataclass(frozen=True)
class Sheet:
    name: str
    goes: str  # in, inside, out
    values: Any  # (R, C)
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    role: str | None = None  # None: signed
    top: float = 4.0
    keys: tuple[str, str] = ("source", "unit")
    row_role: str = "source"
    marked: int | None = None  # a row in bold, 0-based


class Place(NamedTuple):
    sheet: Sheet
    x: float  # of the grid
    y: float
    wide: float  # of one cell
    high: float


@dataclass(frozen=True)
class Sheets(Picture):
    """As they are read: what goes in first, what comes out last."""

    sheets: tuple[Sheet, ...]
    _: KW_ONLY
    across: int = 1  # so many side by side
    first: int | None = None  # draw only so many numbers of each row

    @property
    def width(self) -> float:
        return self.wide or WIDE * self.across + APART * (self.across - 1)

    @property
    def label(self) -> float:
        return (
            min(LABEL, max((1.05 * width_of(row) for sheet in self.sheets for row in sheet.rows), default=0))
            + 8
        )

    @property
    def scales(self) -> set[tuple[str | None, float]]:
        return {(sheet.role, sheet.top) for sheet in self.sheets}

    def told(self, sheet: Sheet) -> str:
        """in · 7 × 64; and what full colour means, where one scale does not say it for all."""
        full = f" · colour to {'' if sheet.role else '±'}{sheet.top:g}" if len(self.scales) > 1 else ""
        return f"{sheet.goes} · {len(sheet.rows)} × {len(sheet.columns)}{full}"

    def drawn(self, sheet: Sheet) -> tuple[np.ndarray, tuple[str, ...]]:
        """The numbers that are drawn, and their names."""
        return np.asarray(sheet.values)[:, : self.first], sheet.columns[: self.first]

    def places(self) -> tuple[list[Place], float]:
        """Each sheet's place; the height of all. Rows come closer where there is little room."""
        lines = [self.sheets[n : n + self.across] for n in range(0, len(self.sheets), self.across)]
        rows = [max(len(sheet.rows) for sheet in line) for line in lines]
        room = (
            LINE
            if self.tall is None
            else (self.tall - FOOT - len(lines) * (HEAD + BELOW)) / max(sum(rows), 1)
        )
        high = max(CLOSE, min(HIGH, room))
        grid = (self.width - 2 - APART * (self.across - 1)) / self.across - self.label
        found, y = [], 0.0
        for line, many in zip(lines, rows, strict=True):
            for n, sheet in enumerate(line):
                x = self.label + n * (self.label + grid + APART)
                found.append(Place(sheet, x, y + HEAD, grid / max(len(self.drawn(sheet)[1]), 1), high))
            y += HEAD + many * high + BELOW
        return found, y

    def words(self) -> list[tuple[Place, int, float, float]]:
        """Every word beside a sheet: its place, its row, its baseline and its size."""
        places, _ = self.places()
        size = SIZE if places and places[0].high >= LINE else SMALL
        return [
            (at, r, at.y + (r + 0.5) * at.high + size / 3, size)
            for at in places
            for r in range(len(at.sheet.rows))
        ]

    def draw(self) -> Canvas:
        places, height = self.places()
        canvas = Canvas(self.width, height + FOOT)
        for sheet, x, y, wide, high in places:
            values, columns = self.drawn(sheet)
            canvas.text(x, y - 6, sheet.name, anchor="start", font_weight=700)
            canvas.text(x + wide * len(columns), y - 6, self.told(sheet), SMALL, "end", class_="quiet")
            names: dict[str, Any] = {"rows": sheet.rows, "columns": columns, "keys": sheet.keys}
            canvas.cells(values, x, y, wide, high, role=sheet.role, top=sheet.top, **names)
        for (sheet, x, *_), row, y, size in self.words():
            word, bold = shorten(sheet.rows[row], LABEL, size), 700 if row == sheet.marked else None
            style, at = f"fill:var(--{sheet.row_role})", f"{sheet.keys[0]}:{row}"
            canvas.text(x - 8, y, word, size, "end", style=style, data_at=at, font_weight=bold)
        if len(self.scales) == 1:
            draw_scale(canvas, self.label, height + 2, *min(self.scales, key=str))
        return canvas

    def figure(self) -> "mpl.Figure":
        places, height = self.places()
        figure, axes = page(self.width, height)
        for sheet, x, y, wide, high in places:
            values, columns = self.drawn(sheet)
            slide_text(axes, x, y - 10, sheet.name, ha="left", fontweight="bold")
            slide_text(
                axes,
                x + wide * len(columns),
                y - 10,
                self.told(sheet),
                SMALL,
                ha="right",
                color=LIGHT["quiet"],
            )
            image(axes, values, x, y, wide, high, sheet.role, sheet.top)
        for (sheet, x, *_), row, y, size in self.words():
            slide_text(
                axes,
                x - 8,
                y - size / 3,
                shorten(sheet.rows[row], LABEL, size),
                size,
                ha="right",
                color=LIGHT[sheet.row_role],
            )
        return figure

    def frame(self) -> DataFrame:
        """One line a cell of every sheet, drawn or not; positions from 1."""
        tables = []
        for sheet in self.sheets:
            rows, columns = np.indices(np.shape(sheet.values))
            tables.append(
                DataFrame(
                    {
                        "quantity": sheet.name,
                        "goes": sheet.goes,
                        "position": rows.ravel() + 1,
                        "word": [sheet.rows[row] for row in rows.ravel()],
                        "column": [sheet.columns[column] for column in columns.ravel()],
                        "value": np.ravel(sheet.values),
                    }
                )
            )
        return concat(tables, ignore_index=True)


# ---- many small maps ----

MAP, STEP = 84, 94  # of a small map; from one to the next
ASIDE, OVER = 52, 22  # the names of the layers; of the heads
TONES = 8  # what can be told apart in a cell of a few pixels


@dataclass(frozen=True)
class Maps(Picture):
    """A row for every layer, a map for every head; choosing one sets the controls `layer` and `head`."""

    maps: Any  # (layers, heads, rows, columns)
    notes: tuple[tuple[str, ...], ...]  # a tip for each layer and head
    _: KW_ONLY
    chosen: tuple[int, int]  # layer, head, from 0

    @property
    def size(self) -> tuple[float, float]:
        """Of one map: it keeps the proportions of its sentence."""
        rows, columns = np.shape(self.maps)[2:]
        unit = MAP / max(rows, columns, 1)
        return unit * columns, unit * rows

    @property
    def down(self) -> float:
        """From layer to layer."""
        return self.size[1] + STEP - MAP

    def place(self, layer: int, head: int) -> tuple[float, float]:
        return ASIDE + head * STEP, OVER + layer * self.down

    @property
    def width(self) -> float:
        return ASIDE + np.shape(self.maps)[1] * STEP - STEP + MAP + 4

    @property
    def height(self) -> float:
        return OVER + len(self.maps) * self.down + 18

    def draw(self) -> Canvas:
        canvas, (layers, heads) = Canvas(self.width, self.height), np.shape(self.maps)[:2]
        wide, high = self.size
        for head in range(heads):
            canvas.text(self.place(0, head)[0], OVER - 8, f"head {head + 1}", SMALL, "start", class_="quiet")
        for layer in range(layers):
            canvas.text(
                ASIDE - 8,
                self.place(layer, 0)[1] + high / 2 + 4,
                f"layer {layer + 1}",
                SMALL,
                "end",
                class_="quiet",
            )
            canvas.open(data_pick="layer", data_value=str(layer + 1))  # a map gives its layer too
            for head in range(heads):
                (x, y), note = self.place(layer, head), self.notes[layer][head]
                canvas.open(data_tip=note, aria_label=note, **canvas.button("head", str(head + 1)))
                self.draw_map(canvas, np.asarray(self.maps)[layer, head], x, y)
                if (layer, head) == self.chosen:
                    box = {"x": x - 3, "y": y - 3, "width": wide + 6, "height": high + 6}
                    canvas.add("rect", **box, rx=4, fill="none", stroke="currentColor", stroke_width=2.5)
                canvas.close()
            canvas.close()
        draw_scale(canvas, ASIDE, self.height - 12, "weight", 1.0)
        return canvas

    def draw_map(self, canvas: Canvas, weights: np.ndarray, x: float, y: float) -> None:
        (rows, columns), (wide, high) = weights.shape, self.size
        canvas.add("rect", x=x, y=y, width=wide, height=high, class_="ground")
        levels = np.rint(np.nan_to_num(weights) * TONES).astype(int)
        place = (
            f"translate({num(x)} {num(y + high / rows / 2)}) scale({wide / columns:.3f} {high / rows:.3f})"
        )
        canvas.open(transform=place, fill="none", stroke="var(--weight)")
        marks: defaultdict[int, str] = defaultdict(str)  # a path for each tone
        for row, column in np.argwhere(levels).tolist():
            marks[int(levels[row, column])] += f"M{column} {row}h1"
        for level, path in sorted(marks.items()):
            canvas.add("path", d=path, stroke_width=1, stroke_opacity=level / TONES)
        canvas.close()

    def figure(self) -> "mpl.Figure":
        figure, axes = page(self.width, self.height)
        wide, high = self.size
        for layer, head in np.ndindex(np.shape(self.maps)[:2]):
            (x, y), weights = self.place(layer, head), np.asarray(self.maps)[layer, head]
            if layer == 0:
                slide_text(axes, x, OVER - 12, f"head {head + 1}", SMALL, ha="left", color=LIGHT["quiet"])
            if head == 0:
                slide_text(
                    axes,
                    ASIDE - 8,
                    y + high / 2,
                    f"layer {layer + 1}",
                    SMALL,
                    ha="right",
                    color=LIGHT["quiet"],
                )
            image(axes, weights, x, y, wide / weights.shape[1], high / weights.shape[0], "weight", 1.0)
            edge = (
                {"edgecolor": LIGHT["ink"], "linewidth": 2}
                if (layer, head) == self.chosen
                else {"edgecolor": LIGHT["line"]}
            )
            axes.add_patch(mpl.Rectangle((x, y), wide, high, fill=False, **edge))
        return figure

    def frame(self) -> DataFrame:
        """One line a head: what is said about it."""
        places = list(np.ndindex(np.shape(self.maps)[:2]))
        return DataFrame(
            {
                "layer": [layer + 1 for layer, _ in places],
                "head": [head + 1 for _, head in places],
                "note": [self.notes[layer][head] for layer, head in places],
            }
        )


def image(
    axes: Any, values: Any, x: float, y: float, wide: float, high: float, role: str | None, top: float
) -> None:
    """A grid of cells on a slide, in the pixels of the drawing."""
    values = np.ma.masked_invalid(np.asarray(values, dtype=float))
    scale, (rows, columns) = tones(role, top), values.shape
    look = {"cmap": scale.cmap, "norm": scale.norm, "interpolation": "nearest", "aspect": "auto"}
    limits = axes.get_xlim(), axes.get_ylim()
    axes.imshow(values, extent=(x, x + columns * wide, y + rows * high, y), **look)
    axes.set(xlim=limits[0], ylim=limits[1])
