"""Words and small numbers inside a sentence."""

from lessons.kit.pictures.numbers import scientific
from lessons.kit.pictures.tokens import quoted


def bold(word: str) -> str:
    """A word in quotation marks and in bold; a quotation mark itself without further ones."""
    return quoted(word).replace(word, f"**{word}**")


def three_decimals(value: float) -> str:
    """0.221 or 0.002, and 4 · 10⁻⁵ where three decimals would only say 0.000."""
    return f"{value:.3f}" if value == 0 or value >= 0.0005 else scientific(value)
