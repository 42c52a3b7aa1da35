"""Experiment `decode`: the path of a sentence through the whole model."""

from lessons.kit.contract import Act, Experiment, Preset, Step
from lessons.kit.example_sentences import AMBIGUOUS_BANK, IDIOM, MANY_TO_ONE, QUESTION, REORDERING
from lessons.transformer.decode import views
from lessons.transformer.decode.compute import MAX_STEPS, decode
from lessons.transformer.decode.exercises import training_passes
from lessons.transformer.translator import sentence_control
from models.transformer import Transformer, TransformerWriter

EXPERIMENT = Experiment(
    slug="decode",
    title="Writing",
    controls=(
        sentence_control(MANY_TO_ONE, IDIOM, AMBIGUOUS_BANK, QUESTION, REORDERING),
        Step("t", "Step", 6, 1, MAX_STEPS),
    ),
    compute=decode,
    views=(views.walk, views.reading),
    acts=(
        Act("next", (views.next_words,), asks=views.ask_next),
        Act(
            "training",
            (views.training, views.both, views.agreement),
            layout=(("training", ("both", "agreement")),),
        ),
    ),
    presets=(
        Preset("Source in", "All words go in at once; no word has met another yet.", {"t": 1}),
        Preset("The first token", "After two decoder layers comes the first distribution.", {"t": 7}),
        Preset(
            "One verb for four words",
            "“entarté” is written: which source words does cross-attention attend to?",
            {"t": 10},
        ),
        Preset(
            "To the end",
            "A long sentence, nearly done: one pass of the decoder per token.",
            {"text": REORDERING, "t": 20},
        ),
    ),
    predict=training_passes,
    code=(Transformer, TransformerWriter),
)
