"""Experiment `pointwise`: does a change at one position affect other words?"""

from lessons.kit.contract import Act, Experiment, Preset, Slider, Step
from lessons.kit.example_sentences import IDIOM, MANY_TO_ONE, QUESTION, REORDERING
from lessons.transformer.pointwise import views
from lessons.transformer.pointwise.compute import pointwise
from lessons.transformer.pointwise.exercises import moving
from lessons.transformer.translator import layer_control, sentence_control
from models.blocks import FeedForward

EXPERIMENT = Experiment(
    slug="pointwise",
    title="One word at a time",
    controls=(
        sentence_control(IDIOM, MANY_TO_ONE, QUESTION, REORDERING),
        layer_control(),
        Step("position", "Position i of the changed word", 3, 1, 40),
        Slider("amount", "Amount added to each number of the word", 1.0, -3.0, 3.0, 0.1),
    ),
    compute=pointwise,
    views=(views.given, views.changes, views.reading),
    layout=(("given", "changes"), "reading"),
    acts=(Act("far", (views.sizes,)), Act("learned", (views.learned,))),
    presets=(
        Preset(
            "A small change",
            "Even a small change reaches other words, but only through attention.",
            {"amount": 0.1},
        ),
        Preset(
            "Thirteen words",
            "The sentence is longer. Does the same rule hold?",
            {"text": REORDERING, "position": 7, "amount": 2.0},
        ),
        Preset(
            "Layer 2",
            "Layer 2 has other weights. Does the same rule hold?",
            {"layer": "2", "position": 6, "amount": -2.0},
        ),
    ),
    predict=moving,
    code=(FeedForward, pointwise),
)
