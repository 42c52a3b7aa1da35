"""Attention maps of all heads of one kind, as small multiples."""

from collections import defaultdict
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import SMALL_FONT_PX, Canvas, Picture, num
from lessons.kit.pictures.heatmap import draw_scale
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text
from lessons.transformer.sheets import draw_slide_cells

MAP_PX, PITCH_PX = 84, 94  # longer side of a map; distance between maps
LEFT_PX, TOP_PX = 52, 22  # margins for the names of layers and heads
LEVELS = 8  # levels of opacity; in cells of a few pixels, more cannot be distinguished


@dataclass(frozen=True)
class HeadMaps(Picture):
    """Small attention maps, one row per layer; clicking a map sets the controls `layer` and `head`."""

    maps: Any  # (layers, heads, rows, columns)
    notes: tuple[tuple[str, ...], ...]  # tooltips, by layer and head
    _: KW_ONLY
    chosen: tuple[int, int]  # layer and head, 0-based

    @property
    def map_size(self) -> tuple[float, float]:
        """Width and height of one map, proportional to the sentence lengths."""
        rows, columns = np.shape(self.maps)[2:]
        unit = MAP_PX / max(rows, columns, 1)
        return unit * columns, unit * rows

    @property
    def layer_pitch(self) -> float:
        """Distance between layers, in pixels."""
        return self.map_size[1] + PITCH_PX - MAP_PX

    def origin(self, layer: int, head: int) -> tuple[float, float]:
        return LEFT_PX + head * PITCH_PX, TOP_PX + layer * self.layer_pitch

    @property
    def width(self) -> float:
        return LEFT_PX + np.shape(self.maps)[1] * PITCH_PX - PITCH_PX + MAP_PX + 4

    @property
    def height(self) -> float:
        return TOP_PX + len(self.maps) * self.layer_pitch + 18

    def draw(self) -> Canvas:
        canvas, (layers, heads) = Canvas(self.width, self.height), np.shape(self.maps)[:2]
        width, height = self.map_size
        for head in range(heads):
            canvas.text(
                self.origin(0, head)[0],
                TOP_PX - 8,
                f"head {head + 1}",
                SMALL_FONT_PX,
                "start",
                class_="quiet",
            )
        for layer in range(layers):
            canvas.text(
                LEFT_PX - 8,
                self.origin(layer, 0)[1] + height / 2 + 4,
                f"layer {layer + 1}",
                SMALL_FONT_PX,
                "end",
                class_="quiet",
            )
            canvas.open(data_pick="layer", data_value=str(layer + 1))  # a click on a map sets its layer too
            for head in range(heads):
                (x, y), note = self.origin(layer, head), self.notes[layer][head]
                canvas.open(data_tip=note, aria_label=note, **canvas.button("head", str(head + 1)))
                self.draw_map(canvas, np.asarray(self.maps)[layer, head], x, y)
                if (layer, head) == self.chosen:
                    box = {"x": x - 3, "y": y - 3, "width": width + 6, "height": height + 6}
                    canvas.add("rect", **box, rx=4, fill="none", stroke="currentColor", stroke_width=2.5)
                canvas.close()
            canvas.close()
        draw_scale(canvas, LEFT_PX, self.height - 12, "weight", 1.0)
        return canvas

    def draw_map(self, canvas: Canvas, weights: np.ndarray, x: float, y: float) -> None:
        (rows, columns), (width, height) = weights.shape, self.map_size
        canvas.add("rect", x=x, y=y, width=width, height=height, class_="ground")
        levels = np.rint(np.nan_to_num(weights) * LEVELS).astype(int)
        origin = f"translate({num(x)} {num(y + height / rows / 2)})"
        scale = f"scale({width / columns:.3f} {height / rows:.3f})"
        canvas.open(transform=f"{origin} {scale}", fill="none", stroke="var(--weight)")
        paths: defaultdict[int, str] = defaultdict(str)  # opacity level → path
        for row, column in np.argwhere(levels).tolist():
            paths[int(levels[row, column])] += f"M{column} {row}h1"
        for level, path in sorted(paths.items()):
            canvas.add("path", d=path, stroke_width=1, stroke_opacity=level / LEVELS)
        canvas.close()

    def figure(self) -> "mpl.Figure":
        figure, axes = new_slide(self.width, self.height)
        width, height = self.map_size
        for layer, head in np.ndindex(np.shape(self.maps)[:2]):
            (x, y), weights = self.origin(layer, head), np.asarray(self.maps)[layer, head]
            if layer == 0:
                slide_text(
                    axes, x, TOP_PX - 12, f"head {head + 1}", SMALL_FONT_PX, ha="left", color=LIGHT["quiet"]
                )
            if head == 0:
                slide_text(
                    axes,
                    LEFT_PX - 8,
                    y + height / 2,
                    f"layer {layer + 1}",
                    SMALL_FONT_PX,
                    ha="right",
                    color=LIGHT["quiet"],
                )
            draw_slide_cells(
                axes, weights, x, y, width / weights.shape[1], height / weights.shape[0], "weight", 1.0
            )
            edge = (
                {"edgecolor": LIGHT["ink"], "linewidth": 2}
                if (layer, head) == self.chosen
                else {"edgecolor": LIGHT["line"]}
            )
            axes.add_patch(mpl.Rectangle((x, y), width, height, fill=False, **edge))
        return figure

    def summary(self) -> str:
        return summary.join(note for layer in self.notes for note in layer)

    def frame(self) -> DataFrame:
        """Table with one row per head and its note."""
        heads = list(np.ndindex(np.shape(self.maps)[:2]))
        return DataFrame(
            {
                "layer": [layer + 1 for layer, _ in heads],
                "head": [head + 1 for _, head in heads],
                "note": [self.notes[layer][head] for layer, head in heads],
            }
        )
