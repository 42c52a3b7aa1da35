"""Blend the answers of four experts by softmax weights, or take only the best match."""

from dataclasses import dataclass

import numpy as np
import torch

from lessons.kit.contract import Result, Rows

ANSWERS = {  # answers to “How do we connect two distant places?”; two experts share some words
    "engineer": ("raise", "pillars", "hang", "cable"),
    "biologist": ("grow", "nerve", "send", "signal"),
    "mathematician": ("draw", "map", "find", "path"),
    "programmer": ("lay", "cable", "send", "signal"),
}
WORDS = tuple(dict.fromkeys(word for words in ANSWERS.values() for word in words))
MATCH: Rows = ((4.0,), (1.0,), (2.0,), (1.5,))  # matches at the start


def raise_matches(by: float) -> Rows:
    """Add the same amount to every starting match."""
    return tuple((match + by,) for (match,) in MATCH)


@dataclass(frozen=True)
class Advice(Result):
    experts: tuple[str, ...]
    match: np.ndarray  # (experts,) how well each field fits the question
    weights: np.ndarray  # (experts,) softmax of the match, or all weight on the best
    words: tuple[str, ...]
    said: np.ndarray  # (experts, words) 1 where an expert says a word
    blend: np.ndarray  # (words,) weighted sum of the experts' answers
    hard: bool


def compute(match: Rows, hard: bool) -> Advice:
    """Weight each expert's answer by the softmax of the matches; if `hard`, use only the best match."""
    scores = torch.tensor(match, dtype=torch.float64)[:, 0]  # (experts,)
    is_best = (scores == scores.max()).double()
    weights = is_best / is_best.sum() if hard else torch.softmax(scores, -1)
    said = torch.tensor([[float(word in words) for word in WORDS] for words in ANSWERS.values()]).double()
    return Advice(
        tuple(ANSWERS), scores.numpy(), weights.numpy(), WORDS, said.numpy(), (weights @ said).numpy(), hard
    )
