"""Sheets: the tensors of a block, one beside the other, a row for every word. Maps: all attention maps at a glance."""

from collections import defaultdict
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame, concat

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SMALL, Canvas, Picture, num, shorten
from lessons.kit.pictures.heatmap import LINE, draw_scale, ticks
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import page, slide_text, tones

GRID, LABEL, APART = 318, 78, 16  # pixels of a sheet's grid, of its row labels, between sheets
HEAD = 40  # name and shape, above the grid


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

    def places(self) -> tuple[list[Place], float]:
        """Each sheet's place; the height of all."""
        found, y = [], 0.0
        for first in range(0, len(self.sheets), self.across):
            tallest = 0.0
            for n, sheet in enumerate(self.sheets[first : first + self.across]):
                high = max(5.0, min(LINE, 300 / max(len(sheet.rows), 1)))
                x = LABEL + 6 + n * (LABEL + GRID + APART)
                found.append(Place(sheet, x, y + HEAD, GRID / max(len(sheet.columns), 1), high))
                tallest = max(tallest, high * len(sheet.rows))
            y += HEAD + tallest + 14
        return found, y

    @property
    def width(self) -> float:
        return LABEL + 6 + GRID + 4 + (LABEL + GRID + APART) * (min(len(self.sheets), self.across) - 1)

    def draw(self) -> Canvas:
        places, height = self.places()
        canvas = Canvas(self.width, height + 18)
        for sheet, x, y, wide, high in places:
            canvas.text(x, y - 23, sheet.name, anchor="start", font_weight=700)
            canvas.text(x, y - 7, about(sheet), SMALL, "start", class_="quiet")
            names = {"rows": sheet.rows, "columns": sheet.columns, "keys": sheet.keys}
            canvas.cells(sheet.values, x, y, wide, high, role=sheet.role, top=sheet.top, **names)
            canvas.open(text_anchor="end", style=f"color:var(--{sheet.row_role})")
            for row in ticks(len(sheet.rows), high, LINE):
                word = shorten(sheet.rows[row], LABEL - 8)
                canvas.add("text", word, x=x - 8, y=y + (row + 0.5) * high + 4.5, data_at=f"{sheet.keys[0]}:{row}")
            canvas.close()
        if len(scales := {(sheet.role, sheet.top) for sheet in self.sheets}) == 1:
            draw_scale(canvas, LABEL + 6, height + 2, *scales.pop())
        return canvas

    def figure(self) -> "mpl.Figure":
        places, height = self.places()
        figure, axes = page(self.width, height)
        for sheet, x, y, wide, high in places:
            slide_text(axes, x, y - 27, sheet.name, ha="left", fontweight="bold")
            slide_text(axes, x, y - 11, about(sheet), SMALL, ha="left", color=LIGHT["quiet"])
            image(axes, sheet.values, x, y, wide, high, sheet.role, sheet.top)
            for row in ticks(len(sheet.rows), high, LINE):
                word = shorten(sheet.rows[row], LABEL - 8)
                slide_text(axes, x - 8, y + (row + 0.5) * high, word, ha="right", color=LIGHT[sheet.row_role])
        return figure

    def frame(self) -> DataFrame:
        """One line a cell of every sheet."""
        tables = []
        for sheet in self.sheets:
            rows, columns = np.indices(np.shape(sheet.values))
            tables.append(
                DataFrame(
                    {
                        "quantity": sheet.name,
                        "goes": sheet.goes,
                        "position": rows.ravel(),
                        "word": [sheet.rows[row] for row in rows.ravel()],
                        "column": [sheet.columns[column] for column in columns.ravel()],
                        "value": np.ravel(sheet.values),
                    }
                )
            )
        return concat(tables, ignore_index=True)


def about(sheet: Sheet) -> str:
    """in · 7 × 64 · full colour at ±2"""
    full = f"{sheet.top:g}" if sheet.role else f"±{sheet.top:g}"
    return f"{sheet.goes} · {len(sheet.rows)} × {len(sheet.columns)} · full colour at {full}"


# ---- many small maps ----

MAP, STEP = 56, 62  # of a small map; from one to the next
ASIDE = 62  # the names of the layers
BESIDE = 18  # between panels
TONES = 8  # what can be told apart in a cell of two pixels


@dataclass(frozen=True)
class Panel:
    name: str
    maps: Any  # (layers, heads, rows, columns)
    notes: tuple[tuple[str, ...], ...]  # a tip for each layer and head
    under: tuple[tuple[str, ...], ...]  # a few words under each


