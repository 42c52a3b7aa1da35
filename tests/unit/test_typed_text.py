"""Typed English is read as a user would expect, and no plain English is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit.notices import collect_notices
from lessons.kit.similar_words import OFFERED, is_one_edit_away, lexicon_uses
from lessons.kit.typed_text import MAX_WORDS, UNKNOWN, read_known_words, read_sentence
from models.tasks import TASKS
from models.vocabulary import InputError
from tests.says import assert_says

KNOWN = frozenset(TASKS["everyday"].source.words)


def read(text: str) -> tuple[str, str]:
    """The sentence as the model reads it, and the notices."""
    with collect_notices() as notices:
        return " ".join(read_sentence(text, KNOWN).words), notices.get("source", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don't know!", "i do not know !"),
        ("What’s that", "what is that ?"),
        ("My sister's dog is old", "my sister 's dog is old ."),
        ("“Hello”, she said.", "hello , she said ."),
        ("I'm 25 years old", "i am 25 years old ."),
        ("He said: go (now)", "he said , go now ."),
        ("I ate; she slept...", "i ate , she slept ."),
        ("THE DOG IS OLD", "the dog is old ."),
        ("  the   dog\tis old  ", "the dog is old ."),
        ("café", "café ."),
        ("My flight leaves at 6:15 am.", f"my flight leaves at {UNKNOWN} ."),
        ("It cost 3.50 on 31/12/1999", f"it cost {UNKNOWN} on {UNKNOWN} ."),
        ("What a beautiful day", "what a beautiful day !"),
        ("Don't forget it", "do not forget it ."),
        ("Don't you like it", "do not you like it ?"),
        ("that movie was sooo funny", "that movie was so funny ."),
        ("I hate Monday mornings", "i hate monday morning ."),
        ("Mr. and Mrs. Black met Dr. White.", f"{UNKNOWN} and {UNKNOWN} black met {UNKNOWN} white ."),
    ],
)
def test_it_is_read_as_a_person_would_expect(text, expected):
    assert read(text)[0] == expected


def test_unknown_words_are_counted_and_named():
    words, notice = read("The axolotl bit Xanthippe.")
    assert words == f"the {UNKNOWN} bit {UNKNOWN} ."
    assert "axolotl" in notice
    assert "xanthippe" in notice
    assert "2 words" in notice


def test_a_number_stays_in_one_piece_as_it_was_typed():
    with collect_notices() as notices:
        sentence = read_sentence("We met at 6:15 p.m. and paid 3,50 euros", KNOWN)
    assert [sentence.typed[i] for i in sentence.unknown] == ["6:15pm", "3,50"]
    assert all(word.isdecimal() for word in notices.offers["source"]["6:15pm"])


def test_another_form_of_a_known_word_is_said():
    assert_says(read("I hate Monday mornings.")[1], "morning", "mornings")


def test_known_sentences_have_no_notice():
    assert read("The dog is old.") == ("the dog is old .", "")


def test_a_missing_mark_is_added_and_said():
    assert "question mark" in read("where is the dog")[1]
    assert "full stop" in read("the dog is old")[1]


def test_only_the_first_sentence_is_read_and_said():
    words, notice = read("I am tired. I go home. Good night!")
    assert words == "i am tired ."
    assert "3 sentences" in notice


def test_emoji_are_left_out_and_said():
    words, notice = read("I love you 🍕👩‍🚀!")
    assert words == "i love you !"
    assert "Emoji" in notice


@pytest.mark.parametrize("text", ["", "   ", "!!!", "🍕", "Привет мир", "你好", "word " * 500])
def test_what_is_no_english_sentence_gets_one_clear_sentence(text):
    with pytest.raises(InputError) as error:
        read(text)
    assert str(error.value).count(".") in (1, 2)
    assert error.value.control == "source"


@given(st.text(max_size=120))
def test_any_text_is_read_or_refused_with_a_sentence(text):
    try:
        words, _ = read(text)
    except InputError:
        return
    assert set(words.split()) <= KNOWN
    assert words.split()[-1] in (".", "?", "!")


def test_every_sentence_of_the_list_is_accepted():
    path = Path(__file__).parents[1] / "typed_sentences.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 100
    tokens = [word for line in lines for word in read(line)[0].split()]
    assert sum(word != UNKNOWN for word in tokens) >= 0.85 * len(tokens)


SMALL = TASKS["translation"].source.index


def test_a_model_without_unk_reads_known_words_of_the_same_kind():
    with collect_notices() as notices:
        sentence = read_known_words("The teacher drinks coffee in my sister's kitchen!", SMALL)
    assert len(sentence.words) == len(sentence.typed)
    assert set(sentence.words) <= set(SMALL)
    replaced = dict(zip(sentence.typed, sentence.words, strict=True))
    assert replaced["teacher"] in ("doctor", "nurse")
    assert replaced["drinks"] == "eats"
    assert replaced["coffee"] in ("water", "bread", "cake", "soup")
    assert sentence.shown[0] == "the"
    assert sentence.shown[1] == f"≈{replaced['teacher']}"
    assert "'s" not in sentence.typed  # no known word can replace it
    for word in ("teacher", "drinks", "Left out", "'s"):
        assert word in notices["source"]
    assert notices.offers["source"]["teacher"][0] == replaced["teacher"]


@given(st.text(max_size=120))
def test_any_text_is_read_with_known_words_or_refused_with_a_sentence(text):
    try:
        words = read_known_words(text, SMALL).words
    except InputError:
        return
    assert set(words) <= set(SMALL)
    assert words[-1] in (".", "?")


@pytest.mark.parametrize(
    ("text", "unknown", "expected"),
    [
        ("My hause is big.", "hause", "house"),  # a typing error of one letter
        ("the libary is open", "libary", "library"),
        ("I flew to Reykjavik yesterday.", "reykjavik", "london"),  # a name after a preposition of place
        ("The dog bit Xanthippe.", "xanthippe", "anna"),
        ("they quickly refurbished the house", "refurbished", "built"),
    ],
)
def test_an_unknown_word_gets_words_of_its_kind(text, unknown, expected):
    with collect_notices() as notices:
        sentence = read_sentence(text, KNOWN)
    offered = notices.offers["source"][unknown]
    use = lexicon_uses()[expected][0]
    assert len(offered) == OFFERED
    assert set(offered) <= KNOWN
    assert all(any(one.part == use.part for one in lexicon_uses()[word]) for word in offered)
    assert unknown in sentence.typed
    if is_one_edit_away(unknown, expected):
        assert offered[0] == expected


def test_one_letter_away():
    assert all(is_one_edit_away("house", other) for other in ("hause", "houses", "hose", "huose", "mouse"))
    assert not any(is_one_edit_away("house", other) for other in ("house", "horses", "hsoue", "hou"))


def test_sixty_words_are_cut_and_it_is_said():
    words, notice = read("the dog is old and " * 12)
    assert len(words.split()) == MAX_WORDS
    assert words.endswith(" .")
    assert str(MAX_WORDS - 1) in notice


def test_the_article_agrees_with_the_word_that_is_read():
    known = frozenset("i see a an apple boat .".split())
    assert read_known_words("I see a pizza.", known).words == ("i", "see", "an", "apple", ".")
