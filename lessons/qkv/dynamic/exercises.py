"""Guess and exercise for experiment `dynamic`. All answers are computed."""

from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.kit.pictures.numbers import signed
from lessons.qkv.dynamic.compute import FIXED_LENGTH, LAYERS, LENGTHS, Dynamic, compute, parameter_counts


def reverse_words() -> Dynamic:
    return compute("reversed", FIXED_LENGTH, 4, 0)


def changing_layer() -> str:
    """The only layer whose weights change when the words are reversed."""
    (changing,) = (layer for layer, count in zip(LAYERS, reverse_words().changed, strict=True) if count)
    return changing


GUESS = guess(
    "anew",
    "You reverse the words of a sentence. In which layer do the weights between places change?",
    {
        "fully connected": lambda: (
            f"Row 1 of M always takes {signed(reverse_words().now[0, 0, 1])} of place 2, whichever word"
            " stands there. The outputs change, the weights do not."
        ),
        "convolution": (
            "Its three numbers belong to the left place, this place and the right place. They do not depend"
            " on the words there."
        ),
        "attention": lambda: (
            f"A is computed from the words: {reverse_words().changed[2]} of its {reverse_words().now[2].size}"
            " weights are outlined, and none of the other layers’ weights."
        ),
    },
    changing_layer,
    "Which of these weights could you write down before you have read the sentence?",
    covers=("fixed", "window", "made", "of_fixed", "of_window", "of_made", "made_before", "made_now"),
)


def first_length_M_is_larger() -> int:
    """The first T at which M has more parameters than W_Q, W_K and W_V together, for d = 8."""
    return next(T for T in LENGTHS if parameter_counts(T, 8)[0] > parameter_counts(T, 8)[2])


def first_length_dense_is_larger() -> int:
    """The first T at which a dense T · d to T · d layer has more parameters than W_Q, W_K and W_V."""
    return next(T for T in LENGTHS if parameter_counts(T, 8)[2] < (T * 8) ** 2)


EXERCISES = (
    number(
        "overtaken",
        "d = 8, no biases. M is T × T: one weight for each pair of places, used for all d numbers of a word."
        " From which T on does M have more parameters than W_Q, W_K and W_V together?",
        first_length_M_is_larger,
        "How many parameters does a T × T matrix have? Compare that number with 3d².",
        lambda: (
            f"There M has {first_length_M_is_larger()}² = {first_length_M_is_larger() ** 2} parameters, and"
            f" the three matrices have 3 · 8² = {parameter_counts(1, 8)[2]}. A layer from all T · d numbers"
            " to all T · d numbers would have (T · d)² parameters, which is more from T ="
            f" {first_length_dense_is_larger()} on."
        ),
        WHOLE_NUMBER,
        "dynamic",
    ),
)
