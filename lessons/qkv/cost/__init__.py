"""Experiment `cost`: work, sequential steps and memory of recurrence and attention, counted and measured."""

from lessons.kit.contract import Act, Experiment, Job, Preset, Slider, Toggle
from lessons.qkv.cost import compute, exercises, views

EXPERIMENT = Experiment(
    "cost",
    "Cost",
    (
        Slider("T", "Number of words T", 128, 16, 512, 16),
        Slider("d", "Numbers per word d", 64, 16, 128, 16),
        Toggle("forcing", "All inputs known in advance (training)", True),
    ),
    compute.compute,
    (views.work, views.chain, views.reading),
    (
        Preset(
            "A long text", "T = 512 is much larger than d: most of the work is for the T² scores.", {"T": 512}
        ),
        Preset(
            "A short sentence",
            "T = 16 is smaller than d: the T² scores are only a small part of the work.",
            {"T": 16},
        ),
        Preset(
            "Writing",
            "Each word must be written before it can be read, so attention needs T steps too.",
            {"forcing": False},
        ),
    ),
    exercises.GUESS,
    Job("Measure on this machine", compute.measure),
    (compute.count_costs, compute.forward),
    (Act("path", (views.path,)), Act("memory", (views.memory,))),
    (("work", "chain"), "reading"),
    demonstrates="A long text",
)
