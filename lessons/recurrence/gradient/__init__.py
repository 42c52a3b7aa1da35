"""Experiment `gradient`: how far back a gradient reaches in each kind of cell."""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider
from lessons.recurrence.gradient import views
from lessons.recurrence.gradient.compute import MAX_STEPS, WEIGHTS, build_untrained_cell, compute
from lessons.recurrence.gradient.exercises import strongest_gradient
from lessons.recurrence.sentences import CELL_NAMES
from models import through_time

EXPERIMENT = Experiment(
    slug="gradient",
    title="Gradients",
    controls=(
        Choice("cell", "Cell", "vanilla", CELL_NAMES),
        Choice("weights", "Weights", "fresh", WEIGHTS),
        Slider("radius", "Spectral radius of W_hh (vanilla)", 0.9, 0.5, 1.5, 0.05),
        Slider("keep", "Bias of the gate that keeps: z or f", 1.0, 0.0, 5.0, 0.5),
        Slider("T", "Steps T", MAX_STEPS, 10, MAX_STEPS, 10),
    ),
    compute=compute,
    views=(views.reach, views.reading),
    acts=(Act("carriers", (views.carriers, views.shares)),),
    presets=(
        Preset(
            "Radius 0.5",
            "On this axis a falling straight line is a constant factor per step.",
            {"radius": 0.5},
        ),
        Preset("Radius 1.5", "tanh slows the growth, but the gradient still grows.", {"radius": 1.5}),
        Preset(
            "Bias 0",
            "Untrained gates are near 0.5, and the gated cells forget fastest.",
            {"keep": 0.0, "cell": "GRU"},
        ),
        Preset(
            "After training", "What did each cell learn to pass back?", {"weights": "trained", "cell": "GRU"}
        ),
    ),
    predict=strongest_gradient,
    code=(
        build_untrained_cell,
        through_time.backpropagate,
        through_time.vanilla_slopes,
        through_time.backward_vanilla,
    ),
    demonstrates="After training",
    core=True,
)
