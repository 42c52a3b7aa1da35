"""Translate with four models between seq2seq and the Transformer, and load their accuracy by length."""

from dataclasses import dataclass

import numpy as np

from lessons.kit.checkpoints import Tokens, Words, load_card, translate
from lessons.kit.contract import Result
from lessons.kit.references import matches_reference
from lessons.kit.translator import Translator
from models.recipes import seeds_of
from models.zoo import Card

MODELS = {  # name → checkpoints of all seeds: the first is used to translate, all are used for accuracy
    "recurrent": seeds_of("translation-additive-64"),
    "no positions": seeds_of("translation-between-64"),
    "with positions": seeds_of("translation-between-ordered-64"),
    "Transformer": seeds_of("translation-transformer"),
}
READER = Translator(MODELS["recurrent"][0])  # all models have the same vocabulary
METRICS = {"whole sentences": "exact_match", "words": "token_accuracy"}
PARTS = ("self-attention", "positions", "masked decoder", "heads", "no recurrence")


def parts_of(card: Card) -> tuple[bool, ...]:
    """Flags for which of PARTS a model contains."""
    is_transformer = card.kind == "transformer"
    encoder = card.config.get("encoder", "")
    has_attention = is_transformer or encoder.startswith("self-attention")
    has_positions = is_transformer or encoder.endswith("positions")
    return has_attention, has_positions, is_transformer, has_attention, is_transformer


def translate_with(model: str, source: Tokens) -> Words:
    """Translate with a length limit, because a failing model may never produce <eos>."""
    return translate(MODELS[model][0], source, limit=len(source) * 3 // 2 + 8)


@dataclass(frozen=True)
class Between(Result):
    metric: str
    words: Words  # words as the models read them
    sorted: bool  # whether the words are in alphabetical order
    models: tuple[str, ...]
    truth: Words | None  # reference translation of the sentence as typed, if known
    outputs: tuple[Words, ...]  # outputs of the models
    right: tuple[bool | None, ...]  # per model: whether its output equals the reference
    as_typed: tuple[Words, ...]  # per model: output for the sentence as typed
    has: np.ndarray  # (models, parts) 1 if the model contains the part, else 0
    parts: tuple[str, ...]
    lengths: np.ndarray  # (buckets, 2) shortest and longest source length
    trained: int  # longest source length in training
    seeds: int  # number of seeds per model
    by_length: np.ndarray  # (models, seeds, buckets) accuracy
    overall: np.ndarray  # (models, seeds) accuracy on sentences with the natural distribution of lengths
    parameters: tuple[int, ...]  # number of parameters of each model
    steps: tuple[int, ...]  # training steps, per model


def compute(text: str, alphabetical: bool, metric: str) -> Between:
    sentence = READER.read_typed(text, "text")
    typed = READER.ids(sentence.words)
    places = [*range(len(typed))]
    if alphabetical:
        places.sort(key=typed.__getitem__)  # word ids are in alphabetical order
    source = tuple(typed[place] for place in places)
    outputs = tuple(translate_with(model, source) for model in MODELS)
    reference = READER.reference(sentence.words, outputs[0])
    cards_by_seed = [[load_card(name) for name in names] for names in MODELS.values()]
    cards, key = [cards[0] for cards in cards_by_seed], METRICS[metric]
    return Between(
        metric=metric,
        words=tuple(sentence.shown[place] for place in places),
        sorted=alphabetical,
        models=tuple(MODELS),
        truth=reference,
        outputs=outputs,
        right=tuple(matches_reference(output, reference) for output in outputs),
        as_typed=tuple(translate_with(model, typed) for model in MODELS),
        has=np.array([parts_of(card) for card in cards], dtype=int),
        parts=PARTS,
        lengths=np.array([(bucket["from"], bucket["to"]) for bucket in cards[0].metrics["by_length"]]),
        trained=cards[0].metrics["trained_lengths"][1],
        seeds=len(cards_by_seed[0]),
        by_length=np.array(
            [
                [[bucket[key] for bucket in card.metrics["by_length"]] for card in each]
                for each in cards_by_seed
            ]
        ),
        overall=np.array([[card.metrics["natural"][key] for card in each] for each in cards_by_seed]),
        parameters=tuple(card.parameters for card in cards),
        steps=tuple(card.recipe["steps"] for card in cards),
    )
