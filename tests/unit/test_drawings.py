"""Task `drawings` and experiment `picture`: drawings as patches, their sentences, and moved weights."""

import random

import numpy as np
import pytest

from lessons.attention.picture import views
from lessons.attention.picture.compute import LOOKS, OPENING, compute, draw_shapes
from lessons.kit.contract import InputError
from models.tasks.drawings import (
    DRAWINGS,
    PATCHES,
    RELATIONS,
    SIZE,
    connected,
    decode,
    describe,
    draw,
    encode,
    move,
    patch_of,
    stencil,
)
from tests.says import assert_says

EMPTY = ((0.0,) * SIZE,) * SIZE


def test_patches_by_hand():
    assert encode(frozenset({(0, 0)}))[0] == "▘"
    assert encode(frozenset({(1, 1)}))[0] == "▗"
    assert encode(frozenset({(0, 2), (0, 3), (1, 2), (1, 3)}))[:3] == ("·", "█", "·")
    assert encode(frozenset({(SIZE - 1, SIZE - 1)}))[-1] == "▗"
    assert len(set(PATCHES)) == 16


@pytest.mark.parametrize("seed", range(20))
def test_a_drawing_survives_encoding(seed):
    rng = random.Random(seed)
    cells = frozenset((rng.randrange(SIZE), rng.randrange(SIZE)) for _ in range(40))
    assert decode(encode(cells)) == cells


def test_the_answer_is_the_sentence_of_a_drawing_without_noise(monkeypatch):
    monkeypatch.setattr("models.tasks.drawings.NOISE_SHARE", 0.0)
    rng = random.Random(7)
    for pair in (draw(rng, DRAWINGS.lengths) for _ in range(300)):
        parts = [*connected(decode(pair.source))]
        named = 1 + any(word in pair.target for relation in RELATIONS for word in relation)
        if len(parts) == named:  # not if the two shapes touch at a corner and so count as one
            assert DRAWINGS.answer(pair.source) == pair.target


def test_every_word_is_linked_to_the_patches_of_its_shape():
    cross, square = move(stencil("cross", "small"), 5, 1), move(stencil("square", "large"), 4, 6)
    words, about = describe({square: ("a", "large", "square"), cross: ("a", "small", "cross")})
    assert words == tuple("a small cross left of a large square".split())
    assert about[2] == cross
    assert about[-1] == square
    assert about[3] == cross | square
    assert {patch_of(cell) for cell in cross} == {13, 18, 19}


def test_shapes_on_a_diagonal_have_no_sentence():
    one, other = stencil("cross", "small"), move(stencil("cross", "small"), 6, 6)
    assert describe({one: ("a", "small", "cross"), other: ("a", "small", "cross")}) is None
    assert DRAWINGS.answer(encode(one | other)) is None


@pytest.mark.parametrize("text", ["", "abc", "·" * 35, "█" * 37, "<script>"])
def test_text_that_is_no_drawing_is_refused(text):
    with pytest.raises(InputError, match="36 patches"):
        DRAWINGS.read(text)


def test_each_noun_looks_at_its_shape():
    run = compute(OPENING, 1, LOOKS[0])
    assert run.plain == run.truth == tuple("a small cross left of a large square".split())
    cross, square = (run.weights[word][run.patches[shape]].sum() for word, shape in ((2, 0), (7, 1)))
    assert min(cross, square) > 0.5
    # one more row, for <eos>
    assert run.weights.sum(1) == pytest.approx(np.ones(len(run.plain) + 1), abs=1e-5)


def test_moving_the_weights_to_the_other_shape_changes_the_noun():
    run = compute(OPENING, 3, LOOKS[2])
    assert run.plain[2] == "cross"
    assert run.yours[2] != "cross"
    assert run.shares == pytest.approx([0, 1], abs=0.5)
    assert_says(views.reading(run), "cross", run.yours[2], run.probabilities[1].max())


def test_an_empty_grid_and_a_full_one_are_described_all_the_same():
    for drawing in (EMPTY, tuple((1.0,) * SIZE for _ in range(SIZE)), draw_shapes(diagonal=6)):
        run = compute(drawing, 12, LOOKS[2])
        assert run.truth is None
        assert views.reading(run)
        assert run.idle()["look"]


def test_the_weights_in_the_picture_are_the_model_s():
    run = compute(OPENING, 8, LOOKS[0])
    assert views.grid(run).frame()["weight"].to_numpy() == pytest.approx(run.weights[7])
    assert views.maps(run).frame()["3: cross"].to_numpy() == pytest.approx(run.weights[2])
