"""Experiment `bleu`: write a translation, and see how BLEU, chrF and exact match grade it."""

from lessons.decoding.bleu import exercises, views
from lessons.decoding.bleu.compute import SENTENCES, compute
from lessons.kit.contract import Act, Choice, Experiment, Preset, Text, Toggle
from models import overlap

FIRST = next(iter(SENTENCES))
NEGATION = "les enfants ne jouent pas dans le jardin ."
SYNONYM = "les gosses s' amusent dehors ."

EXPERIMENT = Experiment(
    "bleu",
    "Grading",
    (
        Choice("source", "English sentence", FIRST, tuple(SENTENCES)),
        Text(
            "candidate",
            "Your French translation",
            SENTENCES[FIRST].candidates[0],
            SENTENCES[FIRST].candidates[1:],
        ),
        Toggle("second", "Use a second reference translation", False),
    ),
    compute,
    (views.sentences, views.precisions, views.scores, views.reading),
    (
        Preset(
            "Wrong, and well graded",
            "Two small words turn the meaning around. What does BLEU say?",
            {"candidate": NEGATION},
        ),
        Preset("Right, and badly graded", "Other words with the same meaning.", {"candidate": SYNONYM}),
        Preset(
            "The same word again",
            "One right word, repeated. Clipping counts it once.",
            {"candidate": "le le le le le"},
        ),
        Preset(
            "A second reference",
            "A correct translation that only the second reference contains.",
            {"candidate": SENTENCES[FIRST].references[1], "second": True},
        ),
    ),
    exercises.opposite,
    code=(overlap.bleu, overlap.Bleu, overlap.chrf_against),
    acts=(Act("ngrams", (views.ngrams,)), Act("model", (views.word_probabilities, views.perplexity))),
    layout=(("sentences", "scores"), "precisions", "reading"),
)
