"""Sentences of the larger world, as long as they are asked to be: one clause, several, or several sentences joined."""

import random
from functools import cache
from itertools import accumulate
from math import exp

from models.tasks.everyday import compound, extras, reported, simple
from models.tasks.everyday.draft import Draft
from models.tasks.everyday.narrative import narrative
from models.tasks.everyday.special import special_sentence
from models.tasks.task import Pair
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import Phrase, join, leaf, pair_of

LENGTHS = range(2, 41)
EXTRA = 0.26  # the share of constructions with a French of their own
NARRATIVE = 0.4  # the share of longer sentences that tell a day
SPECIAL = 0.037  # the share of the small world's constructions


def sentence(draft: Draft, length: int) -> Phrase:
    """About `length` English words. No two clauses are joined that have nothing to do with each other."""
    words = length - 1
    if words < draft.rng.uniform(6, 13):
        draft.room = words - 3
        phrase, mark = extras.extra(draft) if draft.chance(EXTRA) else draft.pick(simple.SIMPLE)(draft)
        return join(phrase, leaf(mark, mark))
    if words > 18 or (words > 11 and draft.chance(NARRATIVE)):
        return join(narrative(draft, words), leaf(".", "."))
    draft.room = words - 8
    if draft.chance(0.06):
        inner = reported.indirect_question(draft)
        mark = "?" if inner.english[0].text == "do" else "."
        return join(inner, leaf(mark, mark))
    return join(draft.pick(compound.DRAWN)(draft), leaf(".", "."))


def _weight(length: int) -> float:
    """How often a length is aimed at: most often about eight words, and no length seldom."""
    return (0.5 if 8 < length <= 20 else 0.02) + exp(-(((length - 7.5) / 3.2) ** 2) / 2)


@cache
def _weights(lengths: range) -> list[float]:
    return list(accumulate(map(_weight, lengths)))


def draw_any(rng: random.Random, lengths: range) -> Pair:
    """One sentence pair whose English length lies in `lengths`, of whatever words."""
    for _ in range(5000):
        try:
            if rng.random() < SPECIAL:
                phrase = special_sentence(rng)
            else:
                phrase = sentence(Draft(rng), rng.choices(lengths, cum_weights=_weights(lengths))[0])
        except DeadEnd:
            continue
        if len(phrase.english) in lengths:
            return pair_of(phrase)
    raise ValueError(f"no sentence found with a length in {lengths}")
