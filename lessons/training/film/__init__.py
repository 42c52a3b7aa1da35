"""Experiment `film`: a recorded training run, moment by moment."""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Step
from lessons.training.film import views
from lessons.training.film.compute import COMPARISONS, MODELS, RATES, film
from lessons.training.film.exercises import first
from models.recording import MOMENTS
from models.train import fit, train_step, warm_up_then_cosine

EXPERIMENT = Experiment(
    "film",
    "A recorded run",
    (
        Choice("side", "Side by side", "learning rates", tuple(COMPARISONS)),
        Choice("rate", "Learning rate", "good", tuple(RATES)),
        Choice("model", "Model", "additive", tuple(MODELS)),
        Step("moment", "Moment", 9, 1, MOMENTS),
    ),
    film,
    (views.loss, views.exact, views.gaze, views.outputs, views.reading),
    (
        Preset(
            "At first, noise",
            "Every step attends to all words alike, and the output is random.",
            {"moment": 2},
        ),
        Preset(
            "Words before attention",
            "The model writes frequent words. It does not yet know which source words to attend to.",
            {"moment": 6},
        ),
        Preset(
            "Four models",
            "Which model learns first, and which one is still wrong at the end?",
            {"side": "models", "model": "no attention", "moment": 25},
        ),
        Preset(
            "Rate too large",
            "Press play. What does the loss do after it has fallen?",
            {"rate": "too large", "moment": 12},
        ),
    ),
    first,
    acts=(Act("emerge", (views.emergence, views.when)), Act("rates", (views.final,))),
    layout=((("loss", "exact"), "gaze"), "outputs", "reading"),
    code=(fit, train_step, warm_up_then_cosine),
    core=True,
)
