"""Pictogram of the lesson on the map: a state and a word give the next state."""

from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.pictogram import draw_arrow, draw_grid, strip_values


def draw(canvas: Canvas) -> None:
    for t in range(4):
        x = 4 + 46 * t
        draw_grid(canvas, x, 8, strip_values(t, 5), "source", size=(14, 9))
        canvas.add("circle", cx=x + 7, cy=80, r=4.5, fill="var(--source)")
        draw_arrow(canvas, x + 7, 73, x + 7, 58, "source")
        if t:
            draw_arrow(canvas, x - 29, 30.5, x - 4, 30.5, "source")
