"""What the experiments share: the models and their cards, typed text, translations kept by what they were made from."""

from collections.abc import Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from models import metrics, zoo
from models.seq2seq import Seq2Seq, Seq2SeqTrace
from models.tasks import TASKS
from models.vocabulary import Vocabulary

TASK = TASKS["translation"]
TRANSLATOR = "translation-none-128-s0"  # one vector c, handed over as the decoder's first state
TEACHERS = tuple(f"translation-additive-64-s{seed}" for seed in (0, 1, 2))  # with attention: the nearest we have to the truth
SHOWN = 8  # next words in a picture
Tokens = tuple[int, ...]
Words = tuple[str, ...]


def model_of(name: str) -> Seq2Seq:
    return zoo.load(name)[0]


@lru_cache(maxsize=64)
def card_of(name: str) -> zoo.Card:
    return zoo.Card.read(name)


def figures(name: str) -> Mapping[str, Any]:
    """What the model's card says about it."""
    return card_of(name).metrics


def by_length(name: str, measure: str) -> np.ndarray:
    """(buckets,) a figure against the source length."""
    return np.array([row[measure] for row in figures(name)["by_length"]])


def middles(name: str) -> np.ndarray:
    """(buckets,) the middle of each bucket of lengths."""
    return np.array([(row["from"] + row["to"]) / 2 for row in figures(name)["by_length"]])


def source_of(text: str) -> Tokens:
    return tuple(TASK.source.ids(TASK.read(text)))


def written(ids: Any) -> Words:
    return TASK.target.tokens(ids)


@lru_cache(maxsize=64)
def translated(name: str, source: Tokens, target: Tokens | None = None, forced: tuple[tuple[int, int], ...] = ()) -> Seq2SeqTrace:
    """A run in sight, untouched but for words put in the place of the model's own."""
    return model_of(name).run(source, target, forced=dict(forced))


@lru_cache(maxsize=256)
def said(name: str, source: Tokens) -> Words:
    """The output alone, without <eos>."""
    return written(metrics.translate(model_of(name), [source])[0])


@lru_cache(maxsize=64)
def taught(source: Tokens) -> Tokens:
    """What the teacher says: the translation by a model with attention, and <eos>."""
    return (*TASK.target.ids(said(TEACHERS[0], source)), Vocabulary.eos)


def likeliest(probabilities: torch.Tensor) -> np.ndarray:
    """The ids of the first few (SHOWN) of a distribution (V,), fewer if the model cannot write so many."""
    return probabilities.topk(min(SHOWN, len(probabilities))).indices.numpy()


def differing(plain: Words, yours: Words) -> tuple[int, ...]:
    """Places of `yours` that are not found again, in order, in `plain`."""
    kept = {block.b + n for block in SequenceMatcher(None, plain, yours, False).get_matching_blocks() for n in range(block.size)}
    return tuple(place for place in range(len(yours)) if place not in kept)
