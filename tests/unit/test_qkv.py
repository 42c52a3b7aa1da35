"""Lesson `qkv`: results agree with numpy and torch, and readings contain the right numbers."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from lessons.kit.checkpoints import TRANSLATION, original_run, read_source
from lessons.kit.contract import InputError
from lessons.kit.example_sentences import AMBIGUOUS_BANK, MANY_TO_ONE, REORDERING
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.base import text_width
from lessons.qkv import (
    LESSON,
    advice,
    bank,
    between,
    blank,
    cost,
    cross,
    dynamic,
    heads,
    layer,
    mask,
    matrices,
    order,
    parameters,
    swoop,
)
from lessons.qkv.flow_diagram import WIDTH_PX
from lessons.qkv.sense_models import CHECKPOINTS, LEFT_TO_RIGHT, TWO_SIDED
from lessons.qkv.translator import TRANSFORMER
from models.tasks import BANK
from models.zoo import Card
from tests import helpers
from tests.helpers import EVERYDAY_SENTENCES, takes_only
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
STREET = "i arrived at the bank after crossing the street ."
preset, changed = partial(helpers.preset, LESSON), partial(helpers.changed, LESSON)


# ---- all experiments with an English sentence ----


@pytest.mark.parametrize(
    ("slug", "state"),
    [
        ("order", {"order": "reversed"}),
        ("heads", {"layer": heads.compute.LAYERS[0]}),
        ("heads", {"layer": heads.compute.LAYERS[1]}),
        *(("cross", {"kind": kind}) for kind in cross.compute.KINDS),
        ("between", {"alphabetical": True}),
    ],
)
def test_no_word_is_refused(slug, state):
    for text in EVERYDAY_SENTENCES:
        with collect_notices() as notices:
            EXPERIMENTS[slug].run(state | {"text": text})
        assert set(notices) <= {"text"}


def test_replaced_words_are_named_and_marked():
    with collect_notices() as notices:
        run = EXPERIMENTS["between"].run({"text": "The dog sees the xylophone."})
    assert [word[0] == "≈" for word in run.words] == [False, False, False, False, True, False]
    assert_says(notices["text"], "xylophone")


# ---- advice ----


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
    challenge = next(exercise for exercise in LESSON.exercises if exercise.slug == "two-voices")
    states = [EXPERIMENTS["advice"].state(each.state) for each in EXPERIMENTS["advice"].presets]
    assert not any(challenge.check(None, state).ok for state in states)


def test_query_key_and_value_are_named_only_in_the_text_below():
    section = LESSON.text.experiments["advice"]
    run = EXPERIMENTS["advice"].run()
    shown = section.question + section.before + advice.views.reading(run) + advice.views.answers(run).title
    assert not {"query", "key", "value"} & set(shown.lower().split())
    assert all(f"**{role}**" in section.after for role in ("query", "key", "value"))


# ---- matrices ----


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
    np.testing.assert_array_equal(run.X, np.array(X)[:T, :d])  # exactly as typed


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


# ---- swoop ----


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


# ---- layer ----

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
    assert run.stays > 0.1  # Y has changed
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


# ---- cross ----


@pytest.mark.parametrize("kind", cross.compute.KINDS)
@pytest.mark.parametrize(
    "text",
    [MANY_TO_ONE, REORDERING],
)
def test_layer_agrees_with_the_trained_models(kind, text):
    run = cross.compute.compute(text, kind, 2)
    assert run.weights_difference < 1e-5
    assert run.contexts_difference < 1e-5
    assert run.weights.shape == (len(run.queries), len(run.keys))
    Q, K = (torch.tensor(each)[None] for each in (run.Q, run.K))
    scale = 1.0 if kind == "seq2seq, dot" else None
    W = F.scaled_dot_product_attention(Q, K, torch.eye(len(run.keys))[None], scale=scale)[0]
    np.testing.assert_allclose(run.own_weights, W, atol=1e-5)


def test_seq2seq_has_no_projections():
    run = EXPERIMENTS["cross"].run()
    np.testing.assert_array_equal(run.K, run.V)
    own = original_run("translation-dot-64-s0", read_source(MANY_TO_ONE))
    np.testing.assert_array_equal(run.Q, own.s)


# ---- order ----


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


# ---- dynamic ----


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


# ---- mask ----


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


# ---- heads and parameters ----


@pytest.mark.parametrize("many", ["1", "2", "4", "8"])
@pytest.mark.parametrize("d", ["8", "64"])
def test_heads_agree_with_torch(many, d):
    run = heads.compute.compute(MANY_TO_ONE, "untrained", many, d, 3)
    words = tuple(MANY_TO_ONE.split())
    attention, x = heads.compute.untrained_layer(TRANSFORMER.ids(words), int(d), int(many), 3)
    oracle = torch.nn.MultiheadAttention(int(d), int(many), batch_first=True)
    with torch.no_grad():
        oracle.in_proj_weight.copy_(torch.cat([attention.W_q, attention.W_k, attention.W_v], 1).T)
        oracle.out_proj.weight.copy_(attention.W_o.T)
        out, weights = oracle(x[None], x[None], x[None], average_attn_weights=False)
    np.testing.assert_allclose(run.weights, weights[0], atol=1e-5)
    np.testing.assert_allclose(run.out, out[0], atol=1e-5)
    np.testing.assert_allclose(run.joined @ run.W_O, run.out, atol=1e-5)  # b_o starts at zero
    assert run.parameters == sum(parameter.numel() for parameter in oracle.parameters())
    assert run.maps == int(many) * len(words) ** 2


def test_the_trained_layer_is_the_transformers():
    run = preset("heads", "Trained")
    trace = TRANSFORMER.run(TRANSFORMER.read(MANY_TO_ONE))
    np.testing.assert_allclose(run.weights, trace.encoder_self[0], atol=1e-6)
    rows = run.weights[:, run.words.index("hit")]
    assert len(set(rows.argmax(1))) > 1, "the heads differ"


def test_eight_maps_show_the_first_words_of_a_long_sentence():
    with collect_notices() as notices:
        run = EXPERIMENTS["heads"].run({"text": "the " * 25})
    assert len(run.words) == heads.compute.MAX_WORDS == run.weights.shape[1]
    assert_says(notices["text"], heads.compute.MAX_WORDS)


@given(st.integers(1, 64), st.integers(1, 64), st.integers(1, 8))
@settings(deadline=None, max_examples=25)
def test_parameters_do_not_depend_on_T(d, T, many):
    run = parameters.compute.compute(d, T, many, 0)
    assert run.learned.tolist() == [d * d] * 4
    assert run.biases == 4 * d
    assert d % run.heads == 0
    assert run.heads <= many
    assert run.computed.tolist() == [T * d] * 3 + [run.heads * T * T] * 2 + [T * d]


def test_head_count_that_does_not_divide_d_is_reduced():
    run = parameters.compute.compute(10, 4, 3, 0)
    assert_says(parameters.views.computed(run).title, "4 words", "2 heads", "not 3")
    assert_says(parameters.views.reading(run).partition("GRU")[2], "3 heads", "10 numbers", "2")
    assert_says(parameters.views.computed(EXPERIMENTS["parameters"].run()).title, "4 words", "1 head")
    assert not says(parameters.views.computed(EXPERIMENTS["parameters"].run()).title, "not")


def bar_lengths(picture) -> list[float]:
    return [float(width) for width in re.findall(r'<rect [^>]*width="([\d.]+)"[^>]*fill="var', picture.svg())]


def test_bar_with_the_same_count_keeps_its_length():
    """The bar of learned parameters must keep its length for any sentence length and number of heads."""
    start = parameters.compute.compute(10, 4, 1, 0)
    for other in (parameters.compute.compute(10, 64, 1, 0), parameters.compute.compute(10, 64, 5, 0)):
        assert bar_lengths(parameters.views.learned(other)) == bar_lengths(parameters.views.learned(start))
        assert bar_lengths(parameters.views.computed(other)) != bar_lengths(parameters.views.computed(start))
    more_heads = bar_lengths(parameters.views.computed(parameters.compute.compute(10, 4, 5, 0)))
    unchanged = [n for n, name in enumerate(start.products) if name not in "EA"]
    assert [more_heads[n] for n in unchanged] == [
        bar_lengths(parameters.views.computed(start))[n] for n in unchanged
    ]


def test_counts_fit_on_their_axis():
    by_name = {control.name: control for control in EXPERIMENTS["parameters"].controls}
    for d, T, many in ((1, 1, 1), (64, 64, 8)):
        run = parameters.compute.compute(d, T, many, 0)
        assert min(run.learned.min(), run.computed.min()) > parameters.views.AXIS_MIN
        assert max(run.learned.max(), run.computed.max()) <= parameters.views.AXIS_MAX
    assert (by_name["T"].high, by_name["heads"].high) == (64, 8)
    assert parameters.views.learned(run).figure().axes[0].get_xscale() == "log"


def test_tasks_are_reproducible():
    assert (
        parameters.compute.draw_task(0).d,
        parameters.compute.draw_task(0).T,
        parameters.compute.draw_task(0).answer,
    ) == (10, 4, 300)
    drawn = [parameters.compute.draw_task(number) for number in range(1, 30)]
    assert len({(task.d, task.T) for task in drawn}) > 20
    assert drawn == [parameters.compute.draw_task(number) for number in range(1, 30)]
    assert all(task.answer == 3 * task.d**2 for task in drawn)


# ---- bank ----


def test_only_the_two_sided_model_settles_the_sense():
    left, both = bank.compute.compute(AMBIGUOUS_BANK, 5).now
    assert left == pytest.approx([0.5, 0.5], abs=0.05)
    assert both[1] > 0.95
    assert bank.compute.compute(STREET, 5).now[1, 0] > 0.95
    before = preset("bank", "Not yet").now
    assert before == pytest.approx(np.full((2, 2), 0.5), abs=0.05)


def test_guess_covers_the_left_to_right_model():
    run = EXPERIMENTS["bank"].run()
    both, left = (view(run).lines[0].values for view in (bank.views.both_sides, bank.views.left_to_right))
    assert abs(both[-1]) > 0.9
    assert abs(left).max() < 0.1
    assert {"left_to_right", "senses"} <= set(EXPERIMENTS["bank"].predict.covers)


@pytest.mark.parametrize("text", EXPERIMENTS["bank"].controls[0].suggestions)
def test_every_suggested_sentence_settles_its_word(text):
    run = bank.compute.compute(text, 23)
    assert run.now[1].max() > 0.9
    assert np.ptp(run.unfolding[0], axis=0).max() < 1e-5  # from left to right it never changes
    after = run.position + 1
    assert np.isnan(run.weights[0, :, after:]).all()
    np.testing.assert_allclose(run.weights[1].sum(1), 1, atol=1e-5)


def test_suggestions_have_at_least_six_ambiguous_words():
    first = EXPERIMENTS["bank"].controls[0]
    assert len({bank.compute.compute(text, 0).word for text in (first.default, *first.suggestions)}) >= 6


# ---- blank ----

LEFT, BOTH = (list(CHECKPOINTS).index(reader) for reader in (LEFT_TO_RIGHT, TWO_SIDED))
MONEY, OF_RIVER = range(2)


def test_cue_right_of_the_blank_reaches_only_the_two_sided_model():
    muddy, bankrupt = EXPERIMENTS["blank"].run(), preset("blank", "Another bank")
    assert muddy.decided_sense(BOTH) == OF_RIVER
    assert bankrupt.decided_sense(BOTH) == MONEY
    assert (blank.views.write_fill(muddy, BOTH), blank.views.write_fill(bankrupt, BOTH)) == (
        "river",
        "street",
    )
    assert muddy.decided_sense(LEFT) is None
    np.testing.assert_array_equal(muddy.chances[LEFT], bankrupt.chances[LEFT])
    assert_says(
        blank.views.reading(muddy),
        "river",
        muddy.best_words[BOTH][OF_RIVER][1],
        muddy.sense_totals[BOTH, OF_RIVER],
    )
    assert_says(blank.views.compare_models(muddy), "right of the blank", "only", "bidirectional")


def test_cue_left_of_the_blank_reaches_both_models():
    run = preset("blank", "Muddy first")
    assert sorted(run.words) == sorted(
        [*EXPERIMENTS["blank"].run().words[:9], "when", *"it was muddy .".split()]
    )
    assert (run.decided_sense(LEFT), run.decided_sense(BOTH)) == (OF_RIVER, OF_RIVER)
    assert_says(blank.views.compare_models(run), "left of the blank", "both")
    accuracies = {
        side: [np.mean(run.measured[side][reader].fits) for reader in run.readers]
        for side in ("left", "right")
    }
    right, _, left = blank.views.counted(run).partition("left of the blank")
    assert_says(left, *accuracies["left"])
    assert_says(right, *accuracies["right"])


def test_reading_says_undecided_without_a_cue():
    run = preset("blank", "No clue")
    assert run.sense_totals == pytest.approx(np.full((2, 2), 0.5), abs=0.12)
    assert run.sense == pytest.approx(np.full((2, 2), 0.5), abs=0.12)
    text = blank.views.reading(run)
    assert text.count("undecided") == 2
    for reader in (LEFT, BOTH):
        assert_says(
            blank.views.describe_fill(run, reader),
            *(fact for pair in run.best_words[reader] for fact in pair),
        )
    assert_says(blank.views.compare_models(run), "neither")
    assert {blank.views.write_fill(run, reader) for reader in (LEFT, BOTH)} <= {
        "street or river",
        "river or street",
    }


def test_reading_mentions_words_right_of_the_blank_only_if_there_are_any():
    """If two cues left of the blank contradict each other, the reading must not mention the right side."""
    run = blank.compute.compute("muddy bankrupt the bank ___")
    assert run.decided_sense(LEFT) != run.decided_sense(BOTH)
    assert not says(blank.views.compare_models(run), "right of the blank")
    both_sides = blank.compute.compute("the river bank ___ street .")
    assert {both_sides.decided_sense(LEFT), both_sides.decided_sense(BOTH)} == {None}
    assert not says(blank.views.reading(both_sides), "no word")  # two words are cues, and they contradict


def test_cue_between_word_and_blank_is_known_only_at_the_blank():
    run = preset("blank", "In between")
    assert run.decided_sense(LEFT) == OF_RIVER
    assert run.sense[LEFT] == pytest.approx([0.5, 0.5], abs=0.12)
    assert run.sense[BOTH, OF_RIVER] > 0.9
    assert run.fitting[6] == "muddy"
    assert_says(
        blank.views.compare_models(run), "between bank and the blank", run.sense[LEFT, OF_RIVER], "only"
    )


def test_left_to_right_model_prefers_other_words_before_the_ambiguous_word():
    run = blank.compute.compute("the ___ was near the bat and the cave .")
    assert run.other_words[LEFT] > 0.5
    assert run.decided_sense(BOTH) == 0
    assert_says(blank.views.describe_fill(run, LEFT), *run.likeliest[LEFT])
    assert not says(blank.views.describe_fill(run, LEFT), "undecided")
    assert blank.views.write_fill(run, LEFT).endswith(" ?")


@given(st.data())
def test_nothing_right_of_the_blank_reaches_the_left_to_right_model(data):
    start = "i arrived at the bank after crossing the ___"
    known = st.sampled_from(
        [word for word in BANK.vocabulary.words[3:] if word not in BANK.scenes and word != "___"]
    )
    run, longer = (
        blank.compute.compute(start),
        blank.compute.compute(" ".join([start, *data.draw(st.lists(known, max_size=12))])),
    )
    np.testing.assert_allclose(longer.chances[LEFT], run.chances[LEFT], atol=1e-6)
    np.testing.assert_allclose(longer.sense[LEFT], run.sense[LEFT], atol=1e-6)
    assert np.isnan(longer.weights[LEFT, :, run.place + 1 :]).all()


@pytest.mark.parametrize("text", EXPERIMENTS["blank"].controls[0].suggestions[:-1])
def test_suggested_sentences_decide_the_two_sided_model(text):
    run = blank.compute.compute(text)
    assert run.decided_sense(BOTH) is not None
    assert run.sense[BOTH].argmax() == run.decided_sense(BOTH)
    assert run.chances.sum(1) + run.other_words == pytest.approx([1, 1])


def test_picture_hatches_words_not_seen_from_the_blank():
    run = EXPERIMENTS["blank"].run()
    both, left = blank.views.filled(run).lines
    assert not np.isnan(both.values).any()
    assert np.isnan(left.values).tolist() == [n > run.place for n in range(len(run.words))]
    assert (both.words[run.place], left.changed) == ("river", {run.place})
    assert set(blank.views.words(run).labels) == {*run.fitting, "any other"}
    assert {"filled", "words", "senses"} <= set(EXPERIMENTS["blank"].predict.covers)


@pytest.mark.parametrize("word", BANK.senses)
def test_no_sense_is_cut(word):
    picture = blank.views.senses(EXPERIMENTS["blank"].run({"text": f"we saw the {word} near the ___ ."}))
    assert "…</text>" not in picture.svg()
    assert [sum(sense in label for label in picture.labels) for sense in BANK.senses[word]] == [2, 2]


# ---- cost ----


def test_counts_agree_with_a_small_example():
    """T = 3 and d = 2 give two 2×2 products per step; and four projections, scores and weighted sums."""
    counts = cost.compute.count_costs(np.array([3]), 2, True)
    assert counts["products"][:, 0].tolist() == [3 * 2 * 4, 4 * 3 * 4 + 2 * 3 * 3 * 2]
    assert counts["steps"][:, 0].tolist() == [3, 1]
    assert counts["path"][:, 0].tolist() == [2, 1]
    assert counts["scores"][:, 0].tolist() == [0, 9]
    writing = preset("cost", "Writing")
    assert writing.here["steps"] == [128, 128]  # words are written one after the other
    drawn = [
        [line.name for line in cost.views.chain(run).lines] for run in (writing, EXPERIMENTS["cost"].run())
    ]
    assert drawn == [["both alike"], list(cost.compute.LAYERS)]  # identical lines are drawn as one


def test_writing_attends_only_back_and_needs_a_cache():
    """With T = 3 and d = 2: 1 + 2 + 3 scores; without a cache, keys and values of 1 + 2 + 3 words."""
    counts = cost.compute.count_costs(np.array([3]), 2, False)
    assert counts["scores"][:, 0].tolist() == [0, 1 + 2 + 3]
    assert counts["products"][:, 0].tolist() == [3 * 2 * 4, 4 * 3 * 4 + 2 * 6 * 2]
    assert counts["numbers_kept"][:, 0].tolist() == [2, 2 * 3 * 2]
    assert cost.compute.products_without_cache(3, 2) == (2 * 3 + 2 * 6) * 4 + 2 * 6 * 2
    writing, reading = preset("cost", "Writing"), EXPERIMENTS["cost"].run()
    T = writing.T
    text = cost.views.reading(writing)
    assert_says(
        text,
        T * (T + 1) // 2,
        "cache",
        cost.compute.products_without_cache(T, writing.d) / 1e6,
        writing.here["products"][1] / 1e6,
    )
    assert_says(cost.views.reading(reading), T**2, reading.here["products"][1] / 1e6)
    assert not says(cost.views.reading(reading), "cache")
    assert (
        writing.here["products"][1]
        < reading.here["products"][1]
        < cost.compute.products_without_cache(T, writing.d)
    )
    assert_says(cost.views.memory(writing).title, "next word")


def test_small_counts_are_not_rounded_to_nothing():
    run = EXPERIMENTS["cost"].run({"T": 16, "d": 16})
    assert_says(cost.views.reading(run), *run.here["products"])
    assert not says(cost.views.reading(run), "million")


def test_thousands_of_millions_have_a_comma():
    run = EXPERIMENTS["cost"].run({"T": 480, "d": 96, "forcing": False})
    assert_says(cost.views.reading(run), f"{cost.compute.products_without_cache(480, 96) / 1e6:,.1f} million")
    assert cost.compute.products_without_cache(480, 96) > 1e9


@pytest.mark.parametrize("forcing", [True, False])
@pytest.mark.parametrize("d", [16, 128])
def test_memory_stays_on_its_axis(d, forcing):
    picture = cost.views.memory(cost.compute.compute(128, d, forcing))
    low, high = picture.y_range
    assert all(low <= line.y.min() and line.y.max() <= high for line in picture.lines)


def test_slopes_are_exponents():
    assert cost.compute.fit_slope(
        cost.compute.LENGTHS, 3.0 * np.array(cost.compute.LENGTHS) ** 2
    ) == pytest.approx(2)
    assert np.isnan(cost.compute.fit_slope((1, 2, 4), np.array([1.0, 2.0, np.nan])))


def test_measurement_is_bounded_and_not_in_the_json(monkeypatch):
    monkeypatch.setattr(cost.compute, "fastest_ms", lambda work: (work(), 2.0)[1])
    state = EXPERIMENTS["cost"].state({"d": 16})
    parts = list(EXPERIMENTS["cost"].job.run(**state))
    share, run = parts[-1]
    assert share == 1
    assert len(parts) == len(cost.compute.LENGTHS)
    assert max(cost.compute.LENGTHS) <= 512
    assert run.numbers() == EXPERIMENTS["cost"].run(state).numbers()
    assert np.isfinite(run.measured.milliseconds).all()
    saved = run.measured.saved_bytes
    assert saved[1, -1] > 4 * 512 * 512  # attention stores at least its T² weights
    assert saved[0, -1] / saved[0, -2] == pytest.approx(
        2, rel=0.1
    )  # a recurrence stores twice as much for twice the words
    assert all(view(run) for view in EXPERIMENTS["cost"].views)
    np.testing.assert_array_equal(
        [line.y for line in cost.views.chain(run).lines], run.products
    )  # drawn next to the measured time
    names = cost.views.work(run).plot_layout[2]
    room = cost.views.WORK_WIDTH_PX
    assert all(
        name.x + 14 + text_width(name.words) < room for name in names if name.start
    )  # no name is shortened
    monkeypatch.setattr(cost.compute, "MAX_SECONDS", 0.0)
    assert len(list(EXPERIMENTS["cost"].job.run(**state))) == 1


# ---- between ----


def test_a_bag_of_words_may_hold_two_questions():
    run = preset("between", "A question")
    assert run.right == tuple(model != "no positions" for model in run.models)
    bag = run.outputs[run.models.index("no positions")]
    assert sorted(bag) == sorted(run.truth)


def test_encoder_without_positions_ignores_the_order():
    run = preset("between", "Sorted")
    same = {
        model for model, now, typed in zip(run.models, run.outputs, run.as_typed, strict=True) if now == typed
    }
    assert same == {"no positions"}
    assert run.words == tuple(sorted(run.words))
    one, other = (
        EXPERIMENTS["between"].run({"text": text}).outputs
        for text in ("the man sees the dog .", "the dog sees the man .")
    )
    assert one[1] == other[1]
    assert one[3] != other[3]


def test_accuracies_show_the_value_of_positions():
    run = EXPERIMENTS["between"].run()
    assert run.overall[1].max() < 0.7
    assert run.overall[2:].min() > 0.9
    assert run.has.sum(1).tolist() == [0, 2, 3, 5]
    assert run.by_length.shape == (4, run.seeds, len(run.lengths)) == (4, 3, len(run.lengths))
    assert_says(
        between.views.reading(run),
        *(fact for pair in zip(run.models, run.overall.mean(1), strict=True) for fact in pair),
    )


def test_between_reading_names_the_differences_of_its_models():
    run = EXPERIMENTS["between"].run()
    cards = [Card.read(names[0]) for names in between.compute.MODELS.values()]
    assert run.parameters == tuple(card.parameters for card in cards)
    assert run.steps == tuple(card.recipe["steps"] for card in cards)
    text = between.views.reading(run)
    assert_says(text, min(run.parameters), max(run.parameters), min(run.steps), max(run.steps))
    for (name, *figures), card in zip(between.views.sizes(run).rows, cards, strict=True):
        assert name in run.models
        assert_says(" ".join(figures), card.parameters, card.recipe["steps"])
    assert_says(between.views.describe_sizes(replace(run, steps=(3000,) * 4)), "all", 3000)


def test_sorting_sentence_agrees_in_number():
    run = preset("between", "Sorted")
    assert_says(between.views.reading(run), "still writes")
    two = replace(run, as_typed=(*run.as_typed[:2], *run.outputs[2:3], *run.as_typed[3:]))
    assert_says(between.views.reading(two), "“no positions” and “with positions” still write")
    none = replace(run, as_typed=(("rien",),) * 4)
    assert_says(between.views.reading(none), "every model")
    three = replace(run, as_typed=(("rien",), *run.outputs[1:]))
    assert_says(
        between.views.reading(three), "“no positions”, “with positions” and “Transformer” still write"
    )


def test_outputs_are_compared_with_the_reference_of_the_typed_sentence():
    run = EXPERIMENTS["between"].run({"text": "the old man kicked the bucket .", "alphabetical": True})
    assert " ".join(run.truth) == "le vieil homme est mort ."
    assert run.right == tuple(output == run.truth for output in run.outputs)
    assert run.right[-1] is False  # the Transformer reads the word order, which is now wrong
    *_, truth = lines = between.views.outputs(run).lines
    assert [line.mark for line in lines] == [
        "",
        *("✓ correct" if right else "✗ wrong" for right in run.right),
        "",
    ]
    assert truth.words == run.truth
    unknown = EXPERIMENTS["between"].run({"text": "the dog ."})
    assert unknown.truth is None
    assert not any(line.mark for line in between.views.outputs(unknown).lines)


# ---- exercises ----


LOUD = ((0.0,), (5.0,), (0.0,), (5.0,))
TALL = ((3.0,) * 6, *((1.0,) * 6,) * 5)
POSITIVE = ((1.0,) * 6,) * 6
ANSWERS = {  # slug → correct (answer, state), then wrong ones
    "three-hundred": [(300, {}), (1200, {}), (120, {})],
    "variation": [
        (3 * parameters.compute.draw_task(7).d ** 2, changed("parameters", number=7)),
        (300, changed("parameters", number=7)),
    ],
    "contexts": [("softmax(S Hᵀ) H", {}), *((name, {}) for name in list(swoop.compute.EXPRESSIONS)[1:])],
    "scores": [(63, {}), (16, {})],
    "size-of-Y": [(12, {}), (18, {}), (54, {})],
    "taller": [
        (None, changed("layer", T=1, T_Q=5, d_V=1)),
        (None, changed("layer", d_V=1)),
        (None, changed("layer", T=1, T_Q=5)),
        (None, changed("layer", T=1, T_Q=5, d_V=1, wide_K=3)),
        (None, changed("layer", T=1, d_X=1, d_V=1, own=True)),
    ],
    "overtaken": [(14, {}), (13, {}), (192, {}), (2, {})],
    "hidden": [(15, {}), (21, {}), (18, {})],
    "two-voices": [
        (None, changed("advice", match=LOUD)),
        (None, changed("advice")),
        (None, changed("advice", match=((0.0,), (5.0,), (0.0,), (0.0,)))),
    ],
    "first-row": [
        (None, changed("matrices", X=TALL, W_Q=POSITIVE, W_K=POSITIVE)),
        (None, changed("matrices")),
        (None, changed("matrices", X=TALL, W_Q=POSITIVE, W_K=POSITIVE, T=2)),
        (None, changed("matrices", X=TALL, W_Q=POSITIVE, W_K=POSITIVE, mask=True)),
    ],
    "undecided": [
        (None, changed("bank", text="i arrived at the bank after crossing the")),
        (None, changed("bank")),
        (None, changed("bank", t=2)),
        (None, changed("bank", text="i arrived at the bank")),
    ],
    "later": [
        (None, changed("blank", text="we saw the bat near the cave and it ___ .")),
        (None, changed("blank")),
        (None, changed("blank", text="it was muddy when i arrived at the bank after crossing the ___")),
        (None, changed("blank", text="after crossing the ___ , i arrived at the bank .")),
    ],
    "meeting-point": [(128, {}), (64, {}), (4096, {})],
}


def test_question_about_M_defines_the_matrix():
    """The question must ask for M as T × T; the message explains (Td) × (Td), where T = 2 is right."""
    exercise = next(exercise for exercise in LESSON.exercises if exercise.slug == "overtaken")
    assert_says(exercise.question, "T × T", "pair of positions")
    assert_says(exercise.check(14, {}).message, 14**2, 3 * 8**2, "T = 2")
    assert next(T for T in range(1, 20) if (8 * T) ** 2 > 3 * 8**2) == 2


def test_the_task_of_parameters_has_an_answer_for_lecturers():
    (exercise,) = (exercise for exercise in LESSON.exercises if exercise.slug == "variation")
    assert_says(exercise.solution(), parameters.compute.draw_task(0).answer)
    assert exercise.check(parameters.compute.draw_task(0).answer, changed("parameters")).ok


def test_preset_texts_have_no_raw_subscripts():
    """Preset texts are shown as plain text, so subscripts such as X_Q must not occur."""
    assert not [
        each.watch
        for experiment in LESSON.experiments
        for each in experiment.presets
        if re.search(r"\w_\w", each.watch)
    ]


def test_the_equations_of_bank_hold_for_every_word_with_two_senses():
    section = LESSON.text.experiments["bank"]
    equations = re.findall(r"\$.+?\$", section.after + "".join(act.body for act in section.acts.values()))
    assert equations
    assert not [equation for equation in equations if any(word in equation for word in BANK.senses)]


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


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.slug)
def test_exercises_accept_only_the_right_answer(exercise):
    takes_only(exercise, *ANSWERS[exercise.slug])


def test_reading_counts_tied_largest_weights():
    state = {control.name: control.default for control in EXPERIMENTS["matrices"].controls}
    even = matrices.compute.compute(**state | {"X": tuple((0.0,) * len(row) for row in state["X"])})
    assert_says(matrices.views.reading(even), 1 / 3, "9 cells")
    alone = matrices.compute.compute(**state | {"T": 1})
    assert_says(matrices.views.reading(alone), "row", "itself")
    own = matrices.compute.compute(**state)
    row, seen = (int(n) for n in np.unravel_index(own.A.argmax(), own.A.shape))
    assert_says(matrices.views.reading(own), f"row {row + 1}", own.A.max(), f"row {seen + 1}")
