"""Compare models with learned weights and models trained with all weights fixed at 1/T."""

from dataclasses import dataclass

import numpy as np

from lessons.attention.seed_metrics import read_metrics
from lessons.attention.translators import output_words
from lessons.kit.checkpoints import TRANSLATION, Tokens, Words, english, load_card, original_run
from lessons.kit.references import matches_reference, reference_for

LEARNED, UNIFORM = "translation-additive-64", "translation-uniform-64"


@dataclass(frozen=True)
class Trained:
    """Metrics of both kinds of model. In each pair: learned weights, then uniform weights."""

    steps: int
    exact: tuple[np.ndarray, np.ndarray]  # (seeds,) exact match on unseen sentences of natural length
    by_length: tuple[np.ndarray, np.ndarray]  # (seeds, buckets)
    lengths: np.ndarray  # (buckets, 2) shortest, longest
    longest: int  # longest source sentence in training, in words
    outputs: tuple[Words, Words]  # for this sentence, seed 0
    truth: Words | None
    right: tuple[bool | None, bool | None]


def compare_models(tokens: Tokens) -> Trained:
    learned, uniform = (read_metrics(name, name) for name in (LEARNED, UNIFORM))
    metrics = load_card(f"{LEARNED}-s0").metrics
    truth = reference_for(TRANSLATION, english(tokens))
    first, second = (output_words(original_run(f"{name}-s0", tokens)) for name in (LEARNED, UNIFORM))
    return Trained(
        steps=learned.steps,
        exact=(np.array(learned.exact), np.array(uniform.exact)),
        by_length=(learned.by_length, uniform.by_length),
        lengths=np.array([(row["from"], row["to"]) for row in metrics["by_length"]]),
        longest=metrics["trained_lengths"][1],
        outputs=(first, second),
        truth=truth,
        right=(matches_reference(first, truth), matches_reference(second, truth)),
    )
