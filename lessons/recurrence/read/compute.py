"""A trained language model reads a text: one unit's memory, the next words, and the surprisal."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import Words, most_probable, read_shown_story, story_words
from lessons.kit.contract import Result
from lessons.recurrence.story_models import (
    FEATURES,
    Follower,
    best_followers,
    correlations,
    memory_quantity,
    next_word_of_text,
    run_original,
    unit_at_rank,
)


@dataclass(frozen=True)
class StoryReading(Result):
    """Results of reading a text in T steps; the first step reads <bos>."""

    cell: str
    t: int
    feature: str
    rank: int
    units: tuple[int, ...]  # the unit of the chosen rank in each layer, from 1
    correlations: np.ndarray  # (layers,) correlation of these units with the feature
    memory: np.ndarray  # (layers, T) of these units: h, or the cell state of an LSTM
    words: Words  # (T) with <bos>
    h: np.ndarray  # (layers, T, m)
    followers: tuple[Follower, ...]
    next_words: Words  # (8) most probable words after step t
    probabilities: np.ndarray  # (8,)
    true_next: str | None  # the word that comes next in the text
    true_probability: float
    surprise: np.ndarray  # (T − 1,) −log₂ P of every word after <bos>

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}


def compute(text: str, cell: str, layers: str, feature: str, rank: int, t: int) -> StoryReading:
    (tokens, words), depth = read_shown_story(text), int(layers)
    t = min(t, len(tokens) + 1)
    trace = run_original(cell, depth, tokens)
    units = tuple(unit_at_rank(rank, cell, depth, layer, feature) for layer in range(1, depth + 1))
    memories = [trace.values[memory_quantity(cell, layer)] for layer in range(1, depth + 1)]  # (T, m) each
    table = correlations(cell, depth)[list(FEATURES).index(feature)]  # (layers, m)
    distribution = trace.probabilities[t - 1]  # (V,)
    best = most_probable(distribution)
    true_probabilities = trace.probabilities[range(len(tokens)), list(tokens)]  # (T − 1,)
    return StoryReading(
        cell=cell,
        t=t,
        feature=feature,
        rank=rank,
        units=tuple(unit + 1 for unit in units),
        correlations=table[range(depth), units],
        memory=np.stack([memory[:, unit].numpy() for memory, unit in zip(memories, units, strict=True)]),
        words=words,
        h=trace.h.numpy(),
        followers=best_followers(cell, depth),
        next_words=story_words(best),
        probabilities=distribution[best].numpy(),
        true_next=next_word_of_text(words, t),
        true_probability=float(true_probabilities[t - 1]) if t <= len(tokens) else 0.0,
        surprise=-torch.log2(true_probabilities).numpy(),
    )
