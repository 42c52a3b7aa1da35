"""Experiment `heads`: several attention heads side by side, each with a share of the dimensions."""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Text
from lessons.kit.example_sentences import EVERYDAY, MANY_TO_ONE, REORDERING, SUBJECT_OBJECT
from lessons.qkv.heads import compute, exercises, views
from models.multihead import MultiHeadAttention

EXPERIMENT = Experiment(
    "heads",
    "Heads",
    (
        Text("text", "Sentence", SUBJECT_OBJECT, (MANY_TO_ONE, EVERYDAY, REORDERING)),
        Choice(
            "layer", "Weights of the layer", compute.LAYERS[0], compute.LAYERS, {"fresh": compute.LAYERS[0]}
        ),
        Choice("heads", "Number of heads (untrained layer)", "2", ("1", "2", "4", "8")),
        Choice("d", "Numbers per word d (untrained layer)", "8", ("8", "16", "32", "64")),
        Slider("seed", "Seed (untrained layer)", 0, 0, 99),
    ),
    compute.compute,
    (*views.HEAD_VIEWS, views.reading),
    (
        Preset(
            "One head",
            "There is only one map. Each word has to divide its weight among all the words it needs.",
            {"heads": "1"},
        ),
        Preset("Eight heads", "Eight maps, each computed from one number per word.", {"heads": "8"}),
        Preset(
            "Trained",
            "Trained heads differ. Compare the row of “hit” in the four maps.",
            {"layer": compute.LAYERS[1], "text": MANY_TO_ONE},
        ),
    ),
    exercises.GUESS,
    code=(MultiHeadAttention,),
    acts=(
        Act("subtract", (views.subtraction, views.describe_subtraction)),
        Act("mixing", (views.mixing,)),
        Act("growth", (views.growth,)),
    ),
    layout=(views.HEAD_NAMES[:4], views.HEAD_NAMES[4:], "reading"),
    demonstrates="Eight heads",
    core=True,
)
