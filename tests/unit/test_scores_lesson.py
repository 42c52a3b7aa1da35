"""Lesson `scores`: numbers agree with independent computations, and claims, exercises and pictures hold."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from lessons.kit.checkpoints import TRANSLATION
from lessons.kit.contract import InputError
from lessons.kit.example_sentences import MANY_TO_ONE, REORDERING
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.references import known_pair
from lessons.scores import LESSON, plane, same, scaling, sizes, trained
from lessons.scores.plane.compute import ARROWS, scores_of
from lessons.scores.same.compute import PAIRS
from lessons.scores.scaling.compute import KEY_COUNT, MAX_POWER, Samples, draw_samples
from lessons.scores.score_functions import ADDITIVE_WEIGHTS, IDENTITY, SCORE_NAMES, build_score
from lessons.scores.sizes.compute import MAX_SIZE
from lessons.scores.sizes.matrix_shapes import MatrixShapes
from lessons.scores.sizes.views import count_parameters
from lessons.scores.trained.compute import SUGGESTIONS, checkpoint_name, measure, read_metrics
from lessons.scores.trained.exercises import UNDECIDED
from lessons.scores.trained.views import (
    SMALL_LEAD,
    beside_papers,
    compare_order,
    describe_times,
    describe_weights,
    one_word,
    reading,
    scoreboard,
    translations,
)
from models.metrics import translate
from models.tasks.task import split_of
from models.zoo import Card, load
from tests import helpers
from tests.helpers import takes_only
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
numbers = st.floats(-2, 2).map(lambda value: round(value, 2))


def rows(many: int, columns: int = 2) -> st.SearchStrategy:
    return st.tuples(*[st.tuples(*[numbers] * columns)] * many)


preset, changed = partial(helpers.preset, LESSON), partial(helpers.changed, LESSON)


# ---- plane ----


@given(rows(5), rows(4), rows(2), st.booleans(), st.floats(-2, 2))
def test_the_plane_is_attention_by_its_definition(arrows, values, W, unit, log_tau):
    used = np.array(arrows)
    if unit:
        used = used / np.maximum(np.linalg.norm(used, axis=1, keepdims=True), 1e-12)
    (s, *H), V, M = used, np.array(values), np.array(W)
    A = {name: np.array(value) for name, value in ADDITIVE_WEIGHTS.items()}
    expected = {
        "dot": [s @ h for h in H],
        "scaled dot": [s @ h / 2**0.5 for h in H],
        "bilinear": [s @ M @ h for h in H],
        "scaled bilinear": [h @ M.T @ s / 2**0.5 for h in H],
        "additive": [A["v"] @ np.tanh(A["W_1"] @ h + A["W_2"] @ s) for h in H],
    }
    for n, name in enumerate(SCORE_NAMES):
        run = plane.compute(arrows, values, name, W, unit, log_tau)
        np.testing.assert_allclose(run.scores, expected[name], atol=1e-9)
        e = np.array(expected[name]) / 10**log_tau
        alpha = np.exp(e - e.max()) / np.exp(e - e.max()).sum()
        np.testing.assert_allclose(run.weights, alpha, atol=1e-6)
        np.testing.assert_allclose(run.all_weights[n], alpha, atol=1e-6)
        np.testing.assert_allclose(run.context, alpha @ V, atol=1e-6)
        if run.looks_for is not None:
            np.testing.assert_allclose(np.array(H) @ run.looks_for * run.scale, run.scores, atol=1e-9)


@given(rows(5))
def test_with_unit_norm_dot_is_cosine(arrows):
    s, *H = torch.tensor(arrows, dtype=torch.float64)
    expected = F.cosine_similarity(torch.stack(H), s.expand(4, 2), eps=1e-12)
    long_enough = (torch.stack([s, *H]).norm(dim=-1) > 0.005).numpy()
    result = scores_of("dot", arrows, IDENTITY, True).numpy()
    seen = long_enough[1:] & long_enough[0]
    np.testing.assert_allclose(result[seen], expected.numpy()[seen], atol=1e-9)


def test_presets_of_plane():
    lookup, mean = preset("plane", "Lookup"), preset("plane", "Mean")
    np.testing.assert_allclose(lookup.context, lookup.values[lookup.winner], atol=1e-6)
    np.testing.assert_allclose(mean.context, mean.values.mean(0), atol=0.02)
    s, h_1, *others = ARROWS
    longer = (s, tuple(1.4 * x for x in h_1), *others)
    state = {"unit": True}
    np.testing.assert_allclose(
        EXPERIMENTS["plane"].run(state | {"arrows": longer}).weights,
        EXPERIMENTS["plane"].run(state).weights,
        atol=1e-9,
    )
    elsewhere = preset("plane", "A rotated query")
    # W is a quarter turn, so both are orthogonal
    assert elsewhere.looks_for @ elsewhere.arrows[0] == pytest.approx(0)
    assert elsewhere.winner != EXPERIMENTS["plane"].run().winner
    assert "W" not in elsewhere.idle()
    assert_says(lookup.idle()["W"], "bilinear")


@given(rows(5), rows(2), st.booleans())
def test_both_bilinear_scores_share_one_W(arrows, W, unit):
    """Scaled bilinear must only divide by √m: the winner and the transformed query stay the same."""
    plain, scaled = (
        plane.compute(arrows, ((0.0, 0.0),) * 4, name, W, unit, 0.0)
        for name in ("bilinear", "scaled bilinear")
    )
    np.testing.assert_allclose(scaled.scores, plain.scores / 2**0.5, atol=1e-9)
    np.testing.assert_array_equal(scaled.looks_for, plain.looks_for)
    np.testing.assert_array_equal(scaled.weights_used["W"], plain.weights_used["W"].T)
    frame = plane.views.worked(scaled).frame().set_index("matrix")
    factors = [
        frame.loc[[name], "value"].to_numpy() for name in (f"h_{{{scaled.winner + 1}}}ᵀ", "W_g = Wᵀ", "s")
    ]
    by_hand = factors[0] @ factors[1].reshape(2, 2) @ factors[2] * scaled.scale
    assert by_hand == pytest.approx(scaled.scores[scaled.winner])


def test_length_wins_until_only_directions_count():
    s, h_1, *others = ARROWS
    shorter = {"arrows": (s, tuple(x / 2 for x in h_1), *others)}
    run = EXPERIMENTS["plane"].run
    assert [run().winner, run(shorter).winner, run(shorter | {"unit": True}).winner] == [0, 1, 0]
    assert [plane.exercises.length_counts.check(key, {}).ok for key in ("h₁", "h₂", "h₃")] == [
        False,
        True,
        False,
    ]


AWAY = {
    "nearer": ("short of it",),
    "farther": ("farther than the mean",),
}  # phrases that compare c with the winner's value


def test_a_tie_has_no_winner():
    """On a tie the reading must name no winner, and must end with a full stop."""
    s, h_1, _, *others = ARROWS
    say = EXPERIMENTS["plane"].views[-1]
    flat, twins = (
        EXPERIMENTS["plane"].run({"arrows": arrows}) for arrows in (((0.0, 0.0),) * 5, (s, h_1, h_1, *others))
    )
    assert_says(say(flat), 0.0, 0.25, "tie")
    assert_says(say(twins), "h₁ and h₂", "tie", twins.scores[0], twins.weights[0])
    assert not says(say(twins), "wins")
    assert all(text.endswith(".") for text in (say(flat), say(twins)))
    together = EXPERIMENTS["plane"].run(
        {"values": ((1.0, 1.0),) * 4}
    )  # c is the winner's value without being a lookup
    assert_says(say(EXPERIMENTS["plane"].run()), *AWAY["nearer"])
    assert not any(says(say(together), word) for word in AWAY["nearer"])


def test_the_reading_of_the_plane_never_contradicts_its_picture():
    """The reading must be right about where c lies and whether the key that dot prefers is longer."""
    rng, say, phrases = np.random.default_rng(4), EXPERIMENTS["plane"].views[-1], set()
    for _ in range(400):
        arrows, values = (tuple(map(tuple, np.round(rng.uniform(-2, 2, (n, 2)), 1).tolist())) for n in (5, 4))
        run = EXPERIMENTS["plane"].run(
            {"arrows": arrows, "values": values, "log_tau": float(rng.choice([-0.5, 0.0, 0.5]))}
        )
        text, best = say(run), run.values[run.winner]
        away, mean = (np.linalg.norm(place - best) for place in (run.context, run.values.mean(0)))
        assert not says(text, AWAY["nearer"]) or away <= mean, text
        assert not says(text, AWAY["farther"]) or away > mean, text
        lengths = np.linalg.norm(run.arrows[1:], axis=1)
        longer = lengths[run.dot_winner] > lengths[run.cosine_winner]
        assert not says(text, "longer") or longer, text
        assert not says(text, "shorter") or not longer, text
        phrases |= {
            words for words in (*AWAY["nearer"], *AWAY["farther"], "longer", "shorter") if says(text, words)
        }
        assert plane.views.score_bars(run).top >= np.abs(run.scores).max()  # no bar is clipped
    assert len(phrases) == 4  # every phrase has occurred


def test_keys_that_point_the_same_way_do_not_differ_in_direction():
    run = EXPERIMENTS["plane"].run(
        {"arrows": ((0.5, -0.9), (-0.6, -0.6), (-1.8, -1.8), (0.0, 0.0), (0.0, 0.0))}
    )
    assert run.dot_winner == run.cosine_winner == 1
    assert not says(EXPERIMENTS["plane"].views[-1](run), ("longer", "shorter"))


# ---- trained ----


def test_suggestions_are_unseen():
    for sentence in SUGGESTIONS:
        source = TRANSLATION.read(sentence)
        assert split_of(source) == "test"
        assert source not in TRANSLATION.course_sources
        assert known_pair(source).alignment


def test_plain_english_is_read_with_known_words_which_are_marked():
    with collect_notices() as notices:
        run = trained.compute("The teacher doesn’t drink coffee 🙂", 1)
    assert set(run.source) <= set(TRANSLATION.source.words)
    assert "≈" in run.shown[1]
    assert trained.views.one_word(run).columns == run.shown
    assert_says(notices["sentence"], "teacher", "Emoji")
    with pytest.raises(InputError):
        trained.compute("🙂", 1)


def test_outputs_equal_those_of_the_metrics():
    run = trained.compute(SUGGESTIONS[1], 1)
    ids = TRANSLATION.source.ids(run.source)
    for name, output, weights in zip(run.scores, run.outputs, run.weights, strict=True):
        written = translate(load(checkpoint_name(name, 0))[0], [ids])[0]
        assert TRANSLATION.target.tokens(written) == output
        assert run.right[run.scores.index(name)] == (output == known_pair(run.source).target)
        np.testing.assert_allclose(weights.sum(1), 1, atol=1e-5)
        assert weights.shape == (len(output), len(run.source))


def test_metrics_are_those_of_the_cards():
    run = EXPERIMENTS["trained"].run()
    n, seed = run.scores.index("scaled dot"), 2
    natural = Card.read("translation-scaled-dot-64-s2").metrics["natural"]
    assert (run.exact_match[n, seed], run.aer[n, seed], run.bleu[n, seed]) == tuple(
        natural[name] for name in ("exact_match", "aer", "bleu")
    )
    assert run.parameters.tolist() == [0, 0, 64 * 64, 64 * 64, 2 * 64 * 64 + 64]
    assert np.isnan(run.ms).all()


def test_scaled_dot_has_the_softest_maps():
    """The text claims that scaled dot has the softest maps, because no matrix can undo its scale."""
    for sentence in SUGGESTIONS:
        run = trained.compute(sentence, 1)
        assert run.scores[int(run.sharpest.argmin())] == "scaled dot"


def test_overlapping_ranges_have_no_order():
    assert compare_order(np.array([3.0, 4]), np.array([1.0, 2])) == "yes"
    assert compare_order(np.array([1.0, 2]), np.array([3.0, 4])) == "no"
    for first, second in (([1.5, 4], [1.0, 2]), ([1.0, 2], [1.5, 4])):
        assert_says(compare_order(np.array(first), np.array(second)), "overlap")


def test_the_best_score_is_graded_only_where_runs_do_not_overlap(monkeypatch):
    runs = read_metrics()["exact_match"]
    best = int(runs.mean(1).argmax())
    overlaps = runs[best].min() <= np.delete(runs, best, axis=0).max()
    result = {name: trained.exercises.best_score.check(name, {}) for name in SCORE_NAMES}
    assert trained.exercises.best_score.check(UNDECIDED, {}).ok == overlaps
    assert [verdict.ok for verdict in result.values()] == [
        n == best and not overlaps for n in range(len(runs))
    ]
    assert [says(result[name].message, ("behind", "worse")) for name in SCORE_NAMES] == [
        row.max() < runs[best].min() for row in runs
    ]
    for row, name in zip(runs, SCORE_NAMES, strict=True):
        assert_says(result[name].message, row.min(), row.max())
    apart = np.array([[0.1], [0.2], [0.9], [0.3], [0.4]]) + np.array([0.0, 0.01, 0.02])
    monkeypatch.setattr(trained.exercises, "read_metrics", lambda: {"exact_match": apart})
    assert [trained.exercises.best_score.check(name, {}).ok for name in (*SCORE_NAMES, UNDECIDED)] == [
        False,
        False,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "sentence",
    [*SUGGESTIONS, *(preset.state["sentence"] for preset in EXPERIMENTS["trained"].presets[1:])],
)
def test_every_row_and_column_of_a_map_has_a_label(sentence):
    run = trained.compute(sentence, 1)
    for view in (*EXPERIMENTS["trained"].acts[0].views, one_word):
        shown, drawn = view(run), view(run).draw()
        layout = shown.layout()
        assert len(layout.row_ticks) == len(shown.rows)
        assert len(layout.column_ticks) == len(run.source)
        assert drawn.width <= (286 if view is not one_word else 530)  # three maps fit in a row


def test_sentences_seen_in_training_are_reported():
    text = {sentence: reading(trained.compute(sentence, 1)) for sentence in (SUGGESTIONS[0], MANY_TO_ONE)}
    assert [says(words, "in training") for words in text.values()] == [False, True]


def test_outputs_are_marked_against_the_reference():
    run = EXPERIMENTS["trained"].run()
    wrong = replace(run, outputs=(("le", *run.truth[1:]), *run.outputs[1:]), right=(False, *run.right[1:]))
    marked = translations(wrong)
    assert [line.mark for line in marked.lines] == ["✗ wrong", *["✓ correct"] * 4, ""]
    assert [line.changed for line in marked.lines[:2]] == [{0}, frozenset()]
    assert "✗" in EXPERIMENTS["trained"].acts[0].views[0](wrong).title
    assert_says(reading(wrong), "4 of 5")
    unknown = replace(run, truth=None, right=(None,) * 5, sentence_aer=(None,) * 5)
    assert_says(reading(unknown), "do not know")
    titles = [EXPERIMENTS["trained"].acts[0].views[0](shown).title for shown in (run, unknown)]
    assert ["✓" in title for title in titles] == [True, False]


def test_endless_lines_are_truncated_in_the_picture_alone():
    run = EXPERIMENTS["trained"].run()
    endless = replace(run, outputs=(run.truth * 9, *run.outputs[1:]), right=(False, *run.right[1:]))
    shown = translations(endless)
    assert shown.lines[0].words == (*(run.truth * 9)[: 2 * len(run.source)], "…")
    assert shown.lines[1].words == run.outputs[1]
    assert (shown.frame().line == "dot").sum() == 9 * len(run.truth)


def test_one_word_is_the_same_row_of_every_map():
    run = EXPERIMENTS["trained"].run({"t": 3})
    for n, alpha in enumerate(run.weights):
        np.testing.assert_array_equal(one_word(run).values[n], alpha[2])
    assert one_word(run).gold == tuple((n, i) for n in range(5) for t, i in run.gold if t == 2)
    assert EXPERIMENTS["trained"].run({"t": 70}).t == run.limits()["t"] == len(run.truth)
    stopped = replace(
        run, outputs=(run.outputs[0][:2], *run.outputs[1:]), weights=(run.weights[0][:2], *run.weights[1:])
    )
    assert np.isnan(one_word(stopped).values[0]).all()
    assert not says(" ".join(describe_weights(stopped)).replace("scaled dot", ""), "dot")


def test_models_are_grouped_by_their_largest_weight():
    run = EXPERIMENTS["trained"].run()
    ahead, all_on_four = np.eye(len(run.source))[[1, 4, 4, 4, 4]], np.eye(len(run.source))[[4] * 5]
    apart = replace(run, weights=tuple(np.stack([row] * len(run.truth)) for row in ahead))
    together = replace(run, weights=tuple(np.stack([row] * len(run.truth)) for row in all_on_four))
    first, _, second = " ".join(describe_weights(apart)).partition("european")
    assert_says(first, "was", "scaled dot, bilinear, scaled bilinear and additive")
    assert_says(second, "with dot")
    assert_says(" ".join(describe_weights(together)), "was", "all five")


def test_the_largest_weights_and_small_leads_are_reported():
    """At the start scaled dot gives “policy” little more than the next word; the reading must say so."""
    run = EXPERIMENTS["trained"].run()
    row = run.rows[run.scores.index("scaled dot")]
    second, first = np.sort(row)[-2:]
    assert first - second < SMALL_LEAD
    largest = run.rows.max(1)
    assert_says(" ".join(describe_weights(run)), largest.min(), largest.max(), "policy")
    lead = " ".join(describe_weights(run)).partition("With scaled dot,")[2]
    assert_says(lead, "nearly", first, second, run.source[int(np.argsort(row)[-2])])
    assert not says(" ".join(describe_weights(EXPERIMENTS["trained"].run({"t": 1}))), "nearly")


def test_repeated_words_are_numbered():
    run = trained.compute(REORDERING, 4)
    assert_says(
        " ".join(describe_weights(run)).partition("largest weight")[2],
        "the",
        f"word {int(run.rows[0].argmax()) + 1}",
    )


def test_a_training_step_is_timed():
    steps = measure(SUGGESTIONS[0], 1)
    share, first = next(steps)
    share, second = next(steps)
    steps.close()
    assert 0 < share < 1
    assert np.isfinite(first.ms).sum() == 1
    assert np.isfinite(second.ms).sum() == 2
    assert (second.ms[np.isfinite(second.ms)] > 0).all()
    assert json.dumps(second.numbers(), allow_nan=False)
    assert not says(reading(second), "training step")
    ms = np.arange(15.0).reshape(5, 3) + 1
    text = " ".join(describe_times(replace(second, ms=ms)))
    assert_says(text, f"{ms[0].mean():.1f} ms with dot", f"{ms[4].mean():.1f} ms with additive")
    assert not says(text, ("noisy", "overlap"))


def test_times_of_the_reading_are_those_of_the_table():
    """The reading must give the scoreboard's means, and must not call one faster if the runs overlap."""
    run = EXPERIMENTS["trained"].run()
    ms = np.array([[1.0, 9.0, 11.0], [5.0, 5.0, 5.0], [6.0, 6.0, 6.0], [6.0, 6.0, 6.0], [6.0, 6.0, 6.0]])
    noisy = replace(run, ms=ms)
    text = " ".join(describe_times(noisy))
    assert_says(text, "5.0 ms with scaled dot", "7.0 ms with dot", "overlap", "noisy")
    shown = {row[0]: row[-1].words for row in scoreboard(noisy).rows}
    assert all(says(text, f"{shown[name].split()[0]} ms with {name}") for name in ("dot", "scaled dot"))


