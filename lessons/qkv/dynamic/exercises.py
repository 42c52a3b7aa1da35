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
    "You reverse the words of a sentence. In which layer do the weights between positions change?",
    {
        "fully connected": lambda: (
            f"In row 1 of M the weight of position 2 is always {signed(reverse_words().now[0, 0, 1])},"
            " whichever word stands there. The outputs change, but the weights do not."
        ),
        "convolution": (
            "Its three weights belong to the position itself and to its two neighbours. They do not depend on"
            " the words there."
        ),
        "attention": lambda: (
            f"A is computed from the words: {reverse_words().changed[2]} of its {reverse_words().now[2].size}"
            " weights are outlined. In the other two layers no weight is outlined."
        ),
    },
    changing_layer,
    "Which of these weights could you write down before you read the sentence?",
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
        "M is T × T, with one weight for each pair of positions. W_Q, W_K and W_V are 8 × 8 each. What is the"
        " smallest T for which M has more parameters than these three matrices together?",
        first_length_M_is_larger,
        "How many parameters does a T × T matrix have, and how many do the three matrices have?",
        lambda: (
            f"M then has {first_length_M_is_larger() ** 2} parameters, and the three matrices have"
            f" {parameter_counts(1, 8)[2]}. A fully connected layer for all T · d numbers has (T · d)²"
            f" parameters and is larger from T = {first_length_dense_is_larger()} on."
        ),
        WHOLE_NUMBER,
        "dynamic",
    ),
)
