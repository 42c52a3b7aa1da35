"""Experiment `scaling`: why the dot product is divided by √d."""

from lessons.kit.contract import Act, Experiment, Preset, Slider, Toggle
from lessons.scores.scaling import exercises, views
from lessons.scores.scaling.compute import MAX_POWER, Samples, compute
from models.attention import Dot, ScaledDot

EXPERIMENT = Experiment(
    "scaling",
    "Why √d",
    (
        Slider("k", "Size d of the vectors, as log₂ d", 6, 0, MAX_POWER),
        Toggle("scaled", "Divide by √d", False),
        Slider("seed", "Seed of the random vectors", 0, 0, 9),
    ),
    compute,
    (views.spread, views.one_query, views.reading),
    (
        Preset("Small vectors", "√1 is 1, so the weights are the same with and without √d.", {"k": 0}),
        Preset(
            "Large vectors",
            "d is 1,024: the best key gets nearly all the weight, and the gradient is nearly 0.",
            {"k": 10},
        ),
        Preset(
            "Large, scaled",
            "The same scores, divided by √d: their standard deviation is 1, and all keys get weight.",
            {"k": 10, "scaled": True},
        ),
    ),
    exercises.four_times,
    code=(Dot, ScaledDot, Samples),
    acts=(
        Act("even", (views.winner, views.entropy), (("winner", "entropy"),)),
        Act("gradient", (views.gradient,)),
    ),
    layout=(("spread", "one_query"), "reading"),
    demonstrates={"k": 8},
    core=True,
)
