"""Experiment `sounds`: which letters each sound of a word attends to, with weights that you can move."""

from lessons.attention.controls import decoder_step
from lessons.attention.sounds import exercises, views
from lessons.attention.sounds.compute import OPENING_STEP, OPENING_WORD, all_weight_on, compute
from lessons.attention.steer.compute import decode_with_weights
from lessons.kit.contract import Act, Experiment, Preset, RowEdits, Text
from models import metrics
from models.attention import attend

EXPERIMENT = Experiment(
    "sounds",
    "Letters and sounds",
    (
        Text("word", "English word or name", OPENING_WORD, ("lighthouse", "castle", "numb", "tanmoy")),
        decoder_step(OPENING_STEP),
        RowEdits("weights", "Drag a bar, or choose a row of weights for this step"),
    ),
    compute,
    (views.alignment, views.row, views.outputs, views.reading),
    (
        Preset(
            "Speak a silent letter",
            "The l of “chalk” is silent. Now it gets all the weight of step 3: is it spoken?",
            {"word": "chalk", "t": 3, "weights": all_weight_on("chalk", 3, "l")},
        ),
        Preset(
            "Leave a letter out",
            "The first step attends to i instead of l. What do you hear?",
            {"word": "light", "t": 1, "weights": all_weight_on("light", 1, "i")},
        ),
        Preset(
            "One letter, two sounds",
            "The x of “mix” is two sounds. Which letter do steps 3 and 4 attend to?",
            {"word": "mix", "t": 4},
        ),
        Preset(
            "A wrong sound",
            "The model never saw “doughnut”. Which letters does its wrong sound attend to?",
            {"word": "doughnut", "t": 2},
        ),
    ),
    exercises.which_letters,
    code=(decode_with_weights, attend, metrics.attention_maps),
    acts=(
        Act("chances", (views.next_sounds,), asks=views.ask_chances),
        Act("silent", (views.without_sound, views.describe_silent)),
    ),
    layout=(("alignment", ("row", "outputs")), "reading"),
    demonstrates={"t": 2},
)