@pytest.mark.parametrize("text", [" ", "🙂", "Привет"])
def test_text_without_english_raises_an_error_that_says_what_to_do(text):
    with pytest.raises(InputError) as complaint:
        EXPERIMENTS["trained"].run({"sentence": text})
    assert_says(str(complaint.value), "English sentence")


def test_sixty_words_are_cut_and_it_is_said():
    with collect_notices() as notices:
        run = EXPERIMENTS["trained"].run({"sentence": "the " * 60})
    assert len(run.source) == 40
    assert_says(notices["sentence"], 39, 60)


# ---- same ----


def test_vectors_have_one_decimal():
    """Vectors must be drawn with one decimal: 0.1, not 0.10000000149."""
    values = EXPERIMENTS["same"].run().numbers()
    assert all(number == round(number, 1) for row in (values["s"], *values["H"]) for number in row)


@given(st.integers(1, 20), rows(3), rows(3), rows(3, 1))
def test_split_and_joined_are_one_function(seed, W_1, W_2, v):
    joined = tuple((*a, *b) for a, b in zip(W_1, W_2, strict=True))
    run = same.compute(PAIRS[1], seed, IDENTITY, W_1, W_2, v, joined)
    assert not run.changed
    np.testing.assert_allclose(run.one, run.other, atol=2e-6)
    assert run.one.dtype == np.float32


