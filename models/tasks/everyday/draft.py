"""The sentence that is being drawn, and the noun phrases it is made of."""

import random
from typing import NamedTuple

from models.tasks.everyday.lexicon import Lexicon, Noun, Pool, lexicon
from models.tasks.translation.draft import BaseDraft, DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import Phrase


class Nominal(NamedTuple):
    """What can be a subject or an object, with all that other words need to know about it."""

    phrase: Phrase
    agreement: Agreement  # the French person, gender and number
    plural: bool  # the English number: my hair is, mes cheveux sont
    pronoun: str  # the English pronoun that would stand for it
    noun: Noun | None = None
    definite: bool = True
    owner: str = ""  # the possessive it begins with
    traits: tuple[str, ...] = ()  # the English adjectives already said of it

    @property
    def is_person(self) -> bool:
        return self.noun is None or self.noun.is_person

    @property
    def who(self) -> tuple[int, bool]:
        """Which form of an English verb goes with it."""
        return self.agreement.person, self.plural


class Draft(BaseDraft):
    """A sentence of the larger world."""

    def __init__(self, rng: random.Random, room: int = 0):
        super().__init__(rng, room)
        self.lexicon: Lexicon = lexicon()
        self.owner = ""  # the possessive of the clause's subject
        self.verb = ""  # the verb whose object is drawn
        self.everyday = False  # only the, a, some and possessives, as in a story of one day

    def own(self) -> str:
        """A possessive: mostly that of the subject, so that she loses her keys and not mine."""
        if self.owner == "its":
            return "its" if self.chance(0.4) else "the"
        if self.owner and self.chance(0.9):
            return self.owner
        return self.pick(OWN if self.owner not in THIRD_PERSON else OWN[:6])

    def noun(self, pool: Pool | str) -> Noun:
        """A noun of this pool that the sentence has not used."""
        pool = self.lexicon.pool(pool) if isinstance(pool, str) else pool
        if not pool.nouns:
            raise DeadEnd
        for _ in range(4):
            noun = pool.pick(self.rng)
            if noun.english not in self.nouns:
                self.nouns.add(noun.english)
                return noun
        raise DeadEnd


OWN = ("my", "my", "my", "our", "your", "your", "his", "her", "their")

THIRD_PERSON = ("his", "her", "their", "its")  # son is any of them: laura finds her cats, not his