@dataclass(frozen=True)
class Maps(Picture):
    """Panels side by side; in each a row for every layer, a map for every head. One is outlined."""

    panels: tuple[Panel, ...]
    _: KW_ONLY
    chosen: tuple[int, int, int]  # panel, layer, head, from 0

    def places(self) -> list[tuple[int, int, int, float, float, float, float]]:
        """(panel, layer, head, x, y, width, height): a map keeps the proportions of its sentence."""
        found, x = [], float(ASIDE)
        for p, panel in enumerate(self.panels):
            layers, heads, rows, columns = np.shape(panel.maps)
            unit = MAP / max(rows, columns, 1)
            for layer, head in np.ndindex(layers, heads):
                found.append((p, layer, head, x + head * STEP, 42 + layer * (STEP + 20), unit * columns, unit * rows))
            x += heads * STEP + BESIDE
        return found

    @property
    def width(self) -> float:
        return ASIDE + sum(np.shape(panel.maps)[1] * STEP + BESIDE for panel in self.panels) - BESIDE + 2

    @property
    def height(self) -> float:
        return 42 + max(len(panel.maps) for panel in self.panels) * (STEP + 20) + 20

    def draw(self) -> Canvas:
        canvas, places = Canvas(self.width, self.height), self.places()
        for p, layer, head, x, y, width, height in places:
            panel = self.panels[p]
            if layer == head == 0:
                canvas.text(x, 13, panel.name, anchor="start", font_weight=700)
            if layer == 0:
                canvas.text(x, 33, f"head {head + 1}", SMALL, "start", class_="quiet")
            if p == head == 0:
                canvas.text(ASIDE - 10, y + MAP / 2 + 4, f"layer {layer + 1}", SMALL, "end", class_="quiet")
            canvas.open(data_tip=panel.notes[layer][head], data_at=f"head:{p}-{layer}-{head}")
            weights = np.asarray(panel.maps)[layer, head]
            self.draw_map(canvas, weights, x, y, width, height)
            if (p, layer, head) == self.chosen:
                box = {"x": x - 3, "y": y - 3, "width": width + 6, "height": height + 6}
                canvas.add("rect", **box, rx=4, fill="none", stroke="currentColor", stroke_width=2.5)
            canvas.close()
            canvas.text(x, y + MAP + 14, panel.under[layer][head], SMALL, "start", class_="quiet")
        draw_scale(canvas, ASIDE, self.height - 14, "weight", 1.0)
        return canvas

    def draw_map(self, canvas: Canvas, weights: np.ndarray, x: float, y: float, width: float, height: float) -> None:
        rows, columns = weights.shape
        canvas.add("rect", x=x, y=y, width=width, height=height, class_="ground")
        levels = np.rint(np.nan_to_num(weights) * TONES).astype(int)
        place = f"translate({num(x)} {num(y + height / rows / 2)}) scale({width / columns:.3f} {height / rows:.3f})"
        canvas.open(transform=place, fill="none", stroke="var(--weight)")
        marks = defaultdict(str)  # a path for each tone
        for row, column in np.argwhere(levels).tolist():
            marks[int(levels[row, column])] += f"M{column} {row}h1"
        for level, path in sorted(marks.items()):
            canvas.add("path", d=path, stroke_width=1, stroke_opacity=level / TONES)
        canvas.close()

    def figure(self) -> "mpl.Figure":
        figure, axes = page(self.width, self.height)
        for p, layer, head, x, y, width, height in self.places():
            weights = np.asarray(self.panels[p].maps)[layer, head]
            rows, columns = weights.shape
            if layer == head == 0:
                slide_text(axes, x, 9, self.panels[p].name, ha="left", fontweight="bold")
            if layer == 0:
                slide_text(axes, x, 29, f"head {head + 1}", SMALL, ha="left", color=LIGHT["quiet"])
            if p == head == 0:
                slide_text(axes, ASIDE - 10, y + MAP / 2, f"layer {layer + 1}", SMALL, ha="right", color=LIGHT["quiet"])
            image(axes, weights, x, y, width / columns, height / rows, "weight", 1.0)
            edge = {"edgecolor": LIGHT["ink"], "linewidth": 2} if (p, layer, head) == self.chosen else {"edgecolor": LIGHT["line"]}
            axes.add_patch(mpl.Rectangle((x, y), width, height, fill=False, **edge))
            slide_text(axes, x, y + MAP + 10, self.panels[p].under[layer][head], SMALL, ha="left", color=LIGHT["quiet"])
        return figure

    def frame(self) -> DataFrame:
        """One line a head: what is said about it."""
        places = [(self.panels[p], layer, head) for p, layer, head, *_ in self.places()]
        return DataFrame(
            {
                "kind": [panel.name for panel, _, _ in places],
                "layer": [layer + 1 for _, layer, _ in places],
                "head": [head + 1 for _, _, head in places],
                "note": [panel.notes[layer][head] for panel, layer, head in places],
            }
        )


def image(axes: Any, values: Any, x: float, y: float, wide: float, high: float, role: str | None, top: float) -> None:
    """A grid of cells on a slide, in the pixels of the drawing."""
    values = np.ma.masked_invalid(np.asarray(values, dtype=float))
    scale, (rows, columns) = tones(role, top), values.shape
    look = {"cmap": scale.cmap, "norm": scale.norm, "interpolation": "nearest", "aspect": "auto"}
    limits = axes.get_xlim(), axes.get_ylim()
    axes.imshow(values, extent=(x, x + columns * wide, y + rows * high, y), **look)
    axes.set(xlim=limits[0], ylim=limits[1])
