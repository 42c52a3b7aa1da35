"""Lesson `bottleneck`: measurements across seeds and budgets, other cell types, and several layers."""

import dataclasses
from importlib import import_module

import numpy as np
import pytest

from lessons.bottleneck import LESSON, curve, depth
from lessons.bottleneck.curve.compute import LONGEST_TRAINING, Curve, band_by_budget
from lessons.bottleneck.depth import cells
from lessons.bottleneck.depth.compute import (
    BUILDS,
    DEEP,
    DEEP_RESIDUAL,
    EVEN_BUILDS,
    SHALLOW,
    PaperOrder,
    find_build,
    models_of,
)
from lessons.bottleneck.measurements import band_over_seeds, natural_scores
from lessons.bottleneck.referee.claims import CLAIMS
from lessons.bottleneck.translator import ATTENTION_MODELS, SMALL_TRANSLATOR, models_with_context_dim
from lessons.kit import checkpoints
from lessons.kit.checkpoints import BUDGET_OPTIONS, CONTEXT_DIMS
from lessons.kit.pictures.numbers import percent
from models import recipes, zoo
from models.recipes import BUDGETS, RECIPES, SEEDS
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
ANY_RECIPE = RECIPES[SMALL_TRANSLATOR]


# ---- seeds ----


def test_a_band_covers_the_seeds_that_were_measured():
    nan = np.nan
    band = band_over_seeds([(0.1, 0.2, nan, nan), (0.3, nan, 0.5, nan), (0.8, nan, nan, nan)])
    np.testing.assert_allclose(band.mean, [0.4, 0.2, 0.5, nan])
    np.testing.assert_allclose(band.low, [0.1, 0.2, 0.5, nan])
    np.testing.assert_allclose(band.high, [0.8, 0.2, 0.5, nan])
    assert band.seeds.tolist() == [3, 1, 1, 0]


@pytest.fixture
def three_seeds(monkeypatch) -> dict:
    """Cards of three seeds; only the first was trained with the largest budget."""
    shares = {
        "m-s0": {1000: 0.2, 8000: 0.5, 16_000: 0.9},
        "m-s1": {1000: 0.1, 8000: 0.6},
        "m-s2": {1000: 0.3, 8000: 0.7},
    }
    monkeypatch.setattr(
        checkpoints,
        "figures_by_budget",
        lambda name: {steps: {"natural": {"exact_match": share}} for steps, share in shares[name].items()},
    )
    # `curve.compute` is the function, so import the module
    curve_module = import_module("lessons.bottleneck.curve.compute")
    monkeypatch.setattr(curve_module, "figures_by_budget", checkpoints.figures_by_budget)
    monkeypatch.setattr(
        recipes,
        "RECIPES",
        {
            name: dataclasses.replace(ANY_RECIPE, name=name, budgets=tuple(budgets))
            for name, budgets in shares.items()
        },
    )
    monkeypatch.setattr(curve_module, "BUDGET_OPTIONS", {f"{steps:,}": steps for steps in BUDGETS})
    return shares


def test_a_budget_has_the_seeds_that_were_trained_for_it(three_seeds):
    assert checkpoints.measured_at(three_seeds, 8000) == (("m-s0", "m-s1", "m-s2"), 8000)
    assert checkpoints.measured_at(three_seeds, 16_000) == (("m-s0",), 16_000)
    assert checkpoints.measured_at(("m-s1", "m-s2"), 16_000) == (("m-s1", "m-s2"), 8000)  # largest budget
    assert checkpoints.longest_common_budget(*three_seeds) == 8000
    assert checkpoints.longest_common_budget("m-s0") == 16_000
    line = band_by_budget(three_seeds, "exact_match")
    assert dict(zip(BUDGETS, line.seeds.tolist(), strict=True)) == {
        1000: 3,
        2000: 0,
        4000: 0,
        8000: 3,
        16_000: 1,
    }
    np.testing.assert_allclose(line.mean, [0.2, np.nan, np.nan, 0.6, 0.9])


def test_an_unknown_budget_raises_an_error():
    with pytest.raises(KeyError):
        checkpoints.figures_at(SMALL_TRANSLATOR, 3000)


