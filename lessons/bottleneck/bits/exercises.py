"""The guess and the exercise of experiment `bits`, with computed answers."""

from lessons.bottleneck.bits.compute import FLOAT_BITS, compute, read_sizes
from lessons.bottleneck.sentences import PASSIVE
from lessons.kit.exercises import WHOLE_NUMBER, guess, nearest_option, number

SIZE = "128"
OPTIONS = ("1", "3", "6", "16")
TEXT_WORDS, C_NUMBERS = 1000, 512


def describe_needed() -> str:
    """The measured number of bits, and the exact match with one bit per number."""
    size = read_sizes()[SIZE]
    return (
        f"With {size.sufficient} bits per number exact match stays within 1% of {size.unrounded:.2f}."
        f" With one bit it is {size.exact_match[0]:.2f}."
    )


enough_bits = guess(
    "enough-bits",
    f"A number in c is stored with {FLOAT_BITS} bits. To how many bits can every number of a c of size {SIZE}"
    " be rounded, with almost no loss in translation? Choose the nearest.",
    {
        "1": lambda: f"That would leave only the sign of each number. {describe_needed()}",
        "3": lambda: f"That would leave eight values for each number. {describe_needed()}",
        "6": lambda: f"That leaves 64 values for each number. {describe_needed()}",
        "16": lambda: f"That would leave 65,536 values for each number. {describe_needed()}",
    },
    lambda: nearest_option(OPTIONS, float(read_sizes()[SIZE].sufficient or FLOAT_BITS)),
    "Would the decoder notice if 0.4731 became 0.47?",
    covers=("rounding_curve", "budget", "sizes", "sentence_total"),
)


def bits_needed() -> float:
    """Bits per number that c needs to store the text, estimated by the language model."""
    run = compute(TEXT_WORDS, C_NUMBERS, 1, SIZE, PASSIVE)
    return run.text_words * run.measured / run.c_numbers


EXERCISES = (
    number(
        "fits",
        f"In “512 numbers”, a text of {TEXT_WORDS:,} words has as many bits per word as the language model"
        f" measures. How many bits per number must {C_NUMBERS} numbers carry at least? Round up.",
        lambda: float(-(-bits_needed() // 1)),
        "Divide the bits of the text by the numbers in c.",
        lambda: (
            f"The text needs {bits_needed() * C_NUMBERS:,.0f} bits, so each number must carry"
            f" {bits_needed():.2f} bits or more."
        ),
        WHOLE_NUMBER,
        "bits",
    ),
)
