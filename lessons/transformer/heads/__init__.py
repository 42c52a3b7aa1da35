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
            "An adjective out of place",
            "Three words appear in another order in French: follow the gold cells.",
            {"text": REORDERING, "layer": "2", "head": "2"},
        ),
        Preset(
            "What has been written",
            "The upper right is hatched: it is the future, which is masked.",
            {"kind": "decoder self", "layer": "1", "head": "2"},
        ),
        Preset(
            "Is it a question?",
            "Which word does each head attend to before the model writes “est-ce”? One may look at “?”.",
            {"layer": "1", "head": "3"},
        ),
        Preset(
            "Which bank?",
            "Row “bank”: do any of the heads attend to “river”, the word that tells which bank it is?",
            {"text": AMBIGUOUS_BANK, "kind": "encoder self", "layer": "1", "head": "1"},
        ),
    ),
    predict=aligner,
    code=(MultiHeadAttention, scaled_dot_product, find_habit),
)
