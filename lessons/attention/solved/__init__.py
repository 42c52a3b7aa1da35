"""Experiment `solved`: the same sentence translated with one context vector and with attention."""

from lessons.attention.solved import exercises, views
from lessons.attention.solved.compute import LONGEST_TRAINING, compute
from lessons.kit.checkpoints import BUDGET_OPTIONS, CONTEXT_DIMS
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider
from models.metrics import exact_match

EXPERIMENT = Experiment(
    "solved",
    "Solved?",
    (
        Slider("length", "Length of the sentence T", 12, 3, 40),
        Slider("number", "Which sentence of this length", 1, 1, 20),
        Choice("code", "Size k of the context vector c", "32", CONTEXT_DIMS),
        Choice("steps", "Training steps", "4,000", tuple(BUDGET_OPTIONS)),
    ),
    compute,
    (views.translations, views.by_length, views.reading),
    (
        Preset("Short", "Five words: do they fit into one vector?", {"length": 5}),
        Preset(
            "As long as trained", "Twenty words. Which model still translates all of them?", {"length": 20}
        ),
        Preset(
            "A larger c, trained longer",
            f"The context vector has size 128, after {LONGEST_TRAINING} training steps. Up to which length is"
            " that enough?",
            {"code": "128", "steps": LONGEST_TRAINING, "length": 16},
        ),
        Preset(
            "Longer than trained", "Thirty words: neither model saw this length in training.", {"length": 30}
        ),
    ),
    exercises.with_attention,
    code=(exact_match,),
    acts=(Act("stored", (views.stored,)),),
    demonstrates="As long as trained",
)
