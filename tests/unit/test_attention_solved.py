"""With and without attention: figures by sentence length, parameters and steps."""

from functools import partial

import numpy as np
import pytest

from lessons.attention import LESSON, solved
from lessons.attention.solved.compute import ATTENTION_MODEL, VECTOR_MODEL
from lessons.kit.checkpoints import CONTEXT_DIMS
from models import zoo
from tests import helpers
from tests.says import assert_says, says

run = partial(helpers.run, LESSON)
preset = partial(helpers.preset, LESSON)


def test_presets_of_solved():
    assert preset("solved", "Short").right == (True, True)
    assert preset("solved", "As long as trained").right == (False, True)
    assert preset("solved", "Longer than trained").right == (False, False)


def test_beyond_training_the_reading_adds_the_longest_trained_lengths():
    result = run("solved", length=30)
    within = run("solved", length=result.trained[1])
    bucket = int(np.flatnonzero(result.lengths[:, 1] <= result.trained[1])[-1])
    assert not says(solved.views.reading(within), "longest in training")
    beyond = solved.views.reading(result).split(". ")[-1]
    assert_says(
        beyond, "longest in training", *result.lengths[bucket].tolist(), result.exact[1][:, bucket].mean()
    )


@pytest.mark.parametrize(("code", "steps"), [("32", "4,000"), ("128", "16,000")])
def test_solved_names_parameters_and_steps_of_both_models(code, steps):
    result = run("solved", code=code, steps=steps)
    cards = [zoo.Card.read(f"{name}-s0") for name in (VECTOR_MODEL.format(code), ATTENTION_MODEL)]
    assert result.parameters == tuple(card.parameters for card in cards)
    assert_says(
        solved.views.describe_training(result), *result.parameters, *result.steps, "parameters", "steps"
    )


def test_the_steps_of_solved_belong_to_its_metrics_not_to_the_translation():
    """Translations come from fully trained models; only the metrics depend on the chosen number of steps."""
    result = run("solved", steps="1,000")
    assert result.steps == (1000, 1000) != result.full
    [sizes] = [part for part in solved.views.reading(result).split(". ") if says(part, "parameters")]
    assert not says(sizes, 1000)


def test_with_and_without_attention_differ_only_in_attention():
    for code in CONTEXT_DIMS:
        without, with_it = (
            zoo.Card.read(name).config
            for name in (f"{VECTOR_MODEL.format(code)}-s0", f"{ATTENTION_MODEL}-s0")
        )
        assert {key for key in without if without[key] != with_it[key]} == {"context", "context_dim"}


def test_solved_by_length():
    result = run("solved", length=20)
    bucket = next(n for n, (low, high) in enumerate(result.lengths) if low <= 20 <= high)
    rungs = zoo.Card.read("translation-oneway-128-s0").metrics["rungs"]
    (at,) = [row for row in rungs if row["steps"] == result.steps[1]]
    assert result.exact[1][0, bucket] == at["by_length"][bucket]["exact_match"]
    assert result.exact[1][:, bucket].mean() > result.exact[0][:, bucket].mean() + 0.3
    assert result.exact[1][:, -1].mean() < 0.3  # the text says that accuracy collapses on longer sentences
    assert result.stored == (result.code, 20 * 128)
    assert result.right == tuple(output == result.truth for output in result.outputs)
    assert [not (lost or wrong) for lost, wrong in zip(result.missing, result.wrong, strict=True)] == list(
        result.right
    )
    assert len(result.source) == 20
