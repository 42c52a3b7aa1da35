"""Pictures of the two sense models: their attention weights, and the probabilities of two senses in words."""

import numpy as np

from lessons.kit.pictures.heatmap import Heatmap


def write_senses(senses: tuple[str, ...], probabilities: np.ndarray) -> str:
    """money 0.98, river 0.02"""
    return ", ".join(f"{sense} {p:.2f}" for sense, p in zip(senses, probabilities, strict=True))


def draw_heads(
    weights: np.ndarray, heads: tuple[str, ...], words: tuple[str, ...], position: int, query: str
) -> Heatmap:
    """The weights (models, heads, words) of one position: first those of the left-to-right model."""
    return Heatmap(
        np.concatenate(weights),
        tuple(f"{arrow} {head}" for arrow in ("→", "↔") for head in heads),
        words,
        keys=("head", "step"),
        current_column=position,
        title=f"Attention weights of {query}: → left to right, ↔ both sides",
    )
