"""Guess and exercise for experiment `overfit`. All answers are computed."""

from lessons.kit.exercises import guess, number
from lessons.kit.pictures.numbers import percent
from lessons.training.overfit.compute import PARAMETERS, WIDTH, OverfitRun, overfit, wrong_label_count

EXAMPLES, WRONG_SHARE = 100, 0.1


def run_on_hundred() -> OverfitRun:
    return overfit(EXAMPLES, WRONG_SHARE, 0.0, 0.0, 0)


def describe_fractions() -> str:
    run = run_on_hundred()
    known, new = run.known[:, -1], run.new[:, -1]
    return (
        f"In the end {percent(known.mean())} of the hundred are right, and {percent(new.mean())} of unseen"
        f" examples: {percent(new.min())} to {percent(new.max())}, depending on the seed."
    )


def unseen_correct() -> str:
    fraction = run_on_hundred().new[:, -1].mean()
    if fraction > 0.85:
        return "as many"
    return "fewer than by guessing" if fraction < 0.45 else "few more than by guessing"


by_heart = guess(
    "by-heart",
    f"Of {EXAMPLES} training examples {wrong_label_count(EXAMPLES, WRONG_SHARE)} have a wrong label. In the"
    " end the network gives nearly all of their labels. How many unseen examples does it get right?",
    {
        "as many": lambda: f"Then it would have found the rule. {describe_fractions()}",
        "few more than by guessing": lambda: (
            f"{describe_fractions()} The network has enough parameters to memorise a hundred examples."
        ),
        "fewer than by guessing": lambda: (
            f"What it memorised is not the opposite of the rule. {describe_fractions()}"
        ),
    },
    unseen_correct,
    f"Which is easier for {PARAMETERS} parameters: the rule or a hundred answers?",
    covers=("gap", "heart"),
)
EXERCISES = (
    number(
        "dropped",
        "A layer of 64 units has a dropout of 0.5. How many of its units are used in a step, on average?",
        lambda: WIDTH * (1 - 0.5),
        "Think of tossing a coin for every unit.",
        "The units that stay count double, so that the sum is the same on average.",
    ),
)
