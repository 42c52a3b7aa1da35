"""What the experiments share: the translator of this lesson, its teachers, and figures by length."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from lessons.kit.translators import TRANSLATION, Tokens, Words, card_of, english, rung, said
from lessons.kit.truth import truth_of
from models.vocabulary import Vocabulary

TRANSLATOR = "translation-none-128-s0"  # one vector c, handed over as the decoder's first state
TEACHERS = tuple(f"translation-additive-64-s{seed}" for seed in (0, 1, 2))  # with attention: they have an answer to any sentence


def figures(name: str) -> Mapping[str, Any]:
    """What the model's card says about it."""
    return card_of(name).metrics


def by_length(name: str, measure: str, steps: int | None = None) -> np.ndarray:
    """(buckets,) a figure against the source length."""
    return np.array([row[measure] for row in rung(name, steps)["by_length"]])


def middles(name: str) -> np.ndarray:
    """(buckets,) the middle of each bucket of lengths."""
    return np.array([(row["from"] + row["to"]) / 2 for row in figures(name)["by_length"]])


@lru_cache(maxsize=64)
def teacher_of(source: Tokens) -> Words:
    """The right translation where the grammar knows it; elsewhere a model with attention stands in for it."""
    return truth_of(TRANSLATION, english(source)) or said(TEACHERS[0], source)


def taught(source: Tokens) -> Tokens:
    """What the teacher says, and <eos>."""
    return (*TRANSLATION.target.ids(teacher_of(source)), Vocabulary.eos)
