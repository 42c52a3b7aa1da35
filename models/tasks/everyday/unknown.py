"""Replace words of a pair by `<unk>` on both sides, so that a model learns to copy unknown words."""

import random
from functools import cache

from models.tasks.everyday.lexicon import Noun, lexicon
from models.tasks.everyday.vocabulary import UNKNOWN
from models.tasks.task import Pair

SHARE = 0.25  # fraction of pairs in which words are hidden
SHARE_WITH_NAMES = 0.5  # the same for pairs with the name of a person or place
VERB_OR_ADJECTIVE = 0.25  # probability that a verb or adjective may be hidden; nouns always may
MARKED_NAME = 0.25  # the same for women's names and countries; other names always may
NAMES_ONLY = 0.6  # probability that only names are hidden if the sentence contains one
TWO = 0.3  # probability that two words are hidden instead of one
# Before an unknown word French is written in full; `models.copying` elides it when the word is known.
IN_FULL = {"d'": "de", "qu'": "que", "j'": "je", "n'": "ne", "m'": "me", "s'": "se", "cet": "ce"}


@cache
def content_words() -> dict[str, float]:
    """English words that may be hidden → probability.

    It is 1 for nouns and most names. An unknown person gets masculine forms and an unknown place the
    preposition à, so the names of men and cities are hidden more often than those of women and countries.
    """
    words: dict[str, float] = {}
    tables = lexicon()
    for adjective in tables.adjectives:
        words |= dict.fromkeys(adjective.english.split(), VERB_OR_ADJECTIVE)
    for verb in tables.verbs:
        forms = [verb.english_form(form) for form in ("base", "third", "past", "participle", "ing")]
        words |= dict.fromkeys(forms, VERB_OR_ADJECTIVE)
    for noun in (*tables.nouns, *tables.names):
        weight = MARKED_NAME if is_marked(noun) else 1.0
        words |= dict.fromkeys(
            [form for form in (noun.english, noun.english_plural) if form and " " not in form], weight
        )
    for word in NEVER:
        words.pop(word, None)
    return words


@cache
def name_words() -> frozenset[str]:
    return frozenset(name.english for name in lexicon().names)


def is_marked(noun: Noun) -> bool:
    """Whether this is a woman's name or a country."""
    return noun.kind == "country" or (noun.kind == "person_name" and noun.sex == "f")


NEVER = (
    "be",
    "have",
    "has",
    "had",
    "do",
    "does",
    "did",
    "go",
    "goes",
    "went",
    "going",
    "can",
    "will",
    "the",
    "a",
    "may",
    "time",
    "home",
)


def one_to_one(pair: Pair) -> list[tuple[int, int]]:
    """Links (target, source) between words that are linked only to each other."""
    targets: dict[int, int] = {}
    sources: dict[int, int] = {}
    for t, i in pair.alignment:
        targets[t] = targets.get(t, 0) + 1
        sources[i] = sources.get(i, 0) + 1
    return sorted((t, i) for t, i in pair.alignment if targets[t] == 1 == sources[i])


def hide_words(pair: Pair, rng: random.Random, share: float | None = None) -> Pair:
    """Replace one or two content words by `<unk>` on both sides, in a fraction `share` of all pairs."""
    has_name = not name_words().isdisjoint(pair.source)
    if rng.random() >= (share or (SHARE_WITH_NAMES if has_name else SHARE)):
        return pair
    weights = content_words()
    found = [(t, i) for t, i in one_to_one(pair) if rng.random() < weights.get(pair.source[i], 0.0)]
    names = [(t, i) for t, i in found if pair.source[i] in name_words()]
    if names and rng.random() < NAMES_ONLY:
        found = names
    if not found:
        return pair
    source, target = list(pair.source), list(pair.target)
    for t, i in rng.sample(found, min(len(found), 2 if rng.random() < TWO else 1)):
        if t:
            target[t - 1] = in_full(target[max(0, t - 2)], *target[t - 1 : t + 1])
        source[i] = target[t] = UNKNOWN
    return Pair(tuple(source), tuple(target), pair.alignment)


@cache
def feminine_words() -> frozenset[str]:
    return frozenset(
        form for noun in lexicon().nouns if noun.gender == "f" for form in (noun.french, noun.french_plural)
    )


def in_full(before: str, word: str, following: str) -> str:
    """The French word without the elision that the following word causes: de for d'."""
    if word == "l'" and following in feminine_words():
        return "la"
    if word == "l'":  # “de le” and “à le” are contracted to du and au
        return word if before in ("de", "à") else "le"
    return IN_FULL.get(word, word)
