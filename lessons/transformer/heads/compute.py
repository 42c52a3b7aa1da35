"""Attention maps of every head, habits of heads over many sentences, and alignment errors."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from lessons.kit.checkpoints import Words, load_card
from lessons.kit.contract import Result
from lessons.transformer.translator import (
    ATTENTION_PATHS,
    MODEL_NAME,
    TRANSLATOR,
    gold_links,
    is_right,
    load_transformer,
    original_trace,
    read_text,
    reference_translation,
    target_words,
)
from models.data import held_out
from models.metrics import aer, attention_maps, strongest_links
from models.tasks.task import Pair

MIN_HABIT_SHARE = 0.5  # a head has a habit if it follows it in at least this fraction of its steps
HABIT_SENTENCES = 60  # number of test sentences used to find habits
ALIGNER_HABIT = "attends to the gold source word of the word that it writes"

# (query positions, position of the largest weight of each, number of keys, pair) → whether the habit holds
HabitTest = Callable[[np.ndarray, np.ndarray, int, Pair], np.ndarray]


def are_linked(t: np.ndarray, i: np.ndarray, pair: Pair) -> np.ndarray:
    return np.array([link in pair.alignment for link in zip(t.tolist(), i.tolist(), strict=True)])


SELF_ATTENTION_HABITS: dict[str, HabitTest] = {
    "attends to its own position": lambda t, i, keys, pair: i == t,
    "attends to the previous position": lambda t, i, keys, pair: i == t - 1,
    "attends to the position two before it": lambda t, i, keys, pair: i == t - 2,
    "attends to the first position": lambda t, i, keys, pair: i == 0,
}
HABITS: dict[str, dict[str, HabitTest]] = {
    "encoder self": SELF_ATTENTION_HABITS
    | {
        "attends to the next position": lambda t, i, keys, pair: i == t + 1,
        "attends to the position two after it": lambda t, i, keys, pair: i == t + 2,
        "attends to the last word": lambda t, i, keys, pair: i == keys - 1,
    },
    "decoder self": SELF_ATTENTION_HABITS,
    "cross": {
        ALIGNER_HABIT: lambda t, i, keys, pair: are_linked(t, i, pair),
        "attends to the gold source word of the word that it wrote last": (
            lambda t, i, keys, pair: are_linked(t - 1, i, pair)
        ),
        "attends to the last word": lambda t, i, keys, pair: i == keys - 1,
        "attends to the first word": lambda t, i, keys, pair: i == 0,
    },
}


@dataclass(frozen=True)
class Habit:
    says: str  # "attends to the previous position", or "" if there is no habit
    share: float  # fraction of the counted steps in which the habit holds
    strongest: float  # mean over steps of the largest weight


@lru_cache(maxsize=1)
def count_habits() -> dict[str, tuple[tuple[Habit, ...], ...]]:
    """The most frequent habit of each head, by attention, layer and head. Edge positions count too."""
    pairs = held_out(TRANSLATOR.task.name, HABIT_SENTENCES, range(5, 15))
    transformer = load_transformer()
    habits = {}
    for kind, path in ATTENTION_PATHS.items():
        layers = []
        for layer in range(1, transformer.config.layers + 1):
            weights_path = path.format(layer=layer) + ".weights"
            maps = attention_maps(transformer, pairs, TRANSLATOR.task, weights_path)  # (heads, ≥T', T) each
            heads = range(transformer.config.heads)
            layers.append(tuple(find_habit(kind, [m[head] for m in maps], pairs) for head in heads))
        habits[kind] = tuple(layers)
    return habits


def find_habit(kind: str, maps: list[torch.Tensor], pairs: list[Pair]) -> Habit:
    """Find the most frequent habit of one head, if it is frequent enough."""
    matches: dict[str, list[bool]] = {name: [] for name in HABITS[kind]}
    largest_weights = []
    for weights, pair in zip(maps, pairs, strict=True):
        # the rows of a decoder include <eos>
        rows = len(pair.source) if kind == "encoder self" else len(pair.target) + 1
        attended = weights[:rows].argmax(-1).numpy()
        largest_weights += weights[:rows].amax(-1).tolist()
        for name, holds in HABITS[kind].items():
            matches[name] += holds(np.arange(rows), attended, len(pair.source), pair).tolist()
    name = max(matches, key=lambda habit: np.mean(matches[habit]))
    share = float(np.mean(matches[name]))
    return Habit(name if share >= MIN_HABIT_SHARE else "", share, float(np.mean(largest_weights)))


@dataclass(frozen=True)
class HeadsRun(Result):
    kind: str
    layer: int
    head: int  # layer and head are 1-based
    source: Words
    reads: Words  # decoder input
    writes: Words
    truth: Words | None  # reference translation, if known
    right: bool | None  # whether the output equals the reference translation
    encoder_self: np.ndarray  # (layers, heads, T, T)
    decoder_self: np.ndarray  # (layers, heads, T', T')
    cross: np.ndarray  # (layers, heads, T', T)
    gold: tuple[tuple[int, int], ...] | None  # (t, i)
    aer: np.ndarray | None  # (layers, heads) in this sentence, if gold links are known
    aer_test: np.ndarray  # (layers, heads) on the test sentences, from the card
    habits: dict[str, tuple[tuple[Habit, ...], ...]]  # kind of attention → habits by layer and head

    def maps(self, kind: str) -> np.ndarray:
        return {"encoder self": self.encoder_self, "decoder self": self.decoder_self, "cross": self.cross}[
            kind
        ]

    @property
    def chosen(self) -> np.ndarray:
        """The attention map of the chosen head."""
        return self.maps(self.kind)[self.layer - 1, self.head - 1]

    @property
    def habit(self) -> Habit:
        return self.habits[self.kind][self.layer - 1][self.head - 1]


def heads(text: str, kind: str, layer: str, head: str) -> HeadsRun:
    source, words = read_text(text)
    trace = original_trace(source)
    gold = gold_links(trace)
    return HeadsRun(
        kind=kind,
        layer=int(layer),
        head=int(head),
        source=words,
        reads=target_words(trace.target_in),
        writes=target_words(trace.output),
        truth=reference_translation(trace),
        right=is_right(trace),
        encoder_self=trace.encoder_self.numpy(),
        decoder_self=trace.decoder_self.numpy(),
        cross=trace.cross.numpy(),
        gold=None if gold is None else tuple(sorted(gold)),
        aer=None if gold is None else errors_by_head(trace.cross, len(trace.output) - 1, gold),
        aer_test=np.array(load_card(MODEL_NAME).metrics["aer_by_head"]),
        habits=count_habits(),
    )


def errors_by_head(cross: torch.Tensor, words: int, gold: frozenset[tuple[int, int]]) -> np.ndarray:
    """AER of each head (layers, heads) in one sentence with this number of target words."""
    return np.array([[aer([strongest_links(head, words)], [gold]) for head in layer] for layer in cross])
