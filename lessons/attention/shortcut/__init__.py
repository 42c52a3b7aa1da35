"""Experiment `shortcut`: how gradients reach the source words with and without attention."""

from lessons.attention.shortcut import exercises, views
from lessons.attention.shortcut.compute import WEIGHTS, compute, gradients_by_step
from lessons.attention.translators import MAX_STEPS
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Step
from models.gradients import jacobian, run_with_zeros

EXPERIMENT = Experiment(
    "shortcut",
    "Shortcut",
    (
        Slider("length", "Length of the sentence T", 20, 4, 40),
        Choice("weights", "Weights of the models", WEIGHTS[0], WEIGHTS),
        Step("t", "Step t", 15, 1, MAX_STEPS + 20),
    ),
    compute,
    (views.by_word, views.reading, views.sentence),
    (
        Preset(
            "A short path",
            "With five words the path back is short even without attention. How large is the gradient?",
            {"length": 5, "t": 4},
        ),
        Preset(
            "A long path",
            "With forty words and one of the last steps the path is long: compare the exponents.",
            {"length": 40, "t": 38},
        ),
        Preset(
            "After training",
            "Which model’s gradient is largest at the word that this step translates?",
            {"weights": WEIGHTS[1], "t": 13},
        ),
    ),
    exercises.weaker,
    code=(run_with_zeros, jacobian, gradients_by_step),
    acts=(Act("first", (views.to_first,)),),
)
