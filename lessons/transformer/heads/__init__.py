"""Experiment `heads`: what does each head attend to?"""

from lessons.kit.contract import Act, Experiment, Preset
from lessons.kit.example_sentences import (
    AMBIGUOUS_BANK,
    MANY_TO_ONE,
    NEGATION,
    QUESTION,
    REORDERING,
)
from lessons.transformer.heads import views
from lessons.transformer.heads.compute import find_habit, heads
from lessons.transformer.heads.exercises import aligner
from lessons.transformer.translator import attention_control, head_control, layer_control, sentence_control
from models.multihead import MultiHeadAttention, scaled_dot_product

EXPERIMENT = Experiment(
    slug="heads",
    title="Heads",
    controls=(
        sentence_control(QUESTION, REORDERING, AMBIGUOUS_BANK, MANY_TO_ONE, NEGATION),
        attention_control("cross"),
        layer_control(),
        head_control(),
    ),
    compute=heads,
    views=(views.maps, views.reading, views.one),
    layout=((("maps", "reading"), "one"),),
    acts=(Act("aligners", (views.aligners,)),),
    presets=(
        Preset(
            "Another word order",
            "Three words have another order in French. Follow the gold cells.",
            {"text": REORDERING, "layer": "2", "head": "2"},
        ),
        Preset(
            "The masked future",
            "The upper right of the map is hatched: these words come later, and the mask hides them.",
            {"kind": "decoder self", "layer": "1", "head": "2"},
        ),
        Preset(
            "A question",
            "Before the model writes “est-ce”, does any head attend to “?”",
            {"layer": "1", "head": "3"},
        ),
        Preset(
            "Which bank?",
            "In the row “bank”, does any head attend to “river”, the word that tells which bank is meant?",
            {"text": AMBIGUOUS_BANK, "kind": "encoder self", "layer": "1", "head": "1"},
        ),
    ),
    predict=aligner,
    code=(MultiHeadAttention, scaled_dot_product, find_habit),
)
