"""Pictures of tensors (sheets): grids of coloured cells with one row per word."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame, concat

from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import FONT_PX, SMALL_FONT_PX, Canvas, Picture, shorten, text_width
from lessons.kit.pictures.heatmap import LABEL_LINE_PX, MIN_LABEL_LINE_PX, draw_scale
from lessons.kit.pictures.numbers import short
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import colour_scale, new_slide, slide_text

SHEET_WIDTH_PX, SHEET_GAP_PX = 420, 16  # width of a sheet with its row labels; gap between sheets
MAX_LABEL_PX = 84
MAX_ROW_PX = 22
TITLE_PX, BELOW_GRID_PX = 20, 7  # height of the title above a grid; space below the grid
SCALE_PX = 18  # height of the colour scale at the bottom


@dataclass(frozen=True)
class Sheet:
    name: str
    goes: str  # direction: “in”, “inside” or “out”
    values: Any  # (R, C)
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    role: str | None = None  # None if values are signed
    top: float = 4.0
    keys: tuple[str, str] = ("source", "unit")
    row_role: str = "source"
    marked: int | None = None  # index of the row in bold, 0-based


class Grid(NamedTuple):
    sheet: Sheet
    x: float
    y: float
    cell_width: float
    cell_height: float


@dataclass(frozen=True)
class Sheets(Picture):
    """Several sheets in reading order: inputs first, outputs last."""

    sheets: tuple[Sheet, ...]
    _: KW_ONLY
    across: int = 1  # number of sheets side by side
    first: int | None = None  # number of columns drawn per sheet; None: all

    @property
    def width(self) -> float:
        return self.wide or SHEET_WIDTH_PX * self.across + SHEET_GAP_PX * (self.across - 1)

    @property
    def label(self) -> float:
        return (
            min(
                MAX_LABEL_PX,
                max((1.05 * text_width(row) for sheet in self.sheets for row in sheet.rows), default=0),
            )
            + 8
        )

    @property
    def scales(self) -> set[tuple[str | None, float]]:
        return {(sheet.role, sheet.top) for sheet in self.sheets}

    def describe_shape(self, sheet: Sheet) -> str:
        """Caption of a sheet, e.g. “in · 7 × 64”; plus the value at full colour if sheet scales differ."""
        full = f" · colour to {'' if sheet.role else '±'}{sheet.top:g}" if len(self.scales) > 1 else ""
        return f"{sheet.goes} · {len(sheet.rows)} × {len(sheet.columns)}{full}"

    def visible_columns(self, sheet: Sheet) -> tuple[np.ndarray, tuple[str, ...]]:
        """The values that are drawn, and their column names."""
        return np.asarray(sheet.values)[:, : self.first], sheet.columns[: self.first]

    def grids(self) -> tuple[list[Grid], float]:
        """The grid of each sheet, and the total height. Rows are shorter where `tall` leaves less space."""
        lines = [self.sheets[n : n + self.across] for n in range(0, len(self.sheets), self.across)]
        rows = [max(len(sheet.rows) for sheet in line) for line in lines]
        row_height = (
            LABEL_LINE_PX
            if self.tall is None
            else (self.tall - SCALE_PX - len(lines) * (TITLE_PX + BELOW_GRID_PX)) / max(sum(rows), 1)
        )
        cell_height = max(MIN_LABEL_LINE_PX, min(MAX_ROW_PX, row_height))
        grid_width = (self.width - 2 - SHEET_GAP_PX * (self.across - 1)) / self.across - self.label
        grids, y = [], 0.0
        for line, row_count in zip(lines, rows, strict=True):
            for n, sheet in enumerate(line):
                x = self.label + n * (self.label + grid_width + SHEET_GAP_PX)
                grids.append(
                    Grid(
                        sheet,
                        x,
                        y + TITLE_PX,
                        grid_width / max(len(self.visible_columns(sheet)[1]), 1),
                        cell_height,
                    )
                )
            y += TITLE_PX + row_count * cell_height + BELOW_GRID_PX
        return grids, y

    def row_labels(self) -> list[tuple[Grid, int, float, float]]:
        """Every row label: grid, row, baseline and font size."""
        grids, _ = self.grids()
        size = FONT_PX if grids and grids[0].cell_height >= LABEL_LINE_PX else SMALL_FONT_PX
        return [
            (grid, row, grid.y + (row + 0.5) * grid.cell_height + size / 3, size)
            for grid in grids
            for row in range(len(grid.sheet.rows))
        ]

    def draw(self) -> Canvas:
        grids, height = self.grids()
        canvas = Canvas(self.width, height + SCALE_PX)
        for sheet, x, y, cell_width, cell_height in grids:
            values, columns = self.visible_columns(sheet)
            canvas.text(x, y - 6, sheet.name, anchor="start", font_weight=700)
            canvas.text(
                x + cell_width * len(columns),
                y - 6,
                self.describe_shape(sheet),
                SMALL_FONT_PX,
                "end",
                class_="quiet",
            )
            names: dict[str, Any] = {"rows": sheet.rows, "columns": columns, "keys": sheet.keys}
            canvas.cells(values, x, y, cell_width, cell_height, role=sheet.role, top=sheet.top, **names)
        for (sheet, x, *_), row, y, size in self.row_labels():
            word, bold = shorten(sheet.rows[row], MAX_LABEL_PX, size), 700 if row == sheet.marked else None
            style, at = f"fill:var(--{sheet.row_role})", f"{sheet.keys[0]}:{row}"
            canvas.text(x - 8, y, word, size, "end", style=style, data_at=at, font_weight=bold)
        if len(self.scales) == 1:
            draw_scale(canvas, self.label, height + 2, *min(self.scales, key=str))
        return canvas

    def figure(self) -> "mpl.Figure":
        grids, height = self.grids()
        figure, axes = new_slide(self.width, height)
        for sheet, x, y, cell_width, cell_height in grids:
            values, columns = self.visible_columns(sheet)
            slide_text(axes, x, y - 10, sheet.name, ha="left", fontweight="bold")
            slide_text(
                axes,
                x + cell_width * len(columns),
                y - 10,
                self.describe_shape(sheet),
                SMALL_FONT_PX,
                ha="right",
                color=LIGHT["quiet"],
            )
            draw_slide_cells(axes, values, x, y, cell_width, cell_height, sheet.role, sheet.top)
        for (sheet, x, *_), row, y, size in self.row_labels():
            slide_text(
                axes,
                x - 8,
                y - size / 3,
                shorten(sheet.rows[row], MAX_LABEL_PX, size),
                size,
                ha="right",
                color=LIGHT[sheet.row_role],
            )
        return figure

    def summary(self) -> str:
        def describe(sheet: Sheet) -> str:
            return summary.range_of(np.asarray(sheet.values, dtype=float), sheet.rows, sheet.columns, short)

        return " ".join(f"{sheet.name}: {describe(sheet)}" for sheet in self.sheets)

    def frame(self) -> DataFrame:
        """Table with one row per cell of every sheet, drawn or not; positions are 1-based."""
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


def draw_slide_cells(
    axes: Any,
    values: Any,
    x: float,
    y: float,
    cell_width: float,
    cell_height: float,
    role: str | None,
    top: float,
) -> None:
    """Draw a grid of cells on a slide, in the pixel coordinates of the SVG drawing."""
    values = np.ma.masked_invalid(np.asarray(values, dtype=float))
    scale, (rows, columns) = colour_scale(role, top), values.shape
    xlim, ylim = axes.get_xlim(), axes.get_ylim()
    axes.imshow(
        values,
        extent=(x, x + columns * cell_width, y + rows * cell_height, y),
        cmap=scale.cmap,
        norm=scale.norm,
        interpolation="nearest",
        aspect="auto",
    )
    axes.set(xlim=xlim, ylim=ylim)
