"""Guess for experiment `heads`. Its answer is computed."""

from lessons.kit.exercises import guess
from lessons.qkv.untrained_layer import count_parameters, untrained_attention

OPENING_SIZE = 8  # d of the opening settings
EQUAL, EIGHTFOLD, EIGHTH = "the same number", "8 times as many", "an eighth as many"


def parameters_with(heads: int) -> int:
    return count_parameters(untrained_attention(OPENING_SIZE, heads))


GUESS = guess(
    "more-heads",
    f"You change from 1 head to 8 heads, and d stays {OPENING_SIZE}. How many parameters does the layer have"
    " now?",
    {
        EQUAL: lambda: (
            f"The layer has {parameters_with(1):,} parameters with one head and {parameters_with(8):,} with"
            f" eight. The heads share the {OPENING_SIZE} numbers of a word."
        ),
        EIGHTFOLD: (
            "There are eight maps, but not eight layers. Each head has an eighth of the columns of W_Q, W_K"
            " and W_V."
        ),
        EIGHTH: "Each head is an eighth as wide, but there are eight heads.",
    },
    lambda: {1.0: EQUAL, 8.0: EIGHTFOLD}.get(parameters_with(8) / parameters_with(1), EIGHTH),
    f"W_Q is {OPENING_SIZE}×{OPENING_SIZE}. Cut it into 8 pieces with one column each. How many numbers do"
    " all pieces have together?",
    covers=("growth",),
)
