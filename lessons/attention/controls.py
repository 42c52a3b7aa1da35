"""Controls shared by several experiments of this lesson."""

from lessons.attention.translators import MAX_STEPS, WIRINGS
from lessons.kit.contract import Choice, Step, Text


def source_text(default: str, *suggestions: str) -> Text:
    return Text("source", "Source sentence", default, suggestions)


def wiring_choice() -> Choice:
    return Choice("wiring", "Query: after (sₜ) or before (sₜ₋₁)", "query after", tuple(WIRINGS))


def decoder_step(default: int) -> Step:
    return Step("t", "Step t", default, 1, MAX_STEPS)
