"""Shared parts of the lessons' pictograms on the map. They are decorative: screen readers skip them."""

from collections.abc import Callable, Sequence
from typing import Any

from lessons.kit.pictures.base import Canvas, element

WIDTH, HEIGHT = 160, 88


def pictogram(draw: Callable[[Canvas], None]) -> str:
    canvas = Canvas(WIDTH, HEIGHT)
    draw(canvas)
    return element(
        "svg",
        "".join(canvas.parts),
        class_="road-pictogram",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        aria_hidden="true",
    )


def activation_tone(i: int, j: int) -> float:
    """A made-up activation in [0.2, 0.95] for cell (i, j)."""
    return 0.2 + 0.75 * ((3 * i + 5 * j) % 7) / 6


def strip_values(t: int, cells: int) -> list[list[float]]:
    return [[activation_tone(k, t)] for k in range(cells)]


def draw_grid(
    canvas: Canvas,
    x: float,
    y: float,
    values: Sequence[Sequence[float]],
    role: str,
    size: tuple[float, float],
) -> None:
    """Draw a framed grid of cells whose opacity is their value."""
    width, height = size
    colour = f"var(--{role})"
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            cell: dict[str, Any] = {"x": x + j * width, "y": y + i * height, "width": width, "height": height}
            canvas.add("rect", **cell, fill=colour, fill_opacity=value)
    frame: dict[str, Any] = {"width": width * len(values[0]), "height": height * len(values), "rx": 2}
    canvas.add("rect", x=x, y=y, **frame, fill="none", stroke=colour, stroke_width=1.2)


def draw_arrow(canvas: Canvas, x1: float, y1: float, x2: float, y2: float, role: str) -> None:
    """Draw a straight arrow to the right or up."""
    wings = ((-4, -3.5), (-4, 3.5)) if y1 == y2 else ((-3.5, 4), (3.5, 4))
    (ax, ay), (bx, by) = ((x2 + dx, y2 + dy) for dx, dy in wings)
    path = f"M{x1} {y1}L{x2} {y2}M{ax} {ay}L{x2} {y2}L{bx} {by}"
    canvas.add("path", d=path, fill="none", stroke=f"var(--{role})", stroke_width=1.4)
