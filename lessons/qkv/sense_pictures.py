"""Pictures for the two sense models: attention weights, and sense probabilities as text."""

import numpy as np

from lessons.kit.pictures.heatmap import Heatmap


def write_senses(senses: tuple[str, ...], probabilities: np.ndarray) -> str:
    """Format the probabilities of the senses: “money 0.98, river 0.02”."""
    return ", ".join(f"{sense} {p:.2f}" for sense, p in zip(senses, probabilities, strict=True))


def draw_heads(
    weights: np.ndarray, heads: tuple[str, ...], words: tuple[str, ...], position: int, query: str
) -> Heatmap:
    """Draw the weights (models, heads, words) from one position; the left-to-right model comes first."""
    return Heatmap(
        np.concatenate(weights),
        tuple(f"{arrow} {head}" for arrow in ("→", "↔") for head in heads),
        words,
        keys=("head", "step"),
        current_column=position,
        title=f"Attention weights of {query}: → left to right, ↔ both sides",
    )
