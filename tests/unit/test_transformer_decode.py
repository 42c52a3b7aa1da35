"""Decoding step by step: it equals decoding at once, and the picture shows only computed states."""

from xml.etree import ElementTree

import numpy as np
import pytest

from lessons.kit.example_sentences import (
    IDIOM,
    MANY_TO_ONE,
    QUESTION,
    REORDERING,
)
from lessons.kit.pictures.base import SMALL_FONT_PX, text_width
from lessons.kit.pictures.unrolled import pool_units
from lessons.transformer import LESSON
from lessons.transformer.decode import views as decode_views
from lessons.transformer.decode.compute import MAX_STEPS, decode, decode_steps
from lessons.transformer.decode.walk import CELLS
from tests.helpers import LONGEST_SENTENCE
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}


def test_steps_go_through_five_stages_to_the_end():
    walk = decode_steps(2, 6)
    assert [step.stage for step in walk] == [1, 2, 2, 3, 3, 3, 4, 5, 5, 5, 5, 5]
    assert walk[-1].written == 6
    run = decode(MANY_TO_ONE, MAX_STEPS)
    assert (run.t, run.limits()["t"]) == (len(walk), len(walk))
    assert run.writes[run.position] == "<eos>"
    assert EXPERIMENTS["decode"].controls[1].high == MAX_STEPS


@pytest.mark.parametrize("text", [MANY_TO_ONE, REORDERING, QUESTION])
def test_step_by_step_and_all_at_once_are_the_same(text):
    run = decode(text, 1)
    assert 0 < run.difference < 1e-3
    np.testing.assert_allclose(run.one_by_one, run.at_once, atol=1e-4)


def test_a_repeated_source_word_is_named_with_its_number():
    run = decode(IDIOM, 6)
    looked = int(run.cross[run.step.decoder - 2, run.position].argmax())
    assert run.source.count(run.source[looked]) == 2
    assert_says(
        decode_views.reading(run),
        f"{run.source[looked]} (word {looked + 1})",
        run.cross[-1, run.position].max(),
    )


@pytest.mark.parametrize("text", ["Go.", "she gave up .", MANY_TO_ONE])
def test_the_legend_of_the_walk_fits(text):
    walk = decode_views.walk(decode(text, 1))
    [legend] = [
        each
        for each in ElementTree.fromstring(walk.svg()).iter("text")
        if "".join(each.itertext()) == walk.legend
    ]
    assert float(legend.get("x")) + text_width(walk.legend, SMALL_FONT_PX) < walk.width


def test_the_walk_shows_only_computed_states():
    """Number of state columns on each floor, from the top of the decoder down to the source."""
    walks = {t: decode_views.walk(decode(MANY_TO_ONE, t)) for t in (1, 2, 3, 4, 6, 9)}
    there = {t: [len(floor.values) for floor in walk.floors()] for t, walk in walks.items()}
    assert there == {
        1: [0, 0, 0, 0, 0, 7],
        2: [0, 0, 0, 0, 7, 7],
        3: [0, 0, 0, 7, 7, 7],
        4: [0, 0, 1, 7, 7, 7],
        6: [1, 1, 1, 7, 7, 7],
        9: [3, 3, 3, 7, 7, 7],
    }
    states = np.arange(2.0 * 64).reshape(2, 64)
    np.testing.assert_array_equal(pool_units(states, CELLS), states.reshape(2, CELLS, -1).mean(-1))


@pytest.mark.parametrize("text", [MANY_TO_ONE, REORDERING, LONGEST_SENTENCE])
def test_words_of_the_walk_do_not_overlap(text):
    walk = decode_views.walk(decode(text, MAX_STEPS))
    for y, words, *_ in walk.lines_of_words():
        lines = {}
        for x, base, short in walk.word_positions(y, words):
            assert x - text_width(short) / 2 >= lines.get(base, 0) - 1
            lines[base] = x + text_width(short) / 2
