"""The guess and the exercise of experiment `solved`, with computed answers."""

import numpy as np

from lessons.attention.solved.compute import Solved, compute
from lessons.kit.exercises import WHOLE_NUMBER, guess, nearest_option, number
from lessons.kit.language import translate

FRACTIONS = ("0.1", "0.5", "0.9")


def default_run() -> Solved:
    return compute(20, 1, "32", "4,000")


def exact_match_in(bucket: int) -> np.ndarray:
    """(2,) exact match in a bucket of lengths: one vector, attention."""
    return np.array([seeds[:, bucket].mean() for seeds in default_run().exact])


def exact_match_at_twenty() -> np.ndarray:
    return exact_match_in(int(np.flatnonzero(default_run().lengths[:, 0] <= 20)[-1]))


with_attention = guess(
    "with-attention",
    "After 4,000 steps the model with a context vector of size 32 gets few sentences of 17 to 20 words right."
    " What fraction does the model with attention get right after the same number of steps?",
    {
        FRACTIONS[0]: lambda: translate(
            "That would be nearly as low as with one vector, {without:.2f}. Find the attention line at"
            " 20 words.",
            without=exact_match_at_twenty()[0],
        ),
        FRACTIONS[1]: lambda: translate(
            "The fraction falls less: it is {short:.2f} for the shortest sentences and still {long:.2f} at"
            " 20 words.",
            short=exact_match_in(0)[1],
            long=exact_match_at_twenty()[1],
        ),
        FRACTIONS[2]: lambda: translate(
            "It is {exact:.2f}: each step attends to the words it needs, so 20 words are hardly harder"
            " than 8. Sentences longer than in training (shaded) are harder.",
            exact=exact_match_at_twenty()[1],
        ),
    },
    lambda: nearest_option(FRACTIONS, exact_match_at_twenty()[1]),
    "What must be stored for the whole sentence if each step can attend to every word again?",
    covers=("by_length",),
)


def stored_numbers() -> float:
    return float(default_run().stored[1])


EXERCISES = (
    number(
        "stored",
        "An encoder with 128 units has read 20 words. How many of its numbers can a decoder with"
        " attention use?",
        stored_numbers,
        "The encoder keeps one state per word.",
        "Without attention the decoder has k numbers, however long the sentence is.",
        WHOLE_NUMBER,
        "solved",
    ),
)