def with_seed_counts(run: Curve, most: int, last: int) -> Curve:
    """Copy a run with `most` seeds per measurement, but only `last` seeds at the largest budget."""
    line, lengths = run.by_steps[run.code], run.one_vector[run.code]
    counts = np.where(
        np.arange(len(line.mean)) == np.flatnonzero(line.seeds)[-1], last, np.where(line.seeds, most, 0)
    )
    by_steps = run.by_steps | {run.code: dataclasses.replace(line, seeds=counts)}
    spread = dataclasses.replace(lengths, low=lengths.mean - 0.01, seeds=np.full(len(lengths.mean), last))
    return dataclasses.replace(run, by_steps=by_steps, one_vector=run.one_vector | {run.code: spread})


def test_seeds_are_counted_and_drawn_as_a_band():
    run = curve.compute("she slept .", "128", LONGEST_TRAINING, "exact match")
    alone = with_seed_counts(run, 3, 1)
    assert_says(curve.views.curves(alone).title, "one seed")
    assert_says(curve.views.reading(alone).split("With attention")[0], "one seed")
    assert_says(curve.views.budgets(alone).title, "3 seeds", "one seed", f"{run.steps_used['128']:,}")
    assert next(line for line in curve.views.curves(alone).lines if "chosen" in line.name).low is None
    many = with_seed_counts(run, 3, 3)
    for text in (
        curve.views.curves(many).title,
        curve.views.reading(many).split("With attention")[0],
        curve.views.budgets(many).title,
    ):
        assert_says(text, "3 seeds")
        assert not says(text, "one seed")
    assert next(line for line in curve.views.curves(many).lines if "chosen" in line.name).low is not None


def test_a_line_with_less_training_names_its_steps():
    run = curve.compute("she slept .", "128", LONGEST_TRAINING, "exact match")
    assert any(line.name == "attention, 4,000" for line in curve.views.curves(run).lines)
    early = curve.compute("she slept .", "128", "4,000", "exact match")
    assert any(line.name == "attention" for line in curve.views.curves(early).lines)


@pytest.mark.parametrize("code", CONTEXT_DIMS)
def test_the_reading_says_in_what_attention_differs(code):
    run = curve.compute("she slept .", code, LONGEST_TRAINING, "exact match")
    one, attention = (
        zoo.Card.read(names[0]).parameters for names in (models_with_context_dim(code), ATTENTION_MODELS)
    )
    text = curve.views.reading(run)
    steps = (f"{run.steps_used[name]:,}" for name in (code, "attention"))
    assert_says(text, *steps, percent(attention / one - 1), "more parameters")
    assert_says(text.split("more parameters")[1], "one seed")  # the longest training runs have one seed


def test_the_best_size_is_named_beside_the_largest():
    for steps in BUDGET_OPTIONS:
        run = curve.compute("she slept .", "16", steps, "exact match")
        shares = {
            k: natural_scores(
                checkpoints.measured_at(models_with_context_dim(k), run.steps)[0],
                "exact_match",
                run.steps_used[k],
            )
            for k in run.steps_used
            if k != "attention"
        }
        best = max(shares, key=lambda k: shares[k].mean())
        text = curve.views.best_size(run)
        assert_says(text, f"k = {best}", f"{shares[best].mean():.2f}")
        assert_says(text, "k = 128", f"{shares['128'].mean():.2f}")


@pytest.mark.parametrize("steps", ["4,000", LONGEST_TRAINING])
def test_the_range_of_the_seeds_is_that_of_the_cards(steps):
    run = curve.compute("she slept .", "16", steps, "exact match")
    scores = natural_scores(models_with_context_dim("16"), "exact_match", 4000)
    assert len(scores) == 3
    assert_says(
        curve.views.describe_seed_range(run), f"{scores.min():.2f}", f"{scores.max():.2f}", "4,000", "3"
    )


# ---- layers ----


