"""Bars, one per word or unit. They can be dragged, and compared with an original run."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from pandas import DataFrame

from lessons.kit.language import local_number, translate
from lessons.kit.pictures import mpl, palette, summary
from lessons.kit.pictures.base import (
    FONT_PX,
    SMALL_FONT_PX,
    Canvas,
    Picture,
    new_figure,
    num,
    shorten,
    text_width,
)
from lessons.kit.pictures.numbers import signed

ROW_WIDTH_PX, TRACK_HEIGHT_PX = 400, 150  # width of horizontal bars; height of upright bars' tracks
ROW_PITCH_PX, MIN_ROW_PITCH_PX = 20, 17  # distance between rows
MAX_LABEL_PX = 120  # longer labels are shortened
BAR_THICKNESS_PX = 12  # thickness of horizontal bars
LABEL_ANGLE = math.radians(50)  # rotation of labels below narrow upright bars


@dataclass(frozen=True)
class Bars(Picture):
    """Horizontal bars with labels and values, or upright bars. NaN is drawn as a hatched track."""

    can_narrow = True

    values: Any  # (n,)
    labels: tuple[str, ...]
    _: KW_ONLY
    role: str | None = "weight"  # None: signed, zero in the middle
    top: float = 1.0  # value of a full track, the same for all settings of a control
    keys: tuple[str, ...] | None = None  # data-at of each bar
    compare: Any = None  # (n,) values of the original run, drawn as ticks
    compare_names: tuple[str, str] = ("yours", "untouched")
    changed: frozenset[int] = frozenset()
    handle: str | None = None  # the control that a dragged bar sets
    low: float = 0  # range in which a bar can be dragged
    high: float = 1
    upright: bool = False
    digits: int = 2
    greyed: frozenset[int] = frozenset()
    label_role: str | None = None
    cut: int | tuple[int, ...] = ()  # draw a dashed line after this number of bars, or after each of these
    pick: tuple[str, tuple[str, ...]] | None = None  # (control, values): choosing bar i sets value i

    @property
    def ends(self) -> tuple[float, float]:
        """Values at the ends of a track; zero is always between them."""
        low, high = (-self.top if self.role is None else 0), self.top
        return (min(low, self.low), max(high, self.high)) if self.handle else (low, high)

    @property
    def cuts(self) -> tuple[int, ...]:
        return (self.cut,) if isinstance(self.cut, int) else self.cut

    def draw(self) -> Canvas:
        values, compare = as_vector(self.values), None if self.compare is None else as_vector(self.compare)
        texts = [signed(value, self.digits) for value in values]
        layout = self.layout_columns(texts) if self.upright else self.layout_rows(texts)
        canvas = Canvas(layout.width, layout.height)
        if not len(values):
            canvas.text(
                layout.width / 2, layout.height / 2 + 5, translate("nothing to show yet"), class_="quiet"
            )
            return canvas
        canvas.open(style="font-variant-numeric:tabular-nums", text_anchor=None if self.upright else "end")
        if compare is not None:
            self.draw_legend(canvas, layout)
        if self.upright:
            for end in {*self.ends, 0}:
                canvas.text(
                    layout.across - 6,
                    layout.to_pixels(end) + 4,
                    local_number(f"{end:g}").replace("-", "−"),
                    SMALL_FONT_PX,
                    "end",
                    class_="quiet",
                )
        if self.ends[0] < 0:
            canvas.add(
                "line",
                **layout.line(0, layout.centre(-0.5), layout.centre(len(values) - 0.5)),
                stroke="var(--quiet)",
            )
        for i, (value, label, text) in enumerate(zip(values, self.labels, texts, strict=True)):
            shown = translate("masked") if np.isnan(value) else text
            tip = translate("{name}: {value}", name=label, value=shown)
            if compare is not None and not np.isnan(compare[i]):
                tip += f", {self.compare_names[1]} {signed(compare[i], self.digits)}"
            button = canvas.button(self.pick[0], self.pick[1][i]) if self.pick else {}
            canvas.open(data_tip=tip, data_at=self.keys[i] if self.keys else None, **button)
            self.draw_bar(canvas, layout, i, value, None if compare is None else compare[i])
            self.draw_words(canvas, layout, i, text)
            canvas.close()
        for cut in self.cuts:
            (x1, y1), (x2, y2) = (
                layout.point(end, layout.centre(cut - 0.5)) for end in (layout.start, layout.end)
            )
            canvas.add(
                "line",
                x1=x1,
                y1=y1,
                x2=x2,
                y2=y2,
                stroke="currentColor",
                stroke_width=1.5,
                stroke_dasharray="5 4",
            )
        canvas.close()
        return canvas

    def draw_bar(
        self, canvas: Canvas, layout: "BarLayout", i: int, value: float, before: float | None
    ) -> None:
        """Draw the track of bar i, the bar and the tick of the original run."""
        centre, low, high = layout.centre(i), *self.ends
        outline = {"stroke": "currentColor", "stroke_width": 2.5} if i in self.changed else {}
        canvas.add(
            "rect", class_="ground", **layout.box(low, high, centre, layout.thickness + 2), rx=2, **outline
        )
        tone = "quiet" if i in self.greyed else self.role or ("plus" if value >= 0 else "minus")
        if np.isnan(value):
            canvas.add("path", class_="masked", d=layout.hatching(centre), stroke="var(--quiet)")
        elif not self.handle:
            shown = float(np.clip(value, low, high))
            opacity = 0.35 if i in self.greyed else 0.6 + 0.4 * abs(shown) / max(abs(low), abs(high))
            canvas.add(
                "rect",
                **layout.box(0, shown, centre, layout.thickness),
                rx=2,
                fill=f"var(--{tone})",
                fill_opacity=opacity,
            )
        if before is not None and not np.isnan(before):
            reach = layout.thickness / 2 + 3
            ends = layout.line(before, centre - reach, centre + reach)
            across = f"H{num(ends['x2'])}" if self.upright else f"V{num(ends['y2'])}"
            canvas.add("path", class_="was", d=f"M{num(ends['x1'])} {num(ends['y1'])}{across}")
        if self.handle and not np.isnan(value):
            start, unit = layout.point(layout.to_pixels(0), centre), layout.point(layout.unit, 0)
            value = float(np.clip(value, self.low, self.high))
            canvas.handle(
                self.handle,
                i,
                start,
                unit,
                [value],
                self.low,
                self.high,
                self.handle_label(i),
                tone,
                layout.thickness,
            )

    def handle_label(self, i: int) -> str:
        """The label of bar i, with its number if another bar has the same label."""
        label = self.labels[i]
        return label if self.labels.count(label) == 1 else f"{label} ({i + 1})"

    def draw_words(self, canvas: Canvas, layout: "BarLayout", i: int, text: str) -> None:
        """Draw the label of bar i, and its value if there is room."""
        centre = layout.centre(i)
        style = [f"fill:var(--{self.label_role})"] if self.label_role and i not in self.greyed else []
        style += ["font-weight:600;text-decoration:underline"] if i in self.changed else []
        look: dict[str, Any] = {
            "style": ";".join(style) or None,
            "class_": "quiet" if i in self.greyed else None,
        }
        label = shorten(self.labels[i], layout.label_width)
        if not self.upright:
            canvas.add("text", label, x=layout.start - (13 if self.handle else 8), y=centre + 4.5, **look)
            canvas.add("text", text, x=layout.width - 2, y=centre + 4.5, class_="quiet")
            return
        x, y = centre, layout.start + 16
        if layout.slanted:
            turn = f"rotate({num(-math.degrees(LABEL_ANGLE))} {num(x + 4)} {num(y)})"
            canvas.text(x + 4, y, label, FONT_PX, "end", transform=turn, **look)
        else:
            canvas.text(x, y, label, **look)
        if layout.values:
            canvas.text(x, layout.end - 6, text, SMALL_FONT_PX, class_="quiet")

    def draw_legend(self, canvas: Canvas, layout: "BarLayout") -> None:
        own, original = (shorten(name, 90) for name in self.compare_names)
        x, y = layout.across if self.upright else layout.start, 11
        canvas.add("rect", x=x, y=y - 5, width=14, height=10, rx=2, fill=f"var(--{self.role or 'quiet'})")
        canvas.text(x + 20, y + 4.5, own, anchor="start", class_="quiet")
        x += 44 + text_width(own)
        canvas.add("line", x1=x, y1=y - 8, x2=x, y2=y + 8, stroke="currentColor", stroke_width=2)
        canvas.text(x + 8, y + 4.5, original, anchor="start", class_="quiet")

    def layout_rows(self, texts: list[str]) -> "BarLayout":
        bold = 1.1 if self.handle else 1.0  # the label of a dragged bar is bold
        label = min(max([28, *(bold * text_width(label) for label in self.labels)]), MAX_LABEL_PX)
        value = max(text_width(text) for text in [*texts, *(signed(end, self.digits) for end in self.ends)])
        head, count, width = (
            (26 if self.compare is not None else 3),
            max(len(texts), 1),
            self.wide or ROW_WIDTH_PX,
        )
        pitch = (
            max(MIN_ROW_PITCH_PX, min(ROW_PITCH_PX, (self.tall - head - 3) / count))
            if self.tall
            else ROW_PITCH_PX
            if count <= 20
            else MIN_ROW_PITCH_PX
        )
        thickness = BAR_THICKNESS_PX + min(0.0, (pitch - ROW_PITCH_PX) / 1.5)
        return BarLayout(
            False,
            width,
            head + pitch * count + 3,
            round(label) + 18,  # whole pixels keep the SVG short
            round(width - value) - 14,
            self.ends,
            head,
            pitch,
            thickness,
            label,
        )

    def layout_columns(self, texts: list[str]) -> "BarLayout":
        widths = [*map(text_width, self.labels)]
        pitch = min(max((370 if self.wide is None else self.wide - 50) / max(len(texts), 1), 20), 56)
        slanted = max(widths, default=0) > pitch - 4
        label = MAX_LABEL_PX if slanted else pitch
        reach = (
            [
                min(width, MAX_LABEL_PX) * math.cos(LABEL_ANGLE) - (i + 0.5) * pitch
                for i, width in enumerate(widths)
            ]
            if slanted
            else []
        )
        across = max([8 + max(text_width(f"{end:g}", SMALL_FONT_PX) for end in self.ends), *reach]) + 4
        foot = min(max(widths, default=0), MAX_LABEL_PX) * math.sin(LABEL_ANGLE) + 22 if slanted else 24
        end = 24 + (26 if self.compare is not None else 0)  # y of the top of the tracks
        start = end + (max(TRACK_HEIGHT_PX / 2, self.tall - end - foot) if self.tall else TRACK_HEIGHT_PX)
        values = max((text_width(text, SMALL_FONT_PX) for text in texts), default=0) <= pitch - 3
        width = max(across + pitch * len(texts) + 6, 240)
        thickness = min(pitch - 6, 26)
        return BarLayout(
            True, width, start + foot, start, end, self.ends, across, pitch, thickness, label, slanted, values
        )

    def figure(self) -> "mpl.Figure":
        values, compare = as_vector(self.values), None if self.compare is None else as_vector(self.compare)
        n, (low, high) = len(values), self.ends
        figure = new_figure(*((max(420, 34 * n), 320) if self.upright else (560, 70 + 26 * n)))
        axes, places, heights = figure.add_subplot(), np.arange(n), np.clip(np.nan_to_num(values), low, high)
        tones = [palette.LIGHT[self.role or ("plus" if value >= 0 else "minus")] for value in values]
        tones = [palette.LIGHT["line"] if i in self.greyed else tone for i, tone in enumerate(tones)]
        edges = [palette.LIGHT["ink"] if i in self.changed else "none" for i in range(n)]
        draw, ticks = (axes.bar, "|_") if self.upright else (axes.barh, "_|")
        draw(places, heights, 0.7, color=tones, edgecolor=edges, linewidth=2, label=self.compare_names[0])
        masked = places[np.isnan(values)]
        draw(
            masked,
            np.full(len(masked), high),
            0.7,
            fill=False,
            hatch="////",
            edgecolor=palette.LIGHT["line"],
            linewidth=0,
        )
        if compare is not None:
            at = (places, compare) if self.upright else (compare, places)
            mark = {"marker": ticks[1], "markersize": 14, "markeredgewidth": 2}
            axes.plot(*at, linestyle="none", color=palette.LIGHT["ink"], label=self.compare_names[1], **mark)
            axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
        ink = palette.LIGHT[self.label_role or "ink"]
        names = [shorten(label, 200) for label in self.labels]
        if self.upright:
            axes.set_xticks(
                places, names, rotation=50, ha="right", rotation_mode="anchor", color=ink, parse_math=False
            )
            axes.set_ylim(low, high)
        else:
            axes.set_yticks(places, names, color=ink, parse_math=False)
            axes.set_xlim(low, high)
            axes.invert_yaxis()
            for place, value in zip(places, values, strict=True):
                axes.text(
                    1.01, place, signed(value, self.digits), transform=axes.get_yaxis_transform(), va="center"
                )
        if low < 0:
            (axes.axhline if self.upright else axes.axvline)(0, color=palette.LIGHT["quiet"], linewidth=1)
        for cut in self.cuts:
            (axes.axvline if self.upright else axes.axhline)(
                cut - 0.5, color=palette.LIGHT["ink"], linestyle="--"
            )
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(self.title, loc="left", parse_math=False)
        return figure

    def summary(self) -> str:
        values = as_vector(self.values)
        masked = translate("masked")
        texts = [masked if np.isnan(value) else signed(value, self.digits) for value in values]
        if self.compare is not None:
            before = [signed(value, self.digits) for value in as_vector(self.compare)]
            name = self.compare_names[1]
            texts = [
                text if text == old else f"{text} ({name} {old})"
                for text, old in zip(texts, before, strict=True)
            ]
        return summary.list_values(self.labels, values, texts)

    def frame(self) -> DataFrame:
        if self.compare is None:
            return DataFrame({translate("label"): self.labels, translate("value"): as_vector(self.values)})
        own, original = self.compare_names
        return DataFrame(
            {translate("label"): self.labels, own: as_vector(self.values), original: as_vector(self.compare)}
        )


@dataclass(frozen=True)
class BarLayout:
    """Positions of bars in pixels. Values run `along` a track; bars follow each other `across` the tracks."""

    upright: bool
    width: float
    height: float
    start: float  # along: the first value of a track
    end: float  # along: its last value
    ends: tuple[float, float]
    across: float  # across: start of the first bar
    pitch: float
    thickness: float
    label_width: float
    slanted: bool = False
    values: bool = True  # whether there is room for the values beside the tracks

    @property
    def unit(self) -> float:
        """Pixels per unit."""
        return (self.end - self.start) / (self.ends[1] - self.ends[0])

    def to_pixels(self, value: float) -> float:
        return self.start + (min(max(value, self.ends[0]), self.ends[1]) - self.ends[0]) * self.unit

    def centre(self, i: float) -> float:
        return self.across + (i + 0.5) * self.pitch

    def point(self, along: float, across: float) -> tuple[float, float]:
        return (across, along) if self.upright else (along, across)

    def line(self, value: float, first: float, last: float) -> dict[str, float]:
        """Coordinates of a line across the track at a value."""
        (x1, y1), (x2, y2) = (self.point(self.to_pixels(value), end) for end in (first, last))
        return {"x1": x1, "y1": y1, "x2": x2, "y2": y2}

    def box(self, low: float, high: float, centre: float, thickness: float) -> dict[str, float]:
        first, last = sorted((self.to_pixels(low), self.to_pixels(high)))
        (x, y), (width, height) = (
            self.point(first, centre - thickness / 2),
            self.point(last - first, thickness),
        )
        return {"x": x, "y": y, "width": width, "height": height}

    def hatching(self, centre: float) -> str:
        side, (first, last) = self.thickness, sorted((self.start, self.end))
        points = [self.point(along, centre - side / 2) for along in np.arange(first, last - side, 10)]
        return "".join(f"M{num(x)} {num(y)}l{num(side)} {num(side)}" for x, y in points)


def as_vector(values: Any) -> np.ndarray:
    return np.asarray(values, dtype=float).ravel()