@given(st.integers(1, 20), rows(2))
def test_bilinear_is_dot_only_with_the_identity(seed, W):
    state = EXPERIMENTS["same"].state({"seed": seed})
    run, plain = same.compute(**state | {"W": W}), same.compute(**state)
    assert not plain.difference.any()
    np.testing.assert_allclose(run.difference, run.s @ (np.array(W) - np.eye(2)) @ run.H.T, atol=1e-5)
    assert run.changed == {(r, c) for r in range(2) for c in range(2) if W[r][c] != float(r == c)}


def test_a_wrong_entry_is_outlined_and_can_be_repaired():
    broken = preset("same", "Repair it")
    assert broken.changed == {(1, 2)}
    assert np.abs(broken.difference).max() > 0.01
    W_2 = broken.matrices["W_2"].copy()
    W_2[1, 0] = broken.matrices["W"][1, 2]
    state = dict(EXPERIMENTS["same"].presets[3].state) | {"W_2": W_2.tolist()}
    assert not EXPERIMENTS["same"].run(state).changed


def test_rounding_is_not_called_a_difference():
    where = [
        view(preset("same", title)).title
        for title in ("Split or joined", "Repair it")
        for view in EXPERIMENTS["same"].views[:2]
    ]
    assert [says(title, "differ most") for title in where] == [False, False, True, True]


