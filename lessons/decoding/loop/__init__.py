"""Experiment `loop`: a repeated phrase becomes more probable, and greedy search cannot leave it."""

from lessons.decoding.loop import compute, exercises, views
from lessons.decoding.prompts import REPEATED_PHRASE
from lessons.decoding.story_models import READERS
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Text
from models import decoding

UNSEEN_PHRASE = "my brave lamp sold seven swords ."

EXPERIMENT = Experiment(
    slug="loop",
    title="Loops",
    controls=(
        Text(
            "phrase",
            "Phrase to repeat",
            REPEATED_PHRASE,
            ("i don't know .", "the boats were wet .", UNSEEN_PHRASE),
        ),
        Slider("r", "Repetitions of the phrase so far", 3, 0, compute.MAX_REPEATS),
        Choice("model", "Model", "GRU", tuple(READERS)),
        Slider("temperature", "Temperature τ of the sample", 1, 0, 2, 0.05),
        Slider("p", "Top-p of the sample", 0.9, 0, 1, 0.01),
        Slider("seed", "Seed of the sample", 0, 0, 999),
        Slider("penalty", "Repetition penalty θ", 1.2, 1, 3, 0.05),
        Slider("n", "n of n-gram blocking (0: off)", 3, 0, compute.MAX_NGRAM),
    ),
    compute=compute.compute,
    views=(views.again_and_again, views.reading, views.texts),
    layout=("again_and_again", "reading", ("temperature", "p", "seed"), "texts"),
    acts=(
        Act("rare", (views.rare,)),
        Act(
            "remedies",
            (views.remedied, views.cost, views.verdicts),
            (("penalty", "n"), "remedied", "cost", "verdicts"),
        ),
    ),
    presets=(
        Preset("A growing loop", "At first the phrase is rare. What does each repetition do to it?", {}),
        Preset(
            "Never seen",
            "No story has this phrase. Open “What happens to a phrase that is almost impossible?” below.",
            {"phrase": UNSEEN_PHRASE, "r": 50},
        ),
        Preset(
            "A small nucleus",
            "With top-p 0.5 only the next word of the phrase is left, so sampling cannot leave it.",
            {"p": 0.5, "temperature": 0.7},
        ),
        Preset(
            "Too strong a remedy",
            "Open “Which remedies against loops help?” below. 1-gram blocking ends the loop. What does it"
            " cost?",
            {"n": 1},
        ),
    ),
    predict=exercises.GUESS,
    code=(decoding.phrase_logprobs, decoding.no_repeat, decoding.find_loop),
    core=True,
)
