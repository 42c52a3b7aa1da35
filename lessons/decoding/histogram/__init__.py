"""Experiment `histogram`: how far the frequencies of n draws are from the distribution."""

from lessons.decoding.histogram import compute, exercises, views
from lessons.decoding.prompts import CERTAIN_NEXT, MANY_PLACES, NEW_SENTENCE
from lessons.decoding.story_models import WRITERS
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Text
from models import decoding

EXPERIMENT = Experiment(
    slug="histogram",
    title="Many draws",
    controls=(
        Choice("model", "Model", "GRU", tuple(WRITERS)),
        Text("text", "The story so far", MANY_PLACES, (NEW_SENTENCE, CERTAIN_NEXT, "the boats were")),
        Slider("n", "Draws n", 100, 10, compute.MAX_DRAWS, 10),
        Slider("temperature", "Temperature τ", 1, 0, 3, 0.05),
        Slider("seed", "Seed", 0, 0, 999),
    ),
    compute=compute.compute,
    views=(views.shares, views.distance, views.reading),
    layout=(("shares", "distance"), "reading"),
    acts=(Act("slowly", (views.settles,)),),
    presets=(
        Preset("Ten", "Ten draws: most words were never drawn.", {"n": 10}),
        Preset("Ten thousand", "Every bar reaches its tick. Where are you on the line?", {"n": 10_000}),
        Preset(
            "A wide choice",
            "A high temperature spreads the draws: the whole line moves up.",
            {"temperature": 2, "n": 1000},
        ),
        Preset("No choice", "At temperature 0 nothing is left to chance.", {"temperature": 0}),
    ),
    predict=exercises.GUESS,
    code=(decoding.histogram, decoding.uniforms, compute.expected_distances),
)
