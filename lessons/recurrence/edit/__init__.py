"""Experiment `edit`: change one unit of the memory and compare the predictions."""

from lessons.kit.checkpoints import STORIES
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Step, Text, Toggle
from lessons.recurrence.edit import views
from lessons.recurrence.edit.compute import ACTIONS, FLIP, compute
from lessons.recurrence.edit.exercises import flipping
from lessons.recurrence.sentences import (
    BOY_SENTENCE,
    BOY_STORY,
    CELL_NAMES,
    GIRL_SENTENCE,
    GIRL_STORY,
    RANK_CONTROL,
    STEP_AFTER_NAME,
    STORY_CONTROL,
)

EXPERIMENT = Experiment(
    slug="edit",
    title="What if?",
    controls=(
        Text("text", STORY_CONTROL.label, GIRL_SENTENCE, (BOY_SENTENCE, GIRL_STORY, BOY_STORY)),
        Choice("cell", "Cell", "GRU", CELL_NAMES),
        RANK_CONTROL,
        Choice("action", "Change the unit from step t on", FLIP, ACTIONS),
        Slider("value", "Value for “clamp it to”", 1.0, -1.0, 1.0, 0.1),
        Step("t", "Step t", STEP_AFTER_NAME, 1, STORIES.max_words + 1),
        Toggle("only", "Only at step t", False),
    ),
    compute=compute,
    views=(views.touched, views.expected, views.reading, views.next_words),
    layout=("touched", "expected", "reading", ("next_words", ("action", "value", "only"))),
    acts=(Act("fading", (views.fading,)), Act("difference", (views.difference,))),
    presets=(
        Preset(
            "After the name",
            "One of 128 numbers has the opposite sign. Look at the last word of “edited”.",
            {},
        ),
        Preset(
            "One step only", "The unit is changed at one step only. Does the change last?", {"only": True}
        ),
        Preset(
            "A vanilla unit",
            "The same change at one step in a cell without gates. How much of the change is left at the end?",
            {"cell": "vanilla", "only": True},
        ),
        Preset(
            "In the LSTM’s cell",
            "Here you change the cell state, which is the memory of an LSTM.",
            {"cell": "LSTM"},
        ),
    ),
    predict=flipping,
    code=(compute,),
    core=True,
)
