"""Lesson `transformer`: any English sentence is accepted, and each exercise accepts only right answers."""

from functools import partial

import numpy as np
import pytest

from lessons.kit.contract import InputError
from lessons.kit.example_sentences import (
    IDIOM,
    MANY_TO_ONE,
    QUESTION,
)
from lessons.kit.notices import collect_notices
from lessons.transformer import LESSON
from lessons.transformer.block.exercises import SHAPES
from lessons.transformer.decode.compute import decode
from lessons.transformer.scoreboard.compute import (
    model_label,
    scoreboard,
)
from lessons.transformer.translator import (
    ATTENTION_PATHS,
    HEADS,
    LAYERS,
    MODEL_NAME,
    load_transformer,
    original_trace,
    read_text,
)
from models.zoo import Card
from tests import helpers
from tests.helpers import EVERYDAY_SENTENCES, LONGEST_SENTENCE, payload
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
ALL_HEADS = [(kind, layer, head) for kind in ATTENTION_PATHS for layer in LAYERS for head in HEADS]


@pytest.mark.parametrize("slug", ["block", "heads", "ablate", "pointwise", "decode"])
def test_the_longest_and_the_shortest_sentence(slug):
    """The payload of one event must stay small at the largest input, and a single word must work."""
    for text in (LONGEST_SENTENCE, "Go."):
        assert payload(EXPERIMENTS[slug], text=text) <= 200_000


@pytest.mark.parametrize("slug", ["block", "heads", "ablate", "pointwise", "decode"])
def test_no_word_is_refused(slug):
    for text in EVERYDAY_SENTENCES:
        with collect_notices() as notices:
            EXPERIMENTS[slug].run({"text": text})
        assert set(notices) <= {"text"}


@pytest.mark.parametrize("slug", ["block", "heads", "ablate", "pointwise", "decode"])
@pytest.mark.parametrize(("text", "fact"), [(" ", "type"), ("Привет", "English"), ("the " * 500, 400)])
def test_bad_text_is_refused_with_what_to_do(slug, text, fact):
    with pytest.raises(InputError) as refused:
        EXPERIMENTS[slug].run({"text": text})
    assert_says(str(refused.value), fact)
    assert refused.value.control == "text"


exercise = partial(helpers.exercise, LESSON)


def test_numbers_asked_for_are_computed():
    assert exercise("fc-size").check(64 * 128 + 128 + 128 * 64 + 64, {}).ok
    assert exercise("maps").check(3 * 2 * 4, {}).ok
    assert not exercise("maps").check(8, {}).ok
    assert_says(exercise("fc-size").solution(), 64 * 128 + 128 + 128 * 64 + 64)


def test_challenges_can_be_solved_and_are_not_solved_yet():
    start = EXPERIMENTS["ablate"].state()
    states = [
        start | {"text": text, "part": "one head", "kind": kind, "layer": layer, "head": head}
        for text in EXPERIMENTS["ablate"].controls[0].suggestions
        for kind, layer, head in ALL_HEADS
    ]
    needed = next(state for state in states if exercise("break").check(None, state).ok)
    spare = next(state for state in states if exercise("spare").check(None, state).ok)
    for slug, wrong in (("break", spare), ("spare", needed)):
        assert not exercise(slug).check(None, wrong).ok
        assert not exercise(slug).check(None, start).ok
    start = EXPERIMENTS["heads"].state()
    errors = np.array(Card.read(MODEL_NAME).metrics["aer_by_head"])
    layer, head = (str(n + 1) for n in np.unravel_index(errors.argmin(), errors.shape))
    assert exercise("best-aligner").check(None, start | {"kind": "cross", "layer": layer, "head": head}).ok
    assert not exercise("best-aligner").check(None, start).ok
    assert (
        not exercise("best-aligner")
        .check(None, start | {"kind": "encoder self", "layer": layer, "head": head})
        .ok
    )


def test_needed_heads_are_counted():
    needed = 0
    for layer in LAYERS:
        for head in HEADS:
            run = EXPERIMENTS["ablate"].run(
                {"text": QUESTION, "part": "one head", "kind": "cross", "layer": layer, "head": head}
            )
            needed += run.yours != run.plain
    assert exercise("needed-heads").check(needed, {}).ok
    assert not exercise("needed-heads").check(needed + 1, {}).ok


def test_counts_in_the_texts_are_right():
    assert len(ALL_HEADS) == 24
    residuals = [name for name in original_trace(read_text(IDIOM)[0]).values if ".residual" in name]
    assert len(residuals) == 10
    assert (load_transformer().config.d, load_transformer().config.d_fc) == (64, 128)
    assert len(decode(MANY_TO_ONE, 1).writes) == 6
    assert f"{len(IDIOM.split())} × {load_transformer().config.d}" in SHAPES
    board = scoreboard("lesson")
    beyond = {row.model: row.by_length[board.beyond] for row in board.rows}
    assert beyond["translation-transformer"] < beyond["translation-additive-64"]
    assert model_label("translation-scaled-dot-64") == "scaled dot, 64"
    assert model_label("everyday-none-128") == "one vector, 128"
    assert model_label("translation-none-4") == "no attention, k = 4"
    assert model_label("translation-none-two-layers") == "no attention, two layers"
