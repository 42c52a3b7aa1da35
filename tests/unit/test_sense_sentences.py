"""Everyday sentences with an ambiguous word: grammar, balance and splits."""

import random
from collections import Counter, defaultdict

import pytest

from models.tasks import sense_sentences
from models.tasks.bank import BANK
from models.tasks.sense_sentences import (
    FUNCTION_WORDS,
    HIDDEN_SHARE,
    MAX_TOKENS,
    UNKNOWN,
    cut_off,
    draw_sentences,
    hide_words,
    inflect,
    telling_words,
)
from models.tasks.task import SPLITS

DRAWN = {split: draw_sentences(split, 6000 if split == "train" else 1000) for split in SPLITS}
EVERY = [sentence for sentences in DRAWN.values() for sentence in sentences]


def test_every_word_is_in_the_vocabulary():
    assert {token for sentence in EVERY for token in sentence.tokens} <= set(BANK.vocabulary.words)
    assert UNKNOWN in BANK.vocabulary
    assert not {*sense_sentences.words()} & {*BANK.scenes}


def test_a_sentence_contains_its_word_once_where_it_says():
    for sentence in EVERY:
        assert sentence.tokens[sentence.position] == sentence.word
        assert sentence.sense in BANK.senses[sentence.word]
        assert 1 < len(sentence.tokens) <= MAX_TOKENS
        assert not any(mark in token for token in sentence.tokens for mark in "{}|_")


def test_sentences_are_balanced_over_words_and_senses():
    counts = Counter(sentence.label for sentence in DRAWN["train"])
    assert counts == dict.fromkeys(BANK.labels, 6000 // len(BANK.labels))


def test_splits_share_no_sentence():
    found = {split: {sentence.tokens for sentence in sentences} for split, sentences in DRAWN.items()}
    assert not found["train"] & found["test"]
    assert not found["train"] & found["validation"]
    assert not found["validation"] & found["test"]


def test_same_seed_gives_same_sentences():
    assert draw_sentences("test", 60, 1) == draw_sentences("test", 60, 1)
    assert draw_sentences("test", 60, 1) != draw_sentences("test", 60, 2)
    assert len(draw_sentences("test", 7)) == 7


def test_beginnings_without_a_cue_leave_both_senses_open():
    """A word that stands there with one sense only would let the left-to-right model guess."""
    beginnings = defaultdict(Counter)
    for sentence in draw_sentences("train", 40_000):
        if sentence.position <= 4:
            beginnings[sentence.tokens[: sentence.position + 1]][sentence.sense] += 1
    frequent = {tokens: counts for tokens, counts in beginnings.items() if counts.total() >= 100}
    assert len(frequent) >= 10
    for tokens, counts in frequent.items():
        if not {*tokens} & frozenset().union(*telling_words(tokens[-1]).values()):
            assert max(counts.values()) / counts.total() < 0.8, tokens


@pytest.mark.parametrize("word", BANK.scenes)
def test_telling_words_belong_to_one_sense(word):
    one, other = telling_words(word).values()
    assert min(len(one), len(other)) >= 80
    assert not one & other
    assert not (one | other) & FUNCTION_WORDS


def test_articles_fit_the_next_word():
    pairs = {
        (one, other)
        for sentence in EVERY
        for one, other in zip(sentence.tokens, sentence.tokens[1:], strict=False)
        if one in ("a", "an") and other not in FUNCTION_WORDS
    }
    assert ("an", "old") in pairs
    wrong = {(one, other) for one, other in pairs if (one == "an") != (other[0] in "aeiou")}
    assert {other for _, other in wrong} <= {"usb", "unusual", "honest", "hour", "european", "euro", "used"}


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("fly", "fly flies flew flown flying"),
        ("swim", "swim swims swam swum swimming"),
        ("dig", "dig digs dug dug digging"),
        ("lie", "lie lies lay lain lying"),
        ("light", "light lights lit lit lighting"),
        ("plug", "plug plugs plugged plugged plugging"),
        ("pour", "pour pours poured poured pouring"),
    ],
)
def test_verbs_are_inflected(verb, forms):
    assert " ".join(inflect(verb, form) for form in sense_sentences.FORMS) == forms


def test_subjects_agree_with_their_verbs():
    text = " . ".join(" ".join(sentence.tokens) for sentence in EVERY)
    assert " . i was " in text
    for wrong in ("he are", "they is", "i is", "we was", "she have", "they has", "he do ", "i does"):
        assert f" . {wrong}" not in text


def test_a_cut_sentence_keeps_its_word():
    rng = random.Random(0)
    for sentence in DRAWN["test"]:
        short = cut_off(sentence, rng)
        assert sentence.tokens[: len(short.tokens)] == short.tokens
        assert len(short.tokens) > sentence.position


def test_some_words_are_hidden_but_never_the_ambiguous_word():
    rng = random.Random(0)
    hidden = [hide_words(sentence, rng) for sentence in DRAWN["train"]]
    share = sum(UNKNOWN in sentence.tokens for sentence in hidden) / len(hidden)
    assert share == pytest.approx(HIDDEN_SHARE, abs=0.03)
    for sentence, original in zip(hidden, DRAWN["train"], strict=True):
        assert sentence.tokens[sentence.position] == sentence.word
        gone = [old for old, new in zip(original.tokens, sentence.tokens, strict=True) if old != new]
        assert not {*gone} & FUNCTION_WORDS
        assert len(gone) <= 2
