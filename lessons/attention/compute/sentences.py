"""What the experiments share: the translators, sentences and their gold alignments, and runs that are kept."""

import random
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import cache, lru_cache

import numpy as np
import torch
from torch import Tensor

from models import zoo
from models.seq2seq import Seq2Seq, Seq2SeqTrace
from models.tasks import TASKS
from models.tasks.task import Pair, split_of

TASK = TASKS["translation"]
WIRINGS = {"query after": "translation-additive-64-s0", "query before": "translation-before-64-s0"}
ADDITIVE = WIRINGS["query after"]
SHOWN = 8  # next words in a picture
POOL = 300  # sentences drawn from the grammar, beside the course's own, whose alignment is looked up
Words = tuple[str, ...]
Tokens = tuple[int, ...]


def model_of(name: str) -> Seq2Seq:
    return zoo.load(name)[0]


@cache
def card_of(name: str) -> zoo.Card:
    return zoo.Card.read(name)


@lru_cache(maxsize=256)
def source_of(text: str) -> Tokens:
    return tuple(TASK.source.ids(TASK.read(text)))


def english(tokens: Iterable[int]) -> Words:
    return TASK.source.tokens(tokens)


def french(tokens: Iterable[int]) -> Words:
    return TASK.target.tokens(tokens)


@lru_cache(maxsize=64)
def untouched(name: str, source: Tokens, target: Tokens | None = None) -> Seq2SeqTrace:
    """The model's own run; with a target, what it thinks while it is fed that."""
    with torch.inference_mode():
        return model_of(name).run(source, target)


def likely(*probabilities: Tensor) -> np.ndarray:
    """The words that are likeliest in any of these distributions, by the first."""
    best = torch.stack(probabilities).amax(0).topk(SHOWN).indices
    return best[probabilities[0][best].argsort(descending=True)].numpy()


# ---- sentences whose translation and alignment are known ----


@cache
def pool() -> dict[Words, Pair]:
    """The course's sentences and some drawn from the grammar. There is no parser: what is not here has no gold alignment."""
    rng = random.Random("attention")
    drawn = (TASK.draw(rng, range(3, 13)) for _ in range(POOL))
    return {pair.source: pair for pair in drawn} | {pair.source: pair for pair in TASK.course}


def gold_of(source: Tokens) -> Pair | None:
    words = english(source)
    return next((pair for pair in TASK.course if pair.source == words), None) or pool().get(words)


@lru_cache(maxsize=256)
def held_out(length: int, number: int) -> Pair:
    """The number-th sentence of this length that no model was trained on."""
    rng = random.Random(f"attention {length} {number}")
    while True:
        pair = TASK.draw(rng, range(length, length + 1))
        if split_of(pair.source) != "train" and pair.source not in TASK.course_sources:
            return pair


def differing(first: Words, second: Words) -> tuple[frozenset[int], frozenset[int]]:
    """Where two sentences differ, in each of them. A word that was dropped does not make all that follow differ."""
    places = [set(), set()]
    for kind, a, a_end, b, b_end in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind != "equal":
            places[0].update(range(a, a_end))
            places[1].update(range(b, b_end))
    return frozenset(places[0]), frozenset(places[1])
