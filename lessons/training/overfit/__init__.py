"""Experiment `overfit`: has the network learned the rule, or memorised its examples?"""

from lessons.kit.contract import Act, Experiment, Preset, Slider
from lessons.training.overfit import views
from lessons.training.overfit.compute import SEEDS, forward, overfit, train
from lessons.training.overfit.exercises import by_heart

EXPERIMENT = Experiment(
    "overfit",
    "Overfitting",
    (
        Slider("examples", "Training examples", 100, 20, 1000, 20),
        Slider("wrong", "Fraction of wrong labels", 0.1, 0.0, 0.4, 0.1),
        Slider("decay", "Weight decay", 0.0, 0.0, 2.0, 0.1),
        Slider("dropout", "Dropout", 0.0, 0.0, 0.8, 0.1),
        Slider("seed", "Seed of the dashed line", 0, 0, SEEDS - 1),
    ),
    overfit,
    (views.gap, views.reading),
    (
        Preset(
            "More examples",
            "Five times as many training examples. Which of the two curves changes?",
            {"examples": 500},
        ),
        Preset("Weight decay", "Every step pulls all weights towards 0. Does the gap close?", {"decay": 1.0}),
        Preset(
            "Dropout",
            "Every step switches off half of the units, chosen at random. Does the gap close?",
            {"dropout": 0.5},
        ),
        Preset(
            "All three",
            "More examples, weight decay and dropout together. Is any gap left?",
            {"examples": 500, "decay": 0.3, "dropout": 0.5},
        ),
    ),
    by_heart,
    acts=(Act("wrong-labels", (views.heart, views.repeated)),),
    code=(train, forward),
)
