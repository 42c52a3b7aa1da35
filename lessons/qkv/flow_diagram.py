"""Diagram of the whole layer: matrices in columns, with arrows to the matrices computed from them."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import Canvas, num
from lessons.kit.pictures.matrix import COMPACT, ROOMY, Block, Matrix, Spacing, TermLayout
from lessons.kit.pictures.palette import LIGHT

Point = tuple[float, float]
Arrows = tuple[tuple[int, int], ...]  # pairs of term indices (from, to), 0-based
TIGHT = COMPACT._replace(beside=0)
ARROW_GAP_PX = {ROOMY: 44, COMPACT: 30, TIGHT: 18}  # gap between columns
SWING_PX = 14  # how far a downward arrow curves out to the right
WIDTH_PX = 920
FULL_COLOUR = 2.0  # absolute value drawn in the strongest colour


@dataclass(frozen=True)
class Flow(Matrix):
    _: KW_ONLY
    columns: tuple[int, ...]  # number of terms per column, from the top; a single term is centred
    arrows: Arrows  # each arrow leads to a later column or downwards

    @cached_property
    def spacing(self) -> Spacing:
        return next(
            (spacing for spacing in (ROOMY, COMPACT) if self.fits(*self.layout_terms(spacing)[1:])), TIGHT
        )

    @property
    def has_space(self) -> bool:
        """Whether the diagram fits into the available width and height."""
        return self.fits(*self.layout_terms(self.spacing)[1:])

    def layout_terms(self, spacing: Spacing) -> tuple[list[TermLayout], float, float]:
        columns = [self.terms[a:b] for a, b in pairwise(accumulate(self.columns, initial=0))]
        row_count = max(self.columns)
        heights = [
            max(self.term_height(column[row], spacing) for column in columns if len(column) == row_count)
            for row in range(row_count)
        ]
        tops = list(
            accumulate(
                [spacing.name + height + spacing.shape + spacing.apart for height in heights], initial=0.0
            )
        )
        middles = [top + spacing.name + height / 2 for top, height in zip(tops, heights, strict=False)]
        places, x = [], 0.0
        for column in columns:
            width = max(self.term_width(term, spacing) for term in column)
            column_middles = middles if len(column) > 1 else [middles[row_count // 2]]
            for term, middle in zip(column, column_middles, strict=False):
                if isinstance(term, str):
                    places.append(TermLayout(term, x, middle, width))
                    continue
                (cell_width, cell_height), (rows, cells) = self.cell_size(term, spacing), term.grid.shape
                corner = x + (width - cells * cell_width) / 2, middle - rows * cell_height / 2
                places.append(TermLayout(term, x, middle, width, *corner, cell_width, cell_height))
            x += width + ARROW_GAP_PX[spacing]
        return places, x - ARROW_GAP_PX[spacing] + SWING_PX + 6, tops[-1] - spacing.apart

    def term_height(self, term: Block | str, spacing: Spacing) -> float:
        return (
            spacing.high if isinstance(term, str) else term.grid.shape[0] * self.cell_size(term, spacing)[1]
        )

    def draw(self) -> Canvas:
        canvas = super().draw()
        for (x1, y1), (x2, y2), role, swing in self.arrow_paths():
            a, b = (x1 + swing, x2 + swing) if swing else ((x1 + x2) / 2,) * 2
            path = f"M{num(x1)} {num(y1)}C{num(a)} {num(y1)} {num(b)} {num(y2)} {num(x2)} {num(y2)}"
            colour = f"var(--{role})"
            canvas.add("path", d=path, fill="none", stroke=colour, stroke_width=1.5, stroke_opacity=0.7)
            canvas.add("path", d=f"M{num(x2)} {num(y2)}l{6 if swing else -6} -3.5v7z", fill=colour)
        return canvas

    def arrow_paths(self) -> Iterator[tuple[Point, Point, str, int]]:
        """Start and end of each arrow, the role that sets its colour, and the bend of a downward arrow."""
        places = self.layout_terms(self.spacing)[0]
        for a, b in self.arrows:
            start, end = places[a], places[b]
            is_down = start.x == end.x
            role = getattr(start.term, "role", None) or "quiet"
            tip = edges(end)[1 if is_down else 0], end.middle
            yield (edges(start)[1], start.middle), tip, role, SWING_PX if is_down else 0

    def figure(self) -> "mpl.Figure":
        figure = super().figure()
        for start, end, role, swing in self.arrow_paths():
            style = "arc3,rad=-0.4" if swing else "arc3"
            arrow = {"arrowstyle": "->", "color": LIGHT[role], "connectionstyle": style}
            figure.axes[0].annotate("", end, start, arrowprops=arrow)
        return figure


def edges(place: TermLayout) -> tuple[float, float]:
    """Left and right edges of a term's brackets or words."""
    if isinstance(place.term, str):
        return place.x - 3, place.x + place.width + 3
    return place.left - 7, place.left + place.term.grid.shape[1] * place.cell_width + 7


def fit_flow(
    terms: tuple[Block | str, ...], columns: tuple[int, ...], arrows: Arrows, height_px: int, title: str
) -> Flow:
    """Build the diagram with two decimals, or with one if two are too wide."""
    fine, coarse = (
        Flow(
            terms,
            columns=columns,
            arrows=arrows,
            digits=digits,
            top=FULL_COLOUR,
            wide=WIDTH_PX,
            tall=height_px,
            title=title,
        )
        for digits in (2, 1)
    )
    return fine if fine.has_space else coarse
