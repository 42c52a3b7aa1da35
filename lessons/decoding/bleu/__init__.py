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
            "Wrong, but a good grade",
            "Two small words reverse the meaning. What does BLEU say?",
            {"candidate": NEGATION},
        ),
        Preset(
            "Correct, but a bad grade",
            "The same meaning in other words. What does BLEU say?",
            {"candidate": SYNONYM},
        ),
        Preset(
            "One word, repeated",
            "One correct word is repeated five times. Clipping counts it only once.",
            {"candidate": "le le le le le"},
        ),
        Preset(
            "A second reference",
            "This translation is correct, but only the second reference has it.",
            {"candidate": SENTENCES[FIRST].references[1], "second": True},
        ),
    ),
    exercises.opposite,
    code=(overlap.bleu, overlap.Bleu, overlap.chrf_against),
    acts=(Act("ngrams", (views.ngrams,)), Act("model", (views.word_probabilities, views.perplexity))),
    layout=(("sentences", "scores"), "precisions", "reading"),
    demonstrates="Wrong, but a good grade",
)
