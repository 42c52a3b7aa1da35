"""Experiment `matrices`: one attention layer with all numbers visible and most of them editable."""

from lessons.kit.contract import Act, Choice, Experiment, Matrix, Preset, Slider, Toggle
from lessons.qkv.attention_layer import MAX_SIZE, attend
from lessons.qkv.matrices import compute, exercises, views
from models.multihead import scaled_dot_product

LABELS = ("X, one row per word", "W_Q", "W_K", "W_V")

EXPERIMENT = Experiment(
    "matrices",
    "The layer",
    (
        Slider("T", "Number of rows (words) T", 3, 1, MAX_SIZE),
        Slider("d", "Numbers per row d", 2, 1, MAX_SIZE),
        Choice("fill", "Numbers in the matrices", "set by hand", compute.FILLS, {"own": "set by hand"}),
        Slider("seed", "Seed of the random numbers", 1, 0, 99),
        Toggle("scale", "Divide by √d", True),
        Toggle("mask", "Causal mask", False),
        *(
            Matrix(name, label, rows, compute.MIN_VALUE, compute.MAX_VALUE, in_picture=True)
            for name, label, rows in zip(compute.GIVEN, LABELS, compute.START, strict=True)
        ),
    ),
    compute.compute,
    (views.layer, views.reading),
    (
        Preset("Identity", "All three matrices are I, so Q, K and V are X itself.", {"fill": "identity"}),
        Preset(
            "Masked",
            "Row t attends only to rows 1 to t, so the first row attends only to itself.",
            {"mask": True, "T": 4, "fill": "random", "d": 3},
        ),
        Preset(
            "One row",
            "With T = 1 there is no other row to attend to, so Y is V. Q and K do not matter.",
            {"T": 1},
        ),
        Preset(
            "Six by six",
            "The same computation with larger matrices. Point at any cell.",
            {"T": 6, "d": 6, "fill": "random"},
        ),
    ),
    exercises.GUESS,
    code=(scaled_dot_product, attend),
    acts=(
        Act("scores", (views.scores,), asks=views.ask_weight),
        Act("outputs", (views.outputs,), asks=views.ask_output),
    ),
    demonstrates={"X": ((2.0, *compute.X[0][1:]), *compute.X[1:])},
    core=True,
)
