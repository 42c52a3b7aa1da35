"""What every head looks at, in this sentence and as a habit; cross-attention against the gold alignment."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from lessons.kit.checkpoints import TRANSLATION, Words, english, french, read_source
from lessons.kit.contract import Result
from lessons.kit.references import matches_reference, reference_for
from lessons.transformer.compute.sentence import KINDS, card, gold_of, model, untouched
from models.data import held_out
from models.metrics import aer, attention_maps, links_of
from models.tasks.task import Pair

OFTEN = 0.5  # a habit is what a head does in at least half of its steps
SAMPLE = 60  # test sentences on which habits are counted

Looks = Callable[
    [np.ndarray, np.ndarray, int, Pair], np.ndarray
]  # (asking, looked at, keys, pair) → was it so?


def linked(t: np.ndarray, i: np.ndarray, pair: Pair) -> np.ndarray:
    return np.array([(a, b) in pair.alignment for a, b in zip(t.tolist(), i.tolist(), strict=True)])


ITSELF: dict[str, Looks] = {
    "looks at itself": lambda t, i, keys, pair: i == t,
    "looks one back": lambda t, i, keys, pair: i == t - 1,
    "looks two back": lambda t, i, keys, pair: i == t - 2,
    "looks at the first place": lambda t, i, keys, pair: i == 0,
}
HABITS: dict[str, dict[str, Looks]] = {
    "encoder self": (
        ITSELF
        | {
            "looks one ahead": lambda t, i, keys, pair: i == t + 1,
            "looks two ahead": lambda t, i, keys, pair: i == t + 2,
            "looks at the last word": lambda t, i, keys, pair: i == keys - 1,
        }
    ),
    "decoder self": ITSELF,
    "cross": {
        "looks at the gold word of the word it writes": lambda t, i, keys, pair: linked(t, i, pair),
        "looks at the gold word of the word it has just read": lambda t, i, keys, pair: linked(
            t - 1, i, pair
        ),
        "looks at the last word": lambda t, i, keys, pair: i == keys - 1,
        "looks at the first word": lambda t, i, keys, pair: i == 0,
    },
}


@dataclass(frozen=True)
class Habit:
    says: str  # "looks one back", or nothing
    share: float  # of all steps in the sample
    strongest: float  # the mean weight of its strongest look


@lru_cache(maxsize=1)
def habits() -> dict[str, tuple[tuple[Habit, ...], ...]]:
    """By kind, layer, head: what it does most often, over all steps of the sample. Steps at the very edge count too."""
    pairs = held_out(TRANSLATION.name, SAMPLE, range(5, 15))
    found = {}
    for kind, place in KINDS.items():
        table = []
        for layer in range(1, model().config.layers + 1):
            maps = attention_maps(
                model(), pairs, TRANSLATION, place.format(layer=layer) + ".weights"
            )  # (heads, ≥T', T) each
            table.append(
                tuple(habit(kind, [m[head] for m in maps], pairs) for head in range(model().config.heads))
            )
        found[kind] = tuple(table)
    return found


def habit(kind: str, maps: list[torch.Tensor], pairs: list[Pair]) -> Habit:
    hits: dict[str, list[bool]] = {says: [] for says in HABITS[kind]}
    strongest = []
    for weights, pair in zip(maps, pairs, strict=True):
        asking = np.arange(
            len(pair.source) if kind == "encoder self" else len(pair.target) + 1
        )  # <eos> is written too
        at = weights[: len(asking)].argmax(-1).numpy()
        strongest += weights[: len(asking)].amax(-1).tolist()
        for says, looks in HABITS[kind].items():
            hits[says] += looks(asking, at, len(pair.source), pair).tolist()
    says = max(hits, key=lambda name: np.mean(hits[name]))
    share = float(np.mean(hits[says]))
    return Habit(says if share >= OFTEN else "", share, float(np.mean(strongest)))


@dataclass(frozen=True)
class HeadsRun(Result):
    kind: str
    layer: int
    head: int  # both from 1
    source: Words
    reads: Words  # the decoder's input
    writes: Words
    truth: Words | None  # the translation by the grammar, where it is known
    right: bool | None  # is what it writes the truth
    encoder_self: np.ndarray  # (layers, heads, T, T)
    decoder_self: np.ndarray  # (layers, heads, T', T')
    cross: np.ndarray  # (layers, heads, T', T)
    gold: tuple[tuple[int, int], ...] | None  # (t, i)
    aer: np.ndarray | None  # (layers, heads) in this sentence, where gold is known
    aer_test: np.ndarray  # (layers, heads) on the test sentences of the card
    habits: dict[str, tuple[tuple[Habit, ...], ...]]  # by kind, layer, head

    def maps(self, kind: str) -> np.ndarray:
        return {"encoder self": self.encoder_self, "decoder self": self.decoder_self, "cross": self.cross}[
            kind
        ]

    @property
    def chosen(self) -> np.ndarray:
        """The map that is enlarged."""
        return self.maps(self.kind)[self.layer - 1, self.head - 1]

    @property
    def habit(self) -> Habit:
        return self.habits[self.kind][self.layer - 1][self.head - 1]


def heads(text: str, kind: str, layer: str, head: str) -> HeadsRun:
    trace = untouched(read_source(text, "text"))
    gold, truth = gold_of(trace), reference_for(TRANSLATION, english(trace.source))
    return HeadsRun(
        kind=kind,
        layer=int(layer),
        head=int(head),
        source=english(trace.source),
        reads=french(trace.target_in),
        writes=french(trace.output),
        truth=truth,
        right=matches_reference(french(trace.output), truth),
        encoder_self=trace.encoder_self.numpy(),
        decoder_self=trace.decoder_self.numpy(),
        cross=trace.cross.numpy(),
        gold=None if gold is None else tuple(sorted(gold)),
        aer=(
            None
            if gold is None
            else np.array([[error(one, len(trace.output) - 1, gold) for one in of] for of in trace.cross])
        ),
        aer_test=np.array(card().metrics["aer_by_head"]),
        habits=habits(),
    )


def error(weights: torch.Tensor, words: int, gold: frozenset[tuple[int, int]]) -> float:
    """AER of one head in one sentence."""
    return aer([links_of(weights, words)], [gold])
