"""Heads: maps are those of the trace, and what a head does is counted."""

from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from lessons.kit.example_sentences import (
    IDIOM,
    REORDERING,
)
from lessons.transformer import LESSON
from lessons.transformer.heads import views as heads_views
from lessons.transformer.heads.compute import (
    ALIGNER_HABIT,
    HABIT_SENTENCES,
    HABITS,
    MIN_HABIT_SHARE,
    count_habits,
    heads,
)
from lessons.transformer.heads.exercises import aligner_count, aligner_shares
from lessons.transformer.translator import (
    HEADS,
    LAYERS,
    TRANSLATOR,
    load_transformer,
    read_text,
)
from models.data import held_out
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


@pytest.mark.parametrize("kind", ["encoder self", "decoder self"])
def test_a_repeated_word_is_named_with_its_number(kind):
    found = set()
    for layer in LAYERS:
        for head in HEADS:
            run = heads(REORDERING, kind, layer, head)
            rows, looked = (run.source, run.source) if kind == "encoder self" else (run.writes, run.reads)
            first = int(kind == "decoder self")
            row, column = np.unravel_index(run.chosen[first:].argmax(), run.chosen[first:].shape)
            assert_says(heads_views.reading(run), rows[first + row], looked[column], run.chosen[first:].max())
            for words, place in ((rows, first + int(row)), (looked, int(column))):
                twice = words.count(words[place]) > 1
                found.add(twice)
                assert says(heads_views.reading(run), f"{words[place]} (word {place + 1})") == twice
    assert False in found


def test_maps_are_those_of_the_trace_and_the_future_is_masked():
    run, trace = (
        heads(REORDERING, "decoder self", "1", "1"),
        load_transformer().run(read_text(REORDERING)[0]),
    )
    for kind, weights in (
        ("encoder self", trace.encoder_self),
        ("decoder self", trace.decoder_self),
        ("cross", trace.cross),
    ):
        np.testing.assert_array_equal(run.maps(kind), weights.numpy())
        np.testing.assert_allclose(run.maps(kind).sum(-1), 1, atol=1e-5)
    assert not np.triu(run.decoder_self[0, 0], 1).any()
    enlarged = heads_views.one(run)
    assert np.isnan(enlarged.grid[np.triu_indices(len(run.writes), 1)]).all()


def test_habits_agree_with_a_loop_and_need_half_of_the_steps():
    """A habit must agree with a loop over words, and is only named if it holds in half of the steps."""
    pairs = held_out(TRANSLATOR.task.name, HABIT_SENTENCES, range(5, 15))
    hits = []
    for pair in pairs:
        with torch.inference_mode():
            trace = load_transformer().run(
                TRANSLATOR.task.source.ids(pair.source), target=[*TRANSLATOR.task.target.ids(pair.target), 2]
            )
        hits += [(t, int(row.argmax())) in pair.alignment for t, row in enumerate(trace.cross[1, 1])]
    habit = count_habits()["cross"][1][1]
    assert habit.says == "attends to the gold source word of the word that it writes"
    assert habit.share == pytest.approx(
        np.mean(hits), abs=0.002
    )  # a near tie may be decided differently in a batch
    for table in count_habits().values():
        for layer in table:
            assert all((habit.share >= MIN_HABIT_SHARE) == bool(habit.says) for habit in layer)


def test_what_the_presets_of_heads_show():
    run = preset("heads", "Which bank?")
    assert {"bank", "river"} < set(run.source)
    assert preset("heads", "A question").writes[0] == "est-ce"
    assert preset("heads", "Another word order").aer.min() < 0.3


def test_a_small_map_gives_its_layer_and_its_head():
    run = heads(IDIOM, "cross", "2", "3")
    root = ElementTree.fromstring(heads_views.maps(run).svg())
    rows = [group for group in root.iter("g") if group.get("data-pick") == "layer"]
    picks = [
        (row.get("data-value"), pick.get("data-value"))
        for row in rows
        for pick in row
        if pick.get("class") == "pick"
    ]
    assert picks == [(layer, head) for layer in LAYERS for head in HEADS]
    outlined = [
        (row.get("data-value"), p.get("data-value"))
        for row in rows
        for p in row
        if p.find("rect[@stroke]") is not None
    ]
    assert outlined == [("2", "3")]


def test_aligning_heads_are_counted():
    """The number of aligning heads must not depend on a head close to the threshold."""
    shares = aligner_shares()
    assert sum(share > MIN_HABIT_SHARE + 0.1 for share in shares) > 2
    assert aligner_count() == "3 or more"
    assert ALIGNER_HABIT in HABITS["cross"]


def test_sentences_on_offer_have_gold():
    for text in (EXPERIMENTS["heads"].controls[0].default, *EXPERIMENTS["heads"].controls[0].suggestions):
        assert TRANSLATOR.pair(tuple(text.split()))
        run = heads(text, "cross", "1", "1")
        assert (run.aer is not None) == run.right
    assert heads("the dogs see the dogs .", "cross", "1", "1").gold is None
