"""Experiment `readers`: a unidirectional and a bidirectional encoder read the same sentence."""

from lessons.attention.controls import source_text
from lessons.attention.readers import exercises, views
from lessons.attention.readers.compute import compute, run_with_blanks
from lessons.attention.translators import MAX_STEPS
from lessons.kit.contract import Act, Experiment, Preset, Step, Text
from lessons.kit.example_sentences import FUTURE_TENSE, MANY_TO_ONE, REORDERING, UNLINKED_SOURCE
from models.seq2seq import RecurrentEncoder

EXPERIMENT = Experiment(
    "readers",
    "Both sides",
    (
        source_text(REORDERING, FUTURE_TENSE, MANY_TO_ONE, UNLINKED_SOURCE),
        Step("i", "Position i of the word to change", 7, 1, MAX_STEPS),
        Text("put", "New word at this position (empty: blank)", "", ("house", "book", "women", "old")),
    ),
    compute,
    (views.one_way_map, views.one_way_change, views.two_way_map, views.two_way_change, views.reading),
    (
        Preset(
            "The last word",
            "Only the full stop is blank. Which states can depend on it?",
            {"i": len(REORDERING.split())},
        ),
        Preset(
            "The first word",
            "“the” becomes “a”, and all states of both encoders change. How much do the last ones change?",
            {"i": 1, "put": "a"},
        ),
        Preset(
            "Another noun",
            "“a beautiful” must agree with a noun that comes later. Which states know that it is a book?",
            {"source": FUTURE_TENSE, "i": 6, "put": "book"},
        ),
    ),
    exercises.waits,
    code=(RecurrentEncoder, run_with_blanks),
    acts=(
        Act("halves", (views.halves,)),
        Act("late", (views.late, views.told_late)),
        Act("measured", (views.measured, views.told_measured)),
        Act("sentences", (views.sentences,)),
    ),
    layout=((("one_way_map", "one_way_change"), ("two_way_map", "two_way_change")), "reading"),
)
