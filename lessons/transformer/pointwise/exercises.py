"""Guess for experiment `pointwise`. Its answer is computed."""

import numpy as np

from lessons.kit.example_sentences import IDIOM
from lessons.kit.exercises import guess
from lessons.transformer.pointwise.compute import pointwise

COUNTS = {
    "0": "Then the FC would ignore its input. The output of the changed word changes.",
    "1": "The same small network reads every word separately: only the row you changed has any colour.",
    "all of them": "That is the sheet of self-attention. The FC never sees two words together.",
}


def changed_outputs() -> str:
    count = int((np.abs(pointwise(IDIOM, "1", 3, 1.0).fc).max(1) > 0).sum())
    return str(count) if count < len(IDIOM.split()) else "all of them"


moving = guess(
    "moving",
    "At the start one of seven words is changed before the point-wise FC. How many of its seven outputs"
    " change?",
    COUNTS,
    changed_outputs,
    "What does “point-wise” mean? Which words does the network see while it works on one word?",
    covers=("changes", "sizes"),
)
