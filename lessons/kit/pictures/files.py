"""PNG and PDF files of pictures, drawn by matplotlib.

The web application runs these functions in a process of their own (lessons/kit/web/export_process.py).
"""

import gc
import io

import numpy as np

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import Picture


def figure_file(picture: Picture, kind: str) -> bytes:
    """Draw a picture for a slide; `kind` is “png” or “pdf”."""
    out = io.BytesIO()
    figure = picture.figure()
    figure.savefig(out, format=kind, metadata={"CreationDate": None} if kind == "pdf" else None)
    del figure
    gc.collect(1)  # a figure is a reference cycle with megabytes of pixels: free it now
    return out.getvalue()


def poster(size_px: tuple[int, int], question: str, source: str, picture: Picture | None) -> bytes:
    """Draw a PNG with a question on top, a picture, and a line that says where both come from."""
    width, height = size_px
    figure = mpl.Figure(figsize=(width / 100, height / 100), dpi=100, facecolor="white")
    mpl.FigureCanvasAgg(figure)
    size = 30 if len(question) < 60 else 22
    figure.text(0.04, 0.93, question, fontsize=size, weight="bold", va="top", wrap=True)
    figure.text(0.04, 0.05, source, fontsize=16, color="#555555")
    if picture is not None:
        pixels = rasterize(picture, width * 0.92, height * 0.66)
        across, up = pixels.shape[1] / width, pixels.shape[0] / height
        axes = figure.add_axes(((1 - across) / 2, 0.12 + (0.66 - up) / 2, across, up))
        axes.imshow(pixels, interpolation="none", aspect="auto")
        axes.set_axis_off()
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=100)
    return out.getvalue()


def rasterize(picture: Picture, width_px: float, height_px: float) -> np.ndarray:
    """Render the picture as large as fits: (rows, columns, RGBA)."""
    figure = picture.figure()
    canvas = mpl.FigureCanvasAgg(figure)
    across, up = figure.get_size_inches()
    figure.set_dpi(min(width_px / across, height_px / up))
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())
