"""The guess of experiment `survive`, with a computed answer."""

import numpy as np

from lessons.bottleneck.survive.compute import Survived, compute
from lessons.kit.example_sentences import PASSIVE
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import signed

PARTS = ("the first words", "the middle words", "the last words")


def compute_start() -> Survived:
    return compute(PASSIVE, "128", 0)


def gains_by_part() -> dict[str, float]:
    """Mean gain over each third of the positions."""
    thirds = np.array_split(compute_start().gains["128"], 3)
    return {name: float(np.mean(gains)) for name, gains in zip(PARTS, thirds, strict=True)}


def describe_gain(part: str) -> str:
    positions = np.array_split(compute_start().positions, 3)[PARTS.index(part)]
    mean = signed(gains_by_part()[part])
    return f"at positions {positions[0]} to {positions[-1]} the gain is {mean} on average"


best_kept_words = guess(
    "first-or-last",
    "c is the state after the last word of a long sentence. Which words can be recovered best from c,"
    " compared"
    " with a guess without c?",
    {
        PARTS[0]: lambda: (
            f"They were read long ago, but {describe_gain(PARTS[0])}, because the decoder has to start with"
            " them."
        ),
        PARTS[1]: lambda: f"Look at the middle of the curve for k = 128: {describe_gain(PARTS[1])}.",
        PARTS[2]: lambda: (
            f"The full stop at the end is easy to find, but also without c: {describe_gain(PARTS[2])}."
        ),
    },
    lambda: max(PARTS, key=gains_by_part().__getitem__),
    "Which words does the decoder need first, and which could be guessed without c?",
    covers=("heard", "read_off", "gain", "recovery", "gain_by_length"),
)
