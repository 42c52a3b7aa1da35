"""Self-attention on the same words in two orders, with and without positions."""

import random
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import Tokens
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.qkv.translator import TRANSFORMER
from lessons.qkv.word_order import reorder
from models.blocks import positions as positional_encoding
from models.trace import Tap

ORDERS = ("original", "two words swapped", "reversed", "shuffled")
ENCODED_PLACES = 24  # rows of the positional encoding that are drawn


def new_places(order: str, T: int, seed: int) -> tuple[int, ...]:
    """Index of the word now at each position."""
    places = reorder(order, T, (min(1, T - 1), max(T - 2, 0)))  # never swap the full stop
    if order == "shuffled":
        random.Random(f"order {seed}").shuffle(places)
    return tuple(places)


@memoize
def run_self_attention(source: Tokens, positions: bool) -> tuple[Tensor, Tensor]:
    """Y (T, d) and weights (heads, T, T) of the trained Transformer's first self-attention."""
    encoder, tap = TRANSFORMER.model.encoder, Tap()
    embedding_tap = Tap() if positions else Tap({"positions": lambda P, _: 0 * P})
    x = encoder.embed(torch.tensor(source), tap=embedding_tap)  # (T, d)
    layer = encoder.layers[0]
    x = layer.norms[0](x)
    return layer.self_attention(x, x, tap=tap), tap.last("weights")


@dataclass(frozen=True)
class Order(Result):
    order: str
    positions: bool
    words: tuple[str, ...]
    places: tuple[int, ...]  # (T,) index of the word now at each position
    moved: np.ndarray  # (2, T) largest change in each word's output, by new place: without, with positions
    size: float  # mean absolute value of the outputs
    weights: np.ndarray  # (2, T, T) weights of head 1: original order, new order
    encoding: np.ndarray  # (ENCODED_PLACES, d)
    pair: int  # which sine–cosine pair is drawn, 1-based

    def idle(self) -> dict[str, str]:
        return {} if self.order == "shuffled" else {"seed": "Only a shuffled order depends on the seed."}


def compute(text: str, order: str, seed: int, positions: bool, pair: int) -> Order:
    """Compare each word's output in the new order with its output in the original order."""
    sentence = TRANSFORMER.read_typed(text, "text")
    source = TRANSFORMER.ids(sentence.words)
    places = new_places(order, len(source), seed)
    reordered = tuple(source[index] for index in places)
    moved = []
    for with_positions in (False, True):
        Y, new_Y = (run_self_attention(each, with_positions)[0] for each in (source, reordered))
        moved.append((new_Y - Y[list(places)]).abs().amax(-1).numpy())
    (Y, weights), (_, new_weights) = (run_self_attention(each, positions) for each in (source, reordered))
    return Order(
        order=order,
        positions=positions,
        words=sentence.shown,
        places=places,
        moved=np.stack(moved),
        size=Y.abs().mean().item(),
        weights=torch.stack([weights[0], new_weights[0]]).numpy(),
        encoding=positional_encoding(ENCODED_PLACES, Y.shape[1]).numpy(),
        pair=pair,
    )
