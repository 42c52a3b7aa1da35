"""Parameters: how many there are, and what the count depends on."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.qkv import (
    LESSON,
    parameters,
)
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}


@given(st.integers(1, 64), st.integers(1, 64), st.integers(1, 8))
@settings(deadline=None, max_examples=25)
def test_parameters_do_not_depend_on_T(d, T, many):
    run = parameters.compute.compute(d, T, many, 0)
    assert run.learned.tolist() == [d * d] * 4
    assert run.biases == 4 * d
    assert d % run.heads == 0
    assert run.heads <= many
    assert run.computed.tolist() == [T * d] * 3 + [run.heads * T * T] * 2 + [T * d]


def test_head_count_that_does_not_divide_d_is_reduced():
    run = parameters.compute.compute(10, 4, 3, 0)
    assert_says(parameters.views.computed(run).title, "4 words", "2 heads", "not 3")
    assert_says(parameters.views.reading(run).partition("GRU")[2], "3 heads", "10 numbers", "2")
    assert_says(parameters.views.computed(EXPERIMENTS["parameters"].run()).title, "4 words", "1 head")
    assert not says(parameters.views.computed(EXPERIMENTS["parameters"].run()).title, "not")


def bar_lengths(picture) -> list[float]:
    return [float(width) for width in re.findall(r'<rect [^>]*width="([\d.]+)"[^>]*fill="var', picture.svg())]


def test_bar_with_the_same_count_keeps_its_length():
    """The bar of learned parameters must keep its length for any sentence length and number of heads."""
    start = parameters.compute.compute(10, 4, 1, 0)
    for other in (parameters.compute.compute(10, 64, 1, 0), parameters.compute.compute(10, 64, 5, 0)):
        assert bar_lengths(parameters.views.learned(other)) == bar_lengths(parameters.views.learned(start))
        assert bar_lengths(parameters.views.computed(other)) != bar_lengths(parameters.views.computed(start))
    more_heads = bar_lengths(parameters.views.computed(parameters.compute.compute(10, 4, 5, 0)))
    unchanged = [n for n, name in enumerate(start.products) if name not in "EA"]
    assert [more_heads[n] for n in unchanged] == [
        bar_lengths(parameters.views.computed(start))[n] for n in unchanged
    ]


def test_counts_fit_on_their_axis():
    by_name = {control.name: control for control in EXPERIMENTS["parameters"].controls}
    for d, T, many in ((1, 1, 1), (64, 64, 8)):
        run = parameters.compute.compute(d, T, many, 0)
        assert min(run.learned.min(), run.computed.min()) > parameters.count_bars.AXIS_MIN
        assert max(run.learned.max(), run.computed.max()) <= parameters.views.AXIS_MAX
    assert (by_name["T"].high, by_name["heads"].high) == (64, 8)
    assert parameters.views.learned(run).figure().axes[0].get_xscale() == "log"
