"""The list of words that a model knows is complete and sorted by field."""

import json

import pytest

from lessons.kit.known_words import HIDDEN, OTHER, VOCABULARIES, words_by_field


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_known_word_is_listed(name):
    listed = {form for words in words_by_field(name).values() for entry in words for form in entry.split()}
    assert listed == {word for word in VOCABULARIES[name]().words if word not in HIDDEN and word[0].isalnum()}
    assert len(json.dumps(words_by_field(name))) <= 40_000


def test_words_stand_in_their_field_with_their_forms():
    fields = words_by_field("everyday")
    assert {"family", "food", "house", "weather"} <= set(fields)
    assert any(entry.split()[:2] == ["mother", "mothers"] for entry in fields["family"])
    assert any({"eat", "ate", "eaten"} <= set(entry.split()) for words in fields.values() for entry in words)
    assert "the" in fields[OTHER]
