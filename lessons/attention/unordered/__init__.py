"""Experiment `unordered`: attention over shuffled states, and over shuffled words."""

from lessons.attention.controls import decoder_step, source_text
from lessons.attention.unordered import exercises, views
from lessons.attention.unordered.compute import SHUFFLES, compute, run_shuffled_states
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider
from lessons.kit.example_sentences import AMBIGUOUS_BANK, FUTURE_TENSE, MANY_TO_ONE, REORDERING
from models.attention import attend

EXPERIMENT = Experiment(
    "unordered",
    "Order?",
    (
        source_text(REORDERING, MANY_TO_ONE, FUTURE_TENSE, AMBIGUOUS_BANK),
        Slider("seed", "Which shuffle (0: original order)", 3, 0, 50),
        Choice("what", "What is shuffled", SHUFFLES[0], SHUFFLES),
        decoder_step(5),
    ),
    compute,
    (views.unrolled, views.reading, views.translations),
    (
        Preset("Original order", "The thickest curve goes to “area”. Remember its weight.", {"seed": 0}),
        Preset(
            "Shuffled states",
            "“area” is now first. Did its weight change? Did the sentence change?",
            {"seed": 7},
        ),
        Preset(
            "Shuffled words",
            "Now the encoder reads the words in this order. Are its states still the same?",
            {"seed": 7, "what": SHUFFLES[1]},
        ),
    ),
    exercises.shuffled,
    code=(attend, run_shuffled_states),
    acts=(Act("weights", (views.weights,)), Act("change", (views.change,))),
)
