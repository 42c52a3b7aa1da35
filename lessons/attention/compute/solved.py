"""The same sentence with and without attention; how good both are at every length; what each has to keep."""

from dataclasses import dataclass

import numpy as np

from lessons.kit.contract import Result
from lessons.kit.translators import STEPS, TRANSLATION, Words, card_of, french, rung, untouched
from lessons.kit.truth import Places, differing, held_out, is_right
from models import recipes
from models.vocabulary import Vocabulary

WITHOUT, WITH = "translation-none-{}-s{}", "translation-oneway-128-s{}"  # the same encoder and decoder, but for attention
LATE = [*STEPS][-1]


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
    exact: np.ndarray  # (2, seeds, buckets) exact match, from the cards
    trained: tuple[int, int]  # lengths that the models were trained on,
    steps: tuple[int, int]  # and for how long, when they were measured
    full: tuple[int, int]  # and when they translate this sentence


def solved(length: int, number: int, code: str, steps: str) -> Solved:
    pair = held_out(length, number)
    tokens = tuple(TRANSLATION.source.ids(pair.source))
    names = [[WITHOUT.format(code, seed) for seed in recipes.LADDER_SEEDS], [WITH.format(seed) for seed in recipes.LADDER_SEEDS]]
    cards = [card_of(each[0]) for each in names]
    budgets = [min(STEPS[steps], card.recipe["steps"]) for card in cards]
    traces = [untouched(each[0], tokens) for each in names]
    outputs = tuple(french(token for token in trace.output if token != Vocabulary.eos) for trace in traces)
    changes = [differing(pair.target, output) for output in outputs]
    figures = [[rung(name, budget) for name in each] for each, budget in zip(names, budgets, strict=True)]
    buckets = figures[0][0]["by_length"]
    return Solved(
        code=int(code),
        width=cards[1].config["width"],
        length=length,
        source=pair.source,
        truth=pair.target,
        outputs=outputs,
        right=tuple(bool(is_right(output, pair.target)) for output in outputs),
        wrong=tuple(new for _, new in changes),
        missing=tuple(lost for lost, _ in changes),
        stored=(traces[0].c.numel(), traces[1].H.numel()),
        lengths=np.array([(bucket["from"], bucket["to"]) for bucket in buckets]),
        exact=np.array([[[b["exact_match"] for b in card["by_length"]] for card in cards] for cards in figures]),
        trained=tuple(figures[0][0]["trained_lengths"]),
        steps=tuple(budgets),
        full=tuple(card.recipe["steps"] for card in cards),
    )
