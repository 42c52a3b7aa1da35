"""Lesson `qkv`: any English sentence is accepted, and every exercise accepts only the right answer."""

import re
from functools import partial

import pytest

from lessons.kit.notices import collect_notices
from lessons.qkv import (
    LESSON,
    cross,
    heads,
    parameters,
    swoop,
)
from tests import helpers
from tests.helpers import EVERYDAY_SENTENCES, takes_only
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
changed = partial(helpers.changed, LESSON)


@pytest.mark.parametrize(
    ("slug", "state"),
    [
        ("order", {"order": "reversed"}),
        ("heads", {"layer": heads.compute.LAYERS[0]}),
        ("heads", {"layer": heads.compute.LAYERS[1]}),
        *(("cross", {"kind": kind}) for kind in cross.compute.KINDS),
        ("between", {"alphabetical": True}),
    ],
)
def test_no_word_is_refused(slug, state):
    for text in EVERYDAY_SENTENCES:
        with collect_notices() as notices:
            EXPERIMENTS[slug].run(state | {"text": text})
        assert set(notices) <= {"text"}


def test_replaced_words_are_named_and_marked():
    with collect_notices() as notices:
        run = EXPERIMENTS["between"].run({"text": "The dog sees the xylophone."})
    assert [word[0] == "≈" for word in run.words] == [False, False, False, False, True, False]
    assert_says(notices["text"], "xylophone")


LOUD = ((0.0,), (5.0,), (0.0,), (5.0,))
TALL = ((3.0,) * 6, *((1.0,) * 6,) * 5)
POSITIVE = ((1.0,) * 6,) * 6
ANSWERS = {  # slug → correct (answer, state), then wrong ones
    "three-hundred": [(300, {}), (1200, {}), (120, {})],
    "variation": [
        (3 * parameters.compute.draw_task(7).d ** 2, changed("parameters", number=7)),
        (300, changed("parameters", number=7)),
    ],
    "contexts": [("softmax(S Hᵀ) H", {}), *((name, {}) for name in list(swoop.compute.EXPRESSIONS)[1:])],
    "scores": [(63, {}), (16, {})],
    "size-of-Y": [(12, {}), (18, {}), (54, {})],
    "taller": [
        (None, changed("layer", T=1, T_Q=5, d_V=1)),
        (None, changed("layer", d_V=1)),
        (None, changed("layer", T=1, T_Q=5)),
        (None, changed("layer", T=1, T_Q=5, d_V=1, wide_K=3)),
        (None, changed("layer", T=1, d_X=1, d_V=1, own=True)),
    ],
    "overtaken": [(14, {}), (13, {}), (192, {}), (2, {})],
    "hidden": [(15, {}), (21, {}), (18, {})],
    "two-voices": [
        (None, changed("advice", match=LOUD)),
        (None, changed("advice")),
        (None, changed("advice", match=((0.0,), (5.0,), (0.0,), (0.0,)))),
    ],
    "first-row": [
        (None, changed("matrices", X=TALL, W_Q=POSITIVE, W_K=POSITIVE)),
        (None, changed("matrices")),
        (None, changed("matrices", X=TALL, W_Q=POSITIVE, W_K=POSITIVE, T=2)),
        (None, changed("matrices", X=TALL, W_Q=POSITIVE, W_K=POSITIVE, mask=True)),
    ],
    "undecided": [
        (None, changed("bank", text="i arrived at the bank after crossing the")),
        (None, changed("bank")),
        (None, changed("bank", t=2)),
        (None, changed("bank", text="i arrived at the bank")),
    ],
    "later": [
        (None, changed("blank", text="we saw the bat near the cave and it ___ .")),
        (None, changed("blank")),
        (None, changed("blank", text="it was muddy when i arrived at the bank after crossing the ___")),
        (None, changed("blank", text="after crossing the ___ , i arrived at the bank .")),
    ],
    "meeting-point": [(128, {}), (64, {}), (4096, {})],
}


def test_question_about_M_defines_the_matrix():
    """The question must ask for M as T × T; the message explains (Td) × (Td), where T = 2 is right."""
    exercise = helpers.exercise(LESSON, "overtaken")
    assert_says(exercise.question, "T × T", "pair of positions")
    assert_says(exercise.check(14, {}).message, 14**2, 3 * 8**2, "T = 2")
    assert next(T for T in range(1, 20) if (8 * T) ** 2 > 3 * 8**2) == 2


def test_the_task_of_parameters_has_an_answer_for_lecturers():
    (exercise,) = (exercise for exercise in LESSON.exercises if exercise.slug == "variation")
    assert_says(exercise.solution(), parameters.compute.draw_task(0).answer)
    assert exercise.check(parameters.compute.draw_task(0).answer, changed("parameters")).ok


def test_preset_texts_have_no_raw_subscripts():
    """Preset texts are shown as plain text, so subscripts such as X_Q must not occur."""
    assert not [
        each.watch
        for experiment in LESSON.experiments
        for each in experiment.presets
        if re.search(r"\w_\w", each.watch)
    ]


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.slug)
def test_exercises_accept_only_the_right_answer(exercise):
    takes_only(exercise, *ANSWERS[exercise.slug])
