"""Known words that stand in for an unknown word: first part of speech and form, then meaning and field."""

import pytest

from lessons.kit.known_words import VOCABULARIES
from lessons.kit.similar_words import OFFERED, inflected, lexicon_uses, near_groups, similar_words
from models.tasks.everyday import english

KNOWN = {name: frozenset(VOCABULARIES[name]().words) for name in ("everyday", "translation", "stories")}


def offered(
    sentence: str, word: str, model: str = "everyday", names: tuple[str, ...] = ()
) -> tuple[str, ...]:
    words = sentence.split()
    return similar_words(words, words.index(word), KNOWN[model], names)


@pytest.mark.parametrize(
    ("sentence", "word", "expected"),
    [
        ("she plays the clarinet .", "clarinet", {"violin", "guitar", "piano"}),
        ("he wears a hoodie .", "hoodie", {"scarf", "hat", "skirt"}),
        # words in the same form as “hopped”
        ("the kangaroo hopped .", "hopped", {"jumped", "danced", "ran"}),
        ("they are renovating the house .", "renovating", {"cleaning", "building", "fixing"}),
        ("the acorns fell .", "acorns", {"apples", "nuts", "cakes"}),
        ("my cousin is allergic to peanuts .", "peanuts", {"apples", "nuts", "cakes"}),  # no verb after “to”
        ("the soup smells weird .", "weird", {"strange", "funny", "different"}),
        ("can you lend me your charger ?", "charger", {"phone", "battery", "computer"}),
        ("i need a screwdriver .", "screwdriver", {"hammer", "spoon", "fork"}),
        ("the mosquito bit me .", "mosquito", {"fly", "bee", "butterfly"}),
    ],
)
def test_words_of_similar_meaning_are_offered(sentence, word, expected):
    found = offered(sentence, word)
    assert len(found) == OFFERED
    assert set(found) <= expected


@pytest.mark.parametrize(
    ("sentence", "word", "part", "form"),
    [
        ("the surfers waited .", "surfers", "noun", "plural"),
        ("the mosquito bit me .", "bit", "verb", "past"),  # “bit” is also a noun
        ("put the book in the box .", "put", "verb", "base"),
        ("birds fly at night .", "fly", "verb", "base"),  # “fly” is also an insect
        ("can you lend me a book ?", "lend", "verb", "base"),
        ("he refurbishes the house .", "refurbishes", "verb", "third"),
        ("they quickly refurbished the house .", "refurbished", "verb", "past"),
        ("is the bakery still open ?", "open", "adjective", ""),  # also a verb
        ("she is taller .", "taller", "adjective", "comparative"),
    ],
)
@pytest.mark.parametrize("model", ["everyday", "translation"])
def test_a_word_is_replaced_in_its_part_of_speech_and_form(sentence, word, part, form, model):
    best = offered(sentence, word, model)[0]
    uses = {(use.part, use.form) for use in lexicon_uses()[best]}
    if (part, form) == ("adjective", "comparative") and model == "translation":
        form = ""  # this vocabulary has no comparative
    assert (part, form) in uses


def test_persons_stand_for_unknown_persons():
    kinds = {use.kind for word in offered("the surfers waited .", "surfers") for use in lexicon_uses()[word]}
    assert kinds == {"profession"}
    assert set(offered("xanthippe sleeps .", "xanthippe", "translation")) <= {
        "paul",
        "pierre",
        "anna",
        "marie",
    }


def test_places_stand_for_unknown_places():
    assert offered("we went to lisbon .", "lisbon", "translation", ("lisbon",))[0] == "london"
    (first, *_) = offered("we went to lisbon .", "lisbon", "stories", ("lisbon",))  # the stories name no town
    assert lexicon_uses()[first][0].field == "town"


def test_a_model_without_the_pronoun_gets_one_that_agrees():
    assert offered("they are tired .", "they", "stories")[0] == "we"


def test_to_be_stands_for_no_other_verb():
    assert "is" not in offered("he sneezes every morning .", "sneezes", "stories")


def test_known_forms_of_the_same_word_come_first():
    assert offered("she eats her soups .", "soups", "translation")[0] == "soup"


def test_each_group_has_a_word_that_a_model_knows():
    known = frozenset.union(*KNOWN.values())
    for part, group in near_groups():
        words = [word for word, *_ in group]
        assert len(set(words)) == len(words), (part, words)
        if part not in ("interjection", "name"):
            forms = {form for word, *irregular in group for form, _ in inflected(part, word, irregular)}
            assert forms & known, (part, words)


def test_forms_of_verbs_follow_the_spelling_rules():
    assert (english.past("hop"), english.ing("knit"), english.past("peel")) == (
        "hopped",
        "knitting",
        "peeled",
    )


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("can you sell me your boat ?", "sell"),
        ("could you tell me a story ?", "tell"),
        ("i want to eat a pizza .", "eat"),
        ("he did not really believe the king .", "believe"),
        ("she will never forgive her .", "forgive"),
        ("why do you open the door ?", "open"),
        ("will they find the key ?", "find"),
    ],
)
def test_a_base_form_stands_where_the_sentence_needs_one(sentence, word):
    """The story models know few base forms; even another form of the same verb is no substitute there."""
    best = offered(sentence, word, "stories")
    assert best
    assert all(("verb", "base") in {(use.part, use.form) for use in lexicon_uses()[other]} for other in best)


@pytest.mark.parametrize(
    ("sentence", "word", "forms"),
    [
        ("my dog bites the boy .", "bites", {"past", "third"}),
        ("i am tired of waiting .", "waiting", {"ing"}),
        ("the pupils are sleeping .", "sleeping", {"ing"}),
    ],
)
def test_a_story_model_reads_a_form_that_fits(sentence, word, forms):
    best = offered(sentence, word, "stories")[0]
    assert {use.form for use in lexicon_uses()[best] if use.part == "verb"} & forms


def test_a_noun_is_not_taken_for_a_mistyped_verb():
    assert offered("the wizard lost his wand .", "wand", "stories")[0] != "want"
    assert offered("the wizard had a magic wand .", "wand", "stories")[0] != "want"
    assert offered("i wnat a cake .", "wnat", "stories")[0] == "want"
