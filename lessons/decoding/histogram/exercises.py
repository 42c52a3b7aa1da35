"""Guess and exercise for experiment `histogram`. All answers are computed."""

import math

from lessons.decoding.histogram.compute import MAX_DRAWS, distribution, expected_distances
from lessons.decoding.prompts import MANY_PLACES
from lessons.decoding.story_models import read_words
from lessons.kit.exercises import guess, number

DRAWS = {"200": 200, "400": 400, "10,000": 10_000}


def expected_after(draws: int) -> float:
    p = distribution("GRU", read_words(MANY_PLACES), 1.0)
    return expected_distances(p, (draws,)).item()


def write_expected(draws: int) -> str:
    return f"{expected_after(draws):.3f}"


def draws_for_half() -> str:
    needed = next(n for n in range(100, MAX_DRAWS) if expected_after(n) <= expected_after(100) / 2)
    return min(DRAWS, key=lambda option: abs(math.log(DRAWS[option] / needed)))


GUESS = guess(
    "halve",
    "We compare the frequencies after 100 draws with the probabilities. How many draws make the distance"
    " between them about half as large?",
    {
        "200": lambda: (
            f"The expected distance is {write_expected(100)} with 100 draws and still {write_expected(200)}"
            " with 200. The line “expected” falls slowly."
        ),
        "400": lambda: (
            f"The expected distance falls from {write_expected(100)} to {write_expected(400)}. Four times as"
            " many draws give about half the distance."
        ),
        "10,000": lambda: (
            f"That is far more than needed: the expected distance falls from {write_expected(100)} to"
            f" {write_expected(10_000)}. It becomes"
            f" {expected_after(100) / expected_after(10_000):.1f} times smaller."
        ),
    },
    draws_for_half,
    "You toss a coin n times. Does the number of heads usually differ from n/2 by a fraction of n or by about"
    " √n?",
    covers=("distance", "settles"),
)


def draws_needed(distance: float, draws: int, goal: float) -> float:
    """Number of draws needed for the goal distance, given that distances fall like 1/√n."""
    return draws * (distance / goal) ** 2


EXERCISES = (
    number(
        "four-times",
        "After 500 draws the distance is 0.08. About how many draws do you need for a distance of 0.02?",
        lambda: draws_needed(0.08, 500, 0.02),
        "The distance falls like 1/√n. By which factor must n grow to make the distance a quarter?",
        "Precision is expensive: one more decimal digit needs a hundred times as many draws.",
        draws_needed(0.08, 500, 0.02) / 10,
    ),
)
