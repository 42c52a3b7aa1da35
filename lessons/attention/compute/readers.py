"""One sentence, read from the left only and from both sides: which states know a word, and where a decoder must look for it."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import (
    TRANSLATION,
    Tokens,
    Words,
    blame_control,
    english,
    french,
    load_card,
    load_model,
    original_run,
    read_source,
)
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.kit.references import known_pair, matches_reference
from models.metrics import aer, attention_maps, links_of
from models.recipes import SEEDS
from models.seq2seq import Seq2SeqTrace
from models.tasks.task import Pair
from models.vocabulary import Vocabulary

READERS = {"one-way": "translation-oneway-64", "two-way": "translation-additive-64"}
LATE = range(-2, 4)  # places after the gold word; the first and the last take all beyond
COUNTED, LENGTHS = 60, range(8, 12)  # fresh sentences whose looks are counted
Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Reader:
    """What one of them makes of the sentence. With gold, the map is that of the right translation, fed word by word."""

    name: str
    target: Words  # (T') without <eos>: the rows of the map
    weights: np.ndarray  # (T', T)
    links: Links  # (t, i): each target word with the source word it looks at most
    aer: float | None
    change: np.ndarray  # (T,) |Δh_i|, the length of the difference
    halves: (
        np.ndarray
    )  # (1 or 2, T) the same of the units that read from the left, and of those that read from the right
    written: tuple[Words, Words]  # the sentence as it is, and with the word changed
    right: bool | None  # the first of them


@dataclass(frozen=True)
class Measured:
    """One kind of reader, trained once for each seed, on fresh sentences; from the cards."""

    name: str
    aer: tuple[float, ...]  # (seeds)
    exact: tuple[float, ...]
    by_length: np.ndarray  # (seeds, buckets) exact match
    parameters: int  # of the whole model


@dataclass(frozen=True)
class Readers(Result):
    source: Words  # (T)
    i: int  # the word that is changed, from 1
    put: str  # what is read in its place; "" is nothing: x_i = 0
    truth: Words | None
    gold: Links | None
    both: tuple[Reader, Reader]  # one-way, two-way

    @property
    def same(self) -> bool:
        return self.put == self.source[self.i - 1]

    def limits(self) -> dict[str, Any]:
        return {"i": len(self.source)}

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        return tuple(map(figures, READERS))

    @cached_property
    def lengths(self) -> tuple[tuple[int, int], ...]:
        """The buckets of the figures by length."""
        return tuple(
            (row["from"], row["to"]) for row in load_card(f"{READERS['one-way']}-s0").metrics["by_length"]
        )

    @cached_property
    def lateness(self) -> np.ndarray:
        """(2, places) the share of target words whose strongest look lies so many places after their gold word."""
        return np.stack([how_late(f"{name}-s0") for name in READERS.values()])


def readers(source: str, i: int, put: str) -> Readers:
    tokens = read_source(source)
    i = min(i, len(tokens))
    word, pair = one_word(put), known_pair(english(tokens))
    return Readers(
        source=english(tokens),
        i=i,
        put="" if word is None else english([word])[0],
        truth=pair.target if pair else None,
        gold=pair.alignment if pair else None,
        both=(reader("one-way", tokens, i, word, pair), reader("two-way", tokens, i, word, pair)),
    )


def one_word(text: str) -> int | None:
    """The id of the word typed; None for none."""
    if not text.strip():
        return None
    with blame_control("put"):
        words = TRANSLATION.read(text)
        if len(words) > 1:
            raise InputError("Put one word there, such as “house”, or none.")
        return TRANSLATION.source.ids(words)[0]


def reader(kind: str, tokens: Tokens, i: int, word: int | None, pair: Pair | None) -> Reader:
    name = f"{READERS[kind]}-s0"
    plain, other = original_run(name, tokens), changed(name, tokens, i, word)
    written = french(token for token in plain.output if token != Vocabulary.eos)
    target = pair.target if pair else written
    fed = (
        plain
        if target == written
        else original_run(name, tokens, (*TRANSLATION.target.ids(target), Vocabulary.eos))
    )
    links = links_of(fed.weights, len(target))
    gap = (other.H - plain.H).unflatten(
        -1, (2 if load_model(name).config.two_way else 1, -1)
    )  # (T, ways, m of each)
    return Reader(
        name=kind,
        target=target,
        weights=fed.weights[: len(target)].numpy(),
        links=links,
        aer=aer([links], [pair.alignment]) if pair else None,
        change=gap.flatten(1).norm(dim=-1).numpy(),
        halves=gap.norm(dim=-1).T.numpy(),
        written=(written, french(token for token in other.output if token != Vocabulary.eos)),
        right=matches_reference(written, pair.target if pair else None),
    )


@memoize
def changed(name: str, tokens: Tokens, i: int, word: int | None) -> Seq2SeqTrace:
    """The run with word i replaced; without a word, nothing is read there: x_i = 0."""
    if word is not None:
        return original_run(name, (*tokens[: i - 1], word, *tokens[i:]))

    def nothing_there(x: Tensor, step: int) -> Tensor:
        return x * (torch.arange(len(x)) != i - 1)[:, None]

    with torch.inference_mode():
        return load_model(name).run(tokens, edits={"x": nothing_there})


@cache
def figures(kind: str) -> Measured:
    cards = [load_card(f"{READERS[kind]}-s{seed}") for seed in SEEDS]
    aer, exact = (
        tuple(card.metrics["natural"][figure] for card in cards) for figure in ("aer", "exact_match")
    )
    by_length = np.array([[row["exact_match"] for row in card.metrics["by_length"]] for card in cards])
    return Measured(kind, aer, exact, by_length, cards[0].parameters)


@cache
def how_late(name: str) -> np.ndarray:
    pairs = TRANSLATION.pairs("test", COUNTED, seed=1, lengths=LENGTHS)
    counts = np.zeros(len(LATE))
    for pair, (weights,) in zip(pairs, attention_maps(load_model(name), pairs, TRANSLATION), strict=True):
        for t, look in enumerate(weights[: len(pair.target)].argmax(-1).tolist()):
            if gold := [i for row, i in pair.alignment if row == t]:
                counts[int(np.clip(late_by(look, gold), LATE[0], LATE[-1])) - LATE[0]] += 1
    return counts / counts.sum()


def late_by(look: int, gold: list[int]) -> int:
    """How many places after the nearest gold word; before it, if negative."""
    return min((look - i for i in gold), key=abs)
