"""One sentence translated with and without attention, and exact match by length for both kinds of model."""

from dataclasses import dataclass

import numpy as np

from lessons.kit.checkpoints import (
    BUDGET_OPTIONS,
    TRANSLATION,
    Words,
    figures_at,
    load_card,
    longest_common_budget,
    measured_at,
)
from lessons.kit.contract import Result
from lessons.kit.references import Positions, differing_positions, held_out, matches_reference
from lessons.kit.translator import Translator
from models.recipes import seeds_of

# The two kinds of model are the same except for attention.
VECTOR_MODEL, ATTENTION_MODEL = "translation-none-{}", "translation-oneway-128"
LONGEST_TRAINING = (
    f"{longest_common_budget(seeds_of(VECTOR_MODEL.format(128))[0]):,}"  # training steps for the largest c
)


@dataclass(frozen=True)
class Solved(Result):
    """Results of both models. In each pair: without attention, then with attention."""

    code: int  # k
    width: int  # m
    length: int  # T
    source: Words
    truth: Words  # the reference translation
    outputs: tuple[Words, ...]
    right: tuple[bool, ...]
    wrong: tuple[Positions, ...]  # for each output, positions of words that are not in the reference
    missing: tuple[Positions, ...]  # for each output, positions of reference words that it lacks
    stored: tuple[int, int]  # how many numbers each decoder can use
    lengths: np.ndarray  # (buckets, 2) shortest, longest
    exact: tuple[np.ndarray, ...]  # (seeds, buckets) exact match, from the cards
    trained: tuple[int, int]  # shortest and longest sentence in training
    steps: tuple[int, ...]  # training steps when `exact` was measured
    full: tuple[int, int]  # training steps of the models that translate this sentence
    parameters: tuple[int, ...]


def compute(length: int, number: int, code: str, steps: str) -> Solved:
    pair = held_out(length, number)
    tokens = tuple(TRANSLATION.source.ids(pair.source))
    models = [seeds_of(model) for model in (VECTOR_MODEL.format(code), ATTENTION_MODEL)]
    cards = [load_card(names[0]) for names in models]
    measured = [measured_at(names, BUDGET_OPTIONS[steps]) for names in models]
    translators = [Translator(names[0]) for names in models]
    traces = [translator.run(tokens) for translator in translators]
    outputs = tuple(translators[0].target_words(trace.output) for trace in traces)
    differences = [differing_positions(pair.target, output) for output in outputs]
    by_length = [[figures_at(name, budget)["by_length"] for name in names] for names, budget in measured]
    return Solved(
        code=int(code),
        width=cards[1].config["width"],
        length=length,
        source=pair.source,
        truth=pair.target,
        outputs=outputs,
        right=tuple(bool(matches_reference(output, pair.target)) for output in outputs),
        wrong=tuple(new for _, new in differences),
        missing=tuple(lost for lost, _ in differences),
        stored=(traces[0].c.numel(), traces[1].H.numel()),
        lengths=np.array([(bucket["from"], bucket["to"]) for bucket in by_length[0][0]]),
        exact=tuple(
            np.array([[bucket["exact_match"] for bucket in seed] for seed in seeds]) for seeds in by_length
        ),
        trained=tuple(cards[0].metrics["trained_lengths"]),
        steps=tuple(budget for _, budget in measured),
        full=tuple(card.recipe["steps"] for card in cards),
        parameters=tuple(card.parameters for card in cards),
    )
