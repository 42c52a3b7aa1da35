"""Experiment `order`: does self-attention notice when words change places?"""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Text, Toggle
from lessons.kit.example_sentences import EVERYDAY, IDIOM, MANY_TO_ONE, SUBJECT_OBJECT
from lessons.qkv.order import compute, exercises, views
from models.blocks import positions

EXPERIMENT = Experiment(
    "order",
    "Order",
    (
        Text("text", "Sentence", SUBJECT_OBJECT, (IDIOM, MANY_TO_ONE, EVERYDAY)),
        Choice(
            "order",
            "Order of the words",
            "reversed",
            compute.ORDERS,
            {"as it stands": "original", "two swapped": "two words swapped"},
        ),
        Slider("seed", "Seed of the shuffled order", 0, 0, 99),
        Toggle("positions", "Add positions", False),
        Slider("pair", "Pair of waves to draw (sine and cosine)", 3, 1, 32),
    ),
    compute.compute,
    (views.sentence, views.moved, views.reading),
    (
        Preset(
            "A bag of words",
            "“dog” and “man” change places. Does any output change?",
            {"order": "two words swapped"},
        ),
        Preset(
            "With positions",
            "The same reversed sentence, with positions: how far does each output move now?",
            {"positions": True},
        ),
        Preset(
            "Original order",
            "No word changes its place, so no output changes, with or without positions.",
            {"order": "original"},
        ),
    ),
    exercises.GUESS,
    code=(compute.run_self_attention, positions),
    acts=(
        Act("maps", (views.before, views.after), (("before", "after"),)),
        Act("waves", (views.waves, views.encoding), (("waves", "pair"), "encoding")),
    ),
    core=True,
)
