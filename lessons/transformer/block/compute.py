"""The inputs and outputs of one block of the Transformer, for one sentence."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from lessons.kit.checkpoints import Words
from lessons.kit.contract import Result
from lessons.transformer.translator import (
    LAYERS,
    is_right,
    load_transformer,
    original_trace,
    read_text,
    reference_translation,
    target_words,
)
from models.transformer import Transformer, TransformerTrace

QuantitySpec = tuple[str, str, str]  # name, direction (in, inside, out), path in the trace


@dataclass(frozen=True)
class Quantity:
    """One tensor of the run, with one row per word."""

    name: str  # name as in the equation
    goes: str  # direction: “in”, “inside” or “out”
    tap: str  # path in the trace
    side: str  # “source” or “target”: which words the rows stand for
    rows: Words
    values: np.ndarray  # (T, d)


def embedding_quantities(side: str) -> tuple[QuantitySpec, ...]:
    return (
        ("word, √d · embedding", "in", f"{side}.embedded"),
        ("position, PE", "in", f"{side}.positions"),
        ("x, their sum", "out", f"{side}.input"),
        ("Norm(x), for layer 1", "out", f"{side}.layer1.norm1.out"),
    )


def attention_quantities(side: str, kind: str, n: int) -> tuple[QuantitySpec, ...]:
    query = ("Norm(x)" if kind == "self" else "Norm(x), queries", "in", f"{side}.layer{{n}}.norm{n}.out")
    memory = () if kind == "self" else (("encoder output, keys and values", "in", "encoder.norm.out"),)
    heads = ("outputs of the heads", "inside", f"{side}.layer{{n}}.{kind}.heads")
    return (query, *memory, heads, ("what attention adds", "out", f"{side}.layer{{n}}.{kind}.out"))


def add_norm_quantities(side: str, change: str, n: int, following: str) -> tuple[QuantitySpec, ...]:
    """Quantities of “add & norm” in pre-norm order: the stream keeps the sum, its norm is the next input."""
    return (
        ("x, around the block", "in", f"{side}.layer{{n}}.residual{n}"),
        ("what the block adds", "in", f"{side}.layer{{n}}.{change}.out"),
        ("x, the sum", "out", f"{side}.layer{{n}}.added{n}"),
        ("Norm(x), for the next block", "out", following),
    )


def pointwise_quantities(side: str, n: int) -> tuple[QuantitySpec, ...]:
    return (
        ("Norm(x)", "in", f"{side}.layer{{n}}.norm{n}.out"),
        ("hidden, after ReLU", "inside", f"{side}.layer{{n}}.fc.hidden"),
        ("what the FFN adds", "out", f"{side}.layer{{n}}.fc.out"),
    )


BLOCKS = {  # in order of computation; {n} is the layer, {next} the norm that follows it
    "encoder: embedding + position": embedding_quantities("encoder"),
    "encoder: self-attention": attention_quantities("encoder", "self", 1),
    "encoder: add & norm, 1st": add_norm_quantities("encoder", "self", 1, "encoder.layer{n}.norm2.out"),
    "encoder: feed-forward network": pointwise_quantities("encoder", 2),
    "encoder: add & norm, 2nd": add_norm_quantities("encoder", "fc", 2, "encoder.{next}.out"),
    "decoder: embedding + position": embedding_quantities("decoder"),
    "decoder: masked self-attention": attention_quantities("decoder", "self", 1),
    "decoder: add & norm, 1st": add_norm_quantities("decoder", "self", 1, "decoder.layer{n}.norm2.out"),
    "decoder: cross-attention": attention_quantities("decoder", "cross", 2),
    "decoder: add & norm, 2nd": add_norm_quantities("decoder", "cross", 2, "decoder.layer{n}.norm3.out"),
    "decoder: feed-forward network": pointwise_quantities("decoder", 3),
    "decoder: add & norm, 3rd": add_norm_quantities("decoder", "fc", 3, "decoder.{next}.out"),
    "decoder: linear + softmax": (("Norm(x)", "in", "decoder.norm.out"),),
}


@dataclass(frozen=True)
class BlockRun(Result):
    block: str
    layer: int
    layers: int
    heads: int
    source: Words
    reads: Words  # decoder input: <bos> and the output without its last token
    writes: Words
    truth: Words | None  # reference translation, if known
    right: bool | None  # whether the output equals the reference translation
    quantities: tuple[Quantity, ...]
    likely: Words  # for linear + softmax: the distinct words of the output
    probabilities: np.ndarray  # (T', likely)
    parameters: int  # number of parameters of the block

    @property
    def in_layer(self) -> bool:
        """Whether this block occurs in every layer."""
        return not self.block.endswith(("position", "softmax"))

    def idle(self) -> dict[str, str]:
        return (
            {} if self.in_layer else {"layer": "This block is not part of a layer; the model has only one."}
        )


def block(text: str, block: str, layer: str) -> BlockRun:
    source, words = read_text(text)
    trace, transformer = original_trace(source), load_transformer()
    output_tokens = tuple(dict.fromkeys(trace.output))
    return BlockRun(
        block=block,
        layer=int(layer),
        layers=transformer.config.layers,
        heads=transformer.config.heads,
        source=words,
        reads=target_words(trace.target_in),
        writes=target_words(trace.output),
        truth=reference_translation(trace),
        right=is_right(trace),
        quantities=tuple(read_quantity(trace, words, int(layer), *spec) for spec in BLOCKS[block]),
        likely=target_words(output_tokens),
        probabilities=trace.probabilities[:, list(output_tokens)].numpy(),
        parameters=count_parameters(transformer, block, int(layer)),
    )


def read_quantity(
    trace: TransformerTrace, source: Words, layer: int, name: str, direction: str, path: str
) -> Quantity:
    is_last = layer == len(LAYERS)
    path = path.format(n=layer, next="norm" if is_last else f"layer{layer + 1}.norm1")
    values = trace.values[path]
    if values.dim() == 3:
        values = values.transpose(0, 1).flatten(1)  # (heads, T, d_head) → (T, d)
    side = "source" if path.startswith("encoder") else "target"
    rows = source if side == "source" else target_words(trace.target_in)
    return Quantity(name, direction, path, side, rows, values.numpy())


def count_parameters(transformer: Transformer, block: str, layer: int) -> int:
    """Number of parameters of a block. A norm counts towards the “add & norm” block that contains it."""
    side, _, name = block.partition(": ")
    stack = getattr(transformer, side)
    layer_module = stack.layers[layer - 1]
    if name.startswith("add & norm"):
        n = int(name[-3])  # n is 1, 2 or 3, from “1st”, “2nd” or “3rd”
        next_norm = stack.layers[layer].norms[0] if layer < len(stack.layers) else stack.norm
        module = layer_module.norms[n] if n < len(layer_module.norms) else next_norm
    else:
        modules: dict[str, nn.Module | torch.Tensor] = {
            "embedding + position": stack.E,
            "self-attention": layer_module.self_attention,
            "masked self-attention": layer_module.self_attention,
            "cross-attention": layer_module.cross_attention,
            "feed-forward network": layer_module.fc,
            "linear + softmax": nn.ParameterList([transformer.W_out, transformer.b_out]),
        }
        module = modules[name]
    return module.numel() if isinstance(module, torch.Tensor) else sum(p.numel() for p in module.parameters())
