"""Experiment `rate`: when is the learning rate too large?"""

from lessons.kit.contract import Act, Choice, DragHandles, Experiment, Preset, Slider, Step, Toggle
from lessons.training.rate import views
from lessons.training.rate.compute import MAX_WEIGHT, STEPS, UNITS, descend, loss, rate
from lessons.training.rate.exercises import larger

WITHOUT_TANH = {"unit": "no tanh", "power": -0.7}

EXPERIMENT = Experiment(
    "rate",
    "Learning rate",
    (
        Slider("power", "Learning rate, as a power of ten", -1.0, -2.0, 1.0, 0.1),
        Toggle("warm", "Warm-up", False),
        Toggle("clip", "Clip the gradient", False),
        Choice("unit", "Activation of the unit", "tanh", UNITS),
        Slider("length", "Length of the input T", 8, 2, 12),
        DragHandles("start", "Start: drag the arrow", ((0.8, 0.8),), -MAX_WEIGHT, MAX_WEIGHT),
        Step("step", "Step", STEPS, 0, STEPS),
    ),
    rate,
    (views.hills, views.loss, views.reading),
    (
        Preset("Too small", "How far does the loss fall in sixty steps?", {"power": -2.0}),
        Preset("Too large", "Press play. Where does each step land?", {"power": 0.5}),
        Preset(
            "Without tanh",
            "The loss now has no upper bound. Play the first ten steps.",
            WITHOUT_TANH,
        ),
        Preset(
            "Without tanh, clipped",
            "The same, but a gradient longer than 1 is shortened to 1. Does training survive?",
            WITHOUT_TANH | {"clip": True},
        ),
    ),
    larger,
    acts=(Act("steps", (views.steps,)), Act("sweep", (views.sweep,))),
    layout=(("hills", "loss"), "reading"),
    code=(descend, loss),
    demonstrates="Too large",
)
