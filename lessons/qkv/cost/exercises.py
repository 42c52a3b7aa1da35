"""Guess and exercise for experiment `cost`. All answers are computed."""

import numpy as np

from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.qkv.cost.compute import compute, count_costs

FACTORS = ("4 times", "10 times", "16 times")


def growth_of_work() -> float:
    """Ratio of attention's multiplications for 512 words to those for 128 words."""
    few, many = (compute(T, 64, True).here["products"][1] for T in (128, 512))
    return many / few


GUESS = guess(
    "four-times",
    "A text grows from 128 words to 512, and d is 64. How many times as many multiplications does attention"
    " need?",
    {
        FACTORS[0]: (
            "Only the projections by W_Q, W_K, W_V and W_O grow like that. There are 16 times as many scores,"
            " because their number is T²."
        ),
        FACTORS[1]: lambda: (
            f"The exact factor is {growth_of_work():.1f}. At 128 words, half of the work is projections,"
            " which grow 4 times; the other half is scores and sums, which grow 16 times."
        ),
        FACTORS[2]: (
            "Only the scores and sums grow like that. The projections grow only 4 times, because each word"
            " needs one."
        ),
    },
    lambda: min(FACTORS, key=lambda option: abs(int(option.split()[0]) - growth_of_work())),
    "The work is 4Td² + 2T²d. At T = 2d the two parts are equal. By which factor does each part grow?",
    covers=("work",),
)


def equal_work_length() -> float:
    """The T at which the projections make up half of the counted work, for d = 64."""
    d, lengths = 64, np.arange(1, 513)
    projections = 4 * lengths * d**2
    return float(lengths[abs(count_costs(lengths, d, True)["products"][1] - 2 * projections).argmin()])


EXERCISES = (
    number(
        "meeting-point",
        "A layer has d = 64. At which T do the scores and sums (2T²d multiplications) cost as much as the"
        " projections (4Td²)?",
        equal_work_length,
        "Write 2T²d = 4Td² and divide both sides by 2Td. What is left?",
        "In shorter sentences the projections cost more; in longer sentences the scores and sums cost more.",
        WHOLE_NUMBER,
        "cost",
    ),
)
