"""Guess for experiment `decode`. Its answer is computed."""

from lessons.kit.example_sentences import MANY_TO_ONE
from lessons.kit.exercises import guess
from lessons.transformer.decode.compute import decode

PASSES = {
    "1": (
        "All target tokens are known, so all positions are computed together. The mask hides from each"
        " position what comes after it."
    ),
    "5": "Five passes would still run one after the other. In training no pass has to wait.",
    "6": (
        "That is true when the model writes, because each token must be known before the next one. In"
        " training all tokens are given."
    ),
}


def training_pass_count() -> str:
    run = decode(MANY_TO_ONE, 1)
    return "1" if run.difference < 1e-3 else str(len(run.writes))


training_passes = guess(
    "training-passes",
    "To write the 6 tokens of this translation, the model needs 6 passes through the decoder. How many passes"
    " does training need for the same sentence?",
    PASSES,
    training_pass_count,
    "A pass must wait only if it needs a token that is not known yet. Is that the case in training?",
    covers=("training", "both", "agreement"),
)
