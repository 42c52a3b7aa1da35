"""Alignment: the error rate agrees with an independent computation."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from lessons.attention import LESSON, align
from lessons.attention.translators import SCORES
from lessons.kit.example_sentences import (
    IDIOM,
    MANY_TO_ONE,
    REORDERING,
    UNLINKED_SOURCE,
    UNLINKED_TARGET,
)
from lessons.kit.references import known_pair
from models import zoo
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
run = partial(helpers.run, LESSON)


def independent_aer(weights: np.ndarray, gold: set[tuple[int, int]]) -> float:
    chosen = {(t, max(range(len(row)), key=row.__getitem__)) for t, row in enumerate(weights.tolist())}
    return 1 - 2 * len(chosen & gold) / (len(chosen) + len(gold))


@pytest.mark.parametrize("source", [REORDERING, MANY_TO_ONE, UNLINKED_TARGET, UNLINKED_SOURCE, IDIOM])
@pytest.mark.parametrize("score", SCORES)
def test_aer_against_an_independent_computation(source, score):
    result = run("align", source=source, score=score)
    pair = known_pair(tuple(source.split()))
    assert result.target == pair.target
    assert result.aer == pytest.approx(independent_aer(result.weights, set(pair.alignment)))
    natural = zoo.Card.read(SCORES[score].name).metrics["natural"]
    assert_says(align.views.reading(result), result.aer, "AER", natural["aer"], natural["count"])
    assert align.views.alignment(result).gold == tuple(sorted(pair.alignment))
    np.testing.assert_allclose(result.weights.sum(1), 1, atol=1e-5)


def test_suggestions_of_align_have_the_links_they_are_for():
    for suggestion in (
        EXPERIMENTS["align"].controls[0].default,
        *EXPERIMENTS["align"].controls[0].suggestions,
    ):
        assert run("align", source=suggestion).gold, suggestion
    links = set(run("align", source=REORDERING).gold)
    assert {(4, 6), (5, 5), (6, 4)} <= links  # the words “zone économique européenne”
    # “hit … with a pie”
    assert [i for t, i in run("align", source=MANY_TO_ONE).gold if t == 3] == [1, 3, 4, 5]
    assert run("align", source=UNLINKED_TARGET).unlinked[1] == ("est-ce", "qu'")
    assert run("align", source=UNLINKED_SOURCE).unlinked[0] == ("in",)


def test_a_translation_without_end_is_reported():
    result = run("align", source="the the she .")
    assert result.ended
    assert not says(align.views.reading(result), ("no end", "end mark"))
    assert_says(align.views.reading(replace(result, ended=False)), ("no end", "end mark"), len(result.target))


def test_an_unknown_sentence_has_a_map_and_no_aer():
    result = run("align", source="the the she .")
    assert result.gold is None
    assert result.aer is None
    assert result.weights.shape == (len(result.target), 4)
    assert_says(align.views.reading(result), "AER", ("no", "not"))
    assert not says(align.views.reading(result), "AER =")
