"""Advice: the blend is a weighted sum, and its reading agrees with it."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.qkv import (
    LESSON,
    advice,
)
from tests import helpers
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


@given(st.lists(st.floats(0, 5), min_size=4, max_size=4))
def test_the_blend_is_a_weighted_sum(match):
    run = advice.compute.compute(tuple((value,) for value in match), False)
    weights = np.exp(match) / np.exp(match).sum()
    np.testing.assert_allclose(run.weights, weights, atol=1e-6)
    for word, loud in zip(run.words, run.blend, strict=True):
        weights_of_speakers = [
            weight
            for expert, weight in zip(run.experts, weights, strict=True)
            if word in advice.compute.ANSWERS[expert]
        ]
        assert loud == pytest.approx(sum(weights_of_speakers), abs=1e-6)


def test_a_hard_choice_takes_the_best_and_splits_a_tie():
    np.testing.assert_array_equal(preset("advice", "A hard choice").weights, [1, 0, 0, 0])
    np.testing.assert_array_equal(
        advice.compute.compute(((3.0,), (3.0,), (1.0,), (0.0,)), True).weights, [0.5, 0.5, 0, 0]
    )


def test_a_weight_depends_on_differences_only():
    start, more = EXPERIMENTS["advice"].run(), preset("advice", "One more each")
    np.testing.assert_allclose(more.match - start.match, 1)
    np.testing.assert_allclose(more.weights, start.weights)
    assert_says(advice.views.ask_weight(start), start.match.max(), start.weights.max())
    powers = advice.views.softened(start).terms[2].grid[:, 0]
    np.testing.assert_allclose(powers / powers.sum(), start.weights)


def test_the_reading_names_every_word_and_expert_that_ties():
    text = advice.views.reading(preset("advice", "All equal"))
    assert_says(text, "engineer", "programmer", "cable", "send", "signal", 0.25, 0.5)
    assert "+" not in text  # the words do not all come from the same experts
    two = preset("advice", "Two fields match")
    weights = dict(zip(two.experts, two.weights, strict=True))
    sum_of = f"{weights['biologist']:.2f} (biologist) + {weights['programmer']:.2f} (programmer)"
    assert_says(advice.views.reading(two), sum_of, weights["biologist"] + weights["programmer"])


def test_no_preset_of_advice_solves_its_challenge():
    challenge = helpers.exercise(LESSON, "two-voices")
    states = [EXPERIMENTS["advice"].state(each.state) for each in EXPERIMENTS["advice"].presets]
    assert not any(challenge.check(None, state).ok for state in states)


def test_query_key_and_value_are_named_only_in_the_text_below():
    section = LESSON.text.experiments["advice"]
    run = EXPERIMENTS["advice"].run()
    shown = section.question + section.before + advice.views.reading(run) + advice.views.answers(run).title
    assert not {"query", "key", "value"} & set(shown.lower().split())
    assert all(f"**{role}**" in section.after for role in ("query", "key", "value"))
