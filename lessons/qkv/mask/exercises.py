"""Guess and exercise for experiment `mask`. All answers are computed."""

from lessons.kit.example_sentences import AMBIGUOUS_BANK
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.qkv.mask.compute import Mask, compute
from models.multihead import causal

NONE, ONE, EIGHT = "none", "only the one before it", "all eight"


def replace_ninth_word(masked: bool) -> Mask:
    return compute(AMBIGUOUS_BANK, 9, "street", masked)


def changed_outputs() -> str:
    count = int((replace_ninth_word(masked=True).moved[:8] > 0).sum())
    return {0: NONE, 1: ONE}.get(count, EIGHT)


GUESS = guess(
    "looks-ahead",
    "With the mask on, word 9 is replaced. How many of the eight outputs before it change?",
    {
        NONE: "No word before word 9 may attend to it, in any layer: their bars are exactly 0.",
        ONE: "Word 8 may not attend to word 9 either: in the row of word 8 the cell of word 9 is hatched.",
        EIGHT: lambda: (
            f"That happens without the mask, by up to {replace_ninth_word(masked=False).moved_before:.2f}:"
            " choose “A leak”."
        ),
    },
    changed_outputs,
    "An output changes only if its word attends to word 9, directly or through another word. Which words"
    " may?",
    covers=("gaze", "moved"),
)

EXERCISES = (
    number(
        "hidden",
        "T = 6, with the causal mask. How many of the 36 weights are 0 because of the mask?",
        lambda: int((~causal(6)).sum()),
        "Row 1 may attend to one word, row 2 to two, and so on. How many cells of each row are left?",
        "5 + 4 + 3 + 2 + 1.",
        WHOLE_NUMBER,
        "mask",
    ),
)
