"""Words with two senses: which model can settle the sense."""

import re
from functools import partial

import numpy as np
import pytest

from lessons.kit.example_sentences import AMBIGUOUS_BANK
from lessons.qkv import (
    LESSON,
    bank,
    parameters,
)
from models.tasks import BANK
from tests import helpers

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
STREET = "i arrived at the bank after crossing the street ."
preset = partial(helpers.preset, LESSON)


def test_tasks_are_reproducible():
    assert (
        parameters.compute.draw_task(0).d,
        parameters.compute.draw_task(0).T,
        parameters.compute.draw_task(0).answer,
    ) == (10, 4, 300)
    drawn = [parameters.compute.draw_task(number) for number in range(1, 30)]
    assert len({(task.d, task.T) for task in drawn}) > 20
    assert drawn == [parameters.compute.draw_task(number) for number in range(1, 30)]
    assert all(task.answer == 3 * task.d**2 for task in drawn)


def test_only_the_two_sided_model_settles_the_sense():
    left, both = bank.compute.compute(AMBIGUOUS_BANK, 5).now
    assert left == pytest.approx([0.5, 0.5], abs=0.1)
    assert both[1] > 0.95
    assert bank.compute.compute(STREET, 5).now[1, 0] > 0.95
    before = preset("bank", "Not yet").now
    assert before == pytest.approx(np.full((2, 2), 0.5), abs=0.1)


def test_guess_covers_the_left_to_right_model():
    run = EXPERIMENTS["bank"].run()
    both, left = (view(run).lines[0].values for view in (bank.views.both_sides, bank.views.left_to_right))
    assert abs(both[-1]) > 0.9
    assert abs(left).max() < 0.2
    assert {"left_to_right", "senses"} <= set(EXPERIMENTS["bank"].predict.covers)


@pytest.mark.parametrize("text", EXPERIMENTS["bank"].controls[0].suggestions)
def test_every_suggested_sentence_settles_its_word(text):
    run = bank.compute.compute(text, 23)
    assert run.now[1].max() > 0.9
    # later words must not change the left-to-right model's answer
    assert np.ptp(run.unfolding[0], axis=0).max() < 1e-5
    after = run.position + 1
    assert np.isnan(run.weights[0, :, after:]).all()
    np.testing.assert_allclose(run.weights[1].sum(1), 1, atol=1e-5)


def test_suggestions_have_at_least_six_ambiguous_words():
    first = EXPERIMENTS["bank"].controls[0]
    assert len({bank.compute.compute(text, 0).word for text in (first.default, *first.suggestions)}) >= 6


def test_the_equations_of_bank_hold_for_every_word_with_two_senses():
    section = LESSON.text.experiments["bank"]
    equations = re.findall(r"\$.+?\$", section.after + "".join(act.body for act in section.acts.values()))
    assert equations
    assert not [equation for equation in equations if any(word in equation for word in BANK.senses)]
