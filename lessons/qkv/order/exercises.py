"""Guess for experiment `order`. Its answer is computed."""

from lessons.kit.example_sentences import SUBJECT_OBJECT
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import short
from lessons.qkv.order.compute import Order, compute

ALONG, LITTLE, OTHER = (
    "it moves with the word, unchanged",
    "it changes a little",
    "it becomes the output of another word",
)


def reverse_sentence() -> Order:
    return compute(SUBJECT_OBJECT, "reversed", 0, False, 1)


def effect_on_output() -> str:
    run = reverse_sentence()
    largest = run.moved[0].max()
    return ALONG if largest < 1e-4 else LITTLE if largest < run.size else OTHER


GUESS = guess(
    "equivariant",
    "You reverse the sentence and add no positions. What happens to the output of “dog”?",
    {
        ALONG: lambda: (
            "In all outputs together, no number changes by more than"
            f" {short(reverse_sentence().moved[0].max(), 2)}, which is rounding."
        ),
        LITTLE: lambda: (
            "That happens only with positions: the ticks in the picture reach"
            f" {reverse_sentence().moved[1].max():.2f}. Without positions all bars are at 0."
        ),
        OTHER: (
            "Each bar compares a word’s output with the same word’s output before, and every bar is at 0."
        ),
    },
    effect_on_output,
    "Does the dot product of two words depend on where they stand?",
    covers=("moved", "before", "after"),
)
