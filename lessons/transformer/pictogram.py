"""On the map: two stacks of blocks, the right one looking at the left."""

from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.pictogram import arrow


def draw(canvas: Canvas) -> None:
    for y in (8, 36, 64):
        block(canvas, 20, y, "source")
        block(canvas, 102, y, "weight" if y == 36 else "target")
        if y < 64:
            arrow(canvas, 41, y + 27, y2=y + 18, x2=41, role="quiet")
            arrow(canvas, 123, y + 27, y2=y + 18, x2=123, role="quiet")
    canvas.add(
        "path", d="M18 72C-2 72 -2 44 18 44", fill="none", stroke="var(--quiet)", stroke_width=1.4
    )  # the residual
    canvas.add("path", d="M64 16C88 16 78 44 100 44", fill="none", stroke="var(--weight)", stroke_width=2.4)


def block(canvas: Canvas, x: float, y: float, role: str) -> None:
    colour = f"var(--{role})"
    canvas.add(
        "rect",
        x=x,
        y=y,
        width=42,
        height=16,
        rx=4,
        fill=colour,
        fill_opacity=0.3,
        stroke=colour,
        stroke_width=1.4,
    )
