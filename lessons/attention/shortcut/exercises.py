"""The guess of experiment `shortcut`, with a computed answer."""

import math

import numpy as np

from lessons.attention.shortcut.compute import WEIGHTS, compute
from lessons.kit.exercises import guess
from lessons.kit.language import translate

FACTORS = {"10 times": 10, "600 times": 600, "15,000 times": 15_000}


def default_gradients() -> np.ndarray:
    """(2, T) gradient norm at each source word: without attention, with attention."""
    return compute(20, WEIGHTS[0], 15).now


def attention_factors() -> np.ndarray:
    """(T,) ratio of the gradient with attention to the gradient without attention."""
    without, with_attention = default_gradients()
    return with_attention / without


weaker = guess(
    "weaker",
    "Take two untrained models, 20 words and step 15. How many times smaller is the gradient at the first"
    " word without attention than with attention?",
    {
        "10 times": lambda: translate(
            "At the last word the gradient is already {factor:.0f} times smaller, after the decoder’s"
            " steps alone. See the left end of the chart.",
            factor=attention_factors()[-1],
        ),
        "600 times": lambda: translate(
            "Over the source words alone the gradient falls by a factor of {factor:,.0f}; the decoder’s"
            " steps add to that.",
            factor=default_gradients()[0, -1] / default_gradients()[0, 0],
        ),
        "15,000 times": lambda: translate(
            "It is about {factor:,.0f} times smaller: every step on the path multiplies the gradient by"
            " less than one. With attention the path has one step.",
            factor=round(attention_factors()[0], -3),
        ),
    },
    lambda: min(FACTORS, key=lambda option: abs(math.log(FACTORS[option] / attention_factors()[0]))),
    "Count the steps from y₁₅ back to x₁. If each step leaves three quarters of a gradient, what is left?",
    covers=("by_word", "to_first"),
)
