"""Lesson bottleneck: figures over one, two or three seeds; other cells, and layers on layers."""

import dataclasses

import numpy as np
import pytest

from lessons.bottleneck import LESSON, exercises, views
from lessons.bottleneck.claims import CLAIMS
from lessons.bottleneck.compute import common, depth, measured
from lessons.kit import translators
from models import recipes, zoo
from models.recipes import BUDGETS, RECIPES, SEEDS
from tests import helpers

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
    shares = {"m-s0": {1000: 0.2, 8000: 0.5, 16_000: 0.9}, "m-s1": {1000: 0.1, 8000: 0.6}, "m-s2": {1000: 0.3, 8000: 0.7}}
    monkeypatch.setattr(
        translators, "rungs", lambda name: {steps: {"natural": {"exact_match": share}} for steps, share in shares[name].items()}
    )
    monkeypatch.setattr(measured, "rungs", translators.rungs)
    monkeypatch.setattr(
        recipes, "RECIPES", {name: dataclasses.replace(ANY, name=name, budgets=tuple(budgets)) for name, budgets in shares.items()}
    )
    monkeypatch.setattr(measured, "STEPS", {f"{steps:,}": steps for steps in BUDGETS})
    return shares


def test_a_budget_has_the_seeds_that_were_trained_for_it(three):
    assert translators.after(three, 8000) == (("m-s0", "m-s1", "m-s2"), 8000)
    assert translators.after(three, 16_000) == (("m-s0",), 16_000)
    assert translators.after(("m-s1", "m-s2"), 16_000) == (("m-s1", "m-s2"), 8000)  # the most they had
    assert translators.shared(*three) == 8000
    assert translators.shared("m-s0") == 16_000
    line = measured.over_budgets(three, "exact_match")
    assert dict(zip(BUDGETS, line.seeds.tolist(), strict=True)) == {1000: 3, 2000: 0, 4000: 0, 8000: 3, 16_000: 1}
    np.testing.assert_allclose(line.mean, [0.2, np.nan, np.nan, 0.6, 0.9])


def test_figures_of_steps_that_were_not_trained_are_not_made_up():
    with pytest.raises(KeyError):
        translators.rung(common.TRANSLATOR, 3000)


def seeded(run: measured.Curve, most: int, last: int) -> measured.Curve:
    """The same figures as if so many seeds had made them; after the longest training, which is the one chosen, others."""
    line, lengths = run.by_steps[run.code], run.one_vector[run.code]
    counts = np.where(np.arange(len(line.mean)) == np.flatnonzero(line.seeds)[-1], last, np.where(line.seeds, most, 0))
    by_steps = run.by_steps | {run.code: dataclasses.replace(line, seeds=counts)}
    spread = dataclasses.replace(lengths, low=lengths.mean - 0.01, seeds=np.full(len(lengths.mean), last))
    return dataclasses.replace(run, by_steps=by_steps, one_vector=run.one_vector | {run.code: spread})


def test_seeds_are_said_and_make_a_band():
    run = measured.curve("she slept .", "128", measured.MOST, "exact match")
    alone = seeded(run, 3, 1)
    assert "(one seed)" in views.curve.curves(alone).title
    assert "steps (one seed)" in views.curve.reading(alone)
    assert f"(3 seeds, 1 from {run.had['128']:,} on)" in views.curve.budgets(alone).title
    assert next(line for line in views.curve.curves(alone).lines if "chosen" in line.name).low is None
    many = seeded(run, 3, 3)
    assert "(3 seeds)" in views.curve.curves(many).title
    assert "steps (3 seeds)" in views.curve.reading(many)
    assert "(3 seeds)" in views.curve.budgets(many).title
    assert next(line for line in views.curve.curves(many).lines if "chosen" in line.name).low is not None


def test_a_line_that_was_trained_less_says_so():
    run = measured.curve("she slept .", "128", measured.MOST, "exact match")
    assert any(line.name == "attention, 4,000" for line in views.curve.curves(run).lines)
    early = measured.curve("she slept .", "128", "4,000", "exact match")
    assert any(line.name == "attention" for line in views.curve.curves(early).lines)


# ---- cells and layers ----


def test_every_build_is_what_its_name_says():
    for build, names in depth.BUILDS.items():
        config = zoo.Card.read(names[0]).config
        cell, layers, _ = build.replace(",", "").split()
        assert (config["cell"], config["layers"], config["code"], config["width"]) == (cell, int(layers), 128, 128)
        assert all(depth.STEPS in RECIPES[name].budgets for name in names)


@pytest.mark.parametrize("build", depth.BUILDS)
def test_the_reading_names_the_figures_of_the_one_chosen(build):
    run = EXPERIMENTS["depth"].run({"build": build, "measure": "token accuracy"})
    values = [translators.rung(name, run.steps)["natural"]["token_accuracy"] for name in depth.BUILDS[build]]
    assert run.builds[build].natural.tolist() == values
    said = views.depth.reading(run)
    assert f"**{build}** gets **{np.mean(values):.2f}**" in said
    assert ("one seed" if len(values) == 1 else f"{len(values)} seeds") in said
    assert f"at the learning rate **{recipes.best_rate(depth.MODELS[build]):g}**, the best of 4" in said


def test_the_rates_are_told_by_size():
    told = views.parts.learned_at({"4": 0.008, "8": 0.008, "16": 0.016})
    assert told.endswith("**0.008** for k = 4, 8; **0.016** for k = 16.")


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
        return depth.Order("paper", ("a", "b"), (np.array(first), np.array(second)))

    assert order((0.5, 0.6), (0.3, 0.4)).same is True
    assert order((0.3, 0.4), (0.5, 0.6)).same is False
    assert order((0.3, 0.6), (0.5, 0.7)).same is None
    assert "overlap" in views.depth.verdict(order((0.3, 0.6), (0.5, 0.7)))
    assert views.depth.verdict(order((0.5,), (0.3,))) == "yes, with one seed"
    assert views.depth.verdict(order((0.3, 0.4), (0.5, 0.6))) == "no"


def test_the_guess_is_what_the_seeds_tell(monkeypatch):
    run = EXPERIMENTS["depth"].run()

    def shares(one, two):
        builds = {depth.ONE: one, "GRU, 2 layers": two}
        changed = {name: dataclasses.replace(run.builds[name], natural=np.array(natural)) for name, natural in builds.items()}
        monkeypatch.setattr(depth, "depth", lambda *_: dataclasses.replace(run, builds=run.builds | changed))
        return exercises.deepest()

    assert shares((0.5, 0.6), (0.3, 0.4)) == "one"
    assert shares((0.5, 0.6), (0.7, 0.8)) == "two"
    assert shares((0.5, 0.6), (0.55, 0.8)) == exercises.LUCK  # they overlap
    assert shares((0.5,), (0.8,)) == exercises.LUCK  # one seed each tells nothing of it
    assert "0.80 exactly right" in EXPERIMENTS["depth"].predict.check("two", {}).message


def test_presets_of_depth_differ():
    seen = {helpers.preset(LESSON, "depth", one.title).build for one in EXPERIMENTS["depth"].presets}
    assert len(seen) == len(EXPERIMENTS["depth"].presets)
