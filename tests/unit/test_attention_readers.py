"""Encoders: which states depend on which words."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from lessons.attention import LESSON, readers, shortcut, solved
from lessons.attention.readers.compute import OFFSETS, offset_from_gold
from lessons.kit.example_sentences import (
    REORDERING,
    UNLINKED_SOURCE,
    UNLINKED_TARGET,
)
from models import zoo
from tests import helpers
from tests.says import assert_says, says

T = len(REORDERING.split())
run = partial(helpers.run, LESSON)


@pytest.mark.parametrize("put", ["", "house"])
@pytest.mark.parametrize("i", [1, 7, T])
def test_states_depend_on_the_words_read_so_far(i, put):
    one, two = run("readers", i=i, put=put).both
    places = np.arange(1, T + 1)
    assert ((one.change > 0) == (places >= i)).all()
    assert (two.change > 0).all()
    assert ((two.halves > 0) == [places >= i, places <= i]).all()
    assert np.allclose(np.hypot(*two.halves), two.change, atol=1e-5)


def test_the_same_word_changes_no_state():
    result = run("readers", i=7, put="area")
    assert all((reader.change == 0).all() for reader in result.both)
    assert_says(readers.views.reading(result), "area", ("no state changes", "nothing changes"))


def test_unidirectional_attention_is_late_and_hardly_ever_early():
    one, two = (dict(zip(OFFSETS, shares, strict=True)) for shares in run("readers").lateness)
    assert sum(one.values()) == pytest.approx(1)
    late = [sum(share for places, share in each.items() if places > 0) for each in (one, two)]
    assert late[0] > 3 * late[1]
    assert one[-1] + one[-2] < 0.02


def test_offset_from_gold():
    assert [offset_from_gold(4, [2]), offset_from_gold(4, [4, 2]), offset_from_gold(4, [5, 1])] == [2, 0, -1]


def test_the_reading_gives_the_first_late_link():
    result = run("readers")
    t, position, gold = readers.views.late_links(result, result.both[0])[0]
    assert (result.both[0].target[t], result.source[position], result.source[gold]) == (
        "l'",
        "agreement",
        "the",
    )
    first, _, second = readers.views.reading(result).rpartition("bidirectional encoder")
    assert_says(
        first, "l'", "agreement", result.both[0].weights[t, position], f"h₁ at “{result.source[gold]}”"
    )
    assert_says(second, len(readers.views.late_links(result, result.both[1])))
    linked = {row for row, _ in result.gold}
    assert_says(first, f"{len(readers.views.late_links(result, result.both[0]))} of {len(linked)} words")


def test_only_words_with_a_gold_link_are_counted():
    result = run("readers", source=UNLINKED_TARGET)
    linked = {row for row, _ in result.gold}
    assert len(linked) < len(result.both[0].target)
    assert_says(readers.views.reading(result), f"of {len(linked)} words")


def test_metrics_of_both_encoders_are_on_the_cards():
    one, two = run("readers").measured
    assert one.aer == tuple(
        zoo.Card.read(f"translation-oneway-64-s{seed}").metrics["natural"]["aer"] for seed in (0, 1, 2)
    )
    assert_says(readers.views.told_measured(run("readers")).partition(".")[0], "AER")
    for kind in (one, two):
        assert_says(
            readers.views.told_measured(run("readers")), kind.name, np.mean(kind.aer), np.mean(kind.exact)
        )


def test_superfluous_words_are_reported():
    """The reading counts extra words and says that no word is missing."""
    plain = run("solved", length=8)
    too_long = replace(plain, right=(False, True), missing=((), ()), wrong=((2, 3), ()))
    text = solved.views.reading(too_long)
    assert_says(text, "2 words", "too many", "nothing is missing")
    assert not says(text, "fully trained"), "some were still learning"


def test_one_state_and_one_word_are_in_the_singular():
    last = run("readers", source=UNLINKED_SOURCE, i=6, put="women")
    text = readers.views.reading(last)
    assert_says(text, "1 of 6", "changes", "1 of 5", "attends")


def test_a_factor_near_one_is_not_rounded_to_one():
    result = run("shortcut", length=16, t=4)
    factors = [each.max() / each.min() for each in result.now]
    assert 1 < factors[1] < 2
    assert_says(shortcut.views.reading(result), f"{factors[1]:.1f}")
