"""Cost: operations, memory and measured times."""

from functools import partial

import numpy as np
import pytest

from lessons.kit.pictures.base import text_width
from lessons.qkv import (
    LESSON,
    cost,
)
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


def test_counts_agree_with_a_small_example():
    """T = 3 and d = 2 give two 2×2 products per step; and four projections, scores and weighted sums."""
    counts = cost.compute.count_costs(np.array([3]), 2, True)
    assert counts["products"][:, 0].tolist() == [3 * 2 * 4, 4 * 3 * 4 + 2 * 3 * 3 * 2]
    assert counts["steps"][:, 0].tolist() == [3, 1]
    assert counts["path"][:, 0].tolist() == [2, 1]
    assert counts["scores"][:, 0].tolist() == [0, 9]
    writing = preset("cost", "Writing")
    assert writing.here["steps"] == [128, 128]  # in generation, words are written one after the other
    drawn = [
        [line.name for line in cost.views.chain(run).lines] for run in (writing, EXPERIMENTS["cost"].run())
    ]
    assert drawn == [["both alike"], list(cost.compute.LAYERS)]  # identical lines are drawn as one


def test_writing_attends_only_back_and_needs_a_cache():
    """With T = 3 and d = 2: 1 + 2 + 3 scores; without a cache, keys and values of 1 + 2 + 3 words."""
    counts = cost.compute.count_costs(np.array([3]), 2, False)
    assert counts["scores"][:, 0].tolist() == [0, 1 + 2 + 3]
    assert counts["products"][:, 0].tolist() == [3 * 2 * 4, 4 * 3 * 4 + 2 * 6 * 2]
    assert counts["numbers_kept"][:, 0].tolist() == [2, 2 * 3 * 2]
    assert cost.compute.products_without_cache(3, 2) == (2 * 3 + 2 * 6) * 4 + 2 * 6 * 2
    writing, reading = preset("cost", "Writing"), EXPERIMENTS["cost"].run()
    T = writing.T
    text = cost.views.reading(writing)
    assert_says(
        text,
        T * (T + 1) // 2,
        "cache",
        cost.compute.products_without_cache(T, writing.d) / 1e6,
        writing.here["products"][1] / 1e6,
    )
    assert_says(cost.views.reading(reading), T**2, reading.here["products"][1] / 1e6)
    assert not says(cost.views.reading(reading), "cache")
    assert (
        writing.here["products"][1]
        < reading.here["products"][1]
        < cost.compute.products_without_cache(T, writing.d)
    )
    assert_says(cost.views.memory(writing).title, "next word")


def test_small_counts_are_not_rounded_to_nothing():
    run = EXPERIMENTS["cost"].run({"T": 16, "d": 16})
    assert_says(cost.views.reading(run), *run.here["products"])
    assert not says(cost.views.reading(run), "million")


def test_thousands_of_millions_have_a_comma():
    run = EXPERIMENTS["cost"].run({"T": 480, "d": 96, "forcing": False})
    assert_says(cost.views.reading(run), f"{cost.compute.products_without_cache(480, 96) / 1e6:,.1f} million")
    assert cost.compute.products_without_cache(480, 96) > 1e9


@pytest.mark.parametrize("forcing", [True, False])
@pytest.mark.parametrize("d", [16, 128])
def test_memory_stays_on_its_axis(d, forcing):
    picture = cost.views.memory(cost.compute.compute(128, d, forcing))
    low, high = picture.y_range
    assert all(low <= line.y.min() and line.y.max() <= high for line in picture.lines)


def test_slopes_are_exponents():
    assert cost.compute.fit_slope(
        cost.compute.LENGTHS, 3.0 * np.array(cost.compute.LENGTHS) ** 2
    ) == pytest.approx(2)
    assert np.isnan(cost.compute.fit_slope((1, 2, 4), np.array([1.0, 2.0, np.nan])))


def test_measurement_is_bounded_and_not_in_the_json(monkeypatch):
    monkeypatch.setattr(cost.compute, "fastest_ms", lambda work: (work(), 2.0)[1])
    state = EXPERIMENTS["cost"].state({"d": 16})
    parts = list(EXPERIMENTS["cost"].job.run(**state))
    share, run = parts[-1]
    assert share == 1
    assert len(parts) == len(cost.compute.LENGTHS)
    assert max(cost.compute.LENGTHS) <= 512
    assert run.numbers() == EXPERIMENTS["cost"].run(state).numbers()
    assert np.isfinite(run.measured.milliseconds).all()
    saved = run.measured.saved_bytes
    assert saved[1, -1] > 4 * 512 * 512  # attention stores at least its T² weights
    assert saved[0, -1] / saved[0, -2] == pytest.approx(
        2, rel=0.1
    )  # a recurrence stores twice as much for twice the words
    assert all(view(run) for view in EXPERIMENTS["cost"].views)
    np.testing.assert_array_equal(
        [line.y for line in cost.views.chain(run).lines], run.products
    )  # drawn next to the measured time
    names = cost.views.work(run).plot_layout[2]
    room = cost.views.WORK_WIDTH_PX
    assert all(
        name.x + 14 + text_width(name.words) < room for name in names if name.start
    )  # no name is shortened
    monkeypatch.setattr(cost.compute, "MAX_SECONDS", 0.0)
    assert len(list(EXPERIMENTS["cost"].job.run(**state))) == 1
