"""Detect sentences that the small grammar cannot produce. Run as a module, it writes assets/world.json.

A model trained on a small grammar translates any input fluently, even nonsense. So the page first checks the
input: every two neighbouring words, as kinds of words (all animals are one kind, all months another), must
occur side by side somewhere in the training sentences. If not, the sentence is outside the grammar. The check
flags 1% of test sentences, 99% of shuffled sentences and 92% of sentences with one word replaced at random
(measured in the tests).
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from models.tasks.translation import lexicon as lex

PATH = Path(__file__).parents[3] / "assets" / "world.json"
SENTENCES = 100_000  # sentences from which pairs are collected, as many as the models' training data
ALIKE = (
    "small big beautiful old new young good",
    "tired sick happy",
    "red black",
    "french european",
    "economic agricultural",
    "his her their my our your",
    "paris london france italy canada japan",
)


@cache
def kinds() -> dict[str, str]:
    """Map each English word to its kind, for words that share a kind with other words."""
    groups: dict[str, list[str]] = {f"{noun.kind}s": [] for noun in lex.NOUNS.values()}
    for noun in lex.NOUNS.values():
        groups.setdefault(noun.kind, []).append(noun.english)
        groups[f"{noun.kind}s"].append(noun.english_plural)
    groups |= {words.split()[0]: words.split() for words in ALIKE}
    groups |= {"month": [*lex.MONTHS], "year": [*lex.YEARS], "day": [*lex.DAYS], "number": [*lex.NUMBERS]}
    several = {noun.english for noun in lex.SENSES.values()} | {"light", "read", "may", "march"}
    found = {word: kind for kind, words in groups.items() for word in words}
    return {word: kind for word, kind in found.items() if word not in several and word != "-"}


def pairs_of(tokens: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield every pair of neighbouring words as kinds, with `|` before the first and after the last word."""
    known = kinds()
    return pairwise(("|", *(known.get(word, word) for word in tokens), "|"))


@cache
def seen_pairs() -> frozenset[tuple[str, str]]:
    return frozenset(
        (left, right)
        for left, rights in json.loads(PATH.read_text(encoding="utf-8")).items()
        for right in rights.split()
    )


def find_strange_words(tokens: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the first pair of neighbours never seen in training, or None if all pairs were seen."""
    bordered = ("", *tokens, "")
    for place, pair in enumerate(pairs_of(tokens)):
        if pair not in seen_pairs():
            return tuple(word for word in bordered[place : place + 2] if word)
    return None


def main() -> None:
    from models.tasks import TASKS

    learned = TASKS["translation"].pairs("train", SENTENCES, lengths=range(3, 21))
    found: dict[str, set[str]] = defaultdict(set)
    for pair in learned:
        for left, right in pairs_of(pair.source):
            found[left].add(right)
    table = {left: " ".join(sorted(rights)) for left, rights in sorted(found.items())}
    PATH.write_text(json.dumps(table, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{PATH.name}: {sum(map(len, found.values())):,} neighbours in {len(learned):,} sentences")


if __name__ == "__main__":
    main()
