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
        Choice("weights", "Weights", "untrained", WEIGHTS, {"fresh": "untrained"}),
        Slider("radius", "Spectral radius of W_hh (vanilla)", 0.9, 0.5, 1.5, 0.05),
        Slider("keep", "Bias of the update gate z or forget gate f", 1.0, 0.0, 5.0, 0.5),
        Slider("T", "Steps T", MAX_STEPS, 10, MAX_STEPS, 10),
    ),
    compute=compute,
    views=(views.reach, views.reading),
    acts=(Act("carriers", (views.carriers, views.shares)),),
    presets=(
        Preset(
            "Radius 0.5",
            "A falling straight line is a constant factor per step. How far back is 1% left?",
            {"radius": 0.5},
        ),
        Preset("Radius 1.5", "Every factor is larger than 1. What does tanh change?", {"radius": 1.5}),
        Preset(
            "Bias 0",
            "Untrained gates with bias 0 are near 0.5. Which cells forget fastest?",
            {"keep": 0.0, "cell": "GRU"},
        ),
        Preset(
            "After training",
            "How far back does each cell pass the gradient now?",
            {"weights": "trained", "cell": "GRU"},
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
