"""The probability of each sense of an ambiguous word as two models read more of the sentence."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons.kit.checkpoints import load_card, load_model
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.qkv.sense_models import CHECKPOINTS, MIN_DECIDED, head_labels, weights_from
from lessons.qkv.typed_sentence import read_ambiguous
from models.tasks import BANK

CUE_SIDES = ("left", "right")  # position of the cue relative to the ambiguous word


@dataclass(frozen=True)
class Sense(Result):
    words: tuple[str, ...]  # for pictures: unknown words in angle brackets
    word: str  # the ambiguous word
    position: int  # index of the ambiguous word, 0-based
    t: int  # number of words read after the ambiguous word
    senses: tuple[str, ...]  # names of the two senses
    readers: tuple[str, ...]  # names of the models
    unfolding: (
        np.ndarray
    )  # (models, words after + 1, 2) P of each sense of the ambiguous word after each further word
    weights: np.ndarray  # (models, layers · heads, words read) from the ambiguous word; NaN where masked
    rows: tuple[str, ...]  # row labels of the weights
    overall: dict[str, tuple[float, ...]]  # side of the cue → accuracy by model, from the cards
    counts: dict[str, int]  # side of the cue → number of test sentences

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words) - 1 - self.position}

    @property
    def is_cue_before(self) -> bool:
        """Whether both models are already sure of the sense when they read the ambiguous word."""
        return bool((self.unfolding[:, 0].max(-1) > MIN_DECIDED).all())

    @property
    def now(self) -> np.ndarray:
        """P of each sense after the words read so far: (models, 2)."""
        return self.unfolding[:, self.t]


@memoize
def sense_probabilities(model: str, tokens: tuple[int, ...], position: int) -> np.ndarray:
    """P of each answer after each further word: (words after + 1, answers)."""
    return load_model(CHECKPOINTS[model]).answers_by_prefix(tokens, position).numpy()


def compute(text: str, t: int) -> Sense:
    sentence, position = read_ambiguous(text)
    words = sentence.words
    tokens, word = tuple(BANK.vocabulary.ids(words)), words[position]
    t = min(t, len(words) - 1 - position)
    columns = [BANK.answers.index(f"{word}: {sense}") for sense in BANK.senses[word]]
    by_side = [load_card(name).metrics["by_side"] for name in CHECKPOINTS.values()]
    return Sense(
        words=sentence.shown,
        word=word,
        position=position,
        t=t,
        senses=BANK.senses[word],
        readers=tuple(CHECKPOINTS),
        unfolding=np.stack(
            [sense_probabilities(model, tokens, position)[:, columns] for model in CHECKPOINTS]
        ),
        weights=np.stack(
            [weights_from(model, tokens[: position + t + 1], position) for model in CHECKPOINTS]
        ),
        rows=head_labels(),
        overall={side: tuple(metrics[side]["accuracy"] for metrics in by_side) for side in CUE_SIDES},
        counts={side: by_side[0][side]["count"] for side in CUE_SIDES},
    )
