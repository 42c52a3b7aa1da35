"""Experiment `step`: every number of one attention step, from the query to the word."""

from lessons.attention.controls import decoder_step, source_text, wiring_choice
from lessons.attention.step import exercises, views
from lessons.attention.step.compute import compute
from lessons.kit.contract import Act, Experiment, Preset, Slider
from lessons.kit.example_sentences import FUTURE_TENSE, IDIOM, MANY_TO_ONE, REORDERING
from models.attention import Additive, attend
from models.seq2seq import Seq2Seq

EXPERIMENT = Experiment(
    "step",
    "Step by step",
    (
        source_text(MANY_TO_ONE, IDIOM, FUTURE_TENSE, REORDERING),
        wiring_choice(),
        decoder_step(4),
        Slider("unit", "Unit to follow by hand", 2, 1, 64),
    ),
    compute,
    (views.unrolled, views.reading),
    (
        Preset(
            "One word, four sources",
            "“entarté” means “hit … with a pie”, but nearly all of its weight is on one of these words.",
            {},
        ),
        Preset(
            "Query before",
            "The query is now s₃, and s₄ is computed after it: open “Which decoder state is the query?”.",
            {"wiring": "query before"},
        ),
        Preset("At the end", "Which word does the decoder attend to when it ends the sentence?", {"t": 6}),
        Preset(
            "Words that change places",
            "Play steps 5, 6 and 7: which word does each of them attend to?",
            {"source": REORDERING, "t": 5},
        ),
    ),
    exercises.ahead,
    code=(attend, Additive, Seq2Seq.write),
    acts=(
        Act("query", (views.diagram,)),
        Act("weight", (views.scores, views.weights), (("scores", "weights"),), asks=views.ask_weight),
        Act(
            "context",
            (views.one_unit, views.all_units),
            (("one_unit", "unit"), "all_units"),
            asks=views.ask_context,
        ),
        Act("word", (views.next_words,), asks=views.ask_word),
    ),
    core=True,
)
