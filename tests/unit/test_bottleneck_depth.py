"""Lesson bottleneck: figures over one, two or three seeds; other cells, and layers on layers."""

import dataclasses

import numpy as np
import pytest

from lessons.bottleneck import LESSON, exercises, views
from lessons.bottleneck.claims import CLAIMS
from lessons.bottleneck.compute import common, depth, measured
from lessons.kit import checkpoints
from lessons.kit.pictures.numbers import percent, rate
from models import recipes, zoo
from models.recipes import BUDGETS, RECIPES, SEEDS
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
ANY = RECIPES[common.TRANSLATOR]


# ---- seeds ----


def test_a_band_is_of_the_seeds_that_there_are():
    nan = np.nan
    band = common.band([(0.1, 0.2, nan, nan), (0.3, nan, 0.5, nan), (0.8, nan, nan, nan)])
    np.testing.assert_allclose(band.mean, [0.4, 0.2, 0.5, nan])
    np.testing.assert_allclose(band.low, [0.1, 0.2, 0.5, nan])
    np.testing.assert_allclose(band.high, [0.8, 0.2, 0.5, nan])
    assert band.seeds.tolist() == [3, 1, 1, 0]


@pytest.fixture
def three(monkeypatch) -> dict:
    """Cards of three seeds, of which only the first was trained to the end."""
    shares = {
        "m-s0": {1000: 0.2, 8000: 0.5, 16_000: 0.9},
        "m-s1": {1000: 0.1, 8000: 0.6},
        "m-s2": {1000: 0.3, 8000: 0.7},
    }
    monkeypatch.setattr(
        checkpoints,
        "rungs",
        lambda name: {steps: {"natural": {"exact_match": share}} for steps, share in shares[name].items()},
    )
    monkeypatch.setattr(measured, "rungs", checkpoints.figures_by_budget)
    monkeypatch.setattr(
        recipes,
        "RECIPES",
        {
            name: dataclasses.replace(ANY, name=name, budgets=tuple(budgets))
            for name, budgets in shares.items()
        },
    )
    monkeypatch.setattr(measured, "STEPS", {f"{steps:,}": steps for steps in BUDGETS})
    return shares


def test_a_budget_has_the_seeds_that_were_trained_for_it(three):
    assert checkpoints.measured_at(three, 8000) == (("m-s0", "m-s1", "m-s2"), 8000)
    assert checkpoints.measured_at(three, 16_000) == (("m-s0",), 16_000)
    assert checkpoints.measured_at(("m-s1", "m-s2"), 16_000) == (("m-s1", "m-s2"), 8000)  # the most they had
    assert checkpoints.longest_common_budget(*three) == 8000
    assert checkpoints.longest_common_budget("m-s0") == 16_000
    line = measured.over_budgets(three, "exact_match")
    assert dict(zip(BUDGETS, line.seeds.tolist(), strict=True)) == {
        1000: 3,
        2000: 0,
        4000: 0,
        8000: 3,
        16_000: 1,
    }
    np.testing.assert_allclose(line.mean, [0.2, np.nan, np.nan, 0.6, 0.9])


def test_figures_of_steps_that_were_not_trained_are_not_made_up():
    with pytest.raises(KeyError):
        checkpoints.figures_at(common.TRANSLATOR, 3000)


def seeded(run: measured.Curve, most: int, last: int) -> measured.Curve:
    """The same figures as if so many seeds had made them; after the longest training, which is the one chosen, others."""
    line, lengths = run.by_steps[run.code], run.one_vector[run.code]
    counts = np.where(
        np.arange(len(line.mean)) == np.flatnonzero(line.seeds)[-1], last, np.where(line.seeds, most, 0)
    )
    by_steps = run.by_steps | {run.code: dataclasses.replace(line, seeds=counts)}
    spread = dataclasses.replace(lengths, low=lengths.mean - 0.01, seeds=np.full(len(lengths.mean), last))
    return dataclasses.replace(run, by_steps=by_steps, one_vector=run.one_vector | {run.code: spread})


def test_seeds_are_said_and_make_a_band():
    run = measured.curve("she slept .", "128", measured.MOST, "exact match")
    alone = seeded(run, 3, 1)
    assert_says(views.curve.curves(alone).title, "one seed")
    assert_says(views.curve.reading(alone).split("Attention")[0], "one seed")
    assert_says(views.curve.budgets(alone).title, "3 seeds", "1", f"{run.had['128']:,}")
    assert next(line for line in views.curve.curves(alone).lines if "chosen" in line.name).low is None
    many = seeded(run, 3, 3)
    for said in (
        views.curve.curves(many).title,
        views.curve.reading(many).split("Attention")[0],
        views.curve.budgets(many).title,
    ):
        assert_says(said, "3 seeds")
        assert not says(said, "one seed")
    assert next(line for line in views.curve.curves(many).lines if "chosen" in line.name).low is not None


def test_a_line_that_was_trained_less_says_so():
    run = measured.curve("she slept .", "128", measured.MOST, "exact match")
    assert any(line.name == "attention, 4,000" for line in views.curve.curves(run).lines)
    early = measured.curve("she slept .", "128", "4,000", "exact match")
    assert any(line.name == "attention" for line in views.curve.curves(early).lines)


@pytest.mark.parametrize("code", measured.CONTEXT_DIMS)
def test_the_reading_says_in_what_attention_is_unequal(code):
    run = measured.curve("she slept .", code, measured.MOST, "exact match")
    one, attention = (
        zoo.Card.read(names[0]).parameters for names in (measured.of_size(code), measured.ATTENTION)
    )
    said = views.curve.reading(run)
    steps = (f"{run.had[name]:,}" for name in (code, "attention"))
    assert_says(said, *steps, percent(attention / one - 1), "more parameters")
    assert_says(said.split("more parameters")[1], "one seed")  # the longest trainings have one


