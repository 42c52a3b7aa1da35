"""Task `bank`: only the cue word determines the sense of an ambiguous word."""

import hashlib
import os
import subprocess
import sys
from collections import Counter, defaultdict

import pytest

from models.tasks import sense_sentences
from models.tasks.bank import BANK, BLANK
from models.tasks.task import SPLITS

EXAMPLES = {split: list(BANK.iterate_examples(split)) for split in SPLITS}
each_split = pytest.mark.parametrize("split", SPLITS)


def prefix_with_word(example):
    return example.tokens[: example.position + 1]


def test_size():
    assert len(BANK.scenes) >= 8
    assert all(len(senses) == 2 for senses in BANK.senses.values())
    assert len(BANK.labels) == len(set(BANK.labels)) == 2 * len(BANK.scenes)
    assert {example.label for example in EXAMPLES["train"]} == set(BANK.labels)
    assert sense_sentences.senses() == BANK.senses
    assert len(sense_sentences.words()) >= 2000
    assert BANK.senses["bank"] == ("money", "river")
    assert BANK.labels[:2] == ("bank: money", "bank: river")
    assert len(BANK.answers) == len(set(BANK.answers)) == len(BANK.labels) + len(BANK.vocabulary)


def is_cue_after(example) -> bool:
    """Check whether the cue comes after the ambiguous word."""
    return example.cue > example.position


@each_split
def test_prefix_without_cue_has_both_senses_equally_often(split):
    """Each prefix that ends at or before the ambiguous word occurs equally often with each sense."""
    counts = defaultdict(Counter)
    for example in filter(is_cue_after, EXAMPLES[split]):
        for end in range(1, example.position + 2):
            counts[example.word, example.tokens[:end]][example.sense] += 1
    assert len(counts) > 200
    for (word, _), senses in counts.items():
        assert set(senses) == set(BANK.senses[word])
        assert len(set(senses.values())) == 1


def test_only_the_cue_depends_on_the_sense():
    for split in SPLITS:
        counts = defaultdict(Counter)
        for example in EXAMPLES[split]:
            gapped = (*example.tokens[: example.cue], "_", *example.tokens[example.cue + 1 :])
            counts[gapped][example.sense] += 1
        assert all(len(senses) == 2 and len(set(senses.values())) == 1 for senses in counts.values())


def test_the_cue_settles_the_sense():
    senses = defaultdict(set)
    for split in SPLITS:
        for example in EXAMPLES[split]:
            senses[example.word, example.tokens[example.cue]].add(example.sense)
    assert all(len(found) == 1 for found in senses.values())
    cues = Counter((word, sense) for (word, _), found in senses.items() for sense in found)
    assert len(cues) == len(BANK.labels)
    assert min(cues.values()) >= 6


def test_every_scene_has_six_cues_per_sense():
    for scenes in BANK.scenes.values():
        for scene in scenes:
            assert all(len(cues) == 6 for cues in scene.cues.values())
            assert len(scene.after) >= 3  # with fewer, some cues might not appear in the training data


def test_cues_have_many_distances_on_both_sides():
    distances = Counter(example.cue - example.position for example in EXAMPLES["test"])
    assert set(distances) >= {*range(1, 9), *range(-7, -4)}
    drawn = BANK.examples("train", 3000)
    assert sum(not is_cue_after(example) for example in drawn) / 3000 == pytest.approx(1 / 3, abs=0.04)


def test_sentences_have_one_ambiguous_word_and_one_cue():
    cues = {
        word: {cue for scene in scenes for some in scene.cues.values() for cue in some}
        for word, scenes in BANK.scenes.items()
    }
    for split in SPLITS:
        for example in EXAMPLES[split]:
            assert example.tokens[-1] == "."
            assert [token for token in example.tokens if token in BANK.scenes] == [example.word]
            assert example.tokens[example.position] == example.word
            assert [i for i, token in enumerate(example.tokens) if token in cues[example.word]] == [
                example.cue
            ]


