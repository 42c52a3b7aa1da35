"""The pictogram of the lesson: five alignment maps of one sentence, some sharper than others."""

from math import exp

from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.pictogram import draw_grid


def draw(canvas: Canvas) -> None:
    for k, sharpness in enumerate((0.5, 0.8, 1.2, 1.8, 3)):
        x, y = (4 + 57 * k, 4) if k < 3 else (32.5 + 57 * (k - 3), 48)
        cells = [[exp(-sharpness * abs(i - j)) for j in range(4)] for i in range(4)]
        draw_grid(canvas, x, y, cells, "weight", size=(9.5, 8.5))
