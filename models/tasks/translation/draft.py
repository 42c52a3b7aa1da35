"""A sentence while it is being drawn: its random numbers, how long it may become, and what it has used."""

import random
from collections.abc import Sequence
from typing import TypeVar

Option = TypeVar("Option")


class DeadEnd(Exception):
    """A sentence that cannot be completed sensibly: draw another one."""


class BaseDraft:
    """What the drafts of both grammars share: random choices and a budget of English words."""

    def __init__(self, rng: random.Random, room: int = 0):
        self.rng = rng
        self.room = room  # English words that optional parts may still use
        self.nouns: set[str] = set()  # English nouns of the sentence, so that none is repeated
        self.verbs: set[str] = set()

    def pick(self, options: Sequence[Option]) -> Option:
        return options[int(self.rng.random() * len(options))]

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def afford(self, cost: int, eager: float = 0.5) -> bool:
        """Decide whether to spend `cost` words on something optional: more likely the more room there is."""
        if self.room < cost or self.rng.random() > eager * min(2.0, self.room / (cost + 2)):
            return False
        self.room -= cost
        return True
