"""Pictures of a drawing on a grid with attention weights on its patches: paintable, or one per word."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from pandas import DataFrame

from lessons.kit.language import translate
from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import SMALL_FONT_PX, Canvas, Picture, num, shorten
from lessons.kit.pictures.heatmap import Labels
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text

MAX_OPACITY = 0.75  # maximum opacity of a weight, so that cells below stay visible
MIN_WEIGHT = 0.01  # smaller weights are not drawn
INK_OPACITY = 0.85
PIXEL_PX, MAX_PIXEL_PX = 20, 30
MAP_CELL_PX, MAP_GAP_PX, MAP_LABEL_PX = 8, 14, 22


class Place(NamedTuple):
    """Corner and cell size of a grid in pixels."""

    x: float
    y: float
    size: float


@dataclass(frozen=True)
class PixelGrid(Picture):
    """One drawing. With `control` its cells can be painted; `weights` lie on its patches."""

    cells: Any  # (R, C), 0: empty, 1: filled
    weights: Any  # (patches,) row by row
    _: KW_ONLY
    patch: int = 2  # cells per side of a patch
    control: str = ""  # name of a Pixels control
    changed: bool = False  # the learner has moved the weights

    @property
    def place(self) -> Place:
        rows, columns = np.shape(self.cells)
        size = min(
            (self.wide or PIXEL_PX * columns + 2) / columns,
            (self.tall or PIXEL_PX * rows + 2) / rows,
            MAX_PIXEL_PX,
        )
        return Place(1, 1, int(size * 10) / 10 - 0.2)

    def draw(self) -> Canvas:
        cells, place = np.asarray(self.cells), self.place
        rows, columns = cells.shape
        canvas = Canvas(columns * place.size + 2, rows * place.size + 2)
        if self.control:
            draw_paintable_cells(canvas, cells, place, self.control)
        else:
            draw_cells(canvas, cells, place)
        draw_weights(canvas, self.weights, columns // self.patch, place, self.patch)
        if self.changed:
            frame = {"width": columns * place.size, "height": rows * place.size}
            canvas.add("rect", x=1, y=1, **frame, fill="none", stroke="currentColor", stroke_width=2)
        return canvas

    def figure(self) -> "mpl.Figure":
        canvas = self.draw()
        figure, axes = new_slide(canvas.width, canvas.height)
        slide_grid(axes, np.asarray(self.cells), self.weights, self.patch, self.place)
        return figure

    def summary(self) -> str:
        rows, columns = np.shape(self.cells)
        size = translate(
            "{rows} rows of {columns} cells, {filled} filled.",
            rows=rows,
            columns=columns,
            filled=int(np.sum(self.cells)),
        )
        largest = largest_patch(self.weights, columns // self.patch)
        return f"{size} {summary.join([largest.capitalize()])}"

    def frame(self) -> DataFrame:
        return patch_table(
            np.asarray(self.cells), [np.asarray(self.weights)], (translate("weight"),), self.patch
        )


@dataclass(frozen=True)
class PatchMaps(Picture):
    """The same drawing once per word, with the weights of this word; choosing one sets a control."""

    can_narrow = True

    cells: Any  # (R, C)
    maps: Any  # (words, patches)
    words: Labels
    _: KW_ONLY
    patch: int = 2
    current: int | None = None  # 0-based
    pick: str = ""  # name of the control that a map sets to its number, from 1

    @property
    def side(self) -> float:
        return np.shape(self.cells)[1] * MAP_CELL_PX

    @property
    def per_row(self) -> int:
        room = (self.wide or 860) + MAP_GAP_PX - 4
        return max(1, int(room // (self.side + MAP_GAP_PX)))

    def places(self) -> list[Place]:
        high = np.shape(self.cells)[0] * MAP_CELL_PX + MAP_LABEL_PX + 8
        return [
            Place(
                2 + (n % self.per_row) * (self.side + MAP_GAP_PX),
                MAP_LABEL_PX + (n // self.per_row) * high,
                MAP_CELL_PX,
            )
            for n in range(len(self.words))
        ]

    def draw(self) -> Canvas:
        cells, places = np.asarray(self.cells), self.places()
        rows = np.shape(self.cells)[0]
        canvas = Canvas(
            max((place.x for place in places), default=0) + self.side + 4,
            max((place.y for place in places), default=0) + rows * MAP_CELL_PX + 6,
        )
        for n, (word, place) in enumerate(zip(self.words, places, strict=True)):
            button = canvas.button(self.pick, str(n + 1)) if self.pick else {}
            canvas.open(
                data_at=f"word:{n + 1}",
                aria_label=translate("word {n}: {word}", n=n + 1, word=word) if button else None,
                **button,
            )
            weight = "bold" if n == self.current else None
            canvas.text(
                place.x + self.side / 2,
                place.y - 7,
                shorten(word, self.side + 8),
                fill="var(--target)",
                font_weight=weight,
            )
            canvas.add(
                "rect", x=place.x, y=place.y, width=self.side, height=rows * place.size, class_="ground"
            )
            draw_cells(canvas, cells, place)
            draw_weights(canvas, self.maps[n], cells.shape[1] // self.patch, place, self.patch)
            if n == self.current:
                frame = {"width": self.side + 2, "height": rows * place.size + 2}
                canvas.add(
                    "rect",
                    x=place.x - 1,
                    y=place.y - 1,
                    **frame,
                    fill="none",
                    stroke="currentColor",
                    stroke_width=1.5,
                )
            canvas.close()
        return canvas

    def figure(self) -> "mpl.Figure":
        canvas = self.draw()
        figure, axes = new_slide(canvas.width, canvas.height)
        for word, weights, place in zip(self.words, self.maps, self.places(), strict=True):
            slide_grid(axes, np.asarray(self.cells), weights, self.patch, place)
            slide_text(axes, place.x + self.side / 2, place.y - 10, word, SMALL_FONT_PX)
        return figure

    def summary(self) -> str:
        across = np.shape(self.cells)[1] // self.patch
        maps = zip(self.words, np.asarray(self.maps), strict=True)
        return summary.join(
            translate("{name}: {value}", name=word, value=largest_patch(weights, across))
            for word, weights in maps
        )

    def frame(self) -> DataFrame:
        names = tuple(f"{n}: {word}" for n, word in enumerate(self.words, start=1))
        return patch_table(np.asarray(self.cells), list(self.maps), names, self.patch)


# ---- parts ----


def draw_paintable_cells(canvas: Canvas, cells: np.ndarray, place: Place, control: str) -> None:
    """Draw each cell as a mark that can be painted (assets/js/paint.js)."""
    canvas.role = "group"
    canvas.open(
        data_pixels=control,
        data_columns=cells.shape[1],
        transform=f"translate({num(place.x)} {num(place.y)}) scale({num(place.size)})",
    )
    for n, filled in enumerate(cells.ravel().astype(bool).tolist()):
        row, column = divmod(n, cells.shape[1])
        canvas.add(
            "rect",
            class_="pixel",
            x=column + 0.03,
            y=row + 0.03,
            width=0.94,
            height=0.94,
            role="checkbox",
            aria_checked="true" if filled else "false",
            aria_label=translate("row {row}, column {column}", row=row + 1, column=column + 1),
            tabindex=-1 if n else 0,
            data_pixel=n,
        )
    canvas.close()


def draw_cells(canvas: Canvas, cells: np.ndarray, place: Place) -> None:
    """Draw the filled cells as one path."""
    marks = "".join(f"M{c + 0.03:g} {r + 0.03:g}h.94v.94h-.94z" for r, c in np.argwhere(cells).tolist())
    canvas.add(
        "path",
        d=marks,
        fill="currentColor",
        fill_opacity=INK_OPACITY,
        transform=f"translate({num(place.x)} {num(place.y)}) scale({num(place.size)})",
    )


def draw_weights(canvas: Canvas, weights: Any, columns: int, place: Place, patch: int) -> None:
    """Draw a weight on each patch; the pointer reaches the cells below."""
    size = patch * place.size
    canvas.open(fill="var(--weight)", pointer_events="none")
    for n, weight in enumerate(np.asarray(weights, dtype=float).tolist()):
        if weight > MIN_WEIGHT:
            row, column = divmod(n, columns)
            canvas.add(
                "rect",
                x=place.x + column * size,
                y=place.y + row * size,
                width=size,
                height=size,
                fill_opacity=num(MAX_OPACITY * min(1.0, weight) ** 0.5),
            )
    canvas.close()


def slide_grid(axes: Any, cells: np.ndarray, weights: Any, patch: int, place: Place) -> None:
    columns, size = cells.shape[1] // patch, patch * place.size
    for r, c in np.argwhere(cells).tolist():
        corner = (place.x + c * place.size, place.y + r * place.size)
        look = {"facecolor": LIGHT["ink"], "alpha": INK_OPACITY, "linewidth": 0}
        axes.add_patch(mpl.Rectangle(corner, 0.94 * place.size, 0.94 * place.size, **look))
    for n, weight in enumerate(np.asarray(weights, dtype=float).tolist()):
        corner = (place.x + n % columns * size, place.y + n // columns * size)
        look = {"facecolor": LIGHT["weight"], "alpha": MAX_OPACITY * max(0.0, min(1.0, weight)) ** 0.5}
        axes.add_patch(mpl.Rectangle(corner, size, size, linewidth=0, **look))
    outline = {"fill": False, "edgecolor": LIGHT["quiet"], "linewidth": 0.8}
    axes.add_patch(
        mpl.Rectangle((place.x, place.y), cells.shape[1] * place.size, len(cells) * place.size, **outline)
    )


def patch_table(cells: np.ndarray, maps: list[np.ndarray], names: tuple[str, ...], patch: int) -> DataFrame:
    """One row per patch: its place, its filled cells, and its weights."""
    rows, columns = (length // patch for length in cells.shape)
    filled = cells.reshape(rows, patch, columns, patch).sum((1, 3)).ravel().astype(int)
    places = np.indices((rows, columns)).reshape(2, -1) + 1
    numbers = {"row of patches": places[0], "column of patches": places[1], "filled cells": filled}
    columns_by_name = {translate(name): values for name, values in numbers.items()}
    return DataFrame(columns_by_name | dict(zip(names, np.asarray(maps), strict=True)))


def largest_patch(weights: Any, across: int) -> str:
    """Name the patch with the largest weight, in a grid with `across` patches per row."""
    weights = np.asarray(weights, dtype=float)
    if not len(weights) or not np.isfinite(weights).any():
        return ""
    at = int(np.nanargmax(weights))
    row, column = divmod(at, across)
    template = "largest weight {weight} on the patch in row {row}, column {column}"
    return translate(template, weight=signed(weights[at]), row=row + 1, column=column + 1)
