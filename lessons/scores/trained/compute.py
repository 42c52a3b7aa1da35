"""Five translators that differ only in their score: translations, metrics, time per training step."""

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
    french,
    load_card,
    load_model,
    original_run,
    read_small_world,
)
from lessons.kit.contract import Result
from lessons.kit.references import known_pair, matches_reference
from lessons.scores.score_functions import SCORE_NAMES, model_name
from models import zoo
from models.batches import Batch, pair_batch
from models.metrics import aer, strongest_links
from models.recipes import SEEDS
from models.tasks.task import Pair
from models.vocabulary import EOS, Vocabulary

SUGGESTIONS = (  # unseen test sentences whose translation reorders words
    "this european agricultural policy was not new .",
    "two happy young girls do not want the book .",
    "was this treaty on the european economic crisis signed ?",
)
TIMED_STEPS = 4  # after one warm-up step; the fastest counts, because other processes may slow the rest
BATCH_SIZE = 32


def checkpoint_name(score: str, seed: int) -> str:
    return f"{model_name(score)}-s{seed}"


@lru_cache(maxsize=1)
def read_metrics() -> dict[str, np.ndarray]:
    """Metrics (scores, seeds) on 1000 unseen sentences, from the cards, and the parameters of each score."""
    cards = [[load_card(checkpoint_name(score, seed)) for seed in SEEDS] for score in SCORE_NAMES]
    scores = [load_model(row[0].name).score for row in cards]
    metrics = {
        name: np.array([[card.metrics["natural"][name] for card in row] for row in cards])
        for name in ("exact_match", "aer", "bleu")
    }
    parameters = [sum(weight.numel() for weight in score.parameters()) for score in scores]
    return metrics | {"parameters": np.array(parameters)}


@dataclass(frozen=True)
class Trained(Result):
    scores: tuple[str, ...]  # names of the five scores
    source: Words  # x_1 … x_T
    shown: Words  # the words for pictures, with replaced ones marked
    t: int  # the selected output word, from 1
    seen: bool  # whether this sentence is in the training data
    outputs: tuple[Words, ...]  # output of each model
    weights: tuple[np.ndarray, ...]  # (T', T) of each model
    truth: Words | None  # the reference translation, if it is known
    right: tuple[bool | None, ...]  # whether each output is the reference
    gold: tuple[tuple[int, int], ...]  # (t, i)
    sentence_aer: tuple[float | None, ...]  # AER on this sentence, for models that wrote the reference
    sharpest: np.ndarray  # (scores,) the largest weight of each row, mean over rows
    exact_match: np.ndarray  # (scores, seeds)
    aer: np.ndarray  # (scores, seeds)
    bleu: np.ndarray  # (scores, seeds)
    parameters: np.ndarray  # (scores,) parameters of the score alone
    ms: np.ndarray  # (scores, 3) milliseconds per training step in three runs; NaN until measured

    @property
    def words(self) -> tuple[str | None, ...]:
        """The word of each model at t; None if its output is shorter."""
        return tuple(output[self.t - 1] if self.t <= len(output) else None for output in self.outputs)

    @property
    def rows(self) -> np.ndarray:
        """(scores, T) the weights of each model at t; NaN if its output is shorter."""
        missing = np.full(len(self.source), np.nan)
        return np.stack([alpha[self.t - 1] if self.t <= len(alpha) else missing for alpha in self.weights])

    def limits(self) -> dict[str, Any]:
        return {"t": max(1, *map(len, self.outputs))}


def compute(sentence: str, t: int) -> Trained:
    typed = read_small_world(sentence, "sentence")
    tokens = tuple(TRANSLATION.source.ids(typed.words))
    traces = [original_run(checkpoint_name(score, 0), tokens) for score in SCORE_NAMES]
    outputs = tuple(french(token for token in trace.output if token != Vocabulary.eos) for trace in traces)
    weights = [trace.weights[: len(output)] for trace, output in zip(traces, outputs, strict=True)]
    pair = known_pair(typed.words)
    truth = pair.target if pair else None
    right = tuple(matches_reference(output, truth) for output in outputs)
    return Trained(
        scores=SCORE_NAMES,
        source=typed.words,
        shown=typed.shown,
        t=min(t, max(1, *map(len, outputs))),
        seen=typed.words in TRANSLATION.course_sources,
        outputs=outputs,
        weights=tuple(alpha.numpy() for alpha in weights),
        truth=truth,
        right=right,
        gold=tuple(sorted(pair.alignment)) if pair else (),
        sentence_aer=tuple(
            aer([strongest_links(alpha, len(alpha))], [pair.alignment]) if pair and is_right else None
            for alpha, is_right in zip(weights, right, strict=True)
        ),
        sharpest=np.array([alpha.numpy().max(-1).mean() if alpha.numel() else 0.0 for alpha in weights]),
        ms=np.full((len(SCORE_NAMES), len(SEEDS)), np.nan),
        **read_metrics(),
    )


def measure(sentence: str, t: int) -> Iterator[tuple[float, Trained]]:
    """Time a training step of each untrained model on a batch of this sentence, in three runs."""
    result = compute(sentence, t)
    target = result.truth or result.outputs[-1] or (EOS,)
    batch = pair_batch([Pair(result.source, target)] * BATCH_SIZE, TRANSLATION)
    ms = result.ms.copy()
    # Each run times all models in turn, so that other load on the machine affects them equally.
    order = [(run, n) for run in range(len(SEEDS)) for n in range(len(SCORE_NAMES))]
    for count, (run, n) in enumerate(order, start=1):
        ms[n, run] = time_step(SCORE_NAMES[n], SEEDS[run], batch)
        yield count / len(order), replace(result, ms=ms.copy())


def time_step(score: str, seed: int, batch: Batch) -> float:
    """Time in milliseconds of the fastest of a few training steps, forward and backward."""
    card, times = load_card(checkpoint_name(score, seed)), []
    with torch.inference_mode(False), torch.enable_grad():
        model = zoo.build(card.kind, card.config, seed)
        for _ in range(TIMED_STEPS + 1):
            start = time.perf_counter()
            loss = F.cross_entropy(model(*batch.inputs).flatten(0, 1), batch.targets.flatten())
            loss.backward()
            times.append(time.perf_counter() - start)
    return min(times[1:]) * 1000
