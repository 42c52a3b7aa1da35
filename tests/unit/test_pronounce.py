"""Pronunciation: the dictionary as a task, its held-out words, and what counts as correct."""

import pytest

from models.metrics import edit_distance, error_rate
from models.tasks.pronounce import HELD_OUT, PRONOUNCE, SOUNDS, accepted, dictionary, held_out
from models.tasks.task import Pair, split_of
from models.vocabulary import InputError


def test_every_word_has_sounds_that_have_an_example():
    assert len(dictionary()) > 117_000
    assert {sound for found in dictionary().values() for sounds in found for sound in sounds} == set(SOUNDS)
    for sound, example in SOUNDS.items():
        assert any(sound in sounds for sounds in dictionary()[example]), (sound, example)


def test_the_app_knows_the_held_out_words_and_no_others():
    assert held_out() == {
        word: sounds for word, sounds in dictionary().items() if split_of(tuple(word)) == "test"
    }
    assert HELD_OUT.stat().st_size < 100_000


def test_no_word_is_in_two_splits():
    splits = {
        name: {pair.source for pair in PRONOUNCE.pairs(name, 500)} for name in ("train", "validation", "test")
    }
    assert not splits["train"] & splits["test"]
    assert not splits["validation"] & splits["test"]
    assert all("".join(source) in held_out() for source in splits["test"])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Knight", "knight"),
        ("O’Brien", "obrien"),
        ("well-known!", "wellknown"),
        ("  tanmoy ", "tanmoy"),
        ("Naïve", "naive"),
        ("Bjørn", "bjorn"),
        ("Straße", "strasse"),
        ("<b>", "b"),
    ],
)
def test_a_typed_word_is_read(text, word):
    assert "".join(PRONOUNCE.read(text)) == word


@pytest.mark.parametrize("text", ["two words", "42", "日本", "", "a" * 19, "🍕"])
def test_what_is_no_word_is_refused_with_a_hint(text):
    with pytest.raises(InputError):
        PRONOUNCE.read(text)


def test_each_right_pronunciation_counts():
    word, sounds = next((word, sounds) for word, sounds in held_out().items() if len(sounds) > 1)
    pair = Pair(tuple(word), sounds[0])
    assert accepted(pair.source) == sounds
    assert PRONOUNCE.reference(pair, sounds[1]) == sounds[1]
    assert PRONOUNCE.reference(pair, ("Z",)) == sounds[0]


def test_the_error_rate_is_edits_per_sound():
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance("", "abc") == edit_distance("abc", "") == 3
    assert error_rate([("N", "AY", "T"), ("K",)], [("N", "AY", "T"), ("K", "AE", "T")]) == pytest.approx(
        2 / 6
    )
