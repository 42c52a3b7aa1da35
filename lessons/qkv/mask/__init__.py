"""Experiment `mask`: the causal mask prevents every output from seeing later words."""

from lessons.kit.contract import Experiment, Preset, Step, Text, Toggle
from lessons.kit.example_sentences import AMBIGUOUS_BANK
from lessons.qkv.mask import compute, exercises, views
from models.multihead import causal

EXPERIMENT = Experiment(
    "mask",
    "The mask",
    (
        Text(
            "text",
            "Sentence (vocabulary of “Bank”)",
            AMBIGUOUS_BANK,
            ("we saw the bat near the cave .", "the crane then flew ."),
        ),
        Step("t", "Number of the word to replace", 9, 1, 24),
        Text("word", "New word", "street", ("street", "lake", "owl", "ball"), 40),
        Toggle("masked", "Causal mask", True),
    ),
    compute.compute,
    (views.sentence, views.gaze, views.moved, views.reading),
    (
        Preset("A leak", "The mask is off: even the outputs before the new word change.", {"masked": False}),
        Preset(
            "Change the past",
            "Later words may attend to earlier ones, so their outputs change.",
            {"t": 2, "word": "walked"},
        ),
        Preset("The same word", "No word is replaced, so no output changes.", {"word": "river"}),
    ),
    exercises.GUESS,
    code=(causal, compute.run_encoder),
    layout=("sentence", ("gaze", "moved"), "reading"),
    core=True,
)
