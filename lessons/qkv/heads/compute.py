"""Multi-head attention over one sentence, with random or trained weights."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import TRANSLATION, english, load_model, read_source
from lessons.kit.contract import InputError, Result
from lessons.qkv.untrained_layer import count_parameters, untrained_attention
from models.multihead import MultiHeadAttention
from models.trace import Tap

LAYERS = ("fresh", "trained (4 heads, d = 64)")
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
    words = english(read_source(text, "text"))
    if len(words) > MAX_WORDS:
        raise InputError(
            f"That is {len(words)} words. Use at most {MAX_WORDS} here: each head draws a map of all pairs.",
            "text",
        )
    trained = layer != LAYERS[0]
    attention, x = trained_layer(words) if trained else untrained_layer(words, int(d), int(heads), seed)
    tap = Tap()
    attention(x, x, tap=tap)
    weights = tap.last("weights")
    return Heads(
        trained=trained,
        heads=attention.heads,
        d=x.shape[1],
        words=words,
        weights=weights.numpy(),
        joined=attention.join(tap.last("heads")).numpy(),
        W_O=attention.W_o.numpy(),
        out=tap.last("out").numpy(),
        parameters=count_parameters(attention),
        maps=weights.numel(),
    )


def trained_layer(words: tuple[str, ...]) -> tuple[MultiHeadAttention, Tensor]:
    """The first self-attention of the trained Transformer's encoder, and its input (T, d)."""
    encoder = load_model("translation-transformer-s0").encoder
    layer = encoder.layers[0]
    return layer.self_attention, layer.norms[0](encoder.embed(torch.tensor(TRANSLATION.source.ids(words))))


def untrained_layer(
    words: tuple[str, ...], d: int, heads: int, seed: int
) -> tuple[MultiHeadAttention, Tensor]:
    """A layer with random weights, and a random vector (T, d) for each word of the sentence."""
    embeddings = torch.randn(len(TRANSLATION.source), d, generator=torch.Generator().manual_seed(seed))
    return untrained_attention(d, heads, seed), embeddings[TRANSLATION.source.ids(words)]
