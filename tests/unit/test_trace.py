"""Edits belong to one call, must name something, and must keep the shape."""

import pytest
import torch

from models.trace import UNTAPPED, EditError, Tap


def test_sees_and_replaces():
    tap = Tap({"a": lambda value, step: value + step})
    for tap.step in range(3):
        tap("a", torch.zeros(2))
    assert tap.stacked("a").tolist() == [[0, 0], [1, 1], [2, 2]]


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
