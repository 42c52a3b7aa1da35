"""Phrases in two languages at once. Every French word knows its English source words: the gold alignment."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from models.tasks.task import Pair

VOWELS = tuple("aeiouyàâéèêîôûœh")
NOT_ELIDED = frozenset(
    "haut haute hauts hautes héros hamburger hamburgers hockey huit onze oui yaourt".split()
)  # words before which le does not elide: le huit, le yaourt
ELIDED = {
    "le": "l'",
    "la": "l'",
    "de": "d'",
    "que": "qu'",
    "ne": "n'",
    "je": "j'",
    "me": "m'",
    "se": "s'",
    "jusque": "jusqu'",
}
# Pronouns are capitalised until spelling, because they elide but never contract: de le voir, c' est.
ELIDED |= {"Le": "l'", "La": "l'", "Ce": "c'"}
BEFORE_VOWEL = ELIDED | {"ce": "cet", "ma": "mon", "sa": "son"}  # cet homme, mon amie, son école
CONTRACTED = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}


class Word:
    """One occurrence of an English word: two uses of `the` are two Words, distinguished by identity."""

    __slots__ = ("text",)

    def __init__(self, text: str):
        self.text = text


class Mot(NamedTuple):
    """One French word and its English source words (none for `que` where English leaves out `that`)."""

    text: str
    sources: tuple[Word, ...] = ()


class Phrase(NamedTuple):
    english: tuple[Word, ...] = ()
    french: tuple[Mot, ...] = ()


NOTHING = Phrase()


@cache
def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def leaf(english: str, french: str) -> Phrase:
    """Build an unanalysed phrase: each French word is linked to all of its English words."""
    words = tuple(map(Word, _split(english))) if english else ()
    return Phrase(words, tuple([Mot(text, words) for text in _split(french)]) if french else ())


def echo(phrase: Phrase, french: str) -> Phrase:
    """Add French words for English words that are already used: `not` gives `ne` and then `pas`."""
    return Phrase((), tuple([Mot(text, phrase.english) for text in _split(french)]) if french else ())


def arrange(english: Sequence[Phrase], french: Sequence[Phrase]) -> Phrase:
    """Apply a synchronous rule: order the parts for English and for French. A part may be missing in one."""
    return Phrase(
        tuple([word for part in english for word in part.english]),
        tuple([mot for part in french for mot in part.french]),
    )


def join(*parts: Phrase) -> Phrase:
    """Join parts that have the same order in both languages."""
    return arrange(parts, parts)


def starts_with_vowel(text: str) -> bool:
    return text.startswith(VOWELS) and text not in NOT_ELIDED


def _elide(mot: Mot, following: str) -> Mot:
    if mot.text == "si" and following in ("il", "ils"):
        return Mot("s'", mot.sources)
    written = BEFORE_VOWEL.get(mot.text) if starts_with_vowel(following) else None
    return Mot(written, mot.sources) if written else mot


def spell(french: Sequence[Mot]) -> list[Mot]:
    """Spell French: l' before a vowel, du for de + le. A contracted word keeps the sources of both words."""
    elided = [_elide(mot, after.text) for mot, after in zip(french, [*french[1:], Mot(".")], strict=True)]
    written: list[Mot] = []
    for mot in elided:
        both = CONTRACTED.get((written[-1].text, mot.text)) if written else None
        if both:
            first = written.pop()
            extra = tuple([word for word in mot.sources if word not in first.sources])
            written.append(Mot(both, first.sources + extra))
        else:
            written.append(mot)
    return written


# words with a vowel letter but a consonant sound: a university
CONSONANT_HEARD = frozenset("european university uniform useful used one united".split())
VOWEL_HEARD = frozenset("hour honest".split())  # words with a consonant letter but a vowel sound: an hour


def _takes_an(word: str) -> bool:
    return (word.startswith(tuple("aeiou")) and word not in CONSONANT_HEARD) or word in VOWEL_HEARD


def spell_english(english: Sequence[Word]) -> tuple[str, ...]:
    """Spell English: `an` before a vowel sound."""
    texts = [word.text for word in english]
    for i, text in enumerate(texts[:-1]):
        if text == "a" and _takes_an(texts[i + 1]):
            texts[i] = "an"
    return tuple(texts)


def pair_of(phrase: Phrase) -> Pair:
    """Build the finished sentence pair, with links as (French position, English position)."""
    place = {id(word): i for i, word in enumerate(phrase.english)}
    written = spell(phrase.french)
    links = frozenset([(t, place[id(word)]) for t, mot in enumerate(written) for word in mot.sources])
    return Pair(spell_english(phrase.english), tuple([mot.text.lower() for mot in written]), links)
