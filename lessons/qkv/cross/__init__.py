"""Experiment `cross`: seq2seq attention, cross-attention and self-attention are the same layer."""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Text
from lessons.kit.example_sentences import EVERYDAY, MANY_TO_ONE, REORDERING
from lessons.qkv.attention_layer import attend
from lessons.qkv.cross import compute, exercises, views

EXPERIMENT = Experiment(
    "cross",
    "Self and cross",
    (
        Choice("kind", "Kind of attention", "seq2seq, dot", tuple(compute.KINDS)),
        Text("text", "Sentence", MANY_TO_ONE, (REORDERING, EVERYDAY, "it is raining cats and dogs .")),
        Slider("head", "Head (Transformer)", 1, 1, compute.HEADS),
    ),
    compute.compute,
    (views.ours, views.own, views.reading),
    (
        Preset(
            "Lesson 3 again",
            "Q = S, K = V = H and no matrices: this is the alignment of a seq2seq model.",
            {"text": REORDERING},
        ),
        Preset(
            "Divided by √m",
            "This model was trained with the scaled dot product.",
            {"kind": "seq2seq, scaled dot", "text": REORDERING},
        ),
        Preset(
            "Cross",
            "Queries come from the decoder, keys and values from the encoder, through learned matrices.",
            {"kind": "cross, in a Transformer", "head": 2},
        ),
        Preset(
            "Self",
            "Queries, keys and values all come from the same words.",
            {"kind": "self, in a Transformer", "head": 1},
        ),
    ),
    exercises.GUESS,
    code=(attend, compute.seq2seq_inputs, compute.transformer_inputs),
    acts=(Act("inputs", (views.inputs,)),),
    layout=(("ours", "own"), "reading"),
)
