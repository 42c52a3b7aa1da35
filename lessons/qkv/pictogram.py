"""Pictogram of the lesson: a tall, a wide and another tall matrix."""

from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.pictogram import activation_tone, draw_grid


def draw(canvas: Canvas) -> None:
    width, height = 14, 12
    matrices = ((4, 10, 4, 2, "target", "Q"), (52, 22, 2, 4, "source", "Kᵀ"), (128, 10, 4, 2, "context", "V"))
    for x, y, rows, columns, role, name in matrices:
        draw_grid(
            canvas,
            x,
            y,
            [[activation_tone(i + x, j) for j in range(columns)] for i in range(rows)],
            role,
            size=(width, height),
        )
        canvas.text(x + columns * width / 2, 80, name, size=15, fill=f"var(--{role})", font_weight=700)
    for x in (42, 118):
        canvas.add("circle", cx=x, cy=34, r=2, fill="var(--quiet)")
