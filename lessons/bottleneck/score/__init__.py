"""Experiment `score`: the decoder gives any French sentence a probability."""

from lessons.bottleneck.score import views
from lessons.bottleneck.score.compute import compute
from lessons.bottleneck.score.exercises import words_that_lose
from lessons.bottleneck.sentences import PASSIVE_FRENCH, WRONG_ARTICLE, source_control
from lessons.kit.contract import Act, Experiment, Preset, Text

WRONG_ORDER = "la maison belle a été achetée ."
TOO_SHORT = "la belle maison"

EXPERIMENT = Experiment(
    "score",
    "Score any output",
    (
        source_control(),
        Text(
            "candidate",
            "Your French translation",
            WRONG_ARTICLE,
            (PASSIVE_FRENCH, TOO_SHORT, WRONG_ORDER),
        ),
    ),
    compute,
    (views.side_by_side, views.reading, views.factors),
    (
        Preset(
            "Its own words",
            "This is the model’s own translation, so every bar is as tall as its tick.",
            {"candidate": PASSIVE_FRENCH},
        ),
        Preset(
            "All masculine",
            "Adjective and participle now agree with “le”. Which words become improbable?",
            {"candidate": "le beau maison a été acheté ."},
        ),
        Preset(
            "Wrong order", "Two words are swapped. Which factors become small?", {"candidate": WRONG_ORDER}
        ),
        Preset(
            "Stop early",
            "The sentence ends too soon. Look at the factor of the full stop.",
            {"candidate": TOO_SHORT},
        ),
    ),
    words_that_lose,
    code=(compute,),
    acts=(Act("sum", (views.log_sum,)),),
)
