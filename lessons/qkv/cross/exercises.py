"""Guess for experiment `cross`. Its answer is computed."""

from lessons.kit.example_sentences import MANY_TO_ONE
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import short
from lessons.qkv.cross.compute import compute

ROUNDING, TENTH, LARGE = "only by rounding", "by about 0.1", "by more than 0.5"


def weights_difference() -> float:
    return compute(MANY_TO_ONE, "seq2seq, dot", 1).weights_difference


GUESS = guess(
    "recovered",
    "We give this layer the states of a trained translator: Q = S and K = V = H. How much do its weights"
    " differ from the attention weights of the translator?",
    {
        ROUNDING: lambda: (
            f"The largest difference is {short(weights_difference(), 2)}: the two maps are the same."
        ),
        TENTH: lambda: (
            "Point at the same cell on the left and on the right: the two never differ by more than"
            f" {short(weights_difference(), 2)}."
        ),
        LARGE: (
            "The translator also computes a softmax of dot products. With Q = S and K = H they are the same"
            " dot products."
        ),
    },
    lambda: ROUNDING if weights_difference() < 1e-5 else TENTH if weights_difference() < 0.5 else LARGE,
    "Write the formula of α in lesson 3 above the formula of A here. Which symbols differ?",
    covers=("own",),
)
