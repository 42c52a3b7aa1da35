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
        "That is the shape of the attention weights, one weight per pair of words. They mix the rows, and the"
        " result again has one row per word."
    ),
    "7 × 64": "The output has the same shape as the input, so blocks can be stacked as often as you like.",
}


def attention_output_shape() -> str:
    output = block(IDIOM, "encoder: self-attention", "1").quantities[-1]
    return " × ".join(map(str, output.values.shape))


shape_out = guess(
    "shape-out",
    "Seven words with 64 numbers each go into the self-attention of the encoder. What is the shape of the"
    " output?",
    SHAPES,
    attention_output_shape,
    "The next layer takes this output as its input. Which shape must it have?",
    covers=("tensors", "whole"),
)


def pointwise_parameters() -> float:
    return block(IDIOM, "encoder: feed-forward network", "1").parameters


EXERCISES = (
    number(
        "fc-size",
        "A feed-forward network has d = 64 inputs, 128 hidden units and 64 outputs. How many parameters does"
        " it have, with both biases?",
        pointwise_parameters,
        "W_1 and b_1 together have 64 × 128 + 128 parameters. How many do W_2 and b_2 have?",
        "The number of words does not matter, because all words share these weights.",
        WHOLE_NUMBER,
        "block",
    ),
)
