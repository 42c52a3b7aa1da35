"""Attention as an explanation: other weights with the same output, and uniform weights."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from lessons.attention import LESSON, caveat, steer
from lessons.attention.caveat.adversarial import find_other_weights, js_divergence, total_variation
from lessons.attention.caveat.compute import (
    MIXES,
    TOWARDS,
    goal_weights,
    output_with_weights,
)
from lessons.attention.caveat.uniform_models import LEARNED, UNIFORM
from lessons.attention.translators import ADDITIVE
from lessons.kit.example_sentences import (
    REORDERING,
)
from lessons.kit.translator import Translator
from lessons.kit.typed_text import UNKNOWN, mark_unknown
from models import zoo
from models.recipes import RECIPES
from tests import helpers
from tests.says import assert_says, says

T = len(REORDERING.split())
run = partial(helpers.run, LESSON)
preset = partial(helpers.preset, LESSON)


def test_moved_weights_give_the_same_output_as_a_new_run():
    """With query s_t, a step's weights affect only the output of that step, so no new run is needed."""
    source, mix, t = ADDITIVE.read(REORDERING), 0.6, 7
    trace = ADDITIVE.run(source)
    for towards, goal in goal_weights(trace.weights).items():
        row = (1 - mix) * trace.weights[t] + mix * goal[t]
        full = ADDITIVE.model.run(
            source, edits={"weights": lambda w, step, row=row: row if step == t else w}, limit=t + 1
        )
        quick = output_with_weights(trace, goal, torch.tensor([mix]))[0, t]
        np.testing.assert_allclose(quick, full.probabilities[t], atol=1e-5, err_msg=towards)


def test_words_that_stay_with_even_weights():
    result = run("caveat", mix=1.0)
    for t, survives in enumerate(result.stays_even):
        steered = steer.compute(REORDERING, "query after", t + 1, ((t + 1, (1 / T,) * T),))
        assert (steered.yours[t] == steered.plain[t]) == survives
    assert (result.holds[result.stays_even] == 1).all()
    assert result.holds[~result.stays_even].max() < 1
    assert 0 < result.stays_even.sum() < len(result.stays_even)
    same = preset("caveat", "Even weights, same word")
    assert same.stays_even[same.t - 1]
    needed = preset("caveat", "A word that needs its weights")
    assert not needed.stays_even[needed.t - 1]
    phrase = preset("caveat", "A fixed phrase")
    assert 0 < phrase.stays_even.sum() < len(phrase.stays_even)


def test_a_step_with_even_weights_shows_its_word():
    result = run("caveat")
    holds, even = caveat.views.survives(result).lines
    assert holds.mark == ""
    for n, word in enumerate(even.words):
        assert (n in even.changed) == (word != result.output[n])
        written = steer.compute(REORDERING, "query after", n + 1, ((n + 1, (1 / T,) * T),)).yours[n]
        # with uniform weights `steer` copies the first source word; `caveat` leaves <unk> as it is
        assert written == (mark_unknown(result.source[0]) if word == UNKNOWN else word)
    assert_says(caveat.views.reading(result), T + 2 - len(even.changed), T + 2, "even")


def test_the_last_step_has_no_next_step():
    result = run("caveat", t=60, towards=TOWARDS[2])
    assert np.isnan(result.holds).tolist() == [False] * (T + 1) + [True]
    text = caveat.views.reading(result)
    assert_says(text, result.idle()["mix"], f"step {len(result.output)}", result.word)
    assert not says(text, ("all the way", "up to a mix"))
    assert_says(caveat.views.survives(result).lines[0].notes[-1], "no next step")
    assert not np.isnan(run("caveat", t=60).holds).any()


