"""Experiment `inject`: three ways to give c to the decoder."""

from lessons.bottleneck.inject import views
from lessons.bottleneck.inject.compute import WIRINGS, compute
from lessons.bottleneck.inject.exercises import best_wiring
from lessons.bottleneck.measurements import MEASURES
from lessons.bottleneck.sentences import SEVENTEEN_WORDS, SIXTEEN_WORDS, source_control
from lessons.kit.contract import Act, Choice, Experiment, Preset
from lessons.kit.example_sentences import AMBIGUOUS_BANK, PASSIVE
from models.seq2seq import Seq2Seq

EXPERIMENT = Experiment(
    "inject",
    "Where c goes in",
    (
        Choice("wiring", "Where c enters the decoder", "first state", tuple(WIRINGS)),
        Choice("measure", "Measure of quality", "exact match", tuple(MEASURES)),
        source_control("text", "English sentence", PASSIVE, SEVENTEEN_WORDS, AMBIGUOUS_BANK, SIXTEEN_WORDS),
    ),
    compute,
    (views.unrolled, views.reading, views.by_length, views.fair),
    (
        Preset(
            "c at every step",
            "The decoder does not have to remember c, because it gets c at every step.",
            {"wiring": "every step"},
        ),
        Preset("One RNN for both", "The same RNN reads until <bos> and then writes.", {"wiring": "one RNN"}),
        Preset(
            "A longer sentence",
            "Open “What do the three wirings write for your sentence?” below.",
            {"text": SEVENTEEN_WORDS},
        ),
        Preset(
            "Word by word",
            "Token accuracy is a less strict measure. Do the three wirings keep their order?",
            {"measure": "token accuracy"},
        ),
    ),
    best_wiring,
    code=(Seq2Seq,),
    layout=("unrolled", "reading", ("by_length", "fair")),
    acts=(Act("sentence", (views.outputs, views.unequal)),),
    demonstrates="c at every step",
)
