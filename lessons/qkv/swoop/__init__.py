"""Experiment `swoop`: which product of S and H gives all contexts at once?"""

from lessons.kit.contract import Act, Choice, Experiment, Job, Preset, Slider
from lessons.qkv.swoop import compute, exercises, views
from models.attention import attend

EXPERIMENT = Experiment(
    "swoop",
    "At once",
    (
        Choice("expression", "Expression for all contexts", "softmax(H Sᵀ) H", tuple(compute.EXPRESSIONS)),
        Slider("T", "Number of source words T", 4, 1, 6),
        Slider("steps", "Number of target steps T′", 3, 1, 6),
        Slider("m", "Numbers per state m", 2, 1, 6),
        Slider("seed", "Seed of the random numbers", 0, 0, 99),
    ),
    compute.compute,
    (views.product, views.reading),
    (
        Preset(
            "All contexts",
            "With queries in the rows and keys in the columns, one product gives all scores.",
            {"expression": "softmax(S Hᵀ) H"},
        ),
        Preset(
            "The wrong axis",
            "The shapes fit, but the weights add up to 1 in each column instead of in each row.",
            {"expression": "softmax over columns (S Hᵀ) H"},
        ),
        Preset(
            "No softmax",
            "The product is defined but wrong: scores are not weights.",
            {"expression": "S Hᵀ H"},
        ),
        Preset(
            "A hidden mistake",
            "With T = T′ = m every product is defined, so only the numbers show the mistake.",
            {"expression": "softmax(Hᵀ S) H", "T": 3, "steps": 3, "m": 3},
        ),
    ),
    exercises.GUESS,
    Job("Measure both run times", compute.measure),
    (compute.by_loop, compute.at_once, attend),
    (Act("loop", (views.loop,)), Act("pace", (views.pace,))),
    demonstrates="All contexts",
)
