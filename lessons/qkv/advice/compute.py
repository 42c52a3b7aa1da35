"""Blend the answers of four experts by softmax weights, or take only the best match."""

from dataclasses import dataclass

import numpy as np
import torch

from lessons.kit.contract import Result, Rows

ANSWERS = {  # to: how do we connect two distant places? Some words are said by two experts
    "engineer": ("raise", "pillars", "hang", "cable"),
    "biologist": ("grow", "nerve", "send", "signal"),
    "mathematician": ("draw", "map", "find", "path"),
    "programmer": ("lay", "cable", "send", "signal"),
}
WORDS = tuple(dict.fromkeys(word for words in ANSWERS.values() for word in words))
MATCH: Rows = ((4.0,), (1.0,), (2.0,), (1.5,))  # at the start


def raise_matches(by: float) -> Rows:
    """The matches at the start, each increased by the same amount."""
    return tuple((match + by,) for (match,) in MATCH)


@dataclass(frozen=True)
class Advice(Result):
    experts: tuple[str, ...]
    match: np.ndarray  # (experts,) how well each field fits the question
    weights: np.ndarray  # (experts,) softmax of the match, or all weight on the best
    words: tuple[str, ...]
    said: np.ndarray  # (experts, words) 1 where an expert says a word
    blend: np.ndarray  # (words,) the experts' answers, added up by weight
    hard: bool


def compute(match: Rows, hard: bool) -> Advice:
    """Weight every expert's answer by the softmax of the matches; if hard, only the best match counts."""
    scores = torch.tensor(match, dtype=torch.float64)[:, 0]  # (experts,)
    is_best = (scores == scores.max()).double()
    weights = is_best / is_best.sum() if hard else torch.softmax(scores, -1)
    said = torch.tensor([[float(word in words) for word in WORDS] for words in ANSWERS.values()]).double()
    return Advice(
        tuple(ANSWERS), scores.numpy(), weights.numpy(), WORDS, said.numpy(), (weights @ said).numpy(), hard
    )
