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
        f"In the end the network reproduces {percent(known.mean())} of the training labels and is right on"
        f" {percent(new.mean())} of the unseen examples ({percent(new.min())} to {percent(new.max())},"
        " depending on the seed)."
    )


def unseen_correct() -> str:
    fraction = run_on_hundred().new[:, -1].mean()
    if fraction > 0.85:
        return "nearly all of them"
    return "fewer than by guessing" if fraction < 0.45 else "few more than by guessing"


by_heart = guess(
    "by-heart",
    f"Of {EXAMPLES} training examples, {wrong_label_count(EXAMPLES, WRONG_SHARE)} have a wrong label. In the"
    " end the network reproduces nearly all training labels. How many unseen examples does it get right?",
    {
        "nearly all of them": lambda: f"Then the network would have found the rule. {describe_fractions()}",
        "few more than by guessing": lambda: (
            f"{describe_fractions()} The network has enough parameters to memorise a hundred examples."
        ),
        "fewer than by guessing": lambda: (
            f"For that it would have to learn the opposite of the rule. {describe_fractions()}"
        ),
    },
    unseen_correct,
    f"Which is easier for {PARAMETERS} parameters: the rule or a hundred answers?",
    covers=("gap", "heart"),
)
EXERCISES = (
    number(
        "dropped",
        "A layer of 64 units has a dropout of 0.5. How many of its units does a step use, on average?",
        lambda: WIDTH * (1 - 0.5),
        "Each unit is kept or dropped by the toss of a coin.",
        "The outputs of the units that stay are doubled, so that their sum is the same on average.",
    ),
)
