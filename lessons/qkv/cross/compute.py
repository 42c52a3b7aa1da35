"""Run one attention layer on the inputs of trained models and compare its weights with theirs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.kit.translator import Translator
from lessons.qkv.attention_layer import attend, max_difference
from lessons.qkv.translator import TRANSFORMER
from models.multihead import MultiHeadAttention, affine
from models.seq2seq import Seq2SeqTrace
from models.transformer import TransformerTrace

KINDS = {  # name → model, source of the queries, source of the keys and values
    "seq2seq, dot": (Translator("translation-dot-64-s0"), "S", "H"),
    "seq2seq, scaled dot": (Translator("translation-scaled-dot-64-s0"), "S", "H"),
    "cross, in a Transformer": (TRANSFORMER, "decoder", "encoder"),
    "self, in a Transformer": (TRANSFORMER, "encoder", "encoder"),
}
HEADS = 4  # number of heads of the Transformer


@dataclass(frozen=True)
class Inputs:
    """The inputs of one attention layer in a trained model, with the model's weights and contexts."""

    X_Q: Tensor  # (T_q, ·) rows from which queries are computed
    X: Tensor  # (T_k, ·) rows from which keys and values are computed
    W: tuple[tuple[Tensor, Tensor], ...]  # W_Q, W_K, W_V, each with its bias
    scale: bool
    weights: Tensor  # (T_q, T_k) attention weights in the trained model
    contexts: Tensor  # (T_q, ·)


def seq2seq_inputs(kind: str, trace: Seq2SeqTrace) -> Inputs:
    """Inputs of seq2seq attention, Q = S and K = V = H: the three matrices are the identity."""
    m = trace.H.shape[1]
    identity = (torch.eye(m), torch.zeros(m))
    is_scaled = kind.endswith("scaled dot")
    return Inputs(trace.s, trace.H, (identity,) * 3, is_scaled, trace.values["weights"], trace.contexts)


def transformer_inputs(kind: str, trace: TransformerTrace, head: int) -> Inputs:
    """Inputs of one head in the encoder's first self-attention or the decoder's last cross-attention."""
    model, values = TRANSFORMER.model, trace.values
    if kind.startswith("self"):
        layer, name = model.encoder.layers[0].self_attention, "encoder.layer1.self"
        X_Q = X = values["encoder.layer1.norm1.out"]
    else:
        last = model.config.layers
        layer, name = model.decoder.layers[-1].cross_attention, f"decoder.layer{last}.cross"
        X_Q, X = values[f"decoder.layer{last}.norm2.out"], values["encoder.norm.out"]
    weights, contexts = values[f"{name}.weights"][head], values[f"{name}.heads"][head]
    return Inputs(X_Q, X, head_matrices(layer, head), True, weights, contexts)


def head_matrices(layer: MultiHeadAttention, head: int) -> tuple[tuple[Tensor, Tensor], ...]:
    """W (d, d_head) and b (d_head,) of one head, each for queries, keys and values."""
    width = layer.W_q.shape[1] // layer.heads
    columns = slice(head * width, (head + 1) * width)
    return tuple(
        (getattr(layer, f"W_{name}")[:, columns], getattr(layer, f"b_{name}")[columns]) for name in "qkv"
    )


@dataclass(frozen=True)
class Cross(Result):
    kind: str
    model: str  # name of the checkpoint
    asks: str  # where the queries come from
    looked_at: str  # where the keys and values come from
    head: int | None  # 1-based; None if there is only one head
    queries: tuple[str, ...]  # words of the queries
    keys: tuple[str, ...]
    Q: np.ndarray  # (T_q, d)
    K: np.ndarray  # (T_k, d)
    V: np.ndarray  # (T_k, d)
    weights: np.ndarray  # (T_q, T_k) computed by this lesson's layer
    own_weights: np.ndarray  # (T_q, T_k) computed by the trained model
    weights_difference: float  # largest absolute difference
    contexts_difference: float

    def idle(self) -> dict[str, str]:
        return {"head": "A seq2seq model has one attention, without heads."} if self.head is None else {}

    def numbers(self) -> dict[str, Any]:
        """The numbers of this run, with the shape of Q in place of Q, K and V."""
        numbers = {name: value for name, value in super().numbers().items() if name not in "QKV"}
        return numbers | {"shape_of_Q": self.Q.shape}


def compute(text: str, kind: str, head: int) -> Cross:
    translator, asks, looked_at = KINDS[kind]
    sentence = translator.read_typed(text, "text")
    trace = translator.run(translator.ids(sentence.words))
    is_seq2seq = kind.startswith("seq2seq")
    inputs = seq2seq_inputs(kind, trace) if is_seq2seq else transformer_inputs(kind, trace, head - 1)
    rows = (inputs.X_Q, inputs.X, inputs.X)
    Q, K, V = (affine(each, *W) for each, W in zip(rows, inputs.W, strict=True))
    tap = attend(Q, K, V, scale=inputs.scale)
    source, output = sentence.shown, translator.task.target.tokens(trace.output)
    return Cross(
        kind=kind,
        model=translator.name,
        asks=asks,
        looked_at=looked_at,
        head=None if is_seq2seq else head,
        queries=source if kind.startswith("self") else output,
        keys=source,
        Q=Q.numpy(),
        K=K.numpy(),
        V=V.numpy(),
        weights=tap.last("weights").numpy(),
        own_weights=inputs.weights.numpy(),
        weights_difference=max_difference(tap.last("weights"), inputs.weights),
        contexts_difference=max_difference(tap.last("Y"), inputs.contexts),
    )
