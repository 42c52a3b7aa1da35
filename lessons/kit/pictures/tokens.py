"""Tokens: running text whose ground says a number, one line above the other: the untouched run, and yours."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SIZE, SMALL, Canvas, Picture, num, shorten, width_of
from lessons.kit.pictures.heatmap import Labels, draw_scale
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import page, slide_text

NOTHING = "nothing yet"
UNDER_WORDS = 0.5  # the most colour a word can stand on and still be read, in both themes
WIDE, GAP, MARK = 820, 4, 20  # of all; between two words; for ✓ or ✗


def quoted(word: str) -> str:
    """A word inside a sentence. A quotation mark between two others cannot be read."""
    return f"the mark {word}" if word in ("“", "”") else f"“{word}”"


class Air(NamedTuple):
    """The size of words; heights: of a word's box, from row to row, and what is added between two lines."""

    size: int
    box: int
    row: int
    apart: int


ROOMY, CLOSE = Air(SIZE, 24, 31, 8), Air(SMALL, 18, 20, 4)


@dataclass(frozen=True)
class TokenLine:
    label: str
    words: Labels
    values: Any = None  # (n,)
    notes: Labels | None = None  # tips
    changed: frozenset[int] = frozenset()  # 0-based
    right: bool | None = None  # ✓ or ✗ behind the last word, where the truth is known
    quiet: bool = False  # the truth itself, to hold the other lines against

    @property
    def mark(self) -> str:
        return "" if self.right is None else "✓" if self.right else "✗"


class Word(NamedTuple):
    """A word on its place."""

    line: int
    place: int  # in the line, 0-based
    words: str  # as shown
    x: float
    y: float
    width: float


