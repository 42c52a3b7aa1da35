"""The guess of experiment `unordered`, with a computed answer."""

from lessons.attention.unordered.compute import SHUFFLES, compute
from lessons.kit.example_sentences import REORDERING
from lessons.kit.exercises import guess
from lessons.kit.language import translate
from lessons.kit.pictures.numbers import scientific

CHANGES = ("only by rounding", "a little", "completely")


def context_change() -> float:
    return float(compute(REORDERING, 3, SHUFFLES[0], 5).gaps[0].max())


shuffled = guess(
    "shuffled",
    "With the opening settings the states are shuffled (shuffle 3). How much does this change the"
    " context c₅?",
    {
        CHANGES[0]: lambda: translate(
            "Each state kept its weight, and a sum does not depend on the order of its terms: {change} is"
            " rounding.",
            change=scientific(context_change()),
        ),
        CHANGES[1]: (
            "For that, a term of the sum would have to change. Here every state keeps its weight, so all"
            " terms stay the same."
        ),
        CHANGES[2]: (
            "It would change if the words were shuffled before the encoder reads them. Here only the finished"
            " states change places."
        ),
    },
    lambda: CHANGES[0] if context_change() < 1e-4 else CHANGES[1] if context_change() < 0.3 else CHANGES[2],
    "Write the context as a sum. Which of its factors depends on the position i?",
    covers=("translations", "weights", "change"),
)
