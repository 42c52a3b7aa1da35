"""matplotlib, imported when the first slide is drawn, so that the server starts sooner."""

from importlib import import_module
from typing import Any

EXPORTS = {
    "backends.backend_agg": ("FigureCanvasAgg",),
    "cm": ("ScalarMappable",),
    "collections": ("PolyCollection",),
    "colors": ("LinearSegmentedColormap", "Normalize"),
    "figure": ("Figure",),
    "font_manager": ("FontProperties", "findfont", "get_font"),
    "patches": ("FancyBboxPatch", "PathPatch", "Polygon", "Rectangle"),
    "path": ("Path",),
}
MODULES = {name: module for module, names in EXPORTS.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(name)
    return getattr(import_module(f"matplotlib.{MODULES[name]}"), name)