@given(st.integers(1, 20), st.sampled_from(PAIRS), rows(2))
def test_scores_of_a_pair_stay_on_their_axis(seed, pair, W):
    state = EXPERIMENTS["same"].state({"seed": seed, "pair": pair})
    large = same.compute(
        **state | {"W": tuple(tuple(1.5 * x for x in row) for row in W), "v": ((3.0,), (3.0,), (3.0,))}
    )
    assert same.views.both(large).top >= max(np.abs(large.one).max(), np.abs(large.other).max())


# ---- sizes ----


@given(*[st.integers(1, MAX_SIZE)] * 3)
def test_parameters_are_what_the_formulas_say(d_1, d_2, d_3):
    run = sizes.compute(d_1, d_2, d_3)
    dot = 0 if d_1 == d_2 else None
    assert run.parameters == (dot, dot, d_1 * d_2, d_1 * d_2, d_3 * (d_1 + d_2 + 1))
    assert all(
        bool(reason) == (count is None) for reason, count in zip(run.reasons, run.parameters, strict=True)
    )


def test_one_is_singular():
    for count, text in (
        (0, "no parameters"),
        (1, "1 parameter"),
        (4096, "4,096 parameters"),
    ):
        assert_says(count_parameters(count), text)
    text = EXPERIMENTS["sizes"].views[1](sizes.compute(1, 1, 1))
    assert_says(text, "1 parameter", "3 parameters")
    for shapes in (sizes.compute(128, 1, 1), sizes.compute(1, 128, 1)):
        assert "1 dimensions" not in EXPERIMENTS["sizes"].views[0](shapes).svg()


