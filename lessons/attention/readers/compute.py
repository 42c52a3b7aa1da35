"""Which states of a unidirectional and of a bidirectional encoder depend on a given word?"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.attention.seed_metrics import SeedMetrics, read_metrics
from lessons.attention.translators import output_words, run_on_target
from lessons.kit.checkpoints import (
    TRANSLATION,
    Tokens,
    Words,
    blame_control,
    english,
    load_card,
    load_model,
    original_run,
    read_source,
)
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.kit.references import known_pair, matches_reference
from models.metrics import aer, attention_maps, strongest_links
from models.seq2seq import Seq2SeqTrace
from models.tasks.task import Pair

ENCODERS = {"unidirectional": "translation-oneway-64", "bidirectional": "translation-additive-64"}
OFFSETS = range(-2, 4)  # positions after the gold word; the first and last also count everything beyond
COUNTED_SENTENCES, COUNTED_LENGTHS = 60, range(8, 12)  # unseen sentences used to count offsets
Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Reader:
    """Results of one encoder. The decoder is fed the reference if gold links exist, else its own output."""

    name: str
    target: Words  # (T') without <eos>: the rows of the map
    weights: np.ndarray  # (T', T)
    links: Links  # (t, i): for each target word t, the source word i with the largest weight
    aer: float | None
    change: np.ndarray  # (T,) |Δh_i|, the norm of the difference
    halves: np.ndarray  # (1 or 2, T) the same, separately for forward and backward units
    written: tuple[Words, Words]  # the output for the original and for the changed sentence
    right: bool | None  # whether the output for the original sentence is the reference


@dataclass(frozen=True)
class Readers(Result):
    source: Words  # (T)
    i: int  # the position of the changed word, from 1
    put: str  # the word read at position i instead; "" leaves it blank: x_i = 0
    truth: Words | None
    gold: Links | None
    both: tuple[Reader, Reader]  # unidirectional, bidirectional

    @property
    def is_unchanged(self) -> bool:
        return self.put == self.source[self.i - 1]

    def limits(self) -> dict[str, Any]:
        return {"i": len(self.source)}

    @cached_property
    def measured(self) -> tuple[SeedMetrics, ...]:
        return tuple(read_metrics(name, model) for name, model in ENCODERS.items())

    @cached_property
    def lengths(self) -> tuple[tuple[int, int], ...]:
        """Shortest and longest sentence of each bucket of `by_length`."""
        rows = load_card(f"{ENCODERS['unidirectional']}-s0").metrics["by_length"]
        return tuple((row["from"], row["to"]) for row in rows)

    @cached_property
    def lateness(self) -> np.ndarray:
        """(2, offsets) fraction of target words whose largest weight is at each offset from the gold word."""
        return np.stack([offset_fractions(f"{model}-s0") for model in ENCODERS.values()])


def compute(source: str, i: int, put: str) -> Readers:
    tokens = read_source(source)
    i = min(i, len(tokens))
    word, pair = read_word(put), known_pair(english(tokens))
    unidirectional, bidirectional = (compare_states(name, tokens, i, word, pair) for name in ENCODERS)
    return Readers(
        source=english(tokens),
        i=i,
        put="" if word is None else english([word])[0],
        truth=pair.target if pair else None,
        gold=pair.alignment if pair else None,
        both=(unidirectional, bidirectional),
    )


def read_word(text: str) -> int | None:
    """The token of the typed word; None if the text is empty."""
    if not text.strip():
        return None
    with blame_control("put"):
        words = TRANSLATION.read(text)
        if len(words) > 1:
            raise InputError("Put one word there, such as “house”, or none.")
        return TRANSLATION.source.ids(words)[0]


def compare_states(name: str, tokens: Tokens, i: int, word: int | None, pair: Pair | None) -> Reader:
    """Run one encoder on the original and on the changed sentence."""
    model = f"{ENCODERS[name]}-s0"
    original, changed = original_run(model, tokens), run_with_word(model, tokens, i, word)
    written = output_words(original)
    target = pair.target if pair else written
    weights = run_on_target(model, tokens, target).weights[: len(target)]
    links = strongest_links(weights, len(target))
    directions = 2 if load_model(model).config.bidirectional else 1
    difference = (changed.H - original.H).unflatten(-1, (directions, -1))  # (T, directions, m / directions)
    return Reader(
        name=name,
        target=target,
        weights=weights.numpy(),
        links=links,
        aer=aer([links], [pair.alignment]) if pair else None,
        change=difference.flatten(1).norm(dim=-1).numpy(),
        halves=difference.norm(dim=-1).T.numpy(),
        written=(written, output_words(changed)),
        right=matches_reference(written, pair.target if pair else None),
    )


@memoize
def run_with_word(name: str, tokens: Tokens, i: int, word: int | None) -> Seq2SeqTrace:
    """Run the model with another word at position i. If `word` is None, the position is blank: x_i = 0."""
    if word is not None:
        return original_run(name, (*tokens[: i - 1], word, *tokens[i:]))

    def blank_position(x: Tensor, step: int) -> Tensor:
        return x * (torch.arange(len(x)) != i - 1)[:, None]

    with torch.inference_mode():
        return load_model(name).run(tokens, edits={"x": blank_position})


@cache
def offset_fractions(name: str) -> np.ndarray:
    """(offsets,) fraction of target words in unseen sentences by offset of the largest weight from gold."""
    pairs = TRANSLATION.pairs("test", COUNTED_SENTENCES, seed=1, lengths=COUNTED_LENGTHS)
    counts = np.zeros(len(OFFSETS))
    for pair, (weights,) in zip(pairs, attention_maps(load_model(name), pairs, TRANSLATION), strict=True):
        for t, position in enumerate(weights[: len(pair.target)].argmax(-1).tolist()):
            if gold := [i for row, i in pair.alignment if row == t]:
                offset = np.clip(offset_from_gold(position, gold), OFFSETS[0], OFFSETS[-1])
                counts[int(offset) - OFFSETS[0]] += 1
    return counts / counts.sum()


def offset_from_gold(position: int, gold: list[int]) -> int:
    """Offset of a position from the nearest gold word; negative if the position comes before it."""
    return min((position - i for i in gold), key=abs)
