"""What is right: pairs of sentences that the grammar made, the truth beside an output, and where two sentences differ."""

import random
from functools import cache

from lessons.kit.checkpoints import TRANSLATION, Words
from lessons.kit.memo import memoize
from models.tasks.task import Pair, Task, split_of
from models.tasks.translation.offered import offered
from models.vocabulary import EOS

TESTS = ((100, 1, range(4, 13)), (8, 3, None))  # sentences, seed, lengths: of the test set, and offered too
DRAWN = 1000  # further sentences, for what a learner may type
Places = tuple[int, ...]


@cache
def known_pairs() -> dict[Words, Pair]:
    """All pairs that lessons know. There is no parser: what is not here has no known translation and no gold links."""
    rng = random.Random("pool")
    drawn = [TRANSLATION.draw(rng, range(3, 13)) for _ in range(DRAWN)]
    tests = [
        pair for count, seed, lengths in TESTS for pair in TRANSLATION.pairs("test", count, seed, lengths)
    ]
    return {pair.source: pair for pair in (*drawn, *tests, *offered(), *TRANSLATION.course)}


def known_pair(source: Words) -> Pair | None:
    """The sentence with its translation and gold links, if the grammar told us."""
    return known_pairs().get(source)


def reference_for(task: Task, source: Words) -> Words | None:
    """The right output, where it is known: by the task's rule, or from the pool."""
    if task.answer:
        return task.answer(source)
    pair = known_pair(source) if task is TRANSLATION else None
    return pair.target if pair else None


def matches_reference(output: Words, truth: Words | None) -> bool | None:
    """Is the output the truth, token for token? <eos> is no token of it. None where the truth is not known."""
    return None if truth is None else tuple(token for token in output if token != EOS) == truth


@memoize
def held_out(length: int, number: int) -> Pair:
    """The number-th sentence of this length that no model was trained on."""
    rng = random.Random(f"attention {length} {number}")
    while True:
        pair = TRANSLATION.draw(rng, range(length, length + 1))
        if split_of(pair.source) != "train" and pair.source not in TRANSLATION.course_sources:
            return pair


def differing_positions(first: Words, second: Words) -> tuple[Places, Places]:
    """Where two sentences differ, in each of them: as few words as can be. One that was dropped does not make the rest differ."""
    shared = [
        [0] * (len(second) + 1) for _ in range(len(first) + 1)
    ]  # how many words both have, in order, from here on
    for i in reversed(range(len(first))):
        for j in reversed(range(len(second))):
            same = first[i] == second[j]
            shared[i][j] = shared[i + 1][j + 1] + 1 if same else max(shared[i + 1][j], shared[i][j + 1])
    lost, new, i, j = [], [], 0, 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            i, j = i + 1, j + 1
        elif shared[i + 1][j] >= shared[i][j + 1]:
            lost.append(i)
            i += 1
        else:
            new.append(j)
            j += 1
    return (*lost, *range(i, len(first))), (*new, *range(j, len(second)))
