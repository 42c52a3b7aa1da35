"""Experiment `beam`: greedy search, beam search and full search for the most probable output."""

from lessons.decoding.beam import compute, exercises, views
from lessons.decoding.prompts import BEAM_WINS, LENGTH_PENALTY_LOSES, PROBABLE_BUT_WRONG, WIDER_IS_WORSE
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Text
from models import decoding

EXPERIMENT = Experiment(
    slug="beam",
    title="Beam search",
    controls=(
        Choice("model", "Model", compute.WEAK_MODEL, tuple(compute.MODELS)),
        Text(
            "source",
            "English sentence (for a translator)",
            BEAM_WINS,
            (PROBABLE_BUT_WRONG, WIDER_IS_WORSE, LENGTH_PENALTY_LOSES),
        ),
        Slider("width", "Beam width", 2, 1, 8),
        Slider("penalty", "Length penalty", 0, 0, 2, 0.1),
        Text("addends", "Sum (for “addition”)", "93+8", ("85+55", "2+22", "95+47")),
    ),
    compute=compute.compute,
    views=(views.tree, views.reading, views.side_by_side),
    acts=(
        Act("widths", (views.by_width, views.falls)),
        Act("length", (views.lengths,), ("penalty", "lengths")),
    ),
    presets=(
        Preset(
            "More probable, but wrong",
            "Greedy search is right here. The beam finds a more probable output with another gift.",
            {"source": PROBABLE_BUT_WRONG},
        ),
        Preset(
            "Wider but worse",
            "Compare a beam of width 2 with greedy search. Then set the width to 4.",
            {"source": WIDER_IS_WORSE},
        ),
        Preset(
            "A sure model",
            "This model is sure of its sums. Can a beam find anything better?",
            {"model": "addition", "width": 3},
        ),
        Preset(
            "The longer one wins",
            "With penalty 1, log P is divided by the length. Set the penalty to 0: which answer is correct?",
            {"source": LENGTH_PENALTY_LOSES, "penalty": 1.0},
        ),
    ),
    predict=exercises.GUESS,
    code=(decoding.beam, decoding.exhaustive),
    demonstrates="Wider but worse",
    core=True,
)
