"""Guess and exercise for experiment `block`. All answers are computed."""

from lessons.kit.example_sentences import IDIOM
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.transformer.block.compute import block

SHAPES = {
    "1 × 64": (
        "That was the bottleneck of lesson 2: one vector for the whole sentence. Here every word keeps its"
        " own row."
    ),
    "7 × 7": (
        "That is the shape of the attention weights: one weight per pair of words. They mix the rows, and the"
        " result is again one row per word."
    ),
    "7 × 64": "There is one row per word, as wide as before. So blocks can be stacked as often as you like.",
}


def attention_output_shape() -> str:
    output = block(IDIOM, "encoder: self-attention", "1").quantities[-1]
    return " × ".join(map(str, output.values.shape))


shape_out = guess(
    "shape-out",
    "At the start 7 words go into the encoder’s self-attention, with 64 numbers each. What is the shape of"
    " the output?",
    SHAPES,
    attention_output_shape,
    "The next block of the same kind takes this output as its input. Which shape must it have?",
    covers=("tensors", "whole"),
)


def pointwise_parameters() -> float:
    return block(IDIOM, "encoder: point-wise FC", "1").parameters


EXERCISES = (
    number(
        "fc-size",
        "How many parameters does one point-wise FC have, with d = 64 and d_FC = 128? Count W_1, b_1, W_2 and"
        " b_2.",
        pointwise_parameters,
        "W_1 and b_1 have 64 × 128 + 128. How many do W_2 and b_2 have?",
        "The number of words does not matter.",
        WHOLE_NUMBER,
        "block",
    ),
)
