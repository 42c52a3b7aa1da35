"""A picture of matrix products in which every matrix is drawn with its size."""

from dataclasses import KW_ONLY, dataclass

from pandas import DataFrame

from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import FONT_PX, Canvas, Picture, shorten, text_width
from lessons.kit.pictures.matrix import mathtext_name, name_svg, plain_name
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text

WIDTH_PX, EXPRESSION_X, NOTE_X = 900, 122, 580
NUMBER_PX = 0.43  # per row or column: five expressions with sizes up to 128 fit one screen
MIN_SIDE_PX = 5  # thickness of a row or column vector
ROW_HEIGHT_PX = 92
MIDDLE_SHIFT_PX = 3  # downwards, because the names above need more space than the sizes below
LINE_HEIGHT_PX = 16
SLIDE_TOP_PX, SLIDE_MARGIN_PX = 30, 10


@dataclass(frozen=True)
class Factor:
    name: str
    rows: int
    columns: int
    role: str | None = None  # None for a parameter

    @property
    def width(self) -> float:
        return max(MIN_SIDE_PX, NUMBER_PX * self.columns)

    @property
    def height(self) -> float:
        return max(MIN_SIDE_PX, NUMBER_PX * self.rows)

    @property
    def shape(self) -> str:
        return f"{self.rows}×{self.columns}"

    @property
    def total_width(self) -> float:
        """Width including the name above and the size below."""
        return max(self.width, text_width(plain_name(self.name)), text_width(self.shape)) + 8


def describe_term(term: Factor | str) -> str:
    return term if isinstance(term, str) else f"{plain_name(term.name)} ({term.shape})"


@dataclass(frozen=True)
class Expression:
    name: str
    terms: tuple[Factor | str, ...]
    note: str  # shown at the right: number of parameters, or why it is undefined
    fits: bool = True


@dataclass(frozen=True)
class MatrixShapes(Picture):
    expressions: tuple[Expression, ...]
    _: KW_ONLY
    key: str = "score"

    def term_centres(self, n: int) -> list[tuple[Factor | str, float, float]]:
        """Each term of expression n with the centre of its box."""
        x, centres = float(EXPRESSION_X), []
        for term in self.expressions[n].terms:
            width = text_width(term, FONT_PX + 2) + 8 if isinstance(term, str) else term.total_width
            centres.append((term, x + width / 2, middle_y(n)))
            x += width
        return centres

    def draw(self) -> Canvas:
        canvas = Canvas(WIDTH_PX, ROW_HEIGHT_PX * len(self.expressions))
        for n, expression in enumerate(self.expressions):
            y, top = middle_y(n), ROW_HEIGHT_PX * n
            if n:
                canvas.add("line", x1=0, y1=top, x2=WIDTH_PX, y2=top, stroke="var(--line)")
            canvas.open(data_at=f"{self.key}:{n}")
            style = None if expression.fits else "quiet"
            canvas.text(0, y + 4.5, expression.name, anchor="start", font_weight=600, class_=style)
            for term, x, _ in self.term_centres(n):
                if isinstance(term, str):
                    canvas.text(x, y + 5, term, FONT_PX + 2)
                else:
                    draw_factor(canvas, term, x, y, expression.fits)
            lines = wrap_note(expression.note)
            for k, line in enumerate(lines):
                line_y = y + 4.5 + LINE_HEIGHT_PX * (k - (len(lines) - 1) / 2)
                canvas.text(NOTE_X, line_y, line, anchor="start", class_=style)
            canvas.close()
        return canvas

    def figure(self) -> "mpl.Figure":
        height = ROW_HEIGHT_PX * len(self.expressions) + SLIDE_TOP_PX
        figure, axes = new_slide(WIDTH_PX + 2 * SLIDE_MARGIN_PX, height)
        slide_text(axes, SLIDE_MARGIN_PX, 14, self.title, FONT_PX + 1, ha="left")
        for n, expression in enumerate(self.expressions):
            ink, y = LIGHT["ink" if expression.fits else "quiet"], middle_y(n) + SLIDE_TOP_PX
            slide_text(axes, SLIDE_MARGIN_PX, y, expression.name, ha="left", color=ink, fontweight="bold")
            note = "\n".join(wrap_note(expression.note))
            slide_text(axes, NOTE_X + SLIDE_MARGIN_PX, y, note, ha="left", color=ink)
            for term, x, _ in self.term_centres(n):
                if isinstance(term, str):
                    slide_text(axes, x + SLIDE_MARGIN_PX, y, term, FONT_PX + 2)
                else:
                    draw_slide_factor(axes, term, x + SLIDE_MARGIN_PX, y, expression.fits)
        return figure

    def summary(self) -> str:
        return summary.join(
            f"{expression.name}: {' '.join(map(describe_term, expression.terms))}, {expression.note}"
            for expression in self.expressions
        )

    def frame(self) -> DataFrame:
        rows = [
            (
                expression.name,
                plain_name(term.name),
                term.rows,
                term.columns,
                expression.fits,
                expression.note,
            )
            for expression in self.expressions
            for term in expression.terms
            if isinstance(term, Factor)
        ]
        return DataFrame(rows, columns=["score", "factor", "rows", "columns", "defined", "note"])


def middle_y(n: int) -> float:
    """y coordinate of the middle of expression n, measured from the top."""
    return ROW_HEIGHT_PX * (n + 0.5) + MIDDLE_SHIFT_PX


def draw_factor(canvas: Canvas, term: Factor, x: float, y: float, fits: bool) -> None:
    colour = f"var(--{term.role or 'quiet'})"
    canvas.add(
        "rect",
        x=x - term.width / 2,
        y=y - term.height / 2,
        width=term.width,
        height=term.height,
        rx=1.5,
        fill=colour,
        fill_opacity=0.3 if fits else 0.08,
        stroke=colour,
        stroke_width=1.5,
        stroke_dasharray=None if fits else "4 3",
        data_tip=f"{plain_name(term.name)}: {term.shape}",
    )
    canvas.parts.append(name_svg(term.name, x, y - term.height / 2 - 6, term.role))
    canvas.text(x, y + term.height / 2 + 12, term.shape, class_="quiet")


def draw_slide_factor(axes: "mpl.Axes", term: Factor, x: float, y: float, fits: bool) -> None:
    colour, w, h = LIGHT[term.role or "quiet"], term.width / 2, term.height / 2
    corners = [x - w, x + w, x + w, x - w, x - w], [y - h, y - h, y + h, y + h, y - h]
    axes.fill(*corners, color=colour, alpha=0.3 if fits else 0.08, linewidth=0)
    axes.plot(*corners, color=colour, linewidth=1.2, linestyle="-" if fits else "--")
    name, name_colour = mathtext_name(term.name), LIGHT[term.role or "ink"]
    slide_text(axes, x, y - h - 9, name, parse_math=True, color=name_colour)
    slide_text(axes, x, y + h + 9, term.shape, color=LIGHT["quiet"])


def wrap_note(note: str, width_px: float = WIDTH_PX - NOTE_X) -> list[str]:
    """Split a note into lines that fit the right column."""
    lines = [""]
    for word in note.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer) > width_px:
            lines.append(word)
        else:
            lines[-1] = longer
    return [shorten(line, width_px) for line in lines]
