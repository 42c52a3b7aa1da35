"""Board: a table whose figures can be seen: a row for every model."""

from dataclasses import KW_ONLY, dataclass

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SMALL, Canvas, Picture, escape, shorten
from lessons.kit.pictures.heatmap import draw_scale
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.tokens import page, slide_text
from lessons.transformer.sheets import image

ROW, TOP = 21, 48  # of a row; of the first
CELL = 27  # of a length
GAP = 10


@dataclass(frozen=True)
class Column:
    """`values` makes bars behind the words, from 0 to `top`; without them there are only words."""

    name: str
    words: tuple[str, ...]
    width: float
    values: tuple[float | None, ...] | None = None
    top: float = 1.0
    role: str = "weight"
    notes: tuple[str, ...] | None = None  # tips
    links: tuple[str, ...] = ()  # addresses that the words lead to; "" is none


@dataclass(frozen=True)
class Board(Picture):
    names: tuple[str, ...]  # of the rows
    columns: tuple[Column, ...]  # the lengths stand after the third
    lengths: tuple[str, ...]
    by_length: tuple[tuple[float, ...], ...]  # (rows, lengths) 0..1
    _: KW_ONLY
    sorted_by: str = ""
    marked: frozenset[int] = frozenset()  # rows in bold
    beyond: int = 0  # the first length that was never trained on

    def places(self) -> tuple[list[float], float, float]:
        """x of each column, x of the lengths, the whole width."""
        xs, x, lengths = [], 2.0, 0.0
        for n, column in enumerate(self.columns):
            if n == 3:
                lengths, x = x, x + CELL * len(self.lengths) + GAP
            xs.append(x)
            x += column.width + GAP
        return xs, lengths, x - GAP + 2

    def draw(self) -> Canvas:
        xs, lengths, width = self.places()
        height = TOP + ROW * len(self.names)
        canvas = Canvas(width, height + 24)
        canvas.open(style="font-variant-numeric:tabular-nums")
        for x, column in zip(xs, self.columns, strict=True):
            self.draw_column(canvas, x, column)
        canvas.close()
        canvas.text(lengths, TOP - 22, "exact match by source length", SMALL, "start", class_="quiet")
        squeezed = {"textLength": CELL - 2, "lengthAdjust": "spacingAndGlyphs"}
        for n, name in enumerate(self.lengths):
            canvas.text(lengths + (n + 0.5) * CELL, TOP - 8, name, SMALL, class_="quiet", **squeezed)
        names = {"rows": self.names, "columns": tuple(f"{name} words" for name in self.lengths), "keys": ("model", "length")}
        canvas.cells(np.array(self.by_length), lengths, TOP, CELL, ROW, role="weight", **names)
        if 0 < self.beyond < len(self.lengths):
            x = lengths + self.beyond * CELL - 1
            canvas.add("line", x1=x, x2=x, y1=TOP - 4, y2=height, stroke="currentColor", stroke_width=1.5, stroke_dasharray="5 3")
        end = draw_scale(canvas, lengths, height + 9, "weight", 1.0)
        if self.beyond:
            about = "right of the dashed line: longer than anything in training"
            canvas.text(end + 16, height + 18, about, SMALL, "start", class_="quiet")
        return canvas

    def draw_column(self, canvas: Canvas, x: float, column: Column) -> None:
        bold = 700 if column.name == self.sorted_by else None
        for n, part in enumerate(reversed(column.name.split(" ", 1))):
            part += " ▾" if bold and not n else ""
            canvas.text(x, TOP - 8 - 14 * n, part, SMALL, "start", class_=None if bold else "quiet", font_weight=bold)
        for n, words in enumerate(column.words):
            y, value = TOP + ROW * n, column.values[n] if column.values else None
            canvas.open(
                data_at=f"model:{n}", data_tip=f"{self.names[n]}: {column.notes[n] if column.notes else f'{column.name} {words}'}"
            )
            if value is not None:
                length = column.width * min(value / column.top, 1)
                bar = {"x": x, "y": y + 2, "width": max(length, 1), "height": ROW - 5, "rx": 2}
                canvas.add("rect", **bar, fill=f"var(--{column.role})", fill_opacity=0.22)
            strong = 700 if n in self.marked else None
            said, left = shorten(words, column.width + 14), x + (4 if column.values else 0)
            linked = bool(column.links and column.links[n])
            if linked:
                canvas.role = "group"
                canvas.parts.append(f'<a href="{escape(column.links[n])}">')
            canvas.text(left, y + 15, said, anchor="start", font_weight=strong, text_decoration="underline" if linked else None)
            if linked:
                canvas.parts.append("</a>")
            canvas.close()

    def figure(self) -> "mpl.Figure":
        xs, lengths, width = self.places()
        figure, axes = page(width, TOP + ROW * len(self.names))
        for x, column in zip(xs, self.columns, strict=True):
            slide_text(axes, x, TOP - 17, column.name.replace(" ", "\n", 1), SMALL, ha="left", color=LIGHT["quiet"])
            for n, words in enumerate(column.words):
                value = column.values[n] if column.values else None
                if value is not None:
                    box = (x, TOP + ROW * n + 2), column.width * min(value / column.top, 1), ROW - 5
                    axes.add_patch(mpl.Rectangle(*box, facecolor=(LIGHT[column.role], 0.22), linewidth=0))
                slide_text(axes, x + 3, TOP + ROW * (n + 0.5), shorten(words, column.width), ha="left")
        for n, name in enumerate(self.lengths):
            slide_text(axes, lengths + (n + 0.5) * CELL, TOP - 11, name, 9, color=LIGHT["quiet"])
        image(axes, self.by_length, lengths, TOP, CELL, ROW, "weight", 1.0)
        return figure

    def frame(self) -> DataFrame:
        columns = {column.name: column.values or column.words for column in self.columns}
        lengths = {f"exact match, {name} words": [row[n] for row in self.by_length] for n, name in enumerate(self.lengths)}
        return DataFrame(columns | lengths)
