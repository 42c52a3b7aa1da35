"""Sentences of the larger world, as long as they are asked to be: one clause, several, or several sentences joined."""

import random
from functools import cache
from itertools import accumulate
from math import exp

from models.tasks.everyday import compound, extras, reported, simple, weather
from models.tasks.everyday.nominals import Draft, pronoun_for
from models.tasks.everyday.special import special_sentence
from models.tasks.task import Pair
from models.tasks.translation.nominals import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, join, leaf, pair_of

LENGTHS = range(2, 41)
EXTRA = 0.26  # the share of constructions with a French of their own
SPECIAL = 0.037  # the share of the small world's constructions


def one_part(draft: Draft, size: int) -> Phrase:
    """A statement of about `size` words, without its full stop."""
    draft.room = size - 4
    if size >= draft.rng.uniform(6, 13):
        draft.room = size - 9
        build = draft.pick(compound.DRAWN)
        told = "present" if build in compound.NOT_PAST else "past" if build in compound.ONLY_PAST else draft.time
        if told != draft.time and draft.topic:
            raise DeadEnd
        draft.time = told
        return build(draft)
    return simple.part(draft)


def sentence(draft: Draft, length: int) -> Phrase:
    """About `length` English words."""
    words = length - 1
    if words < draft.rng.uniform(6, 13):
        draft.room = words - 3
        phrase, mark = extras.extra(draft) if draft.chance(EXTRA) else draft.pick(simple.SIMPLE)(draft)
        return join(phrase, leaf(mark, mark))
    if words < 18 and draft.chance(0.06):
        inner = reported.indirect_question(draft)
        mark = "?" if inner.english[0].text == "do" else "."
        return join(inner, leaf(mark, mark))
    draft.time = draft.pick(("past", "past", "present"))
    phrase = one_part(draft, min(words, draft.rng.randint(9, 15)))
    joined = False
    gap = 5 if words > 20 or draft.chance(0.45) else 8  # one rich clause reads better than two that only stand side by side
    while words - len(phrase.english) > gap:
        left = words - len(phrase.english) - 2
        draft.owner = ""
        if draft.topic and draft.topic.is_person:
            draft.given = pronoun_for(draft.topic)
            part = one_part(draft, min(left, draft.rng.randint(7, 14)))
        elif joined:
            raise DeadEnd
        else:
            part = weather.weather(draft)
        comma = leaf(",", ",") if joined or len(phrase.english) > 6 else NOTHING
        phrase = join(phrase, comma, leaf("and", "et"), part)
        joined = True
    return join(phrase, leaf(".", "."))


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
