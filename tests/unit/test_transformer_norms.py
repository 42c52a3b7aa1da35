"""Norms: they agree with torch, and the effect of their place is measured."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit.example_sentences import (
    REORDERING,
)
from lessons.transformer import LESSON
from lessons.transformer.ablate import views as ablate_views
from lessons.transformer.ablate.compute import ablate
from lessons.transformer.norms import views as norms_views
from lessons.transformer.norms.compute import norms
from lessons.transformer.norms.placement import COMPUTE_ORDER, PLACEMENTS, untrained_spread
from lessons.transformer.norms.recorded import RATES
from models import zoo
from models.blocks import NORMS
from models.trace import Tap
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)
exercise = partial(helpers.exercise, LESSON)
NUMBERS = st.lists(st.floats(-4, 4).map(lambda value: round(value, 1)), min_size=6, max_size=6).filter(
    lambda row: np.std(row) > 0.2
)


@given(NUMBERS, st.floats(-2, 2), st.floats(-2, 2), st.floats(0.1, 8))
def test_layer_norm_gives_beta_and_gamma_and_never_hears_another_sentence(row, γ, β, loud):
    found = norms(tuple((value,) for value in row), γ, β, loud)
    expected = torch.nn.functional.layer_norm(torch.tensor(row), (6,)) * γ + β
    assert np.allclose(found.out[0], expected, atol=1e-4)
    assert found.out[0].mean() == pytest.approx(β, abs=1e-3)
    assert found.out[0].std() == pytest.approx(abs(γ), abs=2e-3)
    assert found.moved[0] == 0
    assert found.moved[2] == 0


def test_batch_norm_in_use_is_torchs_with_the_statistics_of_the_first_batch():
    """Batch norm at test time must match torch: running means from training, unchanged by later batches."""
    layer = torch.nn.BatchNorm1d(6, momentum=None, affine=False)
    first, loud = EXPERIMENTS["norms"].run(), EXPERIMENTS["norms"].run({"x": ((2.0,),) * 6, "loud": 6.0})
    layer.train()(torch.tensor(first.batch))
    for run in (first, loud):
        np.testing.assert_allclose(run.out[2], layer.eval()(torch.tensor(run.batch))[0], atol=1e-5)
    assert loud.moved[1] > 0.2 > 0 == loud.moved[2]
    assert_says(norms_views.reading(loud), loud.moved[1], loud.moved[2], "in training", "after training")
    assert norms_views.batch_norm_in_use(loud).title != norms_views.batch_norm(loud).title


def test_ticks_stay_at_the_start_and_one_and_a_half_more_moves_no_bar_of_layer_norm():
    first, more = EXPERIMENTS["norms"].run(), preset("norms", "Every number plus 1.5")
    for view, moves in ((norms_views.layer_norm, False), (norms_views.batch_norm, True)):
        bars = view(more)
        assert np.allclose(bars.compare, view(first).values, atol=1e-4)
        assert (np.abs(bars.values - bars.compare).max() > 0.1) == moves


def test_no_bar_of_a_norm_exceeds_the_axis():
    for shift in (1.0, -1.0):
        for x in (
            ((4.0,), *((-4.0,),) * 5),
            ((4.0,), (-4.0,)) * 3,
            ((-4.0,), (4.0,)) * 3,
            ((4.0,),) * 6,
            ((-4.0,),) * 6,
        ):
            for loud in (0.0, 8.0):
                run = EXPERIMENTS["norms"].run({"x": x, "stretch": 1.5, "shift": shift, "loud": loud})
                assert np.abs(run.out).max() < norms_views.MAX_OUTPUT


def test_batch_norm_is_torch_s_and_hears_the_other_sentence():
    found = EXPERIMENTS["norms"].run({"loud": 3.0})
    layer = torch.nn.BatchNorm1d(6).train()
    assert np.allclose(found.out[1], layer(torch.tensor(found.batch))[0].detach(), atol=1e-5)
    assert found.moved[1] > 0.2
    assert_says(norms_views.reading(found), found.moved[0], found.moved[1])


def test_numbers_all_alike_leave_only_beta():
    found = EXPERIMENTS["norms"].run({"x": ((2.0,),) * 6, "shift": 0.5})
    assert np.allclose(found.out[0], 0.5)
    assert_says(norms_views.reading(found), "β", 0.5)
    assert not says(norms_views.reading(found), "γ")


def test_seeds_that_diverged_are_counted_and_not_called_0_percent():
    films = EXPERIMENTS["norms"].run().films
    [rate] = np.flatnonzero(films["none"].broke.any(1))
    steps = [step for step in films["none"].broke[rate].tolist() if step]
    assert len(steps) == 2
    state = EXPERIMENTS["norms"].state({"lr": RATES[rate]})
    run, verdict = EXPERIMENTS["norms"].run(state), exercise("parted").check(None, state)
    assert verdict.ok
    left = np.nanmean(films["none"].accuracy[rate, :, -1])
    for said in (verdict.message, norms_views.told_training(run)):
        none = said.partition("no norm")[2]
        assert_says(none, round(left, 2), "2 of 3 seeds diverged")
    assert_says(norms_views.told_training(run), *steps)
    for other in RATES[:rate]:
        wrong = exercise("parted").check(None, state | {"lr": other})
        assert not wrong.ok
        assert_says(wrong.message, *(film.ends[RATES.index(other)] for film in films.values()))


def test_the_text_cites_early_uses_of_pre_norm():
    words = LESSON.text.experiments["norms"]
    place = next(closer for slug, closer in words.acts.items() if slug == "place")
    assert_says(str(place), "tensor2tensor", "Baevski", 2019, "GPT-2", "Xiong", 2020)


def test_numbers_grow_without_norms_and_stay_with_post_norm():
    sizes = {norm: untrained_spread(norm).stream for norm in NORMS}
    assert sizes["pre"][0] == sizes["post"][0] == sizes["none"][0], "the same words, the same embedding"
    np.testing.assert_allclose(sizes["post"][1:], 1, atol=1e-3)
    assert (np.diff(sizes["none"]) > 0).all()
    assert sizes["none"][-1] > 3 * sizes["pre"][-1]


@pytest.mark.parametrize("norm", NORMS)
def test_the_picture_has_the_norm_where_the_layer_has_it(norm):
    """The picture's order of norm, f and + must match what the layer computes."""
    run, order = EXPERIMENTS["norms"].run({"place": PLACEMENTS[norm]}), COMPUTE_ORDER[norm]
    places = norms_views.wiring(run).positions()
    assert list(places) == list(order)
    assert list(places.values()) == sorted(places.values())
    layer = zoo.build("transformer", {"source_words": 9, "target_words": 9, "norm": norm}).encoder.layers[0]
    x, seen = torch.randn(5, 64, generator=torch.Generator().manual_seed(0)), Tap()
    y = layer.add_norm(1, x, lambda x: 2 * seen("given", x), seen)
    values = {"x": x, "+": seen.last("added1"), "norm": seen.finish().get("norm1.out")}
    assert torch.equal(seen.last("given"), values[order[order.index("f") - 1]])
    assert torch.equal(y, values[order[-1]])


def test_the_norm_of_the_exercise_by_hand():
    check = next(each.check for each in LESSON.exercises if each.slug == "layer-norm")
    assert check(round(2 / (8 / 3) ** 0.5, 2), {}).ok
    assert not check(1.0, {}).ok


def test_what_stays_to_two_digits_is_not_said_to_move():
    spare = ablate(REORDERING, "one head", "encoder self", "1", "1", 1)
    was, now = (f"{chance:.2f}" for chance in spare.probabilities)
    assert was == now == "1.00"
    assert_says(ablate_views.reading(spare), "stays", 1.0)
