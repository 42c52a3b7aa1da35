"""Experiment `modern`: RMSNorm, rotary positions, gates and grouped queries on a real model's vectors."""

from lessons.kit.contract import Act, Choice, Preset, Step, Text
from lessons.real.modern import views
from lessons.real.modern.compute import PARTS, compute
from lessons.real.modern.exercises import OPENING, STORY, which_is_missed_least
from lessons.real.pretrained_model import MAX_CHARACTERS, MAX_PIECES
from lessons.real.recordings import RecordedExperiment
from models import modern

EXPERIMENT = RecordedExperiment(
    "modern",
    "Since 2017",
    (
        Text("text", "Any text", STORY, ("The capital of France is Paris.",), MAX_CHARACTERS),
        Choice("part", "Replace", "nothing", tuple(PARTS)),
        Step("position", "Position of the closer looks", OPENING["position"], 1, MAX_PIECES),
    ),
    compute,
    (views.surprisals, views.reading),
    (
        Preset(
            "No positions",
            "The model sees a set of pieces. Which ones can it still guess?",
            {"part": "no rotary positions"},
        ),
        Preset(
            "LayerNorm",
            "The mean is subtracted too. Does the model notice?",
            {"part": "LayerNorm instead of RMSNorm"},
        ),
        Preset(
            "No gate", "The feed-forward network loses its gate.", {"part": "no gate in the feed-forward"}
        ),
    ),
    which_is_missed_least,
    code=(modern.Norm, modern.rotate, modern.FeedForward, modern.GroupedQueryAttention),
    acts=(
        Act("norm", (views.norm_table,)),
        Act("rotary", (views.rotation, views.angle_table), (("rotation", "angle_table"),)),
        Act("gate", (views.gate_table,)),
        Act("grouped", (views.grouped_table, views.grouped_sentence)),
    ),
    is_heavy=True,
    demonstrates="LayerNorm",
)
