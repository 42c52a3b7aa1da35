"""Guess for experiment `between`. Its answer is computed."""

from lessons.kit.exercises import guess
from lessons.qkv.between.compute import Between, compute

MAN_SEES_DOG = "the man sees the dog ."
STAYS, CHANGES = "it stays the same", "it changes"


def sort_words() -> Between:
    return compute(MAN_SEES_DOG, True, "words")


GUESS = guess(
    "unordered",
    "You sort the words of a sentence from A to Z. What happens to the translation of the model whose encoder"
    " has no positions?",
    {
        STAYS: (
            "Without positions the encoder sees a set of words, and sorting does not change a set. Choose"
            " “Sorted” and compare the line of “no positions”."
        ),
        CHANGES: lambda: (
            f"Sorted or not, this model writes “{' '.join(sort_words().outputs[1])}”. The other encoders"
            " notice the order, and their translations change."
        ),
    },
    lambda: STAYS if sort_words().outputs[1] == sort_words().as_typed[1] else CHANGES,
    "In “Order”, what happened to the outputs when you changed the order without positions?",
)
