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
    first_numbers: np.ndarray  # (T,) the first number of each word's input

    @property
    def neighbour_difference(self) -> np.ndarray:
        """(T − 2,) for each word with two neighbours: number of the word before − that of the word after."""
        return self.first_numbers[:-2] - self.first_numbers[2:]

    @property
    def one_head_attempt(self) -> np.ndarray:
        """(T − 2,) the best approximation of `neighbour_difference` by one head of fixed weights."""
        return fit_one_head(self.first_numbers)

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
        first_numbers=x[:, 0].numpy(),
    )


def attend_with_two_heads(numbers: np.ndarray) -> np.ndarray:
    """(T − 2,) outputs if head 1 attends to the word before, head 2 to the word after, and W_O is (1, −1)."""
    before, after = (np.eye(len(numbers), k=place) for place in (-1, 1))  # (T, T) attention weights
    heads = np.stack([before @ numbers, after @ numbers], 1)  # (T, 2)
    return (heads @ np.array([1.0, -1.0]))[1:-1]


def fit_one_head(numbers: np.ndarray) -> np.ndarray:
    """Fit scale · (α · number before + (1 − α) · number after) to their difference, with one α for all.

    Softmax weights are not negative, so one head gives both neighbours the same sign. Then least squares
    is best with all weight on one of them.
    """
    before, after = numbers[:-2], numbers[2:]
    target = before - after
    attempts = [one * (one @ target) / max(float(one @ one), 1e-12) for one in (before, after)]
    both = np.stack([before, after], 1)
    factors = np.linalg.lstsq(both, target, rcond=None)[0]
    if factors[0] * factors[1] >= 0:
        attempts.append(both @ factors)
    return min(attempts, key=lambda attempt: float(np.square(attempt - target).sum()))


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
