"""An equation drawn as matrices of numbers.

Each grid has its name above and its shape below; tooltips explain cells.
"""

import re
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.language import translate
from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import (
    FONT_PX,
    SMALL_FONT_PX,
    Canvas,
    Picture,
    element,
    num,
    shorten,
    split_subscripts,
    subscripts_svg,
    text_width,
)
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text
from lessons.kit.pictures.tokens import MAX_TINT_OPACITY

DEFAULT_WIDTH_PX = 820
BRACKET_PX = 7
SIGN_FONT_PX = 16  # font size of =, +, tanh
# a grid with more cells, rows or columns shows only colours; numbers are in tooltips
MAX_NUMBER_CELLS, MAX_NUMBER_LENGTH = 80, 12


class Spacing(NamedTuple):
    """Sizes in pixels."""

    size: int  # font size of numbers
    high: int  # height of a cell
    beside: int  # horizontal padding of a number
    name: int  # height of the name above
    shape: int  # height of the shape below, and of a note
    apart: int  # gap between two lines of the equation


ROOMY, COMPACT = Spacing(FONT_PX, 26, 10, 22, 18, 18), Spacing(SMALL_FONT_PX, 18, 6, 20, 14, 7)


@dataclass(frozen=True)
class Edit:
    """The control whose numbers can be edited in the cells."""

    control: str
    low: float
    high: float
    step: float = 0.1


@dataclass(frozen=True)
class Block:
    name: str  # W_hh and h_{t-1} are drawn with subscripts
    values: Any  # (r, c)
    role: str | None = None  # colour of the name; also of the cells if "weight", else they are red and blue
    made: tuple[tuple[str, ...], ...] | None = None  # tooltips: how each cell is computed
    note: str = ""
    changed: frozenset[tuple[int, int]] = frozenset()  # cells edited by the learner, 0-based
    edit: Edit | None = None

    @cached_property
    def grid(self) -> np.ndarray:  # (r, c)
        return np.atleast_2d(np.asarray(self.values, dtype=float))

    @property
    def shape(self) -> str:
        return f"{self.grid.shape[0]}×{self.grid.shape[1]}"

    @property
    def shows_numbers(self) -> bool:
        return self.grid.size <= MAX_NUMBER_CELLS and max(self.grid.shape) <= MAX_NUMBER_LENGTH

    def tone(self, value: float) -> str:
        return self.ground or ("minus" if value < 0 else "plus")

    @property
    def ground(self) -> str | None:
        return self.role if self.role == "weight" else None

    def tip(self, r: int, c: int, digits: int) -> str:
        if self.made is not None:
            return self.made[r][c]
        return f"{self.where(r, c)}: {format_cell(self.grid[r, c], digits) or 'masked'}"

    def where(self, r: int, c: int) -> str:
        return f"{re.sub('[{}]', '', self.name)}, row {r + 1}, column {c + 1}"


class TermLayout(NamedTuple):
    """Position of a term; for a grid also its corner and cell size."""

    term: Block | str
    x: float  # left edge of the term
    middle: float
    width: float
    left: float = 0
    top: float = 0
    cell_width: float = 0
    cell_height: float = 0


