"""Trained language models read a learner's text; one unit or gate of them is looked at, and changed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit import checkpoints
from lessons.kit.checkpoints import STORIES, Tokens, Words, most_probable, read_story
from lessons.kit.checkpoints import story_words as named
from lessons.kit.contract import Result
from models.batches import padded
from models.language_model import LanguageModel, LanguageModelTrace
from models.rnn import CELLS
from models.tasks.story_words import BOYS, GIRLS
from models.vocabulary import Vocabulary

DOCUMENTS = 40  # stories on which units are measured


def checkpoint(cell: str, layers: int = 1) -> str:
    return f"stories-{cell.lower()}-{layers}"


def model_of(cell: str, layers: int = 1) -> LanguageModel:
    return checkpoints.load_model(checkpoint(cell, layers))


def untouched(cell: str, layers: int, tokens: Tokens) -> LanguageModelTrace:
    return checkpoints.original_run(checkpoint(cell, layers), tokens)


def memory_of(cell: str, layer: int = 1) -> str:
    """Where a cell keeps what it knows: the LSTM in its cell state, the others in h."""
    return f"layer{layer}.cell" if cell == "LSTM" else f"layer{layer}.h"


# ---- what units follow ----


def hero(words: Words) -> list[float]:
    """1 once the story is about a girl, −1 once it is about a boy: its first name or pronoun decides."""
    told = 0.0
    marks = []
    for word in words:
        told = told or float(word in GIRLS or word in ("girl", "she", "her")) - float(
            word in BOYS or word in ("boy", "he", "his")
        )
        marks.append(told)
    return marks


def between(opening: str, closing: str) -> Callable[[Words], list[float]]:
    """1 from an opening mark until it closes."""

    def follow(words: Words) -> list[float]:
        depth, marks = 0, []
        for word in words:
            depth = max(0, depth + (word == opening) - (word == closing))
            marks.append(float(depth > 0))
        return marks

    return follow


def sentence_end(words: Words) -> list[float]:
    return [float(word in (".", "?")) for word in words]


FEATURES: dict[str, Callable[[Words], list[float]]] = {
    "she/he": hero,
    "quotes": between("“", "”"),
    "brackets": between("(", ")"),
    "full stop": sentence_end,
}


@dataclass(frozen=True)
class Follower:
    """The unit whose memory goes along best with a feature of the text."""

    feature: str
    layer: int  # 1 is the lowest
    unit: int  # from 1
    correlation: float


@lru_cache(maxsize=1)
def marked() -> tuple[Tensor, np.ndarray]:
    """Stories drawn anew from the grammar, (stories, longest) ids, and (features, words) what each feature is at every word."""
    stories = [("<bos>", *story.tokens) for story in STORIES.marked("train", DOCUMENTS, seed=1, kind="story")]
    marks = [np.concatenate([follow(story) for story in stories]) for follow in FEATURES.values()]
    return padded([STORIES.vocabulary.ids(story) for story in stories], Vocabulary.pad), np.array(marks)


@lru_cache(maxsize=8)
@torch.inference_mode()
def correlations(cell: str, layers: int) -> np.ndarray:
    """(features, layers, m): each unit's memory against each feature."""
    (ids, marks), rnn, embed = marked(), model_of(cell, layers).rnn, model_of(cell, layers).embed
    states, kept = rnn.start(len(ids)), []
    for x_t in embed(ids).unbind(1):
        states = rnn.step(x_t, states)
        kept.append(
            torch.stack([state[-1] for state in states])
        )  # (layers, stories, m) h, or the cell of an LSTM
    memory = torch.stack(kept, 2)[:, ids != Vocabulary.pad].double()  # (layers, words, m)
    unlike = torch.from_numpy(marks - marks.mean(1, keepdims=True))
    together = unlike @ memory / unlike.shape[1]  # (layers, features, m)
    return (
        (together / unlike.std(1, correction=0)[:, None] / memory.std(1, correction=0)[:, None])
        .transpose(0, 1)
        .numpy()
    )


@lru_cache(maxsize=8)
def followers(cell: str, layers: int = 1) -> tuple[Follower, ...]:
    """For each feature the unit that follows it best."""
    found = []
    for feature, table in zip(FEATURES, correlations(cell, layers), strict=True):
        layer, unit = np.unravel_index(np.abs(table).argmax(), table.shape)
        found.append(Follower(feature, int(layer) + 1, int(unit) + 1, float(table[layer, unit])))
    return tuple(found)


