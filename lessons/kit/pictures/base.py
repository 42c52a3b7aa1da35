"""The base of all pictures: Picture with its three outputs, Canvas that builds SVG, and text measurement.

A Picture is a frozen dataclass. `svg()` is for the page, `figure()` a matplotlib Figure for slides, `frame()`
the numbers. `wide` and `tall` are its maximum size in pixels: the layout gets denser to fit, but no font is
smaller than SMALL_FONT_PX. Charts (Curves, Bars) fill their width; other pictures are only as large as they
need to be.

The page's script (assets/js) reads these attributes, so hovering and dragging do not wait for the server:
    data-tip="…"           tooltip of a mark under the pointer, or reached with the arrow keys
    data-at="step:3 …"     keys; a mark is highlighted with all marks of the experiment that share a key
    data-grid='{…}'        a whole grid of cells, see `Canvas.cells`
    data-handle="name"     a mark that can be dragged, see `Canvas.handle`
    data-pick="name"       a mark that can be chosen: it sets the control of that name to data-value
    data-cell="name"       a number that can be edited in the picture, see `matrix.Edit`
"""

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl, palette
from lessons.kit.pictures.numbers import signed

FONT_PX = 13
SMALL_FONT_PX = 11
DENSE_ROW_COUNT = 40  # with more rows, cells are drawn without gaps
OPACITY_LEVELS = 20  # finer steps would not be visible


@dataclass(frozen=True)
class Picture(ABC):
    _: KW_ONLY
    title: str  # shown above the picture
    description: str = ""  # for screen readers
    wide: float | None = None  # maximum width in pixels
    tall: float | None = None  # maximum height in pixels
    can_narrow: ClassVar[bool] = False  # True for charts and words, not for tables and diagrams

    @abstractmethod
    def draw(self) -> "Canvas": ...

    @abstractmethod
    def figure(self) -> "mpl.Figure": ...

    @abstractmethod
    def frame(self) -> DataFrame: ...

    def fits(self, width: float, height: float) -> bool:
        return width <= (self.wide or math.inf) and height <= (self.tall or math.inf)

    @property
    def full_description(self) -> str:
        """The description, plus the picture's own notes on how to read it."""
        return self.description

    def summary(self) -> str:
        """What the picture shows, in words (summary.py)."""
        return ""

    def spoken(self, standalone: bool = False) -> str:
        """What a screen reader says instead of the picture; on the page, the title stands above it."""
        title = self.title if self.title.endswith((".", "?", "!", "…")) else f"{self.title}."
        words = " ".join(part for part in (self.full_description, self.summary()) if part)
        return f"{title} {words}".strip() if standalone or not words else words

    def narrowed(self, width: float) -> "Picture":
        """The picture laid out for a narrow window.

        A picture that cannot get narrower is unchanged; the page scrolls it.
        """
        if not self.can_narrow:
            return self
        narrow = replace(self, wide=min(self.wide or width, width))
        return narrow if narrow.page_html()[0] <= width else self

    def page_html(self) -> tuple[float, str]:
        """Natural width and HTML of the picture."""
        canvas = self.draw()
        return canvas.width, canvas.markup(self.spoken())

    def svg(self, standalone: bool = False) -> str:
        """Render as SVG for the page, or standalone with its own colours and fonts."""
        return self.draw().markup(self.spoken(standalone=True), standalone)


