"""Experiment `scale`: our models next to the real one, and which claims hold for both."""

from lessons.kit.contract import Act, Preset, Text
from lessons.real.pretrained_model import MAX_CHARACTERS
from lessons.real.recordings import RecordedExperiment
from lessons.real.scale import views
from lessons.real.scale.compute import claims, compute
from lessons.real.scale.exercises import STORY, who_predicts_better

EXPERIMENT = RecordedExperiment(
    "scale",
    "Scale",
    (
        Text(
            "text",
            "Any text",
            STORY,
            ("The sun rises in the east.", "colourless green ideas sleep furiously"),
            MAX_CHARACTERS,
        ),
    ),
    compute,
    (views.side_by_side, views.surprisals, views.reading),
    (
        Preset(
            "A fact",
            "Which is the last piece that surprises SmolLM2?",
            {"text": "The sun rises in the east and sets in the west."},
        ),
        Preset(
            "Nonsense",
            "The grammar is correct, but there is no sense. Which pieces cost many bits?",
            {"text": "Colourless green ideas sleep furiously."},
        ),
    ),
    who_predicts_better,
    code=(claims,),
    acts=(Act("claims", (views.claim_table, views.claim_sentence)),),
    layout=(("side_by_side", "surprisals"), "reading"),
    core=True,
    is_heavy=True,
)
