"""The mask: no output depends on a later word."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.kit.contract import InputError
from lessons.kit.example_sentences import AMBIGUOUS_BANK
from lessons.qkv import (
    LESSON,
    mask,
)
from models.tasks import BANK
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


@given(st.integers(1, 10), st.sampled_from([word for word in BANK.vocabulary.words if word[0].isalnum()]))
@settings(deadline=None, max_examples=25)
def test_masked_outputs_before_the_change_stay(t, word):
    run = mask.compute.compute(AMBIGUOUS_BANK, t, word, True)
    assert (run.moved[: t - 1] == 0).all()
    assert np.isnan(run.weights[np.triu_indices(10, 1)]).all()


def test_without_the_mask_earlier_outputs_change():
    run = preset("mask", "A leak")
    assert run.moved_before > 0.1
    assert np.isfinite(run.weights).all()
    assert (preset("mask", "The same word").moved == 0).all()
    assert_says(mask.views.reading(preset("mask", "The same word")), "no output changes", "river")
    past = preset("mask", "Change the past")
    assert past.moved_before == 0
    assert (past.moved[1:] > 0).all()
    assert_says(mask.views.reading(past), "8 of 8 later outputs")


def test_reading_numbers_a_word_that_occurs_twice():
    """If “the” occurs at positions 4 and 8, the reading must say which of them moves most."""
    run = mask.compute.compute(AMBIGUOUS_BANK, 9, "street", False)
    assert run.words.count("the") == 2
    leak = int(run.moved[:8].argmax())
    assert_says(mask.views.reading(run), f"word {leak + 1}, {run.words[leak]}", run.moved[leak])
    alone = mask.compute.compute(AMBIGUOUS_BANK, 2, "street", False)
    assert_says(mask.views.reading(alone), alone.moved[0])
    assert not says(mask.views.reading(alone), ("up to", "most"))


@pytest.mark.parametrize("title", [each.title for each in EXPERIMENTS["mask"].presets])
def test_no_bar_of_the_mask_is_cut(title):
    run = preset("mask", title)
    assert mask.views.moved(run).top == mask.views.AXIS_END >= run.moved.max()


@pytest.mark.parametrize("word", ["", "🍕", "你好"])
def test_new_word_must_be_english(word):
    with pytest.raises(InputError):
        mask.compute.compute(AMBIGUOUS_BANK, 3, word, True)