@dataclass(frozen=True)
class Tokens(Picture):
    can_narrow = True

    lines: tuple[TokenLine, ...]
    _: KW_ONLY
    role: str | None = None  # a role's colour for values 0..top; None for signed values in red and blue
    top: float = 1.0
    key: str = "step"
    first: int = 1  # number of the first word in data-at
    current: int | None = None  # 0-based

    @property
    def widest(self) -> float:
        return self.wide or WIDE

    @cached_property
    def air(self) -> Air:
        return ROOMY if self.fits(0, self.place(ROOMY)[2] + self.foot) else CLOSE

    @property
    def base(self) -> float:
        """Of the words, below the top of their boxes."""
        return self.air.box / 2 + self.air.size * 0.37

    @property
    def foot(self) -> int:
        """The scale."""
        return 22 if self.coloured() else 0

    def left(self) -> float:
        """Where words begin."""
        return max((min(120, width_of(line.label)) + 12 for line in self.lines if line.label), default=2)

    def place(self, air: Air) -> tuple[list[Word], list[float], float]:
        """All words; the top of each line; the height of all."""
        words, tops, y = [], [], 4.0
        for n, line in enumerate(self.lines):
            tops.append(y)
            x = self.left()
            for i, word in enumerate(line.words):
                shown = shorten(word if word.strip() else "␣", self.widest - self.left() - 12, air.size)
                width = width_of(shown, air.size) + 10
                marked = MARK if line.mark and i == len(line.words) - 1 else 0
                if x + width + marked > self.widest - 2 and x > self.left():
                    x, y = self.left(), y + air.row
                words.append(Word(n, i, shown, x, y, width))
                x += width + GAP
            y += air.row + air.apart
        return words, tops, y - air.apart

    def value(self, word: Word) -> float | None:
        values = self.lines[word.line].values
        return None if values is None else float(np.asarray(values, dtype=float)[word.place])

    def share(self, word: Word) -> float:
        """Of full colour, −1..1."""
        value = self.value(word)
        return 0.0 if value is None or np.isnan(value) else float(np.clip(value / (self.top or 1), -1, 1))

    def tip(self, word: Word) -> str | None:
        line, value = self.lines[word.line], self.value(word)
        if line.notes is not None:
            return line.notes[word.place]
        if value is not None:
            return f"{line.words[word.place]}: {'masked' if np.isnan(value) else signed(value)}"
        return line.words[word.place] if word.words != line.words[word.place] else None

    def coloured(self) -> bool:
        return any(line.values is not None for line in self.lines)

    def draw(self) -> Canvas:
        words, tops, height = self.place(self.air)
        canvas = Canvas(self.widest, height + self.foot)
        size = self.air.size
        for line, y in zip(self.lines, tops, strict=True):
            label = shorten(line.label, 120, size)
            whole = line.label if label != line.label else None
            canvas.text(0, y + self.base, label, size, "start", class_="quiet", data_tip=whole)
            if not line.words:
                canvas.text(self.left(), y + self.base, NOTHING, size, "start", class_="quiet")
        canvas.open(text_anchor="middle", font_size=None if size == SIZE else size)
        for word in words:
            self.draw_word(canvas, word)
        for line, x, y in self.marks(words, tops):
            look = {"style": "fill:var(--weight)" if line.right else None, "font_weight": 700}
            tip = "as the truth" if line.right else "not as the truth"
            canvas.add(
                "text",
                line.mark,
                x=x,
                y=y + self.base,
                **look,
                data_tip=f"{line.label}: {tip}".removeprefix(": "),
            )
        canvas.close()
        if self.coloured():
            draw_scale(canvas, self.left(), height + 4, self.role, self.top or 1, UNDER_WORDS)
        return canvas

    def marks(self, words: list[Word], tops: list[float]) -> list[tuple[TokenLine, float, float]]:
        """Every line with ✓ or ✗, and where that stands: behind the last word."""
        ends = dict(enumerate((self.left() + width_of(NOTHING, self.air.size), y) for y in tops))
        ends |= {word.line: (word.x + word.width, word.y) for word in words}
        return [(line, ends[n][0] + MARK / 2, ends[n][1]) for n, line in enumerate(self.lines) if line.mark]

    def draw_word(self, canvas: Canvas, word: Word) -> None:
        changed, now, share = (
            word.place in self.lines[word.line].changed,
            word.place == self.current,
            self.share(word),
        )
        value = self.value(word)
        canvas.open(data_at=f"{self.key}:{self.first + word.place}", data_tip=self.tip(word))
        if value is not None or changed or now:  # else there is nothing to say but the word
            canvas.add(
                "rect",
                x=word.x,
                y=word.y,
                width=word.width,
                height=self.air.box,
                rx=4,
                fill=f"var(--{self.role or ('minus' if share < 0 else 'plus')})",
                fill_opacity=abs(share) * UNDER_WORDS,
                stroke="currentColor" if changed or now else None,
                stroke_width=2.5 if changed else 1.5 if now else None,
            )
        if value is not None and np.isnan(value):
            across = f"M{num(word.x)} {num(word.y)}l{num(word.width)} {self.air.box}"
            canvas.add("path", d=across, stroke="var(--quiet)", class_="masked")
        under = "underline" if changed else None
        quiet = "quiet" if self.lines[word.line].quiet else None
        canvas.add(
            "text",
            word.words,
            x=word.x + word.width / 2,
            y=word.y + self.base,
            text_decoration=under,
            class_=quiet,
        )
        canvas.close()

    def figure(self) -> "mpl.Figure":
        words, tops, height = self.place(self.air)
        figure, axes = page(self.widest, height + 4)
        size, high = self.air.size, self.air.box
        for line, y in zip(self.lines, tops, strict=True):
            slide_text(
                axes, 0, y + high / 2, shorten(line.label, 120, size), size, ha="left", color=LIGHT["quiet"]
            )
        for word in words:
            changed, now, share = (
                word.place in self.lines[word.line].changed,
                word.place == self.current,
                self.share(word),
            )
            value = self.value(word)
            ground = LIGHT[self.role or ("minus" if share < 0 else "plus")]
            edge = (
                {"edgecolor": LIGHT["ink"], "linewidth": 2 if changed else 1.2}
                if changed or now
                else {"linewidth": 0}
            )
            box = (word.x, word.y), word.width, high
            axes.add_patch(mpl.Rectangle(*box, facecolor=(ground, abs(share) * UNDER_WORDS), **edge))
            if value is not None and np.isnan(value):
                axes.add_patch(
                    mpl.Rectangle(*box, facecolor="none", edgecolor=LIGHT["line"], linewidth=0, hatch="///")
                )
            ink = LIGHT["quiet" if self.lines[word.line].quiet else "ink"]
            slide_text(axes, word.x + word.width / 2, word.y + high / 2, word.words, size, color=ink)
        for line, x, y in self.marks(words, tops):
            slide_text(axes, x, y + high / 2, line.mark, size, color=LIGHT["weight" if line.right else "ink"])
        return figure

    def frame(self) -> DataFrame:
        """One line a word."""
        words, _, _ = self.place(self.air)
        columns = {
            "line": [self.lines[word.line].label for word in words],
            self.key: [max(self.first, 1) + word.place for word in words],
            "token": [self.lines[word.line].words[word.place] for word in words],
        }
        if self.coloured():
            columns["value"] = [np.nan if (value := self.value(word)) is None else value for word in words]
        if any(line.notes is not None for line in self.lines):
            columns["note"] = [
                (self.lines[word.line].notes or ("",) * (word.place + 1))[word.place] for word in words
            ]
        if any(line.mark for line in self.lines):
            columns["right"] = [self.lines[word.line].right for word in words]
        columns["changed"] = [word.place in self.lines[word.line].changed for word in words]
        return DataFrame(columns)
