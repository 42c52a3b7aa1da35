"""Experiment `parameters`: how many parameters an attention layer has, and how many numbers it computes."""

from lessons.kit.contract import Act, Experiment, Preset, Slider
from lessons.qkv.parameters import compute, exercises, views
from lessons.qkv.untrained_layer import MAX_HEADS, MAX_LENGTH
from models.multihead import MultiHeadAttention

EXPERIMENT = Experiment(
    "parameters",
    "Parameters",
    (
        Slider("d", "Numbers per word d", 10, 1, 64),
        Slider("T", "Number of words T", 4, 1, MAX_LENGTH),
        Slider("heads", "Number of heads", 1, 1, MAX_HEADS),
        Slider("number", "Task number", 0, 0, 99),
    ),
    compute.compute,
    (views.learned, views.computed, views.reading),
    (
        Preset(
            "A long sentence", "T = 40: the bars on the right grow, the bars on the left do not.", {"T": 40}
        ),
        Preset(
            "Twice as wide", "d = 20 instead of 10: every matrix has four times as many numbers.", {"d": 20}
        ),
        Preset(
            "Five heads",
            "The heads share the numbers of a word. The layer has no more parameters, but one E and one A per"
            " head.",
            {"heads": 5},
        ),
    ),
    exercises.GUESS,
    code=(MultiHeadAttention,),
    acts=(Act("another", (views.task,), ("task", "number")),),
    layout=(("learned", "computed"), "reading"),
    demonstrates={"T": 8},
)
