"""All contexts by one matrix expression: sizes and values agree with numpy."""

from dataclasses import replace
from functools import partial

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lessons.qkv import (
    LESSON,
    swoop,
)
from tests import helpers
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))
def test_one_expression_is_all_contexts_at_once(T, steps, m, seed):
    run = swoop.compute.compute("softmax(S Hᵀ) H", T, steps, m, seed)
    assert run.fault == ""
    assert run.difference < 1e-12
    S, H = run.factors[0], run.factors[2]
    E = np.exp(S @ H.T)
    np.testing.assert_allclose(run.contexts, E / E.sum(1, keepdims=True) @ H, atol=1e-9)


@given(
    st.sampled_from(sorted(swoop.compute.EXPRESSIONS)),
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(1, 6),
)
def test_an_expression_is_defined_when_numpy_says_so(expression, T, steps, m):
    run = swoop.compute.compute(expression, T, steps, m, 0)
    first, second, third = run.factors
    try:
        shape = (first @ second @ third).shape
    except ValueError:
        shape = None
    assert (None if run.made is None else run.made.shape) == shape
    assert run.fault or expression == "softmax(S Hᵀ) H" or run.difference < 1e-9


def test_without_a_softmax_nothing_is_called_weights():
    titles = [
        [term.name for term in swoop.views.product(preset("swoop", title)).terms if not isinstance(term, str)]
        for title in ("No softmax", "All contexts")
    ]
    assert titles == [["S", "Hᵀ", "S Hᵀ", "H", "yours"], ["S", "Hᵀ", "S Hᵀ", "weights", "H", "yours"]]


def test_wrong_expression_is_defined_when_sizes_agree():
    run = preset("swoop", "A hidden mistake")
    assert run.made.shape == run.contexts.shape
    assert run.difference > 0.1
    assert preset("swoop", "The wrong axis").difference > 0.1


def test_measured_times_are_drawn_but_not_in_the_json(monkeypatch):
    monkeypatch.setattr(swoop.compute, "fastest_ms", lambda work: (work(), 1.0)[1])
    state = EXPERIMENTS["swoop"].state({"expression": "softmax(S Hᵀ) H"})
    *_, (share, run) = EXPERIMENTS["swoop"].job.run(**state)
    assert share == 1
    assert (run.measured == 1).all()
    assert run.numbers() == EXPERIMENTS["swoop"].run(state).numbers()
    assert_says(EXPERIMENTS["swoop"].views[1](run), "times as fast", run.sizes[-1], 1.0)
    slower = replace(run, measured=np.array([[1.0] * 6, [1.6] * 6]))
    assert_says(EXPERIMENTS["swoop"].views[1](slower), "0.62 times")
