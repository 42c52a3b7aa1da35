"""A table to look at: words, figures on their bars, figures of several runs on their range, and rows of tones."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SIZE, SMALL, Canvas, Picture, escape, num, shorten, width_of
from lessons.kit.pictures.heatmap import draw_scale
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import page, slide_text

ROOM = 850
HIGH, LOW, CLOSE = 27, 17, 15  # a row; one of many; at the least
MANY = 12
LINE, APART, NEAR = 15, 16, 8  # of headings; between columns; at least, where there is little room
STRIP = 46  # a scale
FIT = 0.92  # of the width that words are given elsewhere, which is rather too much
FOOT = 24  # the scale of tones


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
    def words(self) -> str:
        """0.97 (0.95–0.98): the mean, and from the least to the most."""
        if not len(self.known):
            return "–"
        mean, least, most = (
            signed(v, self.digits) for v in (self.known.mean(), self.known.min(), self.known.max())
        )
        return mean if len(self.known) == 1 else f"{mean} ({least}–{most})"

    def at(self, value: float) -> float:
        """Pixels along the strip."""
        return STRIP * float(np.clip((value - self.low) / (self.high - self.low), 0, 1))


@dataclass(frozen=True)
class Bar:
    """Words on a bar from 0 to `top`."""

    words: str
    value: float | None
    top: float = 1.0
    role: str = "weight"
    note: str = ""  # tip


@dataclass(frozen=True)
class Link:
    words: str
    to: str
    tip: str = ""


@dataclass(frozen=True)
class Tones:
    """Shares, 0..1, a tone each. Their column is headed by `Parts`."""

    values: tuple[float, ...]
    words: str = ""


@dataclass(frozen=True)
class Parts:
    """The heading of a column of tones: what they are, and what each is."""

    name: str
    parts: tuple[str, ...]
    cut: int = 0  # a dashed line before this one,
    about: str = ""  # and what it says

    @cached_property
    def cell(self) -> float:
        return max([20.0, *(FIT * width_of(part, SMALL) + 3 for part in self.parts)])


Cell = str | Runs | Bar | Link | Tones


class Place(NamedTuple):
    """A column: its left edge, its width, the lines of its heading."""

    left: float
    width: float
    heading: tuple[str, ...]


@dataclass(frozen=True)
class Table(Picture):
    """Headings and rows; the first column names the row."""

    headings: tuple[str | Parts, ...]
    rows: tuple[tuple[Cell, ...], ...]
    _: KW_ONLY
    key: str = "row"  # data-at of each row, as "score" in score:2
    fill: bool = False  # as wide as there is room, or as narrow as the words allow
    sorted_by: str = ""  # a heading
    marked: frozenset[int] = frozenset()  # rows in bold
    names: tuple[
        str, ...
    ] = ()  # of the rows, where the first column does not say them: a table beside another

    @cached_property
    def columns(self) -> list[Place]:
        """If there is too little room, columns come nearer, and then all words get a little less of it."""
        lines, widths = zip(*(self.needed(c) for c in range(len(self.headings))), strict=True)
        fixed = np.array(
            [not all(isinstance(row[c], str | Link) for row in self.rows) for c in range(len(widths))]
        )
        gaps, wide = len(widths) - 1, np.array(widths)
        room = (self.wide or ROOM) - 10
        least = float(np.clip((room - wide.sum()) / max(gaps, 1), NEAR, APART))
        room -= least * gaps
        if (loose := wide[~fixed].sum()) and wide.sum() > room:
            wide = np.where(fixed, wide, wide * max(0.0, (room - wide[fixed].sum()) / loose))
        apart = least + (max(room - wide.sum(), 0) / max(gaps, 1) if self.fill else 0)
        lefts = np.cumsum([0, *(wide[:-1] + apart)])
        return [Place(*place) for place in zip(lefts.tolist(), wide.tolist(), lines, strict=True)]

    def needed(self, c: int) -> tuple[tuple[str, ...], float]:
        """The heading in one line, or in two if it is wider than what stands below; and how wide the column must be."""
        heading, size = self.headings[c], self.size
        cells = [row[c] for row in self.rows]
        if isinstance(heading, Parts):
            return (heading.name,), heading.cell * len(heading.parts)
        arrow = " ▾" if heading and heading == self.sorted_by else ""
        beside = {Runs: STRIP + 8, Bar: 8}
        below = max(
            (FIT * width_of(cell if isinstance(cell, str) else cell.words, size) for cell in cells), default=0
        )
        below += max((beside.get(type(cell), 0) for cell in cells), default=0)
        below *= 1.08 if self.marked else 1
        first, _, rest = heading.partition(" ")
        one, two = (heading + arrow,), (first, rest + arrow) if rest else (first + arrow,)
        lines = one if FIT * width_of(one[0], SMALL) <= below else two
        return lines, max(below, *(FIT * width_of(line, SMALL) for line in lines))

    def named(self, r: int) -> str:
        first = self.rows[r][0]
        return self.names[r] if self.names else first.words if isinstance(first, Link) else str(first)

    @cached_property
    def head(self) -> int:
        return 12 + LINE * (2 if self.foot == FOOT else max(len(place.heading) for place in self.columns))

    @cached_property
    def tones(self) -> tuple[Parts, float, np.ndarray] | None:
        """The column of tones: its heading, its left edge, its values."""
        for heading, place, cells in zip(
            self.headings, self.columns, zip(*self.rows, strict=True), strict=True
        ):
            if isinstance(heading, Parts):
                return (
                    heading,
                    place.left,
                    np.array([cell.values for cell in cells if isinstance(cell, Tones)], dtype=float),
                )
        return None

    @property
    def foot(self) -> int:
        return FOOT if any(isinstance(heading, Parts) for heading in self.headings) else 4

    @cached_property
    def high(self) -> float:
        many, around = len(self.rows), 12 + 2 * LINE + self.foot
        usual = HIGH if many <= MANY else LOW
        return usual if self.tall is None else max(CLOSE, min(usual, (self.tall - around) / max(many, 1)))

    @property
    def size(self) -> int:
        return SIZE if self.high >= 18 else SMALL

    @property
    def width(self) -> float:
        return self.columns[-1].left + self.columns[-1].width + 10

    @property
    def height(self) -> float:
        return self.head + self.high * len(self.rows) + self.foot

    def draw(self) -> Canvas:
        canvas = Canvas(self.width, self.height)
        canvas.open(
            style="font-variant-numeric:tabular-nums", font_size=None if self.size == SIZE else self.size
        )
        for place, heading in zip(self.columns, self.headings, strict=True):
            bold = 700 if heading == self.sorted_by else None
            over = LINE if isinstance(heading, Parts) else 0  # each part has a name of its own
            for n, line in enumerate(reversed(place.heading)):
                words = shorten(line, (place.width + APART) / FIT, SMALL)
                base = self.head - 9 - LINE * n - over
                canvas.text(
                    place.left,
                    base,
                    words,
                    SMALL,
                    "start",
                    class_=None if bold else "quiet",
                    font_weight=bold,
                )
        for place, cells in zip(self.columns, zip(*self.rows, strict=True), strict=True):
            self.draw_bars(canvas, place, cells)
        for r, row in enumerate(self.rows):
            y = self.head + self.high * r
            canvas.add("line", x1=0, y1=y, x2=canvas.width, y2=y, stroke="var(--line)")
            canvas.open(data_at=f"{self.key}:{r}")
            for place, cell in zip(self.columns, row, strict=True):
                self.draw_cell(canvas, place, cell, y, r)
            canvas.close()
        if self.names:  # said only where the other table is not beside it (assets/css/stage.css)
            canvas.open(class_="row-name", display="none", text_anchor="end")
            for r, name in enumerate(self.names):
                canvas.add("text", name, x=-8, y=round(self.head + self.high * (r + 0.5) + 4))
            canvas.close()
        canvas.close()
        if self.tones is not None:
            self.draw_tones(canvas, *self.tones)
        return canvas

    def draw_bars(self, canvas: Canvas, place: Place, cells: tuple[Cell, ...]) -> None:
        """The bars of a column: one path for each colour, so that a hundred of them stay small."""
        paths: dict[str, str] = {}
        for r, cell in enumerate(cells):
            if isinstance(cell, Bar) and cell.value is not None:
                long, tall = num(max(1, place.width * min(cell.value / cell.top, 1))), num(self.high - 4)
                box = f"M{num(place.left)} {num(self.head + self.high * r + 2)}h{long}v{tall}h-{long}z"
                paths[cell.role] = paths.get(cell.role, "") + box
        for role, path in paths.items():
            canvas.add("path", d=path, fill=f"var(--{role})", fill_opacity=0.22, class_="bars")

    def draw_cell(self, canvas: Canvas, place: Place, cell: Cell, y: float, r: int) -> None:
        left, middle, named = place.left, y + self.high / 2, self.named(r)
        said, tip = cell if isinstance(cell, str) else cell.words, None
        words = shorten(said, place.width / FIT + 0.1, self.size) if isinstance(cell, str | Link) else said
        if isinstance(cell, Tones):
            return
        if isinstance(cell, Runs):
            self.draw_runs(canvas, cell, left, middle)
            left, tip = left + STRIP + 8, f"{named}: {said}"
        elif isinstance(cell, Bar):
            left, tip = left + 4, f"{named}: {cell.note}" if cell.note else None
        elif words != said:
            tip = said
        elif isinstance(cell, Link):
            tip = cell.tip or None
        look = {"font_weight": 700 if r in self.marked else None, "data_tip": tip}
        if isinstance(cell, Link) and cell.to:
            canvas.role, look["text_decoration"] = "group", "underline"
            canvas.parts.append(f'<a href="{escape(cell.to)}">')
        canvas.add("text", words, x=left, y=middle + self.size * 0.36, **look)
        if isinstance(cell, Link) and cell.to:
            canvas.parts.append("</a>")

    def draw_runs(self, canvas: Canvas, runs: Runs, left: float, middle: float) -> None:
        canvas.add("rect", class_="ground", x=left, y=middle - 6, width=STRIP, height=12, rx=2)
        if len(runs.known):
            first, mean, last = (
                left + runs.at(v) for v in (runs.known.min(), runs.known.mean(), runs.known.max())
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
        """All tones at once, so that their rows and columns light up together."""
        foot = self.head + self.high * len(self.rows)
        for n, part in enumerate(parts.parts):
            canvas.text(left + (n + 0.5) * parts.cell, self.head - 9, part, SMALL, class_="quiet")
        rows = [self.named(r) for r in range(len(self.rows))]
        names: dict[str, Any] = {"rows": rows, "columns": parts.parts, "keys": (self.key, "part")}
        canvas.cells(shares, left, self.head, parts.cell, self.high, role="weight", **names)
        if parts.cut:
            x = left + parts.cut * parts.cell - 1
            canvas.add(
                "line",
                x1=x,
                x2=x,
                y1=self.head - 4,
                y2=foot,
                stroke="currentColor",
                stroke_width=1.5,
                stroke_dasharray="5 3",
            )
        end = draw_scale(canvas, left, foot + 9, "weight", 1.0)
        canvas.text(
            end + 16,
            foot + 18,
            shorten(parts.about, canvas.width - end - 16, SMALL),
            SMALL,
            "start",
            class_="quiet",
        )

    def figure(self) -> "mpl.Figure":
        figure, axes = page(self.width + 16, self.height + 28)
        slide_text(axes, 8, 14, self.title, SIZE + 1, ha="left")
        for c, (place, heading) in enumerate(zip(self.columns, self.headings, strict=True)):
            over = LINE if isinstance(heading, Parts) else 0
            base = 28 + self.head - 6 - over
            slide_text(
                axes,
                8 + place.left,
                base,
                "\n".join(place.heading),
                SMALL,
                ha="left",
                va="bottom",
                color=LIGHT["quiet"],
            )
            for r, row in enumerate(self.rows):
                self.plot_cell(axes, place, row[c], 28 + self.head + self.high * (r + 0.5))
        for r in range(len(self.rows)):
            axes.plot(
                [8, self.width], [28 + self.head + self.high * r] * 2, color=LIGHT["line"], linewidth=0.8
            )
        if self.tones is not None:
            parts, left, _ = self.tones
            for n, part in enumerate(parts.parts):
                slide_text(
                    axes,
                    8 + left + (n + 0.5) * parts.cell,
                    28 + self.head - 10,
                    part,
                    SMALL - 1,
                    color=LIGHT["quiet"],
                )
        return figure

    def plot_cell(self, axes: Any, place: Place, cell: Cell, y: float) -> None:
        x = 8 + place.left
        if isinstance(cell, Tones):
            wide = place.width / max(len(cell.values), 1)
            for n, share in enumerate(cell.values):
                box = (x + n * wide, y - self.high / 2), wide * 0.94, self.high * 0.94
                axes.add_patch(
                    mpl.Rectangle(
                        *box,
                        facecolor=(LIGHT["weight"], float(np.clip(np.nan_to_num(share), 0, 1))),
                        linewidth=0,
                    )
                )
            return
        if isinstance(cell, Runs):
            axes.plot([x, x + STRIP], [y, y], color=LIGHT["line"], linewidth=5)
            if len(cell.known):
                ends, tone = (
                    [x + cell.at(end) for end in (cell.known.min(), cell.known.max())],
                    LIGHT[cell.role],
                )
                axes.plot(ends, [y, y], color=tone, linewidth=5, alpha=0.5)
                axes.plot(x + cell.at(cell.known.mean()), y, "|", color=tone, markersize=8, markeredgewidth=2)
            x += STRIP + 8
        if isinstance(cell, Bar) and cell.value is not None:
            box = (x, y - self.high / 2 + 2), place.width * min(cell.value / cell.top, 1), self.high - 4
            axes.add_patch(mpl.Rectangle(*box, facecolor=(LIGHT[cell.role], 0.22), linewidth=0))
        words = cell if isinstance(cell, str) else cell.words
        slide_text(axes, x, y, shorten(words, place.width / FIT + 0.1, self.size), self.size, ha="left")

    def frame(self) -> DataFrame:
        """A figure of several runs becomes its mean, its least and its most; tones, a column each."""
        told = []
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
                        (cell.known.mean(), cell.known.min(), cell.known.max())
                        if len(cell.known)
                        else (np.nan,) * 3
                    )
                    line |= dict(
                        zip((f"{heading} {part}" for part in ("mean", "least", "most")), ends, strict=True)
                    )
                else:
                    line[str(heading)] = (
                        cell if isinstance(cell, str) else cell.value if isinstance(cell, Bar) else cell.words
                    )
            told.append(line)
        return DataFrame(told)
