"""The same comparison on data collected by people: pronouncing words, by their number of letters."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lessons.bottleneck.measurements import MEASURES, Band, band_by_length
from lessons.kit.checkpoints import load_card, measured_at
from models import recipes

ONE_VECTOR_MODELS = recipes.seeds_of("pronounce-none-128")
ATTENTION_MODELS = recipes.seeds_of("pronounce-additive-128")
COMPARED_K = "128"  # the size of c in these models
MIN_COMPARED_WORDS = 200  # buckets with fewer test words are drawn, but not named


@dataclass(frozen=True)
class RealWords:
    """Scores of both kinds of model on words of a dictionary that no model was trained on."""

    buckets: tuple[tuple[int, int], ...]  # fewest and most letters
    counts: np.ndarray  # (buckets,) number of test words
    steps: int  # training steps of both
    one_vector: Band  # (buckets,)
    attention: Band  # (buckets,)
    extra_parameters: float  # extra parameters of the model with attention, as a fraction

    @property
    def compared(self) -> tuple[int, int]:
        """Indices of the shortest and the longest bucket with enough test words to compare."""
        enough = np.flatnonzero(self.counts >= MIN_COMPARED_WORDS)
        return int(enough[0]), int(enough[-1])


def real_words(measure: str, budget: int) -> RealWords:
    """Scores after the longest training within the budget, or after the shortest training."""
    steps = max((each for each in recipes.WORD_BUDGETS if each <= budget), default=recipes.WORD_BUDGETS[0])
    one_vector, attention = (load_card(models[0]) for models in (ONE_VECTOR_MODELS, ATTENTION_MODELS))
    rows, key = one_vector.metrics["by_length"], MEASURES[measure]
    return RealWords(
        buckets=tuple((row["from"], row["to"]) for row in rows),
        counts=np.array([row["count"] for row in rows]),
        steps=steps,
        one_vector=band_of_seeds(ONE_VECTOR_MODELS, key, steps),
        attention=band_of_seeds(ATTENTION_MODELS, key, steps),
        extra_parameters=attention.parameters / one_vector.parameters - 1,
    )


def band_of_seeds(models: Iterable[str], measure: str, steps: int) -> Band:
    """(buckets,) a measurement by word length, over the seeds that were trained for so many steps."""
    measured, _ = measured_at(models, steps)
    return band_by_length(measured, measure, steps)
