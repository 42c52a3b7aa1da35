"""Guess for experiment `pointwise`. Its answer is computed."""

import numpy as np

from lessons.kit.example_sentences import IDIOM
from lessons.kit.exercises import guess
from lessons.transformer.pointwise.compute import pointwise

COUNTS = {
    "0": "Then the FFN would ignore its input. But the output of the changed word changes.",
    "1": "The same small network reads every word separately. Only the row of the changed word has colours.",
    "all of them": "That happens in self-attention. The FFN never sees two words together.",
}


def changed_outputs() -> str:
    count = int((np.abs(pointwise(IDIOM, "1", 3, 1.0).fc).max(1) > 0).sum())
    return str(count) if count < len(IDIOM.split()) else "all of them"


moving = guess(
    "moving",
    "You change the vector of one of seven words before the position-wise feed-forward network. How many of"
    " the seven output vectors change?",
    COUNTS,
    changed_outputs,
    "What does “position-wise” mean? Which words does the network see while it works on one word?",
    covers=("changes", "sizes"),
)
