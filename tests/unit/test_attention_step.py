"""One step: every number follows from the one before."""

from functools import partial

import numpy as np
import pytest

from lessons.attention import LESSON, step
from lessons.attention.translators import WIRINGS
from lessons.kit.example_sentences import (
    MANY_TO_ONE,
    REORDERING,
)
from tests import helpers

LONG = " ".join(["the old man kicked the bucket and"] * 5 + ["she gave up ."])  # 39 words, the maximum length
run = partial(helpers.run, LESSON)


@pytest.mark.parametrize("wiring", WIRINGS)
@pytest.mark.parametrize("t", [1, 4])
def test_every_number_of_a_step_follows_from_the_one_before(wiring, t):
    """Recompute one decoder step in numpy from the model's parameters, with the lesson's equations."""
    result = run("step", source=MANY_TO_ONE, wiring=wiring, t=t)
    p = {name: tensor.numpy() for name, tensor in WIRINGS[wiring].model.state_dict().items()}
    query = result.s[t - 1] if wiring == "query after" else result.s_before
    np.testing.assert_allclose(result.query, query, atol=1e-6)
    e = np.tanh(result.H @ p["score.W_1"].T + query @ p["score.W_2"].T) @ p["score.v"]
    np.testing.assert_allclose(result.scores, e, rtol=1e-4, atol=1e-5)
    alpha = np.exp(e - e.max()) / np.exp(e - e.max()).sum()
    np.testing.assert_allclose(result.weights, alpha, atol=1e-5)
    np.testing.assert_allclose(result.context, alpha @ result.H, atol=1e-5)
    np.testing.assert_allclose(result.parts.sum(0), result.context, atol=1e-5)
    features = np.concatenate([result.context, result.s[t - 1]])
    if WIRINGS[wiring].model.config.tied:
        attentional = np.tanh(p["out.attentional.weight"] @ features + p["out.attentional.bias"])
        logits = p["embed_target.weight"] @ attentional + p["out.b"]
    else:
        logits = p["out.weight"] @ features + p["out.bias"]
    best = WIRINGS[wiring].task.target.ids(result.next_words)
    np.testing.assert_allclose(result.logits, logits[best], atol=1e-4)
    np.testing.assert_allclose(result.probabilities, (np.exp(logits) / np.exp(logits).sum())[best], atol=1e-4)
    assert result.output[t - 1] == result.next_words[0]


def test_scores_stay_on_their_axis():
    for wiring in WIRINGS:
        for source in (MANY_TO_ONE, REORDERING, LONG):
            assert np.abs(run("step", source=source, wiring=wiring, t=3).scores).max() <= step.views.MAX_SCORE


@pytest.mark.parametrize("source", [MANY_TO_ONE, REORDERING, LONG])
def test_the_weighted_sum_of_one_unit_adds_up(source):
    result = run("step", source=source, t=2, unit=5)
    alpha, h, products, c = (term for term in step.views.one_unit(result).terms if not isinstance(term, str))
    assert alpha.shows_numbers
    assert alpha.grid.sum() == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(alpha.grid * h.grid, products.grid, atol=1e-6)
    assert products.grid.sum() == pytest.approx(c.grid.item(), abs=1e-5)
    if source == MANY_TO_ONE:
        np.testing.assert_array_equal(h.grid[:, 0], result.H[:, 4].astype(float))


def test_the_default_sum_adds_up_with_the_digits_shown():
    """After rounding to the digits shown, products and sum are off by at most one in the last digit."""
    alpha, h, products, c = (
        np.array([float(f"{value:.2f}") for value in term.grid.ravel()])
        for term in step.views.one_unit(run("step")).terms
        if not isinstance(term, str)
    )
    np.testing.assert_allclose((alpha * h).round(2), products, atol=0.0101)
    assert products.sum() == pytest.approx(c.item(), abs=0.0101)


def test_only_query_before_changes_the_state():
    assert step.exercises.changes_state("query before")
    assert not step.exercises.changes_state("query after")
