"""Experiment `loop`: a real model reads a repeated phrase."""

from lessons.kit.contract import Act, Preset, Slider, Text
from lessons.real.loop import views
from lessons.real.loop.compute import MAX_COPIES, compute, copies_of, log_probabilities, per_copy
from lessons.real.loop.exercises import KNOW, OPENING, copies_rise
from lessons.real.recordings import RecordedExperiment
from models.decoding import filters

EXPERIMENT = RecordedExperiment(
    "loop",
    "Loop",
    (
        Text("phrase", "Phrase to repeat", KNOW, ("The boats left the harbour.", "purple seven lamp"), 80),
        Slider("copies", "Copies", OPENING["copies"], 2, MAX_COPIES),
        Slider("penalty", "Repetition penalty θ (1: off)", 1.0, 1, 2, 0.05),
    ),
    compute,
    (views.curve, views.reading),
    (
        Preset("A hundred copies", "Does P still rise after the first ten copies?", {"copies": 100}),
        Preset(
            "Nonsense",
            "These words never occur together. After how many copies does the model expect them?",
            {"phrase": "purple seven lamp"},
        ),
        Preset(
            "A penalty",
            "Pieces that already occurred get smaller logits. Does that break the loop?",
            {"penalty": 1.3},
        ),
    ),
    copies_rise,
    code=(copies_of, log_probabilities, per_copy, filters.penalise),
    acts=(Act("pieces", (views.pieces_by_copy,)), Act("ours", (views.beside_ours,))),
    demonstrates="A hundred copies",
    core=True,
    is_heavy=True,
)
