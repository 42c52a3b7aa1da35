"""Many small attention maps on one grid: layers across, heads down."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SMALL_FONT_PX, Canvas, Picture, cell_strokes, new_figure, num
from lessons.kit.pictures.palette import LIGHT

SHADES = 4  # few shades, so that neighbouring cells share one stroke
LEFT_PX, TOP_PX = 24, 34
MAX_PITCH_PX = 33


@dataclass(frozen=True)
class SmallMaps(Picture):
    can_narrow = True

    weights: Any  # (layers, heads, n, n), rows attend to columns; n ≤ 8 keeps the SVG small
    _: KW_ONLY
    current: tuple[int, int] | None = None  # (layer, head), 0-based
    role: str = "weight"

    @property
    def pitch(self) -> float:
        """Pixels from one map to the next."""
        layers = np.shape(self.weights)[0]
        return min(MAX_PITCH_PX, ((self.wide or 820) - LEFT_PX) / layers)

    def sheet(self) -> np.ndarray:
        """All maps in one array, with an empty row and column after each."""
        weights = np.asarray(self.weights, dtype=float).clip(0, 1)
        framed = np.pad(weights, ((0, 0), (0, 0), (0, 1), (0, 1)))  # (layers, heads, n + 1, n + 1)
        layers, heads, size, _ = framed.shape
        return framed.transpose(1, 2, 0, 3).reshape(heads * size, layers * size)

    def draw(self) -> Canvas:
        weights = np.asarray(self.weights)
        layers, heads, n, _ = weights.shape
        pitch = self.pitch
        canvas = Canvas(LEFT_PX + layers * pitch, TOP_PX + heads * pitch)
        canvas.text(LEFT_PX, 12, "layer", SMALL_FONT_PX, "start", class_="quiet")
        every = 1 if pitch > 16 else 5
        for layer in range(0, layers, every):
            canvas.text(LEFT_PX + (layer + 0.5) * pitch, TOP_PX - 6, str(layer + 1), SMALL_FONT_PX)
        for head in range(heads):
            canvas.text(LEFT_PX - 6, TOP_PX + (head + 0.5) * pitch + 3, str(head + 1), SMALL_FONT_PX, "end")
        cell = pitch / (n + 1)  # between two maps there is a gap of one cell
        side = n * cell
        box = f"h{num(side)}v{num(side)}h-{num(side)}z"
        corners = (
            (LEFT_PX + layer * pitch, TOP_PX + head * pitch) for layer, head in np.ndindex(layers, heads)
        )
        canvas.add("path", d="".join(f"M{num(x)} {num(y)}{box}" for x, y in corners), class_="ground")
        levels = np.rint(self.sheet() * SHADES)
        # the strokes run down the columns, because attention maps have dark columns
        turned = f"matrix(0 {cell:.4f} {cell:.4f} 0 {num(LEFT_PX + cell / 2)} {TOP_PX})"
        canvas.open(stroke=f"var(--{self.role})", stroke_width=1, fill="none", transform=turned)
        for level in range(1, SHADES + 1):
            strokes = cell_strokes((levels == level).T, 0)
            canvas.add("path", d=strokes or None, stroke_opacity=num(level / SHADES))
        canvas.close()
        if self.current:
            layer, head = self.current
            canvas.add(
                "rect",
                x=LEFT_PX + layer * pitch - 2,
                y=TOP_PX + head * pitch - 2,
                width=side + 4,
                height=side + 4,
                fill="none",
                stroke="currentColor",
                stroke_width=2,
            )
        return canvas

    def figure(self) -> "mpl.Figure":
        weights = np.asarray(self.weights)
        layers, heads, n, _ = weights.shape
        figure = new_figure(900, 320)
        axes = figure.add_subplot()
        colours = mpl.LinearSegmentedColormap.from_list("weights", ["white", LIGHT[self.role]])
        axes.imshow(self.sheet(), cmap=colours, vmin=0, vmax=1, interpolation="nearest")
        axes.set_xticks(np.arange(layers) * (n + 1) + n / 2, [str(i + 1) for i in range(layers)], fontsize=6)
        axes.set_yticks(np.arange(heads) * (n + 1) + n / 2, [str(i + 1) for i in range(heads)], fontsize=6)
        axes.set_xlabel("layer")
        axes.set_ylabel("head")
        axes.set_title(self.title, loc="left", parse_math=False)
        return figure

    def summary(self) -> str:
        layers, heads, *_ = np.shape(self.weights)
        now = f" Layer {self.current[0] + 1}, head {self.current[1] + 1} is chosen." if self.current else ""
        return f"{layers * heads} small maps: {layers} layers with {heads} heads each.{now}"

    def frame(self) -> DataFrame:
        """The weights of all maps as a data frame: one row per map and cell, or per group of words."""
        weights = np.asarray(self.weights)
        places = np.array(list(np.ndindex(weights.shape))) + 1
        columns = dict(zip(("layer", "head", "query group", "key group"), places.T, strict=True))
        return DataFrame(columns | {"weight": weights.ravel()})