def unit_at(rank: int, cell: str, layers: int = 1, layer: int = 1, feature: str = "she/he") -> int:
    """The unit (from 0) at this place when a layer's units stand in the order of how well they follow the feature, the best first.

    So a link or a preset means the same in every cell, and after another training.
    """
    table = correlations(cell, layers)[list(FEATURES).index(feature), layer - 1]  # (m,)
    return int(np.argsort(-np.abs(table), kind="stable")[rank - 1])


# ---- reading ----


def word_after(tokens: Tokens, t: int) -> str | None:
    """The word of the text that is read after step t, the first step being <bos>."""
    return named(tokens[t - 1 : t])[0] if t <= len(tokens) else None


@dataclass(frozen=True)
class Reading(Result):
    """T steps: at the first the model reads <bos>, at step t the word before which it had read t − 1."""

    cell: str
    t: int
    feature: str
    rank: int
    units: tuple[int, ...]  # the unit of that rank, from 1, layer by layer
    correlations: np.ndarray  # (layers,) of these units with the feature
    memory: np.ndarray  # (layers, T) of these units: h, or the LSTM's cell state, which is what is correlated
    words: Words  # (T) with <bos>
    h: np.ndarray  # (layers, T, m)
    followers: tuple[Follower, ...]
    next_words: Words  # (8) after step t
    probabilities: np.ndarray  # (8,)
    true_next: str | None  # the word that follows in the text
    true_probability: float
    surprise: np.ndarray  # (T − 1,) −log₂ P of every word after <bos>

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}


def read(text: str, cell: str, layers: str, feature: str, rank: int, t: int) -> Reading:
    tokens, depth = read_story(text), int(layers)
    t = min(t, len(tokens) + 1)
    trace = untouched(cell, depth, tokens)
    units = tuple(unit_at(rank, cell, depth, layer, feature) for layer in range(1, depth + 1))
    table = correlations(cell, depth)[list(FEATURES).index(feature)]  # (layers, m)
    after = trace.probabilities[t - 1]
    best = most_probable(after)
    told = trace.probabilities[range(len(tokens)), list(tokens)]  # (T − 1,)
    return Reading(
        cell=cell,
        t=t,
        feature=feature,
        rank=rank,
        units=tuple(unit + 1 for unit in units),
        correlations=table[range(depth), units],
        memory=np.stack(
            [trace.values[memory_of(cell, n + 1)][:, unit].numpy() for n, unit in enumerate(units)]
        ),
        words=named(trace.tokens),
        h=trace.h.numpy(),
        followers=followers(cell, depth),
        next_words=named(best),
        probabilities=after[best].numpy(),
        true_next=word_after(tokens, t),
        true_probability=float(told[t - 1]) if t <= len(tokens) else 0.0,
        surprise=-torch.log2(told).numpy(),
    )


# ---- editing ----

CLAMP = "clamp it to"
ACTIONS = ("flip its sign", "set it to 0", CLAMP)


@dataclass(frozen=True)
class Edited(Result):
    """One unit of the memory changed from step t on, or only there. First the untouched run, then yours."""

    cell: str
    action: str
    unit: int  # from 1
    t: int
    only: bool
    words: Words  # (T) with <bos>
    h: np.ndarray  # (2, T, m)
    memory: np.ndarray  # (2, T) of the unit: h, or the LSTM's cell
    likely: tuple[Words, Words]  # the likeliest next word at every step
    next_words: Words  # (8) at the end
    probabilities: np.ndarray  # (2, 8)
    moved: np.ndarray  # (T,) the share of the probability that went to other words
    left: np.ndarray  # (T,) ‖change of h‖

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}

    def idle(self) -> dict[str, str]:
        return {} if self.action == CLAMP else {"value": f"Only for “{CLAMP}”."}


