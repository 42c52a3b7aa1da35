"""A language model of attention: where it looks for a word that was said long before, and what it needs for that."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import (
    STORIES,
    Tokens,
    Words,
    load_card,
    load_model,
    most_probable,
    read_story,
    story_words,
)
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.transformer.compute.sentence import HEADS, LAYERS
from models.trace import Edits
from models.transformer_lm import TransformerLMTrace
from models.vocabulary import Vocabulary

NAMES = {"Transformer": "stories-transformer", "GRU": "stories-gru-1"}
PLACES = tuple(f"layer {layer}, head {head}" for layer in LAYERS for head in HEADS)
DEEDS = ("leave it alone", "switch it off", "look only there", "look anywhere else")
OPENED = {"”": "“", ")": "("}  # what a closing mark looks back for
STREAM = ("input", *(f"layer{layer}.out" for layer in LAYERS))  # x on its way up


@dataclass(frozen=True)
class Looking(Result):
    """What is due to the model is its likeliest next word, untouched, be it right or wrong. Its cue is where it was said before."""

    _tokens: Tokens
    layer: int
    head: int  # both from 1
    do: str
    words: Words  # (T)
    due: str
    cue: tuple[int, ...]  # places in words, from 0
    row: np.ndarray  # (T,) the weights of the chosen head at the last place; what is left goes to <bos>
    own_row: np.ndarray  # (T,) the same, untouched
    on_cue: np.ndarray  # (layers, heads) weight that goes to the cue, untouched
    chance: tuple[float, float]  # P of the word that is due: untouched, yours
    recurrent: float  # the same by the recurrent model of lesson 1
    next_words: Words  # (8)
    next_probabilities: np.ndarray  # (2, 8) untouched, yours

    @property
    def back(self) -> int:
        """How many words ago it was said last."""
        return len(self.words) - self.cue[-1]

    @property
    def kind(self) -> str | None:
        """What kind of dependency ends in such a word, if any does."""
        return next((kind for kind, words in STORIES.choices.items() if self.due in words), None)

    @property
    def counted(self) -> str:
        """The kind whose figures are shown: things, where the word is of no kind."""
        return self.kind or "object"

    @cached_property
    def without(self) -> np.ndarray:
        """(layers, heads) P of the word that is due when each head alone is off."""
        due = STORIES.vocabulary.ids([self.due])[0]
        shape = len(LAYERS), len(HEADS)
        off = [
            chances(self._tokens, layer + 1, head + 1, DEEDS[1], ())[due] for layer, head in np.ndindex(shape)
        ]
        return np.array(off).reshape(shape)

    @cached_property
    def early(self) -> tuple[tuple[Words, np.ndarray, float], ...]:
        """At each place of the stream: the likeliest words, their P, and P of the word that is due."""
        model, trace = load_model(NAMES["Transformer"]), untouched(self._tokens)
        due, found = STORIES.vocabulary.ids([self.due])[0], []
        for name in STREAM:
            P = model.early(trace.values[name][-1]).softmax(-1)
            best = most_probable(P, shown=3)
            found.append((story_words(best), P[best].numpy(), float(P[due])))
        return tuple(found)

    @cached_property
    def memory(self) -> dict[str, list[dict[str, Any]]]:
        """Both models on held-out documents, by distance to the cue, from their cards: of the kind of the word that is due."""
        return {name: load_card(place).metrics["memory"][self.counted] for name, place in NAMES.items()}

    @cached_property
    def by_luck(self) -> float:
        return load_card(NAMES["GRU"]).metrics["chance"][self.counted]


def lm(text: str, head: str, do: str) -> Looking:
    tokens = read_story(text)
    layer, number = divmod(PLACES.index(head), len(HEADS))
    plain = untouched(tokens)
    due, words = int(plain.logits[-1].argmax()), story_words(tokens)
    cue = cue_of(story_words([due])[0], words)
    yours = changed(tokens, layer + 1, number + 1, do, cue)
    P, Q = plain.probabilities[-1], yours.probabilities[-1]
    best = most_probable(P, Q)
    last = plain.weights[:, :, -1, 1:]  # (layers, heads, T) from the last place, without <bos>
    return Looking(
        _tokens=tokens,
        layer=layer + 1,
        head=number + 1,
        do=do,
        words=words,
        due=story_words([due])[0],
        cue=cue,
        row=yours.weights[layer, number, -1, 1:].numpy(),
        own_row=last[layer, number].numpy(),
        on_cue=last[:, :, list(cue)].sum(-1).numpy(),
        chance=(float(P[due]), float(Q[due])),
        recurrent=float(recurrent(tokens)[due]),
        next_words=story_words(best),
        next_probabilities=torch.stack([P, Q])[:, best].numpy(),
    )


def cue_of(due: str, words: Words) -> tuple[int, ...]:
    """Where the word stands already; for a closing mark, the mark that is still open."""
    if due in OPENED:
        opened = [i for i, word in enumerate(words) if word == OPENED[due]]
        return tuple(opened[-1:])
    return tuple(i for i, word in enumerate(words) if word == due)


def edits_of(layer: int, head: int, do: str, cue: tuple[int, ...]) -> Edits:
    """One head off everywhere; or its look at the last place moved to the cue, or away from it."""

    def off(heads: Tensor, step: int) -> Tensor:
        return heads * (torch.arange(len(heads)) != head - 1)[:, None, None]  # (heads, T, d_head)

    def moved(weights: Tensor, step: int) -> Tensor:
        there = torch.zeros(weights.shape[-1])
        there[[place + 1 for place in cue]] = 1  # <bos> stands first
        row = weights[head - 1, -1] * (1 - there) if do == DEEDS[3] else there
        weights = weights.clone()
        weights[head - 1, -1] = row / row.sum()
        return weights

    if do == DEEDS[1]:
        return {f"layer{layer}.self.heads": off}
    return {f"layer{layer}.self.weights": moved} if do != DEEDS[0] and cue else {}


@memoize
def untouched(tokens: Tokens) -> TransformerLMTrace:
    with torch.inference_mode():
        return load_model(NAMES["Transformer"]).run(tokens)


@memoize
def changed(tokens: Tokens, layer: int, head: int, do: str, cue: tuple[int, ...]) -> TransformerLMTrace:
    edits = edits_of(layer, head, do, cue)
    with torch.inference_mode():
        return load_model(NAMES["Transformer"]).run(tokens, edits) if edits else untouched(tokens)


def chances(tokens: Tokens, layer: int, head: int, do: str, cue: tuple[int, ...]) -> Tensor:
    """P of every word that could follow (V,)."""
    return changed(tokens, layer, head, do, cue).probabilities[-1]


@memoize
def recurrent(tokens: Tokens) -> Tensor:
    with torch.inference_mode():
        return load_model(NAMES["GRU"])(torch.tensor([[Vocabulary.bos, *tokens]]))[0, -1].softmax(-1)