@dataclass(frozen=True)
class Matrix(Picture):
    terms: tuple[Block | str, ...]
    _: KW_ONLY
    digits: int = 2
    top: float = 1.0  # value shown at full colour

    @cached_property
    def spacing(self) -> Spacing:
        return ROOMY if self.fits(*self.layout_terms(ROOMY)[1:]) else COMPACT

    def cell_size(self, block: Block, spacing: Spacing) -> tuple[float, float]:
        """Width and height of a cell, wide enough for every number with a minus sign."""
        rows, columns = block.grid.shape
        if not block.shows_numbers:
            return min(14, 640 / columns), min(14, 320 / rows)
        numbers = [format_cell(value, self.digits) for value in block.grid.ravel()] + [
            signed(-abs(self.top), self.digits)
        ]
        return max(text_width(number, spacing.size) for number in numbers) + spacing.beside, spacing.high

    def term_width(self, term: Block | str, spacing: Spacing) -> float:
        if isinstance(term, str):
            return text_width(term, SIGN_FONT_PX) + spacing.beside + 4
        words = [
            text_width(plain_name(term.name)),
            text_width(term.shape, SMALL_FONT_PX),
            min(180, text_width(term.note, SMALL_FONT_PX)),
        ]
        return max([*words, term.grid.shape[1] * self.cell_size(term, spacing)[0] + 2 * BRACKET_PX]) + 6

    def break_lines(self, spacing: Spacing = ROOMY) -> list[list[Block | str]]:
        """Break the equation into lines.

        A line begins with a sign, never with a grid or a closing bracket.
        """
        chunks: list[list[Block | str]] = [[]]
        for term in self.terms:
            closing = isinstance(term, str) and term[:1] in (")", "]", ",")
            if chunks[-1] and isinstance(chunks[-1][-1], Block) and not closing:
                chunks.append([])
            chunks[-1].append(term)
        lines: list[list[Block | str]] = [[]]
        used = 0.0
        for chunk in chunks:
            width = sum(self.term_width(term, spacing) for term in chunk)
            if lines[-1] and used + width > (self.wide or DEFAULT_WIDTH_PX):
                lines.append([])
                used = 0
            lines[-1] += chunk
            used += width
        return lines

    def layout_terms(self, spacing: Spacing) -> tuple[list[TermLayout], float, float]:
        """Positions of all terms, and the total width and height."""
        places, y, across = [], 0.0, 0.0
        for line in self.break_lines(spacing):
            blocks = [term for term in line if isinstance(term, Block)]
            tall = max(
                [block.grid.shape[0] * self.cell_size(block, spacing)[1] for block in blocks] + [spacing.high]
            )
            x, middle = 0.0, y + spacing.name + tall / 2
            for term in line:
                width = self.term_width(term, spacing)
                if isinstance(term, str):
                    places.append(TermLayout(term, x, middle, width))
                else:
                    (wide, high), (rows, columns) = self.cell_size(term, spacing), term.grid.shape
                    corner = x + (width - columns * wide) / 2, middle - rows * high / 2
                    places.append(TermLayout(term, x, middle, width, *corner, wide, high))
                x += width
            across = max(across, x)
            y = (
                middle
                + tall / 2
                + spacing.shape
                + spacing.shape * any(block.note for block in blocks)
                + spacing.apart
            )
        return places, across, max(y - spacing.apart, 1)

    def full_colour_value(self, block: Block) -> float:
        """Value shown at full colour in this block; 1 for weights."""
        return 1.0 if block.ground else self.top or 1

    def tint(self, block: Block, value: float) -> float:
        """The value as a fraction of full colour, −1..1; 0 if it is not finite."""
        return 0.0 if not np.isfinite(value) else float(np.clip(value / self.full_colour_value(block), -1, 1))

    def draw(self) -> Canvas:
        places, width, height = self.layout_terms(self.spacing)
        canvas = Canvas(max(width, 1), height)
        for place in places:
            if isinstance(place.term, str):
                canvas.text(place.x + place.width / 2, place.middle + 5, place.term, SIGN_FONT_PX)
            else:
                self.draw_block(canvas, place, place.term)
        return canvas

    def draw_block(self, canvas: Canvas, place: TermLayout, block: Block) -> None:
        rows, columns = block.grid.shape
        centre, foot = place.x + place.width / 2, place.top + rows * place.cell_height
        canvas.parts.append(name_svg(block.name, centre, place.top - 9, block.role))
        base = foot + self.spacing.shape - 4
        canvas.text(centre, base, block.shape, SMALL_FONT_PX, class_="quiet")
        if block.note:
            note = shorten(block.note, 180, SMALL_FONT_PX)
            whole = block.note if note != block.note else None
            canvas.text(
                centre, base + self.spacing.shape, note, SMALL_FONT_PX, class_="quiet", data_tip=whole
            )
        canvas.add(
            "path", d=bracket_path(place, rows, columns), fill="none", stroke="currentColor", stroke_width=1.5
        )
        if block.shows_numbers:
            self.draw_numbers(canvas, place, block)
        else:
            names: dict[str, Any] = {
                "rows": [translate("row {n}", n=r + 1) for r in range(rows)],
                "columns": [translate("column {n}", n=c + 1) for c in range(columns)],
            }
            finite = np.where(np.isfinite(block.grid), block.grid, np.nan)
            canvas.cells(
                finite,
                place.left,
                place.top,
                place.cell_width,
                place.cell_height,
                role=block.ground,
                top=self.full_colour_value(block),
                **names,
            )

    def draw_numbers(self, canvas: Canvas, place: TermLayout, block: Block) -> None:
        if block.edit:
            canvas.role = "group"
        canvas.open(
            text_anchor="middle", font_size=None if self.spacing.size == FONT_PX else self.spacing.size
        )
        for r, c in np.ndindex(block.grid.shape):
            tip = (
                block.tip(r, c, self.digits) if block.made is not None or not block.edit else None
            )  # an editable field shows its own value
            canvas.open(**self.edit_attributes(block, r, c), data_tip=tip)
            self.draw_number(canvas, place, block, r, c)
            canvas.close()
        canvas.close()

    def edit_attributes(self, block: Block, r: int, c: int) -> dict[str, Any]:
        """Attributes of a cell that can be edited, for the page's script."""
        if not block.edit:
            return {}
        edit, value = block.edit, float(block.grid[r, c])
        aria = {"aria_label": plain_name(block.where(r, c)), "aria_valuenow": value}
        data = {
            "cell": edit.control,
            "row": r,
            "column": c,
            "low": edit.low,
            "high": edit.high,
            "step": edit.step,
        }
        named = {f"data_{name}": value for name, value in data.items()}
        return {"class_": "cell", "role": "spinbutton", "tabindex": 0} | aria | named

    def draw_number(self, canvas: Canvas, place: TermLayout, block: Block, r: int, c: int) -> None:
        value, changed = block.grid[r, c], (r, c) in block.changed
        x, y, wide, high = (
            place.left + c * place.cell_width + 1,
            place.top + r * place.cell_height + 1,
            place.cell_width - 2,
            place.cell_height - 2,
        )
        canvas.add(
            "rect",
            x=x,
            y=y,
            width=wide,
            height=high,
            fill=f"var(--{block.tone(value)})",
            fill_opacity=abs(self.tint(block, value)) * MAX_TINT_OPACITY,
            stroke="currentColor" if changed else None,
            stroke_width=2.5 if changed else None,
        )
        if np.isnan(value):
            canvas.add(
                "path",
                d=f"M{num(x)} {num(y)}l{num(wide)} {num(high)}",
                stroke="var(--quiet)",
                class_="masked",
            )
        if block.edit:
            under = f"M{num(x + 3)} {num(y + high - 2)}h{num(wide - 6)}"
            canvas.add("path", d=under, stroke="currentColor", stroke_opacity=0.6, stroke_dasharray="3 2")
        quiet = None if np.isfinite(value) else "quiet"
        base = y + high / 2 + self.spacing.size / 2.9 - (1 if block.edit else 0)
        canvas.add("text", format_cell(value, self.digits), x=x + wide / 2, y=base, class_=quiet)

    def figure(self) -> "mpl.Figure":
        places, width, height = self.layout_terms(self.spacing)
        figure, axes = new_slide(width + 8, height + 4)
        for place in places:
            if isinstance(place.term, str):
                slide_text(axes, place.x + place.width / 2, place.middle, place.term, SIGN_FONT_PX)
            else:
                self.plot_block(axes, place, place.term)
        return figure

    def plot_block(self, axes: Any, place: TermLayout, block: Block) -> None:
        rows, columns = block.grid.shape
        centre, foot = place.x + place.width / 2, place.top + rows * place.cell_height
        slide_text(
            axes,
            centre,
            place.top - 13,
            mathtext_name(block.name),
            parse_math=True,
            color=LIGHT[block.role or "ink"],
        )
        slide_text(axes, centre, foot + 10, block.shape, SMALL_FONT_PX, color=LIGHT["quiet"])
        slide_text(
            axes,
            centre,
            foot + 10 + self.spacing.shape,
            shorten(block.note, 180, SMALL_FONT_PX),
            SMALL_FONT_PX,
            color=LIGHT["quiet"],
        )
        right = place.left + columns * place.cell_width
        for x, inward in ((place.left - 5, 4), (right + 5, -4)):
            axes.plot(
                [x + inward, x, x, x + inward],
                [place.top, place.top, foot, foot],
                color=LIGHT["ink"],
                linewidth=1.2,
            )
        for (r, c), value in np.ndenumerate(block.grid):
            corner = (place.left + c * place.cell_width, place.top + r * place.cell_height)
            ground = (
                LIGHT[block.tone(value)],
                abs(self.tint(block, value)) * (MAX_TINT_OPACITY if block.shows_numbers else 1),
            )
            edge = (
                {"edgecolor": LIGHT["ink"], "linewidth": 2} if (r, c) in block.changed else {"linewidth": 0}
            )
            if np.isnan(value):
                edge = {"edgecolor": LIGHT["quiet"], "linewidth": 0, "hatch": "////"}
            axes.add_patch(
                mpl.Rectangle(corner, place.cell_width, place.cell_height, facecolor=ground, **edge)
            )
            if block.shows_numbers:
                slide_text(
                    axes,
                    corner[0] + place.cell_width / 2,
                    corner[1] + place.cell_height / 2,
                    format_cell(value, self.digits),
                    self.spacing.size - 1,
                )

    def summary(self) -> str:
        return summary.join(map(self.describe_term, self.terms), " ")

    def describe_term(self, term: Block | str) -> str:
        """A sign as it is; a small grid with its numbers, a large one with its shape."""
        if isinstance(term, str):
            return term
        if term.grid.size > summary.MAX_LISTED:
            return f"{plain_name(term.name)} ({term.shape})"
        rows = (
            ", ".join(format_cell(v, self.digits) or translate("masked") for v in row) for row in term.grid
        )
        return f"{plain_name(term.name)} ({'; '.join(rows)})"

    def frame(self) -> DataFrame:
        """Data frame with one row per cell."""
        blocks = [term for term in self.terms if isinstance(term, Block)]
        cells = [(block, r, c) for block in blocks for r, c in np.ndindex(block.grid.shape)]
        columns = {
            translate("matrix"): [block.name for block, _, _ in cells],
            translate("row"): [r + 1 for _, r, _ in cells],
            translate("column"): [c + 1 for _, _, c in cells],
            translate("value"): [float(block.grid[r, c]) for block, r, c in cells],
        }
        if any(block.made is not None for block in blocks):
            columns[translate("made")] = [
                "" if block.made is None else block.made[r][c] for block, r, c in cells
            ]
        return DataFrame(columns)


