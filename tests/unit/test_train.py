"""Training: it learns, the same seed gives the same model, and the command says what it can do."""

import math
import subprocess
import sys

import pytest
import torch

from models import metrics, train
from models.batches import pair_batches
from models.film import Film
from models.recipes import RECIPES, Recipe
from models.seq2seq import Seq2Seq, Seq2SeqConfig
from models.tasks import TASKS
from models.tasks.toys import COPY


def small(steps: int = 60, seed: int = 0) -> tuple[Seq2Seq, list[train.Progress]]:
    recipe = Recipe("small", "seq2seq", "copy", {"width": 32, "context": "attention", "two_way": True}, seed=seed)
    model = train.build(recipe)
    batches = pair_batches(COPY.pairs("train", 3000, lengths=range(1, 6)), COPY, 64)
    return model, list(train.fit(model, batches, steps, lr=1e-2, seed=seed))


def test_it_learns_and_counts():
    model, progress = small(steps=200)
    assert [p.step for p in progress] == list(range(1, 201))
    assert progress[0].loss == pytest.approx(math.log(len(COPY.target)), rel=0.15)  # it starts knowing nothing
    assert progress[-1].loss < 0.3 * progress[0].loss
    assert progress[-1].accuracy > 0.8
    assert progress[-1].left == 0
    assert progress[0].left > progress[-2].left > 0
    assert not model.training


def test_the_same_seed_gives_the_same_model():
    one, two, other = small(seed=3)[0], small(seed=3)[0], small(seed=4)[0]
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


def test_a_ladder_ends_every_budget_by_itself():
    """Each rung is what it would be if the longer ones were not asked for; and training on helps."""
    recipe = Recipe("small", "seq2seq", "copy", {"width": 32, "context": "first", "code": 8})
    batches = pair_batches(COPY.pairs("train", 3000, lengths=range(1, 4)), COPY, 64)
    rungs = dict(train.ladder(train.build(recipe), batches, (50, 100, 300), 1e-2))
    (alone,) = train.ladder(train.build(recipe), batches, (100,), 1e-2)
    assert all(torch.equal(a, b) for a, b in zip(rungs[100].parameters(), alone[1].parameters(), strict=True))
    losses = [sum(train.judge(model, batch)[0].item() for batch in batches) for model in rungs.values()]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.8 * losses[0]


def test_the_long_way_of_a_ladder_knows_no_budget():
    rates = [train.anytime(step) for step in range(1, 5000)]
    assert rates[: train.WARM] == sorted(rates[: train.WARM])
    assert max(rates) == rates[999] == 1
    assert rates[3999] == 0.5


def test_an_untrained_model_is_bad():
    """So that a good figure in a card means something."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = Seq2Seq(Seq2SeqConfig(len(COPY.source), len(COPY.target))).eval()
    figures = metrics.judge(model, COPY.pairs("test", 50, lengths=range(3, 9)), COPY)
    assert figures["exact_match"] == 0


@pytest.mark.parametrize(("arguments", "says", "code"), [(["--list"], "translation-none-128-s0", 0), (["nosuch"], "--list", 1)])
def test_the_command(arguments, says, code):
    done = subprocess.run([sys.executable, "-m", "models.train", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert says in done.stdout + done.stderr


def test_a_film_keeps_about_25_moments_and_disturbs_nothing():
    """Filmed or not, a training ends with the same weights."""
    recipe = Recipe("filmed", "seq2seq", "translation", {"width": 16, "context": "attention"}, steps=40, film=True)
    batches = pair_batches(TASKS["translation"].pairs("train", 256, lengths=range(5, 9)), TASKS["translation"], 32)
    filmed, plain, film = train.build(recipe), train.build(recipe), Film(recipe)
    for progress in train.fit(filmed, batches, recipe.steps, recipe.lr):
        film.look(filmed, progress)
    for _ in train.fit(plain, batches, recipe.steps, recipe.lr):
        pass
    assert all(torch.equal(a, b) for a, b in zip(filmed.parameters(), plain.parameters(), strict=True))
    assert len(film.losses) == recipe.steps
    assert [frame["step"] for frame in film.frames] == sorted(film.steps)
    assert film.frames[0]["step"] == 1
    assert film.frames[-1]["step"] == recipe.steps
    assert film.frames[0]["weights"] != film.frames[-1]["weights"]
