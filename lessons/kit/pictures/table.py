"""A table with words, bars, ranges of several runs, and rows of coloured cells."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.language import translate, translate_plural
from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import (
    FONT_PX,
    SMALL_FONT_PX,
    Canvas,
    Picture,
    escape,
    num,
    shorten,
    text_width,
)
from lessons.kit.pictures.heatmap import draw_scale
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text

DEFAULT_WIDTH_PX = 850
PARTS = ("mean", "least", "most")  # of `Runs`, as columns of numbers
ROW_PX, DENSE_ROW_PX, MIN_ROW_PX = 27, 17, 15
MAX_TALL_ROWS = 12
HEADING_LINE_PX, COLUMN_GAP_PX, MIN_COLUMN_GAP_PX = 15, 16, 8
SCALE_WIDTH_PX = 46  # width of the scale that shows a range of runs
TEXT_FIT = 0.92  # corrects `text_width`, which overestimates
LEGEND_HEIGHT_PX = 24  # height of the colour scale


@dataclass(frozen=True)
class Runs:
    """A number measured in several runs, on a scale from low to high; no values: not measured yet."""

    values: Any  # (n,)
    low: float
    high: float
    digits: int = 2
    role: str = "weight"

    @property
    def finite_values(self) -> np.ndarray:
        values = np.asarray(self.values, dtype=float)
        return values[np.isfinite(values)]

    @property
    def words(self) -> str:
        """Mean, minimum and maximum as text: 0.97 (0.95–0.98)."""
        if not len(self.finite_values):
            return "–"
        mean, least, most = (
            signed(v, self.digits)
            for v in (self.finite_values.mean(), self.finite_values.min(), self.finite_values.max())
        )
        return mean if len(self.finite_values) == 1 else f"{mean} ({least}–{most})"

    def to_pixels(self, value: float) -> float:
        """Position on the scale in pixels."""
        return SCALE_WIDTH_PX * float(np.clip((value - self.low) / (self.high - self.low), 0, 1))


@dataclass(frozen=True)
class Bar:
    """Text on a bar from 0 to `top`."""

    words: str
    value: float | None
    top: float = 1.0
    role: str = "weight"
    note: str = ""  # tooltip


@dataclass(frozen=True)
class Link:
    words: str
    to: str
    tip: str = ""


@dataclass(frozen=True)
class Tones:
    """Values 0..1, drawn as coloured cells. The heading of their column is a `Parts`."""

    values: tuple[float, ...]
    words: str = ""


@dataclass(frozen=True)
class Parts:
    """The heading of a column of `Tones`, with the name of each cell."""

    name: str
    parts: tuple[str, ...]
    cut: int = 0  # draw a dashed line before this cell
    about: str = ""  # meaning of the dashed line

    @cached_property
    def cell(self) -> float:
        return max([20.0, *(TEXT_FIT * text_width(part, SMALL_FONT_PX) + 3 for part in self.parts)])


Cell = str | Runs | Bar | Link | Tones


class ColumnLayout(NamedTuple):
    """Left edge and width of a column, and the lines of its heading."""

    left: float
    width: float
    heading: tuple[str, ...]


@dataclass(frozen=True)
class Table(Picture):
    """Headings and rows. The first column is the name of the row."""

    headings: tuple[str | Parts, ...]
    rows: tuple[tuple[Cell, ...], ...]
    _: KW_ONLY
    key: str = "row"  # prefix of each row's data-at key: "score" in score:2
    fill: bool = False  # whether the table fills its maximum width
    sorted_by: str = ""  # a heading
    marked: frozenset[int] = frozenset()  # rows in bold
    names: tuple[str, ...] = ()  # row names, if the first column does not contain them

    @cached_property
    def columns(self) -> list[ColumnLayout]:
        """Lay out the columns. If there is too little room, gaps shrink first, then columns of words."""
        lines, widths = zip(*(self.measure_column(c) for c in range(len(self.headings))), strict=True)
        fixed = np.array(
            [not all(isinstance(row[c], str | Link) for row in self.rows) for c in range(len(widths))]
        )
        gaps, wide = len(widths) - 1, np.array(widths)
        room = (self.wide or DEFAULT_WIDTH_PX) - 10
        least = float(np.clip((room - wide.sum()) / max(gaps, 1), MIN_COLUMN_GAP_PX, COLUMN_GAP_PX))
        room -= least * gaps
        if (loose := wide[~fixed].sum()) and wide.sum() > room:
            wide = np.where(fixed, wide, wide * max(0.0, (room - wide[fixed].sum()) / loose))
        apart = least + (max(room - wide.sum(), 0) / max(gaps, 1) if self.fill else 0)
        lefts = np.cumsum([0, *(wide[:-1] + apart)])
        return [ColumnLayout(*column) for column in zip(lefts.tolist(), wide.tolist(), lines, strict=True)]

    def measure_column(self, c: int) -> tuple[tuple[str, ...], float]:
        """The lines of a heading (two if it is wider than its cells) and the width of its column."""
        heading, size = self.headings[c], self.font_px
        cells = [row[c] for row in self.rows]
        if isinstance(heading, Parts):
            return (heading.name,), heading.cell * len(heading.parts)
        arrow = " ▾" if heading and heading == self.sorted_by else ""
        beside = {Runs: SCALE_WIDTH_PX + 8, Bar: 8}
        below = max(
            (TEXT_FIT * text_width(cell if isinstance(cell, str) else cell.words, size) for cell in cells),
            default=0,
        )
        below += max((beside.get(type(cell), 0) for cell in cells), default=0)
        below *= 1.08 if self.marked else 1
        first, _, rest = heading.partition(" ")
        one, two = (heading + arrow,), (first, rest + arrow) if rest else (first + arrow,)
        lines = one if TEXT_FIT * text_width(one[0], SMALL_FONT_PX) <= below else two
        return lines, max(below, *(TEXT_FIT * text_width(line, SMALL_FONT_PX) for line in lines))

    def row_name(self, r: int) -> str:
        first = self.rows[r][0]
        return self.names[r] if self.names else first.words if isinstance(first, Link) else str(first)

    @cached_property
    def head_height(self) -> int:
        return 12 + HEADING_LINE_PX * (
            2 if self.foot_height == LEGEND_HEIGHT_PX else max(len(column.heading) for column in self.columns)
        )

    @cached_property
    def tone_column(self) -> tuple[Parts, float, np.ndarray] | None:
        """Heading, left edge and values of the column of `Tones`, if there is one."""
        for heading, column, cells in zip(
            self.headings, self.columns, zip(*self.rows, strict=True), strict=True
        ):
            if isinstance(heading, Parts):
                return (
                    heading,
                    column.left,
                    np.array([cell.values for cell in cells if isinstance(cell, Tones)], dtype=float),
                )
        return None

    @property
    def foot_height(self) -> int:
        return LEGEND_HEIGHT_PX if any(isinstance(heading, Parts) for heading in self.headings) else 4

    @cached_property
    def row_height(self) -> float:
        many, around = len(self.rows), 12 + 2 * HEADING_LINE_PX + self.foot_height
        usual = ROW_PX if many <= MAX_TALL_ROWS else DENSE_ROW_PX
        return (
            usual if self.tall is None else max(MIN_ROW_PX, min(usual, (self.tall - around) / max(many, 1)))
        )

    @property
    def font_px(self) -> int:
        return FONT_PX if self.row_height >= 18 else SMALL_FONT_PX

    @property
    def width(self) -> float:
        return self.columns[-1].left + self.columns[-1].width + 10

    @property
    def height(self) -> float:
        return self.head_height + self.row_height * len(self.rows) + self.foot_height

    def draw(self) -> Canvas:
        canvas = Canvas(self.width, self.height)
        canvas.open(
            style="font-variant-numeric:tabular-nums",
            font_size=None if self.font_px == FONT_PX else self.font_px,
        )
        for column, heading in zip(self.columns, self.headings, strict=True):
            bold = 700 if heading == self.sorted_by else None
            # names of parts stand below the heading
            over = HEADING_LINE_PX if isinstance(heading, Parts) else 0
            for n, line in enumerate(reversed(column.heading)):
                words = shorten(line, (column.width + COLUMN_GAP_PX) / TEXT_FIT, SMALL_FONT_PX)
                base = self.head_height - 9 - HEADING_LINE_PX * n - over
                canvas.text(
                    column.left,
                    base,
                    words,
                    SMALL_FONT_PX,
                    "start",
                    class_=None if bold else "quiet",
                    font_weight=bold,
                )
        for column, cells in zip(self.columns, zip(*self.rows, strict=True), strict=True):
            self.draw_bars(canvas, column, cells)
        tops = [self.head_height + self.row_height * r for r in range(len(self.rows))]
        rules = "".join(f"M0 {num(y)}h{num(canvas.width)}" for y in tops)
        canvas.add("path", d=rules, stroke="var(--line)")
        for r, (y, row) in enumerate(zip(tops, self.rows, strict=True)):
            canvas.open(data_at=f"{self.key}:{r}")
            for column, cell in zip(self.columns, row, strict=True):
                self.draw_cell(canvas, column, cell, y, r)
            canvas.close()
        if self.names:  # hidden if another table is beside this one (assets/css/present.css)
            canvas.open(class_="row-name", display="none", text_anchor="end")
            for r, name in enumerate(self.names):
                canvas.add("text", name, x=-8, y=round(self.head_height + self.row_height * (r + 0.5) + 4))
            canvas.close()
        canvas.close()
        if self.tone_column is not None:
            self.draw_tones(canvas, *self.tone_column)
        return canvas

    def draw_bars(self, canvas: Canvas, column: ColumnLayout, cells: tuple[Cell, ...]) -> None:
        """Draw the bars of a column: one path per colour, so that the SVG stays small."""
        paths: dict[str, str] = {}
        for r, cell in enumerate(cells):
            if isinstance(cell, Bar) and cell.value is not None:
                long, tall = (
                    num(max(1, column.width * min(cell.value / cell.top, 1))),
                    num(self.row_height - 4),
                )
                box = (
                    f"M{num(column.left)}"
                    f" {num(self.head_height + self.row_height * r + 2)}h{long}v{tall}h-{long}z"
                )
                paths[cell.role] = paths.get(cell.role, "") + box
        for role, path in paths.items():
            canvas.add("path", d=path, fill=f"var(--{role})", fill_opacity=0.22, class_="bars")

    def draw_cell(self, canvas: Canvas, column: ColumnLayout, cell: Cell, y: float, r: int) -> None:
        left, middle, row_name = column.left, y + self.row_height / 2, self.row_name(r)
        text, tip = cell if isinstance(cell, str) else cell.words, None
        words = (
            shorten(text, column.width / TEXT_FIT + 0.1, self.font_px)
            if isinstance(cell, str | Link)
            else text
        )
        if isinstance(cell, Tones):
            return
        if isinstance(cell, Runs):
            self.draw_runs(canvas, cell, left, middle)
            left, tip = left + SCALE_WIDTH_PX + 8, translate("{name}: {value}", name=row_name, value=text)
        elif isinstance(cell, Bar):
            left, tip = left + 4, f"{row_name}: {cell.note}" if cell.note else None
        elif words != text:
            tip = text
        elif isinstance(cell, Link):
            tip = cell.tip or None
        look = {"font_weight": 700 if r in self.marked else None, "data_tip": tip}
        if isinstance(cell, Link) and cell.to:
            canvas.role, look["text_decoration"] = "group", "underline"
            canvas.parts.append(f'<a href="{escape(cell.to)}">')
        canvas.add("text", words, x=left, y=middle + self.font_px * 0.36, **look)
        if isinstance(cell, Link) and cell.to:
            canvas.parts.append("</a>")

    def draw_runs(self, canvas: Canvas, runs: Runs, left: float, middle: float) -> None:
        canvas.add("rect", class_="ground", x=left, y=middle - 6, width=SCALE_WIDTH_PX, height=12, rx=2)
        if len(runs.finite_values):
            first, mean, last = (
                left + runs.to_pixels(v)
                for v in (runs.finite_values.min(), runs.finite_values.mean(), runs.finite_values.max())
            )
            tone = f"var(--{runs.role})"
            canvas.add(
                "rect",
                x=first - 2,
                y=middle - 4,
                width=last - first + 4,
                height=8,
                rx=4,
                fill=tone,
                fill_opacity=0.35,
            )
            canvas.add("rect", x=mean - 1.5, y=middle - 6, width=3, height=12, fill=tone)

    def draw_tones(self, canvas: Canvas, parts: Parts, left: float, shares: np.ndarray) -> None:
        """Draw all coloured cells as one grid, so that rows and columns are highlighted together."""
        foot = self.head_height + self.row_height * len(self.rows)
        for n, part in enumerate(parts.parts):
            canvas.text(
                left + (n + 0.5) * parts.cell, self.head_height - 9, part, SMALL_FONT_PX, class_="quiet"
            )
        rows = [self.row_name(r) for r in range(len(self.rows))]
        names: dict[str, Any] = {"rows": rows, "columns": parts.parts, "keys": (self.key, "part")}
        canvas.cells(shares, left, self.head_height, parts.cell, self.row_height, role="weight", **names)
        if parts.cut:
            x = left + parts.cut * parts.cell - 1
            canvas.add(
                "line",
                x1=x,
                x2=x,
                y1=self.head_height - 4,
                y2=foot,
                stroke="currentColor",
                stroke_width=1.5,
                stroke_dasharray="5 3",
            )
        end = draw_scale(canvas, left, foot + 9, "weight", 1.0)
        canvas.text(
            end + 16,
            foot + 18,
            shorten(parts.about, canvas.width - end - 16, SMALL_FONT_PX),
            SMALL_FONT_PX,
            "start",
            class_="quiet",
        )

    def figure(self) -> "mpl.Figure":
        figure, axes = new_slide(self.width + 16, self.height + 28)
        slide_text(axes, 8, 14, self.title, FONT_PX + 1, ha="left")
        for c, (column, heading) in enumerate(zip(self.columns, self.headings, strict=True)):
            over = HEADING_LINE_PX if isinstance(heading, Parts) else 0
            base = 28 + self.head_height - 6 - over
            slide_text(
                axes,
                8 + column.left,
                base,
                "\n".join(column.heading),
                SMALL_FONT_PX,
                ha="left",
                va="bottom",
                color=LIGHT["quiet"],
            )
            for r, row in enumerate(self.rows):
                self.plot_cell(axes, column, row[c], 28 + self.head_height + self.row_height * (r + 0.5))
        for r in range(len(self.rows)):
            axes.plot(
                [8, self.width],
                [28 + self.head_height + self.row_height * r] * 2,
                color=LIGHT["line"],
                linewidth=0.8,
            )
        if self.tone_column is not None:
            parts, left, _ = self.tone_column
            for n, part in enumerate(parts.parts):
                slide_text(
                    axes,
                    8 + left + (n + 0.5) * parts.cell,
                    28 + self.head_height - 10,
                    part,
                    SMALL_FONT_PX - 1,
                    color=LIGHT["quiet"],
                )
        return figure

    def plot_cell(self, axes: Any, column: ColumnLayout, cell: Cell, y: float) -> None:
        x = 8 + column.left
        if isinstance(cell, Tones):
            wide = column.width / max(len(cell.values), 1)
            for n, share in enumerate(cell.values):
                box = (x + n * wide, y - self.row_height / 2), wide * 0.94, self.row_height * 0.94
                axes.add_patch(
                    mpl.Rectangle(
                        *box,
                        facecolor=(LIGHT["weight"], float(np.clip(np.nan_to_num(share), 0, 1))),
                        linewidth=0,
                    )
                )
            return
        if isinstance(cell, Runs):
            axes.plot([x, x + SCALE_WIDTH_PX], [y, y], color=LIGHT["line"], linewidth=5)
            if len(cell.finite_values):
                ends, tone = (
                    [x + cell.to_pixels(end) for end in (cell.finite_values.min(), cell.finite_values.max())],
                    LIGHT[cell.role],
                )
                axes.plot(ends, [y, y], color=tone, linewidth=5, alpha=0.5)
                axes.plot(
                    x + cell.to_pixels(cell.finite_values.mean()),
                    y,
                    "|",
                    color=tone,
                    markersize=8,
                    markeredgewidth=2,
                )
            x += SCALE_WIDTH_PX + 8
        if isinstance(cell, Bar) and cell.value is not None:
            box = (
                (x, y - self.row_height / 2 + 2),
                column.width * min(cell.value / cell.top, 1),
                self.row_height - 4,
            )
            axes.add_patch(mpl.Rectangle(*box, facecolor=(LIGHT[cell.role], 0.22), linewidth=0))
        words = cell if isinstance(cell, str) else cell.words
        slide_text(
            axes, x, y, shorten(words, column.width / TEXT_FIT + 0.1, self.font_px), self.font_px, ha="left"
        )

    def summary(self) -> str:
        headings = [heading if isinstance(heading, str) else heading.name for heading in self.headings]
        names = self.names or ("",) * len(self.rows)
        rows = [
            ", ".join(filter(None, (name, *(cell if isinstance(cell, str) else cell.words for cell in row))))
            for name, row in zip(names, self.rows, strict=True)
        ]
        columns = ", ".join(filter(None, headings))
        size = translate_plural(
            "Table with {n} row: {columns}.", "Table with {n} rows: {columns}.", len(rows), columns=columns
        )
        return f"{size} {summary.join(rows)}"

    def frame(self) -> DataFrame:
        """Numbers of the table: mean, minimum and maximum of `Runs`; one column per part of `Tones`."""
        records = []
        for r, row in enumerate(self.rows):
            line: dict[str, Any] = {self.key: self.names[r]} if self.names else {}
            for heading, cell in zip(self.headings, row, strict=True):
                if isinstance(heading, Parts) and isinstance(cell, Tones):
                    line |= {
                        f"{heading.name}, {part}": share
                        for part, share in zip(heading.parts, cell.values, strict=True)
                    }
                elif isinstance(cell, Runs):
                    ends = (
                        (cell.finite_values.mean(), cell.finite_values.min(), cell.finite_values.max())
                        if len(cell.finite_values)
                        else (np.nan,) * 3
                    )
                    line |= dict(zip((f"{heading} {translate(part)}" for part in PARTS), ends, strict=True))
                else:
                    line[str(heading)] = (
                        cell if isinstance(cell, str) else cell.value if isinstance(cell, Bar) else cell.words
                    )
            records.append(line)
        return DataFrame(records)
