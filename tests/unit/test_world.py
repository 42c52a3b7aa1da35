"""Sentences outside the models' world are recognised, and those inside it are not flagged."""

import random

import pytest

from models.tasks import TASKS
from models.tasks.translation.world import PATH, find_strange_words, kinds, pairs_of, seen_pairs

TASK = TASKS["translation"]


@pytest.fixture(scope="module")
def sentences() -> list[tuple[str, ...]]:
    return [pair.source for pair in TASK.pairs("test", 600, seed=21, lengths=range(3, 21))]


def test_few_sentences_of_the_grammar_are_strange(sentences):
    assert sum(find_strange_words(sentence) is not None for sentence in sentences) / len(sentences) <= 0.02


def test_shuffled_and_mistaken_sentences_are_strange(sentences):
    rng = random.Random(3)
    shuffled = [
        (*rng.sample(sentence[:-1], len(sentence) - 1), sentence[-1])
        for sentence in sentences
        if len(sentence) > 4
    ]
    assert sum(find_strange_words(sentence) is not None for sentence in shuffled) / len(shuffled) >= 0.97
    replaced = []
    for sentence in sentences:
        place = rng.randrange(len(sentence) - 1)
        replaced.append((*sentence[:place], rng.choice(TASK.source.words[3:]), *sentence[place + 1 :]))
    assert sum(find_strange_words(sentence) is not None for sentence in replaced) / len(replaced) >= 0.87


@pytest.mark.parametrize(
    "text",
    [
        "we eat apples .",
        "is it raining ?",
        "i love you .",
        "where is the station ?",
        "do you like soup ?",
        "we are sick .",
    ],
)
def test_what_people_type_first_is_known(text):
    assert find_strange_words(tuple(text.split())) is None


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("we sleep the house .", ("sleep", "the")),
        ("the house eats the man .", ("house", "eats")),
        ("go to school .", ("go",)),
    ],
)
def test_what_is_new_is_named(text, new):
    assert find_strange_words(tuple(text.split())) == new


def test_the_file_has_only_words_and_kinds_of_the_grammar():
    known = {*TASK.source.words, *kinds().values(), "|"}
    assert {word for pair in seen_pairs() for word in pair} <= known
    assert PATH.stat().st_size < 100_000
    train = TASK.pairs("train", 300, lengths=range(3, 21))
    assert all(pair in seen_pairs() for sentence in train for pair in pairs_of(sentence.source))