class Canvas:
    """An SVG under construction. All texts and attributes are escaped."""

    def __init__(self, width: float, height: float):
        self.width, self.height = width, height
        self.parts: list[str] = []
        self.role = "img"  # becomes "group" if something in it can be dragged

    def add(self, tag: str, words: str | None = None, /, **attributes: Any) -> None:
        self.parts.append(element(tag, None if words is None else subscripts_svg(words), **attributes))

    def text(
        self, x: float, y: float, words: str, size: float = FONT_PX, anchor: str = "middle", **attributes: Any
    ) -> None:
        self.add(
            "text",
            words,
            x=x,
            y=y,
            font_size=None if size == FONT_PX else size,
            text_anchor=anchor,
            **attributes,
        )

    def open(self, **attributes: Any) -> None:
        """Open an SVG group, which `close` closes."""
        self.parts.append(element("g", "", **attributes).removesuffix("</g>"))

    def close(self) -> None:
        self.parts.append("</g>")

    def cells(
        self,
        values: Any,  # (rows, columns); NaN is hatched
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        rows: Sequence[str],
        columns: Sequence[str],
        keys: tuple[str, str] = ("row", "column"),
        role: str | None = None,  # colour for values 0..1; None for signed values in red and blue
        top: float = 1.0,  # value with full colour, the same for all settings of a control
        hatched: str = "masked",  # tooltip of NaN
    ) -> None:
        """Draw a grid of cells: one path per shade, so that the SVG stays small with a thousand cells."""
        values = np.asarray(values, dtype=float)
        masked = ~np.isfinite(values)
        share = np.clip(np.where(masked, 0, values) / top, -1, 1)
        levels = np.rint(share * OPACITY_LEVELS).astype(int)
        # a hundredth of the scale is precise enough for tooltips
        unit = 10 ** math.floor(math.log10(top)) / 100
        grid = {
            "x": round(x, 2),
            "y": round(y, 2),
            "w": round(width, 3),
            "h": round(height, 3),
            "rows": [str(row) for row in rows],
            "columns": [str(column) for column in columns],
            "keys": keys,
            "unit": unit,
            "values": [
                None if m else round(v / unit)
                for v, m in zip(values.ravel().tolist(), masked.ravel(), strict=True)
            ],
        }
        # “masked” is the default of the page's script
        grid |= {} if hatched == "masked" else {"hatched": hatched}
        self.open(data_grid=json.dumps(grid, ensure_ascii=False, separators=(",", ":")))
        gap = 0.06 if len(values) <= DENSE_ROW_COUNT else 0  # gap between cells, as a fraction of a cell
        place = f"translate({num(x)} {num(y + height / 2)}) scale({num(width)} {num(height)})"
        self.open(transform=place, fill="none", stroke_width=1 - gap)
        box = f"M{num(-gap / 2)} -.5h{values.shape[1]}v{values.shape[0]}h-{values.shape[1]}z"
        self.add("path", d=box, class_="ground", stroke="none")
        for sign, tone in ((-1, role or "minus"), (1, role or "plus")):
            if found := [level for level in np.unique(levels[~masked]) if level * sign > 0]:
                self.open(stroke=f"var(--{tone})")
                for level in found:
                    self.add(
                        "path",
                        d=cell_strokes((levels == level) & ~masked, gap),
                        stroke_opacity=num(abs(level) / OPACITY_LEVELS),
                    )
                self.close()
        if masked.any():
            marks = "".join(f"M{c} {num(r - 0.47)}l.94 .94" for r, c in np.argwhere(masked))
            self.add("path", d=marks, stroke="var(--quiet)", stroke_width=0.06, class_="masked")
        self.close()
        self.close()

    def handle(
        self,
        control: str,
        index: int,
        start: tuple[float, float],
        unit: tuple[float, float],
        value: Sequence[float],
        low: float,
        high: float,
        label: str,
        role: str = "weight",
        thick: float = 3,
    ) -> None:
        """Draw a mark to drag: a stem from `start` with a knob at its end.

        `unit`: pixels per 1, along x and y.

        One value makes a bar (in the direction whose unit is not 0), two values make an arrow. The tooltip
        belongs to the group around it.
        """
        self.role = "group"
        both = list(value) if len(value) == 2 else [value[0], value[0]]
        tip = [start[i] + both[i] * unit[i] for i in (0, 1)]
        self.open(
            class_="handle",
            tabindex=0,
            role="slider",
            aria_label=label,
            aria_valuenow=f"{value[0]:.2f}",
            aria_valuetext=", ".join(signed(v) for v in value) if len(value) == 2 else None,
            aria_valuemin=low or None,  # 0 if not given
            aria_valuemax=high,
            data_handle=control,
            data_index=index,
            data_unit=f"{num(unit[0])} {num(unit[1])}",
            stroke=f"var(--{role})",
            stroke_width=thick,
        )
        ends = {"x1": start[0], "y1": start[1], "x2": tip[0], "y2": tip[1]}
        self.add("line", class_="stem", **ends)
        self.add("circle", class_="knob", cx=tip[0], cy=tip[1], r=7)
        self.close()

    def button(self, control: str, value: str) -> dict[str, Any]:
        """Attributes of a group that sets a control to a value when clicked."""
        self.role = "group"
        return {"class_": "pick", "role": "button", "tabindex": 0, "data_pick": control, "data_value": value}

    def markup(self, spoken: str, standalone: bool = False) -> str:
        width, height = num(self.width), num(self.height)
        head = f'<svg class="picture" viewBox="0 0 {width} {height}" role="{self.role}"'
        head += f' aria-label="{escape(spoken)}"'
        if standalone:
            style = f"svg{{{palette.variables(0)}color:var(--ink);background:var(--paper)}}" + PICTURE_CSS
            head += (
                f' xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><style>{style}</style'
            )
        return f"{head}>{''.join(self.parts)}</svg>"


