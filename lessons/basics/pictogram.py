"""Pictogram of the lesson on the map: pieces of a word become a row of numbers, and the row becomes bars."""

from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.pictogram import draw_arrow, draw_grid, strip_values


def draw(canvas: Canvas) -> None:
    for k, width in enumerate((30, 14, 20)):
        canvas.add(
            "rect", x=6, y=12 + 24 * k, width=width, height=15, rx=3, fill="var(--source)", fill_opacity=0.35
        )
    draw_arrow(canvas, 42, 44, 58, 44, "source")
    draw_grid(canvas, 66, 14, strip_values(2, 6), "source", (12, 10))
    draw_arrow(canvas, 84, 44, 100, 44, "weight")
    for k, height in enumerate((16, 52, 28, 9)):
        canvas.add(
            "rect",
            x=106 + 13 * k,
            y=74 - height,
            width=9,
            height=height,
            rx=2,
            fill="var(--weight)",
            fill_opacity=0.8,
        )
