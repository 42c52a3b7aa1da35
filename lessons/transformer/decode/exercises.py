"""Guess for experiment `decode`. Its answer is computed."""

from lessons.kit.example_sentences import MANY_TO_ONE
from lessons.kit.exercises import guess
from lessons.transformer.decode.compute import decode

PASSES = {
    "1": (
        "All target tokens are known, so all rows are computed together; the mask hides from each row what"
        " comes after it."
    ),
    "5": "Five passes would still be one after the other. In training no pass has to wait.",
    "6": (
        "That is so when the model writes: each token must be there before the next. In training all of them"
        " are given."
    ),
}


def training_pass_count() -> str:
    run = decode(MANY_TO_ONE, 1)
    return "1" if run.difference < 1e-3 else str(len(run.writes))


training_passes = guess(
    "training-passes",
    "At the start, writing the 6 tokens takes 6 passes through the decoder. How many does training on the"
    " same sentence take?",
    PASSES,
    training_pass_count,
    "A pass must wait for the one before it only if it needs a word that is not known yet.",
    covers=("training", "both", "agreement"),
)
