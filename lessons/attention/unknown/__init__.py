"""Experiment `unknown`: attention weights decide what to copy for words the translator never saw."""

from lessons.attention.unknown import compute, exercises, views
from lessons.attention.unknown.exercises import NAME
from lessons.kit.contract import Act, Choice, Experiment, Preset, Step, Text
from models import copying

MAX_WORDS = 41
TWO = "Xanthippe met Tanmoy in the kitchen."
EXPERIMENT = Experiment(
    "unknown",
    "Unknown words",
    (
        Text("source", "English sentence", NAME, (TWO, "My axolotl is hungry.")),
        Choice("model", "Translator", "with attention", tuple(compute.MODELS)),
        Step("n", "Which <unk> of the output", 1, 1, 10),
        Step("word", "Word that gets all the weight (0: the model’s weights)", 0, 0, MAX_WORDS),
    ),
    compute.compute,
    (views.lines, views.row, views.reading),
    (
        Preset(
            "Two names",
            "Both names are <unk> to the model. Are they copied to the right places?",
            {"source": TWO},
        ),
        Preset(
            "Another word",
            "All weight of the <unk> goes to “london”. What is written in its place?",
            {"word": 4},
        ),
        Preset(
            "One vector",
            "Without attention no weight says which word to copy. What is in the output?",
            {"model": "one vector"},
        ),
    ),
    exercises.a_name_it_never_saw,
    code=(copying.copy_unknown,),
    acts=(Act("map", (views.alignment,)),),
)
