"""The interface that every task implements."""

import random

import pytest

from models.tasks.task import SPLITS, Pair, Task, split_of
from models.vocabulary import InputError, Vocabulary

WORDS = ("red", "green", "blue", "white")


def draw(rng: random.Random, lengths: range) -> Pair:
    source = tuple(rng.choices(WORDS, k=rng.choice(lengths)))
    return Pair(source, source[::-1])


TAUGHT = Pair(("red", "green", "blue"), ("blue", "green", "red"))
TASK = Task(
    "colours", Vocabulary.of(WORDS), Vocabulary.of(WORDS), draw, lengths=range(2, 7), course={TAUGHT: 3}
)


def test_splits_are_disjoint_for_any_seed():
    sources = {
        split: {pair.source for seed in range(3) for pair in TASK.pairs(split, 150, seed)} for split in SPLITS
    }
    assert all(sources.values())
    assert not sources["train"] & sources["test"]
    assert not sources["train"] & sources["validation"]
    assert not sources["validation"] & sources["test"]


def test_about_nine_in_ten_sentences_are_for_training():
    rng = random.Random(0)
    found = [split_of(tuple(rng.choices(WORDS, k=12))) for _ in range(4000)]
    assert found.count("train") / 4000 == pytest.approx(0.9, abs=0.02)
    assert found.count("test") / 4000 == pytest.approx(0.05, abs=0.015)


def test_pairs_are_different_and_the_same_for_the_same_seed():
    pairs = TASK.pairs("test", 50, seed=4)
    assert len({pair.source for pair in pairs}) == len(pairs) == 50
    assert pairs == TASK.pairs("test", 50, seed=4)
    assert pairs != TASK.pairs("test", 50, seed=5)


def test_a_small_task_gives_what_it_has():
    few = TASK.pairs("train", 1000, lengths=range(2, 3))
    assert 0 < len(few) <= 16
    assert len({pair.source for pair in few}) == len(few)


def test_lengths_are_honoured():
    assert {len(pair.source) for pair in TASK.pairs("train", 100, lengths=range(5, 7))} == {5, 6}


def test_the_course_s_own_sentences_are_in_training_and_nowhere_else():
    assert TASK.pairs("train", 200).count(TAUGHT) == 3
    for split in ("validation", "test"):
        assert TAUGHT.source not in {pair.source for pair in TASK.pairs(split, 300)}
    assert TAUGHT not in TASK.pairs("train", 20, lengths=range(5, 6))


def test_an_unknown_split_is_an_error():
    with pytest.raises(ValueError, match="split is one of"):
        TASK.pairs("tests", 1)


def test_reading_and_joining():
    assert TASK.read(" Red\tGREEN ") == ("red", "green")
    assert TASK.join(("red", "green")) == "red green"


def test_source_and_target_have_their_limits():
    assert len(TASK.read("red " * 6)) == 6
    with pytest.raises(InputError, match=r"7 words\. Use at most 6"):
        TASK.read("red " * 7)
    assert len(TASK.read_target("red " * 12)) == 12
    with pytest.raises(InputError, match="Use at most 12"):
        TASK.read_target("red " * 13)


def test_ten_thousand_characters_are_refused_at_the_door():
    with pytest.raises(InputError, match=r"The text has 10,000 characters\. Use at most 6 words\."):
        TASK.read("x" * 10_000)


def test_a_task_may_clean_its_source_but_not_its_target():
    task = Task("", TASK.source, TASK.target, draw, clean=lambda text: text.replace("crimson", "red"))
    assert task.read("crimson blue") == ("red", "blue")
    with pytest.raises(InputError, match="crimson"):
        task.read_target("crimson blue")
