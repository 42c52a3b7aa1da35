"""A recurrent network unrolled in time: words, hidden states and arrows, step by step.

`Unrolled` computes all positions as a `Sketch` of strokes, strips and labels, which becomes SVG or a figure.
"""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import ceil
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.language import translate
from lessons.kit.pictures import summary
from lessons.kit.pictures.base import FONT_PX, SMALL_FONT_PX, shorten, text_width
from lessons.kit.pictures.numbers import signed, subscript
from lessons.kit.pictures.sketch import (
    FAINT_OPACITY,
    STRIP_WIDTH_PX,
    Label,
    Mark,
    Point,
    Sketch,
    SketchPicture,
    Strip,
    Stroke,
    cell_height,
    vertical_curve,
)

Labels = tuple[str, ...]

ARROW_OFFSET_PX = 5  # offset of bidirectional arrows from the middle
MIN_DRAWN_WEIGHT = 0.005  # smaller weights are drawn as hairlines, all in one path
MAX_PITCH_PX, DEFAULT_WIDTH_PX = 84, 860  # distance between columns; width for up to 14 tokens


class Spacing(NamedTuple):
    """Sizes in pixels, mostly vertical."""

    size: int  # font size
    line: int  # height of a line of words
    reach: int  # length of the arrows to and from words
    rows: int  # gap between two chains
    layers: int  # gap between two layers
    context: tuple[int, int]  # space above and below the context
    weighted: tuple[int, int]  # space above and below the context if attention curves are drawn
    weights: int  # gap between two chains with attention curves but no context
    near: int  # minimum distance between columns
    cell: int = 16  # maximum height of a cell

    @property
    def bold(self) -> float:
        """Font size for measuring words as bold, so that they do not move when their step becomes current."""
        return 1.1 * self.size


ROOMY = Spacing(FONT_PX, 17, 20, 28, 34, (40, 40), (26, 84), 96, 40)
COMPACT = Spacing(SMALL_FONT_PX, 13, 13, 10, 16, (18, 16), (15, 0), 0, 34)
# strips and curves shrink together; the first spacing that fits is used
LOWER = ((cell, (15, 12 * cell - 6), 12 * cell + 8) for cell in (8, 7, 6, 5, 4, 3))
SPACINGS = (
    ROOMY,
    *(COMPACT._replace(cell=cell, weighted=under, weights=alone) for cell, under, alone in LOWER),
)


@dataclass(frozen=True)
class Chain:
    """One recurrent layer: a word and a state per step."""

    name: str
    words: Labels  # inputs below the strips; or outputs above them if role is "target" without `outputs`
    states: np.ndarray  # (T, k)
    role: str = "source"
    outputs: Labels | None = None  # shown above the strips
    start: np.ndarray | None = None  # (k,) h_0, before the first step
    inputs: np.ndarray | None = None  # (T, P) embeddings of the words
    fed_back: bool = False  # the output of step t is the input of step t+1
    used: frozenset[int] | None = None  # steps whose state is used; the others are drawn faintly
    key: str = "step"
    first: int = 1
    linked: bool = True  # each state depends on the previous one; False for self-attention
    both_ways: bool = False  # bidirectional: each state also depends on the next one

    @cached_property
    def vectors(self) -> np.ndarray:
        return as_table(self.states)

    @property
    def writes(self) -> bool:
        return self.role == "target" and self.outputs is None

    def word(self, step: int) -> str:
        return visible_token(self.words[step]) if step < len(self.words) else ""

    def output(self, step: int) -> str:
        return visible_token(self.outputs[step]) if self.outputs and step < len(self.outputs) else ""

    def at(self, step: int) -> str:
        return f"{self.key}:{self.first + step}"

    def number(self, step: int) -> int:
        """Step number as in equations, from 1."""
        return step + max(self.first, 1)

    def symbol(self, step: int) -> str:
        """Symbol of a state: h₃, or s₃ in a decoder."""
        return ("s" if self.role == "target" else "h") + subscript(self.number(step))


@dataclass(frozen=True)
class SideWords:
    """The words on one side of a chain. If neighbours would touch, they alternate between two lines."""

    words: Labels
    pitch: int
    spacing: Spacing

    @cached_property
    def lines(self) -> int:
        return (
            1 + any(text_width(word, self.spacing.bold) > self.pitch - 6 for word in self.words)
            if any(self.words)
            else 0
        )

    @property
    def tall(self) -> int:
        return self.spacing.line * self.lines

    def shown(self, step: int) -> str:
        return shorten(self.words[step], 2 * self.pitch - 8, self.spacing.bold)

    def away(self, step: int) -> int:
        """Distance between a word and the line of words nearest to the strips."""
        return self.spacing.line * (step % 2) if self.lines == 2 else 0


