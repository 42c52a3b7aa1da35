"""Guess for experiment `sample`. Its answer is computed."""

import math

from lessons.decoding.prompts import MANY_PLACES
from lessons.decoding.sample.compute import Sampled, compute
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import compact

SAMPLED_AT_START, SEED_AT_START = 3, 3
PROBABILITIES = {"1 in 10": 1e-1, "1 in 1,000": 1e-3, "1 in 1,000,000": 1e-6}


def text_at_start() -> Sampled:
    return compute("GRU", MANY_PLACES, "", "", SAMPLED_AT_START, SEED_AT_START)


def nearest_probability() -> str:
    total = text_at_start().log_product[-1]
    return min(PROBABILITIES, key=lambda option: abs(math.log(PROBABILITIES[option]) - total))


def mean_factor() -> float:
    """Geometric mean of the words' probabilities."""
    run = text_at_start()
    return math.exp(run.log_product[-1] / len(run.words))


def first_product_below_thousandth() -> str:
    run = text_at_start()
    index = int((run.log_product < math.log(1e-3)).argmax())
    return (
        f"after {index + 1} of the {len(run.words)} words the product is already"
        f" {compact(math.exp(run.log_product[index]))}"
    )


GUESS = guess(
    "how-probable",
    f"With the opening settings the text has {len(MANY_PLACES.split()) + SAMPLED_AT_START} words. How"
    " probable is exactly this text, word for word?",
    {
        "1 in 10": lambda: (
            f"Even a single word has a probability of only {mean_factor():.2f} on average, about 1 in"
            f" {round(1 / mean_factor())}. And the probabilities of all words are multiplied."
        ),
        "1 in 1,000": lambda: (
            f"Follow the line “product” in the picture: {first_product_below_thousandth()}."
        ),
        "1 in 1,000,000": lambda: (
            f"The probability is {compact(math.exp(text_at_start().log_product[-1]))}, a product of"
            f" {len(text_at_start().words)} factors of about {mean_factor():.2f} each. Any single text is"
            " improbable, because there are very many possible texts."
        ),
    },
    nearest_probability,
    "Each word is one random draw. How probable is it that ten draws all give exactly these words?",
    covers=("chain",),
)
