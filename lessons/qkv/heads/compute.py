"""Multi-head attention over one sentence, with random or trained weights."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import Tokens
from lessons.kit.contract import Result
from lessons.kit.notices import add_notice
from lessons.qkv.translator import TRANSFORMER
from lessons.qkv.untrained_layer import count_parameters, untrained_attention
from models.multihead import MultiHeadAttention
from models.trace import Tap

LAYERS = ("untrained", "trained (4 heads, d = 64)")
MAX_WORDS = 24  # maximum length at which eight maps fit side by side


@dataclass(frozen=True)
class Heads(Result):
    trained: bool
    heads: int
    d: int
    words: tuple[str, ...]
    weights: np.ndarray  # (heads, T, T)
    joined: np.ndarray  # (T, d) concatenated outputs of the heads
    W_O: np.ndarray  # (d, d)
    out: np.ndarray  # (T, d) joined · W_O + b_O
    parameters: int  # number of parameters of the layer
    maps: int  # number of weights in all maps: heads · T²

    def idle(self) -> dict[str, str]:
        if not self.trained:
            return {}
        return {
            "heads": f"The trained layer has {self.heads} heads.",
            "d": f"The trained layer has {self.d} numbers per word.",
            "seed": "A trained layer has no random numbers.",
        }


def compute(text: str, layer: str, heads: str, d: str, seed: int) -> Heads:
    sentence = TRANSFORMER.read_typed(text, "text")
    source = TRANSFORMER.ids(sentence.words)[:MAX_WORDS]
    if len(sentence.words) > MAX_WORDS:
        add_notice("text", f"Only the first {MAX_WORDS} words are used: each head draws a map of all pairs.")
    trained = layer != LAYERS[0]
    attention, x = trained_layer(source) if trained else untrained_layer(source, int(d), int(heads), seed)
    tap = Tap()
    attention(x, x, tap=tap)
    weights = tap.last("weights")
    return Heads(
        trained=trained,
        heads=attention.heads,
        d=x.shape[1],
        words=sentence.shown[:MAX_WORDS],
        weights=weights.numpy(),
        joined=attention.join_heads(tap.last("heads")).numpy(),
        W_O=attention.W_o.numpy(),
        out=tap.last("out").numpy(),
        parameters=count_parameters(attention),
        maps=weights.numel(),
    )


def trained_layer(source: Tokens) -> tuple[MultiHeadAttention, Tensor]:
    """The first self-attention of the trained Transformer's encoder, and its input (T, d)."""
    encoder = TRANSFORMER.model.encoder
    layer = encoder.layers[0]
    return layer.self_attention, layer.norms[0](encoder.embed(torch.tensor(source)))


def untrained_layer(source: Tokens, d: int, heads: int, seed: int) -> tuple[MultiHeadAttention, Tensor]:
    """A layer with random weights, and a random vector (T, d) for each word of the sentence."""
    generator = torch.Generator().manual_seed(seed)
    embeddings = torch.randn(len(TRANSFORMER.task.source), d, generator=generator)
    return untrained_attention(d, heads, seed), embeddings[list(source)]
