"""Experiment `same`: pairs of scores that have two names but are one function."""

from lessons.kit.contract import Act, Choice, Experiment, Matrix, Preset, Slider
from lessons.scores.same import exercises, views
from lessons.scores.same.compute import PAIRS, compute, concat
from lessons.scores.score_functions import ADDITIVE_WEIGHTS, IDENTITY
from models.attention import Additive, Bilinear

W_1, W_2 = ADDITIVE_WEIGHTS["W_1"], ADDITIVE_WEIGHTS["W_2"]
JOINED = tuple((*left, *right) for left, right in zip(W_1, W_2, strict=True))
WRONG_ROW = (*JOINED[1][:2], 1.5, JOINED[1][3])

EXPERIMENT = Experiment(
    "same",
    "Same or not",
    (
        Choice("pair", "Scores to compare", PAIRS[0], PAIRS),
        Matrix("W", "W of the bilinear score", IDENTITY, -3, 3),
        Matrix("W_1", "W₁ of additive, for the keys", W_1, -3, 3),
        Matrix("W_2", "W₂ of additive, for the query", W_2, -3, 3),
        Matrix("W_c", "W of concat, for both", JOINED, -3, 3),
        Matrix(
            "v",
            "vₐ, shared by additive and concat",
            tuple((value,) for value in ADDITIVE_WEIGHTS["v"]),
            -3,
            3,
        ),
        Slider("seed", "Random vectors s and h, draw number", 1, 1, 20),
    ),
    compute,
    (views.first, views.second, views.both, views.reading),
    (
        Preset("W = I", "For every key the bar ends at the mark. Draw other vectors: is that still so?", {}),
        Preset(
            "One number off",
            "One number of W is 0.5 instead of 0. Which scores change, and by how much?",
            {"W": ((1.0, 0.5), (0.0, 1.0))},
        ),
        Preset(
            "Split or joined",
            "Additive has two matrices, concat has one: both compute the same function.",
            {"pair": PAIRS[1]},
        ),
        Preset(
            "Repair it",
            "The outlined number of W is wrong. Which number makes both scores agree again?",
            {"pair": PAIRS[1], "W_c": (JOINED[0], WRONG_ROW, JOINED[2])},
        ),
    ),
    exercises.off_by_one,
    code=(Bilinear, Additive, concat),
    acts=(Act("digits", (views.to_the_last_digit,)),),
    demonstrates="One number off",
)
