"""Lines of words on coloured backgrounds that show a number per word, to compare runs."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.language import translate
from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import FONT_PX, SMALL_FONT_PX, Canvas, Picture, num, shorten, text_width
from lessons.kit.pictures.heatmap import Labels, draw_scale
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text

EMPTY_TEXT = "nothing yet"
MAX_TINT_OPACITY = 0.5  # words stay readable on this background in both themes
DEFAULT_WIDTH_PX, WORD_GAP_PX, MARK_WIDTH_PX = 820, 4, 74  # a mark is “✓ correct” or “✗ wrong”


def quote(word: str) -> str:
    """Quote a word for use in a sentence; if the word is a quotation mark, say so instead."""
    return translate("the mark {word}" if word in ("“", "”") else "“{word}”", word=word)


class Spacing(NamedTuple):
    """Font size and heights in pixels."""

    size: int
    box: int  # height of a word's box
    row: int  # distance between rows
    apart: int  # extra space between two lines


ROOMY, COMPACT = Spacing(FONT_PX, 24, 31, 8), Spacing(SMALL_FONT_PX, 18, 20, 4)


@dataclass(frozen=True)
class TokenLine:
    label: str
    words: Labels
    values: Any = None  # (n,)
    notes: Labels | None = None  # tooltips
    changed: frozenset[int] = frozenset()  # 0-based
    right: bool | None = None  # “✓ correct” or “✗ wrong” after the last word; None if there is no reference
    quiet: bool = False  # drawn less prominently, for the reference line

    @property
    def mark(self) -> str:
        return "" if self.right is None else translate("✓ correct" if self.right else "✗ wrong")


class Word(NamedTuple):
    """A word with its position."""

    line: int
    place: int  # index in the line, 0-based
    words: str  # as drawn, possibly shortened
    x: float
    y: float
    width: float


@dataclass(frozen=True)
class Tokens(Picture):
    can_narrow = True

    lines: tuple[TokenLine, ...]
    _: KW_ONLY
    role: str | None = None  # colour for values 0..top; None for signed values in red and blue
    top: float = 1.0
    key: str = "step"
    first: int = 1  # number of the first word in data-at
    current: int | None = None  # 0-based
    pick: str = ""  # name of the control that a word with a value sets to its number

    @property
    def total_width(self) -> float:
        return self.wide or DEFAULT_WIDTH_PX

    @cached_property
    def spacing(self) -> Spacing:
        return ROOMY if self.fits(0, self.layout_words(ROOMY)[2] + self.scale_height) else COMPACT

    @property
    def baseline(self) -> float:
        """Baseline of the words, measured from the top of their boxes."""
        return self.spacing.box / 2 + self.spacing.size * 0.37

    @property
    def scale_height(self) -> int:
        """Height of the colour scale, 0 if there is none."""
        return 22 if self.has_values() else 0

    def text_left(self) -> float:
        """Left edge of the words, after the labels."""
        return max((min(120, text_width(line.label)) + 12 for line in self.lines if line.label), default=2)

    def layout_words(self, spacing: Spacing) -> tuple[list[Word], list[float], float]:
        """All words, the top of each line, and the total height."""
        words, tops, y = [], [], 4.0
        for n, line in enumerate(self.lines):
            tops.append(y)
            x = self.text_left()
            for i, word in enumerate(line.words):
                shown = shorten(
                    word if word.strip() else "␣", self.total_width - self.text_left() - 12, spacing.size
                )
                width = text_width(shown, spacing.size) + 10
                marked = MARK_WIDTH_PX if line.mark and i == len(line.words) - 1 else 0
                if x + width + marked > self.total_width - 2 and x > self.text_left():
                    x, y = self.text_left(), y + spacing.row
                words.append(Word(n, i, shown, x, y, width))
                x += width + WORD_GAP_PX
            y += spacing.row + spacing.apart
        return words, tops, y - spacing.apart

    def value(self, word: Word) -> float | None:
        values = self.lines[word.line].values
        return None if values is None else float(np.asarray(values, dtype=float)[word.place])

    def tint(self, word: Word) -> float:
        """Value as a fraction of full colour, −1..1."""
        value = self.value(word)
        return 0.0 if value is None or np.isnan(value) else float(np.clip(value / (self.top or 1), -1, 1))

    def tip(self, word: Word) -> str | None:
        line, value = self.lines[word.line], self.value(word)
        if line.notes is not None:
            return line.notes[word.place]
        if value is not None:
            shown = translate("masked") if np.isnan(value) else signed(value)
            return translate("{name}: {value}", name=line.words[word.place], value=shown)
        return line.words[word.place] if word.words != line.words[word.place] else None

    def has_values(self) -> bool:
        return any(line.values is not None for line in self.lines)

    def draw(self) -> Canvas:
        words, tops, height = self.layout_words(self.spacing)
        canvas = Canvas(self.total_width, height + self.scale_height)
        size = self.spacing.size
        for line, y in zip(self.lines, tops, strict=True):
            label = shorten(line.label, 120, size)
            whole = line.label if label != line.label else None
            canvas.text(0, y + self.baseline, label, size, "start", class_="quiet", data_tip=whole)
            if not line.words:
                empty = translate(EMPTY_TEXT)
                canvas.text(self.text_left(), y + self.baseline, empty, size, "start", class_="quiet")
        canvas.open(text_anchor="middle", font_size=None if size == FONT_PX else size)
        for word in words:
            self.draw_word(canvas, word)
        for line, x, y in self.mark_positions(words, tops):
            look = {"style": "fill:var(--weight)" if line.right else None, "font_weight": 700}
            tip = translate("as the truth" if line.right else "not as the truth")
            canvas.add(
                "text",
                line.mark,
                x=x,
                y=y + self.baseline,
                **look,
                data_tip=translate("{name}: {value}", name=line.label, value=tip) if line.label else tip,
            )
        canvas.close()
        if self.has_values():
            draw_scale(canvas, self.text_left(), height + 4, self.role, self.top or 1, MAX_TINT_OPACITY)
        return canvas

    def mark_positions(self, words: list[Word], tops: list[float]) -> list[tuple[TokenLine, float, float]]:
        """Lines with a ✓ or ✗, and the position of this mark after the last word."""
        ends = dict(
            enumerate((self.text_left() + text_width(EMPTY_TEXT, self.spacing.size), y) for y in tops)
        )
        ends |= {word.line: (word.x + word.width, word.y) for word in words}
        return [
            (line, ends[n][0] + MARK_WIDTH_PX / 2, ends[n][1])
            for n, line in enumerate(self.lines)
            if line.mark
        ]

    def draw_word(self, canvas: Canvas, word: Word) -> None:
        changed, now, share = (
            word.place in self.lines[word.line].changed,
            word.place == self.current,
            self.tint(word),
        )
        value, number = self.value(word), self.first + word.place
        can_pick = self.pick and value is not None and not np.isnan(value)
        button = canvas.button(self.pick, str(number)) if can_pick else {}
        canvas.open(data_at=f"{self.key}:{number}", data_tip=self.tip(word), **button)
        if value is not None or changed or now:  # a word without these needs no box
            canvas.add(
                "rect",
                x=word.x,
                y=word.y,
                width=word.width,
                height=self.spacing.box,
                rx=4,
                fill=f"var(--{self.role or ('minus' if share < 0 else 'plus')})",
                fill_opacity=abs(share) * MAX_TINT_OPACITY,
                stroke="currentColor" if changed or now else None,
                stroke_width=2.5 if changed else 1.5 if now else None,
            )
        if value is not None and np.isnan(value):
            across = f"M{num(word.x)} {num(word.y)}l{num(word.width)} {self.spacing.box}"
            canvas.add("path", d=across, stroke="var(--quiet)", class_="masked")
        under = "underline" if changed else None
        quiet = "quiet" if self.lines[word.line].quiet else None
        canvas.add(
            "text",
            word.words,
            x=word.x + word.width / 2,
            y=word.y + self.baseline,
            text_decoration=under,
            class_=quiet,
        )
        canvas.close()

    def figure(self) -> "mpl.Figure":
        words, tops, height = self.layout_words(self.spacing)
        figure, axes = new_slide(self.total_width, height + 4)
        size, high = self.spacing.size, self.spacing.box
        for line, y in zip(self.lines, tops, strict=True):
            slide_text(
                axes, 0, y + high / 2, shorten(line.label, 120, size), size, ha="left", color=LIGHT["quiet"]
            )
        for word in words:
            changed, now, share = (
                word.place in self.lines[word.line].changed,
                word.place == self.current,
                self.tint(word),
            )
            value = self.value(word)
            ground = LIGHT[self.role or ("minus" if share < 0 else "plus")]
            edge = (
                {"edgecolor": LIGHT["ink"], "linewidth": 2 if changed else 1.2}
                if changed or now
                else {"linewidth": 0}
            )
            box = (word.x, word.y), word.width, high
            axes.add_patch(mpl.Rectangle(*box, facecolor=(ground, abs(share) * MAX_TINT_OPACITY), **edge))
            if value is not None and np.isnan(value):
                axes.add_patch(
                    mpl.Rectangle(*box, facecolor="none", edgecolor=LIGHT["line"], linewidth=0, hatch="///")
                )
            ink = LIGHT["quiet" if self.lines[word.line].quiet else "ink"]
            slide_text(axes, word.x + word.width / 2, word.y + high / 2, word.words, size, color=ink)
        for line, x, y in self.mark_positions(words, tops):
            slide_text(axes, x, y + high / 2, line.mark, size, color=LIGHT["weight" if line.right else "ink"])
        return figure

    def summary(self) -> str:
        lines = []
        for line in self.lines:
            words = line.words
            if line.values is not None and len(words) <= summary.MAX_LISTED:
                numbers = np.asarray(line.values, dtype=float)
                words = tuple(f"{w} {signed(v)}" for w, v in zip(words, numbers, strict=True))
            text = (", " if words is not line.words else " ").join(words)
            changed = ", ".join(line.words[i] for i in sorted(line.changed) if i < len(line.words))
            notes = [line.mark, translate("outlined: {words}", words=changed) if changed else ""]
            text = " ".join(filter(None, [text, *notes]))
            lines.append(translate("{name}: {value}", name=line.label, value=text) if line.label else text)
        return summary.join(lines)

    def frame(self) -> DataFrame:
        """Data frame with one row per word."""
        words, _, _ = self.layout_words(self.spacing)
        columns = {
            translate("line"): [self.lines[word.line].label for word in words],
            translate(self.key): [max(self.first, 1) + word.place for word in words],
            translate("token"): [self.lines[word.line].words[word.place] for word in words],
        }
        if self.has_values():
            values = [self.value(word) for word in words]
            columns[translate("value")] = [np.nan if value is None else value for value in values]
        if any(line.notes is not None for line in self.lines):
            columns[translate("note")] = [
                (self.lines[word.line].notes or ("",) * (word.place + 1))[word.place] for word in words
            ]
        if any(line.mark for line in self.lines):
            columns[translate("right")] = [self.lines[word.line].right for word in words]
        columns[translate("changed")] = [word.place in self.lines[word.line].changed for word in words]
        return DataFrame(columns)
