"""Experiment `softmax`: logits become probabilities."""

from lessons.basics.softmax import views
from lessons.basics.softmax.compute import LOGITS, compute, naive_softmax, softmax
from lessons.basics.softmax.exercises import add_constant
from lessons.kit.contract import Act, DragHandles, Experiment, Preset, Slider

EXPERIMENT = Experiment(
    "softmax",
    "Softmax",
    (
        Slider("tau", "Temperature τ", 1.0, 0.1, 5.0, 0.1),
        Slider("shift", "Add to every logit", 0, -100, 100),
        DragHandles("logits", "Logits u", LOGITS, -4, 4),
    ),
    compute,
    (views.logit_bars, views.probability_bars, views.reading),
    (
        Preset("Cold", "τ is 0.2: the word with the largest logit gets nearly everything.", {"tau": 0.2}),
        Preset("Hot", "τ is 5: all five probabilities are close to 0.20.", {"tau": 5.0}),
        Preset("Shifted", "50 is added to every logit. Does any probability change?", {"shift": 50}),
        Preset(
            "Two equal words",
            "Tea and coffee have the same logit. Can any temperature separate them?",
            {"logits": ((2.0,), (2.0,), (-4.0,), (-4.0,), (-4.0,))},
        ),
    ),
    add_constant,
    code=(softmax, naive_softmax),
    acts=(
        Act("steps", (views.worked,)),
        Act("sigmoid", (views.two_classes,)),
        Act("overflow", (views.overflow,), asks=views.ask_overflow),
    ),
    layout=(("logit_bars", "probability_bars"), "reading"),
    demonstrates="Shifted",
    core=True,
)
