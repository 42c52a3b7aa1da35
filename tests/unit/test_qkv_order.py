"""Word order: without positions, outputs move with their words."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.kit.checkpoints import TRANSLATION
from lessons.qkv import (
    LESSON,
    order,
)
from tests import helpers
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 99), st.integers(0, 50))
def test_without_positions_outputs_move_with_their_words(seed, pair):
    text = TRANSLATION.join(TRANSLATION.pairs("test", 51, seed=4)[pair].source)
    run = order.compute.compute(text, "shuffled", seed, False, 1)
    assert run.moved[0].max() < 1e-5
    assert sorted(run.places) == list(range(len(run.words)))
    if run.places != tuple(range(len(run.words))):
        assert run.moved[1].max() > 1e-3


def test_positional_encoding_agrees_with_numpy():
    run = EXPERIMENTS["order"].run()
    t, i = np.mgrid[: order.compute.ENCODED_PLACES, : run.encoding.shape[1]]
    angle = t / 10_000 ** ((i - i % 2) / run.encoding.shape[1])
    np.testing.assert_allclose(run.encoding, np.where(i % 2, np.cos(angle), np.sin(angle)), atol=1e-5)


def test_controls_without_effect_say_why():
    assert "head" in EXPERIMENTS["cross"].run().idle()
    assert not preset("cross", "Cross").idle()
    assert "seed" in EXPERIMENTS["order"].run().idle()
    assert not EXPERIMENTS["order"].run({"order": "shuffled"}).idle()
    trained = preset("heads", "Trained")
    assert_says(trained.idle()["heads"], trained.heads)
    assert_says(trained.idle()["d"], trained.d)
    assert not EXPERIMENTS["heads"].run().idle()


def test_dog_and_man_change_places():
    run = preset("order", "A bag of words")
    assert [run.words[i] for i in run.places] == "the man sees the dog .".split()
    assert run.moved[0].max() < 1e-5


@pytest.mark.parametrize(
    ("text", "change", "fact"),
    [("go .", "original", "0 of 2 words"), ("she works .", "reversed", "2 of 3 words")],
)
def test_moved_word_count_agrees_in_number(text, change, fact):
    assert_says(order.views.reading(EXPERIMENTS["order"].run({"text": text, "order": change})), fact)


def test_no_bar_of_order_is_cut():
    for text in (EXPERIMENTS["order"].controls[0].default, *EXPERIMENTS["order"].controls[0].suggestions):
        for positions in (False, True):
            run = EXPERIMENTS["order"].run(
                {"text": text, "order": "shuffled", "seed": 4, "positions": positions}
            )
            assert order.views.moved(run).top >= run.moved.max()
