"""Text typed by a learner is normalised, split and checked."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.vocabulary import (
    SPECIAL,
    InputError,
    Vocabulary,
    check_tokens,
    normalise,
    split_characters,
    split_words,
)

WORDS = Vocabulary.of(
    ("l'", "accord", "a", "été", "signé", "don't", "do", "dogs'", "the", "house", "mouse", "e-mail", "?", ".")
)
LETTERS = Vocabulary.of("abcxyz+")


def read(text, most=10):
    return check_tokens(split_words(text, WORDS), WORDS, most)


# ---- vocabulary ----


def test_numbers_and_words_are_inverse():
    assert WORDS.words[:3] == SPECIAL
    assert (WORDS.pad, WORDS.bos, WORDS.eos) == (0, 1, 2)
    assert WORDS.tokens(WORDS.ids(["the", "house", "<eos>"])) == ("the", "house", "<eos>")
    assert WORDS.ids(WORDS.words) == list(range(len(WORDS)))


def test_the_order_of_words_is_sorted_and_without_repeats():
    assert Vocabulary.of(["b", "a", "b", "<bos>"]).words == (*SPECIAL, "a", "b")


@pytest.mark.parametrize("words", [("a", "b"), (*SPECIAL, "a", "a"), ("<bos>", "<pad>", "<eos>"), ()])
def test_a_vocabulary_without_the_special_words_or_with_repeats_is_refused(words):
    with pytest.raises(ValueError, match="starts with"):
        Vocabulary(words)


# ---- normalising ----


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("DON’T", "don't"),
        ("don‘t", "don't"),
        ("don`t", "don't"),
        ("don´t", "don't"),
        ("e‑mail", "e-mail"),
        ("a — b − c", "a - b - c"),
        ("\tthe \n\r house\u00a0\u2003", "the house"),
        ("ÉTÉ", "été"),
        (unicodedata.normalize("NFD", "signé"), unicodedata.normalize("NFC", "signé")),
        ("the\u200b hou\u00adse\ufeff", "the house"),  # zero-width space, soft hyphen, byte-order mark
        ("th\x00e", "the"),
        ("\ud83dthe", "the"),  # half of an emoji (a lone surrogate)
        ("\u202ethe\u202c", "the"),  # marks that reverse the writing direction
        ("", ""),
        (" \t\n", ""),
    ],
)
def test_one_spelling_for_what_means_the_same(typed, meant):
    assert normalise(typed) == meant


@given(st.text())
def test_normalising_twice_changes_nothing_more(text):
    assert normalise(normalise(text)) == normalise(text)


@given(st.text())
def test_no_visible_character_is_lost_on_the_way_to_tokens(text):
    assert "".join(split_words(text, WORDS)) == normalise(text).replace(" ", "")


# ---- splitting ----


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Don’t do!", ["don't", "do", "!"]),
        ("L’accord a été signé.", ["l'", "accord", "a", "été", "signé", "."]),
        ("l' accord", ["l'", "accord"]),
        ("the dogs' house", ["the", "dogs'", "house"]),
        ("e-mail?", ["e-mail", "?"]),
        ("the_house", ["the", "_", "house"]),
        ("<bos>", ["<", "bos", ">"]),
        ("<script>alert(1)</script>", ["<", "script", ">", "alert", "(", "1", ")", "<", "/", "script", ">"]),
    ],
)
def test_words_are_split_by_the_vocabulary(text, tokens):
    assert split_words(text, WORDS) == tokens


def test_an_apostrophe_parts_or_not_by_what_is_known():
    assert split_words("don't", Vocabulary.of(["don't"])) == ["don't"]
    assert split_words("don't", Vocabulary.of(["don'", "t"])) == ["don'", "t"]


def test_a_space_is_a_character_only_where_the_model_has_one():
    assert split_characters("A b", LETTERS) == ["a", "b"]
    assert split_characters("A  b", Vocabulary.of("ab ")) == ["a", " ", "b"]


# ---- checking ----


def test_known_words_pass():
    assert read("The house.") == ("the", "house", ".")


@pytest.mark.parametrize("text", ["", "   ", "\t\n\u00a0", "\x00", "\u200b"])
def test_empty_and_blank_text_asks_for_a_word(text):
    with pytest.raises(InputError, match=r"Type at least one word\."):
        read(text)


def test_an_unknown_word_is_named_with_its_neighbours():
    with pytest.raises(InputError, match=r"never learned “houses”.*Near it: house"):
        read("the houses")


def test_a_word_that_only_lacks_accents_comes_first_of_its_neighbours():
    # By letters alone, “etes” is nearer to “ete” than “été” is.
    known = Vocabulary.of(["etes", "été", "fête"])
    assert "etes" in known.nearest("ete")
    assert known.nearest("ete")[0] == "été"
    assert WORDS.nearest("signe") == ["signé"]


def test_a_word_like_no_other_has_no_neighbours():
    with pytest.raises(InputError, match=r"never learned “zzzzqqq”\. Try another word"):
        read("zzzzqqq")


def test_many_unknown_words_are_counted_not_listed():
    with pytest.raises(InputError, match=r"“q1”.*“q2”.*“q3”.* And 2 more unknown words\.") as caught:
        read("q1 q2 q3 q4 q5 q1")
    assert "q4" not in str(caught.value)


def test_the_limit_is_stated():
    assert len(read("the " * 10)) == 10
    with pytest.raises(InputError, match=r"The text has 11 words\. Use at most 10\."):
        read("the " * 11)


def test_a_very_long_word_makes_a_short_message():
    with pytest.raises(InputError) as caught:
        read("x" * 10_000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text",
    ["🙂", "👩‍👩‍👧 the", "<script>alert(1)</script> the", "שלום", "مرحبا the", "<bos>", "the <pad>", "𝔱𝔥𝔢"],
)
def test_what_the_model_never_saw_is_refused(text):
    with pytest.raises(InputError, match="never learned"):
        read(text, most=30)


@pytest.mark.parametrize("token", SPECIAL)
def test_the_special_words_are_not_for_typing(token):
    for unit, vocabulary in (("word", WORDS), ("character", LETTERS)):
        with pytest.raises(InputError):
            check_tokens([token], vocabulary, 10, unit)


def test_unknown_characters_are_named_once_with_those_that_are_known():
    with pytest.raises(InputError, match=r"no character “1”, “2”\. Use only \+, a–c, x–z\."):
        check_tokens(list("a112"), LETTERS, 10, "character")
    with pytest.raises(InputError, match=r"“1”, “2”, “3” and others\. Use only"):
        check_tokens(list("12345"), LETTERS, 10, "character")
    with pytest.raises(InputError, match=r"Use only space, a, b\."):
        check_tokens(["?"], Vocabulary.of("ab "), 10, "character")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_sentence(text):
    tokens = split_words(text, WORDS)
    if 0 < len(tokens) <= 10 and set(tokens) <= set(WORDS.words[3:]):
        assert read(text) == tuple(tokens)
    else:
        with pytest.raises(InputError, match=r"\.$") as caught:
            read(text)
        str(caught.value).encode()  # must not contain lone surrogates
