"""Heads: they agree with torch and with the trained Transformer."""

from functools import partial

import numpy as np
import pytest
import torch

from lessons.kit.example_sentences import MANY_TO_ONE
from lessons.kit.notices import collect_notices
from lessons.qkv import (
    LESSON,
    heads,
)
from lessons.qkv.translator import TRANSFORMER
from tests import helpers
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


@pytest.mark.parametrize("many", ["1", "2", "4", "8"])
@pytest.mark.parametrize("d", ["8", "64"])
def test_heads_agree_with_torch(many, d):
    run = heads.compute.compute(MANY_TO_ONE, "untrained", many, d, 3)
    words = tuple(MANY_TO_ONE.split())
    attention, x = heads.compute.untrained_layer(TRANSFORMER.ids(words), int(d), int(many), 3)
    oracle = torch.nn.MultiheadAttention(int(d), int(many), batch_first=True)
    with torch.no_grad():
        oracle.in_proj_weight.copy_(torch.cat([attention.W_q, attention.W_k, attention.W_v], 1).T)
        oracle.out_proj.weight.copy_(attention.W_o.T)
        out, weights = oracle(x[None], x[None], x[None], average_attn_weights=False)
    np.testing.assert_allclose(run.weights, weights[0], atol=1e-5)
    np.testing.assert_allclose(run.out, out[0], atol=1e-5)
    # no bias: b_o is zero in an untrained layer
    np.testing.assert_allclose(run.joined @ run.W_O, run.out, atol=1e-5)
    assert run.parameters == sum(parameter.numel() for parameter in oracle.parameters())
    assert run.maps == int(many) * len(words) ** 2


def test_the_trained_layer_is_the_transformers():
    run = preset("heads", "Trained")
    trace = TRANSFORMER.run(TRANSFORMER.read(MANY_TO_ONE))
    np.testing.assert_allclose(run.weights, trace.encoder_self[0], atol=1e-6)
    rows = run.weights[:, run.words.index("hit")]
    assert len(set(rows.argmax(1))) > 1, "the heads differ"


def test_eight_maps_show_the_first_words_of_a_long_sentence():
    with collect_notices() as notices:
        run = EXPERIMENTS["heads"].run({"text": "the " * 25})
    assert len(run.words) == heads.compute.MAX_WORDS == run.weights.shape[1]
    assert_says(notices["text"], heads.compute.MAX_WORDS)


def test_one_head_cannot_subtract_but_two_can():
    """A brute-force search over all fixed weights and factors finds nothing better than the fit."""
    numbers = np.random.default_rng(0).normal(size=12)
    before, after = numbers[:-2], numbers[2:]
    target = before - after
    fitted = float(np.square(heads.compute.fit_one_head(numbers) - target).sum())
    mixes = (
        scale * (alpha * before + (1 - alpha) * after)
        for alpha in np.linspace(0, 1, 41)
        for scale in np.linspace(-3, 3, 241)
    )
    best = min(float(np.square(mix - target).sum()) for mix in mixes)
    assert 0 < fitted <= best
    assert best < fitted + 0.05
    run = EXPERIMENTS["heads"].run()
    assert (run.neighbour_difference == run.first_numbers[:-2] - run.first_numbers[2:]).all()
    unexplained = np.square(run.one_head_attempt - run.neighbour_difference).sum()
    unexplained /= np.square(run.neighbour_difference).sum()
    assert_says(heads.views.describe_subtraction(run), f"{unexplained:.0%}", "never negative")
