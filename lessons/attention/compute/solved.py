"""The same sentence with and without attention; how good both are at every length; what each has to keep."""

from dataclasses import dataclass

import numpy as np

from lessons.kit.checkpoints import (
    STEPS,
    TRANSLATION,
    Words,
    figures_at,
    french,
    load_card,
    longest_common_budget,
    measured_at,
    original_run,
)
from lessons.kit.contract import Result
from lessons.kit.references import Places, differing_positions, held_out, matches_reference
from models import recipes
from models.vocabulary import Vocabulary

WITHOUT, WITH = (
    "translation-none-{}",
    "translation-oneway-128",
)  # the same encoder and decoder, but for attention
LATE = (  # the longest that the largest c was trained for
    f"{longest_common_budget(recipes.seeds_of(WITHOUT.format(128))[0]):,}"
)


@dataclass(frozen=True)
class Solved(Result):
    """First without attention, then with it."""

    code: int  # k
    width: int  # m
    length: int  # T
    source: Words
    truth: Words  # the translation by the grammar
    outputs: tuple[Words, ...]
    right: tuple[bool, ...]
    wrong: tuple[Places, ...]  # places of each output that the truth has not
    missing: tuple[Places, ...]  # places of the truth that each output has not
    stored: tuple[int, int]  # numbers that the decoder can look at
    lengths: np.ndarray  # (buckets, 2) from, to
    exact: tuple[np.ndarray, ...]  # (seeds, buckets) exact match, from the cards
    trained: tuple[int, int]  # lengths that the models were trained on,
    steps: tuple[int, ...]  # and for how long, when they were measured
    full: tuple[int, int]  # and when they translate this sentence
    parameters: tuple[int, ...]  # of each model


def solved(length: int, number: int, code: str, steps: str) -> Solved:
    pair = held_out(length, number)
    tokens = tuple(TRANSLATION.source.ids(pair.source))
    models = [recipes.seeds_of(model) for model in (WITHOUT.format(code), WITH)]
    cards = [load_card(names[0]) for names in models]
    measured = [measured_at(names, STEPS[steps]) for names in models]
    traces = [original_run(names[0], tokens) for names in models]
    outputs = tuple(french(token for token in trace.output if token != Vocabulary.eos) for trace in traces)
    changes = [differing_positions(pair.target, output) for output in outputs]
    figures = [[figures_at(name, had)["by_length"] for name in names] for names, had in measured]
    return Solved(
        code=int(code),
        width=cards[1].config["width"],
        length=length,
        source=pair.source,
        truth=pair.target,
        outputs=outputs,
        right=tuple(bool(matches_reference(output, pair.target)) for output in outputs),
        wrong=tuple(new for _, new in changes),
        missing=tuple(lost for lost, _ in changes),
        stored=(traces[0].c.numel(), traces[1].H.numel()),
        lengths=np.array([(bucket["from"], bucket["to"]) for bucket in figures[0][0]]),
        exact=tuple(
            np.array([[bucket["exact_match"] for bucket in one] for one in seeds]) for seeds in figures
        ),
        trained=tuple(cards[0].metrics["trained_lengths"]),
        steps=tuple(had for _, had in measured),
        full=tuple(card.recipe["steps"] for card in cards),
        parameters=tuple(card.parameters for card in cards),
    )
