"""Five translators that differ in their score alone, on one sentence; what their cards say; what a training step costs."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from lessons.kit.checkpoints import (
    TRANSLATION,
    Words,
    english,
    french,
    load_card,
    load_model,
    original_run,
    read_source,
)
from lessons.kit.contract import Result
from lessons.kit.references import known_pair, matches_reference
from models import zoo
from models.attention import SCORES
from models.batches import Batch, pair_batch
from models.metrics import aer, links_of
from models.tasks.task import Pair

NAMES = tuple(SCORES)
SEEDS = (0, 1, 2)
ON_OFFER = (  # of the test set, which no model has read; their words change places
    "this european agricultural policy was not new .",
    "two happy young girls do not want the book .",
    "was this treaty on the european economic crisis signed ?",
)
TIMED = 4  # training steps, after one to warm up; the fastest counts, as others may be using the machine
BATCH = 32


@dataclass(frozen=True)
class Claim:
    """What a paper found for two scores: the first was ahead."""

    source: str
    first: str
    second: str
    found: str  # figures are BLEU


CLAIMS = (
    Claim("Luong et al. 2015, Table 4", "dot", "bilinear", "dot 18.6, bilinear 17.3"),
    Claim("… unknown words replaced", "dot", "bilinear", "dot 20.5, bilinear 19.1"),
    Claim("Britz et al. 2017", "additive", "bilinear", "additive slightly ahead"),
)


def checkpoint(score: str, seed: int) -> str:
    return f"translation-{score.replace(' ', '-')}-64-s{seed}"


@lru_cache(maxsize=1)
def figures() -> dict[str, np.ndarray]:
    """(scores, seeds) from the cards: measured on 1000 fresh sentences."""
    cards = [[load_card(checkpoint(score, seed)) for seed in SEEDS] for score in NAMES]
    scores = [load_model(row[0].name).score for row in cards]

    def over(name: str) -> np.ndarray:
        return np.array([[card.metrics["natural"][name] for card in row] for row in cards])

    counts = np.array([sum(weight.numel() for weight in score.parameters()) for score in scores])
    return {
        "exact_match": over("exact_match"),
        "aer": over("aer"),
        "bleu": over("bleu"),
        "parameters": counts,
    }


@dataclass(frozen=True)
class Trained(Result):
    scores: tuple[str, ...]  # the five, by name
    source: Words  # x_1 … x_T
    t: int  # the word that is written, from 1
    seen: bool  # it is one of the sentences that training repeats
    outputs: tuple[Words, ...]  # what each writes
    weights: tuple[np.ndarray, ...]  # (T', T) of each
    truth: Words | None  # the translation by the grammar, where it is known
    right: tuple[bool | None, ...]  # is each output the truth
    gold: tuple[tuple[int, int], ...]  # (t, i)
    sentence_aer: tuple[float | None, ...]  # of those who wrote the truth
    sharpest: np.ndarray  # (scores,) mean over t of the largest α_ti
    exact_match: np.ndarray  # (scores, seeds)
    aer: np.ndarray  # (scores, seeds)
    bleu: np.ndarray  # (scores, seeds)
    parameters: np.ndarray  # (scores,) of the score alone
    ms: np.ndarray  # (scores, 3) a training step took, in three runs; NaN until it is measured

    @property
    def words(self) -> tuple[str | None, ...]:
        """What each writes at t; None for who has stopped before."""
        return tuple(output[self.t - 1] if self.t <= len(output) else None for output in self.outputs)

    @property
    def rows(self) -> np.ndarray:
        """(scores, T) where each looks to write it; NaN for who has stopped before."""
        stopped = np.full(len(self.source), np.nan)
        return np.stack(
            [
                stopped if word is None else alpha[self.t - 1]
                for word, alpha in zip(self.words, self.weights, strict=True)
            ]
        )

    def limits(self) -> dict[str, Any]:
        return {"t": max(1, *map(len, self.outputs))}


def trained(sentence: str, t: int) -> Trained:
    tokens = read_source(sentence, "sentence")
    traces = [original_run(checkpoint(score, 0), tokens) for score in NAMES]
    outputs = tuple(tuple(w for w in french(trace.output) if w != "<eos>") for trace in traces)
    weights = tuple(
        trace.weights[: len(output)].numpy() for trace, output in zip(traces, outputs, strict=True)
    )
    pair = known_pair(english(tokens))
    truth = pair.target if pair else None
    right = tuple(matches_reference(output, truth) for output in outputs)
    found = [
        aer([links_of(torch.tensor(alpha), len(alpha))], [pair.alignment]) if pair and agrees else None
        for alpha, agrees in zip(weights, right, strict=True)
    ]
    return Trained(
        scores=NAMES,
        source=english(tokens),
        t=min(t, max(1, *map(len, outputs))),
        seen=english(tokens) in TRANSLATION.course_sources,
        outputs=outputs,
        weights=weights,
        truth=truth,
        right=right,
        gold=tuple(sorted(pair.alignment)) if pair else (),
        sentence_aer=tuple(found),
        sharpest=np.array([alpha.max(-1).mean() if alpha.size else 0.0 for alpha in weights]),
        ms=np.full((len(NAMES), len(SEEDS)), np.nan),
        **figures(),
    )


def measure(sentence: str, t: int) -> Iterator[tuple[float, Trained]]:
    """Times one training step of each, forth and back, on a batch of this sentence; three runs with fresh weights."""
    result = trained(sentence, t)
    words = result.truth or result.outputs[-1] or ("<eos>",)
    batch = pair_batch([Pair(result.source, words)] * BATCH, TRANSLATION)
    ms = result.ms.copy()
    order = [
        (run, n) for run in range(len(SEEDS)) for n in range(len(NAMES))
    ]  # what else the machine does hits all alike
    for done, (run, n) in enumerate(order, start=1):
        ms[n, run] = step_time(NAMES[n], SEEDS[run], batch)
        yield done / len(order), replace(result, ms=ms.copy())


def step_time(score: str, seed: int, batch: Batch) -> float:
    """Milliseconds of the fastest of a few steps."""
    card, times = load_card(checkpoint(score, seed)), []
    with torch.inference_mode(False), torch.enable_grad():
        model = zoo.build(card.kind, card.config, seed)
        for _ in range(TIMED + 1):
            start = time.perf_counter()
            loss = F.cross_entropy(model(*batch.inputs).flatten(0, 1), batch.targets.flatten())
            loss.backward()
            times.append(time.perf_counter() - start)
    return min(times[1:]) * 1000
