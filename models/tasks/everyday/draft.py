"""The state of a sentence while it is being drawn, and the noun phrases it consists of."""

import random
from typing import NamedTuple

from models.tasks.everyday.lexicon import Lexicon, Noun, Pool, lexicon
from models.tasks.translation.draft import BaseDraft, DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import Phrase


class Nominal(NamedTuple):
    """A possible subject or object, with the features that other words depend on."""

    phrase: Phrase
    agreement: Agreement  # French person, gender and number
    plural: bool  # English number: my hair is, mes cheveux sont
    pronoun: str  # the English pronoun that can replace it
    noun: Noun | None = None
    definite: bool = True
    owner: str = ""  # the possessive it begins with, if any
    traits: tuple[str, ...] = ()  # English adjectives already used for it

    @property
    def is_person(self) -> bool:
        return self.noun is None or self.noun.is_person

    @property
    def who(self) -> tuple[int, bool]:
        """The person and number that select the English verb form."""
        return self.agreement.person, self.plural


class Draft(BaseDraft):
    """A sentence of the everyday world while it is being drawn."""

    def __init__(self, rng: random.Random, room: int = 0):
        super().__init__(rng, room)
        self.lexicon: Lexicon = lexicon()
        self.owner = ""  # possessive of the clause's subject
        self.verb = ""  # the verb whose object is being drawn
        self.everyday = False  # use only the, a, some and possessives, as in a story about one day

    def own(self) -> str:
        """Choose a possessive, mostly the subject's own: she loses her keys, not mine."""
        if self.owner == "its":
            return "its" if self.chance(0.4) else "the"
        if self.owner and self.chance(0.9):
            return self.owner
        return self.pick(OWN if self.owner not in THIRD_PERSON else OWN[:6])

    def noun(self, pool: Pool | str) -> Noun:
        """Draw a noun of this pool that the sentence has not used yet."""
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

# French `son` translates all of these, so they must refer to the subject: laura finds her cats, not his.
THIRD_PERSON = ("his", "her", "their", "its")
