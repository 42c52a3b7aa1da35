"""Block by block: every value is the one of the trace, and the diagram shows the computation."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from lessons.kit.example_sentences import (
    IDIOM,
    MANY_TO_ONE,
    REORDERING,
)
from lessons.transformer import LESSON
from lessons.transformer.block import views as block_views
from lessons.transformer.block.compute import BLOCKS, block, count_parameters
from lessons.transformer.translator import (
    HEADS,
    LAYERS,
    MODEL_NAME,
    load_transformer,
    read_text,
)
from models.zoo import Card

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("name", BLOCKS)
def test_every_value_of_a_block_is_that_of_the_trace(name, layer):
    run, trace = block(MANY_TO_ONE, name, layer), load_transformer().run(read_text(MANY_TO_ONE)[0])
    assert run.quantities
    for quantity in run.quantities:
        value = trace.values[quantity.tap]
        # outputs of the heads, concatenated
        expected = torch.cat(list(value), -1) if value.dim() == 3 else value
        np.testing.assert_array_equal(quantity.values, expected.numpy())
        assert (
            len(quantity.rows)
            == len(quantity.values)
            == len(run.source if quantity.side == "source" else run.reads)
        )


@pytest.mark.parametrize("layer", LAYERS)
def test_blocks_follow_from_each_other(layer):
    """Each block's output must equal the result of the model's own modules on its inputs."""
    found = {name: [q.values for q in block(REORDERING, name, layer).quantities] for name in BLOCKS}
    for side, times in (("encoder", ("1st", "2nd")), ("decoder", ("1st", "2nd", "3rd"))):
        word, position, x, _ = found[f"{side}: embedding + position"]
        np.testing.assert_allclose(x, word + position, atol=1e-5)
        before, hidden, out = (torch.tensor(value) for value in found[f"{side}: feed-forward network"])
        fc = getattr(load_transformer(), side).layers[int(layer) - 1].fc
        torch.testing.assert_close(fc(before), out, atol=1e-5, rtol=1e-4)
        assert (hidden >= 0).all()
        for time in times:
            carried, change, total, normed = found[f"{side}: add & norm, {time}"]
            np.testing.assert_allclose(total, carried + change, atol=1e-5)
            assert normed.shape == total.shape
    np.testing.assert_array_equal(found["encoder: self-attention"][-1], found["encoder: add & norm, 1st"][1])
    np.testing.assert_array_equal(found["decoder: cross-attention"][0], found["decoder: add & norm, 1st"][-1])


def test_all_parameters_belong_to_a_block():
    """Parameters must add up: each block once per layer, and the first norm of each stack."""
    once = ("position", "softmax")
    total = sum(
        count_parameters(load_transformer(), name, layer)
        for name in BLOCKS
        for layer in ((1,) if name.endswith(once) else range(1, len(LAYERS) + 1))
    )
    first_norms = sum(
        w.numel()
        for stack in (load_transformer().encoder, load_transformer().decoder)
        for w in stack.layers[0].norms[0].parameters()
    )
    assert total + first_norms == Card.read(MODEL_NAME).parameters
    assert (len(LAYERS), len(HEADS)) == (load_transformer().config.layers, load_transformer().config.heads)


def test_the_diagram_outlines_one_block():
    for name in BLOCKS:
        run = block(IDIOM, name, "1")
        picture = block_views.diagram(run)
        assert picture.frame()["chosen"].sum() == 1
        picks = [
            group for group in ElementTree.fromstring(picture.svg()).iter("g") if group.get("class") == "pick"
        ]
        heavy = [
            pick.get("data-value") for pick in picks if pick.find("rect[@stroke-width='2.5']") is not None
        ]
        assert heavy == [name]


def test_the_diagram_is_drawn_as_it_computes():
    assert load_transformer().config.norm == "pre"
    picture = block_views.diagram(EXPERIMENTS["block"].run())
    for side, parts in picture.boxes.items():
        labels = [part.label for part in parts]
        sums = [n for n, label in enumerate(labels) if label == "+"]
        norms = len(
            load_transformer().encoder.layers[0].norms
            if side == "encoder"
            else load_transformer().decoder.layers[0].norms
        )
        assert len(sums) == norms
        assert all(labels[n - 2] == "norm" for n in sums), "the norm is inside the branch, before the block"
    _, around = picture.wires()
    assert len(around) == 5  # one residual connection per block on both sides


def test_step_numbers_are_separated_from_the_words():
    """A step number must not be followed by a full stop: “6. .” cannot be read."""
    run = block(MANY_TO_ONE, "decoder: linear + softmax", "1")
    rows = block_views.tensors(run).sheets[-1].rows
    assert [row.split()[-1] for row in rows] == list(run.writes)
    assert not any(re.search(r"\d\. ", row) for row in rows)
