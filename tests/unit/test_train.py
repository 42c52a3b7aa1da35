"""Training: the loss falls, the same seed gives the same model, and an interrupted run resumes."""

import math
import subprocess
import sys
from itertools import count

import pytest
import torch

from models import metrics, snapshot, train
from models.batches import pair_batches
from models.recipes import RECIPES, Recipe
from models.recording import FilmRecorder
from models.seq2seq import Seq2Seq, Seq2SeqConfig
from models.tasks import TASKS
from models.tasks.toys import COPY


def small_model(steps: int = 60, seed: int = 0) -> tuple[Seq2Seq, list[train.Progress]]:
    recipe = Recipe(
        "small", "seq2seq", "copy", {"width": 32, "context": "attention", "bidirectional": True}, seed=seed
    )
    model = train.build(recipe)
    batches = pair_batches(COPY.pairs("train", 3000, lengths=range(1, 6)), COPY, 64)
    return model, list(train.fit(model, batches, steps, lr=1e-2, seed=seed))


def test_it_learns_and_counts():
    model, progress = small_model(steps=200)
    assert [p.step for p in progress] == list(range(1, 201))
    assert progress[0].loss == pytest.approx(math.log(len(COPY.target)), rel=0.15)  # loss of a uniform guess
    assert progress[-1].loss < 0.3 * progress[0].loss
    assert progress[-1].accuracy > 0.8
    assert progress[-1].seconds_left == 0
    assert progress[0].seconds_left > progress[-2].seconds_left > 0
    assert not model.training


def test_the_same_seed_gives_the_same_model():
    one, two, other = small_model(seed=3)[0], small_model(seed=3)[0], small_model(seed=4)[0]
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))
    assert not torch.equal(one.out.weight, other.out.weight)


def test_building_leaves_the_global_generator_alone():
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    train.build(RECIPES["copy-none-64-s0"])
    assert torch.equal(torch.rand(3), expected)


def test_the_learning_rate_warms_up_and_cools_down():
    rates = [train.warm_up_then_cosine(step, 1000) for step in range(1000)]
    assert rates[:100] == sorted(rates[:100])
    assert rates[100:] == sorted(rates[100:], reverse=True)
    assert max(rates) == 1
    assert rates[-1] == pytest.approx(0.01, abs=1e-4)


def test_a_budget_does_not_depend_on_longer_budgets():
    """The model of a budget must equal one trained without longer budgets, and longer budgets are better."""
    recipe = Recipe("small", "seq2seq", "copy", {"width": 32, "context": "first", "context_dim": 8})
    batches = pair_batches(COPY.pairs("train", 3000, lengths=range(1, 4)), COPY, 64)
    rungs = dict(train.budget_ladder(train.build(recipe), batches, (50, 100, 300), 1e-2))
    (alone,) = train.budget_ladder(train.build(recipe), batches, (100,), 1e-2)
    assert all(torch.equal(a, b) for a, b in zip(rungs[100].parameters(), alone[1].parameters(), strict=True))
    losses = [
        sum(train.loss_and_accuracy(model, batch)[0].item() for batch in batches) for model in rungs.values()
    ]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.8 * losses[0]


class Stop(Exception):
    """Raised to simulate the end of the process."""


