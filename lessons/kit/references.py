"""Reference translations from the grammar, and the positions where two sentences differ."""

import random
from collections import Counter
from functools import cache
from typing import NamedTuple

from lessons.kit.checkpoints import TRANSLATION, Words
from lessons.kit.memo import memoize
from models.tasks.task import Pair, Task, split_of
from models.tasks.translation.offered import offered_pairs
from models.vocabulary import EOS

# (sentences, seed, lengths) of test sentences that lessons use
TEST_SETS = ((100, 1, range(4, 13)), (8, 3, None))
RANDOM_PAIR_COUNT = 1000  # further pairs, for sentences that a learner may type
Positions = tuple[int, ...]


@cache
def known_pairs() -> dict[Words, Pair]:
    """All sentence pairs with known translations, by source.

    There is no parser, so other sentences have no reference and no gold links.
    """
    rng = random.Random("pool")
    drawn = [TRANSLATION.draw(rng, range(3, 13)) for _ in range(RANDOM_PAIR_COUNT)]
    tests = [
        pair for count, seed, lengths in TEST_SETS for pair in TRANSLATION.pairs("test", count, seed, lengths)
    ]
    return {pair.source: pair for pair in (*drawn, *tests, *offered_pairs(), *TRANSLATION.course)}


def known_pair(source: Words) -> Pair | None:
    """The sentence with its translation and gold links, if it is known."""
    return known_pairs().get(source)


def reference_for(task: Task, source: Words) -> Words | None:
    """The correct output if it is known, from the task's rule or from `known_pairs`."""
    if task.answer:
        return task.answer(source)
    pair = known_pair(source) if task is TRANSLATION else None
    return pair.target if pair else None


def matches_reference(output: Words, truth: Words | None) -> bool | None:
    """Whether the output equals the reference, token for token without <eos>; None without a reference."""
    return None if truth is None else tuple(token for token in output if token != EOS) == truth


@memoize
def held_out(length: int, number: int) -> Pair:
    """The number-th sentence of this length that no model was trained on."""
    rng = random.Random(f"attention {length} {number}")
    while True:
        pair = TRANSLATION.draw(rng, range(length, length + 1))
        if split_of(pair.source) != "train" and pair.source not in TRANSLATION.course_sources:
            return pair


class WordChanges(NamedTuple):
    """How many words differ between two outputs."""

    lost: int  # words only in the first output
    new: int  # words only in the second output
    moved: int = 0  # words in both outputs, in another order


def count_word_changes(first: Words, second: Words) -> WordChanges:
    """Count the words that only one of the outputs has, and those that only change place."""
    lost, new = (
        Counter(words[i] for i in positions)
        for words, positions in zip((first, second), differing_positions(first, second), strict=True)
    )
    return WordChanges((lost - new).total(), (new - lost).total(), (lost & new).total())


def differing_positions(first: Words, second: Words) -> tuple[Positions, Positions]:
    """Positions in each sentence of the words outside their longest common subsequence."""
    # shared[i][j]: length of the longest common subsequence of first[i:] and second[j:]
    shared = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in reversed(range(len(first))):
        for j in reversed(range(len(second))):
            is_same = first[i] == second[j]
            shared[i][j] = shared[i + 1][j + 1] + 1 if is_same else max(shared[i + 1][j], shared[i][j + 1])
    only_first, only_second, i, j = [], [], 0, 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            i, j = i + 1, j + 1
        elif shared[i + 1][j] >= shared[i][j + 1]:
            only_first.append(i)
            i += 1
        else:
            only_second.append(j)
            j += 1
    return (*only_first, *range(i, len(first))), (*only_second, *range(j, len(second)))
