"""The guess and the exercises of experiment `memory`, with computed answers."""

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE_NUMBER, guess, nearest_option, number
from lessons.kit.pictures.numbers import compact
from lessons.recurrence.memory.compute import Echo, compute

HALF_LIVES = ("2", "7", "20")
MAX_GROWTH = 1.02  # an echo grows if its size rises by more than this factor
CHECKED_STEPS = 20


def linear_echo() -> Echo:
    """The echo for λ = 0.9 without tanh."""
    return compute(((0.9, 0.0),), "linear", 1.0, 0.0, 60)


def describe_rest(steps: int) -> str:
    size = linear_echo().size
    return f"after {steps} steps, {size[steps] / size[0]:.2f} of the pulse is left"


half_life_guess = guess(
    "half-life",
    "A linear cell (no tanh) multiplies its state by λ = 0.9 at every step. After how many steps is half of"
    " the pulse gone?",
    {
        "2": lambda: f"Each step takes one tenth: {describe_rest(2)}. Choose “Inside the circle”.",
        "7": lambda: (
            f"0.9 times 0.9 times … shrinks quickly: {describe_rest(7)}. Choose “Inside the circle”."
        ),
        "20": lambda: f"Half is gone much sooner: {describe_rest(20)}. Choose “Inside the circle”.",
    },
    lambda: nearest_option(HALF_LIVES, linear_echo().half_life or 0),
    "How much of the pulse is left after two steps, and how much after four?",
)


def check_survival(_: None, state: State) -> Verdict:
    sizes = compute(**{**state, "T": 60}).size
    rest, growth = sizes[CHECKED_STEPS] / sizes[0], sizes.max() / sizes[0]
    if growth > MAX_GROWTH:
        return Verdict(
            False,
            f"The echo grew to {compact(growth)} times its first size. Where in the plane does no echo grow?",
        )
    if rest < 0.5:
        return Verdict(
            False,
            f"After {CHECKED_STEPS} steps, {compact(rest)} of the pulse is left. The reading gives ρ: what is"
            f" ρ to the power {CHECKED_STEPS}?",
        )
    return Verdict(
        True, f"Yes: {rest:.2f} of the pulse is left after {CHECKED_STEPS} steps, and the echo never grew."
    )


def steps_to_one_percent() -> float:
    size = linear_echo().size
    return float(np.argmax(size < 0.01 * size[0]))


EXERCISES = (
    Exercise(
        "survive",
        "In “An echo”, set λ so that after 20 steps at least half of the pulse is left and the echo never"
        " grows.",
        check_survival,
        "Try the linear cell first: the size of its echo is |λ| to the power t. Which |λ| leaves half of the"
        " pulse after 20 steps?",
        experiment="memory",
    ),
    number(
        "one-percent",
        "Every step multiplies a gradient by 0.9. After how many steps is less than 1% left?",
        steps_to_one_percent,
        "0.9 to the power n must be below 0.01. In “An echo”, open “Does the echo shrink by the same factor"
        " at every step?” for the linear cell with λ = 0.9.",
        "A text of this length is short. This is one reason why long texts are hard to learn from.",
        WHOLE_NUMBER,
        "memory",
    ),
)
