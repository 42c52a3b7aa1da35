"""Shapes: an expression in matrices, each as large as it is. What does not fit is seen before it is computed."""

from dataclasses import KW_ONLY, dataclass

from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SIZE, Canvas, Picture, shorten, width_of
from lessons.kit.pictures.matrix import in_mathtext, named, plain
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import page, slide_text

WIDTH, NAME, NOTE = 900, 122, 580  # of all; where expressions and notes begin
UNIT = 0.43  # pixels a number is long: five rows of up to 128 fit one screen
THIN = 5  # pixels that a row or a column has at least
ROW, BELOW = 92, 3  # a row; how far its middle is below: names above need more room than sizes below


@dataclass(frozen=True)
class Factor:
    name: str
    rows: int
    columns: int
    role: str | None = None  # None: a parameter

    @property
    def width(self) -> float:
        return max(THIN, UNIT * self.columns)

    @property
    def height(self) -> float:
        return max(THIN, UNIT * self.rows)

    @property
    def shape(self) -> str:
        return f"{self.rows}×{self.columns}"

    @property
    def room(self) -> float:
        return max(self.width, width_of(plain(self.name)), width_of(self.shape)) + 8


@dataclass(frozen=True)
class Expression:
    name: str
    terms: tuple[Factor | str, ...]
    note: str  # at the right: what it costs, or why it cannot be
    fits: bool = True


@dataclass(frozen=True)
class Shapes(Picture):
    expressions: tuple[Expression, ...]
    _: KW_ONLY
    key: str = "score"

    def places(self, n: int) -> list[tuple[Factor | str, float, float]]:
        """Each term of expression n: its middle."""
        x, y, found = float(NAME), middle(n), []
        for term in self.expressions[n].terms:
            width = width_of(term, SIZE + 2) + 8 if isinstance(term, str) else term.room
            found.append((term, x + width / 2, y))
            x += width
        return found

    def draw(self) -> Canvas:
        canvas = Canvas(WIDTH, ROW * len(self.expressions))
        for n, expression in enumerate(self.expressions):
            y = middle(n)
            if n:
                canvas.add("line", x1=0, y1=ROW * n, x2=WIDTH, y2=ROW * n, stroke="var(--line)")
            canvas.open(data_at=f"{self.key}:{n}")
            quiet = None if expression.fits else "quiet"
            canvas.text(0, y + 4.5, expression.name, anchor="start", font_weight=600, class_=quiet)
            for term, x, _ in self.places(n):
                if isinstance(term, str):
                    canvas.text(x, y + 5, term, SIZE + 2)
                else:
                    self.factor(canvas, term, x, y, expression.fits)
            lines = wrapped(expression.note)
            for line, words in enumerate(lines):
                canvas.text(
                    NOTE, y + 4.5 + 16 * (line - (len(lines) - 1) / 2), words, anchor="start", class_=quiet
                )
            canvas.close()
        return canvas

    def factor(self, canvas: Canvas, term: Factor, x: float, y: float, fits: bool) -> None:
        tone = f"var(--{term.role or 'quiet'})"
        canvas.add(
            "rect",
            x=x - term.width / 2,
            y=y - term.height / 2,
            width=term.width,
            height=term.height,
            rx=1.5,
            fill=tone,
            fill_opacity=0.3 if fits else 0.08,
            stroke=tone,
            stroke_width=1.5,
            stroke_dasharray=None if fits else "4 3",
            data_tip=f"{plain(term.name)}: {term.shape}",
        )
        canvas.parts.append(named(term.name, x, y - term.height / 2 - 6, term.role))
        canvas.text(x, y + term.height / 2 + 12, term.shape, class_="quiet")

    def figure(self) -> "mpl.Figure":
        figure, axes = page(WIDTH + 20, ROW * len(self.expressions) + 30)
        slide_text(axes, 10, 14, self.title, SIZE + 1, ha="left")
        for n, expression in enumerate(self.expressions):
            shift = 30
            ink = LIGHT["ink" if expression.fits else "quiet"]
            slide_text(axes, 10, middle(n) + shift, expression.name, ha="left", color=ink, fontweight="bold")
            slide_text(
                axes, NOTE + 10, middle(n) + shift, "\n".join(wrapped(expression.note)), ha="left", color=ink
            )
            for term, x, y in self.places(n):
                x, y = x + 10, y + shift
                if isinstance(term, str):
                    slide_text(axes, x, y, term, SIZE + 2)
                    continue
                tone, wide, high = LIGHT[term.role or "quiet"], term.width / 2, term.height / 2
                corners = (
                    [x - wide, x + wide, x + wide, x - wide, x - wide],
                    [y - high, y - high, y + high, y + high, y - high],
                )
                axes.fill(*corners, color=tone, alpha=0.3 if expression.fits else 0.08, linewidth=0)
                axes.plot(*corners, color=tone, linewidth=1.2, linestyle="-" if expression.fits else "--")
                slide_text(
                    axes,
                    x,
                    y - high - 9,
                    in_mathtext(term.name),
                    parse_math=True,
                    color=LIGHT[term.role or "ink"],
                )
                slide_text(axes, x, y + high + 9, term.shape, color=LIGHT["quiet"])
        return figure

    def frame(self) -> DataFrame:
        rows = [
            (expression.name, plain(term.name), term.rows, term.columns, expression.fits, expression.note)
            for expression in self.expressions
            for term in expression.terms
            if isinstance(term, Factor)
        ]
        return DataFrame(rows, columns=["score", "factor", "rows", "columns", "defined", "note"])


def middle(n: int) -> float:
    """Of expression n, from the top."""
    return ROW * (n + 0.5) + BELOW


def wrapped(words: str, room: float = WIDTH - NOTE) -> list[str]:
    """Lines that fit into the room at the right."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [shorten(line, room) for line in lines]
