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
        Choice(
            "block",
            "Block",
            "encoder: self-attention",
            tuple(BLOCKS),
            {f"{side}: point-wise FC": f"{side}: feed-forward network" for side in ("encoder", "decoder")},
        ),
        layer_control(),
    ),
    compute=block,
    views=(views.diagram, views.tensors, views.reading),
    layout=(("diagram", "tensors"), "reading"),
    acts=(Act("all-numbers", (views.whole,)),),
    presets=(
        Preset(
            "Positions",
            "“the” occurs twice with the same embedding. Only the position encoding separates them.",
            {"block": "encoder: embedding + position"},
        ),
        Preset(
            "Inside the FFN",
            "Many numbers inside this block are exactly 0. Which function makes them 0?",
            {"block": "encoder: feed-forward network"},
        ),
        Preset(
            "Two inputs",
            "Queries come from the decoder, keys and values from the encoder: two inputs, one output.",
            {"block": "decoder: cross-attention", "layer": "2"},
        ),
        Preset(
            "Probabilities of words",
            "Each position has a distribution over French words. How certain is each of them?",
            {"block": "decoder: linear + softmax"},
        ),
    ),
    predict=shape_out,
    code=(Layer, FeedForward, Norm),
    core=True,
)
