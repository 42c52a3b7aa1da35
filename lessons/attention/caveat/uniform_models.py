"""Compare models with learned weights and models trained with all weights fixed at 1/T."""

from dataclasses import dataclass

import numpy as np

from lessons.attention.seed_metrics import read_metrics
from lessons.kit.checkpoints import Words, load_card
from lessons.kit.references import matches_reference
from lessons.kit.translator import Translator

LEARNED, UNIFORM = "translation-additive-64", "translation-uniform-64"


@dataclass(frozen=True)
class Trained:
    """Metrics of both kinds of model. In each pair: learned weights, then uniform weights."""

    steps: int
    exact: tuple[np.ndarray, np.ndarray]  # (seeds,) exact match on unseen sentences of natural length
    by_length: tuple[np.ndarray, np.ndarray]  # (seeds, buckets)
    lengths: np.ndarray  # (buckets, 2) shortest, longest
    longest: int  # longest source sentence in training, in words
    missing: Words  # words of this sentence that both models lack
    outputs: tuple[Words, ...]  # for this sentence, seed 0; empty if words are missing
    truth: Words | None
    right: tuple[bool | None, ...]


def compare_models(words: Words) -> Trained:
    learned, uniform = (read_metrics(name, name) for name in (LEARNED, UNIFORM))
    metrics = load_card(f"{LEARNED}-s0").metrics
    translators = [Translator(f"{name}-s0") for name in (LEARNED, UNIFORM)]
    missing = tuple(word for word in words if not translators[0].knows([word]))
    outputs = () if missing else tuple(each.translate(each.ids(words)) for each in translators)
    truth = None if missing else translators[0].reference(words, outputs[0])
    return Trained(
        steps=learned.steps,
        exact=(np.array(learned.exact), np.array(uniform.exact)),
        by_length=(learned.by_length, uniform.by_length),
        lengths=np.array([(row["from"], row["to"]) for row in metrics["by_length"]]),
        longest=metrics["trained_lengths"][1],
        missing=missing,
        outputs=outputs,
        truth=truth,
        right=tuple(matches_reference(output, truth) for output in outputs),
    )