def test_digits_of_a_ratio():
    for given_sizes, ratio in (((1, 64, 1), "1.03"), ((1, 1, 128), "384")):
        assert_says(EXPERIMENTS["sizes"].views[1](sizes.compute(*given_sizes)), f"{ratio} times as many")
    most = sizes.compute(*[MAX_SIZE] * 3)
    assert sizes.views.parameters(most).top == max(most.parameters)  # no bar is clipped


def test_building_a_score_keeps_the_random_state():
    before = torch.get_rng_state()
    sizes.compute(5, 4, 3)
    build_score("additive", **ADDITIVE_WEIGHTS)
    assert torch.equal(before, torch.get_rng_state())


def test_factors_that_meet_have_the_same_inner_size():
    shown = EXPERIMENTS["sizes"].views[0](sizes.compute(7, 5, 3))
    assert isinstance(shown, MatrixShapes)
    assert [expression.fits for expression in shown.expressions] == [False, False, True, True, True]
    frame = shown.frame()
    for name in ("bilinear", "scaled bilinear"):
        factors = frame[frame.score == name]
        assert factors["columns"].tolist()[:-1] == factors["rows"].tolist()[1:]
    assert_says(shown.expressions[0].note, "hᵢ", 7, 5)
    assert any(term == "/ √m" for term in shown.expressions[3].terms)


