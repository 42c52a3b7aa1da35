"""The layer: any sizes agree with numpy and torch."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from lessons.qkv import (
    LESSON,
    layer,
    swoop,
)
from lessons.qkv.flow_diagram import WIDTH_PX
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)
SIZE = st.integers(1, layer.compute.MAX_SIZE)
SIZES = dict.fromkeys(("T", "d_X", "T_Q", "d_Q", "wide_Q", "wide_K", "d_V"), SIZE)
RANDOM = {"fill": "random", "turn": "nothing", "seed": 0, "own": False}


def by_numpy(X_Q, X, W_Q, W_K, W_V):
    Q, K, V = X_Q @ W_Q, X @ W_K, X @ W_V
    E = Q @ K.T / np.sqrt(Q.shape[1])
    A = np.exp(E - E.max(1, keepdims=True))
    A /= A.sum(1, keepdims=True)
    return E, A, A @ V


@settings(deadline=None)
@given(
    st.fixed_dictionaries(SIZES),
    st.booleans(),
    st.sampled_from(layer.compute.FILLS),
    st.integers(0, 99),
    st.sampled_from(layer.compute.FLIPS),
)
def test_any_sizes_agree_with_numpy_or_have_no_output(sizes, own, fill, seed, turn):
    run = layer.compute.compute(**sizes, own=own, fill=fill, seed=seed, turn=turn)
    given_rows = (run.X_Q, run.X, run.W_Q, run.W_K, run.W_V)
    T_Q, d_Q = (sizes["T"], sizes["d_X"]) if own else (sizes["T_Q"], sizes["d_Q"])
    square = fill == "identity"
    widths = (d_Q, sizes["d_X"], sizes["d_X"]) if square else (sizes["wide_Q"], sizes["wide_K"], sizes["d_V"])
    assert run.X_Q.shape == (T_Q, d_Q)
    assert [W.shape[1] for W in given_rows[2:]] == [*widths]
    if widths[0] == widths[1]:
        for made, expected in zip((run.E, run.A, run.Y), by_numpy(*given_rows), strict=True):
            np.testing.assert_allclose(made, expected, atol=1e-9)
        assert run.Y.shape == (T_Q, widths[2])
        assert run.fault == ""
    else:
        with pytest.raises(ValueError, match="mismatch"):
            by_numpy(*given_rows)
        assert (run.E, run.A, run.Y) == (None, None, None)


def test_reading_quotes_the_error_of_torch():
    run = preset("layer", "Sizes that do not fit")
    with pytest.raises(RuntimeError) as error:
        torch.tensor(run.Q) @ torch.tensor(run.K).T
    assert run.fault == str(error.value)
    text = layer.views.reading(run)
    assert_says(text, run.fault, "W_Q and W_K", *(len(each[0]) for each in (run.Q, run.K)))
    picture = layer.views.whole(run)
    assert picture.terms[-1] == "✗ 2 ≠ 3"
    assert not {"E", "A", "Y"} & {term.name.split(" ")[0] for term in picture.terms[:-1]}
    assert_says(
        layer.views.reading(EXPERIMENTS["layer"].run({"fill": "identity", "d_Q": 5})), "queries and inputs"
    )


@settings(deadline=None, max_examples=30)
@given(SIZE, SIZE, SIZE, SIZE, st.integers(0, 99))
def test_self_attention_agrees_with_torch(T, d, wide, d_V, seed):
    run = layer.compute.compute(T, d, True, 1, 1, wide, wide, d_V, "random", seed, "nothing")
    np.testing.assert_array_equal(run.X_Q, run.X)
    expected = F.scaled_dot_product_attention(*(torch.tensor(each)[None] for each in (run.Q, run.K, run.V)))[
        0
    ]
    np.testing.assert_allclose(run.Y, expected, atol=1e-9)
    assert {"T_Q", "d_Q"} == set(run.idle())


def test_seq2seq_is_the_layer_with_the_identity():
    """With identity weights the layer must give the contexts of scaled dot attention from lesson 3."""
    run = preset("layer", "Seq2seq")
    S, H = torch.tensor(run.X_Q), torch.tensor(run.X)
    np.testing.assert_array_equal(run.Q, S)
    np.testing.assert_array_equal(run.K, H)
    np.testing.assert_array_equal(run.V, H)
    np.testing.assert_allclose(run.Y, swoop.compute.by_loop(S / S.shape[1] ** 0.5, H), atol=1e-9)
    assert {"wide_Q", "wide_K", "d_V"} == set(run.idle())


@settings(deadline=None, max_examples=40)
@given(SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, st.integers(0, 99))
def test_rows_of_Y_follow_the_queries_and_no_order_of_inputs(T, d_X, T_Q, d_Q, d_K, d_V, seed):
    def turned(turn, own=False):
        return layer.compute.compute(T, d_X, own, T_Q, d_Q, d_K, d_K, d_V, "random", seed, turn)

    drawn, queries, inputs = (turned(turn) for turn in layer.compute.FLIPS)
    np.testing.assert_allclose(queries.Y, drawn.Y[::-1], atol=1e-9)
    np.testing.assert_allclose(inputs.Y, drawn.Y, atol=1e-9)
    np.testing.assert_allclose(inputs.A, drawn.A[:, ::-1], atol=1e-9)
    assert max(queries.along, inputs.stays) < 1e-9
    own = turned("nothing", True).Y
    for turn in ("queries", "inputs"):
        np.testing.assert_allclose(turned(turn, True).Y, own[::-1], atol=1e-9)


def test_effect_of_reversed_rows_is_measured():
    run = EXPERIMENTS["layer"].run({"turn": "queries"})
    assert run.stays > 0.1  # reversing the queries changes Y
    assert_says(layer.views.describe_reversal(run), "queries", "reversed")
    assert_says(
        layer.views.describe_reversal(preset("layer", "Reversed inputs")),
        "inputs",
        ("stays", "does not change"),
    )


@settings(deadline=None, max_examples=30)
@given(st.fixed_dictionaries(SIZES), st.booleans(), st.integers(0, 99))
def test_general_diagram_fits_its_size(sizes, own, seed):
    canvas = layer.views.whole(layer.compute.compute(**sizes, **RANDOM | {"own": own, "seed": seed})).draw()
    assert canvas.width <= WIDTH_PX
    assert canvas.height <= layer.views.HEIGHT_PX


def test_the_table_says_which_sizes_meet():
    assert "√d_K · E = Q Kᵀ" in {row[0] for row in layer.views.agree(EXPERIMENTS["layer"].run()).rows}
    fits, clash = (
        layer.views.agree(run).rows
        for run in (EXPERIMENTS["layer"].run(), preset("layer", "Sizes that do not fit"))
    )
    assert [says(row[2], "defined") for row in fits] == [True] * 5
    assert [says(row[2], "defined") for row in clash] == [True, True, True, False, False]
    assert [says(row[2], "undefined") for row in clash] == [False, False, False, True, False]