@dataclass(frozen=True)
class Row:
    """A chain with its vertical positions, from top to bottom."""

    chain: Chain
    place: int  # index in Unrolled.chains
    now: int | None  # current step, if it is marked in this chain
    above: SideWords
    below: SideWords
    top: int  # top of the row
    strips: int
    under: int  # bottom of the strips
    inputs: int
    words: int  # y of the words below the strips
    bottom: int  # bottom of the row

    @property
    def steps(self) -> range:
        return range(len(self.chain.vectors))

    @property
    def middle(self) -> float:
        return (self.strips + self.under) / 2

    @property
    def ceiling(self) -> int:
        """y coordinate of the bottom of the words above the strips."""
        return self.top + self.above.tall

    def later(self, step: int) -> bool:
        return self.now is not None and step > self.now

    def faint(self, step: int) -> bool:
        return self.later(step) or (self.chain.used is not None and step not in self.chain.used)


@dataclass(frozen=True)
class Unrolled(SketchPicture):
    chains: tuple[Chain, ...]  # bottom to top
    _: KW_ONLY
    current: int | None = None  # current step of the last chain, from 0; later steps are faint
    context: np.ndarray | None = None  # (k,) drawn as a strip between the last two chains
    weights: np.ndarray | None = None  # (T,) attention of the current step to each state below
    arrows: tuple[str, str] | None = None  # labels of the lowest chain's arrows: ("W_hh", "W_xh")
    upward: bool = False  # layers: each chain reads the states of the chain below
    top: float = 1.0  # value shown at full colour
    cells: int = 8  # maximum per strip; if there are more units, groups of them are averaged
    every: bool = False  # whether the context is an input of every step above, not only of the first
    spacing: Spacing = ROOMY  # chosen to fit the size

    @property
    def full_description(self) -> str:
        wide = max((chain.vectors.shape[1] for chain in self.chains), default=0)
        averaged = translate(
            "A strip of {cells} cells stands for {n} numbers: each cell is the mean of its neighbours.",
            cells=self.cells,
            n=wide,
        )
        return f"{self.description} {averaged if wide > self.cells else ''}".strip()

    def summary(self) -> str:
        chains = []
        for chain in self.chains:
            words = " ".join(chain.word(t) for t in range(len(chain.words)))
            outputs = " ".join(chain.output(t) for t in range(len(chain.outputs or ())))
            if text := " → ".join(filter(str.strip, (words, outputs))):
                chains.append(translate("{name}: {value}", name=translate(chain.name), value=text))
        if self.weights is not None and len(self.chains) > 1 and np.isfinite(self.weights).any():
            below, at = self.chains[-2], int(np.nanargmax(self.weights))
            template = "largest attention weight: {weight} on {word}"
            chains.append(translate(template, weight=signed(self.weights[at]), word=below.word(at)))
        return summary.join(chains)

    def frame(self) -> DataFrame:
        """Data frame with one row per number: inputs, states, context, weights."""
        rows: list[tuple[str, str, int | None, str, str, int, float]] = []

        def add(
            values: Any,
            quantity: str,
            chain: str = "",
            step: int | None = None,
            word: str = "",
            output: str = "",
        ) -> None:
            rows.extend(
                (chain, quantity, step, word, output, unit, float(value))
                for unit, value in enumerate(np.ravel(values), 1)
            )

        for chain in self.chains:
            if chain.start is not None:
                add(chain.start, "state", chain.name, chain.number(-1))
            for quantity, vectors in (("input", as_table(chain.inputs)), ("state", chain.vectors)):
                for t, vector in enumerate(vectors):
                    add(vector, quantity, chain.name, chain.number(t), chain.word(t), chain.output(t))
        if self.context is not None:
            add(self.context, "context")
        for t, weight in enumerate(np.ravel(self.weights) if self.weights is not None else ()):
            seen = self.chains[-2:][0]
            add(weight, "weight", seen.name, seen.number(t), seen.word(t))
        names = ("chain", "quantity", "step", "word", "output", "unit", "value")
        frame = DataFrame(rows, columns=names).astype({"step": "Int64"})
        return frame.rename(columns=translate)

    # ---- layout ----

    def sketch(self) -> Sketch:
        closer = (replace(self, spacing=spacing) for spacing in SPACINGS)
        return next(
            (one for one in closer if one.fits(0, one._height)), replace(self, spacing=SPACINGS[-1])
        )._sketch()

    @cached_property
    def _height(self) -> int:
        rows = self._rows
        if not rows:
            return ROOMY.line
        # names may be taller than the strips
        names = self.spacing.line * len(self._titles[0] + self._note) / 2
        return ceil(max(rows[-1].bottom, rows[-1].middle + names) + 4)

    def _sketch(self) -> Sketch:
        rows = self._rows  # rows from top to bottom
        marks: list[Mark] = [mark for row in rows for mark in self._arrows(row)]
        if self.upward:
            marks += [mark for upper, lower in pairwise(rows) for mark in self._layer_arrows(lower, upper)]
        if self._gap:
            marks += self._between(rows[1], rows[0])
        for row in rows:
            marks += [*self._strips(row), *self._words(row), *self._names(row), *self._title(row)]
        width = self._left + (self._columns - 1) * self._pitch + self._margin
        return Sketch(width, self._height, tuple(marks))

    @cached_property
    def _rows(self) -> list[Row]:
        rows, y, spacing = [], 10 if self.spacing == ROOMY else 3, self.spacing
        for place, chain in reversed([*enumerate(self.chains)]):
            last = place == len(self.chains) - 1
            above, below = self._sides[place]
            reach = spacing.reach + 8 * (self.arrows is not None and place == 0) + 6 * chain.fed_back
            strips = y + (above.tall + reach - 4 if above.lines else 0)
            under = strips + self._strip_height(chain.vectors)
            inputs = under + (reach if below.lines or chain.inputs is not None else 0)
            words = inputs + (
                self._strip_height(as_table(chain.inputs)) + 4 if chain.inputs is not None else 0
            )
            bottom = max(
                words + below.tall, under + spacing.line * (chain.start is not None and not above.lines)
            )
            now = self.current if last or self.upward else None
            rows.append(Row(chain, place, now, above, below, y, strips, under, inputs, words, bottom))
            y = bottom + (
                self._gap if last and self._gap else spacing.layers if self.upward else spacing.rows
            )
        return rows

    @cached_property
    def _sides(self) -> list[tuple["SideWords", "SideWords"]]:
        """The words above and below each chain; there are none between layers."""
        sides = []
        for place, chain in enumerate(self.chains):
            words, outputs = (
                tuple(word(t) for t in range(len(chain.vectors))) for word in (chain.word, chain.output)
            )
            if self.upward:
                above, below = outputs if place == len(self.chains) - 1 else (), words if place == 0 else ()
            else:
                above, below = (words, ()) if chain.writes else (outputs, words)
            sides.append(
                (SideWords(above, self._pitch, self.spacing), SideWords(below, self._pitch, self.spacing))
            )
        return sides

    @cached_property
    def _has_start(self) -> bool:
        """Whether there is a column for h_0."""
        return any(chain.start is not None for chain in self.chains)

    @cached_property
    def _columns(self) -> int:
        return max(1, max((len(chain.vectors) for chain in self.chains), default=0) + self._has_start)

    @cached_property
    def _titles(self) -> tuple[Labels, ...]:
        """Names of the chains, each in at most two lines (three for a bidirectional chain)."""
        titles = []
        for chain in self.chains:
            name = chain.name.removesuffix(" reads") + " reads both ways" if chain.both_ways else chain.name
            lines = wrap(translate(name), 11)
            max_cell_px = 3 if chain.both_ways else 2
            lines = [*lines[: max_cell_px - 1], " ".join(lines[max_cell_px - 1 :])]
            titles.append(tuple(shorten(line, 96, self.spacing.size) for line in lines if line))
        return tuple(titles)

    @cached_property
    def _note(self) -> Labels:
        """Note below the lowest name that cells are means of several units, if so."""
        units = self.chains[0].vectors.shape[1] if self.chains and self._titles[0] else 0
        if units <= self.cells:
            return ()
        return translate("{n} numbers,", n=units), translate("averaged to {cells}", cells=self.cells)

    @cached_property
    def _title_width(self) -> int:
        """Width of the chain names on the left."""
        names = [text_width(line, self.spacing.size) for lines in self._titles for line in lines]
        return ceil(max([*names, *(text_width(line, SMALL_FONT_PX) for line in self._note)], default=-8) + 8)

    @cached_property
    def _pitch(self) -> int:
        """Distance between two columns, in whole pixels for a sharp and short SVG."""
        near = max(
            [self.spacing.near, *(STRIP_WIDTH_PX + 2 + symbol_width(name) for name in self.arrows or ())]
        )
        return int(
            max(
                near,
                min(
                    ((self.wide or DEFAULT_WIDTH_PX) - self._title_width) / (self._columns + 1), MAX_PITCH_PX
                ),
            )
        )

    @cached_property
    def _margin(self) -> int:
        """Margin left and right of the columns: half the maximum width of a word."""
        crowded = any(words.lines == 2 for sides in self._sides for words in sides)
        return self._pitch if crowded else self._pitch // 2

    @cached_property
    def _left(self) -> int:
        """x of the first column."""
        return self._title_width + (self._pitch // 2 if self._has_start else self._margin)

    def _x(self, step: int) -> int:
        return self._left + (step + self._has_start) * self._pitch

    def _strip_height(self, vectors: np.ndarray) -> int:
        size = min(vectors.shape[1], self.cells)
        return size * min(self.spacing.cell, cell_height(size))

    @cached_property
    def _gap(self) -> int:
        """Height between the last two chains if there is a context or weights."""
        if len(self.chains) < 2 or (self.context is None and self.weights is None):
            return 0
        if self.context is None:
            return self.spacing.weights
        return self._strip_height(as_table([self.context])) + sum(
            self.spacing.context if self.weights is None else self.spacing.weighted
        )

    # ---- the parts ----

    def _arrow(self, row: Row, step: int, *points: Point, dashed: bool = False) -> Stroke:
        return Stroke(
            points, row.chain.role, opacity=FAINT_OPACITY if row.later(step) else 0.85, dashed=dashed
        )

    def _arrows(self, row: Row) -> list[Stroke]:
        """Arrows between time steps, to and from words, and from an output to the next input."""
        chain, side, arrows = row.chain, STRIP_WIDTH_PX / 2 + 3, []
        for t in row.steps:
            x = self._x(t)
            before, here, y = x - self._pitch + side, x - side, row.middle
            if chain.linked and (t or chain.start is not None):
                arrows.append(
                    self._arrow(
                        row,
                        t,
                        (before, y - ARROW_OFFSET_PX * chain.both_ways),
                        (here, y - ARROW_OFFSET_PX * chain.both_ways),
                    )
                )
            if chain.both_ways and t:
                arrows.append(self._arrow(row, t, (here, y + ARROW_OFFSET_PX), (before, y + ARROW_OFFSET_PX)))
            if chain.inputs is not None:
                arrows.append(self._arrow(row, t, (x, row.inputs - 3), (x, row.under + 3)))
            elif row.below.lines and row.below.words[t]:
                arrows.append(self._arrow(row, t, (x, row.words - 1 + row.below.away(t)), (x, row.under + 3)))
            if row.above.lines and row.above.words[t]:
                arrows.append(self._arrow(row, t, (x, row.strips - 3), (x, row.ceiling - row.above.away(t))))
            if chain.fed_back and row.above.lines and t:
                start = self._x(t - 1) + 5, row.ceiling + 2
                arrows.append(self._arrow(row, t, start, *self._return(row, x, start), dashed=True))
        # sorted so that each kind becomes one path
        return sorted(arrows, key=lambda arrow: (arrow.dashed, -arrow.opacity))

    def _return(self, row: Row, x: float, start: Point) -> tuple[Point, Point, Point]:
        """The path from an output to the next input: between two columns, or above them."""
        if not row.below.lines:
            return (x - self._pitch / 2, start[1]), (x - 6, start[1]), (x - 6, row.strips - 3)
        if row.chain.inputs is None:
            end: Point = x - 4, row.words - 3
        else:
            end = x - STRIP_WIDTH_PX / 2 - 3, (row.inputs + row.words - 4) / 2
        return (x - self._pitch / 2 + 10, start[1]), (x - self._pitch / 2 - 10, end[1]), end

    def _layer_arrows(self, lower: Row, upper: Row) -> Iterator[Stroke]:
        """Arrows from the states of one layer to the layer above."""
        for t in range(min(len(lower.steps), len(upper.steps))):
            yield self._arrow(upper, t, (self._x(t), lower.strips - 3), (self._x(t), upper.under + 3))

    def _between(self, lower: Row, upper: Row) -> Iterator[Stroke | Strip | Label]:
        """Lines from the states below to a step above: through a context, through weights, or both."""
        below, above, last = lower.chain, upper.chain, len(upper.steps) - 1
        now = max(0, last if self.current is None else min(self.current, last))
        entry = now if self.weights is not None or self.every else 0 if above.start is None else -1
        end = upper.bottom + 3  # y at which the lines end
        meeting: Point = self._x(entry), end
        if self.context is not None:
            strip = self._context(lower, upper, entry)
            for t in sorted(
                {entry, *(upper.steps if self.every and self.weights is None else ())},
                key=lambda t: t == entry,
            ):
                look: dict[str, Any] = (
                    {"width": 2.5}
                    if t == entry
                    else {"opacity": FAINT_OPACITY / 2 if upper.later(t) else 0.5}
                )
                yield Stroke(vertical_curve(strip.x, strip.y - 3, self._x(t), end), "context", **look)
            yield strip
            tall = strip.cell_px * len(strip.values)
            symbol = "c" if self.weights is None else "c" + subscript(above.number(entry))
            yield Label(
                strip.x - STRIP_WIDTH_PX / 2 - 6,
                strip.y + tall / 2 + 5,
                symbol,
                "context",
                self.spacing.size,
                "end",
                bold=True,
            )
            meeting = strip.x, strip.y + tall + 3
        if self.weights is None:
            yield Stroke(
                vertical_curve(self._x(max(len(lower.steps) - 1, 0)), lower.top - 3, *meeting),
                "context",
                width=2.5,
            )
            return
        curves = [
            (w, i)
            for w, i in zip(np.ravel(self.weights).tolist(), lower.steps, strict=False)
            if not np.isnan(w)
        ]
        for weight, i in sorted(curves, key=lambda curve: curve[0] >= MIN_DRAWN_WEIGHT):
            share = min(max(weight, 0.0), 1.0) if weight >= MIN_DRAWN_WEIGHT else 0.0
            look = {"width": 0.75 + 9.25 * share, "opacity": 0.25 + 0.6 * share, "head": False}
            says: dict[str, Any] = (
                {
                    "tip": translate("α = {weight} for “{word}”", weight=signed(weight), word=below.word(i)),
                    "at": below.at(i),
                }
                if share
                else {}
            )
            yield Stroke(vertical_curve(self._x(i), lower.top - 3, *meeting), "weight", **says, **look)

    def _context(self, lower: Row, upper: Row, entry: int) -> Strip:
        """Strip of the context: between both chains, or below its step if there are weights."""
        vector = as_table([self.context])
        values = pool_units(vector, self.cells)[0]
        tip = translate("Context: {values}", values=format_values(values, vector.shape[1]))
        if self.weights is not None:
            return Strip(
                self._x(entry),
                upper.bottom + self.spacing.weighted[0],
                values,
                self.top,
                "context",
                tip,
                max_cell_px=self.spacing.cell,
            )
        x = (self._x(max(len(lower.steps) - 1, 0)) + self._x(0)) // 2
        return Strip(
            x,
            upper.bottom + self.spacing.context[0],
            values,
            self.top,
            "context",
            tip,
            max_cell_px=self.spacing.cell,
        )

    def _strips(self, row: Row) -> Iterator[Strip]:
        chain = row.chain
        prefix = f"{chain.name}: " if self.upward and chain.name else ""
        units, inputs = chain.vectors.shape[1], as_table(chain.inputs)
        if chain.start is not None:
            values = pool_units(as_table([chain.start]), self.cells)[0]
            tip = f"{prefix}{chain.symbol(-1)} before the first step: {format_values(values, units)}"
            yield Strip(
                self._x(-1),
                row.strips,
                values,
                self.top,
                chain.role,
                tip,
                chain.at(-1),
                dashed=True,
                max_cell_px=self.spacing.cell,
            )
        for t, values in enumerate(pool_units(chain.vectors, self.cells)):
            name = f"{prefix}{chain.symbol(t)}{self._word_context(chain, t)}"
            tip = translate("{name}: {value}", name=name, value=format_values(values, units))
            look: dict[str, Any] = {
                "faint": row.faint(t),
                "bold": t == row.now,
                "max_cell_px": self.spacing.cell,
            }
            yield Strip(self._x(t), row.strips, values, self.top, chain.role, tip, chain.at(t), **look)
        for t, values in zip(row.steps, pool_units(inputs, self.cells), strict=False):
            tip = f"x{subscript(chain.number(t))}: {format_values(values, inputs.shape[1])}"
            look = {"faint": row.later(t), "max_cell_px": self.spacing.cell}
            yield Strip(self._x(t), row.inputs, values, self.top, "quiet", tip, chain.at(t), **look)

    def _word_context(self, chain: Chain, step: int) -> str:
        """Words that are read and written at a step, for its tooltip."""
        word, output = (self.chains[0] if self.upward else chain).word(step), chain.output(step)
        template = " writes “{word}”" if chain.writes else " after “{word}”"
        read = translate(template, word=word) if word else ""
        return read + (translate(", then “{word}”", word=output) if output else "")

    def _words(self, row: Row) -> Iterator[Label]:
        chain, size = row.chain, self.spacing.size
        if chain.start is not None:
            base = row.strips - 7 if row.above.lines else row.under + size + 1
            yield Label(self._x(-1), base, chain.symbol(-1), chain.role, size)
        for side, base, way in (
            (row.above, row.ceiling - (self.spacing.line - size + 1), -1),
            (row.below, row.words + size - 1, 1),
        ):
            role = "target" if side is row.above else chain.role  # words above the strips are outputs
            for t, word in enumerate(side.words if side.lines else ()):
                shown = side.shown(t)
                place = self._x(t), base + way * side.away(t), shown, role, size
                tip = word if shown != word else None
                yield Label(*place, tip=tip, at=chain.at(t), faint=row.later(t), bold=t == row.now)

    def _names(self, row: Row) -> Iterator[Label]:
        """Labels naming the weights on the arrows; labels with the same name are highlighted together."""
        along, into = self.arrows if self.arrows and row.place == 0 else ("", "")
        between, enters = row.chain.linked, row.below.lines or row.chain.inputs is not None
        aside = row.chain.fed_back * min(
            14, (self._pitch - STRIP_WIDTH_PX - symbol_width(along)) // 2
        )  # leave space for the arrow of an output
        high = row.middle - 6 - ARROW_OFFSET_PX * row.chain.both_ways
        places = [
            (self._x(t) - self._pitch / 2 - aside, high, t, along, "middle") for t in row.steps if between
        ]
        places = places if row.chain.start is not None else places[1:]
        places += [
            (self._x(t) + 6, row.under + self.spacing.size + 5, t, into, "start") for t in row.steps if enters
        ]
        for x, y, t, name, anchor in places:
            if name:
                look: dict[str, Any] = {
                    "size": self.spacing.size,
                    "anchor": anchor,
                    "symbol": True,
                    "faint": row.later(t),
                }
                yield Label(
                    x, y, name, "quiet", tip=f"{name}, the same at every step", at=f"weight:{name}", **look
                )

    def _title(self, row: Row) -> Iterator[Label]:
        lines, note, line = self._titles[row.place], () if row.place else self._note, self.spacing.line - 1
        y = row.middle + 5 - line * (len(lines) + len(note) - 1) / 2
        for n, words in enumerate(lines):
            yield Label(2, y + line * n, words, row.chain.role, self.spacing.size, "start")
        for n, words in enumerate(note, len(lines)):
            yield Label(2, y + line * n, words, "quiet", SMALL_FONT_PX, "start")


# ---- helpers ----


def as_table(vectors: Any) -> np.ndarray:
    """Convert to an array (T, k); None and empty lists are allowed."""
    array = np.asarray([] if vectors is None else vectors, dtype=float)
    return array.reshape(len(array), -1) if array.size else np.zeros((len(array), 0))


def pool_units(vectors: np.ndarray, cells: int) -> np.ndarray:
    """Average neighbouring units: (T, k) → (T, at most `cells`)."""
    if vectors.shape[1] <= cells:
        return vectors
    with np.errstate(invalid="ignore"):  # ∞ − ∞ is NaN
        return np.stack([part.mean(1) for part in np.array_split(vectors, cells, axis=1)], 1)


def format_values(shown: np.ndarray, units: int) -> str:
    """Format the numbers of a strip, at most eight."""
    numbers = " ".join(map(signed, shown[:8].tolist())) + (" …" if len(shown) > 8 else "")
    if units <= len(shown):
        return numbers
    return translate("{numbers} (means of {units})", numbers=numbers, units=units)


def visible_token(word: str) -> str:
    return {" ": "␣", "\n": "⏎"}.get(word, word)


def symbol_width(name: str) -> float:
    words, _, below = name.partition("_")
    return text_width(words) + text_width(below, SMALL_FONT_PX)
