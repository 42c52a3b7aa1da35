"""Walk: the model at work. Floors of states, a column for every word; what is not computed yet is empty."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SIZE, SMALL, Canvas, Picture, num, shorten, width_of
from lessons.kit.pictures.heatmap import draw_scale, scale_width
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import page, slide_text
from lessons.transformer.sheets import image

WIDEST, LEFT, PITCH, CLOSE = 880, 76, 84, 34  # of all; of the names of floors; of a column, and at the least
CELLS = 8  # a state is shown in so many cells, each the mean of a group of units
CELL = 4  # pixels high
BAND = CELLS * CELL
GAP = 26  # between floors: room for the curves
LINE = 17  # of words; where they have no room, every second one stands in a line of its own
LIGHTEST = 0.04  # a weight below it is not drawn


class Floor(NamedTuple):
    side: str  # source or target
    name: str
    number: int  # 0 is the input
    y: float
    values: np.ndarray  # (columns that are there, CELLS)
    columns: int


class Curve(NamedTuple):
    start: tuple[float, float]
    end: tuple[float, float]
    weight: float
    tip: str


@dataclass(frozen=True)
class Walk(Picture):
    source: tuple[str, ...]  # T
    reads: tuple[str, ...]  # T'
    writes: tuple[str, ...]  # T'
    encoder: Any  # (floors, T, d)
    decoder: Any  # (floors, T', d)
    _: KW_ONLY
    encoder_self: Any  # (floors − 1, T, T) weights
    decoder_self: Any  # (floors − 1, T', T')
    cross: Any  # (floors − 1, T', T)
    encoder_floors: int  # computed so far
    decoder_floors: int  # of the current place
    written: int
    mark: str = ""  # ✓ or ✗ behind the last word, where the truth is known
    top: float = 3.0

    @property
    def place(self) -> int:
        return max(self.written, 1) - 1

    @property
    def pitch(self) -> float:
        return max(CLOSE, min(PITCH, (WIDEST - LEFT - 20) / max(len(self.source), len(self.writes), 1)))

    @property
    def width(self) -> float:
        """All columns, and at least the legend under them."""
        legend = scale_width(None, self.top) + 16 + 1.05 * width_of(self.legend, SMALL)
        return LEFT + max(self.pitch * max(len(self.source), len(self.writes)), legend) + 20

    @property
    def legend(self) -> str:
        d = np.shape(self.encoder)[-1]
        return f"a strip: {d} numbers as {CELLS} means of {d // CELLS}; curves: attention, heads on average"

    @property
    def staggered(self) -> bool:
        return (
            max((1.1 * width_of(word) for word in (*self.source, *self.reads, *self.writes)), default=0)
            > self.pitch - 4
        )

    @property
    def word_room(self) -> float:
        return 6 + LINE * (1 + self.staggered)

    def floors(self) -> list[Floor]:
        """From the top down."""
        found, y = [], self.word_room
        for number in reversed(range(len(self.decoder))):
            there = self.place + (self.decoder_floors > number) if self.decoder_floors else 0
            name = f"layer {number}" if number else "embedding"
            found.append(
                Floor("target", name, number, y, grouped(self.decoder[number][:there]), len(self.writes))
            )
            y += BAND + GAP
        y += self.word_room + 12
        for number in reversed(range(len(self.encoder))):
            there = len(self.source) if self.encoder_floors > number else 0
            name = f"layer {number}" if number else "embedding"
            found.append(
                Floor("source", name, number, y, grouped(self.encoder[number][:there]), len(self.source))
            )
            y += BAND + GAP
        return found

    def height(self) -> float:
        return self.floors()[-1].y + BAND + self.word_room + 22

    def middle(self, column: int) -> float:
        return LEFT + (column + 0.5) * self.pitch

    def lines_of_words(self) -> list[tuple[float, tuple[str, ...], str, str, int]]:
        """Baseline, words, role, what they are, and the one that is now."""
        floors, below = self.floors(), BAND + LINE - 1
        decoder_foot = next(floor.y for floor in floors if floor.side == "target" and floor.number == 0)
        read = self.reads[: self.place + 1] if self.decoder_floors else ()
        return [
            (LINE - 3, self.writes[: self.written], "target", "writes", self.written - 1),
            (decoder_foot + below, read, "target", "reads", self.place),
            (floors[-1].y + below, self.source, "source", "source", -1),
        ]

    def words(self, y: float, words: tuple[str, ...]) -> list[tuple[float, float, str]]:
        """Where each word of a line stands, and as much of it as fits."""
        room = self.pitch * (1 + self.staggered) - 4
        return [
            (self.middle(n), y + LINE * (self.staggered and n % 2), shorten(word, room / 1.1))
            for n, word in enumerate(words)
        ]

    def curves(self) -> list[Curve]:
        """What the newest states looked at, as thick as the weight: heads on average."""
        at = {(floor.side, floor.number): floor.y for floor in self.floors()}
        found = []
        if not self.decoder_floors:
            number = self.encoder_floors - 1
            if number:
                for t, i in np.argwhere(np.asarray(self.encoder_self[number - 1]) >= 2 * LIGHTEST):
                    start, end = (
                        (self.middle(i), at["source", number - 1]),
                        (self.middle(t), at["source", number] + BAND),
                    )
                    weight = float(self.encoder_self[number - 1][t][i])
                    found.append(
                        Curve(start, end, weight, f"{self.source[t]} looks at {self.source[i]}: {weight:.2f}")
                    )
            return found
        number, place = self.decoder_floors - 1, self.place
        if not number:
            return found
        end = (self.middle(place), at["target", number] + BAND)
        for words, side, floor, weights in (
            (self.reads, "target", number - 1, self.decoder_self[number - 1][place]),
            (self.source, "source", len(self.encoder) - 1, self.cross[number - 1][place]),
        ):
            for i in np.flatnonzero(np.asarray(weights) >= LIGHTEST).tolist():
                tip = f"{self.reads[place]} looks at {words[i]}: {weights[i]:.2f}"
                found.append(Curve((self.middle(i), at[side, floor]), end, float(weights[i]), tip))
        return found

    def draw(self) -> Canvas:
        canvas = Canvas(self.width, self.height())
        for floor in self.floors():
            self.draw_floor(canvas, floor)
        canvas.open(fill="none", stroke="var(--weight)", stroke_linecap="round")
        for curve in self.curves():
            (x1, y1), (x2, y2) = curve.start, curve.end
            bend = (y1 - y2) / 2
            path = (
                f"M{num(x1)} {num(y1)}C{num(x1)} {num(y1 - bend)} {num(x2)} {num(y2 + bend)} {num(x2)}"
                f" {num(y2)}"
            )
            canvas.add(
                "path",
                d=path,
                stroke_width=0.8 + 7 * curve.weight,
                stroke_opacity=0.25 + 0.45 * curve.weight,
                data_tip=curve.tip,
            )
        canvas.close()
        for y, words, role, what, now in self.lines_of_words():
            if words:
                canvas.text(LEFT - 10, y, what, SMALL, "end", class_="quiet")
            self.draw_words(canvas, y, words, role, now, what)
        if self.mark:
            y, words, *_ = self.lines_of_words()[0]
            x, y, word = self.words(y, words)[-1]
            canvas.text(x + width_of(word) / 2 + 14, y, self.mark, font_weight=700)
        end = draw_scale(canvas, LEFT, self.height() - 14, None, self.top)
        canvas.text(end + 16, self.height() - 5, self.legend, SMALL, "start", class_="quiet")
        return canvas

    def draw_floor(self, canvas: Canvas, floor: Floor) -> None:
        role, words = floor.side, self.source if floor.side == "source" else self.reads
        side = "encoder" if role == "source" else "decoder"
        canvas.text(LEFT - 10, floor.y + BAND / 2 - 3, side, SMALL, "end", style=f"fill:var(--{role})")
        canvas.text(LEFT - 10, floor.y + BAND / 2 + 11, floor.name, SMALL, "end", class_="quiet")
        box = {"x": LEFT - 1, "y": floor.y - 1, "width": floor.columns * self.pitch + 1, "height": BAND + 2}
        canvas.add("rect", **box, rx=4, fill="none", stroke=f"var(--{role})", stroke_opacity=0.35)
        if len(floor.values):
            canvas.cells(
                floor.values.T,
                LEFT + 1,
                floor.y,
                self.pitch,
                CELL,
                top=self.top,
                rows=tuple(f"group {n + 1}" for n in range(CELLS)),
                columns=words[: len(floor.values)],
                keys=("group", role),
            )
            newest = self.decoder_floors - 1 == floor.number and role == "target"
            if newest:
                now = {
                    "x": LEFT + self.place * self.pitch,
                    "y": floor.y - 2,
                    "width": self.pitch,
                    "height": BAND + 4,
                }
                canvas.add("rect", **now, rx=4, fill="none", stroke="currentColor", stroke_width=2)
            elif not self.decoder_floors and role == "source" and self.encoder_floors - 1 == floor.number:
                canvas.add("rect", **box, rx=4, fill="none", stroke="currentColor", stroke_width=2)

    def draw_words(
        self, canvas: Canvas, y: float, words: tuple[str, ...], role: str, now: int, what: str
    ) -> None:
        halo = (  # curves pass behind words
            "paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round"
        )
        canvas.open(style=f"color:var(--{role});{halo}", text_anchor="middle")
        for n, (x, base, short) in enumerate(self.words(y, words)):
            bold, tip = 700 if n == now else None, f"{what}: {words[n]}"
            canvas.add("text", short, x=x, y=base, data_at=f"{role}:{n}", data_tip=tip, font_weight=bold)
        canvas.close()

    def figure(self) -> "mpl.Figure":
        figure, axes = page(self.width, self.height())
        for floor in self.floors():
            side = "encoder" if floor.side == "source" else "decoder"
            slide_text(
                axes,
                LEFT - 10,
                floor.y + BAND / 2,
                f"{side}\n{floor.name}",
                SMALL,
                ha="right",
                color=LIGHT[floor.side],
            )
            if len(floor.values):
                image(axes, floor.values.T, LEFT, floor.y, self.pitch, CELL, None, self.top)
            box = (LEFT, floor.y), floor.columns * self.pitch, BAND
            axes.add_patch(mpl.Rectangle(*box, fill=False, edgecolor=LIGHT[floor.side], linewidth=0.6))
        for curve in self.curves():
            (x1, y1), (x2, y2) = curve.start, curve.end
            s = np.linspace(0, 1, 24)
            across, up = x1 + (x2 - x1) * (3 * s**2 - 2 * s**3), y1 + (y2 - y1) * s
            axes.plot(
                across,
                up,
                color=LIGHT["weight"],
                alpha=0.25 + 0.6 * curve.weight,
                linewidth=0.5 + 4 * curve.weight,
            )
        for y, words, role, _, _ in self.lines_of_words():
            for x, base, short in self.words(y, words):
                slide_text(axes, x, base - SIZE / 3, short, color=LIGHT[role])
        return figure

    def frame(self) -> DataFrame:
        """One line for each state that is there."""
        found = []
        for floor in self.floors():
            words = self.source if floor.side == "source" else self.reads
            side = "encoder" if floor.side == "source" else "decoder"
            for n, cells in enumerate(floor.values):
                found.append(
                    {"side": side, "floor": floor.name, "position": n + 1, "word": words[n]}
                    | {f"group {k + 1}": v for k, v in enumerate(cells)}
                )
        return DataFrame(found)


def grouped(states: Any) -> np.ndarray:
    """(n, d) → (n, CELLS): means of neighbouring units."""
    states = np.asarray(states, dtype=float)
    return np.stack([part.mean(-1) for part in np.array_split(states, CELLS, axis=-1)], -1)
