"""The state of a sentence while it is being drawn: random numbers, word budget, and words already used."""

import random
from collections.abc import Sequence
from typing import TypeVar

Option = TypeVar("Option")


class DeadEnd(Exception):
    """Raised if a sentence cannot be completed sensibly; the caller then draws another one."""


class BaseDraft:
    """State shared by the drafts of both grammars: random choices and a budget of English words."""

    def __init__(self, rng: random.Random, room: int = 0):
        self.rng = rng
        self.room = room  # number of English words still available for optional parts
        self.nouns: set[str] = set()  # English nouns already used, so that none is repeated
        self.verbs: set[str] = set()

    def pick(self, options: Sequence[Option]) -> Option:
        return options[int(self.rng.random() * len(options))]

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def afford(self, cost: int, eager: float = 0.5) -> bool:
        """Decide whether to spend `cost` words on something optional; likelier the more words are left."""
        if self.room < cost or self.rng.random() > eager * min(2.0, self.room / (cost + 2)):
            return False
        self.room -= cost
        return True
