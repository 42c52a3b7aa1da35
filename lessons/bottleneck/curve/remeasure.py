"""Measure both kinds of model again on newly drawn test sentences."""

from collections.abc import Iterator
from dataclasses import replace
from time import time

import numpy as np

from lessons.bottleneck.curve.compute import MODEL_KINDS, Curve, Remeasurement, compute
from lessons.bottleneck.measurements import MEASURES
from lessons.bottleneck.translator import ATTENTION_MODELS, models_with_context_dim
from lessons.kit.checkpoints import TRANSLATION, french, load_model
from models import metrics

ROUNDS = 3
SENTENCES_PER_ROUND = 8  # new sentences per bucket


def measure_again(text: str, code: str, steps: str, measure: str) -> Iterator[tuple[float, Curve]]:
    """Measure again, seeded from the clock so that each measurement uses different sentences."""
    yield from measure_in_rounds(compute(text, code, steps, measure), int(time()) % 1_000_000)


def measure_in_rounds(run: Curve, seed: int) -> Iterator[tuple[float, Curve]]:
    """Translate a few sentences per bucket and yield the fraction done and the scores so far."""
    translations: list[list[tuple]] = [[] for _ in run.buckets]  # (reference, one vector, attention)
    models = [load_model(name) for name in (models_with_context_dim(run.code)[0], ATTENTION_MODELS[0])]
    parts = ROUNDS * len(run.buckets)
    for part in range(parts):
        turn, bucket = divmod(part, len(run.buckets))
        low, high = run.buckets[bucket]
        pairs = TRANSLATION.pairs("test", SENTENCES_PER_ROUND, seed=seed + turn, lengths=range(low, high + 1))
        sources = [TRANSLATION.source.ids(pair.source) for pair in pairs]
        outputs = [map(french, metrics.translate(model, sources)) for model in models]
        translations[bucket] += zip([pair.target for pair in pairs], *outputs, strict=True)
        yield (part + 1) / parts, replace(run, remeasured=score_translations(seed, translations))


def score_translations(seed: int, translations: list[list[tuple]]) -> Remeasurement:
    scores = {name: np.full((len(MODEL_KINDS), len(translations)), np.nan) for name in MEASURES.values()}
    for bucket, rows in enumerate(translations):
        if rows:
            references, *outputs_by_kind = zip(*rows, strict=True)
            for kind, outputs in enumerate(outputs_by_kind):
                scores["exact_match"][kind, bucket] = metrics.exact_match(outputs, references)
                scores["token_accuracy"][kind, bucket] = metrics.token_accuracy(outputs, references)
    return Remeasurement(seed, np.array([len(rows) for rows in translations]), **scores)
