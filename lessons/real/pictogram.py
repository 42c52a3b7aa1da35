"""Pictogram of the lesson: a tall stack of layers with one stream through it."""

from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.pictogram import draw_arrow


def draw(canvas: Canvas) -> None:
    for n in range(9):
        canvas.add(
            "rect",
            x=24,
            y=72 - 8 * n,
            width=76,
            height=6,
            rx=2,
            fill="var(--context)",
            fill_opacity=0.25 + 0.07 * n,
        )
    draw_arrow(canvas, 62, 84, 62, 4, "source")
    for n, width in enumerate((34, 20, 11, 6)):
        canvas.add(
            "rect", x=114, y=16 + 16 * n, width=width, height=10, rx=2, fill="var(--target)", fill_opacity=0.8
        )
