"""Attention, convolution and FC layer: which weights depend on the input."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from lessons.qkv import (
    LESSON,
    dynamic,
)
from tests import helpers
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(3, 8),
    st.integers(2, 8),
    st.integers(0, 99),
    st.sampled_from(("reversed", "two words swapped")),
)
def test_only_attention_weights_move_with_the_words(T, d, seed, change):
    run = dynamic.compute.compute(change, T, d, seed)
    now = list(run.places)
    assert run.changed[:2].tolist() == [0, 0]
    assert run.changed[2] > 0
    np.testing.assert_allclose(run.now[2], run.before[2][now][:, now], atol=1e-9)
    assert run.moved[2].max() < 1e-9
    assert run.along < 1e-9
    assert run.moved[1].max() > 1e-3
    assert np.isnan(run.moved[0]).all() if T > dynamic.compute.FIXED_LENGTH else run.moved[0].max() > 1e-3


@settings(deadline=None, max_examples=40)
@given(st.integers(3, 8), st.integers(2, 8), st.integers(0, 99))
def test_repeated_word_has_equal_rows_and_columns_in_A_only(T, d, seed):
    run = dynamic.compute.compute("a word twice", T, d, seed)
    table, window, A = run.now
    np.testing.assert_allclose(A[:, 1], A[:, -1], atol=1e-12)
    np.testing.assert_allclose(A[1], A[-1], atol=1e-12)
    assert run.apart[2] < 1e-12
    assert not np.allclose(window[:, 1], window[:, -1])
    assert T > dynamic.compute.FIXED_LENGTH or not np.allclose(table[:, 1], table[:, -1])


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 8), st.integers(2, 8), st.integers(0, 9))
def test_weights_agree_with_torch_modules(T, d, seed):
    chance = torch.Generator().manual_seed(seed)
    X = torch.randn(T, d, generator=chance)
    conv = torch.nn.Conv1d(1, 1, 3, padding=1, bias=False)
    weights, Y = dynamic.compute.convolution(X, conv.weight.detach()[0, 0])
    np.testing.assert_allclose(weights @ X, conv(X.T[:, None])[:, 0].T.detach(), atol=1e-5)
    np.testing.assert_allclose(Y, weights @ X, atol=1e-5)
    linear = torch.nn.Linear(T, T, bias=False)
    np.testing.assert_allclose(
        dynamic.compute.fully_connected(X, linear.weight.detach())[1], linear(X.T).T.detach(), atol=1e-5
    )
    W = torch.randn(3, d, d, generator=chance)
    expected = F.scaled_dot_product_attention(*(X[None] @ each for each in W))[0]
    np.testing.assert_allclose(dynamic.compute.attention(X, *W)[1], expected, atol=1e-4)


@pytest.mark.parametrize("T", [1, 5, 20])
@pytest.mark.parametrize("d", [2, 7])
def test_parameter_counts_agree_with_torch_modules(T, d):
    def numbers(*modules):
        return sum(parameter.numel() for module in modules for parameter in module.parameters())

    modules = (
        [torch.nn.Linear(T, T, bias=False)],
        [torch.nn.Conv1d(1, 1, 3, bias=False)],
        [torch.nn.Linear(d, d, bias=False) for _ in range(3)],
    )
    assert dynamic.compute.parameter_counts(T, d) == tuple(numbers(*each) for each in modules)
    assert tuple(
        dynamic.compute.compute("no change", 5, d, 0).counts[:, T - 1]
    ) == dynamic.compute.parameter_counts(T, d)


def test_M_has_no_weights_for_more_words():
    run = preset("dynamic", "Three more words")
    assert np.isfinite(run.now[0]).sum() == dynamic.compute.FIXED_LENGTH**2
    assert np.isfinite(run.now[1:]).all()
    with pytest.raises(RuntimeError) as error:
        torch.nn.Linear(dynamic.compute.FIXED_LENGTH, dynamic.compute.FIXED_LENGTH, bias=False)(
            torch.zeros(run.d, len(run.words))
        )
    assert run.fault == str(error.value)
    assert_says(
        dynamic.views.reading(run),
        run.fault,
        dynamic.compute.FIXED_LENGTH,
        len(run.words) - dynamic.compute.FIXED_LENGTH,
    )
    assert "no weight" in dynamic.views.fixed(run).svg()
    short = EXPERIMENTS["dynamic"].run({"T": 3})
    assert np.isfinite(short.now[0]).all()
    assert_says(dynamic.views.reading(short), "2 rows of zeros")


@pytest.mark.parametrize("T", [3, 5, 8])
def test_reading_counts_the_weights_of_each_layer(T):
    """M must have 25 weights and the window 3, for any sentence length."""
    run = EXPERIMENTS["dynamic"].run({"T": T})
    held = (dynamic.compute.FIXED_LENGTH**2, dynamic.compute.parameter_counts(T, run.d)[1], run.now[2].size)
    text = dynamic.views.reading(run)
    for changed_weights, weights in zip(run.changed, held, strict=True):
        assert_says(text, f"{changed_weights} of its {weights}")
    assert held == (25, 3, T * T)


def test_fixed_weights_do_not_depend_on_length():
    fewer, more = (EXPERIMENTS["dynamic"].run({"T": T, "change": "no change"}) for T in (4, 5))
    np.testing.assert_array_equal(fewer.now[:2], more.now[:2, :4, :4])
    assert not np.allclose(fewer.now[2], more.now[2][:4, :4])