@pytest.mark.parametrize("budgets", [(), (20, 40)])
def test_a_stopped_training_goes_on_and_ends_the_same(budgets, tmp_path, monkeypatch):
    """A resumed run must end with the weights, learning curve and budgets of an uninterrupted run."""
    monkeypatch.setattr(snapshot, "training_folder", lambda: tmp_path)
    monkeypatch.setattr(snapshot.Snapshot.__init__, "__defaults__", (-1.0,))  # write after every step
    saved = []
    monkeypatch.setattr(
        train.zoo, "save", lambda recipe, model, seconds, metrics: saved.append((model, metrics))
    )
    monkeypatch.setattr(train.measure, "card_metrics", lambda model, recipe: {"by_length": []})
    config = {"width": 16, "context": "first", "context_dim": 8}
    recipe = Recipe(
        "stopped", "seq2seq", "copy", config, 40, examples=300, lengths=range(1, 4), budgets=budgets
    )
    train.train_recipe(recipe, bar=False)
    uninterrupted, original_step, steps = saved[-1], train.train_step, count(1)

    def step_until_stopped(*arguments):
        if next(steps) == 30:
            raise Stop
        return original_step(*arguments)

    monkeypatch.setattr(train, "train_step", step_until_stopped)
    with pytest.raises(Stop):
        train.train_recipe(recipe, bar=False)
    assert [path.name for path in tmp_path.iterdir()] == ["stopped.pt"]
    train.train_recipe(recipe, bar=False)
    assert next(steps) < 60, "it started again from the first step"
    assert all(
        torch.equal(a, b)
        for a, b in zip(uninterrupted[0].parameters(), saved[-1][0].parameters(), strict=True)
    )
    assert uninterrupted[1] == saved[-1][1]
    assert not list(tmp_path.iterdir())


def test_a_snapshot_of_another_recipe_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(snapshot, "training_folder", lambda: tmp_path)
    model = torch.nn.Linear(2, 2)
    snapshot.Snapshot("name", {"seed": 0}, every=0).save_if_due(7, model, train.make_optimiser(model, 0.1))
    assert snapshot.Snapshot("name", {"seed": 0}).restore(model, train.make_optimiser(model, 0.1)) == 7
    assert snapshot.Snapshot("name", {"seed": 1}).restore(model, train.make_optimiser(model, 0.1)) == 0


def test_all_that_is_shipped_is_finished():
    """Shipped models must count as finished, so that `all` trains only missing ones."""
    assert train.is_finished("translation-none-128-s0")
    assert not train.is_finished("nosuch")


def test_the_schedule_of_a_ladder_warms_up_and_decays():
    rates = [train.inverse_sqrt_schedule(step) for step in range(1, 5000)]
    assert rates[: train.WARMUP_STEPS] == sorted(rates[: train.WARMUP_STEPS])
    assert max(rates) == rates[999] == 1
    assert rates[3999] == 0.5


def test_an_untrained_model_is_bad():
    """An untrained model must score low, so that a high score on a card is evidence of training."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = Seq2Seq(Seq2SeqConfig(len(COPY.source), len(COPY.target))).eval()
    figures = metrics.evaluate(model, COPY.pairs("test", 50, lengths=range(3, 9)), COPY)
    assert figures["exact_match"] == 0


@pytest.mark.parametrize(
    ("arguments", "says", "code"), [(["--list"], "translation-none-128-s0", 0), (["nosuch"], "--list", 1)]
)
def test_the_command(arguments, says, code):
    done = subprocess.run(
        [sys.executable, "-m", "models.train", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert says in done.stdout + done.stderr


def test_a_film_keeps_about_25_moments_and_disturbs_nothing():
    """Recording must not change the final weights, and must keep about 25 moments."""
    recipe = Recipe(
        "filmed", "seq2seq", "translation", {"width": 16, "context": "attention"}, steps=40, film=True
    )
    batches = pair_batches(
        TASKS["translation"].pairs("train", 256, lengths=range(5, 9)), TASKS["translation"], 32
    )
    filmed, plain, film = train.build(recipe), train.build(recipe), FilmRecorder(recipe)
    for progress in train.fit(filmed, batches, recipe.steps, recipe.lr):
        film.after_step(filmed, progress)
    for _ in train.fit(plain, batches, recipe.steps, recipe.lr):
        pass
    assert all(torch.equal(a, b) for a, b in zip(filmed.parameters(), plain.parameters(), strict=True))
    assert len(film.losses) == recipe.steps
    assert [frame["step"] for frame in film.frames] == sorted(film.steps)
    assert film.frames[0]["step"] == 1
    assert film.frames[-1]["step"] == recipe.steps
    assert film.frames[0]["weights"] != film.frames[-1]["weights"]
