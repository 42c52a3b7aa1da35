"""Shuffled encoder states: the context does not depend on their order."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from lessons.attention import LESSON, caveat, steer, step, unordered
from lessons.attention.translators import ADDITIVE
from lessons.attention.unordered.compute import SHUFFLES, permutation
from lessons.kit.example_sentences import (
    FUTURE_TENSE,
    IDIOM,
    MANY_TO_ONE,
    REORDERING,
)
from lessons.kit.pictures.numbers import scientific
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
LONG = " ".join(["the old man kicked the bucket and"] * 5 + ["she gave up ."])  # 39 words, the maximum length
T = len(REORDERING.split())
run = partial(helpers.run, LESSON)
preset = partial(helpers.preset, LESSON)


@pytest.mark.parametrize("seed", [1, 7, 50])
def test_shuffled_states_keep_their_weights_and_the_context(seed):
    result = run("unordered", seed=seed)
    assert sorted(result.order) == list(range(T))
    np.testing.assert_allclose(result.weights, result.plain_weights[list(result.order)], atol=1e-5)
    assert result.gaps[0].max() < 1e-4
    assert result.yours == result.plain
    words = run("unordered", seed=seed, what=SHUFFLES[1])
    assert words.gaps[1].max() > 0.1
    assert tuple(result.source) == tuple(REORDERING.split()[i] for i in result.order)


def test_seed_zero_is_the_original_order():
    result = run("unordered", seed=0)
    assert " ".join(result.source) == REORDERING
    assert result.gaps.max() == 0


@pytest.mark.parametrize("source", [REORDERING, MANY_TO_ONE, FUTURE_TENSE, LONG])
@pytest.mark.parametrize("seed", [3, 7, 12])
def test_rounding_shrinks_with_the_precision(source, seed):
    """The gaps shrink from 32-bit to 64-bit precision, so they are rounding errors."""
    result = run("unordered", source=source, seed=seed)
    assert_says(unordered.views.reading(result), "rounding", scientific(result.gap))
    single, double = (np.finfo(kind).eps for kind in (np.float32, np.float64))
    assert result.gaps_64_bit.max() < result.gaps[0].max() * 1e-6
    assert result.gaps_64_bit.max() < 100 * double
    assert run("unordered", what=SHUFFLES[1]).gaps[1].max() > 1e5 * single
    picture = unordered.views.change(result)
    assert [height for height, _ in picture.rules] == [single, double]
    np.testing.assert_array_equal(picture.lines[2].y, np.maximum(result.gaps_64_bit, picture.y_range[0]))
    assert picture.y_range[0] < double


IN_ORDER = next(seed for seed in range(1, 51) if permutation(2, seed) == (0, 1))


def test_an_identity_permutation_is_not_called_rounding():
    for result in (run("unordered", seed=0), run("unordered", source="she", seed=IN_ORDER)):
        assert result.order == tuple(range(len(result.source)))
        assert not says(unordered.views.reading(result), ("rounding", "is now"))


def test_repeated_words_are_numbered():
    twice = "the " * 5 + "."
    result = run("step", source=twice, t=2)
    best, second = (int(i) for i in np.argsort(-result.scores)[:2])
    assert result.source[best] == result.source[second] == "the"
    assert_says(step.views.reading(result), f"the (word {best + 1})", f"the (word {second + 1})")
    steered = run("steer", source=twice, t=2)
    assert_says(steer.views.reading(steered), f"the (word {int(steered.row.argmax()) + 1})")
    moved = run("caveat", source=twice, t=2)
    assert_says(caveat.views.told_other(moved), f"(word {int(moved.own_row.argmax()) + 1})")
    assert not says(step.views.reading(run("step")), "word")


def test_lost_and_new_words_of_a_shuffle_are_counted():
    shuffled = (run("unordered", seed=seed, what=SHUFFLES[1]) for seed in range(1, 51))
    result = next(each for each in shuffled if each.yours[-1] == "<eos>" and each.plain != each.yours)
    assert_says(unordered.views.describe_output(result), len(result.lost), len(result.new))
    fewer = replace(result, yours=(*result.plain[:-3], "<eos>"), lost=(12, 13), new=())
    assert_says(unordered.views.describe_output(fewer), "2 words", 0)
    assert_says(unordered.views.describe_output(replace(result, yours=result.plain)), "same")
    endless = replace(result, yours=("le",) * 60)
    assert_says(unordered.views.describe_output(endless), 60, ("no end", "end mark"))


def test_the_context_of_query_after_reaches_no_later_state():
    """The model has no input feeding (unlike Luong et al., 2015), and the page says so."""
    plain = ADDITIVE.run(ADDITIVE.read(MANY_TO_ONE))
    even = {"weights": lambda weights, t: torch.full_like(weights, 1 / len(weights))}
    yours = ADDITIVE.model.run(plain.source, plain.output, edits=even)
    assert not torch.equal(plain.contexts, yours.contexts)
    assert torch.equal(plain.s, yours.s)
    assert_says(LESSON.text.experiments["step"].acts["query"].body, "Luong", "input feeding", "Bahdanau")


def test_the_output_is_hidden_until_the_guess():
    experiment = EXPERIMENTS["unordered"]
    picture = unordered.views.unrolled(run("unordered"))
    assert not any(picture.chains[1].words)
    assert "européenne" not in picture.svg()
    assert {"translations", "weights", "change"} <= set(experiment.predict.covers)


def test_a_common_start_is_not_outlined():
    assert preset("unordered", "Shuffled states").source[0] == "area"
    assert preset("unordered", "Shuffled words").new
    shuffled = (run("unordered", source=IDIOM, seed=seed, what=SHUFFLES[1]) for seed in range(1, 51))
    result = next(each for each in shuffled if each.plain[0] == each.yours[0] and each.plain != each.yours)
    assert result.new
    assert 0 not in result.new
