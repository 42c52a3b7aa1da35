"""The guess and the exercise of experiment `scaling`, with computed answers."""

import numpy as np

from lessons.kit.exercises import guess, number
from lessons.scores.scaling.compute import draw_samples
from models.attention import ScaledDot

FACTORS = ("it stays the same", "it doubles", "it becomes four times as large")


def mean_deviations() -> np.ndarray:
    """(11,) standard deviation of unscaled scores by size, mean of three draws."""
    return np.mean([draw_samples(seed).spread[0] for seed in range(3)], axis=0)


def growth_factor() -> str:
    ratio = mean_deviations()[8] / mean_deviations()[6]
    return FACTORS[int(np.abs(np.array([1, 2, 4]) - ratio).argmin())]


def growth() -> str:
    return f"from {mean_deviations()[6]:.1f} to {mean_deviations()[8]:.1f}"


four_times = guess(
    "four-times",
    "The vectors have 256 numbers instead of 64, four times as many. What happens to the standard deviation"
    " of their dot products?",
    {
        FACTORS[0]: lambda: (
            "Each score is now a sum of four times as many random products. They cancel only in part, so the"
            f" standard deviation rises {growth()}."
        ),
        FACTORS[1]: lambda: (
            "Variances add up, so the variance becomes four times as large. Its square root, the standard"
            f" deviation, doubles: it rises {growth()}."
        ),
        FACTORS[2]: lambda: (
            "The variance becomes four times as large. The standard deviation is its square root, so it only"
            f" rises {growth()}."
        ),
    },
    growth_factor,
    "You toss a coin 100 times, then 400 times. How much farther from half do you expect the number of heads"
    " to be?",
    covers=("spread",),
)


def divisor() -> float:
    return 1 / ScaledDot(256).scale


EXERCISES = (
    number(
        "divisor",
        "By what number must the dot product of two vectors of size 256 be divided so that its standard"
        " deviation is 1?",
        divisor,
        "The variance of the sum is 256. The standard deviation is its square root.",
        "It is √256, the standard deviation of the unscaled scores.",
    ),
)