# ---- scaling ----


def test_spread_is_the_root_of_d_and_scaled_stays():
    drawn = draw_samples(0)
    d = 2 ** np.arange(MAX_POWER + 1)
    np.testing.assert_allclose(drawn.spread[0] / np.sqrt(d), 1, atol=0.15)
    np.testing.assert_allclose(drawn.spread[1], 1, atol=0.15)
    np.testing.assert_allclose(
        drawn.scores[0] / torch.tensor(d).sqrt()[:, None, None], drawn.scores[1], atol=1e-4
    )
    assert (np.diff(drawn.entropy[0]) < 0).all()
    assert np.ptp(drawn.entropy[1]) < 0.3
    assert drawn.gradient[0, -1] < 0.3 * drawn.gradient[1, -1]
    assert drawn.largest[0, -1] > 0.9


def test_the_gradient_is_autograds():
    drawn = draw_samples(0)
    some = drawn.scores[:, :, :5].double()
    for way, k in ((0, 0), (0, 6), (1, 10)):
        norms = [
            torch.autograd.functional.jacobian(lambda e: torch.softmax(e, -1), e).norm() for e in some[way, k]
        ]
        result = Samples(some).gradient[way, k]
        assert result == pytest.approx(torch.stack(norms).mean().item(), abs=1e-6)
    uniform = Samples(torch.zeros(1, 1, 3, KEY_COUNT))
    assert uniform.entropy[0, 0] == pytest.approx(np.log2(KEY_COUNT))


