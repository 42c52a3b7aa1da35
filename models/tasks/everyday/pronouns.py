"""Subject and object pronouns."""

from collections.abc import Sequence
from typing import NamedTuple

from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Noun
from models.tasks.everyday.tables import word_group
from models.tasks.translation import lexicon as small
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import Phrase, leaf

CLITICS = {  # English object → direct clitic, dative clitic, form after a preposition
    "me": ("me", "me", "moi"),
    "you": ("vous", "vous", "vous"),
    "him": ("Le", "lui", "lui"),
    "her": ("La", "lui", "elle"),
    "it": ("Le", "", ""),
    "us": ("nous", "nous", "nous"),
    "them": ("Les", "leur", "eux"),
}

OBJECT_OF = {"i": "me", "you": "you", "he": "him", "she": "her", "it": "it", "we": "us", "they": "them"}


def pronoun(word: str, gender: str = "m", noun: Noun | None = None) -> Nominal:
    """Build a subject pronoun."""
    person = {"i": 1, "we": 1, "you": 2}.get(word, 3)
    plural = word in ("we", "they")
    spoken = leaf(word, small.french_subject(word, gender, plural))
    return Nominal(spoken, Agreement(gender, plural, person), plural, word, noun)


def impersonal_it() -> Nominal:
    """The impersonal subject in: it is raining: il pleut."""
    return Nominal(leaf("it", "il"), Agreement("m"), False, "it")


def ce(word: str, plural: bool = False) -> Nominal:
    """The French subject ce, for it, this or that before a form of to be."""
    return Nominal(leaf(word, "Ce"), Agreement("m", plural), plural, "it")


def draw_pronoun(
    draft: Draft,
    words: Sequence[str] = ("i", "i", "i", "i", "we", "you", "you", "he", "he", "she", "she", "they"),
) -> Nominal:
    word = draft.pick(words)
    return pronoun(word, "f" if word == "she" else "m")


COLLECTIVE_NOUNS = word_group("collective_nouns")


def pronoun_for(nominal: Nominal) -> Nominal:
    """The pronoun that refers to `nominal` later in the sentence."""
    if nominal.noun and nominal.noun.english in COLLECTIVE_NOUNS:
        raise DeadEnd
    if nominal.agreement.person < 3:
        return pronoun(nominal.pronoun, nominal.agreement.gender)
    agreement = nominal.agreement
    spoken = leaf(nominal.pronoun, small.french_subject("", agreement.gender, agreement.plural))
    return Nominal(spoken, agreement, nominal.plural, nominal.pronoun, nominal.noun)


class Clitic(NamedTuple):
    """An object pronoun: it follows the verb in English but precedes it in French."""

    english: str
    phrase: Phrase
    agreement: Agreement | None  # what a participle agrees with; None for a dative


def clitic(word: str, gender: str = "m", dative: bool = False, plural: bool | None = None) -> Clitic:
    direct, indirect, _ = CLITICS[word]
    if word == "it" and gender == "f":
        direct = "La"
    if plural and word == "it":
        direct = "Les"
    if plural is False and word == "them":  # plural in English only: my jeans, le jean
        direct = "La" if gender == "f" else "Le"
    many = word in ("us", "them") if plural is None else plural
    return Clitic(
        word, leaf(word, indirect if dative else direct), None if dative else Agreement(gender, many)
    )
