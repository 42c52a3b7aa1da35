"""Word links inside fixed phrases: translations are linked one to one, the remaining words all to all."""

from functools import cache

from models.tasks.everyday.tables import rows
from models.tasks.translation.phrase import Mot, Phrase, Word, leaf


@cache
def pairs() -> frozenset[tuple[str, str]]:
    """Pairs of an English and a French word that are translations of each other."""
    tables = ("nouns", "names", "word_pairs")
    found = {(row["english"], row["french"]) for table in tables for row in rows(table)}
    for row in rows("adjectives"):
        found |= {
            (row["english"], row[form]) for form in ("french_m", "french_f", "french_mpl", "french_fpl")
        }
    return frozenset(found)


def align(words: tuple[Word, ...], french: tuple[str, ...]) -> tuple[Mot, ...]:
    """Link French words to the English words they come from."""
    if len(words) < 2 or not french:
        return tuple([Mot(text, words) for text in french])
    known = pairs()
    matched = [tuple([word for word in words if (word.text, text) in known]) for text in french]
    taken = {id(word) for found in matched for word in found}
    rest = tuple([word for word in words if id(word) not in taken])
    return tuple([Mot(text, found or rest) for text, found in zip(french, matched, strict=True)])


def fixed(english: str, french: str) -> Phrase:
    """Build a fixed phrase of several words in both languages."""
    words = leaf(english, "").english
    return Phrase(words, align(words, tuple(french.split())))


def echo_words(phrase: Phrase, french: str) -> Phrase:
    """Add French words for English words that are already used, linked word by word if possible."""
    return Phrase((), align(phrase.english, tuple(french.split()))) if french else Phrase()
