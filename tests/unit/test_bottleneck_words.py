"""Experiment `curve`: the bottleneck on real words, one vector beside attention."""

from dataclasses import replace

import pytest

from lessons.bottleneck.curve import EXPERIMENT, real_words, views
from lessons.bottleneck.curve.real_words import MEASURES
from lessons.bottleneck.measurements import band_over_seeds
from lessons.kit import checkpoints
from models import zoo
from tests.says import assert_says


@pytest.mark.parametrize(("steps", "used"), [("1,000", 2000), ("4,000", 4000), ("16,000", 16_000)])
@pytest.mark.parametrize(("measure", "key"), MEASURES.items())
def test_scores_on_real_words_are_those_of_the_cards(steps, used, measure, key):
    run = EXPERIMENT.run({"steps": steps, "measure": measure})
    assert run.real_words.steps == used
    for band, name in (
        (run.real_words.one_vector, "pronounce-none-128-s0"),
        (run.real_words.attention, "pronounce-additive-128-s0"),
    ):
        (rung,) = [row for row in zoo.Card.read(name).metrics["rungs"] if row["steps"] == used]
        if band.seeds.max() == 1:
            assert band.mean.tolist() == [row[key] for row in rung["by_length"]]
    short, long = run.real_words.compared
    assert_says(
        views.describe_words(run),
        *(
            float(band.mean[n])
            for n in (short, long)
            for band in (run.real_words.one_vector, run.real_words.attention)
        ),
    )
    labels = [line.name for line in views.generated(run).lines]
    assert all(
        ("," in label) == (run.steps_used[name] != used)
        for label, name in zip(labels, ("128", "attention"), strict=True)
    )


def test_only_seeds_with_so_many_steps_are_combined(monkeypatch):
    """The longest training has one seed, shorter ones may have several."""
    rows = {
        "m-s0": {2000: [0.2, 0.1], 8000: [0.9, 0.8]},
        "m-s1": {2000: [0.4, 0.3]},
    }
    figures = {
        name: {steps: {"by_length": [{"exact_match": p} for p in values]} for steps, values in each.items()}
        for name, each in rows.items()
    }
    monkeypatch.setattr(checkpoints, "figures_by_budget", figures.__getitem__)
    early, late = (real_words.band_of_seeds(rows, "exact_match", steps) for steps in (2000, 8000))
    assert early.mean.tolist() == pytest.approx([0.3, 0.2])
    assert early.low.tolist() == [0.2, 0.1]
    assert early.seeds.tolist() == [2, 2]
    assert late.mean.tolist() == [0.9, 0.8]
    assert late.seeds.tolist() == [1, 1]


def test_one_vector_falls_further_on_long_real_words():
    run = EXPERIMENT.run({"steps": "16,000"}).real_words
    short, long = run.compared
    fall = {
        name: getattr(run, name).mean[short] - getattr(run, name).mean[long]
        for name in ("one_vector", "attention")
    }
    assert fall["one_vector"] > 1.5 * fall["attention"]
    assert run.counts[long] >= 200


def test_seeds_are_compared_on_the_longest_words():
    run = EXPERIMENT.run({"steps": "4,000"})
    real = run.real_words

    def compare(vector, attention) -> str:
        count = len(real.buckets)
        bands = {
            name: band_over_seeds([[score] * count for score in scores])
            for name, scores in (("one_vector", vector), ("attention", attention))
        }
        return views.compare_word_seeds(replace(run, real_words=replace(real, **bands)))

    assert_says(compare((0.4, 0.5), (0.6, 0.7)), "2 seeds", "are above all")
    assert_says(compare((0.4, 0.65), (0.6, 0.7)), "2 seeds", "overlap")
    assert_says(compare((0.4,), (0.6,)), "one seed", "4,000")
