"""Attention in the trained models: the layer gives the same numbers."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from lessons.kit.checkpoints import original_run, read_source
from lessons.kit.example_sentences import MANY_TO_ONE, REORDERING
from lessons.qkv import (
    LESSON,
    cross,
    matrices,
)
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}


@pytest.mark.parametrize("kind", cross.compute.KINDS)
@pytest.mark.parametrize(
    "text",
    [MANY_TO_ONE, REORDERING],
)
def test_layer_agrees_with_the_trained_models(kind, text):
    run = cross.compute.compute(text, kind, 2)
    assert run.weights_difference < 1e-5
    assert run.contexts_difference < 1e-5
    assert run.weights.shape == (len(run.queries), len(run.keys))
    Q, K = (torch.tensor(each)[None] for each in (run.Q, run.K))
    scale = 1.0 if kind == "seq2seq, dot" else None
    W = F.scaled_dot_product_attention(Q, K, torch.eye(len(run.keys))[None], scale=scale)[0]
    np.testing.assert_allclose(run.own_weights, W, atol=1e-5)


def test_seq2seq_has_no_projections():
    run = EXPERIMENTS["cross"].run()
    np.testing.assert_array_equal(run.K, run.V)
    own = original_run("translation-dot-64-s0", read_source(MANY_TO_ONE))
    np.testing.assert_array_equal(run.Q, own.s)


def test_reading_counts_tied_largest_weights():
    state = {control.name: control.default for control in EXPERIMENTS["matrices"].controls}
    even = matrices.compute.compute(**state | {"X": tuple((0.0,) * len(row) for row in state["X"])})
    assert_says(matrices.views.reading(even), 1 / 3, "9 cells")
    alone = matrices.compute.compute(**state | {"T": 1})
    assert_says(matrices.views.reading(alone), "row", "itself")
    own = matrices.compute.compute(**state)
    row, seen = (int(n) for n in np.unravel_index(own.A.argmax(), own.A.shape))
    assert_says(matrices.views.reading(own), f"row {row + 1}", own.A.max(), f"row {seen + 1}")
