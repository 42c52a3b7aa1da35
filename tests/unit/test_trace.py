"""Edits affect one call, must name an existing quantity, and must keep its shape."""

import pytest
import torch

from models.trace import UNTAPPED, EditError, Tap


def test_sees_and_replaces():
    tap = Tap({"a": lambda value, step: value + step})
    for _ in tap.steps(range(3)):
        tap("a", torch.zeros(2))
    assert tap.value("a").tolist() == [[0, 0], [1, 1], [2, 2]]


def test_a_quantity_is_of_one_step_or_of_the_whole_sentence():
    """Inside `steps`, values must be stacked over the steps, from left to right even in a reversed loop."""
    tap = Tap()
    tap("first", torch.ones(2))
    inside = tap.inside("encoder")
    for step in inside.steps(reversed(range(3))):
        inside("h", torch.tensor([step]))
        assert tap.last("encoder.h").item() == step
        if step == 1:
            break  # a loop may end early
    tap("H", torch.zeros(4))
    values = tap.finish()
    assert list(values) == ["first", "encoder.h", "H"]
    assert values["encoder.h"].tolist() == [[1], [2]]
    assert values["first"].shape == (2,)
    assert values["H"].shape == (4,)
    assert tap.step == 0


def test_what_is_computed_again_is_kept_once():
    tap = Tap()
    for growing in range(1, 4):
        tap("weights", torch.ones(growing))
    assert tap.value("weights").shape == tap.last("weights").shape == (3,)


def test_a_quantity_cannot_be_both():
    tap = Tap()
    tap("h", torch.ones(1))
    walk = tap.steps(range(1))
    next(walk)
    with pytest.raises(ValueError, match="'h'"):
        tap("h", torch.ones(1))


def test_parts_have_their_own_names():
    tap = Tap({"encoder.layer1.h": lambda value, step: -value})
    assert tap.inside("encoder").inside("layer1")("h", torch.ones(1)).item() == -1
    assert tap.inside("decoder").inside("layer1")("h", torch.ones(1)).item() == 1


def test_an_edit_that_names_nothing_raises():
    tap = Tap({"wieghts": lambda value, step: value})
    tap("weights", torch.ones(2))
    with pytest.raises(EditError, match=r"wieghts.*weights"):
        tap.finish()


def test_an_edit_that_changes_the_shape_raises():
    with pytest.raises(EditError, match="shape"):
        Tap({"a": lambda value, step: value[:1]})("a", torch.ones(2))


def test_untapped_passes_everything_through():
    value = torch.ones(2)
    assert UNTAPPED.inside("x")("a", value) is value
