"""A word that occurs twice in a text is named with its number, also in the readings of experiments."""

import pytest

from lessons import qkv, recurrence
from lessons.kit.contract import Lesson
from lessons.kit.pictures.phrases import word_at


def test_a_word_is_numbered_only_where_it_stands_twice():
    words = ("the", "cat", "saw", "the", "dog")
    assert word_at(words, 3) == "“**the**” (word 4)"
    assert word_at(words, 1) == "“**cat**”"


@pytest.mark.parametrize(
    ("lesson", "slug"), [(recurrence.LESSON, "gates"), (recurrence.LESSON, "read"), (qkv.LESSON, "bank")]
)
def test_a_reading_says_which_of_two_equal_words_it_means(lesson: Lesson, slug: str):
    experiment = lesson.experiment(slug)
    reading = next(view for view in experiment.views if view.__name__ == "reading")
    text = "i arrived at the bank after crossing the river ."
    said = [reading(experiment.run({"text": text, "t": step})) for step in range(1, 7)]
    assert any("“**the**” (word " in each for each in said)
