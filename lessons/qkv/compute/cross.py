"""Seq2seq attention, cross-attention and self-attention are one function with other inputs. Trained models are the proof."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import english, french, load_model, original_run, read_source
from lessons.kit.contract import Result
from lessons.qkv.compute.layer import attend, largest
from models.multihead import MultiHeadAttention, affine
from models.seq2seq import Seq2SeqTrace
from models.transformer import TransformerTrace

KINDS = {  # name → checkpoint, who asks, who is looked at
    "seq2seq, dot": ("translation-dot-64-s0", "S", "H"),
    "seq2seq, scaled dot": ("translation-scaled-dot-64-s0", "S", "H"),
    "cross, in a Transformer": ("translation-transformer-s0", "decoder", "encoder"),
    "self, in a Transformer": ("translation-transformer-s0", "encoder", "encoder"),
}
HEADS = 4  # of the Transformer


@dataclass(frozen=True)
class Inputs:
    """What one attention was given in a trained model, and what it made of that."""

    X: Tensor  # (T_q, ·) rows that ask
    M: Tensor  # (T_k, ·) rows that are looked at
    W: tuple[tuple[Tensor, Tensor], ...]  # W_Q, W_K, W_V, each with its bias
    scale: bool
    weights: Tensor  # (T_q, T_k) the model's own
    contexts: Tensor  # (T_q, ·)


def in_seq2seq(kind: str, trace: Seq2SeqTrace) -> Inputs:
    """S asks, H is looked at, and nothing is projected: the matrices are the identity."""
    m = trace.H.shape[1]
    same = (torch.eye(m), torch.zeros(m))
    return Inputs(
        trace.s,
        trace.H,
        (same, same, same),
        kind.endswith("scaled dot"),
        trace.values["weights"],
        trace.contexts,
    )


def in_transformer(kind: str, trace: TransformerTrace, head: int) -> Inputs:
    """One head: its own slice of W_Q, W_K, W_V. The first layer of the encoder, or the last of the decoder."""
    model, v = load_model("translation-transformer-s0"), trace.values
    if kind.startswith("self"):
        layer, X, place = (
            model.encoder.layers[0].self_attention,
            v["encoder.layer1.norm1.out"],
            "encoder.layer1.self",
        )
        M = X
    else:
        last = model.config.layers
        layer, X, place = (
            model.decoder.layers[-1].cross_attention,
            v[f"decoder.layer{last}.norm2.out"],
            f"decoder.layer{last}.cross",
        )
        M = v["encoder.norm.out"]
    return Inputs(X, M, slices(layer, head), True, v[f"{place}.weights"][head], v[f"{place}.heads"][head])


def slices(layer: MultiHeadAttention, head: int) -> tuple[tuple[Tensor, Tensor], ...]:
    """W (d, d_head) and b (d_head,) of one head, for queries, keys and values."""
    width = layer.W_q.shape[1] // layer.heads
    part = slice(head * width, (head + 1) * width)
    return tuple((getattr(layer, f"W_{name}")[:, part], getattr(layer, f"b_{name}")[part]) for name in "qkv")


@dataclass(frozen=True)
class Cross(Result):
    kind: str
    model: str  # the checkpoint
    asks: str  # whose rows the queries are
    looked_at: str  # whose rows the keys and values are
    head: int | None  # 1-based; None where there is only one
    queries: tuple[str, ...]  # words
    keys: tuple[str, ...]
    Q: np.ndarray  # (T_q, d)
    K: np.ndarray  # (T_k, d)
    V: np.ndarray  # (T_k, d)
    weights: np.ndarray  # (T_q, T_k) by the layer of this lesson
    own_weights: np.ndarray  # (T_q, T_k) by the model, in its own way
    weights_difference: float  # the largest
    contexts_difference: float

    def idle(self) -> dict[str, str]:
        return {"head": "A seq2seq model has one attention, without heads."} if self.head is None else {}

    def numbers(self) -> dict[str, Any]:
        return {name: value for name, value in super().numbers().items() if name not in "QKV"} | {
            "shape_of_Q": self.Q.shape
        }


def cross(text: str, kind: str, head: int) -> Cross:
    name, asks, looked_at = KINDS[kind]
    trace = original_run(name, read_source(text, "text"))
    one = kind.startswith("seq2seq")
    given = in_seq2seq(kind, trace) if one else in_transformer(kind, trace, head - 1)
    Q, K, V = (affine(rows, *W) for rows, W in zip((given.X, given.M, given.M), given.W, strict=True))
    seen = attend(Q, K, V, scale=given.scale)
    source, output = english(trace.source), french(trace.output)
    return Cross(
        kind=kind,
        model=name,
        asks=asks,
        looked_at=looked_at,
        head=None if one else head,
        queries=source if kind.startswith("self") else output,
        keys=source,
        Q=Q.numpy(),
        K=K.numpy(),
        V=V.numpy(),
        weights=seen.last("weights").numpy(),
        own_weights=given.weights.numpy(),
        weights_difference=largest(seen.last("weights"), given.weights),
        contexts_difference=largest(seen.last("Y"), given.contexts),
    )
