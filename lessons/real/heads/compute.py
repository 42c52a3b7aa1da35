"""All attention heads of a real model: where they look, and how the next token changes without one."""

import random
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.real.pretrained_model import (
    Tokens,
    Words,
    clamp,
    encode,
    model,
    most_probable,
    pieces,
    read,
    read_edited,
    run_up,
)
from lessons.real.recordings import recorded
from models.trace import Edit

PIECES_SHOWN = 8
MAX_SINK_SHARE = 0.5  # a head counts as a sink if it gives more than this weight to the first token
REPEATED_PIECES = 12
ROWS_AT_ONCE = 32  # rows of logits at once; each has 49,152 numbers
MAX_GROUPS = 8  # rows and columns of a small map
COPYING_HEADS = 5  # number of heads that are switched off together
CHANGES = ("nothing", "switch this head off", "give all weight to one piece")


@dataclass(frozen=True)
class Heads(Result):
    words: Words
    layer: int  # 1-based
    head: int
    weights: np.ndarray  # (T, T) weights of the chosen head
    sinks: np.ndarray  # (layers, heads) mean weight on the first token, over all later positions
    previous: np.ndarray  # (layers, heads) mean weight on the previous token
    candidates: Words
    before: np.ndarray  # (candidates,)
    after: np.ndarray  # (candidates,)
    change: str
    piece: int  # 1-based position of the token that gets all the weight
    on_piece: np.ndarray  # (heads,) in this layer: weight from the last position to that token
    without: float  # change in P of the best token when this head is off
    best: str
    first_weights: np.ndarray  # (layers, heads) weight of the last position on the first token
    _tokens: Tokens
    _best: int  # id of the best token
    _small_maps: np.ndarray  # (layers, heads, n, n) all maps, positions in at most MAX_GROUPS groups

    @cached_property
    def effects(self) -> np.ndarray:
        """Change in P(best) when each head (heads,) of this layer is switched off."""
        after = without_each_head(self._tokens, self.layer)[:, self._best]
        return (after - read(self._tokens).probabilities[self._best]).numpy()

    @cached_property
    def last_effects(self) -> np.ndarray:
        """Change in P(best) when each head (layers, heads) is switched off at the last position."""
        return effects_at_last_position(self._tokens, self._best)

    @cached_property
    def repeated(self) -> Words:
        """Random tokens, repeated once."""
        return induction()["repeated"]

    @cached_property
    def copying(self) -> np.ndarray:
        """Mean weight on the token that followed before: (layers, heads)."""
        return induction()["copying"]

    @cached_property
    def copying_heads(self) -> tuple[tuple[int, int], ...]:
        """The best copying heads (layer, head), 1-based, best first."""
        return induction()["copying_heads"]

    @cached_property
    def repeated_p(self) -> np.ndarray:
        """P of each repeated token except the first (T − 1,)."""
        return induction()["repeated_p"]

    @cached_property
    def repeated_p_without(self) -> np.ndarray:
        """P of each repeated token except the first (T − 1,), with the best copying heads switched off."""
        return induction()["repeated_p_without"]

    def limits(self) -> dict[str, int]:
        return {"piece": len(self.words)}

    def idle(self) -> dict[str, str]:
        used = "Used by “give all weight to one piece” and by the closer look at one layer."
        return {} if self.change == CHANGES[2] else {"piece": used}


def mean_weight_on_first(weights: Tensor) -> Tensor:
    """Mean weight on the first token, over all later positions: (layers, heads, T, T) → (layers, heads)."""
    return weights[:, :, 1:, 0].mean(-1) if weights.shape[-1] > 1 else weights[:, :, 0, 0]


def mean_weight_on_previous(weights: Tensor) -> Tensor:
    """Mean weight on the previous token: (layers, heads, T, T) → (layers, heads)."""
    return weights.diagonal(-1, -2, -1).mean(-1) if weights.shape[-1] > 1 else torch.zeros(weights.shape[:2])


def group_positions(weights: np.ndarray) -> np.ndarray:
    """Maps (…, T, T) with positions in at most MAX_GROUPS groups: mean over queries, sum over keys."""
    length = weights.shape[-1]
    starts = [part[0] for part in np.array_split(np.arange(length), min(MAX_GROUPS, length))]
    sizes = np.diff([*starts, length])
    summed = np.add.reduceat(np.add.reduceat(weights, starts, axis=-1), starts, axis=-2)
    return summed / sizes[:, None]


def switch_off(head: int) -> Edit:
    """An edit that sets the output of one head (heads, T, d_head) to zero (zero ablation)."""

    def edit(heads: Tensor, step: int) -> Tensor:
        heads[head] = 0
        return heads

    return edit


def look_at(head: int, piece: int) -> Edit:
    """An edit that gives all weight of one head (heads, T, T) at the last position to one token."""

    def edit(weights: Tensor, step: int) -> Tensor:
        weights[head, -1] = 0
        weights[head, -1, piece] = 1
        return weights

    return edit


