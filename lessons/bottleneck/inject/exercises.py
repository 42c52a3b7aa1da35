"""The guess of experiment `inject`, with a computed answer."""

from lessons.bottleneck.inject.compute import WiringComparison, compute
from lessons.kit.example_sentences import PASSIVE
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import seed_count


def compare_wirings() -> WiringComparison:
    return compute(PASSIVE, "first state", "exact match")


def describe_score(wiring: str) -> str:
    values = compare_wirings().natural[wiring]
    return f"its exact match is {values.mean():.2f}, with {seed_count(len(values))}"


best_wiring = guess(
    "best-wiring",
    "c enters the decoder only in its first state, or at every step; “one RNN” is encoder and decoder in one."
    " Which of the three wirings translates the most test sentences without any error?",
    {
        "first state": lambda: (
            "The decoder gets c only once and has to remember it while it writes:"
            f" {describe_score('first state')}."
        ),
        "every step": lambda: (
            f"The decoder gets c again at every step: {describe_score('every step')}. The table shows what"
            f" else"
            " differs."
        ),
        "one RNN": lambda: (
            f"The same weights read English and write French: {describe_score('one RNN')}. This model also"
            f" has"
            " the fewest parameters."
        ),
    },
    lambda: compare_wirings().best,
    "In which wirings must the decoder remember c while it writes?",
    covers=("by_length", "fair"),
)
