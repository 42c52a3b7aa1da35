"""Texts one below the other, with repeated passages marked."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import (
    FONT_PX,
    SMALL_FONT_PX,
    Canvas,
    Picture,
    element,
    escape,
    shorten,
    text_width,
)
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text

DEFAULT_WIDTH_PX, MAX_LABEL_PX = 820, 120
MIN_WIDTH_FOR_SIDE_LABELS_PX = 400  # in narrower pictures labels are above their texts
TEXT_FIT = 0.94  # corrects `text_width`, which overestimates
TEXT_GAP_PX = 8  # gap between texts


@dataclass(frozen=True)
class Passage:
    words: str
    note: str = ""  # tooltip
    marked: bool = False


@dataclass(frozen=True)
class Text:
    label: str
    passages: tuple[Passage, ...]

    @classmethod
    def of(cls, label: str, sentences: Iterable[str]) -> "Text":
        """Build a text from sentences. Repeated ones are marked; their tooltip shows the count."""
        sentences = tuple(sentences)
        times, before, passages = Counter(sentences), set(), []
        for sentence in sentences:
            note = f"written {times[sentence]} times" if times[sentence] > 1 else ""
            passages.append(Passage(sentence, note, sentence in before))
            before.add(sentence)
        return cls(label, tuple(passages))


Line = list[tuple[str, int]]  # (words, index of their passage)


class Spacing(NamedTuple):
    size: int
    line: int


ROOMY, COMPACT = Spacing(FONT_PX, 19), Spacing(SMALL_FONT_PX, 15)


@dataclass(frozen=True)
class Prose(Picture):
    can_narrow = True

    texts: tuple[Text, ...]
    _: KW_ONLY
    role: str = "target"  # colour of marked passages

    @property
    def total_width(self) -> float:
        return self.wide or DEFAULT_WIDTH_PX

    @cached_property
    def left(self) -> float:
        """Left edge of the texts."""
        labels = [min(MAX_LABEL_PX, text_width(text.label)) for text in self.texts if text.label]
        return max(labels) + 14 if labels and self.total_width >= MIN_WIDTH_FOR_SIDE_LABELS_PX else 0

    def wrap_lines(self, text: Text, size: float) -> list[Line]:
        lines: list[Line] = [[]]
        used, room = 0.0, self.total_width - self.left - 8
        for n, passage in enumerate(text.passages):
            for word in passage.words.split():
                word = shorten(word, room / TEXT_FIT, size)
                wide = TEXT_FIT * text_width(word + " ", size)
                if lines[-1] and used + wide > room:
                    lines.append([])
                    used = 0.0
                if lines[-1] and lines[-1][-1][1] == n:
                    lines[-1][-1] = f"{lines[-1][-1][0]} {word}", n
                else:
                    lines[-1].append((word, n))
                used += wide
        return lines

    @cached_property
    def plot_layout(self) -> tuple[Spacing, list[tuple[float, list[Line]]], float]:
        """Spacing, (top, lines) of each text, and the total height. Text that does not fit ends in “…”."""
        most, above = None, sum(bool(text.label) for text in self.texts) if not self.left else 0
        for spacing in (ROOMY, COMPACT):
            found = [self.wrap_lines(text, spacing.size) for text in self.texts]
            height = spacing.line * (sum(map(len, found)) + above) + TEXT_GAP_PX * max(len(found) - 1, 0) + 6
            if self.fits(0, height):
                break
        else:
            room = (self.tall or height) - 6 - TEXT_GAP_PX * (len(found) - 1) - spacing.line * above
            most = max(1, int(room / spacing.line / len(found)))
        placed, y = [], 2.0
        for text, lines in zip(self.texts, found, strict=True):
            y += spacing.line if text.label and not self.left else 0
            placed.append((y, lines[:most]))
            y += spacing.line * len(lines[:most]) + TEXT_GAP_PX
        return spacing, placed, max(y - TEXT_GAP_PX + 4, spacing.line)

    def draw(self) -> Canvas:
        spacing, placed, height = self.plot_layout
        canvas = Canvas(self.total_width, height)
        canvas.open(font_size=None if spacing.size == FONT_PX else spacing.size)
        for text, (y, lines) in zip(self.texts, placed, strict=True):
            label = shorten(text.label, MAX_LABEL_PX if self.left else self.total_width, spacing.size)
            base = y + 0.72 * spacing.line
            tip = text.label if label != text.label else None
            canvas.add(
                "text", label, x=0, y=base if self.left else base - spacing.line, class_="quiet", data_tip=tip
            )
            for n, line in enumerate(lines):
                rest = self.hidden_text(text, spacing, lines) if n == len(lines) - 1 else ""
                more = element("tspan", " …", class_="quiet", data_tip=rest) if rest else ""
                inner = " ".join(self.passage_svg(text.passages[p], words) for words, p in line) + more
                canvas.parts.append(element("text", inner, x=self.left, y=base + spacing.line * n))
        canvas.close()
        return canvas

    def page_html(self) -> tuple[float, str]:
        """Render as HTML text instead of SVG, so that the browser breaks the lines to fit the window."""
        spacing, placed, _ = self.plot_layout
        inner = ""
        for text, (_, lines) in zip(self.texts, placed, strict=True):
            parts = groupby((part for line in lines for part in line), key=itemgetter(1))
            parts_html = [
                self.passage_html(text.passages[p], " ".join(words for words, _ in part)) for p, part in parts
            ]
            if rest := self.hidden_text(text, spacing, lines):
                parts_html.append(element("span", "…", class_="quiet", data_tip=rest))
            inner += element("dt", escape(text.label)) + element("dd", " ".join(parts_html))
        return self.total_width, element(
            "dl", inner, class_="picture passages", style=f"--size:{spacing.size}px;--line:{spacing.line}px"
        )

    def passage_html(self, passage: Passage, words: str) -> str:
        look = f"color:var(--{self.role});text-decoration:underline" if passage.marked else None
        return element("span", escape(words), style=look, data_tip=passage.note or None)

    def passage_svg(self, passage: Passage, words: str) -> str:
        if not (passage.note or passage.marked):
            return escape(words)
        look = {"style": f"fill:var(--{self.role})", "text_decoration": "underline"} if passage.marked else {}
        return element("tspan", escape(words), data_tip=passage.note or None, **look)

    def hidden_text(self, text: Text, spacing: Spacing, shown: list[Line]) -> str:
        """The text that does not fit into the picture."""
        return " ".join(
            words for line in self.wrap_lines(text, spacing.size)[len(shown) :] for words, _ in line
        )

    def figure(self) -> "mpl.Figure":
        spacing, placed, height = self.plot_layout
        figure, axes = new_slide(self.total_width + 16, height + 32)
        slide_text(axes, 8, 14, self.title, FONT_PX + 1, ha="left")
        for text, (y, lines) in zip(self.texts, placed, strict=True):
            middle = 28 + y + spacing.line / 2
            slide_text(
                axes,
                8,
                middle if self.left else middle - spacing.line,
                text.label,
                spacing.size,
                ha="left",
                color=LIGHT["quiet"],
            )
            for n, line in enumerate(lines):
                x, at = 8 + self.left, middle + spacing.line * n
                for words, p in line:
                    marked = text.passages[p].marked
                    put = slide_text(
                        axes,
                        x,
                        at,
                        words,
                        spacing.size,
                        ha="left",
                        color=LIGHT[self.role if marked else "ink"],
                    )
                    box = put.get_window_extent().transformed(axes.transData.inverted())
                    if marked:
                        axes.plot(
                            [box.x0, box.x1],
                            [at + spacing.size / 2] * 2,
                            color=LIGHT[self.role],
                            linewidth=0.8,
                        )
                    x = box.x1 + text_width(" ", spacing.size)
        return figure

    def frame(self) -> DataFrame:
        """Data frame with one row per passage."""
        rows = [
            (text.label, n, passage.words, passage.marked, passage.note)
            for text in self.texts
            for n, passage in enumerate(text.passages, 1)
        ]
        return DataFrame(rows, columns=["text", "passage", "words", "marked", "note"])
