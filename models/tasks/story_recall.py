"""Story beginnings that mention a word once, and ask for it after a given number of words.

In ordinary stories a word far back was usually mentioned several times. Here only the distance differs: the
words in between never mention the answer again.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from models.tasks.stories import CHOICES, TAG, Symbols, cast_story, expand

DISTANCES = (12, 20, 30, 40, 60, 80, 100)  # words from the only mention to the answer
MAX_TRIES = 200  # sentences drawn to fill a gap exactly
SHORTEST_SENTENCE = 4  # words, with the full stop
GENDERED = frozenset("she he her his him girl boy".split())
MEETS_HERO = "WHERE lived a MOOD CHILD called HERO< ."
FILLERS = ("ACT .", "SCENE .", "MEETING .", "FEELING .", "LEAD ACT .", "CLAUSES .")
SCENES = ("SCENE .",)  # sentences without the hero and the friends
SPEECH = ("SAYING",)


@dataclass(frozen=True)
class Question:
    """How a story beginning mentions a word, and how it asks for the word again."""

    opening: str  # symbols of the grammar; `<` marks the mention
    fillers: tuple[str, ...]
    ending: str
    answer: str  # a symbol of the grammar, or a word
    choices: tuple[str, ...]  # the words that the answer is chosen from
    avoided: frozenset[str] = frozenset()  # these words do not occur between the mention and the ending


QUESTIONS: Mapping[str, Question] = {
    "name": Question(MEETS_HERO, FILLERS, "poor", "HERO", CHOICES["name"]),
    "pronoun": Question(MEETS_HERO, FILLERS, "then", "PRONOUN", ("she", "he"), GENDERED),
    "colour": Question(
        "HERO DEALT . PRONOUN had lost a COLOUR< OBJECT .",
        FILLERS,
        "nobody had seen the",
        "COLOUR",
        CHOICES["colour"],
    ),
    "object": Question(
        "HERO DEALT . PRONOUN had lost a COLOUR OBJECT< .",
        FILLERS,
        "nobody had seen the COLOUR",
        "OBJECT",
        CHOICES["object"],
    ),
    "mark": Question("HERO DEALT . PRONOUN said : “<", SPEECH, "", "”", CHOICES["mark"]),
}


@dataclass(frozen=True)
class Recall:
    """A beginning and the word that should come next; its only mention was `distance` words before."""

    kind: str
    distance: int
    tokens: tuple[str, ...]
    answer: str
    choices: tuple[str, ...]


def write_recall(kind: str, distance: int, rng: random.Random) -> Recall:
    """Write one beginning; the sentences in between have exactly the right number of words."""
    question = QUESTIONS[kind]
    while True:
        symbols = cast_story(rng)
        opening, ending = (expand(text, symbols, rng) for text in (question.opening, question.ending))
        (answer,) = expand(question.answer, symbols, rng)
        mention = next(n for n, word in enumerate(opening) if TAG.search(word))
        avoided = question.avoided | {answer}
        left = mention + distance - len(opening) - len(ending)
        between = fill(left, question.fillers, symbols, avoided, rng)
        if between is not None and not avoided & set(opening[mention + 1 :]):
            tokens = tuple(TAG.split(word)[0] for word in (*opening, *between, *ending))
            return Recall(kind, distance, use_an(tokens), answer, question.choices)


def fill(
    count: int, fillers: tuple[str, ...], symbols: Symbols, avoided: frozenset[str], rng: random.Random
) -> list[str] | None:
    """Sentences of `count` words in all, without the avoided words; None if none were found."""
    words: list[str] = []
    for _ in range(MAX_TRIES):
        left = count - len(words)
        if left == 0:
            return words
        sentence = expand(rng.choice(fillers), symbols, rng)
        is_fitting = len(sentence) == left or len(sentence) <= left - SHORTEST_SENTENCE
        if is_fitting and not avoided & {TAG.split(word)[0] for word in sentence}:
            words += sentence
    return None


@cache
def write_filler(
    count: int, avoided: frozenset[str] = frozenset(), seed: int = 0, sentences: tuple[str, ...] = SCENES
) -> tuple[str, ...]:
    """Sentences of `count` words (0, or at least 4), by default without the hero and the friends."""
    rng = random.Random(f"filler {count} {seed}")
    for _ in range(MAX_TRIES):
        words = fill(count, sentences, cast_story(rng), avoided, rng)
        if words is not None:
            return use_an(tuple(words))
    raise ValueError(f"no sentences of {count} words without {sorted(avoided)}")


def use_an(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Write “an” before a vowel, as the stories do."""
    return tuple(
        "an" if word == "a" and after[:1] in tuple("aeiou") else word
        for word, after in zip(tokens, (*tokens[1:], "")[: len(tokens)], strict=True)
    )


@cache
def draw_recalls(kind: str, distance: int, count: int, seed: int = 0) -> tuple[Recall, ...]:
    """Draw `count` different beginnings, reproducibly for each seed."""
    rng = random.Random(f"recall {kind} {distance} {seed}")
    found: dict[tuple[str, ...], Recall] = {}
    while len(found) < count:
        recall = write_recall(kind, distance, rng)
        found.setdefault(recall.tokens, recall)
    return tuple(found.values())
