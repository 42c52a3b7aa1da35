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
        Text("phrase", "Phrase", REPEATED_PHRASE, ("i don't know .", "the boats were wet .", UNSEEN_PHRASE)),
        Slider("r", "Repetitions of the phrase so far", 3, 0, compute.MAX_REPEATS),
        Choice("model", "Model", "GRU", tuple(READERS)),
        Slider("temperature", "Nucleus: τ", 1, 0, 2, 0.05),
        Slider("p", "Nucleus: top-p", 0.9, 0, 1, 0.01),
        Slider("seed", "Nucleus: seed", 0, 0, 999),
        Slider("penalty", "Repetition penalty θ", 1.2, 1, 3, 0.05),
        Slider("n", "n-gram blocking: n (0: off)", 3, 0, compute.MAX_NGRAM),
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
        Preset("It feeds itself", "At first the phrase is rare. Each repetition makes it likelier.", {}),
        Preset(
            "Never seen",
            "No story has this phrase. Open the log axis below: does repeating it help?",
            {"phrase": UNSEEN_PHRASE, "r": 50},
        ),
        Preset(
            "A nucleus is caught",
            "Top-p 0.5 keeps only the next word of the phrase, so sampling cannot leave it.",
            {"p": 0.5, "temperature": 0.7},
        ),
        Preset(
            "Too strong a remedy",
            "Open the remedies below. With 1-gram blocking, greedy search leaves its loop. What does that"
            " cost?",
            {"n": 1},
        ),
    ),
    predict=exercises.GUESS,
    code=(decoding.phrase_logprobs, decoding.no_repeat, decoding.find_loop),
    core=True,
)