def test_every_build_is_what_its_name_says():
    for build, (encoder, decoder, connection) in BUILDS.items():
        for name in models_of(build):
            card = zoo.Card.read(name)
            keys = ("layers", "decoder_layers", "connection", "context", "width", "bidirectional")
            config = tuple(card.config[key] for key in keys)
            assert config == (encoder, decoder, connection, "attention", 64, False)
            assert (card.recipe["steps"], card.recipe["lr"]) == (1000, recipes.DEPTH_RATES[0])
    assert len(BUILDS) == len(EVEN_BUILDS) + 6  # uneven ones have no connections


def test_every_cell_build_is_what_its_name_says():
    for build, names in cells.BUILDS.items():
        config = zoo.Card.read(names[0]).config
        cell, layers, _ = build.replace(",", "").split()
        assert (config["cell"], config["layers"], config["width"]) == (cell, int(layers), 128)
        assert all(cells.TRAINING_STEPS in RECIPES[name].budgets for name in names)


def test_a_choice_without_a_model_of_its_own_shows_the_model_that_it_equals():
    assert find_build(4, 4, "dense") == "4 + 4, dense"
    assert find_build(2, 2, "dense") == "2 + 2, residual"  # layer 2 has one layer below it
    assert find_build(1, 1, "dense") == SHALLOW  # layer 1 has no layer below it
    assert find_build(1, 4, "residual") == "1 + 4"
    assert "connection" in EXPERIMENTS["depth"].run({"encoder": "4"}).idle()
    assert not EXPERIMENTS["depth"].run({"encoder": "4", "decoder": "4"}).idle()


@pytest.mark.parametrize("build", BUILDS)
def test_the_reading_names_the_figures_of_the_one_chosen(build):
    encoder, decoder, connection = BUILDS[build]
    state = {"encoder": str(encoder), "decoder": str(decoder), "connection": connection}
    run = EXPERIMENTS["depth"].run(state | {"measure": "token accuracy"})
    values = [zoo.Card.read(name).metrics["natural"]["token_accuracy"] for name in models_of(build)]
    assert run.builds[build].natural.tolist() == values
    text = depth.views.reading(run)
    assert_says(text, build, f"{np.mean(values):.2f}", f"{run.steps:,}")
    if build != SHALLOW:  # the reading must name both sides of the comparison
        more = run.builds[build].parameters / run.builds[SHALLOW].parameters - 1
        assert_says(text, SHALLOW, percent(more), "more")


def test_the_ranges_of_seeds_are_compared_and_one_seed_decides_nothing():
    run = EXPERIMENTS["depth"].run({"encoder": "4", "decoder": "4"})

    def compare(deep, shallow):
        changed = {DEEP: deep, SHALLOW: shallow}
        builds = {
            name: dataclasses.replace(run.builds[name], natural=np.array(natural))
            for name, natural in changed.items()
        }
        return depth.views.compare_ranges(dataclasses.replace(run, builds=run.builds | builds))

    assert_says(compare((0.5, 0.6), (0.3, 0.4)), "above")
    assert_says(compare((0.3, 0.4), (0.5, 0.6)), "below")
    assert_says(compare((0.3, 0.6), (0.5, 0.7)), "overlap")
    assert_says(compare((0.3,), (0.5,)), "one seed")


def test_only_models_with_weights_translate():
    run = EXPERIMENTS["depth"].run({"encoder": "1", "decoder": "4"})
    assert len(run.outputs) == len(EVEN_BUILDS) == 6
    assert len(depth.views.translation(run).lines) == 2
    even = EXPERIMENTS["depth"].run({"encoder": "4", "decoder": "4", "connection": "residual"})
    shown = depth.views.translation(even).lines[-1]
    assert (shown.label, shown.words) == (DEEP_RESIDUAL, even.outputs[EVEN_BUILDS.index(DEEP_RESIDUAL)])


def test_the_probes_reach_from_the_embeddings_to_the_top_layer():
    run = EXPERIMENTS["depth"].run({"encoder": "4", "decoder": "4", "connection": "residual"})
    for probe in run.probes.values():
        assert len(probe.by_layer.mean) == 5
    meaning = run.probes["meaning"]
    # an embedding is the same for both meanings, so a probe can only guess the more frequent one
    assert meaning.by_layer.mean[0] == pytest.approx(meaning.without_model, abs=1e-4)
    assert meaning.by_layer.mean[1] > meaning.without_model
    text = depth.views.best_layers(run)
    assert_says(text, f"{meaning.by_layer.mean.max():.2f}", f"{meaning.words:,}")


