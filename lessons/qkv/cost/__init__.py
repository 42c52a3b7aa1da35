"""Experiment `cost`: work, sequential steps and memory of recurrence and attention, counted and measured."""

from lessons.kit.contract import Act, Experiment, Job, Preset, Slider, Toggle
from lessons.qkv.cost import compute, exercises, views

EXPERIMENT = Experiment(
    "cost",
    "Cost",
    (
        Slider("T", "Words T", 128, 16, 512, 16),
        Slider("d", "Numbers per word d", 64, 16, 128, 16),
        Toggle("forcing", "All inputs known (training)", True),
    ),
    compute.compute,
    (views.work, views.chain, views.reading),
    (
        Preset("A long text", "T = 512, much larger than d: the T² scores dominate.", {"T": 512}),
        Preset(
            "A short sentence",
            "T = 16, fewer words than numbers per word: the scores hardly matter.",
            {"T": 16},
        ),
        Preset(
            "Writing",
            "Each word must be written before it can be read: now attention also takes T steps.",
            {"forcing": False},
        ),
    ),
    exercises.GUESS,
    Job("measure on this machine", compute.measure),
    (compute.count_costs, compute.forward),
    (Act("path", (views.path,)), Act("memory", (views.memory,))),
    (("work", "chain"), "reading"),
)
