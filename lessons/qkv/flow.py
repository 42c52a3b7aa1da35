"""The whole layer in one picture: grids, or words, in columns, and arrows from what is used to what is made of it."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import Canvas, num
from lessons.kit.pictures.matrix import CLOSE, ROOMY, Air, Block, Matrix, Place
from lessons.kit.pictures.palette import LIGHT

Point = tuple[float, float]
TIGHT = CLOSE._replace(beside=0)
GAP = {ROOMY: 44, CLOSE: 30, TIGHT: 18}  # between columns: arrows
ROUND = 14  # how far an arrow down swings out at the right


@dataclass(frozen=True)
class Flow(Matrix):
    _: KW_ONLY
    columns: tuple[int, ...]  # how many terms stand in each, from the top; one alone stands in the middle
    arrows: tuple[tuple[int, int], ...]  # from term to term, 0-based: to a later column, or down

    @cached_property
    def air(self) -> Air:
        return next((air for air in (ROOMY, CLOSE) if self.fits(*self.place(air)[1:])), TIGHT)

    @property
    def at_home(self) -> bool:
        """Does it fit its room, and be it the closest way?"""
        return self.fits(*self.place(self.air)[1:])

    def place(self, air: Air) -> tuple[list[Place], float, float]:
        columns = [self.terms[a:b] for a, b in pairwise(accumulate(self.columns, initial=0))]
        most = max(self.columns)
        talls = [
            max(self.tall_of(column[row], air) for column in columns if len(column) == most)
            for row in range(most)
        ]
        down = list(accumulate([air.name + tall + air.shape + air.apart for tall in talls], initial=0.0))
        middles = [top + air.name + tall / 2 for top, tall in zip(down, talls, strict=False)]
        places, x = [], 0.0
        for column in columns:
            width = max(self.width(term, air) for term in column)
            for term, middle in zip(
                column, middles if len(column) > 1 else [middles[most // 2]], strict=False
            ):
                if isinstance(term, str):
                    places.append(Place(term, x, middle, width))
                    continue
                (wide, high), (rows, across) = self.cell(term, air), term.grid.shape
                corner = x + (width - across * wide) / 2, middle - rows * high / 2
                places.append(Place(term, x, middle, width, *corner, wide, high))
            x += width + GAP[air]
        return places, x - GAP[air] + ROUND + 6, down[-1] - air.apart

    def tall_of(self, term: Block | str, air: Air) -> float:
        return air.high if isinstance(term, str) else term.grid.shape[0] * self.cell(term, air)[1]

    def draw(self) -> Canvas:
        canvas = super().draw()
        for start, end, role, out in self.drawn():
            (x1, y1), (x2, y2), head = start, end, 6 if out else -6
            bend = (x1 + out, x2 + out) if out else ((x1 + x2) / 2,) * 2
            path = (
                f"M{num(x1)} {num(y1)}C{num(bend[0])} {num(y1)} {num(bend[1])} {num(y2)} {num(x2)} {num(y2)}"
            )
            canvas.add(
                "path", d=path, fill="none", stroke=f"var(--{role})", stroke_width=1.5, stroke_opacity=0.7
            )
            canvas.add("path", d=f"M{num(x2)} {num(y2)}l{head} -3.5v7z", fill=f"var(--{role})")
        return canvas

    def drawn(self) -> Iterator[tuple[Point, Point, str, int]]:
        """Arrows: start, end, the role of what is used, and how far one that goes down swings out."""
        places = self.place(self.air)[0]
        for a, b in self.arrows:
            one, other = places[a], places[b]
            down = one.x == other.x
            start, end = (sides(one)[1], one.middle), (sides(other)[1 if down else 0], other.middle)
            role = getattr(one.term, "role", None) or "quiet"
            yield start, end, role, ROUND if down else 0

    def figure(self) -> "mpl.Figure":
        figure = super().figure()
        for start, end, role, out in self.drawn():
            arrow = {
                "arrowstyle": "->",
                "color": LIGHT[role],
                "connectionstyle": "arc3,rad=-0.4" if out else "arc3",
            }
            figure.axes[0].annotate("", end, start, arrowprops=arrow)
        return figure


def sides(place: Place) -> tuple[float, float]:
    """Left and right of its brackets, or of its words."""
    if isinstance(place.term, str):
        return place.x - 3, place.x + place.width + 3
    return place.left - 7, place.left + place.term.grid.shape[1] * place.wide + 7
