"""Several attentions side by side, and how many numbers there are to learn. Counted on real modules."""

import random
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import TRANSLATION, english, load_model, read_source
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from models import zoo
from models.multihead import MultiHeadAttention
from models.rnn import GRU
from models.trace import Tap

LAYERS = ("fresh", "trained (4 heads, d = 64)")
LONGEST = 64  # words, in counts against T
MOST_HEADS = 8
MOST = 24  # words, where eight maps stand side by side


@memoize
def fresh(d: int, heads: int, seed: int = 0) -> MultiHeadAttention:
    with zoo.BUILDING, torch.inference_mode(False), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return MultiHeadAttention(d, heads).requires_grad_(False)


def learned(layer: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in layer.parameters())


# ---- heads ----


@dataclass(frozen=True)
class Heads(Result):
    trained: bool
    heads: int
    d: int
    words: tuple[str, ...]
    weights: np.ndarray  # (heads, T, T)
    joined: np.ndarray  # (T, d) what the heads bring, side by side
    W_O: np.ndarray  # (d, d)
    out: np.ndarray  # (T, d) joined · W_O + b_O
    parameters: int  # of the layer
    maps: int  # weights in all maps: heads · T²

    def idle(self) -> dict[str, str]:
        if not self.trained:
            return {}
        return {
            "heads": f"The trained layer has {self.heads}.",
            "d": f"It has {self.d}.",
            "seed": "Nothing is drawn by chance.",
        }


def heads(text: str, layer: str, heads: str, d: str, seed: int) -> Heads:
    """So many heads share the d numbers of each word. A trained layer has its own sizes."""
    words = english(read_source(text, "text"))
    if len(words) > MOST:
        raise InputError(
            f"That is {len(words)} words. Use at most {MOST} here: each head draws a map of all pairs.",
            "text",
        )
    trained = layer != LAYERS[0]
    attention, x = trained_layer(words) if trained else fresh_layer(words, int(d), int(heads), seed)
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
        parameters=learned(attention),
        maps=weights.numel(),
    )


def trained_layer(words: tuple[str, ...]) -> tuple[MultiHeadAttention, Tensor]:
    """The first layer of the trained Transformer's encoder, and what it reads."""
    encoder = load_model("translation-transformer-s0").encoder
    layer = encoder.layers[0]
    return layer.self_attention, layer.norms[0](encoder.embed(torch.tensor(TRANSLATION.source.ids(words))))


def fresh_layer(words: tuple[str, ...], d: int, heads: int, seed: int) -> tuple[MultiHeadAttention, Tensor]:
    """Weights by chance, and a vector by chance for every word of the vocabulary."""
    table = torch.randn(len(TRANSLATION.source), d, generator=torch.Generator().manual_seed(seed))
    return fresh(d, heads, seed), table[TRANSLATION.source.ids(words)]


# ---- parameters ----


@dataclass(frozen=True)
class Task:
    """An exercise: how many numbers do W_Q, W_K and W_V hold together?"""

    number: int
    d: int
    T: int

    @property
    def answer(self) -> int:
        return sum(getattr(fresh(self.d, 1), f"W_{name}").numel() for name in "qkv")


def task(number: int) -> Task:
    """Task 0 is d = 10, T = 4; the others are drawn, the same for the same number."""
    chance = random.Random(f"parameters {number}")
    return Task(number, chance.randint(3, 30), chance.randint(2, 60)) if number else Task(0, 10, 4)


@dataclass(frozen=True)
class Parameters(Result):
    d: int
    T: int
    heads: int  # as many of those asked for as can share d equally
    asked: int
    matrices: tuple[str, ...]
    learned: np.ndarray  # (matrices,) numbers in each
    biases: int
    products: tuple[str, ...]
    computed: np.ndarray  # (products,) numbers in each, for T words
    recurrent: int  # numbers a GRU of the same width learns
    task: Task


def parameters(d: int, T: int, heads: int, number: int) -> Parameters:
    """Counts from the modules themselves, and from one run over T words."""
    sharing = max(h for h in range(1, heads + 1) if d % h == 0)
    layer, tap = fresh(d, sharing), Tap()
    layer(torch.zeros(T, d), torch.zeros(T, d), tap=tap)
    with zoo.BUILDING, torch.random.fork_rng(devices=[]):
        recurrent = learned(GRU(d, d))
    products = {"Q": "q", "K": "k", "V": "v", "E": "scores", "A": "weights", "Y": "out"}
    return Parameters(
        d=d,
        T=T,
        heads=sharing,
        asked=heads,
        matrices=tuple(f"W_{name.upper()}" for name in "qkvo"),
        learned=np.array([getattr(layer, f"W_{name}").numel() for name in "qkvo"]),
        biases=sum(getattr(layer, f"b_{name}").numel() for name in "qkvo"),
        products=tuple(products),
        computed=np.array([tap.last(name).numel() for name in products.values()]),
        recurrent=recurrent,
        task=task(number),
    )
