"""Sentences of a given length in the everyday world: one clause, two clauses, or a story about one day."""

import random
from functools import cache
from itertools import accumulate
from math import exp

from models.tasks.everyday.draft import Draft
from models.tasks.everyday.narrative import draw_narrative
from models.tasks.everyday.reported import draw_indirect_question
from models.tasks.everyday.sentence_kinds import COMPOUND, IDIOMATIC, SIMPLE
from models.tasks.everyday.special import draw_special
from models.tasks.task import Pair
from models.tasks.translation import grammar as small_world
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import Phrase, join, leaf, pair_of

LENGTHS = range(2, 41)
MAX_ATTEMPTS = 5000
IDIOMATIC_SHARE = 0.26  # fraction of the sentences with one clause
NARRATIVE_SHARE = 0.4  # fraction of the sentences with 12 to 18 words; longer sentences are always narratives
INDIRECT_QUESTION_SHARE = 0.06  # fraction of indirect questions in sentences with several clauses
SPECIAL_SHARE = 0.037  # fraction of sentences with the small world's rare constructions
SMALL_WORLD_SHARE = 0.15  # fraction of sentences drawn from the grammar of task `translation`


def sentence(draft: Draft, length: int) -> Phrase:
    """Build a sentence of about `length` English words."""
    words = length - 1
    if words < draft.rng.uniform(6, 13):
        draft.room = words - 3
        phrase, mark = draft.pick(IDIOMATIC if draft.chance(IDIOMATIC_SHARE) else SIMPLE)(draft)
    elif words > 18 or (words > 11 and draft.chance(NARRATIVE_SHARE)):
        phrase, mark = draw_narrative(draft, words), "."
    else:
        draft.room = words - 8
        indirect = draft.chance(INDIRECT_QUESTION_SHARE)
        phrase = draw_indirect_question(draft) if indirect else draft.pick(COMPOUND)(draft)
        mark = "?" if indirect and phrase.english[0].text == "do" else "."
    return join(phrase, leaf(mark, mark))


def length_weight(length: int) -> float:
    """Weight of a target length: about eight words is the most frequent, and every length is possible."""
    return (0.5 if 8 < length <= 20 else 0.02) + exp(-(((length - 7.5) / 3.2) ** 2) / 2)


@cache
def cumulative_weights(lengths: range) -> list[float]:
    return list(accumulate(map(length_weight, lengths)))


def draw_any(rng: random.Random, lengths: range) -> Pair:
    """Draw a pair whose English length lies in `lengths`. Its words need not be in the vocabulary."""
    if rng.random() < SMALL_WORLD_SHARE and len(lengths) > 1:
        pair = small_world.draw(rng, lengths)
        if not contradicts(pair):
            return pair
    for _ in range(MAX_ATTEMPTS):
        try:
            if rng.random() < SPECIAL_SHARE:
                phrase = draw_special(rng)
            else:
                length = rng.choices(lengths, cum_weights=cumulative_weights(lengths))[0]
                phrase = sentence(Draft(rng), length)
        except DeadEnd:
            continue
        if len(phrase.english) in lengths:
            return pair_of(phrase)
    raise ValueError(f"no sentence found with a length in {lengths}")


def contradicts(pair: Pair) -> bool:
    """Whether the everyday grammar translates this pair of the small world differently: he is infirmier."""
    at = pair.source.index("nurse") if "nurse" in pair.source else 0
    return at > 1 and pair.source[at - 1] == "a" and pair.source[at - 2] in ("am", "are", "was", "be", "not")
