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
        Text("text", "Beginning of the story", MANY_PLACES, (NEW_SENTENCE, CERTAIN_NEXT, "the boats were")),
        Slider("n", "Number of draws n", 100, 10, compute.MAX_DRAWS, 10),
        Slider("temperature", "Temperature τ", 1, 0, 3, 0.05),
        Slider("seed", "Seed of the draws", 0, 0, 999),
    ),
    compute=compute.compute,
    views=(views.shares, views.distance, views.reading),
    layout=(("shares", "distance"), "reading"),
    acts=(Act("slowly", (views.settles, views.word_error)),),
    presets=(
        Preset("Ten", "After ten draws, most words were never drawn.", {"n": 10}),
        Preset(
            "Ten thousand",
            "After 10,000 draws, every bar reaches its tick. How large is the distance?",
            {"n": 10_000},
        ),
        Preset(
            "A wide choice",
            "With a high temperature more words are drawn. What happens to the line of distances?",
            {"temperature": 2, "n": 1000},
        ),
        Preset("No choice", "At temperature 0 the same word is drawn every time.", {"temperature": 0}),
    ),
    predict=exercises.GUESS,
    code=(decoding.histogram, decoding.uniforms, compute.expected_distances),
    demonstrates={"n": 400},
)
