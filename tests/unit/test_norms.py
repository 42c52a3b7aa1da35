"""Recorded training runs with and without norms: how they are produced, and how the lesson shows them."""

from dataclasses import replace

import numpy as np
import pytest

from lessons.transformer import LESSON
from lessons.transformer.norms import views
from lessons.transformer.norms.placement import PLACEMENTS
from lessons.transformer.norms.recorded import RATES, accuracy_gaps, load_trainings
from models import norms
from models.blocks import NORMS
from tests.says import assert_says

NORMS_EXPERIMENT = LESSON.experiment("norms")


def tiny(**change):
    recipe = norms.make_recipe("none", 1e-3, 0)
    return replace(recipe, config={**recipe.config, "d": 8, "heads": 2, "d_fc": 8}, steps=3, **change)


def test_a_training_is_recorded_at_the_given_steps():
    film = norms.record_training(tiny(), steps=(1, 3))
    assert film["broke"] is None
    assert [len(film[name]) for name in ("loss", "validation", "accuracy")] == [2, 2, 2]
    assert all(0 <= share <= 1 for share in film["accuracy"])


def test_a_diverged_training_ends_its_recording():
    film = norms.record_training(tiny(lr=1e30), steps=(1, 2, 3))
    assert film["broke"] in (1, 2, 3)
    assert len(film["loss"]) < film["broke"]
    assert np.isfinite(film["loss"] + film["validation"]).all()


@pytest.mark.parametrize("norm", NORMS)
def test_every_training_is_recorded(norm):
    """Every norm, learning rate and seed must be recorded."""
    film = load_trainings(norm)
    assert film.loss.shape == film.accuracy.shape == (len(norms.RATES), len(norms.SEEDS), norms.MOMENTS)
    assert np.isnan(film.accuracy[:, :, -1]).tolist() == (film.broke > 0).tolist()


def test_the_text_says_what_the_records_say():
    """For every seed, pre-norm must lead at every rate, and at 0.008 no norm must beat post-norm."""
    pre, post, none = (load_trainings(norm).accuracy[:, :, -1] for norm in ("pre", "post", "none"))
    small, middle, large = range(len(RATES))
    for rate in (small, middle):
        assert pre[rate].min() > max(post[rate].max(), none[rate].max())
        assert none[rate].min() > 0.7
    assert none[middle].min() > post[middle].max()
    assert max(pre[large].max(), post[large].max()) < min(pre[small].min(), post[small].min())
    assert pre[large].min() > post[large].max()
    losses = load_trainings("none").loss[large]  # (seeds, recorded steps)
    assert (np.nanmax(losses, axis=1) > 100 * losses[:, 0]).all()
    assert not np.isnan(np.concatenate([pre, post])).any()


def test_one_learning_rate_solves_the_exercise():
    [asked] = [exercise for exercise in LESSON.exercises if exercise.slug == "parted"]
    right = [asked.check(None, NORMS_EXPERIMENT.state({"lr": lr})).ok for lr in RATES]
    assert sum(right) == 1
    assert right[accuracy_gaps().argmax()]


@pytest.mark.parametrize("lr", RATES)
def test_the_reading_agrees_with_the_curves(lr):
    run = NORMS_EXPERIMENT.run({"lr": lr, "moment": 5})
    said = views.told_training(run)
    for norm, line in zip(NORMS, views.accuracy(run).lines, strict=True):
        sentence = said.partition(f"With {PLACEMENTS[norm]}, ")[2].split(". ")[0]
        assert_says(sentence, "diverged" if np.isnan(line.y[4]) else f"{100 * line.y[4]:.0f}%")
    assert "nan" not in said


def test_diverged_seeds_are_named_and_not_drawn():
    run = NORMS_EXPERIMENT.run({"lr": RATES[-1]})
    broke = run.films["none"].broke[-1]
    said = views.told_training(run)
    assert_says(said, f"{(broke > 0).sum()} of {len(norms.SEEDS)} seeds diverged")
    assert_says(said, *(f"{step:,}" for step in broke[broke > 0]))
    for picture in (views.loss(run), views.accuracy(run)):
        assert np.isnan(picture.lines[-1].y[-1])  # a diverged run is drawn as a gap
        assert "nan" not in picture.svg().lower()
    assert_says(views.sweep(run).rows[-1][-1], f"{(broke > 0).sum()} of {len(norms.SEEDS)} seeds diverged")
