"""Attention sees a set. Positions tell it the order, a mask tells it the time."""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import TRANSLATION, blame_control, english, load_model, read_source
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from models.blocks import positions as position_waves
from models.tasks import BANK
from models.trace import Tap
from models.vocabulary import check, split_words
from models.word_sense import SenseTrace

# ---- order ----

ORDERS = ("as it stands", "two swapped", "reversed", "shuffled")
PLACES = 24  # drawn of the encoding


def places(order: str, T: int, seed: int) -> tuple[int, ...]:
    """Which word of the sentence stands at each place now."""
    now = list(range(T))
    if order == "reversed":
        now.reverse()
    elif order == "two swapped":  # the second and the last but one: the full stop stays
        a, b = min(1, T - 1), max(T - 2, 0)
        now[a], now[b] = b, a
    elif order == "shuffled":
        random.Random(f"order {seed}").shuffle(now)
    return tuple(now)


@memoize
def self_attended(words: tuple[str, ...], positions: bool) -> tuple[Tensor, Tensor]:
    """Y (T, d) and weights (heads, T, T): the first self-attention of the trained Transformer, with or without positions."""
    encoder, tap = load_model("translation-transformer-s0").encoder, Tap()
    off = Tap() if positions else Tap({"positions": lambda P, _: 0 * P})
    x = encoder.embed(torch.tensor(TRANSLATION.source.ids(words)), tap=off)  # (T, d)
    layer = encoder.layers[0]
    x = layer.norms[0](x)
    return layer.self_attention(x, x, tap=tap), tap.last("weights")


@dataclass(frozen=True)
class Order(Result):
    order: str
    positions: bool
    words: tuple[str, ...]
    places: tuple[int, ...]  # (T,) which word stands at each place now
    moved: (
        np.ndarray
    )  # (2, T) largest change of any number of a word's output, by new place: without and with positions
    size: float  # the typical size of an output's numbers
    weights: np.ndarray  # (2, T, T) head 1: the sentence, and yours
    encoding: np.ndarray  # (PLACES, d)
    pair: int  # which sine and cosine are drawn, 1-based

    def idle(self) -> dict[str, str]:
        return {} if self.order == "shuffled" else {"seed": "Only a shuffle is drawn by chance."}


def order(text: str, order: str, seed: int, positions: bool, pair: int) -> Order:
    """The same words in another order. Does each word's output come along, the same as before?"""
    words = english(read_source(text, "text"))
    now = places(order, len(words), seed)
    yours = tuple(words[i] for i in now)
    moved = []
    for ordered in (False, True):
        Y, there = self_attended(words, ordered)[0], self_attended(yours, ordered)[0]
        moved.append((there - Y[list(now)]).abs().amax(-1).numpy())
    (Y, weights), (_, your_weights) = self_attended(words, positions), self_attended(yours, positions)
    return Order(
        order=order,
        positions=positions,
        words=words,
        places=now,
        moved=np.stack(moved),
        size=Y.abs().mean().item(),
        weights=torch.stack([weights[0], your_weights[0]]).numpy(),
        encoding=position_waves(PLACES, Y.shape[1]).numpy(),
        pair=pair,
    )


# ---- the mask ----

READER = "bank-left-to-right-s0"  # trained with the causal mask


@memoize
def read_through(words: tuple[str, ...], masked: bool) -> SenseTrace:
    """The trained reader, with its mask or with the mask opened in every layer."""
    model = load_model(READER)
    opened = {
        f"layer{n}.self.mask": lambda mask, _: torch.ones_like(mask)
        for n in range(1, model.config.layers + 1)
    }
    return model.run(BANK.vocabulary.ids(words), 0, None if masked else opened)


def known(text: str, control: str) -> tuple[str, ...]:
    with blame_control(control):
        return check(split_words(text, BANK.vocabulary), BANK.vocabulary, BANK.most)


@dataclass(frozen=True)
class Mask(Result):
    masked: bool
    t: int  # the place changed, 1-based
    words: tuple[str, ...]
    yours: tuple[str, ...]
    weights: np.ndarray  # (T, T) head 1 of layer 1, in yours; NaN where the mask hides
    moved: np.ndarray  # (T,) largest change of any number of each output
    moved_before: float  # the largest of those before place t; exactly 0 with the mask
    layers: int

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}


def mask(text: str, t: int, word: str, masked: bool) -> Mask:
    """One word is replaced. Which outputs notice?"""
    words = known(text, "text")
    t = min(t, len(words))
    if len(new := known(word, "word")) != 1:
        raise InputError("The new word: one word, please.", "word")
    yours = (*words[: t - 1], *new, *words[t:])
    traces = [read_through(each, masked) for each in (words, yours)]
    outputs = [trace.values["norm.out"] for trace in traces]  # (T, d) each
    moved = (outputs[1] - outputs[0]).abs().amax(-1)
    hidden = traces[1].values["layer1.self.mask"] == 0
    return Mask(
        masked=masked,
        t=t,
        words=words,
        yours=yours,
        weights=traces[1].weights[0, 0].masked_fill(hidden, torch.nan).numpy(),
        moved=moved.numpy(),
        moved_before=moved[: t - 1].max().item() if t > 1 else 0.0,
        layers=len(traces[0].weights),
    )
