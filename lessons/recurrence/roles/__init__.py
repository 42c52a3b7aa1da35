"""Experiment `roles`: the same recurrence as encoder, language model and decoder."""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Step, Text
from lessons.kit.example_sentences import PASSIVE
from lessons.recurrence.roles import views
from lessons.recurrence.roles.compute import ROLES, compute
from lessons.recurrence.roles.exercises import decoder_input

MAX_STEPS = 81

EXPERIMENT = Experiment(
    slug="roles",
    title="Three jobs",
    controls=(
        Choice("role", "The recurrence as", "encoder", ROLES),
        Text(
            "text",
            "Sentence",
            PASSIVE,
            ("we wanted a book .", "where were the dogs ?", "where was the horse ?"),
        ),
        Step("t", "Step t", 6, 1, MAX_STEPS),
    ),
    compute=compute,
    views=(views.unrolled, views.reading, views.written),
    acts=(Act("three", (views.three,)),),
    presets=(
        Preset(
            "Encoder",
            "The encoder computes all states and passes on only the last one.",
            {"role": "encoder", "t": 6},
        ),
        Preset(
            "Language model",
            "Every state predicts the next word. Then the model reads the true next word.",
            {"role": "language model", "t": 3},
        ),
        Preset(
            "Decoder",
            "The decoder gets no words from outside. Follow the dashed arrows.",
            {"role": "decoder", "t": 3},
        ),
    ),
    predict=decoder_input,
    code=(compute,),
    demonstrates={"role": "decoder", "t": 2},
)
