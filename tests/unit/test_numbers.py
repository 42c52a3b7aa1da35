"""Number formatting in pictures and readings."""

import math
from decimal import Decimal

import numpy as np
import pytest

from lessons.kit.pictures.base import text_width
from lessons.kit.pictures.numbers import (
    bold_count,
    compact,
    percent,
    plural,
    scientific,
    short,
    signed,
    small,
    subscript,
    ten_to,
)


def plain(words):
    """Replace no-break spaces with ordinary spaces."""
    return words.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.5, "0.50"),
        (-0.5, "−0.50"),
        (-1234.5, "−1,234.50"),
        (-0.001, "0.00"),
        (-0.0, "0.00"),
        (math.nan, "–"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
    ],
)
def test_a_true_minus_no_minus_zero_and_what_is_no_number(value, written):
    assert signed(value) == signed(np.float32(value)) == written


def test_digits_can_be_chosen():
    assert (signed(-1.25, 1), signed(1 / 3, 4), signed(-0.4, 0)) == ("−1.2", "0.3333", "0")
    assert (signed(-12_288, 0), signed(5_587_716.35)) == ("−12,288", "5,587,716.35")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2e-6, "2 · 10⁻⁶"),
        (-6e-8, "−6 · 10⁻⁸"),
        (9.6e-7, "1 · 10⁻⁶"),
        (1.2e12, "1 · 10¹²"),
        (0, "0"),
        (math.inf, "∞"),
    ],
)
def test_one_digit_and_a_power_of_ten(value, written):
    assert plain(scientific(value)) == written


def test_a_power_of_ten_is_not_broken_at_the_end_of_a_line():
    assert " " not in scientific(2e-6)
    assert text_width(scientific(2e-6)) == text_width("2 · 10⁻⁶"), "and takes no more room"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0"),
        (0.25, "0.25"),
        (-0.25, "−0.25"),
        (99.5, "99.50"),
        (123.4, "123"),
        (0.01, "0.01"),
        (0.004, "4 · 10⁻³"),
    ],
)
def test_small_differences_keep_their_size(value, written):
    assert plain(small(value)) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0, "0.00"),
        (0.126, "0.13"),
        (12.3, "12"),
        (999, "999"),
        (1234, "1.2 · 10³"),
        (0.005, "0.01"),
        (0.004, "4.0 · 10⁻³"),
    ],
)
def test_probabilities_of_any_size(value, written):
    assert plain(compact(value)) == written


def test_probabilities_too_small_for_a_float_are_still_written():
    assert math.exp(-1000) == 0
    assert plain(compact(Decimal(-1000).exp())) == "5.1 · 10⁻⁴³⁵"
    assert compact(Decimal("-0.5").exp()) == compact(math.exp(-0.5)) == "0.61"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1.25e-5, "1.25 · 10⁻⁵"),
        (1e-5, "10⁻⁵"),
        (-2e8, "−2 · 10⁸"),
        (1234.0, "1,234"),
        (1234.5, "1,234"),
        (-0.0, "0"),
        (-0.5, "−0.5"),
        (math.nan, "–"),
        (math.inf, "∞"),
    ],
)
def test_short_numbers_for_axes_and_tips(value, written):
    assert plain(short(value)) == written


def test_two_digits_of_a_hundred_are_no_power_of_ten():
    assert [short(value, 2) for value in (163.7, 99.6, 12.34, -450.2)] == ["164", "100", "12", "−450"]


def test_shares_counts_and_indices():
    assert (percent(0.256), percent(0.256, 1)) == ("26%", "25.6%")
    assert (bold_count(0, "word"), bold_count(1, "word"), bold_count(2, "word")) == (
        "**0** words",
        "**1** word",
        "**2** words",
    )
    assert (plural(1, "row"), plural(12_288, "row")) == ("1 row", "12,288 rows")
    assert (ten_to(-12), "s" + subscript(10), "h" + subscript(-1)) == ("10⁻¹²", "s₁₀", "h₋₁")
