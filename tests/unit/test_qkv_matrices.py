"""Matrices: the layer agrees with torch, and its diagram fits."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from lessons.kit.contract import InputError
from lessons.qkv import (
    LESSON,
    matrices,
)
from lessons.qkv.flow_diagram import WIDTH_PX
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99), st.booleans(), st.booleans(), st.data())
def test_the_layer_agrees_with_torch(T, d, seed, scale, mask, data):
    values = data.draw(st.lists(st.floats(-3, 3), min_size=144, max_size=144))
    X, W_Q, W_K, W_V = (tuple(map(tuple, rows)) for rows in np.array(values).reshape(4, 6, 6).tolist())
    run = matrices.compute.compute(T, d, "set by hand", seed, scale, mask, X, W_Q, W_K, W_V)
    x = torch.tensor(X, dtype=torch.float64)[:T, :d]
    Q, K, V = (x @ torch.tensor(W, dtype=torch.float64)[:d, :d] for W in (W_Q, W_K, W_V))
    expected = F.scaled_dot_product_attention(
        Q[None], K[None], V[None], is_causal=mask, scale=None if scale else 1.0
    )[0]
    np.testing.assert_allclose(run.Y, expected, atol=1e-5)
    E = (Q @ K.T).numpy() / (d**0.5 if scale else 1)
    seen = np.tril(np.ones((T, T), bool)) if mask else np.ones((T, T), bool)
    np.testing.assert_allclose(run.E[seen], E[seen], atol=1e-5)
    assert np.isneginf(run.E[~seen]).all()
    assert (run.A[~seen] == 0).all()
    np.testing.assert_allclose(run.A.sum(1), 1, atol=1e-9)
    np.testing.assert_array_equal(run.X, np.array(X)[:T, :d])  # X is exactly as typed


def test_cell_notes_compute_the_value_of_their_cell():
    """Each note ends in the value of its cell, and its products add up to that value."""
    run = matrices.compute.compute(
        3,
        2,
        "random",
        4,
        True,
        True,
        *(EXPERIMENTS["matrices"].state()[name] for name in ("X", "W_Q", "W_K", "W_V")),
    )
    picture = matrices.views.layer(run)
    for name in "QKVY":
        for tip, value in cells(picture, name):
            products, _, total = tip.replace("−", "-").partition(" = ")
            assert float(total) == pytest.approx(value, abs=0.005)
            values = [
                np.prod([float(factor) for factor in part.split(" × ")]) for part in products.split(" + ")
            ]
            assert sum(values) == pytest.approx(value, abs=0.03)
    for tip, value in cells(picture, "E"):
        assert (
            says(tip, "masked")
            if np.isinf(value)
            else float(tip.replace("−", "-").split(" = ")[1]) == pytest.approx(value, abs=0.005)
        )
    for tip, value in cells(picture, "A"):
        assert (
            "masked" in tip if value == 0 else float(tip.split(" = ")[1]) == pytest.approx(value, abs=0.005)
        )


def cells(picture, name: str):
    block = next(term for term in picture.terms if term.name.split(" = ")[0] == name)
    return [(block.made[r][c], block.grid[r, c]) for r, c in np.ndindex(block.grid.shape)]


def test_under_the_mask_only_rows_with_a_choice_are_compared():
    run = preset("matrices", "Masked")
    assert run.A[0, 0] == 1
    row = 2 + int(run.A[1:].max(1).argmax())
    assert_says(matrices.views.reading(run), f"row {row}", "from row 2 on", run.A[row - 1].max())
    assert not says(matrices.views.reading(EXPERIMENTS["matrices"].run()), "from row 2 on")


def test_one_number_reaches_every_row():
    """One edited number must change one row of Q, K and V and all rows of Y; the edited cell is marked."""
    rows = [list(row) for row in matrices.compute.X]
    rows[0][0] += 0.5
    run, start = EXPERIMENTS["matrices"].run({"X": rows}), EXPERIMENTS["matrices"].run()
    assert run.changed == {"X": ((0, 0),), "W_Q": (), "W_K": (), "W_V": ()}
    np.testing.assert_allclose(run.moved, np.abs(run.Y - start.Y).max(1))
    assert (run.moved > 0.01).all()
    for name in "QKV":
        assert ((getattr(run, name) != getattr(start, name)).any(1) == [True, False, False]).all()
    assert (start.moved == 0).all()
    assert matrices.views.layer(run).terms[0].changed == {(0, 0)}
    assert_says(matrices.views.reading(run), "1 number", "3 of 3 rows", run.moved.max())


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 6), st.integers(1, 6), st.sampled_from(matrices.compute.FILLS), st.integers(0, 99))
def test_layer_diagram_fits_its_size(T, d, fill, seed):
    picture = matrices.views.layer(
        matrices.compute.compute(T, d, fill, seed, True, False, *matrices.compute.START)
    )
    canvas = picture.draw()
    assert canvas.width <= WIDTH_PX
    assert canvas.height <= matrices.views.HEIGHT_PX
    places = picture.layout_terms(picture.spacing)[0]
    assert {(place.x, place.top) for place in places if place.x == places[4].x} == {
        (p.x, p.top) for p in places[4:7]
    }
    assert all(
        one.x + one.width <= other.x
        for one, other in ((places[a], places[b]) for a, b in picture.arrows)
        if one.x != other.x
    )


def test_only_matrices_in_use_are_editable():
    identity, drawn = preset("matrices", "Identity"), preset("matrices", "Six by six")
    np.testing.assert_array_equal(identity.Q, identity.X)
    offered = [
        {term.edit.control for term in matrices.views.layer(run).terms if term.edit}
        for run in (identity, drawn)
    ]
    assert offered == [{"X"}, set()]
    assert "seed" in identity.idle()
    assert "seed" not in drawn.idle()
    assert {"scale", "mask"} <= set(EXPERIMENTS["matrices"].run({"T": 1, "d": 1}).idle())
    other = EXPERIMENTS["matrices"].run({"T": 6, "d": 6, "fill": "random", "seed": 2})
    assert not np.array_equal(drawn.X, other.X)
    one = preset("matrices", "One row")
    np.testing.assert_array_equal(one.Y, one.V)


@pytest.mark.parametrize("bad", [float("nan"), "two", "", None])
def test_invalid_cell_raises_input_error(bad):
    rows = [list(row) for row in EXPERIMENTS["matrices"].state()["X"]]
    rows[0][0] = bad
    with pytest.raises(InputError):
        EXPERIMENTS["matrices"].run({"X": rows})
