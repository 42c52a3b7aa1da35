"""Steering: the weights that are set are used, and nothing else changes."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.attention import LESSON, steer
from lessons.attention.steer.compute import one_hot_row
from lessons.attention.translators import WIRINGS
from lessons.kit import link
from lessons.kit.example_sentences import (
    FUTURE_TENSE,
    MANY_TO_ONE,
    REORDERING,
)
from lessons.kit.pictures.bars import Bars
from tests import helpers
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
T = len(REORDERING.split())
run = partial(helpers.run, LESSON)
preset = partial(helpers.preset, LESSON)


@pytest.mark.parametrize("wiring", WIRINGS)
def test_without_edits_the_run_is_the_original(wiring):
    result = run("steer", wiring=wiring)
    plain = WIRINGS[wiring].model.run(WIRINGS[wiring].read(REORDERING))
    np.testing.assert_array_equal(result.your_weights, plain.weights)
    np.testing.assert_array_equal(result.s, plain.s)
    np.testing.assert_array_equal(result.probabilities[0], result.probabilities[1])
    assert result.plain == result.yours
    assert result.moved == 0
    assert (result.lost, result.new, result.edited) == ((), (), ())


@pytest.mark.parametrize("wiring", WIRINGS)
def test_the_models_own_weights_given_back_change_nothing(wiring):
    plain = run("steer", wiring=wiring)
    own = run(
        "steer",
        wiring=wiring,
        weights=tuple((t + 1, tuple(map(float, row))) for t, row in enumerate(plain.your_weights)),
    )
    assert own.yours == plain.yours
    np.testing.assert_allclose(own.context, plain.context, atol=1e-5)


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 8), st.lists(st.floats(0, 1), min_size=7, max_size=7))
def test_the_weights_that_are_set_are_used(t, row):
    result = run("steer", source=FUTURE_TENSE, t=t, weights=((t, tuple(row)),))
    np.testing.assert_allclose(result.your_weights.sum(1), 1, atol=1e-5)
    assert result.yours[: t - 1] == result.plain[: t - 1]  # earlier steps must not change
    assert result.t == t
    if sum(row) == 0:
        assert result.unfit == (t,)
        return
    used = np.array(row) / sum(row)
    np.testing.assert_allclose(result.row, used, atol=1e-6)
    np.testing.assert_allclose(result.context, used @ result.H, atol=1e-5)
    assert result.limits()["weights"]["row"] == pytest.approx(used, abs=1e-4)


def test_several_steps_can_be_edited():
    rows = ((2, one_hot_row(2, 7)), (5, one_hot_row(4, 7)))
    result = run("steer", source=FUTURE_TENSE, weights=rows, t=2)
    assert result.edited == (2, 5)
    np.testing.assert_allclose(result.your_weights[[1, 4]], [row for _, row in rows], atol=1e-6)


def test_presets_of_steer():
    again = preset("steer", "Say it again")
    assert again.yours[:3] == again.plain[:3]
    assert again.new
    assert preset("steer", "Skip the future").yours[1] == "achètent"
    stopped = preset("steer", "All on the full stop")
    assert len(stopped.yours) < len(stopped.plain)
    even = preset("steer", "Even weights at every step")
    assert even.lost
    assert len(even.edited) == min(len(even.yours), T + 5)
    np.testing.assert_allclose(even.your_weights[: len(even.edited)], 1 / T, atol=1e-5)


def test_weights_of_steps_that_are_not_reached_are_reported():
    result = run("steer", t=12, weights=((6, one_hot_row(T - 1, T)), (12, one_hot_row(0, T))))
    assert result.waiting == (12,)
    assert result.t == len(result.yours) < 12
    assert_says(steer.views.reading(result), "step 12", len(result.yours))


def test_rows_of_another_length_are_ignored_and_reported():
    experiment = EXPERIMENTS["steer"]
    state, _, complaints = link.decode(
        experiment, {"weights": "2:0.5,0.5;3:" + ",".join(["0"] * 7), "source": MANY_TO_ONE}
    )
    assert not complaints
    result = experiment.run(state)
    assert result.unfit == (2, 3)
    assert result.yours == result.plain
    assert_says(steer.views.reading(result), "steps 2–3", "another length")


def test_every_offered_row_can_be_used():
    for source in (REORDERING, MANY_TO_ONE, "she"):
        for t in (1, 3, 60):
            result = run("steer", source=source, t=t)
            for name, row in result.limits()["weights"]["offers"].items():
                assert sum(row) == pytest.approx(1, abs=0.01), name
                assert run("steer", source=source, t=t, weights=((result.t, tuple(row)),)).edited == (
                    result.t,
                )
    offers = run("steer", t=6).offers
    assert set(offers) == {"even", "gold", "focus elsewhere", "mix", "sharpen", "mask strongest"}
    assert offers["gold"] == one_hot_row(5, T)  # “économique” is linked to “economic”
    assert offers["focus elsewhere"] == one_hot_row(4, T)
    assert offers["mask strongest"][5] == 0
    assert "gold" not in run("steer", source="the the she", t=1).offers


def test_the_row_of_the_step_can_be_dragged_and_shows_changes():
    row = steer.views.row(run("steer", t=6))
    assert isinstance(row, Bars)
    assert row.handle == "weights"
    assert row.svg().count('data-handle="weights"') == T
    changed = steer.views.row(run("steer", t=6, weights=((6, one_hot_row(4, T)),)))
    assert changed.changed == {4, 5}
    outlined = steer.views.alignment(
        run("steer", t=1, weights=((6, one_hot_row(4, T)), (8, (1 / T,) * T)))
    ).changed
    assert outlined == tuple((n, i) for n in (5, 7) for i in range(T))
    untouched_map = steer.views.alignment(run("steer"))
    assert not untouched_map.changed
    assert untouched_map.current_row is None  # no row of the map is outlined
    assert_says(
        steer.views.reading(run("steer", t=8, weights=((8, (1 / T,) * T),))),
        ("alike", "equally", "even", "the same"),
    )


exercise = partial(helpers.exercise, LESSON)


@pytest.mark.parametrize(
    ("source", "t", "place"),
    [(FUTURE_TENSE, 5, 5), (REORDERING, 6, 4), (REORDERING, 7, 7), ("the old bank is big .", 2, 2)],
    ids=lambda value: str(value)[:12],
)
def test_an_adjective_can_be_lost_by_attention_only(source, t, place):
    state = EXPERIMENTS["steer"].state(
        {"source": source, "t": t, "weights": ((t, one_hot_row(place, len(source.split()))),)}
    )
    verdict = exercise("adjective").check(None, state)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"weights": ((6, one_hot_row(5, T)),)},  # wrong: the largest weight stays where it was
        {"weights": ((6, one_hot_row(T - 1, T)),)},  # more than the adjective is lost
        {"weights": ((7, one_hot_row(5, T)),)},  # wrong: the output repeats a word
        {"source": MANY_TO_ONE, "weights": ((5, one_hot_row(3, 7)),)},  # the sentence has no adjective
    ],
)
def test_other_changes_do_not_count_as_losing_an_adjective(state):
    assert not exercise("adjective").check(None, EXPERIMENTS["steer"].state(state)).ok


def test_even_steps_can_keep_the_sentence():
    stays = run("caveat", mix=1.0).stays_even
    kept, lost = (np.flatnonzero(each) + 1 for each in (stays, ~stays))

    def verdict(*steps: int) -> bool:
        rows = tuple((int(t), (1 / T,) * T) for t in steps)
        return bool(exercise("unmoved").check(None, EXPERIMENTS["steer"].state({"weights": rows})).ok)

    assert any(verdict(*steps) for steps in combinations(kept, 3))
    assert not verdict(*kept[:2])
    assert not verdict(*kept[:2], lost[0])
