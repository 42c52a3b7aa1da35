"""Decode again with attention weights that the learner set at some steps."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.attention.translators import MAX_STEPS, WIRINGS, Source, read_source
from lessons.kit.checkpoints import Tokens, Words, most_probable
from lessons.kit.contract import Result
from lessons.kit.language import translate
from lessons.kit.references import Positions, differing_positions
from lessons.kit.translator import Translator
from models.seq2seq import Seq2SeqTrace
from models.tasks.task import Pair
from models.vocabulary import EOS

Row = tuple[float, ...]
Rows = tuple[tuple[int, Row], ...]  # (step from 1, its weights), …
EXTRA_STEPS = 10  # how much longer an edited sentence may be than the original


@dataclass(frozen=True)
class Steered(Result):
    """The original run and the run with the learner's weights ("yours"); their lengths may differ."""

    t: int
    source: Words  # (T)
    gold: tuple[tuple[int, int], ...] | None
    plain: Words  # (T') original output, with <eos>
    yours: Words  # (T'') edited output
    truth: Words | None  # the reference translation, if it is known
    right: tuple[bool | None, bool | None]  # whether each output is the reference: original, edited
    lost: Positions  # positions of words in the original output that the edited output lacks
    new: Positions  # positions of words in the edited output that the original output lacks
    plain_weights: np.ndarray  # (T', T)
    your_weights: np.ndarray  # (T'', T)
    edited: tuple[int, ...]  # steps (from 1) with the learner's weights
    waiting: tuple[int, ...]  # edited steps that the edited sentence does not reach
    unfit: tuple[int, ...]  # steps whose row does not have the length of the source sentence
    H: np.ndarray  # (T, m)
    s: np.ndarray  # (T'', m) edited
    context: np.ndarray  # (m,) c_t, edited
    plain_context: np.ndarray | None  # (m,) original; None if the original sentence ended before step t
    probability: float  # of the word written at step t, edited
    next_words: Words  # (8) most probable words at step t
    probabilities: np.ndarray  # (2, 8) original, edited
    offers: Mapping[str, Row]  # named rows of weights that the learner can choose for step t

    @property
    def row(self) -> np.ndarray:
        """(T,) the weights of step t."""
        return self.your_weights[self.t - 1]

    @property
    def original_row(self) -> np.ndarray | None:
        return self.plain_weights[self.t - 1] if self.t <= len(self.plain) else None

    @cached_property
    def moved(self) -> float | None:
        """‖c_t − original c_t‖, the distance that the context has moved."""
        if self.plain_context is None:
            return None
        return float(np.linalg.norm(self.context - self.plain_context))

    @property
    def has_ended(self) -> bool:
        return self.yours[-1] == EOS

    def limits(self) -> dict[str, Any]:
        offers = {translate(name): [round(weight, 4) for weight in row] for name, row in self.offers.items()}
        row = self.row.astype(float).round(4).tolist()
        return {"t": len(self.yours), "weights": {"step": self.t, "row": row, "offers": offers}}


def compute(source: str, wiring: str, t: int, weights: Rows) -> Steered:
    return steer(read_source(source, WIRINGS[wiring]), t, weights)


def steer(read: Source, t: int, weights: Rows) -> Steered:
    """Run a source with the model's weights and with the learner's, and compare both at step t."""
    tokens, original, pair = read.tokens, read.run(), read.pair
    rows = {step: normalize(row) for step, row in weights if len(row) == len(tokens) and sum(row) > 0}
    limit = min(len(original.output) + EXTRA_STEPS, MAX_STEPS)
    edited = decode_with_weights(read.translator, tokens, rows, limit) if rows else original
    steps, original_steps = len(edited.output), len(original.output)
    t = min(t, steps)
    index, plain, words = t - 1, read.output(original), read.output(edited)
    P = edited.probabilities[index]
    original_P = original.probabilities[index] if t <= original_steps else torch.full_like(P, torch.nan)
    best = most_probable(P, original_P.nan_to_num())
    lost, new = differing_positions(plain, words)
    return Steered(
        t=t,
        source=read.words,
        gold=tuple(sorted(pair.alignment)) if pair else None,
        plain=plain,
        yours=words,
        truth=read.truth,
        right=(read.is_right(plain), read.is_right(words)),
        lost=lost,
        new=new,
        plain_weights=original.weights.numpy(),
        your_weights=edited.values["weights"].numpy(),
        edited=tuple(step for step in rows if step <= steps),
        waiting=tuple(step for step in rows if step > steps),
        unfit=tuple(step for step, _ in weights if step not in rows),
        H=edited.H.numpy(),
        s=edited.s.numpy(),
        context=edited.contexts[index].numpy(),
        plain_context=original.contexts[index].numpy() if t <= original_steps else None,
        probability=float(P.max()),
        next_words=read.translator.task.target.tokens(best),
        probabilities=torch.stack([original_P, P])[:, best].numpy(),
        offers=offer_rows(
            edited.values["weights"][index],
            original.weights[min(t, original_steps) - 1],
            gold_row(pair, words, t),
        ),
    )


def normalize(row: Row) -> Row:
    """The row divided by its sum."""
    total = sum(row)
    return tuple(weight / total for weight in row)


def decode_with_weights(
    translator: Translator, tokens: Tokens, rows: Mapping[int, Row], limit: int
) -> Seq2SeqTrace:
    """Run the translator with the given weights (by step, from 1) in place of its own."""
    given = {step - 1: torch.tensor(row) for step, row in rows.items()}  # the model counts steps from 0

    def replace(weights: Tensor, step: int) -> Tensor:
        return given.get(step, weights)

    with torch.inference_mode():
        return translator.model.run(tokens, edits={"weights": replace}, limit=limit)


# ---- rows to choose from ----


def one_hot_row(position: int, T: int) -> Row:
    """All weight on one source word, counted from 0."""
    return tuple(float(i == position) for i in range(T))


def offer_rows(row: Tensor, original: Tensor, gold: Row | None) -> dict[str, Row]:
    """Rows of weights by name, made from the row in use, the model's own row and the gold row, if known."""
    row, T = row.double(), len(row)
    uniform = (1 / T,) * T
    shuffled = row.tolist()
    random.Random(T).shuffle(shuffled)
    masked = row.clone()
    masked[row.argmax()] = 0
    return {
        "even": uniform,
        **({"gold": gold} if gold else {}),
        "focus elsewhere": one_hot_row(int(original.topk(min(2, T)).indices[-1]), T),
        "mix": tuple(shuffled),
        "sharpen": normalize(tuple((row**2).tolist())),
        "mask strongest": normalize(tuple(masked.tolist())) if masked.sum() > 1e-6 else uniform,
    }


def gold_row(pair: Pair | None, words: Words, t: int) -> Row | None:
    """Uniform weights over the gold words of step t; None once the output differs from the reference."""
    if pair is None or t > len(pair.target) or words[: t - 1] != pair.target[: t - 1]:
        return None
    linked = {i for step, i in pair.alignment if step == t - 1}
    return tuple((i in linked) / len(linked) for i in range(len(pair.source))) if linked else None