def test_scaling_is_idle_at_size_one():
    small, larger = (scaling.compute(k, False, 0) for k in (0, 1))
    np.testing.assert_array_equal(small.weights[0], small.weights[1])
    assert "scaled" in small.idle()
    assert not larger.idle()
    assert_says(EXPERIMENTS["scaling"].views[2](small), "the same")


# ---- tables and slides ----


def test_a_table_says_mean_and_range_and_what_is_not_measured_yet():
    runs = Runs([0.25, 0.5, 0.75], 0, 1)
    assert runs.words == "0.50 (0.25–0.75)"
    assert Runs([np.nan, np.nan], 0, 1).words == "–"
    assert Runs([2.0, np.nan], 0, 1, 1).words == "2.0"
    table = Table(("name", "figure"), (("<b>", runs), ("two", Runs([np.nan], 0, 1))), title="t")
    assert "<b>" not in table.svg()
    assert table.frame()["figure mean"].tolist()[0] == 0.5
    assert table.figure()
    wide = Table(("a", "b"), (("x" * 200, "y" * 300),), title="t")
    assert wide.draw().width <= 870


def test_no_cell_of_a_table_is_truncated():
    run = replace(EXPERIMENTS["trained"].run(), ms=np.full((5, 3), [11.1, 50.5, 92.9]))
    for table in (scoreboard(run), beside_papers(run)):
        assert "…</text>" not in table.svg()
        assert table.draw().width <= 900


def test_matrix_shapes_have_a_slide():
    assert EXPERIMENTS["sizes"].views[0](sizes.compute(128, 1, 64)).figure()


# ---- exercises ----


LOUD = ((1.0, 0.0), (0.5, 0.0), (1.5, 1.5), (-1.0, 0.0), (0.0, -1.0))
ANSWERS = {  # slug → correct (answer, state), then wrong ones
    "by-hand": [(5, {}), (1, {}), (-5, {})],
    "disagree": [
        (None, changed("plane", arrows=LOUD, score="additive")),
        (None, changed("plane")),
        (None, changed("plane", arrows=((0.0, 0.0), *LOUD[1:]))),
        (None, changed("plane", arrows=(LOUD[0], LOUD[1], (0.3, 0.3), *LOUD[3:]))),
    ],
    "softmax": [(0.73, {}), (0.88, {}), (0.5, {})],
    "hot": [("the mean of the values", {}), ("the value of the winner", {}), ("zero", {})],
    "double": [
        (None, changed("same", W=((2.0, 0.0), (0.0, 2.0)))),
        (None, changed("same")),
        (None, changed("same", W=((2.0, 0.0), (0.0, 1.0)))),
    ],
    "count": [(6176, {}), (6144, {}), (8192, {})],
    "divisor": [(16, {}), (256, {}), (128, {})],
}


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.slug)
def test_exercises_accept_only_the_right_answer(exercise):
    takes_only(exercise, *ANSWERS[exercise.slug])