def test_both_learning_rates_are_compared_on_the_same_models():
    run = EXPERIMENTS["depth"].run()
    assert list(run.rates) == list(EVEN_BUILDS)
    for name, (here, there) in run.rates.items():
        assert here == run.builds[name].natural[0]
        fast = zoo.Card.read(models_of(name)[0].replace("-s0", "-fast-s0"))
        assert (fast.recipe["lr"], fast.metrics["natural"]["exact_match"]) == (recipes.DEPTH_RATES[1], there)


def test_learning_rates_are_listed_by_size():
    first, second = curve.views.describe_rates({"4": 0.008, "8": 0.008, "16": 0.016}).split(";")
    assert_says(first, "0.008", "4", "8")
    assert_says(second, "0.016", "16")


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.title)
def test_both_sides_of_a_claim_have_three_seeds_and_their_best_rates(claim):
    assert claim.seeds == len(SEEDS)
    for name in (*claim.better.models, *claim.worse.models):
        assert zoo.Card.read(name).recipe["lr"] == recipes.best_rate(name.rpartition("-s")[0])


def test_orders_are_the_same_only_where_seeds_do_not_overlap():
    def order(first, second):
        return PaperOrder("paper", ("a", "b"), (2.0, 1.0), ("1", "2"), (np.array(first), np.array(second)))

    assert order((0.5, 0.6), (0.3, 0.4)).same is True
    assert order((0.3, 0.4), (0.5, 0.6)).same is False
    assert order((0.3, 0.6), (0.5, 0.7)).same is None
    assert_says(depth.views.describe_order(order((0.3, 0.6), (0.5, 0.7))), "overlap")
    assert_says(depth.views.describe_order(order((0.5,), (0.3,))), "yes", "one seed")
    assert_says(depth.views.describe_order(order((0.3, 0.4), (0.5, 0.6))), "no")


def test_the_papers_figures_stand_beside_ours():
    run = EXPERIMENTS["depth"].run()
    for order, row in zip(run.orders, depth.views.papers(run).rows, strict=True):
        better, worse = order.paper
        assert better > worse
        assert_says(row[1], f"{better:.2f}", f"{worse:.2f}")
        for cell, build, values in zip(row[2:4], order.builds, order.ours, strict=True):
            assert_says(cell, build, f"{values.mean():.2f}")


def test_the_right_guess_follows_from_the_seeds(monkeypatch):
    run, options = EXPERIMENTS["depth"].run(), list(depth.exercises.OPTIONS)

    def guess_for(*naturals):
        changed = {
            name: dataclasses.replace(run.builds[name], natural=np.array(natural))
            for name, natural in zip(depth.exercises.OPTIONS.values(), naturals, strict=True)
        }
        monkeypatch.setattr(
            depth.exercises, "compute", lambda *_: dataclasses.replace(run, builds=run.builds | changed)
        )
        return next(
            option
            for option in (*options, depth.exercises.NEITHER)
            if depth.exercises.how_deep.check(option, {}).ok
        )

    assert guess_for((0.5, 0.6), (0.3, 0.4), (0.1, 0.2)) == options[0]
    assert guess_for((0.5, 0.6), (0.7, 0.8), (0.1, 0.2)) == options[1]
    assert guess_for((0.5, 0.6), (0.0, 0.1), (0.7, 0.8)) == options[2]
    assert guess_for((0.5, 0.6), (0.0, 0.1), (0.55, 0.8)) == depth.exercises.NEITHER  # the ranges overlap
    # one seed cannot show the variation between seeds; the guess is then about the three runs
    assert guess_for((0.5,), (0.0,), (0.8,)) == options[2]
    assert guess_for((0.9,), (0.0,), (0.8,)) == options[0]


def test_presets_of_depth_differ():
    seen = {helpers.preset(LESSON, "depth", one.title).build for one in EXPERIMENTS["depth"].presets}
    assert len(seen) == len(EXPERIMENTS["depth"].presets)
