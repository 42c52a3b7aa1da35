"""Typed passages are read as a user would expect, and no plain English is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit.checkpoints import STORIES, read_typed_story
from lessons.kit.notices import collect_notices
from lessons.kit.typed_passage import read_passage
from lessons.kit.typed_text import UNKNOWN
from models.vocabulary import InputError
from tests.says import assert_says

KNOWN = frozenset((*STORIES.vocabulary.words, UNKNOWN))


def read(text: str, known: frozenset[str] = KNOWN) -> tuple[str, str]:
    """The passage as a model with `<unk>` reads it, and the notices."""
    with collect_notices() as notices:
        return " ".join(read_passage(text, known).words), notices.get("text", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira went home.", "mira went home ."),
        ("I don’t know", "i don't know"),
        ("I'm sad. I am not HAPPY!!!", "i am sad . i am not happy ."),
        (
            'She said: "I don\'t know." ("who are you?")',
            "she said : “ i don't know . ” ( “ who are you ? ” )",
        ),
        ("He saw 5 boats…", "he saw five boats"),
        ("Mira 😀 went; home", "mira went , home"),
        ("the old-kite", "the old kite"),
        ("Tom’s kite", "tom kite"),
    ],
)
def test_it_is_read_as_a_person_would_expect(text, expected):
    """“am” and “not” need not be known: what is unknown is read as `<unk>`."""
    want = " ".join(word if word in KNOWN else UNKNOWN for word in expected.split())
    assert read(text)[0] == want


def test_unknown_words_are_counted_and_named():
    words, notice = read("The axolotl saw Xanthippe.")
    assert words == f"the {UNKNOWN} saw {UNKNOWN} ."
    assert_says(notice, "2 words", "axolotl", "xanthippe")


def test_another_form_of_a_known_word_is_read_and_said():
    known = frozenset((UNKNOWN, "river", "the", "want"))
    sentence = read_passage("the rivers", known)
    assert (sentence.words, sentence.shown) == (("the", "river"), ("the", "≈river"))
    assert_says(read("the rivers", known)[1], "river", "rivers")
    assert read("the news", known)[0] == f"the {UNKNOWN}"


def test_a_long_text_is_read_from_its_beginning():
    with collect_notices() as notices:
        assert len(read_typed_story("home " * 70).words) == STORIES.max_words
    assert_says(notices["text"], STORIES.max_words, 70)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("", ("one word",)),
        ("  \n", ("one word",)),
        ("😀", ("one word",)),
        ("Привет", ("English",)),
        ("a" * 3000, ("3,000", "60 words")),
    ],
)
def test_what_cannot_be_english_is_explained(text, facts):
    with pytest.raises(InputError) as refused:
        read(text)
    assert_says(str(refused.value), *facts)
    assert refused.value.control == "text"


@given(st.text("abcdeé'’-.,!?;:\"“”()0123456789 \n😀<>&_", max_size=200))
def test_no_plain_text_breaks_the_reader(text):
    words = read(f"mira {text}")[0].split()
    assert 1 <= len(words) <= 60
    assert set(words) <= KNOWN


def test_what_is_written_can_be_read_again():
    documents = [tokens for tokens in STORIES.documents("test", 60) if len(tokens) <= STORIES.max_words]
    assert len(documents) > 5
    for tokens in documents:
        assert read_typed_story(" ".join(tokens)).words == tokens
