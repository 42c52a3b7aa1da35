"""The pictogram of the lesson: one decoder state attends to five encoder states."""

from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.pictogram import draw_grid, strip_values


def draw(canvas: Canvas) -> None:
    for i, weight in enumerate((0.08, 0.05, 0.04, 0.6, 0.23)):
        x = 4 + 34 * i
        canvas.add(
            "path",
            d=f"M80 25C80 48 {x + 8} 36 {x + 8} 59",
            fill="none",
            stroke_linecap="round",
            stroke="var(--weight)",
            stroke_width=1.2 + 9 * weight,
            stroke_opacity=0.35 + 0.65 * weight,
        )
        draw_grid(canvas, x, 61, strip_values(i, 3), "source", size=(16, 8))
    draw_grid(canvas, 72, 1, strip_values(6, 3), "target", size=(16, 8))