def without_each_head(tokens: Tokens, layer: int) -> Tensor:
    """P of the next token (heads, V), with each head of a layer switched off in turn, in one batch."""
    heads, reading = model().config.heads, read(tokens)

    def begin(n: int) -> Tensor | None:
        return reading.stream[n].expand(heads, -1, -1) if n == layer - 1 else None

    def off(outputs: Tensor, step: int) -> Tensor:  # (heads, heads, T, d_head): head n is off in run n
        outputs[range(heads), range(heads)] = 0
        return outputs

    x = run_up(reading, 0, begin, {layer: {"self.heads": off}})
    with torch.inference_mode():
        return model().logit_lens(x[:, -1]).double().softmax(-1)


@memoize
def effects_at_last_position(tokens: Tokens, best: int) -> np.ndarray:
    """Change in P of one token when each head (layers, heads) is switched off at the last position.

    Earlier positions do not change, so their keys and values are reused, and all runs go up together: at each
    layer, one run per head joins the runs that began below.
    """
    lm, reading, last = model(), read(tokens), len(tokens) - 1
    layers, heads = lm.config.layers, lm.config.heads

    def begin(n: int) -> Tensor | None:
        return reading.stream[n, -1:].expand(heads, 1, -1) if n < layers else None

    def off(outputs: Tensor, step: int) -> Tensor:  # (runs, heads, 1, d_head): the newest runs, one head each
        outputs[range(len(outputs) - heads, len(outputs)), range(heads)] = 0
        return outputs

    x = run_up(reading, last, begin, {n: {"self.heads": off} for n in range(1, layers + 1)})
    with torch.inference_mode():
        p = torch.cat([lm.logit_lens(some[:, 0]).log_softmax(-1)[:, best] for some in x.split(ROWS_AT_ONCE)])
    after = p.double().exp().reshape(layers, heads)
    return (after - reading.probabilities[best]).numpy()


@recorded("heads", Heads, "text")
def compute(text: str, layer: int, head: int, change: str, piece: int) -> Heads:
    tokens, c = encode(text), model().config
    layer, head = clamp("layer", layer, c.layers), clamp("head", head, c.heads)
    found = read(tokens)
    place = min(piece, len(tokens)) - 1
    before = found.probabilities
    after = before
    without = read_edited(tokens, layer, {"self.heads": switch_off(head - 1)}).double().softmax(-1)
    if change == CHANGES[1]:
        after = without
    if change == CHANGES[2]:
        edits = {"self.weights": look_at(head - 1, place)}
        after = read_edited(tokens, layer, edits).double().softmax(-1)
    best = int(before.argmax())
    shown = list(dict.fromkeys([*most_probable(before, 5), *most_probable(after, 5)]))[:PIECES_SHOWN]
    return Heads(
        words=pieces(tokens),
        layer=layer,
        head=head,
        weights=found.weights[layer - 1, head - 1].numpy(),
        sinks=mean_weight_on_first(found.weights).numpy(),
        previous=mean_weight_on_previous(found.weights).numpy(),
        candidates=pieces(shown),
        before=before[shown].numpy(),
        after=after[shown].numpy(),
        change=change,
        piece=place + 1,
        on_piece=found.weights[layer - 1, :, -1, place].numpy(),
        without=float(without[best] - before[best]),
        best=pieces([best])[0],
        first_weights=found.weights[:, :, -1, 0].numpy(),
        _tokens=tokens,
        _best=best,
        _small_maps=group_positions(found.weights.numpy()).round(2),
    )


# ---- induction: random tokens, repeated once ----


@cache
def induction() -> dict[str, Any]:
    """Find copying heads with random tokens, which can be predicted only when they are repeated."""
    rng = random.Random(0)
    once = [rng.randrange(1000, model().config.words) for _ in range(REPEATED_PIECES)]
    tokens = tuple(once * 2)
    T = REPEATED_PIECES
    weights = read(tokens).weights
    scores = torch.stack([weights[:, :, T + i, i + 1] for i in range(T - 1)]).mean(0)  # (layers, heads)
    order = scores.flatten().topk(COPYING_HEADS).indices.tolist()
    best = tuple((n // scores.shape[1] + 1, n % scores.shape[1] + 1) for n in order)
    by_layer: dict[int, list[int]] = {}
    for layer, head in best:
        by_layer.setdefault(layer, []).append(head - 1)

    def off(heads: list[int]) -> Edit:
        def edit(outputs: Tensor, step: int) -> Tensor:
            outputs[heads] = 0
            return outputs

        return edit

    edits = {f"layer{layer}.self.heads": off(heads) for layer, heads in by_layer.items()}
    with read.lock, torch.inference_mode():
        logits = [model().run(tokens, given).logits for given in ({}, edits)]
    following = torch.tensor(tokens[1:])
    known, without = (
        z[:-1].double().softmax(-1).gather(-1, following[:, None])[:, 0].numpy() for z in logits
    )
    return {
        "repeated": pieces(tokens),
        "copying": scores.numpy(),
        "repeated_p": known,
        "repeated_p_without": without,
        "copying_heads": best,
    }