def test_better_alignment_need_not_mean_better_translation():
    """The claims in “Is the best aligner the best translator?” hold for every run."""
    rivals = {rival.name: rival for rival in run("caveat").rivals}
    means = [np.mean(rival.aer) for rival in rivals.values()]
    assert means == sorted(means)
    aligner, translator = (
        next(iter(rivals.values())),
        max(rivals.values(), key=lambda rival: np.mean(rival.exact)),
    )
    text = caveat.views.best_of_both(run("caveat"))
    assert aligner is not translator
    assert max(aligner.aer) > min(translator.aer)
    assert_says(text, aligner.name, translator.name, "overlap")
    first, second = rivals["scaled dot"], rivals["unidirectional"]
    last = text[text.rindex(first.name) :]
    assert_says(last, "better", "worse")
    assert last.index("better") < last.index(second.name) < last.index("worse")
    assert max(first.aer) < min(second.aer)
    assert max(first.exact) < min(second.exact)
    cards = [zoo.Card.read(f"translation-before-64-s{seed}") for seed in range(3)]
    assert rivals["query before"].aer == tuple(card.metrics["natural"]["aer"] for card in cards)
    assert {len(rival.aer) for rival in rivals.values()} == {3}
    # all models were trained for equally many steps
    assert {rival.steps for rival in rivals.values()} == {cards[0].recipe["steps"]}


def test_overlapping_runs_are_reported():
    result = run("caveat")
    first, *others = result.rivals
    close = replace(others[0], aer=first.aer, exact=tuple(exact + 0.001 for exact in first.exact))
    result.__dict__["rivals"] = (first, close)
    assert_says(caveat.views.best_of_both(result), first.name, close.name, "overlap")


@pytest.mark.parametrize(("t", "allowed"), [(5, 0.05), (9, 0.01), (13, 0.3)])
def test_found_weights_are_valid_and_the_output_is_near_enough(t, allowed):
    tokens = ADDITIVE.read(REORDERING)
    result, plain = find_other_weights(tokens, t, allowed), ADDITIVE.run(tokens)
    assert result.row.min() >= 0
    assert result.row.sum() == pytest.approx(1, abs=1e-5)
    row = torch.tensor(result.row)
    again = ADDITIVE.model.run(
        tokens, plain.output, edits={"weights": lambda own, step: row if step == t - 1 else own}
    )  # a full run with the weights that were found
    off = (again.probabilities[t - 1] - plain.probabilities[t - 1]).abs().sum().item() / 2
    assert off == pytest.approx(result.off, abs=1e-5)
    assert off <= allowed + 1e-5


def test_the_search_finds_more_than_a_mix_with_even_weights():
    tokens = ADDITIVE.read(REORDERING)
    trace = ADDITIVE.run(tokens)
    even = goal_weights(trace.weights)[TOWARDS[0]]
    mixes = torch.tensor(MIXES, dtype=torch.float32)
    off = total_variation(output_with_weights(trace, even, mixes), trace.probabilities)  # (mixes, T')
    far = js_divergence(
        (1 - mixes[:, None, None]) * trace.weights + mixes[:, None, None] * even, trace.weights
    )
    for t in (1, 5, 9, 13):
        assert (
            find_other_weights(tokens, t, 0.05).divergence
            >= far[:, t - 1][off[:, t - 1] <= 0.05].max() - 1e-5
        )


def test_divergence_and_distance_by_hand():
    a, b = torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0])
    middle = 0.5 * (0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25)) + 0.5 * math.log(1 / 0.75)
    assert js_divergence(a, b).item() == pytest.approx(middle, abs=1e-6)
    assert js_divergence(a, a).item() == pytest.approx(0, abs=1e-6)
    assert total_variation(a, b).item() == pytest.approx(0.5)


def test_the_uniform_model_has_uniform_weights():
    uniform = Translator(f"{UNIFORM}-s0")
    assert torch.allclose(uniform.run(uniform.read(REORDERING)).weights, torch.tensor(1 / T))


def test_metrics_of_even_weights_are_on_the_cards():
    result = run("caveat")
    names = [name for name in RECIPES if name.startswith(f"{UNIFORM}-s")]
    exact = [zoo.Card.read(name).metrics["natural"]["exact_match"] for name in names]
    assert_says(caveat.views.told_frozen(result), np.mean(exact), min(exact), max(exact))
    assert {zoo.Card.read(f"{name}-s0").recipe["steps"] for name in (UNIFORM, LEARNED)} == {
        result.trained.steps
    }
