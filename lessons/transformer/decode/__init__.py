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
        Step("t", "Step of the computation", 6, 1, MAX_STEPS),
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
        Preset("The input", "All words go in at once. No word knows about the others yet.", {"t": 1}),
        Preset("The first token", "After two decoder layers the first token is written.", {"t": 7}),
        Preset(
            "One verb for four words",
            "The model has written “entarté”. To which source words does cross-attention attend?",
            {"t": 10},
        ),
        Preset(
            "A long sentence",
            "The translation is nearly complete: the decoder ran once per token.",
            {"text": REORDERING, "t": 20},
        ),
    ),
    predict=training_passes,
    code=(Transformer, TransformerWriter),
)
