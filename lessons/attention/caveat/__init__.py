"""Experiment `caveat`: how far can attention weights move before the output changes?"""

from lessons.attention.caveat import exercises, views
from lessons.attention.caveat.adversarial import find_other_weights
from lessons.attention.caveat.compute import TOWARDS, compute, output_with_weights
from lessons.attention.controls import decoder_step, source_text
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider
from lessons.kit.example_sentences import (
    AMBIGUOUS_BANK,
    FIXED_PHRASE,
    FUTURE_TENSE,
    MANY_TO_ONE,
    REORDERING,
)
from models.attention import Uniform
from models.metrics import aer

EXPERIMENT = Experiment(
    "caveat",
    "Explanation?",
    (
        source_text(REORDERING, MANY_TO_ONE, FUTURE_TENSE, AMBIGUOUS_BANK, FIXED_PHRASE),
        decoder_step(5),
        Choice("towards", "Move the weights towards", TOWARDS[0], TOWARDS),
        Slider("mix", "How far to move them", 0.5, 0.0, 1.0, 0.025),
        Slider("allowed", "How much the output may differ", 0.05, 0.01, 0.5, 0.01),
    ),
    compute,
    (views.chance, views.reading, views.survives),
    (
        Preset(
            "Even weights, same word",
            "With even weights the step still writes “été”. Did its large weight explain this word?",
            {"t": 9, "mix": 1.0},
        ),
        Preset(
            "A word that needs its weights",
            "“1992” could be any year. At which mix is it no longer written?",
            {"t": 13, "mix": 0.8},
        ),
        Preset(
            "All on another word",
            "All weight goes to the word with the second largest weight. Which steps change their word?",
            {"towards": TOWARDS[1], "mix": 1.0},
        ),
        Preset(
            "A fixed phrase",
            "This phrase was frequent in training. Which of its words are still written with even weights?",
            {"source": FIXED_PHRASE, "t": 4, "mix": 1.0},
        ),
    ),
    exercises.even_survivors,
    code=(output_with_weights, find_other_weights, Uniform, aer),
    acts=(
        Act("moved", (views.weights, views.next_words), (("weights", "next_words"),), asks=views.ask_weights),
        Act(
            "others",
            (views.other_weights, views.other_words, views.told_other),
            ("allowed", ("other_weights", "other_words"), "told_other"),
        ),
        Act("frozen", (views.by_length, views.told_frozen, views.both_outputs)),
        Act("aligners", (views.aligners, views.best_of_both)),
    ),
    demonstrates={"mix": 1.0},
    core=True,
)
