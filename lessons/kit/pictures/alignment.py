"""Attention weights between two sentences, as a heatmap."""

from typing import Any

from lessons.kit.pictures.heatmap import Heatmap


def alignment_map(weights: Any, target: tuple[str, ...], source: tuple[str, ...], **options: Any) -> Heatmap:
    """Heatmap with a row per target word and a column per source word; `gold` cells are dashed."""
    return Heatmap(
        weights,
        target,
        source,
        **{"keys": ("target", "source"), "row_role": "target", "column_role": "source", **options},
    )
