"""Experiment `advice`: four experts answer, each weighted by how well their field matches the question."""

from lessons.kit.contract import Act, DragHandles, Experiment, Preset, Toggle
from lessons.qkv.advice import compute, exercises, views
from models.multihead import scaled_dot_product

EXPERIMENT = Experiment(
    "advice",
    "Advice",
    (
        DragHandles(
            "match",
            "Match of each field with the question (drag the bars)",
            compute.MATCH,
            0,
            5,
            0.1,
        ),
        Toggle("hard", "Take only the best match", False),
    ),
    compute.compute,
    (views.answers, views.matches, views.weights, views.reading),
    (
        Preset(
            "Two fields match",
            "The biologist and the programmer match best. Which words do both of them say?",
            {"match": ((2.0,), (3.0,), (2.0,), (3.5,))},
        ),
        Preset(
            "One more each",
            "Every match is larger by 1 than in the opening settings. Which weight has changed?",
            {"match": compute.raise_matches(1)},
        ),
        Preset(
            "All equal",
            "All matches are equal, so all four experts get the same weight.",
            {"match": ((2.0,),) * 4},
        ),
        Preset(
            "A hard choice",
            "Only the best match counts: moving another bar changes nothing until it becomes the best.",
            {"hard": True},
        ),
    ),
    exercises.GUESS,
    code=(scaled_dot_product,),
    acts=(Act("softmax", (views.softened,), asks=views.ask_weight),),
    layout=("answers", ("matches", "weights"), "reading"),
    demonstrates="One more each",
    core=True,
)
