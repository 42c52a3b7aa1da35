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
    "d = 64, and a text grows from 128 words to 512. How many times as many multiplications does attention"
    " need?",
    {
        FACTORS[0]: (
            "Only its projections grow like that, as does the recurrence; there are 16 times as many scores"
            " (T²)."
        ),
        FACTORS[1]: lambda: (
            f"{growth_of_work():.1f}, to be exact: at 128 words half of the work is projections (× 4), half"
            " is scores and sums (× 16)."
        ),
        FACTORS[2]: (
            "Only the scores and sums grow like that; the projections grow only 4 times, one for each word."
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
        "d = 64. At which T do the scores and sums (2T²d multiplications) cost as much as the projections"
        " (4Td²)?",
        equal_work_length,
        "Divide both by 2Td.",
        "In shorter sentences the projections cost more, in longer ones the scores and sums.",
        WHOLE_NUMBER,
        "cost",
    ),
)
