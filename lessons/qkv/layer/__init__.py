"""Experiment `layer`: an attention layer with freely chosen sizes. Which sizes must agree?"""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Toggle
from lessons.qkv.layer import compute, exercises, views
from models.multihead import scaled_dot_product

EXPERIMENT = Experiment(
    "layer",
    "In general",
    (
        Slider("T_Q", "Rows of X_Q, T′", 2, 1, compute.MAX_SIZE),
        Slider("d_Q", "Columns of X_Q, d_Q", 4, 1, compute.MAX_SIZE),
        Slider("T", "Rows of X, T", 5, 1, compute.MAX_SIZE),
        Slider("d_X", "Columns of X, d_X", 3, 1, compute.MAX_SIZE),
        Toggle("own", "Self-attention: X_Q is X", False),
        Slider("wide_Q", "Columns of W_Q, d_K", 2, 1, compute.MAX_SIZE),
        Slider("wide_K", "Columns of W_K, d_K", 2, 1, compute.MAX_SIZE),
        Slider("d_V", "Columns of W_V, d_V", 4, 1, compute.MAX_SIZE),
        Choice("fill", "Numbers in W_Q, W_K and W_V", "random", compute.FILLS),
        Slider("seed", "Seed of the random numbers", 2, 0, 99),
        Choice("turn", "Reverse the rows of", "nothing", compute.FLIPS),
    ),
    compute.compute,
    (views.whole, views.reading),
    (
        Preset(
            "Self-attention",
            "The queries come from X itself, so there are as many queries as inputs, and A is square.",
            {"own": True},
        ),
        Preset(
            "Seq2seq",
            "All matrices are I. With decoder states as queries and encoder states as inputs, this is the"
            " attention of lesson 3 with the scaled dot score.",
            {"fill": "identity", "d_Q": 3},
        ),
        Preset(
            "Sizes that do not fit",
            "Queries have 2 numbers, but keys have 3. Which part of the picture is missing?",
            {"wide_K": 3},
        ),
        Preset(
            "Reversed inputs",
            "The rows of K and V are in reverse order, and so are the columns of A. What happens to Y?",
            {"turn": "inputs"},
        ),
    ),
    exercises.GUESS,
    code=(scaled_dot_product, compute.compute),
    acts=(
        Act("agree", (views.agree,)),
        Act("turned", (views.weights_turned, views.outputs_turned)),
    ),
    layout=(("T_Q", "d_Q", "T", "d_X"), "whole", "reading"),
    demonstrates={"d_V": 5},
)
