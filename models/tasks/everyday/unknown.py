"""Replace words of a pair by `<unk>` on both sides, so that a model learns to copy unknown words."""

import random
from functools import cache

from models.tasks.everyday.lexicon import lexicon
from models.tasks.everyday.vocabulary import UNKNOWN
from models.tasks.task import Pair

SHARE = 0.15  # fraction of pairs with hidden words
VERB_OR_ADJECTIVE = 0.25  # probability that a verb or adjective may be hidden; nouns and names always may


@cache
def content_words() -> dict[str, float]:
    """English words that may be hidden → probability: 1 for nouns and names, less for other words."""
    words: dict[str, float] = {}
    tables = lexicon()
    for adjective in tables.adjectives:
        words |= dict.fromkeys(adjective.english.split(), VERB_OR_ADJECTIVE)
    for verb in tables.verbs:
        forms = [verb.english_form(form) for form in ("base", "third", "past", "participle", "ing")]
        words |= dict.fromkeys(forms, VERB_OR_ADJECTIVE)
    for noun in (*tables.nouns, *tables.names):
        words |= dict.fromkeys(
            [form for form in (noun.english, noun.english_plural) if form and " " not in form], 1.0
        )
    for word in NEVER:
        words.pop(word, None)
    return words


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


def hide_words(pair: Pair, rng: random.Random, share: float = SHARE) -> Pair:
    """Replace one or two content words by `<unk>` on both sides, in a fraction `share` of all pairs."""
    if rng.random() >= share:
        return pair
    weights = content_words()
    found = [(t, i) for t, i in one_to_one(pair) if rng.random() < weights.get(pair.source[i], 0.0)]
    if not found:
        return pair
    hidden = rng.sample(found, min(len(found), 1 if rng.random() < 0.75 else 2))
    source, target = list(pair.source), list(pair.target)
    for t, i in hidden:
        source[i] = target[t] = UNKNOWN
    return Pair(tuple(source), tuple(target), pair.alignment)
