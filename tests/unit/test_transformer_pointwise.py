"""The position-wise FFN: it moves only its own position."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit.example_sentences import (
    IDIOM,
)
from lessons.transformer.pointwise import views as pointwise_views
from lessons.transformer.pointwise.compute import pointwise
from lessons.transformer.translator import (
    LAYERS,
    load_transformer,
)
from tests.helpers import LONGEST_SENTENCE
from tests.says import assert_says


@given(st.integers(1, 7), st.floats(-3, 3), st.sampled_from(LAYERS))
def test_only_the_changed_position_moves(position, amount, layer):
    run = pointwise(IDIOM, layer, position, amount)
    others = np.arange(len(run.source)) != position - 1
    assert not run.fc[others].any()  # other words do not change at all
    if abs(amount) > 0.01:
        assert np.abs(run.attention).max(1).all()  # attention passes the change to every word


def test_the_pointwise_reading_names_words_and_numbers():
    run = pointwise(IDIOM, "1", 3, 1.0)
    assert run.fc[run.position - 1].any()
    fc, _, attention = pointwise_views.reading(run).partition("After self-attention")
    others = np.delete(np.abs(run.attention), run.position - 1, axis=0).max()
    assert_says(fc, 1, len(run.source), "words", "no other word")
    assert_says(attention, len(run.source), "words", others, "other words")
    assert_says(pointwise_views.sizes(run).title, "length")
    assert_says(pointwise_views.reading(pointwise(IDIOM, "1", 5, 1.0)), "the (word 5)")


def test_sizes_do_not_depend_on_the_sentence():
    short, long = (pointwise(text, "1", 1, 1.0) for text in ("Go.", LONGEST_SENTENCE))
    np.testing.assert_array_equal(short.parameters, long.parameters)
    d, d_fc = load_transformer().config.d, load_transformer().config.d_fc
    parameters = dict(zip(short.parts, short.parameters, strict=True))
    assert parameters["FFN"] == 2 * d * d_fc + d_fc + d
