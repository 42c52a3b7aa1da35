"""Experiment `gates`: the gates of an LSTM or a GRU, word by word or clamped to 0 or 1."""

from lessons.kit.checkpoints import STORIES
from lessons.kit.contract import Act, Choice, Experiment, Preset, Step, Toggle
from lessons.recurrence.gates import views
from lessons.recurrence.gates.compute import CLAMP_OPTIONS, GATES, OWN_VALUE, RENAMED_GATES, compute
from lessons.recurrence.gates.exercises import output_gate
from lessons.recurrence.sentences import GIRL_STORY, RANK_CONTROL, STORY_CONTROL
from models.rnn import GRU, LSTM

EXPERIMENT = Experiment(
    slug="gates",
    title="Gates",
    controls=(
        STORY_CONTROL,
        Choice("gate", "Gate", "LSTM output gate o", tuple(GATES), RENAMED_GATES),
        Choice("force", "Value of the gate", OWN_VALUE, CLAMP_OPTIONS),
        Toggle("every", "Clamp it in every unit", False),
        RANK_CONTROL,
        Step("t", "Step t", 10, 1, STORIES.max_words + 1),
    ),
    compute=compute,
    views=(views.unit_gates, views.reading, views.kept, views.next_words),
    layout=(("unit_gates", ("gate", "force", "every")), "reading", ("kept", "next_words")),
    acts=(Act("built", (views.built,)), Act("all", (views.gate_of_all,))),
    presets=(
        Preset(
            "Forget gate at 0",
            "The forget gate f is 0: the cell state holds each word for one step only. Look at “she”.",
            {"text": GIRL_STORY, "gate": "LSTM forget gate f", "force": "0"},
        ),
        Preset(
            "Output gate at 0",
            "The output gate o is 0: the cell state still changes its sign at the name, but h stays 0.",
            {"force": "0"},
        ),
        Preset(
            "The update gate of a GRU",
            "The update gate z replaces two gates: near 1 it keeps the old h, near 0 it overwrites h.",
            {"gate": "GRU update gate z"},
        ),
        Preset(
            "Update gate at 1",
            "z is 1 in every unit: h stays at its initial 0, and after every word all words are about equally"
            " probable.",
            {"gate": "GRU update gate z", "force": "1", "every": True},
        ),
    ),
    predict=output_gate,
    code=(LSTM, GRU),
)
