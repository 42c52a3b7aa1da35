"""Guess for experiment `heads`. Its answer is computed."""

from lessons.kit.exercises import guess
from lessons.qkv.untrained_layer import count_parameters, untrained_attention

EQUAL, EIGHTFOLD, EIGHTH = "the same", "8 times as many", "an eighth"


def parameters_with(heads: int) -> int:
    return count_parameters(untrained_attention(64, heads))


GUESS = guess(
    "more-heads",
    "You go from 1 head to 8 heads, and d stays 64. How many parameters does the layer have then?",
    {
        EQUAL: lambda: (
            f"{parameters_with(1):,} with one head and {parameters_with(8):,} with eight: the heads share the"
            " 64 numbers, 8 for each."
        ),
        EIGHTFOLD: (
            "There are eight maps but not eight layers: each head has an eighth of the columns of W_Q, W_K"
            " and W_V."
        ),
        EIGHTH: "Each head is an eighth as wide, and there are eight of them.",
    },
    lambda: {1.0: EQUAL, 8.0: EIGHTFOLD}.get(parameters_with(8) / parameters_with(1), EIGHTH),
    "W_Q is 64×64. Cut it into pieces of 8 columns. How many numbers do the pieces have together?",
    covers=("growth",),
)
