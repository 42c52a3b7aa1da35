"""The guess of experiment `endtoend`, with a computed answer."""

from lessons.bottleneck.endtoend.compute import EndToEnd, compute
from lessons.bottleneck.sentences import POSSESSIVE
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import short

FIRST_TARGET_STEP = 3  # the target word whose loss is shown first


def compute_start() -> EndToEnd:
    return compute(POSSESSIVE, FIRST_TARGET_STEP, "trained")


def which_states_are_reached() -> str:
    lengths = compute_start().trained
    return "all of them" if (lengths > 0).all() else "only the last" if lengths[-1] > 0 else "none"


def describe_first_gradient() -> str:
    run = compute_start()
    return (
        f"at “{run.words[0]}”, the first word, the gradient still has length {short(float(run.trained[0]))}"
    )


reached_states = guess(
    "encoder-learns",
    "The loss is measured only on French words. Which encoder states does its gradient reach?",
    {
        "all of them": lambda: (
            f"The gradient passes through c and then back along the arrows: {describe_first_gradient()}."
        ),
        "only the last": lambda: (
            "c is the last state, but the last state was computed from the state before it, and so on:"
            f" {describe_first_gradient()}."
        ),
        "none": lambda: (
            f"The French loss depends on c, and c depends on every English word: {describe_first_gradient()}."
        ),
    },
    which_states_are_reached,
    "If you changed one encoder state a little, could a French word become less probable?",
    covers=("unrolled", "every_word", "reach"),
)
