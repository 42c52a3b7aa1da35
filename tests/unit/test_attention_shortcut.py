"""The shortcut for gradients: distances and gradients of each word."""

from functools import partial

import numpy as np
import pytest
import torch

from lessons.attention import LESSON, shortcut
from lessons.attention.shortcut.compute import MODELS, WEIGHTS, gradients_by_step
from lessons.kit.checkpoints import load_model
from lessons.kit.pictures.numbers import scientific
from lessons.kit.references import held_out
from models import zoo
from models.tasks import TASKS
from models.vocabulary import Vocabulary
from tests import helpers
from tests.says import assert_says, numbers

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
run = partial(helpers.run, LESSON)
preset = partial(helpers.preset, LESSON)


def test_shortcut_names_parameters_and_steps_of_both_models():
    result = run("shortcut", weights=WEIGHTS[1])
    for n, name in enumerate(MODELS):
        card = zoo.Card.read(name)
        assert_says(shortcut.views.reading(result), card.parameters, card.recipe["steps"])
        assert (result.parameters[n], result.steps[n]) == (card.parameters, card.recipe["steps"])
        # each model is described with its own training steps
        side = shortcut.views.describe_models(result).split("other")[1 - n]
        assert_says(side, card.parameters, card.recipe["steps"])
    linked = result.linked[0]
    shares = (result.now[:, linked] / result.now.sum(1)).tolist()
    assert_says(shortcut.views.reading(result), *shares, result.source[linked])


def test_gradients_stay_on_their_axis():
    for weights, (low, high) in shortcut.views.AXES.items():
        for length in (4, 20, 28, 40):
            gradients = run("shortcut", length=length, weights=weights).gradients
            assert low <= gradients.min()
            assert gradients.max() <= high


def test_batched_gradients_equal_those_of_single_steps():
    """Gradients from one batch of copies equal those from autograd through a single run of the model."""
    pair = held_out(6, 1)
    for name in MODELS:
        model = load_model(name)
        source, target = (
            TASKS["translation"].source.ids(pair.source),
            [*TASKS["translation"].target.ids(pair.target), Vocabulary.eos],
        )
        x = model.embed_source(torch.tensor(source)).clone().requires_grad_()

        def score(x: torch.Tensor, t: int, model=model, source=source, target=target) -> torch.Tensor:
            return model.run(source, target, edits={"x": lambda value, step: x}).logits[t, target[t]]

        for t in (0, 3):
            own = torch.autograd.grad(score(x, t), x)[0].norm(dim=-1)
            np.testing.assert_allclose(gradients_by_step(name, True, pair)[t], own, rtol=1e-3, atol=1e-5)


def test_repeated_gold_words_are_numbered():
    twice = 0
    for t in range(1, 12):
        result = run("shortcut", length=20, weights=WEIGHTS[1], t=t)
        if result.linked and result.source.count(result.source[result.linked[0]]) > 1:
            assert_says(shortcut.views.reading(result), f"word {result.linked[0] + 1}")
            twice += 1
    assert twice


def test_gradients_and_distance():
    for length in (10, 20, 40):
        result = run("shortcut", length=length, t=80)
        without, with_it = result.now
        assert without[-1] / without[0] > 10
        assert with_it.max() / with_it.min() < 10
        assert with_it[0] > 100 * without[0] or length == 10
    trained = preset("shortcut", "After training")
    share = trained.now[:, trained.linked[0]] / trained.now.sum(1)
    assert share[1] > 2 * share[0]
    more = []
    for t, i in held_out(20, 1).alignment:
        share = trained.gradients[:, t, i] / trained.gradients[:, t].sum(1)
        more.append(share[1] > share[0])
    assert np.mean(more) > 0.8  # the text claims “in most steps”


def test_verdicts_about_distance_agree_with_the_reading():
    text = shortcut.views.reading(run("shortcut"))
    without, with_it = run("shortcut").now
    for value in (without[0], with_it[0]):
        assert scientific(value, 1) in text
    guess = EXPERIMENTS["shortcut"].predict.check
    assert_says(text, float(without[-1] / without[0]))
    assert_says(guess("600 times", {}).message, float(without[-1] / without[0]))
    shown = [float(f"{value:.1e}") for value in (with_it[0], without[0])]
    verdict = guess("15,000 times", {})
    assert verdict.ok
    factor, *_ = next(value for value in numbers(verdict.message) if value[0] > 1)
    assert factor == pytest.approx(shown[0] / shown[1], rel=0.1)  # ratio of the rounded numbers on the page
