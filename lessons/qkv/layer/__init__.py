"""Experiment `layer`: an attention layer with freely chosen sizes. Which sizes must agree?"""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Toggle
from lessons.qkv.layer import compute, exercises, views
from models.multihead import scaled_dot_product

EXPERIMENT = Experiment(
    "layer",
    "In general",
    (
        Slider("T_Q", "X_Q: rows T′", 2, 1, compute.MAX_SIZE),
        Slider("d_Q", "X_Q: columns d_Q", 4, 1, compute.MAX_SIZE),
        Slider("T", "X: rows T", 5, 1, compute.MAX_SIZE),
        Slider("d_X", "X: columns d_X", 3, 1, compute.MAX_SIZE),
        Toggle("own", "Self-attention: X_Q is X", False),
        Slider("wide_Q", "W_Q: columns d_K", 2, 1, compute.MAX_SIZE),
        Slider("wide_K", "W_K: columns d_K", 2, 1, compute.MAX_SIZE),
        Slider("d_V", "W_V: columns d_V", 4, 1, compute.MAX_SIZE),
        Choice("fill", "W_Q, W_K, W_V", "random", compute.FILLS),
        Slider("seed", "Seed", 2, 0, 99),
        Choice("turn", "Reverse the rows of", "nothing", compute.FLIPS),
    ),
    compute.compute,
    (views.whole, views.reading),
    (
        Preset("Self", "X asks itself: there are as many queries as inputs, and A is square.", {"own": True}),
        Preset(
            "Seq2seq",
            "All matrices are I. With decoder states as queries and encoder states as inputs this is the"
            " scaled dot-product attention of lesson 3.",
            {"fill": "identity", "d_Q": 3},
        ),
        Preset(
            "Sizes that do not fit",
            "Queries have 2 numbers, keys have 3. Which arrows lead nowhere?",
            {"wide_K": 3},
        ),
        Preset(
            "Permuted inputs",
            "The rows of K and V and the columns of A are in reverse order. What happens to Y?",
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
)
