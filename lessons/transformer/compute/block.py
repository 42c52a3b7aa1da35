"""Every block of the model, with what goes in and what comes out for this sentence."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from lessons.kit.checkpoints import TRANSLATION, Words, english, french, read_source
from lessons.kit.contract import Result
from lessons.kit.references import matches_reference, reference_for
from lessons.transformer.compute.sentence import LAYERS, model, untouched
from models.transformer import Transformer, TransformerTrace


@dataclass(frozen=True)
class Quantity:
    """One tensor of the run: a row for every word."""

    name: str  # as in the equation
    goes: str  # in, inside, out
    tap: str  # its name in the trace
    side: str  # source or target: whose words the rows are
    rows: Words
    values: np.ndarray  # (T, d)


def embedding(side: str) -> tuple[tuple[str, str, str], ...]:
    return (
        ("word, √d · embedding", "in", f"{side}.embedded"),
        ("position, PE", "in", f"{side}.positions"),
        ("x, their sum", "out", f"{side}.input"),
        ("Norm(x), for layer 1", "out", f"{side}.layer1.norm1.out"),
    )


def attention(side: str, kind: str, n: int) -> tuple[tuple[str, str, str], ...]:
    asks = ("Norm(x)" if kind == "self" else "Norm(x), asks", "in", f"{side}.layer{{n}}.norm{n}.out")
    looked_at = () if kind == "self" else (("encoder’s output, looked at", "in", "encoder.norm.out"),)
    inside = ("the heads, side by side", "inside", f"{side}.layer{{n}}.{kind}.heads")
    return (asks, *looked_at, inside, ("what attention adds", "out", f"{side}.layer{{n}}.{kind}.out"))


def add_norm(side: str, change: str, n: int, following: str) -> tuple[tuple[str, str, str], ...]:
    """The pre-norm order: the sum goes on by itself, and its norm goes into the block that follows."""
    return (
        ("x, around the block", "in", f"{side}.layer{{n}}.residual{n}"),
        ("what the block adds", "in", f"{side}.layer{{n}}.{change}.out"),
        ("x, the sum", "out", f"{side}.layer{{n}}.added{n}"),
        ("Norm(x), for the next block", "out", following),
    )


def pointwise(side: str, n: int) -> tuple[tuple[str, str, str], ...]:
    return (
        ("Norm(x)", "in", f"{side}.layer{{n}}.norm{n}.out"),
        ("hidden, after ReLU", "inside", f"{side}.layer{{n}}.fc.hidden"),
        ("what the FC adds", "out", f"{side}.layer{{n}}.fc.out"),
    )


BLOCKS = {  # in the order of the computation; {n} is the layer, {next} whatever follows it
    "encoder: embedding + position": embedding("encoder"),
    "encoder: self-attention": attention("encoder", "self", 1),
    "encoder: add & norm, 1st": add_norm("encoder", "self", 1, "encoder.layer{n}.norm2.out"),
    "encoder: point-wise FC": pointwise("encoder", 2),
    "encoder: add & norm, 2nd": add_norm("encoder", "fc", 2, "encoder.{next}.out"),
    "decoder: embedding + position": embedding("decoder"),
    "decoder: masked self-attention": attention("decoder", "self", 1),
    "decoder: add & norm, 1st": add_norm("decoder", "self", 1, "decoder.layer{n}.norm2.out"),
    "decoder: cross-attention": attention("decoder", "cross", 2),
    "decoder: add & norm, 2nd": add_norm("decoder", "cross", 2, "decoder.layer{n}.norm3.out"),
    "decoder: point-wise FC": pointwise("decoder", 3),
    "decoder: add & norm, 3rd": add_norm("decoder", "fc", 3, "decoder.{next}.out"),
    "decoder: linear + softmax": (("Norm(x)", "in", "decoder.norm.out"),),
}


@dataclass(frozen=True)
class BlockRun(Result):
    block: str
    layer: int
    layers: int
    heads: int
    source: Words
    reads: Words  # what the decoder reads: <bos> and its own output but the last
    writes: Words
    truth: Words | None  # the translation by the grammar, where it is known
    right: bool | None  # is what it writes the truth
    quantities: tuple[Quantity, ...]
    likely: Words  # the words that were written, once each, for linear + softmax
    probabilities: np.ndarray  # (T', likely)
    parameters: int  # that the block has learned

    @property
    def in_layer(self) -> bool:
        """Is there one in every layer?"""
        return not self.block.endswith(("position", "softmax"))

    def idle(self) -> dict[str, str]:
        return (
            {}
            if self.in_layer
            else {"layer": "This block stands outside the layers: there is only one of it."}
        )


def block(text: str, block: str, layer: str) -> BlockRun:
    trace, transformer = untouched(read_source(text, "text")), model()
    written = tuple(dict.fromkeys(trace.output))
    truth = reference_for(TRANSLATION, english(trace.source))
    return BlockRun(
        block=block,
        layer=int(layer),
        layers=transformer.config.layers,
        heads=transformer.config.heads,
        source=english(trace.source),
        reads=french(trace.target_in),
        writes=french(trace.output),
        truth=truth,
        right=matches_reference(french(trace.output), truth),
        quantities=tuple(quantity(trace, int(layer), *spec) for spec in BLOCKS[block]),
        likely=french(written),
        probabilities=trace.probabilities[:, list(written)].numpy(),
        parameters=parameters(transformer, block, int(layer)),
    )


def quantity(trace: TransformerTrace, layer: int, name: str, goes: str, path: str) -> Quantity:
    last = layer == len(LAYERS)
    path = path.format(n=layer, next="norm" if last else f"layer{layer + 1}.norm1")
    values = trace.values[path]
    if values.dim() == 3:  # (heads, T, d_head), side by side
        values = values.transpose(0, 1).flatten(1)
    side = "source" if path.startswith("encoder") else "target"
    rows = english(trace.source) if side == "source" else french(trace.target_in)
    return Quantity(name, goes, path, side, rows, values.numpy())


def parameters(transformer: Transformer, block: str, layer: int) -> int:
    """How many numbers the block has learned; a norm belongs to the block whose output it takes."""
    side, _, name = block.partition(": ")
    stack = getattr(transformer, side)
    part, following = stack.layers[layer - 1], (*stack.layers, None)[layer]
    parts: dict[str, nn.Module | torch.Tensor] = {
        "embedding + position": stack.E,
        "self-attention": part.self_attention,
        "masked self-attention": part.self_attention,
        "cross-attention": part.cross_attention,
        "point-wise FC": part.fc,
        "linear + softmax": nn.ParameterList([transformer.W_out, transformer.b_out]),
    }
    if name.startswith("add & norm"):
        n = int(name[-3])  # 1st, 2nd, 3rd
        found = (
            part.norms[n]
            if n < len(part.norms)
            else following.norms[0]
            if following is not None
            else stack.norm
        )
    else:
        found = parts[name]
    return (
        found.numel()
        if isinstance(found, torch.Tensor)
        else sum(weight.numel() for weight in found.parameters())
    )