def format_cell(value: float, digits: int) -> str:
    """A number as text; empty if it is masked (NaN)."""
    return "" if np.isnan(value) else signed(value, digits)


def bracket_path(place: TermLayout, rows: int, columns: int) -> str:
    left, right, tall = (
        place.left - 3,
        place.left + columns * place.cell_width + 3,
        num(rows * place.cell_height),
    )
    return f"M{num(left + 4)} {num(place.top)}h-6v{tall}h6M{num(right - 4)} {num(place.top)}h6v{tall}h-6"


# ---- names with subscripts ----


def plain_name(name: str) -> str:
    return "".join(split_subscripts(name))


def name_svg(name: str, x: float, y: float, role: str | None) -> str:
    """The name as an SVG text element."""
    return element(
        "text",
        subscripts_svg(name),
        x=x,
        y=y,
        text_anchor="middle",
        font_weight=600,
        style=role and f"fill:var(--{role})",
    )


def mathtext_name(name: str) -> str:
    """The name in matplotlib's mathtext; a subscript with unusual characters stays on the baseline."""
    safe = [part.replace("$", r"\$") for part in split_subscripts(name)]
    is_subscript = [i % 2 == 1 and re.fullmatch(r"[\w+−,]+", part) for i, part in enumerate(safe)]
    return "".join(
        rf"$_{{\mathrm{{{part}}}}}$" if low else part for part, low in zip(safe, is_subscript, strict=True)
    )
