"""The learner moves the attention; the context, the next word and the rest of the sentence are computed again."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.attention.compute.wirings import WIRINGS
from lessons.kit.checkpoints import (
    Tokens,
    Words,
    english,
    french,
    load_model,
    most_probable,
    original_run,
    read_source,
)
from lessons.kit.contract import Result
from lessons.kit.references import Places, differing_positions, known_pair, matches_reference
from models.seq2seq import Seq2SeqTrace
from models.vocabulary import EOS

Row = tuple[float, ...]
Rows = tuple[tuple[int, Row], ...]  # (step from 1, its weights), …
FURTHER = 10  # steps a changed sentence may go on after where the untouched one ends,
MOST = 60  # and the most there can be


@dataclass(frozen=True)
class Steered(Result):
    """The untouched run and yours. T source words; the two outputs may differ in length."""

    wiring: str
    t: int
    source: Words  # (T)
    gold: tuple[tuple[int, int], ...] | None
    plain: Words  # (T') untouched, with <eos>
    yours: Words  # (T'')
    truth: Words | None  # the translation by the grammar, where it is known
    right: tuple[bool | None, bool | None]  # untouched, yours
    lost: Places  # places of the untouched sentence that yours has not,
    new: Places  # and of yours that it has not
    plain_weights: np.ndarray  # (T', T)
    your_weights: np.ndarray  # (T'', T)
    edited: tuple[int, ...]  # steps, from 1, whose weights are yours
    waiting: tuple[int, ...]  # changed steps that your sentence does not reach
    unfit: tuple[int, ...]  # changed steps whose row was made for another sentence
    H: np.ndarray  # (T, m)
    s: np.ndarray  # (T'', m) yours
    context: np.ndarray  # (m,) c_t, yours
    plain_context: np.ndarray | None  # (m,) untouched; None where the untouched sentence has ended
    next_words: Words  # (8) at step t
    probabilities: np.ndarray  # (2, 8) untouched, yours
    offers: Mapping[str, Row]  # rows to take for step t

    @property
    def row(self) -> np.ndarray:
        return self.your_weights[self.t - 1]

    @property
    def plain_row(self) -> np.ndarray | None:
        return self.plain_weights[self.t - 1] if self.t <= len(self.plain) else None

    @cached_property
    def moved(self) -> float | None:
        """‖c_t − untouched c_t‖"""
        return (
            None if self.plain_context is None else float(np.linalg.norm(self.context - self.plain_context))
        )

    @property
    def ended(self) -> bool:
        return self.yours[-1] == EOS

    def limits(self) -> dict[str, Any]:
        offers = {name: [round(w, 4) for w in row] for name, row in self.offers.items()}
        return {
            "t": len(self.yours),
            "weights": {"step": self.t, "row": self.row.astype(float).round(4).tolist(), "offers": offers},
        }


def steer(source: str, wiring: str, t: int, weights: Rows) -> Steered:
    tokens, name = read_source(source), WIRINGS[wiring]
    plain = original_run(name, tokens)
    rows = {step: shared(row) for step, row in weights if len(row) == len(tokens) and sum(row) > 0}
    yours = decoded(name, tokens, rows, min(len(plain.output) + FURTHER, MOST)) if rows else plain
    steps = len(yours.output)
    t = min(t, steps)
    now, words = t - 1, french(yours.output)
    before = (
        plain.probabilities[now]
        if t <= len(plain.output)
        else torch.full_like(yours.probabilities[now], torch.nan)
    )
    best = most_probable(yours.probabilities[now], before.nan_to_num())
    lost, new = differing_positions(french(plain.output), words)
    pair = known_pair(english(tokens))
    truth = pair.target if pair else None
    return Steered(
        wiring=wiring,
        t=t,
        source=english(tokens),
        gold=tuple(sorted(pair.alignment)) if pair else None,
        plain=french(plain.output),
        yours=words,
        truth=truth,
        right=(matches_reference(french(plain.output), truth), matches_reference(words, truth)),
        lost=lost,
        new=new,
        plain_weights=plain.weights.numpy(),
        your_weights=yours.values["weights"].numpy(),
        edited=tuple(step for step in rows if step <= steps),
        waiting=tuple(step for step in rows if step > steps),
        unfit=tuple(step for step, _ in weights if step not in rows),
        H=yours.H.numpy(),
        s=yours.s.numpy(),
        context=yours.contexts[now].numpy(),
        plain_context=plain.contexts[now].numpy() if t <= len(plain.output) else None,
        next_words=french(best),
        probabilities=np.stack([before[best].numpy(), yours.probabilities[now, best].numpy()]),
        offers=offers(
            yours.values["weights"][now],
            plain.weights[min(t, len(plain.output)) - 1],
            gold_row(pair, words, t),
        ),
    )


def shared(row: Row) -> Row:
    """A row sums to 1."""
    total = sum(row)
    return tuple(weight / total for weight in row)


def decoded(name: str, tokens: Tokens, rows: Mapping[int, Row], limit: int) -> Seq2SeqTrace:
    """The same run, with these weights in place of the model's own."""
    given = {step - 1: torch.tensor(row) for step, row in rows.items()}  # a run counts its steps from 0

    def replace(weights: Tensor, step: int) -> Tensor:
        return given.get(step, weights)

    with torch.inference_mode():
        return load_model(name).run(tokens, edits={"weights": replace}, limit=limit)


# ---- rows on offer ----


def offers(row: Tensor, plain: Tensor, gold: Row | None) -> dict[str, Row]:
    """Even; gold, where it is known; all on the strongest other word; shuffled; sharper; without the strongest word."""
    row, T = row.double(), len(row)
    found = {"even": (1 / T,) * T}
    if gold:
        found["gold"] = gold
    if T == 1:
        return found
    other = int(plain.topk(2).indices[1])
    mixed = row.tolist()
    random.Random(T).shuffle(mixed)
    masked = row.clone()
    masked[row.argmax()] = 0
    return found | {
        "focus elsewhere": tuple(float(i == other) for i in range(T)),
        "mix": tuple(mixed),
        "sharpen": shared(tuple((row**2).tolist())),
        "mask strongest": shared(tuple(masked.tolist())) if masked.sum() > 1e-6 else (1 / T,) * T,
    }


def gold_row(pair: Any, words: Words, t: int) -> Row | None:
    """Evenly on the gold words of step t, as long as the sentence so far is the reference's."""
    if pair is None or t > len(pair.target) or words[: t - 1] != pair.target[: t - 1]:
        return None
    linked = {i for step, i in pair.alignment if step == t - 1}
    return tuple((i in linked) / len(linked) for i in range(len(pair.source))) if linked else None
