"""Experiment `trained`: five translators that differ only in their score."""

from lessons.kit.contract import Act, Experiment, Job, Preset, Step, Text
from lessons.kit.example_sentences import MANY_TO_ONE, REORDERING
from lessons.scores.trained import exercises, views
from lessons.scores.trained.compute import SUGGESTIONS, compute, measure, time_step

EXPERIMENT = Experiment(
    "trained",
    "Trained",
    (
        Text("sentence", "English sentence", SUGGESTIONS[0], (*SUGGESTIONS[1:], REORDERING, MANY_TO_ONE)),
        Step("t", "French word t", 2, 1, 70),
    ),
    compute,
    (views.one_word, views.translations, views.scoreboard, views.reading),
    (
        Preset(
            "Adjectives change places",
            "In French the noun comes first. Which models attend to the right English word?",
            {},
        ),
        Preset(
            "Many words become one",
            "“hit … with a pie” becomes one French word. (The models saw this sentence in training.)",
            {"sentence": MANY_TO_ONE, "t": 4},
        ),
        Preset(
            "A long sentence",
            "Three words change places. Step on to see where each model looks. (Seen in training.)",
            {"sentence": REORDERING, "t": 5},
        ),
    ),
    exercises.best_score,
    Job("Measure a training step", measure),
    (time_step,),
    (
        Act(
            "maps",
            (views.dot, views.scaled_dot, views.bilinear, views.scaled_bilinear, views.additive),
            (("dot", "scaled_dot", "bilinear"), ("scaled_bilinear", "additive")),
            views.ask_why,
        ),
        Act("papers", (views.beside_papers,)),
    ),
    (("one_word", "translations"), "scoreboard", "reading"),
    core=True,
)
