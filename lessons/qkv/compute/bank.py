"""A word whose sense one other word settles, before it or after it; read from the left, and from both sides."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import blame_control, load_card, load_model
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from models.tasks import BANK
from models.word_sense import SenseTrace

LEFT, TWO_SIDED = "left to right", "both sides"
SIDES = ("left", "right")
READERS = {LEFT: "bank-left-to-right-s0", TWO_SIDED: "bank-both-sides-s0"}


@dataclass(frozen=True)
class Sense(Result):
    words: tuple[str, ...]
    position: int  # of the word with two senses, 0-based
    t: int  # words read after it
    senses: tuple[str, ...]  # two
    readers: tuple[str, ...]
    unfolding: (
        np.ndarray
    )  # (readers, words after + 1, 2) P of each sense at the word, while the sentence grows
    weights: np.ndarray  # (readers, layers · heads, words read) where the word looks; NaN where it may not
    rows: tuple[str, ...]  # of the weights
    overall: dict[
        str, tuple[float, ...]
    ]  # the word that tells stands left or right of it → by reader: share right, from the cards
    counts: dict[str, int]  # test sentences of each kind

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words) - 1 - self.position}

    @property
    def word(self) -> str:
        return self.words[self.position]

    @property
    def told_before(self) -> bool:
        """Both readers know the sense at the word itself: something to its left has told it."""
        return bool((self.unfolding[:, 0].max(-1) > 0.8).all())

    @property
    def now(self) -> np.ndarray:
        """(readers, 2) after the words read so far"""
        return self.unfolding[:, self.t]


@memoize
def unfolded(reader: str, tokens: tuple[int, ...], position: int) -> np.ndarray:
    """(words after + 1, answers)"""
    return load_model(READERS[reader]).unfolding(tokens, position).numpy()


@memoize
def traced(reader: str, tokens: tuple[int, ...]) -> SenseTrace:
    return load_model(READERS[reader]).run(tokens, 0)


def looks(reader: str, tokens: tuple[int, ...], position: int) -> np.ndarray:
    """(layers · heads, words): where the word looks; NaN where the mask hides."""
    trace = traced(reader, tokens)
    hidden = trace.values["layer1.self.mask"][position] == 0  # (words,)
    return trace.weights[:, :, position].masked_fill(hidden, torch.nan).flatten(0, 1).numpy()


def row_names() -> tuple[str, ...]:
    """Of the weights, layer by layer."""
    config = load_card(READERS[TWO_SIDED]).config
    return tuple(
        f"layer {n + 1} head {h + 1}" for n in range(config["layers"]) for h in range(config["heads"])
    )


def bank(text: str, t: int) -> Sense:
    with blame_control("text"):
        words, position = BANK.read(text)
    tokens, word = tuple(BANK.vocabulary.ids(words)), words[position]
    t = min(t, len(words) - 1 - position)
    columns = [BANK.answers.index(f"{word}: {sense}") for sense in BANK.senses[word]]
    cards = [load_card(name) for name in READERS.values()]
    return Sense(
        words=words,
        position=position,
        t=t,
        senses=BANK.senses[word],
        readers=tuple(READERS),
        unfolding=np.stack([unfolded(reader, tokens, position)[:, columns] for reader in READERS]),
        weights=np.stack([looks(reader, tokens[: position + t + 1], position) for reader in READERS]),
        rows=row_names(),
        overall={side: tuple(card.metrics["by_side"][side]["accuracy"] for card in cards) for side in SIDES},
        counts={side: cards[0].metrics["by_side"][side]["count"] for side in SIDES},
    )
