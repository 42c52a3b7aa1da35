"""Slides with matplotlib: a figure measured in the pixels of the drawing, and text on it."""

from functools import lru_cache
from typing import Any

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import FONT_PX, new_figure
from lessons.kit.pictures.palette import LIGHT


def new_slide(width: float, height: float) -> tuple["mpl.Figure", Any]:
    """Create a figure and axes in pixels of the drawing, with the origin at the top left."""
    figure = new_figure(width, height)
    figure.set_layout_engine("none")  # positions are in pixels, so no automatic layout
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, max(width, 240)), ylim=(max(height, 160), 0))
    axes.axis("off")
    return figure, axes


def slide_text(
    axes: Any, x: float, y: float, words: str, size: float = FONT_PX, parse_math: bool = False, **look: Any
) -> Any:
    """Write text at a position in pixels."""
    look = {"ha": "center", "va": "center", "color": LIGHT["ink"]} | look
    return axes.text(
        x, y, printable(words), fontsize=size * 0.74, parse_math=parse_math, **look
    )  # font size in points; a pixel is 1/90 inch


def colour_scale(role: str | None, top: float) -> "mpl.ScalarMappable":
    """The colours of the page as a matplotlib scale."""
    colours = ["white", LIGHT[role]] if role else [LIGHT["minus"], "white", LIGHT["plus"]]
    scale = mpl.LinearSegmentedColormap.from_list(role or "signed", colours)
    return mpl.ScalarMappable(mpl.Normalize(0 if role else -top, top), scale)


@lru_cache(maxsize=4096)
def has_glyph(letter: str) -> bool:
    return bool(mpl.get_font(mpl.findfont(mpl.FontProperties())).get_char_index(ord(letter)))


def printable(words: str) -> str:
    """Replace each character that the font lacks, such as an emoji, by a box."""
    return "".join(letter if letter == "\n" or has_glyph(letter) else "▯" for letter in words)
