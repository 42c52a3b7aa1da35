"""Pictogram of the lesson on the map: many vectors squeezed through one."""

from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.pictogram import draw_grid, strip_values


def draw(canvas: Canvas) -> None:
    canvas.add("path", d="M58 16L73 30V58L58 72z", fill="var(--source)", fill_opacity=0.14)
    canvas.add("path", d="M102 16L87 30V58L102 72z", fill="var(--target)", fill_opacity=0.14)
    for t in range(3):
        draw_grid(canvas, 4 + 18 * t, 17, strip_values(t, 6), "source", size=(14, 9))
        draw_grid(canvas, 106 + 18 * t, 17, strip_values(t + 4, 6), "target", size=(14, 9))
    draw_grid(canvas, 74, 31, strip_values(3, 3), "context", size=(12, 9))
