"""Picture of encoder and decoder states: one floor (row) per layer, one column per word."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import FONT_PX, SMALL_FONT_PX, Canvas, Picture, num, shorten, text_width
from lessons.kit.pictures.heatmap import draw_scale, scale_width
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text
from lessons.kit.pictures.unrolled import pool_units
from lessons.transformer.sheets import draw_slide_cells

MAX_WIDTH_PX, LEFT_PX = 880, 76  # width of the picture; left margin for the floor names
MAX_PITCH_PX, MIN_PITCH_PX = 84, 34  # distance between columns
CELLS = 8  # cells per state; each shows the mean of a group of units
CELL_PX = 4  # height of a cell
BAND_PX = CELLS * CELL_PX
FLOOR_GAP_PX = 26  # gap between floors, for the curves
LINE_PX = 17  # line height; if words are too wide, every second one moves to a second line
MIN_WEIGHT = 0.04  # smaller weights are not drawn


class Floor(NamedTuple):
    side: str  # “source” or “target”
    name: str
    number: int  # index of the floor; 0 is the input
    y: float
    values: np.ndarray  # (columns computed so far, CELLS)
    columns: int


class Curve(NamedTuple):
    start: tuple[float, float]
    end: tuple[float, float]
    weight: float
    tip: str


@dataclass(frozen=True)
class Walk(Picture):
    source: tuple[str, ...]  # (T,) source words
    reads: tuple[str, ...]  # (T',) inputs of the decoder
    writes: tuple[str, ...]  # (T',) outputs of the decoder
    encoder: Any  # (floors, T, d)
    decoder: Any  # (floors, T', d)
    _: KW_ONLY
    encoder_self: Any  # (floors − 1, T, T) weights
    decoder_self: Any  # (floors − 1, T', T')
    cross: Any  # (floors − 1, T', T)
    encoder_floors: int  # number of floors computed so far
    decoder_floors: int  # number of floors computed at the current position
    written: int
    mark: str = ""  # ✓ or ✗ after the last word, if the reference is known
    top: float = 3.0

    @property
    def position(self) -> int:
        return max(self.written, 1) - 1

    @property
    def pitch(self) -> float:
        return max(
            MIN_PITCH_PX,
            min(MAX_PITCH_PX, (MAX_WIDTH_PX - LEFT_PX - 20) / max(len(self.source), len(self.writes), 1)),
        )

    @property
    def width(self) -> float:
        """Width that fits all columns and the legend."""
        legend = scale_width(None, self.top) + 16 + 1.05 * text_width(self.legend, SMALL_FONT_PX)
        return LEFT_PX + max(self.pitch * max(len(self.source), len(self.writes)), legend) + 20

    @property
    def legend(self) -> str:
        d = np.shape(self.encoder)[-1]
        return f"a strip: {d} numbers as {CELLS} means of {d // CELLS}; curves: attention, mean over heads"

    @property
    def is_staggered(self) -> bool:
        words = (*self.source, *self.reads, *self.writes)
        return max((1.1 * text_width(word) for word in words), default=0) > self.pitch - 4

    @property
    def words_height(self) -> float:
        return 6 + LINE_PX * (1 + self.is_staggered)

    def floors(self) -> list[Floor]:
        """All floors, from top to bottom."""
        floors, y = [], self.words_height
        for side, states, columns in (
            ("target", self.decoder, len(self.writes)),
            ("source", self.encoder, len(self.source)),
        ):
            for number in reversed(range(len(states))):
                name = f"layer {number}" if number else "embedding"
                computed = np.asarray(states[number][: self.computed_columns(side, number)], dtype=float)
                values = pool_units(computed, CELLS)
                floors.append(Floor(side, name, number, y, values, columns))
                y += BAND_PX + FLOOR_GAP_PX
            y += self.words_height + 12
        return floors

    def computed_columns(self, side: str, number: int) -> int:
        """Number of states of a floor computed so far."""
        if side == "source":
            return len(self.source) if self.encoder_floors > number else 0
        return self.position + (self.decoder_floors > number) if self.decoder_floors else 0

    def height(self) -> float:
        return self.floors()[-1].y + BAND_PX + self.words_height + 22

    def center_x(self, column: int) -> float:
        return LEFT_PX + (column + 0.5) * self.pitch

    def lines_of_words(self) -> list[tuple[float, tuple[str, ...], str, str, int]]:
        """For each line: baseline, words, role, name, and index of the current word."""
        floors, below = self.floors(), BAND_PX + LINE_PX - 1
        decoder_foot = next(floor.y for floor in floors if floor.side == "target" and floor.number == 0)
        read = self.reads[: self.position + 1] if self.decoder_floors else ()
        return [
            (LINE_PX - 3, self.writes[: self.written], "target", "writes", self.written - 1),
            (decoder_foot + below, read, "target", "reads", self.position),
            (floors[-1].y + below, self.source, "source", "source", -1),
        ]

    def word_positions(self, y: float, words: tuple[str, ...]) -> list[tuple[float, float, str]]:
        """x, baseline and shortened text of each word in a line."""
        max_width = self.pitch * (1 + self.is_staggered) - 4
        return [
            (self.center_x(n), y + LINE_PX * (self.is_staggered and n % 2), shorten(word, max_width / 1.1))
            for n, word in enumerate(words)
        ]

    def curves(self) -> list[Curve]:
        """Curves for the attention of the newest states; weights are means over heads."""
        return self.decoder_curves() if self.decoder_floors else self.encoder_curves()

    def encoder_curves(self) -> list[Curve]:
        floor_y = {(floor.side, floor.number): floor.y for floor in self.floors()}
        curves, number = [], self.encoder_floors - 1
        weights = np.asarray(self.encoder_self[number - 1]) if number else np.zeros((0, 0))
        for t, i in np.argwhere(weights >= 2 * MIN_WEIGHT):
            start = self.center_x(i), floor_y["source", number - 1]
            end = self.center_x(t), floor_y["source", number] + BAND_PX
            weight = float(weights[t, i])
            tip = f"{self.source[t]} attends to {self.source[i]}: {weight:.2f}"
            curves.append(Curve(start, end, weight, tip))
        return curves

    def decoder_curves(self) -> list[Curve]:
        floor_y = {(floor.side, floor.number): floor.y for floor in self.floors()}
        curves: list[Curve] = []
        number, position = self.decoder_floors - 1, self.position
        if not number:
            return curves
        end = (self.center_x(position), floor_y["target", number] + BAND_PX)
        for words, side, floor, weights in (
            (self.reads, "target", number - 1, self.decoder_self[number - 1][position]),
            (self.source, "source", len(self.encoder) - 1, self.cross[number - 1][position]),
        ):
            for i in np.flatnonzero(np.asarray(weights) >= MIN_WEIGHT).tolist():
                tip = f"{self.reads[position]} attends to {words[i]}: {weights[i]:.2f}"
                curves.append(Curve((self.center_x(i), floor_y[side, floor]), end, float(weights[i]), tip))
        return curves

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
        for y, words, role, name, current in self.lines_of_words():
            if words:
                canvas.text(LEFT_PX - 10, y, name, SMALL_FONT_PX, "end", class_="quiet")
            self.draw_words(canvas, y, words, role, current, name)
        if self.mark:
            y, words, *_ = self.lines_of_words()[0]
            x, y, word = self.word_positions(y, words)[-1]
            canvas.text(x + text_width(word) / 2 + 14, y, self.mark, font_weight=700)
        end = draw_scale(canvas, LEFT_PX, self.height() - 14, None, self.top)
        canvas.text(end + 16, self.height() - 5, self.legend, SMALL_FONT_PX, "start", class_="quiet")
        return canvas

    def draw_floor(self, canvas: Canvas, floor: Floor) -> None:
        role, words = floor.side, self.source if floor.side == "source" else self.reads
        side = "encoder" if role == "source" else "decoder"
        canvas.text(
            LEFT_PX - 10, floor.y + BAND_PX / 2 - 3, side, SMALL_FONT_PX, "end", style=f"fill:var(--{role})"
        )
        canvas.text(
            LEFT_PX - 10, floor.y + BAND_PX / 2 + 11, floor.name, SMALL_FONT_PX, "end", class_="quiet"
        )
        box = {
            "x": LEFT_PX - 1,
            "y": floor.y - 1,
            "width": floor.columns * self.pitch + 1,
            "height": BAND_PX + 2,
        }
        canvas.add("rect", **box, rx=4, fill="none", stroke=f"var(--{role})", stroke_opacity=0.35)
        if len(floor.values):
            canvas.cells(
                floor.values.T,
                LEFT_PX + 1,
                floor.y,
                self.pitch,
                CELL_PX,
                top=self.top,
                rows=tuple(f"group {n + 1}" for n in range(CELLS)),
                columns=words[: len(floor.values)],
                keys=("group", role),
            )
            newest = self.decoder_floors - 1 == floor.number and role == "target"
            if newest:
                now = {
                    "x": LEFT_PX + self.position * self.pitch,
                    "y": floor.y - 2,
                    "width": self.pitch,
                    "height": BAND_PX + 4,
                }
                canvas.add("rect", **now, rx=4, fill="none", stroke="currentColor", stroke_width=2)
            elif not self.decoder_floors and role == "source" and self.encoder_floors - 1 == floor.number:
                canvas.add("rect", **box, rx=4, fill="none", stroke="currentColor", stroke_width=2)

    def draw_words(
        self, canvas: Canvas, y: float, words: tuple[str, ...], role: str, current: int, name: str
    ) -> None:
        halo = (  # outline that keeps words readable on top of curves
            "paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round"
        )
        canvas.open(style=f"color:var(--{role});{halo}", text_anchor="middle")
        for n, (x, base, short) in enumerate(self.word_positions(y, words)):
            bold, tip = 700 if n == current else None, f"{name}: {words[n]}"
            canvas.add("text", short, x=x, y=base, data_at=f"{role}:{n}", data_tip=tip, font_weight=bold)
        canvas.close()

    def figure(self) -> "mpl.Figure":
        figure, axes = new_slide(self.width, self.height())
        for floor in self.floors():
            side = "encoder" if floor.side == "source" else "decoder"
            name, y = f"{side}\n{floor.name}", floor.y + BAND_PX / 2
            slide_text(axes, LEFT_PX - 10, y, name, SMALL_FONT_PX, ha="right", color=LIGHT[floor.side])
            if len(floor.values):
                draw_slide_cells(axes, floor.values.T, LEFT_PX, floor.y, self.pitch, CELL_PX, None, self.top)
            box = (LEFT_PX, floor.y), floor.columns * self.pitch, BAND_PX
            axes.add_patch(mpl.Rectangle(*box, fill=False, edgecolor=LIGHT[floor.side], linewidth=0.6))
        for curve in self.curves():
            (x1, y1), (x2, y2) = curve.start, curve.end
            s = np.linspace(0, 1, 24)
            across, up = x1 + (x2 - x1) * (3 * s**2 - 2 * s**3), y1 + (y2 - y1) * s
            alpha, linewidth = 0.25 + 0.6 * curve.weight, 0.5 + 4 * curve.weight
            axes.plot(across, up, color=LIGHT["weight"], alpha=alpha, linewidth=linewidth)
        for y, words, role, _, _ in self.lines_of_words():
            for x, base, short in self.word_positions(y, words):
                slide_text(axes, x, base - FONT_PX / 3, short, color=LIGHT[role])
        return figure

    def frame(self) -> DataFrame:
        """Table with one row per computed state."""
        rows = []
        for floor in self.floors():
            words = self.source if floor.side == "source" else self.reads
            side = "encoder" if floor.side == "source" else "decoder"
            for n, cells in enumerate(floor.values):
                rows.append(
                    {"side": side, "floor": floor.name, "position": n + 1, "word": words[n]}
                    | {f"group {k + 1}": v for k, v in enumerate(cells)}
                )
        return DataFrame(rows)
