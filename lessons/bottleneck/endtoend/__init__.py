"""Experiment `endtoend`: the loss on French words reaches every encoder step through c."""

from lessons.bottleneck.endtoend import views
from lessons.bottleneck.endtoend.compute import WEIGHTS, compute
from lessons.bottleneck.endtoend.exercises import FIRST_TARGET_STEP, reached_states
from lessons.bottleneck.sentences import POSSESSIVE, SEVENTEEN_WORDS, SIXTEEN_WORDS, source_control
from lessons.kit.contract import Act, Choice, Experiment, Preset, Step
from lessons.kit.example_sentences import AMBIGUOUS_BANK, PASSIVE
from models import gradients

MAX_TARGET_STEPS = 2 * 40 + 1

EXPERIMENT = Experiment(
    "endtoend",
    "End to end",
    (
        source_control("text", "English sentence", POSSESSIVE, PASSIVE, AMBIGUOUS_BANK, SIXTEEN_WORDS),
        Step("t", "Loss of target word (0: of all)", FIRST_TARGET_STEP, 0, MAX_TARGET_STEPS),
        Choice("weights", "Weights", "trained", WEIGHTS, {"fresh": "untrained"}),
    ),
    compute,
    (views.losses, views.unrolled, views.reading),
    (
        Preset("The first word", "This is the shortest path back: one decoder step, then c.", {"t": 1}),
        Preset(
            "A hard word",
            "The word is a year. How large is its loss compared with those of the other words?",
            {"text": SEVENTEEN_WORDS, "t": 13},
        ),
        Preset(
            "Near the end",
            "The gradient of this loss passes through nearly every decoder step before it reaches c.",
            {"text": SIXTEEN_WORDS, "t": 15},
        ),
        Preset(
            "Before training",
            "All words have about the same loss. How much of the gradient reaches the first word?",
            {"t": 0, "weights": "untrained"},
        ),
    ),
    reached_states,
    code=(gradients.run_with_zeros, gradients.jacobian),
    acts=(Act("reach", (views.reach,)), Act("all", (views.every_word,))),
)
