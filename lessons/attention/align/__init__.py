"""Experiment `align`: compare attention weights with the grammar's gold alignment."""

from lessons.attention.align import exercises, views
from lessons.attention.align.compute import compute
from lessons.attention.controls import source_text
from lessons.attention.translators import SCORES
from lessons.kit.contract import Act, Choice, Experiment, Preset
from lessons.kit.example_sentences import (
    AMBIGUOUS_BANK,
    IDIOM,
    MANY_TO_ONE,
    REORDERING,
    UNLINKED_SOURCE,
    UNLINKED_TARGET,
)
from models.metrics import aer, strongest_links

EXPERIMENT = Experiment(
    "align",
    "Alignment",
    (
        source_text(REORDERING, MANY_TO_ONE, UNLINKED_TARGET, UNLINKED_SOURCE, AMBIGUOUS_BANK, IDIOM),
        Choice("score", "Score function of the model", "additive", tuple(SCORES)),
    ),
    compute,
    (views.alignment, views.pair, views.reading),
    (
        Preset(
            "Many to one",
            "“entarté” has four gold links, but only one largest weight.",
            {"source": MANY_TO_ONE},
        ),
        Preset(
            "No counterpart",
            "“est-ce qu’” comes from no English word. Where is the weight of these two words?",
            {"source": UNLINKED_TARGET},
        ),
        Preset(
            "Another score",
            "The same sentence, translated by a model with the scaled dot score.",
            {"score": "scaled dot"},
        ),
    ),
    exercises.shape,
    code=(aer, strongest_links),
    acts=(Act("gold", (views.on_gold,)),),
    layout=(("alignment", "pair"), "reading"),
    core=True,
)
