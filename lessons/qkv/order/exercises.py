"""Guess for experiment `order`. Its answer is computed."""

from lessons.kit.example_sentences import SUBJECT_OBJECT
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import short
from lessons.qkv.order.compute import Order, compute

ALONG, LITTLE, OTHER = "it moves along, unchanged", "it changes a little", "it becomes another word’s"


def reverse_sentence() -> Order:
    return compute(SUBJECT_OBJECT, "reversed", 0, False, 1)


def effect_on_output() -> str:
    run = reverse_sentence()
    largest = run.moved[0].max()
    return ALONG if largest < 1e-4 else LITTLE if largest < run.size else OTHER


GUESS = guess(
    "equivariant",
    "The sentence is reversed, and no positions are added. What happens to the output of “dog”?",
    {
        ALONG: lambda: (
            f"No number of any output changes by more than {short(reverse_sentence().moved[0].max(), 2)},"
            " which is rounding."
        ),
        LITTLE: lambda: (
            f"That would happen with positions: the ticks reach {reverse_sentence().moved[1].max():.2f}."
            " Without positions all bars are at 0."
        ),
        OTHER: "Every bar compares a word’s output with its own output before, and every bar is at 0.",
    },
    effect_on_output,
    "Does the dot product of two words depend on where they stand?",
    covers=("moved", "before", "after"),
)
