"""Guess and exercise for experiment `mask`. All answers are computed."""

from lessons.kit.example_sentences import AMBIGUOUS_BANK
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.qkv.mask.compute import Mask, compute
from models.multihead import causal

NONE, ONE, EIGHT = "none", "only the output of word 8", "all eight"


def replace_ninth_word(masked: bool) -> Mask:
    return compute(AMBIGUOUS_BANK, 9, "street", masked)


def changed_outputs() -> str:
    count = int((replace_ninth_word(masked=True).moved[:8] > 0).sum())
    return {0: NONE, 1: ONE}.get(count, EIGHT)


GUESS = guess(
    "looks-ahead",
    "The mask is on, and you replace word 9. How many of the eight outputs before it change?",
    {
        NONE: "No earlier word may attend to word 9, in any layer. The bars of words 1 to 8 are exactly 0.",
        ONE: "Word 8 may not attend to word 9 either: in row 8 of the map, the cell of word 9 is hatched.",
        EIGHT: lambda: (
            "That happens without the mask, and the outputs change by up to"
            f" {replace_ninth_word(masked=False).moved_before:.2f}. Choose “A leak” to see it."
        ),
    },
    changed_outputs,
    "An output changes only if its word attends to word 9, directly or through another word. Which words are"
    " allowed to?",
    covers=("gaze", "moved"),
)

EXERCISES = (
    number(
        "hidden",
        "A layer reads T = 6 words with the causal mask. How many of the 36 weights are 0 because of it?",
        lambda: int((~causal(6)).sum()),
        "Row 1 may attend to one word, row 2 to two, and so on. How many cells of each row are left?",
        "The rows lose 5, 4, 3, 2, 1 and 0 cells.",
        WHOLE_NUMBER,
        "mask",
    ),
)
