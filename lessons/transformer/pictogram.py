"""Pictogram of the lesson: two stacks of blocks, with attention from the right stack to the left."""

from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.pictogram import draw_arrow


def draw(canvas: Canvas) -> None:
    for y in (8, 36, 64):
        draw_block(canvas, 20, y, "source")
        draw_block(canvas, 102, y, "weight" if y == 36 else "target")
        if y < 64:
            draw_arrow(canvas, 41, y + 27, y2=y + 18, x2=41, role="quiet")
            draw_arrow(canvas, 123, y + 27, y2=y + 18, x2=123, role="quiet")
    residual, cross_attention = "M18 72C-2 72 -2 44 18 44", "M64 16C88 16 78 44 100 44"
    canvas.add("path", d=residual, fill="none", stroke="var(--quiet)", stroke_width=1.4)
    canvas.add("path", d=cross_attention, fill="none", stroke="var(--weight)", stroke_width=2.4)


def draw_block(canvas: Canvas, x: float, y: float, role: str) -> None:
    colour = f"var(--{role})"
    style = {"fill": colour, "fill_opacity": 0.3, "stroke": colour, "stroke_width": 1.4}
    canvas.add("rect", x=x, y=y, width=42, height=16, rx=4, **style)