def test_where_the_largest_c_is_not_the_best_that_is_said():
    for steps in measured.STEPS:
        run = measured.curve("she slept .", "16", steps, "exact match")
        shares = {
            k: common.natural(
                checkpoints.measured_at(measured.of_size(k), run.steps)[0], "exact_match", run.had[k]
            )
            for k in run.had
            if k != "attention"
        }
        best = max(shares, key=lambda k: shares[k].mean())
        said = views.curve.best_size(run)
        assert_says(said, f"k = {best}", f"{shares[best].mean():.2f}")
        assert_says(said, "k = 128", f"{shares['128'].mean():.2f}")


# ---- cells and layers ----


def test_every_build_is_what_its_name_says():
    for build, names in depth.BUILDS.items():
        config = zoo.Card.read(names[0]).config
        cell, layers, _ = build.replace(",", "").split()
        assert (config["cell"], config["layers"], config["code"], config["width"]) == (
            cell,
            int(layers),
            128,
            128,
        )
        assert all(depth.STEPS in RECIPES[name].budgets for name in names)


@pytest.mark.parametrize("build", depth.BUILDS)
def test_the_reading_names_the_figures_of_the_one_chosen(build):
    run = EXPERIMENTS["depth"].run({"build": build, "measure": "token accuracy"})
    values = [
        checkpoints.figures_at(name, run.steps)["natural"]["token_accuracy"] for name in depth.BUILDS[build]
    ]
    assert run.builds[build].natural.tolist() == values
    said = views.depth.reading(run)
    tried = str(len(run.tried[build]))
    assert_says(said, build, f"{np.mean(values):.2f}", rate(recipes.best_rate(depth.MODELS[build])), tried)
    assert_says(said, "one seed" if len(values) == 1 else f"{len(values)} seeds")
    if build != depth.ONE:  # both sides of a comparison are named
        more = run.builds[build].parameters / run.builds[depth.ONE].parameters - 1
        assert_says(
            said.split(". ")[-1], build, depth.ONE, percent(abs(more)), "more" if more > 0 else "fewer"
        )


def test_the_rates_are_told_by_size():
    first, second = views.parts.learned_at({"4": 0.008, "8": 0.008, "16": 0.016}).split(";")
    assert_says(first, "0.008", "4", "8")
    assert_says(second, "0.016", "16")


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.title)
def test_what_a_claim_compares_had_three_seeds_and_their_best_rates(claim):
    assert claim.seeds == len(SEEDS)
    for name in (*claim.better.models, *claim.worse.models):
        assert zoo.Card.read(name).recipe["lr"] == recipes.best_rate(name.rpartition("-s")[0])


def test_the_learning_curves_end_where_the_shortest_ends():
    run = EXPERIMENTS["depth"].run()
    assert all(build.learning.steps[-1] <= run.steps for build in run.builds.values())
    assert all(len(build.learning.steps) > 2 for build in run.builds.values())


def test_orders_are_the_same_only_where_seeds_do_not_overlap():
    def order(first, second):
        return depth.Order("paper", ("a", "b"), (2.0, 1.0), "both", (np.array(first), np.array(second)))

    assert order((0.5, 0.6), (0.3, 0.4)).same is True
    assert order((0.3, 0.4), (0.5, 0.6)).same is False
    assert order((0.3, 0.6), (0.5, 0.7)).same is None
    assert_says(views.depth.verdict(order((0.3, 0.6), (0.5, 0.7))), "overlap")
    assert_says(views.depth.verdict(order((0.5,), (0.3,))), "yes", "one seed")
    assert_says(views.depth.verdict(order((0.3, 0.4), (0.5, 0.6))), "no")


def test_the_papers_figures_stand_beside_ours_with_what_was_changed():
    run = EXPERIMENTS["depth"].run()
    for order, row in zip(run.orders, views.depth.papers(run).rows, strict=True):
        better, worse = order.paper
        assert better > worse
        assert_says(row[1], f"{better:.2f}", f"{worse:.2f}", order.changed)
    layers, _, gates = run.orders
    assert (layers.changed, gates.changed) == ("encoder", "decoder")  # what they changed where we change both


def test_the_guess_is_what_the_seeds_tell(monkeypatch):
    run = EXPERIMENTS["depth"].run()

    def shares(one, two):
        builds = {depth.ONE: one, "GRU, 2 layers": two}
        changed = {
            name: dataclasses.replace(run.builds[name], natural=np.array(natural))
            for name, natural in builds.items()
        }
        monkeypatch.setattr(depth, "depth", lambda *_: dataclasses.replace(run, builds=run.builds | changed))
        return exercises.deepest()

    assert shares((0.5, 0.6), (0.3, 0.4)) == "one"
    assert shares((0.5, 0.6), (0.7, 0.8)) == "two"
    assert shares((0.5, 0.6), (0.55, 0.8)) == exercises.LUCK  # they overlap
    assert shares((0.5,), (0.8,)) == exercises.LUCK  # one seed each tells nothing of it
    assert_says(EXPERIMENTS["depth"].predict.check("two", {}).message, "0.80")


def test_presets_of_depth_differ():
    seen = {helpers.preset(LESSON, "depth", one.title).build for one in EXPERIMENTS["depth"].presets}
    assert len(seen) == len(EXPERIMENTS["depth"].presets)
