"""A Transformer language model: where it looks for a word mentioned earlier, and which heads it needs."""

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
    read_shown_story,
    story_words,
)
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.transformer.translator import HEADS, LAYERS
from models.trace import Edits
from models.transformer_lm import TransformerLMTrace
from models.vocabulary import Vocabulary

MODELS = {"Transformer": "stories-transformer", "GRU": "stories-gru-1"}
HEAD_NAMES = tuple(f"layer {layer}, head {head}" for layer in LAYERS for head in HEADS)
INTERVENTIONS = (
    "no change",
    "switch it off",
    "all weight on the outlined word",
    "no weight on the outlined word",
)
KEEP, SWITCH_OFF, LOOK_AT_CUE, LOOK_AWAY = INTERVENTIONS
OPENING_MARKS = {"”": "“", ")": "("}  # closing mark → the matching opening mark, which is its cue
RESIDUAL_STREAM = ("input", *(f"layer{layer}.out" for layer in LAYERS))


@dataclass(frozen=True)
class StoryRun(Result):
    """One run. The expected word is the original model's likeliest next word; cues are earlier mentions."""

    _tokens: Tokens
    layer: int
    head: int  # layer and head are 1-based
    do: str
    words: Words  # (T)
    due: str  # the expected word
    cue: tuple[int, ...]  # positions of the cue in `words`, 0-based
    row: np.ndarray  # (T,) weights of the chosen head at the last position; the remaining weight is on <bos>
    own_row: np.ndarray  # (T,) weights of the same head in the original run
    on_cue: np.ndarray  # (layers, heads) weight on the cue in the original run
    chance: tuple[float, float]  # P of the expected word: original, edited
    recurrent: float  # P of the expected word in the recurrent model of lesson 1
    next_words: Words  # (8)
    next_probabilities: np.ndarray  # (2, 8) original, edited

    @property
    def back(self) -> int:
        """Distance in words from the last cue."""
        return len(self.words) - self.cue[-1]

    @property
    def kind(self) -> str | None:
        """The kind of dependency that the expected word belongs to, if any."""
        return next((kind for kind, words in STORIES.choices.items() if self.due in words), None)

    @property
    def counted(self) -> str:
        """The kind of dependency whose figures are shown; "object" if the expected word has no kind."""
        return self.kind or "object"

    @cached_property
    def without(self) -> np.ndarray:
        """P of the expected word with each head switched off in turn: (layers, heads)."""
        due = STORIES.vocabulary.ids([self.due])[0]
        shape = len(LAYERS), len(HEADS)
        probabilities = [
            edited_trace(self._tokens, layer + 1, head + 1, SWITCH_OFF, ()).probabilities[-1][due]
            for layer, head in np.ndindex(shape)
        ]
        return np.array(probabilities).reshape(shape)

    @cached_property
    def early(self) -> tuple[tuple[Words, np.ndarray, float], ...]:
        """Logit lens along the residual stream: the likeliest words, their P, and P of the expected word."""
        model, trace = load_model(MODELS["Transformer"]), original_trace(self._tokens)
        due, predictions = STORIES.vocabulary.ids([self.due])[0], []
        for path in RESIDUAL_STREAM:
            P = model.logit_lens(trace.values[path][-1]).softmax(-1)
            best = most_probable(P, shown=3)
            predictions.append((story_words(best), P[best].numpy(), float(P[due])))
        return tuple(predictions)

    @cached_property
    def memory(self) -> dict[str, list[dict[str, Any]]]:
        """Accuracy of both models on held-out documents by distance to the cue, from their cards."""
        return {name: load_card(model).metrics["memory"][self.counted] for name, model in MODELS.items()}

    @cached_property
    def by_luck(self) -> float:
        return load_card(MODELS["GRU"]).metrics["chance"][self.counted]


def lm(text: str, head: str, do: str) -> StoryRun:
    tokens, (_, *shown) = read_shown_story(text)
    layer, number = divmod(HEAD_NAMES.index(head), len(HEADS))
    original = original_trace(tokens)
    due, words = int(original.logits[-1].argmax()), story_words(tokens)
    cue = find_cue(story_words([due])[0], words)
    edited = edited_trace(tokens, layer + 1, number + 1, do, cue)
    P, Q = original.probabilities[-1], edited.probabilities[-1]
    best = most_probable(P, Q)
    last_row = original.weights[:, :, -1, 1:]  # (layers, heads, T) without <bos>
    return StoryRun(
        _tokens=tokens,
        layer=layer + 1,
        head=number + 1,
        do=do,
        words=tuple(shown),
        due=story_words([due])[0],
        cue=cue,
        row=edited.weights[layer, number, -1, 1:].numpy(),
        own_row=last_row[layer, number].numpy(),
        on_cue=last_row[:, :, list(cue)].sum(-1).numpy(),
        chance=(float(P[due]), float(Q[due])),
        recurrent=float(gru_probabilities(tokens)[due]),
        next_words=story_words(best),
        next_probabilities=torch.stack([P, Q])[:, best].numpy(),
    )


def find_cue(due: str, words: Words) -> tuple[int, ...]:
    """Positions of earlier occurrences of the word; for a closing mark, the last opening mark."""
    if due in OPENING_MARKS:
        return tuple(i for i, word in enumerate(words) if word == OPENING_MARKS[due])[-1:]
    return tuple(i for i, word in enumerate(words) if word == due)


def head_edits(layer: int, head: int, do: str, cue: tuple[int, ...]) -> Edits:
    """Edits that switch one head off, or move its weights at the last position to or away from the cue."""

    def switch_off(heads: Tensor, step: int) -> Tensor:
        return heads * (torch.arange(len(heads)) != head - 1)[:, None, None]  # (heads, T, d_head)

    def move_weights(weights: Tensor, step: int) -> Tensor:
        on_cue = torch.zeros(weights.shape[-1])
        on_cue[[position + 1 for position in cue]] = 1  # positions are shifted by 1 for <bos>
        row = weights[head - 1, -1] * (1 - on_cue) if do == LOOK_AWAY else on_cue
        weights = weights.clone()
        weights[head - 1, -1] = row / row.sum()
        return weights

    if do == SWITCH_OFF:
        return {f"layer{layer}.self.heads": switch_off}
    return {f"layer{layer}.self.weights": move_weights} if do != KEEP and cue else {}


@memoize
def original_trace(tokens: Tokens) -> TransformerLMTrace:
    with torch.inference_mode():
        return load_model(MODELS["Transformer"]).run(tokens)


@memoize
def edited_trace(tokens: Tokens, layer: int, head: int, do: str, cue: tuple[int, ...]) -> TransformerLMTrace:
    edits = head_edits(layer, head, do, cue)
    with torch.inference_mode():
        return load_model(MODELS["Transformer"]).run(tokens, edits) if edits else original_trace(tokens)


@memoize
def gru_probabilities(tokens: Tokens) -> Tensor:
    """P of every next word (V,) in the recurrent model."""
    with torch.inference_mode():
        return load_model(MODELS["GRU"])(torch.tensor([[Vocabulary.bos, *tokens]]))[0, -1].softmax(-1)