PICTURE_CSS = (
    ".picture{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    ".picture text{fill:currentColor}.picture .ground{fill:currentColor;fill-opacity:.05}"
    ".picture text.quiet{fill:var(--quiet)}.picture .knob{fill:var(--paper);stroke-width:2.5}"
    ".picture .was{stroke:currentColor;stroke-width:2}"
)


def cell_strokes(cells: np.ndarray, gap: float) -> str:
    """Path with a horizontal stroke per cell; without gaps, one per run of cells."""
    if gap:
        return "".join(f"M{c} {r}h{num(1 - gap)}" for r, c in np.argwhere(cells).tolist())
    edges = np.zeros((len(cells), cells.shape[1] + 1), dtype=np.int8)
    edges[:, :-1] += cells
    edges[:, 1:] -= cells
    starts, ends = np.argwhere(edges == 1).tolist(), np.argwhere(edges == -1).tolist()
    return "".join(f"M{c} {r}h{end - c}" for (r, c), (_, end) in zip(starts, ends, strict=True))


@lru_cache(maxsize=1 << 13)
def element(tag: str, inner: str | None = None, /, **attributes: Any) -> str:
    """An SVG element: `stroke_width=2` becomes stroke-width="2", None is left out.

    Cached, because most elements of a picture are the same after a control moves.
    """
    written = "".join(
        [
            f' {attribute_name(name)}="{escape(value) if isinstance(value, str) else num(value)}"'
            for name, value in attributes.items()
            if value is not None
        ]
    )
    return f"<{tag}{written}/>" if inner is None else f"<{tag}{written}>{inner}</{tag}>"


@lru_cache(maxsize=256)
def attribute_name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


UNSAFE = re.compile("[^ !#$%(-;=?-~]")  # characters that may need escaping
INVALID_IN_XML = (*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)
ESCAPES = dict.fromkeys(INVALID_IN_XML) | str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
)


def escape(words: str) -> str:
    """Escape text for SVG and HTML; remove the control characters that XML forbids."""
    return words.translate(ESCAPES) if UNSAFE.search(words) else words


@lru_cache(maxsize=4096)
def num(value: float) -> str:
    """Format a number with at most two decimals and no trailing zeros, to keep pictures small."""
    text = f"{float(value):.2f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


# ---- text in pictures ----

# a single letter with a subscript: W_hh, h_{t-1}, c_t
SUBSCRIPT = re.compile(r"(?<=\b[^\W\d_])_(\{[^{}]*\}|[A-Za-z0-9]{1,2}\b)")


def split_subscripts(words: str) -> list[str]:
    """Split text at subscripts: W_hh → W, hh; h_{t-1} → h, t−1. Every second part is a subscript."""
    parts = SUBSCRIPT.split(words)
    return [part.strip("{}").replace("-", "−") if i % 2 else part for i, part in enumerate(parts)]


def subscripts_svg(words: str) -> str:
    """The content of an SVG text element, with subscripts."""
    if "_" not in words:
        return escape(words)
    inner, was_subscript = "", False
    for i, part in enumerate(split_subscripts(words)):
        if part:
            shift = {"dy": 4 if i % 2 else -4} if (i % 2 == 1) != was_subscript else {}
            inner += element("tspan", escape(part), font_size=SMALL_FONT_PX if i % 2 else None, **shift)
            was_subscript = i % 2 == 1
    return inner


NARROW_LETTERS, WIDE_LETTERS = set("ijlt.,:;'’|!()[] \u00a0fr"), set("mwMW@%—…−<>=+")


@lru_cache(maxsize=4096)
def text_width(words: str, size: float = FONT_PX) -> float:
    """Estimate the width of a text in pixels; too large rather than too small."""
    ems = (
        (
            0.4
            if c in NARROW_LETTERS
            else 0.98
            if c in WIDE_LETTERS
            else 1.1
            if ord(c) > 0x2E7F
            else 0.75
            if c.isupper()
            else 0.64
        )
        for c in words
    )
    return size * sum(ems)


def shorten(words: str, room: float, size: float = FONT_PX) -> str:
    """Shorten the text with an ellipsis if it is wider than `room` pixels."""
    if text_width(words, size) <= room:
        return words
    while words and text_width(words + "…", size) > room:
        words = words[:-1]
    return words + "…"


# ---- for slides ----


def new_figure(width: float, height: float) -> "mpl.Figure":
    """Create a matplotlib figure of about this size in pixels, without pyplot's global state."""
    figure = mpl.Figure(
        figsize=(max(width, 240) / 90, max(height, 160) / 90),
        dpi=180,
        layout="constrained",
        facecolor="white",
    )
    mpl.FigureCanvasAgg(figure)
    return figure
