"""`says` finds rounded numbers and terms in any markup, and nothing that is not in the text."""

import pytest

from tests.says import assert_says, says

TEXT = (
    "P falls from **0.98** to 9%; the “forget gate” of 1,200 units in 1 layer is −1.5, about 2.9 · 10⁶ times."
)


@pytest.mark.parametrize(
    "fact", [0.981, 0.09, 1200, -1.5, 2.91e6, "Forget gate", "falls", ("rises", "falls"), (0.5, "units")]
)
def test_a_fact_is_found(fact):
    assert says(TEXT, fact)


@pytest.mark.parametrize(
    "fact", [0.97, 9, 0.75, 120, 1.5, 2.8e6, "gat", "rises", ("rises", "grows"), (0.5, "unit")]
)
def test_what_is_not_there_is_not_found(fact):
    assert not says(TEXT, fact)


def test_all_that_is_missing_is_named():
    with pytest.raises(AssertionError, match=r"\[0.5, 'rises'\]"):
        assert_says(TEXT, 0.98, 0.5, "rises")
