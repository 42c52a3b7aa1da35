"""Q11: between seq2seq and the Transformer. What is missing when words look at each other but nobody tells them the order?"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.kit.contract import Result
from lessons.qkv.compute.cross import TASK
from models import zoo
from models.metrics import translate

MODELS = {
    "recurrent": "translation-additive-64-s0",
    "no order": "translation-between-64-s0",
    "with positions": "translation-between-ordered-64-s0",
    "Transformer": "translation-transformer-s0",
}
METRICS = {"whole sentences": "exact_match", "words": "token_accuracy"}
PARTS = ("self-attention", "positions", "masked decoder", "heads", "no recurrence")


def parts(card: zoo.Card) -> tuple[bool, ...]:
    """Which of PARTS a model has, read off its card."""
    whole = card.kind == "transformer"
    encoder = card.config.get("encoder", "")
    attends = whole or encoder.startswith("self-attention")
    return attends, whole or encoder.endswith("positions"), whole, attends, whole


@lru_cache(maxsize=256)
def translation(model: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Greedy. A model that is lost may never end: some room is enough to see that."""
    found = translate(zoo.load(MODELS[model])[0], [TASK.source.ids(words)], limit=len(words) * 3 // 2 + 8)
    return TASK.target.tokens(found[0])


@dataclass(frozen=True)
class Between(Result):
    metric: str
    words: tuple[str, ...]  # as read by the models
    sorted: bool  # the words from A to Z
    models: tuple[str, ...]
    outputs: tuple[tuple[str, ...], ...]  # by model
    as_typed: tuple[tuple[str, ...], ...]  # by model, of the sentence as typed
    has: np.ndarray  # (models, parts) 1 or 0
    parts: tuple[str, ...]
    lengths: np.ndarray  # (buckets, 2) first and last source length
    trained: int  # the longest length in training
    by_length: np.ndarray  # (models, buckets) share right
    overall: np.ndarray  # (models,) on sentences of natural length
    parameters: tuple[int, ...]  # by model


def between(text: str, alphabetical: bool, metric: str) -> Between:
    typed = TASK.read(text)
    words = tuple(sorted(typed)) if alphabetical else typed
    cards = [zoo.load(name)[1] for name in MODELS.values()]
    figure, tables = METRICS[metric], [card.metrics["by_length"] for card in cards]
    return Between(
        metric=metric,
        words=words,
        sorted=alphabetical,
        models=tuple(MODELS),
        outputs=tuple(translation(model, words) for model in MODELS),
        as_typed=tuple(translation(model, typed) for model in MODELS),
        has=np.array([parts(card) for card in cards], dtype=int),
        parts=PARTS,
        lengths=np.array([(bucket["from"], bucket["to"]) for bucket in tables[0]]),
        trained=cards[0].metrics["trained_lengths"][1],
        by_length=np.array([[bucket[figure] for bucket in table] for table in tables]),
        overall=np.array([card.metrics["natural"][figure] for card in cards]),
        parameters=tuple(card.parameters for card in cards),
    )