def test_splits_share_no_sentence_but_share_all_words():
    sentences = {split: {example.tokens for example in EXAMPLES[split]} for split in SPLITS}
    assert all(len(sentences[split]) == len(EXAMPLES[split]) for split in SPLITS)
    assert not sentences["train"] & sentences["test"]
    assert not sentences["train"] & sentences["validation"]
    assert not sentences["validation"] & sentences["test"]
    trained = {token for tokens in sentences["train"] for token in tokens}
    assert trained | sense_sentences.words() | {BLANK} == set(BANK.vocabulary.words[3:])


def test_endings_of_test_sentences_are_unseen():
    around = {
        split: {(e.word, e.tokens[e.position + 1 :]) for e in EXAMPLES[split] if is_cue_after(e)}
        for split in SPLITS
    }
    leads = {
        split: {(e.word, e.tokens[: e.tokens.index(",")]) for e in EXAMPLES[split] if not is_cue_after(e)}
        for split in SPLITS
    }
    endings = {split: around[split] | leads[split] for split in SPLITS}
    assert not endings["train"] & endings["test"]
    assert not endings["validation"] & endings["test"]


def test_sentence_of_the_lesson_exists():
    for place, sense in (("street", "money"), ("river", "river")):
        tokens = tuple(f"i arrived at the bank after crossing the {place} .".split())
        (example,) = [example for split in SPLITS for example in EXAMPLES[split] if example.tokens == tokens]
        assert (example.position, example.word, example.sense, example.cue) == (4, "bank", sense, 8)


@each_split
def test_examples_are_balanced_and_belong_to_their_split(split):
    count = 3 * len(BANK.labels)
    examples = BANK.examples(split, count, seed=3)
    assert Counter(example.label for example in examples) == dict.fromkeys(BANK.labels, 3)
    assert set(examples) <= set(EXAMPLES[split])


def test_examples_come_in_pairs_with_opposite_senses():
    examples = BANK.examples("test", 400)
    for one, other in zip(examples[::2], examples[1::2], strict=True):
        assert is_cue_after(one) == is_cue_after(other)
        assert prefix_with_word(one) == prefix_with_word(other) or not is_cue_after(one)
        assert one.word == other.word
        assert one.sense != other.sense


@pytest.mark.parametrize("count", [0, 1, 7, 40])
def test_requested_number_of_examples(count):
    assert len(BANK.examples("train", count)) == count


def test_same_seed_gives_same_examples():
    assert BANK.examples("train", 50, seed=1) == BANK.examples("train", 50, seed=1)
    assert BANK.examples("train", 50, seed=1) != BANK.examples("train", 50, seed=2)
    with pytest.raises(ValueError, match="split is one of"):
        BANK.examples("tests", 1)


def test_unfinished_sentences_stop_before_the_cue_and_leave_both_senses_open():
    examples = BANK.examples("train", 400, unfinished=1.0)
    starts = {
        example.tokens[:end]
        for example in filter(is_cue_after, EXAMPLES["train"])
        for end in range(example.position + 1, example.cue + 1)
    }
    for one, other in zip(examples[::2], examples[1::2], strict=True):
        assert one.tokens == other.tokens
        assert one.tokens in starts
        assert {one.sense, other.sense} == set(BANK.senses[one.word])
        assert one.cue is None
        assert one.tokens[one.position] == one.word
    some = BANK.examples("train", 2000, unfinished=0.25)
    assert sum(example.cue is None for example in some) / 2000 == pytest.approx(0.25, abs=0.06)
    assert len({len(example.tokens) - example.position for example in examples}) >= 7


PRINT_HASH = """
import hashlib
from models.tasks.bank import BANK
drawn = (BANK.vocabulary.words, BANK.labels, BANK.examples("test", 100, 1, 0.3))
print(hashlib.sha256(repr(drawn).encode()).hexdigest())
"""


def test_examples_do_not_depend_on_the_process():
    here = repr((BANK.vocabulary.words, BANK.labels, BANK.examples("test", 100, 1, 0.3))).encode()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        there = subprocess.run(
            [sys.executable, "-c", PRINT_HASH], env=environment, capture_output=True, text=True, check=True
        )
        assert there.stdout.strip() == hashlib.sha256(here).hexdigest()
