"""Experiment `between`: four trained translators, in steps from seq2seq to the Transformer."""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Text, Toggle
from lessons.kit.example_sentences import REORDERING, SUBJECT_OBJECT
from lessons.qkv.between import compute, exercises, views
from models.self_attention_encoder import SelfAttentionEncoder

QUESTION = "is the beautiful letter very important ?"

EXPERIMENT = Experiment(
    "between",
    "In between",
    (
        Text(
            "text",
            "Sentence",
            exercises.MAN_SEES_DOG,
            (
                SUBJECT_OBJECT,
                QUESTION,
                "when marie sleeps , five hundred nurses work in the evening .",
                REORDERING,
            ),
        ),
        Toggle("alphabetical", "Sort the words from A to Z first", False),
        Choice("metric", "Accuracy of", "whole sentences", tuple(compute.METRICS)),
    ),
    compute.compute,
    (views.outputs, views.by_length, views.reading),
    (
        Preset(
            "Who sees whom",
            "Man and dog have changed places. Which model writes the same translation as before?",
            {"text": SUBJECT_OBJECT},
        ),
        Preset(
            "Sorted",
            "The words are sorted from A to Z. Which model still writes the same translation?",
            {"alphabetical": True},
        ),
        Preset(
            "A question",
            "One model writes all the right words but asks a different question. Which one?",
            {"text": QUESTION},
        ),
    ),
    exercises.GUESS,
    code=(SelfAttentionEncoder,),
    acts=(Act("parts", (views.parts, views.sizes)),),
    demonstrates="Sorted",
)