def edit(text: str, cell: str, rank: int, action: str, value: float, t: int, only: bool) -> Edited:
    tokens = read_story(text)
    t = min(t, len(tokens) + 1)
    name, unit = memory_of(cell), unit_at(rank, cell)
    plain = untouched(cell, 1, tokens)
    own = plain.values[name][:, unit]  # (T,)
    new = {"flip its sign": -own, "set it to 0": 0 * own, CLAMP: torch.full_like(own, value)}[action]

    def changed(memory: Tensor, step: int) -> Tensor:
        if step == t - 1 or (step >= t and not only):  # a run counts its steps from 0
            memory[unit] = new[step]
        return memory

    yours = model_of(cell).run(tokens, {name: changed})
    best = most_probable(yours.probabilities[-1], plain.probabilities[-1])
    return Edited(
        cell=cell,
        action=action,
        unit=unit + 1,
        t=t,
        only=only,
        words=named(plain.tokens),
        h=np.stack([run.h[0].numpy() for run in (plain, yours)]),
        memory=np.stack([run.values[name][:, unit].numpy() for run in (plain, yours)]),
        likely=(named(plain.probabilities.argmax(-1)), named(yours.probabilities.argmax(-1))),
        next_words=named(best),
        probabilities=np.stack([run.probabilities[-1, best].numpy() for run in (plain, yours)]),
        moved=(yours.probabilities - plain.probabilities).abs().sum(-1).numpy() / 2,
        left=(yours.h[0] - plain.h[0]).norm(dim=-1).numpy(),
    )


# ---- gates ----

GATES = {  # what the learner picks → cell, quantity
    "LSTM i · lets in": ("LSTM", "i"),
    "LSTM f · keeps": ("LSTM", "f"),
    "LSTM o · lets out": ("LSTM", "o"),
    "GRU r · reads back": ("GRU", "r"),
    "GRU z · keeps": ("GRU", "z"),
}
OWN = "own value"
FORCES = (OWN, "0", "1")


@dataclass(frozen=True)
class Gated(Result):
    """A gate left alone or held open or shut while the model reads. First the untouched run, then yours."""

    cell: str
    gate: str
    force: str
    unit: int  # from 1
    every: bool
    t: int
    words: Words  # (T) with <bos>
    names: Words  # the cell's gates and candidate
    values: np.ndarray  # (gates, T) of this unit, yours
    memory: np.ndarray  # (2, T) of this unit: the LSTM's cell, the GRU's h
    h: np.ndarray  # (2, T) of this unit
    all_units: np.ndarray  # (T, m) the gate picked, yours
    next_words: Words  # (8) after step t
    probabilities: np.ndarray  # (2, 8)
    true_next: str | None  # the word that follows in the text
    surprise: np.ndarray  # (2,) mean −log₂ P per word of the text

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}

    def idle(self) -> dict[str, str]:
        return {} if self.force != OWN else {"every": "Only for a gate that is held at 0 or 1."}


def gates(text: str, gate: str, force: str, rank: int, every: bool, t: int) -> Gated:
    tokens = read_story(text)
    t = min(t, len(tokens) + 1)
    cell, name = GATES[gate]
    unit = unit_at(rank, cell)
    plain = untouched(cell, 1, tokens)

    def held(value: Tensor, step: int) -> Tensor:
        value[slice(None) if every else unit] = float(force)
        return value

    yours = plain if force == OWN else model_of(cell).run(tokens, {f"layer1.{name}": held})
    best = most_probable(yours.probabilities[t - 1], plain.probabilities[t - 1])
    told = [run.probabilities[range(len(tokens)), list(tokens)] for run in (plain, yours)]
    return Gated(
        cell=cell,
        gate=name,
        force=force,
        unit=unit + 1,
        every=every,
        t=t,
        words=named(plain.tokens),
        names=CELLS[cell].gates,
        values=np.stack([yours.values[f"layer1.{name}"][:, unit].numpy() for name in CELLS[cell].gates]),
        memory=np.stack([run.values[memory_of(cell)][:, unit].numpy() for run in (plain, yours)]),
        h=np.stack([run.h[0, :, unit].numpy() for run in (plain, yours)]),
        all_units=yours.values[f"layer1.{name}"].numpy(),
        next_words=named(best),
        probabilities=np.stack([run.probabilities[t - 1, best].numpy() for run in (plain, yours)]),
        true_next=word_after(tokens, t),
        surprise=np.array([-torch.log2(told_by).mean().item() for told_by in told]),
    )
