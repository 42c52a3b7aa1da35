"""A table to look at: words, and figures of several runs as a mean on its range."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SIZE, Canvas, Picture, shorten, width_of
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.tokens import page, slide_text

ROOM = 850
HIGH, HEAD, APART = 27, 26, 20  # a row, the headings, between columns at least
STRIP = 46  # a scale
FIT = 0.92  # of the width that words are given elsewhere, which is rather too much


@dataclass(frozen=True)
class Runs:
    """One figure, measured several times, on a scale from low to high. Without figures it is not measured yet."""

    values: Any  # (n,)
    low: float
    high: float
    digits: int = 2
    role: str = "weight"

    @property
    def known(self) -> np.ndarray:
        values = np.asarray(self.values, dtype=float)
        return values[np.isfinite(values)]

    @property
    def said(self) -> str:
        """0.97 (0.95–0.98): the mean, and from the least to the most."""
        if not len(self.known):
            return "–"
        mean, least, most = (signed(v, self.digits) for v in (self.known.mean(), self.known.min(), self.known.max()))
        return mean if len(self.known) == 1 else f"{mean} ({least}–{most})"

    def at(self, value: float) -> float:
        """Pixels along the strip."""
        return STRIP * float(np.clip((value - self.low) / (self.high - self.low), 0, 1))


Cell = str | Runs


@dataclass(frozen=True)
class Table(Picture):
    """Headings and rows; the first column names the row."""

    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    _: KW_ONLY
    key: str | None = None  # data-at of each row, as "score" in score:2
    wide: bool = False  # as wide as the page has room for, or as narrow as the words allow

    def columns(self) -> list[tuple[float, float]]:
        """Left edge and width of each column; if there is too little room, all get a little less."""
        widths = [max([FIT * width_of(heading), *(needed(row[c]) for row in self.rows)]) for c, heading in enumerate(self.headings)]
        room = ROOM - APART * (len(widths) - 1)
        widths = [width * min(1, room / sum(widths)) for width in widths]
        apart = APART + (room - sum(widths)) / max(len(widths) - 1, 1) if self.wide else APART
        lefts = np.cumsum([0, *(width + apart for width in widths)])
        return list(zip(lefts.tolist(), widths, strict=False))

    def draw(self) -> Canvas:
        columns = self.columns()
        canvas = Canvas(sum(columns[-1]) + 10, HEAD + HIGH * len(self.rows) + 4)
        canvas.open(style="font-variant-numeric:tabular-nums")
        for (left, width), heading in zip(columns, self.headings, strict=True):
            canvas.text(left, 15, shorten(heading, width / FIT), anchor="start", class_="quiet")
        for r, row in enumerate(self.rows):
            y = HEAD + HIGH * r
            canvas.add("line", x1=0, y1=y, x2=canvas.width, y2=y, stroke="var(--line)")
            canvas.open(data_at=self.key and f"{self.key}:{r}")
            for (left, width), cell in zip(columns, row, strict=True):
                if isinstance(cell, Runs):
                    self.strip(canvas, cell, left, y + HIGH / 2)
                    canvas.text(left + STRIP + 8, y + 18, cell.said, anchor="start", data_tip=f"{row[0]}: {cell.said}")
                else:
                    words = shorten(cell, width / FIT)
                    canvas.text(left, y + 18, words, anchor="start", data_tip=cell if words != cell else None)
            canvas.close()
        canvas.close()
        return canvas

    def strip(self, canvas: Canvas, runs: Runs, left: float, middle: float) -> None:
        canvas.add("rect", class_="ground", x=left, y=middle - 6, width=STRIP, height=12, rx=2)
        if len(runs.known):
            first, mean, last = (left + runs.at(v) for v in (runs.known.min(), runs.known.mean(), runs.known.max()))
            tone = f"var(--{runs.role})"
            canvas.add("rect", x=first - 2, y=middle - 4, width=last - first + 4, height=8, rx=4, fill=tone, fill_opacity=0.35)
            canvas.add("rect", x=mean - 1.5, y=middle - 6, width=3, height=12, fill=tone)

    def figure(self) -> "mpl.Figure":
        columns = self.columns()
        figure, axes = page(sum(columns[-1]) + 24, HEAD + HIGH * len(self.rows) + 40)
        slide_text(axes, 8, 14, self.title, SIZE + 1, ha="left")
        for (left, width), heading in zip(columns, self.headings, strict=True):
            slide_text(axes, 8 + left, 38, shorten(heading, width / FIT), ha="left", color=LIGHT["quiet"])
        for r, row in enumerate(self.rows):
            y = 28 + HEAD + HIGH * (r + 0.5)
            axes.plot([8, sum(columns[-1]) + 8], [y - HIGH / 2] * 2, color=LIGHT["line"], linewidth=0.8)
            for (left, width), cell in zip(columns, row, strict=True):
                shift = 8 + left
                if isinstance(cell, Runs):
                    axes.plot([shift, shift + STRIP], [y, y], color=LIGHT["line"], linewidth=5)
                    if len(cell.known):
                        ends, tone = [shift + cell.at(end) for end in (cell.known.min(), cell.known.max())], LIGHT[cell.role]
                        axes.plot(ends, [y, y], color=tone, linewidth=5, alpha=0.5)
                        axes.plot(shift + cell.at(cell.known.mean()), y, "|", color=tone, markersize=8, markeredgewidth=2)
                    shift += STRIP + 8
                words = shorten(cell, width / FIT) if isinstance(cell, str) else cell.said
                slide_text(axes, shift, y, words, ha="left")
        return figure

    def frame(self) -> DataFrame:
        """A figure of several runs becomes its mean, its least and its most."""
        told = []
        for row in self.rows:
            line: dict[str, Any] = {}
            for heading, cell in zip(self.headings, row, strict=True):
                if isinstance(cell, str):
                    line[heading] = cell
                else:
                    ends = (cell.known.mean(), cell.known.min(), cell.known.max()) if len(cell.known) else (np.nan,) * 3
                    line |= dict(zip((f"{heading} {part}" for part in ("mean", "least", "most")), ends, strict=True))
            told.append(line)
        return DataFrame(told)


def needed(cell: Cell) -> float:
    return FIT * width_of(cell) if isinstance(cell, str) else STRIP + 8 + FIT * width_of(cell.said)
