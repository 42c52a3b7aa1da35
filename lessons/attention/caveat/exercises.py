"""The guess and the exercise of experiment `caveat`, with computed answers."""

import torch

from lessons.attention.caveat.adversarial import js_divergence
from lessons.attention.caveat.compute import TOWARDS, Moved, compute
from lessons.kit.example_sentences import REORDERING
from lessons.kit.exercises import guess, number
from lessons.kit.language import translate
from lessons.kit.pictures.tokens import quote

COUNTS = ("0 or 1", "2 to 13", "14 or 15")


def run_with_even_weights() -> Moved:
    return compute(REORDERING, 13, TOWARDS[0], 1.0, 0.05)


def count_kept() -> int:
    return int(run_with_even_weights().stays_even.sum())


def lost_words() -> str:
    run = run_with_even_weights()
    return ", ".join(quote(word) for word, stays in zip(run.output, run.stays_even, strict=True) if not stays)


even_survivors = guess(
    "even-survivors",
    "One step at a time gets even weights. How many of the 15 steps (with the end mark) still write"
    " their word?",
    {
        COUNTS[0]: (
            "A step with even weights still knows much: its state depends on the words written so far, and"
            " the mean of all encoder states contains every word."
        ),
        COUNTS[1]: lambda: translate(
            "{count} words stay, and these change: {words}. The others follow from the words before them"
            " and from the mean of all states.",
            count=count_kept(),
            words=lost_words(),
        ),
        COUNTS[2]: lambda: translate(
            "Some steps need their weights: with even weights step 13 writes “{last}” instead of “{word}”.",
            last=run_with_even_weights().last,
            word=run_with_even_weights().word,
        ),
    },
    lambda: COUNTS[0] if count_kept() < 2 else COUNTS[1] if count_kept() < 14 else COUNTS[2],
    "Cover a word of the French sentence with your thumb. From which words around it could you guess it?",
    covers=("survives",),
)


def largest_divergence() -> float:
    """The Jensen–Shannon divergence of two rows with no word in common."""
    return js_divergence(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])).item()


EXERCISES = (
    number(
        "divergence",
        "One row of weights is (1, 0), another is (0, 1). What is their Jensen–Shannon divergence in nats"
        " (natural logarithm, as in “Explanation?”)? (two decimals)",
        largest_divergence,
        "The mean of both rows is ½, ½. Each row has a divergence of 1 · ln(1 / ½) nats from it; take the"
        " mean. In bits it would be 1.",
        "It is ln 2 nats, or 1 bit: no two rows have a larger divergence.",
        experiment="caveat",
    ),
)
