"""Experiment `block`: the inputs and outputs of each block of the Transformer."""

from lessons.kit.contract import Act, Choice, Experiment, Preset
from lessons.kit.example_sentences import IDIOM, MANY_TO_ONE, QUESTION, REORDERING
from lessons.transformer.block import views
from lessons.transformer.block.compute import BLOCKS, block
from lessons.transformer.block.exercises import shape_out
from lessons.transformer.translator import layer_control, sentence_control
from models.blocks import FeedForward, Layer, Norm

EXPERIMENT = Experiment(
    slug="block",
    title="Blocks",
    controls=(
        sentence_control(IDIOM, MANY_TO_ONE, "she gave up .", QUESTION, REORDERING),
        Choice("block", "Block", "encoder: self-attention", tuple(BLOCKS)),
        layer_control(),
    ),
    compute=block,
    views=(views.diagram, views.tensors, views.reading),
    layout=(("diagram", "tensors"), "reading"),
    acts=(Act("all-numbers", (views.whole,)),),
    presets=(
        Preset(
            "Where it stands",
            "“the” occurs twice with the same embedding. The position pattern PE makes its two rows differ.",
            {"block": "encoder: embedding + position"},
        ),
        Preset(
            "Up and down",
            "Inside the block many numbers are exactly 0. Which function does that?",
            {"block": "encoder: point-wise FC"},
        ),
        Preset(
            "Two sentences meet",
            "The decoder gives the queries, the encoder the keys and values: two inputs, one output.",
            {"block": "decoder: cross-attention", "layer": "2"},
        ),
        Preset(
            "Words at last",
            "Each position has one distribution over French words. How certain is each?",
            {"block": "decoder: linear + softmax"},
        ),
    ),
    predict=shape_out,
    code=(Layer, FeedForward, Norm),
    core=True,
)
