"""Between seq2seq and the Transformer. What is missing when words look at each other but nobody tells them the order?"""

from dataclasses import dataclass

import numpy as np

from lessons.kit.checkpoints import TRANSLATION, Tokens, Words, english, load_card, read_source, translate
from lessons.kit.contract import Result
from lessons.kit.references import matches_reference, reference_for
from models.recipes import seeds_of
from models.zoo import Card

MODELS = {  # each trained with several seeds: the first translates, the figures are of all
    "recurrent": seeds_of("translation-additive-64"),
    "no positions": seeds_of("translation-between-64"),
    "with positions": seeds_of("translation-between-ordered-64"),
    "Transformer": seeds_of("translation-transformer"),
}
METRICS = {"whole sentences": "exact_match", "words": "token_accuracy"}
PARTS = ("self-attention", "positions", "masked decoder", "heads", "no recurrence")


def parts(card: Card) -> tuple[bool, ...]:
    """Which of PARTS a model has, read off its card."""
    whole = card.kind == "transformer"
    encoder = card.config.get("encoder", "")
    attends = whole or encoder.startswith("self-attention")
    return attends, whole or encoder.endswith("positions"), whole, attends, whole


def translation(model: str, source: Tokens) -> Words:
    """A model that is lost may never end: some room is enough to see that."""
    return translate(MODELS[model][0], source, limit=len(source) * 3 // 2 + 8)


@dataclass(frozen=True)
class Between(Result):
    metric: str
    words: Words  # as read by the models
    sorted: bool  # the words from A to Z
    models: tuple[str, ...]
    truth: Words | None  # of the sentence as typed, where it is known
    outputs: tuple[Words, ...]  # by model
    right: tuple[bool | None, ...]  # by model: is its output the truth
    as_typed: tuple[Words, ...]  # by model, of the sentence as typed
    has: np.ndarray  # (models, parts) 1 or 0
    parts: tuple[str, ...]
    lengths: np.ndarray  # (buckets, 2) first and last source length
    trained: int  # the longest length in training
    seeds: int  # trained of each model
    by_length: np.ndarray  # (models, seeds, buckets) share right
    overall: np.ndarray  # (models, seeds) on sentences of natural length
    parameters: tuple[int, ...]  # by model
    steps: tuple[int, ...]  # of training, by model


def between(text: str, alphabetical: bool, metric: str) -> Between:
    typed = read_source(text, "text")
    source = tuple(sorted(typed)) if alphabetical else typed  # words are numbered from A to Z
    outputs, truth = (
        tuple(translation(model, source) for model in MODELS),
        reference_for(TRANSLATION, english(typed)),
    )
    trained = [[load_card(name) for name in names] for names in MODELS.values()]
    cards, figure = [of[0] for of in trained], METRICS[metric]
    return Between(
        metric=metric,
        words=english(source),
        sorted=alphabetical,
        models=tuple(MODELS),
        truth=truth,
        outputs=outputs,
        right=tuple(matches_reference(output, truth) for output in outputs),
        as_typed=tuple(translation(model, typed) for model in MODELS),
        has=np.array([parts(card) for card in cards], dtype=int),
        parts=PARTS,
        lengths=np.array([(bucket["from"], bucket["to"]) for bucket in cards[0].metrics["by_length"]]),
        trained=cards[0].metrics["trained_lengths"][1],
        seeds=len(trained[0]),
        by_length=np.array(
            [[[bucket[figure] for bucket in card.metrics["by_length"]] for card in of] for of in trained]
        ),
        overall=np.array([[card.metrics["natural"][figure] for card in of] for of in trained]),
        parameters=tuple(card.parameters for card in cards),
        steps=tuple(card.recipe["steps"] for card in cards),
    )
