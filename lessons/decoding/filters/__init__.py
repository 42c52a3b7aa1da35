"""Experiment `filters`: temperature, top-k, top-p and edits of the logits, stage by stage."""

from lessons.decoding.filters import compute, exercises, views
from lessons.decoding.prompts import CERTAIN_NEXT, MANY_PLACES, NEW_SENTENCE
from lessons.decoding.story_models import WRITERS
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Text
from models import decoding

NO_FILTER = {"temperature": 1, "k": 0, "p": 1}

EXPERIMENT = Experiment(
    slug="filters",
    title="Filters",
    controls=(
        Choice("model", "Model", "GRU", tuple(WRITERS)),
        Text(
            "text",
            "Beginning of the story",
            NEW_SENTENCE,
            (MANY_PLACES, CERTAIN_NEXT, "the boats were", "she said :"),
        ),
        Slider("temperature", "Temperature τ", 0.8, 0, 3, 0.05),
        Slider("k", "Top-k (0: off)", 6, 0, 100),
        Slider("p", "Top-p (1: off)", 0.9, 0, 1, 0.01),
        Slider("penalty", "Repetition penalty θ (1: off)", 1, 0.5, 3, 0.05),
        Text("ban", "Words to ban", "", ("she", "she the")),
        Text("boost", "Words with a logit bias", "", ("her", "nobody suddenly")),
        Slider("by", "Logit bias of these words", 3, -10, 10, 0.5),
        Slider("seed", "Seed of the draw", 0, 0, 999),
    ),
    compute=compute.compute,
    views=(views.tempered, views.after_top_k, views.after_top_p, views.renormalised, views.reading),
    layout=(
        (("temperature", "tempered"), ("k", "after_top_k"), ("p", "after_top_p"), ("seed", "renormalised")),
        "reading",
    ),
    acts=(
        Act(
            "steer",
            (views.logits, views.adjusted),
            (("ban", "boost", "by", "penalty"), ("logits", "adjusted")),
        ),
        Act("unsure", (views.uncertainty,)),
    ),
    presets=(
        Preset(
            "All off", "Nothing is changed or removed: these are the model’s own probabilities.", NO_FILTER
        ),
        Preset(
            "Cold",
            "A low temperature makes probable words more probable. Do words change their order?",
            NO_FILTER | {"temperature": 0.2},
        ),
        Preset(
            "An unsure model",
            "The same top-p, but the model is less sure. How many words are left?",
            {"text": MANY_PLACES, "temperature": 1, "k": 0},
        ),
        Preset(
            "Steered",
            "“she” is banned and “her” has a logit bias of 3. Ticks show the model’s own probabilities.",
            NO_FILTER | {"ban": "she", "boost": "her"},
        ),
    ),
    predict=exercises.GUESS,
    code=(
        decoding.stages,
        decoding.temper,
        decoding.top_k,
        decoding.top_p,
        decoding.penalise,
        decoding.adjust,
    ),
    demonstrates="An unsure model",
    core=True,
)
