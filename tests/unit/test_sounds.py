"""Experiment `sounds`: letters and sounds of a typed word, silent letters, and edited weights."""

from string import ascii_lowercase

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.attention.sounds import EXPERIMENT
from lessons.attention.sounds.compute import (
    OPENING_WORD,
    PRONOUNCER,
    Pronounced,
    all_weight_on,
    letters_without_sound,
)
from lessons.attention.sounds.exercises import EXERCISES, answer
from lessons.attention.sounds.views import alignment, describe_silent, name_letters, outputs, reading
from lessons.attention.translators import without_eos
from lessons.kit.notices import collect_notices
from lessons.kit.typed_word import read_spelling
from models import metrics, zoo
from models.tasks import TASKS
from models.tasks.pronounce import MAX_LETTERS, SOUNDS, held_out
from models.tasks.task import split_of
from models.vocabulary import InputError
from tests.says import assert_says

LETTERS = set(ascii_lowercase)
CHECKS = {exercise.slug: exercise.check for exercise in EXERCISES}


def run(word: str = OPENING_WORD, t: int = 1, weights=()) -> Pronounced:
    return EXPERIMENT.run({"word": word, "t": t, "weights": weights})


def test_the_weights_are_those_of_the_shipped_model():
    model, card = zoo.load(PRONOUNCER.name)
    trace = model.run(TASKS["pronounce"].source.ids("lighthouse"))
    found = run("lighthouse", 2)
    np.testing.assert_allclose(found.your_weights, trace.weights.numpy(), atol=1e-6)
    np.testing.assert_allclose(found.your_weights.sum(1), 1, atol=1e-5)
    assert found.source == tuple("lighthouse")
    assert found.exact_match == card.metrics["natural"]["exact_match"]


def test_only_held_out_words_have_a_known_pronunciation():
    word, several = next((word, sounds) for word, sounds in held_out().items() if len(sounds) > 1)
    known = run(word)
    assert known.accepted == several
    assert known.right[0] == (without_eos(known.plain) in several)
    trained = next(word for word in ("cat", "dog", "house") if split_of(tuple(word)) != "test")
    assert run(trained).right == (None, None)
    assert_says(reading(run(trained)), "Not judged")
    assert_says(reading(known), "right" if known.right[0] else "wrong", 2000)


def test_all_right_pronunciations_are_shown_if_there_are_several():
    word, sounds = next((word, sounds) for word, sounds in held_out().items() if len(sounds) == 2)
    assert [line.words for line in outputs(run(word)).lines][-2:] == list(sounds)


def test_silent_letters_have_the_largest_weight_of_no_sound():
    found = run("numb")
    assert [found.source[i] for i in found.silent] == ["b"]
    assert_says(reading(found), "b", "any sound")
    assert run("mix").strongest[2:4].tolist() == [2, 2]  # the letter x stands for two sounds, K and S
    assert name_letters(tuple("banana"), (1, 3)) == "“**a**” (letter 2) and “**a**” (letter 4)"
    assert name_letters(tuple("abcdefg"), tuple(range(6))).endswith("and 2 more")


def test_the_weights_of_a_step_can_be_set():
    spoken = run("chalk", 3, all_weight_on("chalk", 3, "l"))
    assert spoken.row.tolist() == [0, 0, 0, 1, 0]
    assert without_eos(spoken.yours) == ("CH", "AO", "L", "K")
    assert_says(reading(spoken), "gains", "L", "step 3")
    left_out = run("light", 1, all_weight_on("light", 1, "i"))
    assert without_eos(left_out.yours) == ("AY", "T")
    assert_says(reading(left_out), "loses", "L")
    assert_says(reading(run("dog", 1, all_weight_on("chalk", 3, "l"))), "another length")
    assert_says(reading(run("chalk", 1, ((5, (1.0, 0, 0, 0, 0)), (1, (1.0, 0, 0, 0, 0))))), "step")


def test_rows_are_sounds_with_an_example_word():
    labels = alignment(run()).rows
    assert labels[0] == f"TH as in {SOUNDS['TH']}"
    assert labels[-1] == "<eos>"


def test_silent_letters_are_counted_on_held_out_words():
    """The final e is silent far more often than an e elsewhere; one count is repeated by hand."""
    counted = letters_without_sound()
    assert counted["e at the end"][0] > 10 * counted["e"][0]
    assert all(0 <= fraction <= 1 and count >= 10 for fraction, count in counted.values())
    assert list(counted.values()) == sorted(counted.values(), key=lambda each: -each[0])
    assert_says(describe_silent(run()), counted["e at the end"][1], counted["e"][1])


def test_the_guess_is_answered_by_the_model():
    weights = dict(zip("ough", run().plain_weights[1][2:6], strict=True))
    assert (weights["o"] > 0.6) == (answer() == "mostly to o")
    assert (weights["g"] + weights["h"] > 0.6) == (answer() == "mostly to g and h")


def test_exercises_accept_what_they_ask_for():
    spoken = CHECKS["spoken"]
    state = EXPERIMENT.state({"word": "chalk", "t": 3, "weights": all_weight_on("chalk", 3, "l")})
    assert spoken(None, state).ok
    assert not spoken(None, EXPERIMENT.state({"word": "chalk"})).ok
    loud = EXPERIMENT.state({"word": "chalk", "t": 1, "weights": all_weight_on("chalk", 1, "a")})
    assert not spoken(None, loud).ok
    two = CHECKS["two-sounds"]
    assert two(None, EXPERIMENT.state({"word": "cube"})).ok
    assert not two(None, EXPERIMENT.state({"word": "mix"})).ok
    assert not two(None, EXPERIMENT.state({"word": "dog"})).ok


def test_accuracy_on_a_sample_is_that_of_the_card():
    task = TASKS["pronounce"]
    pairs = task.pairs("test", 100)
    outputs = [PRONOUNCER.translate(tuple(task.source.ids(pair.source))) for pair in pairs]
    found = metrics.exact_match(
        outputs, [task.reference(pair, output) for pair, output in zip(pairs, outputs, strict=True)]
    )
    p = run().exact_match
    assert found == pytest.approx(p, abs=4 * (p * (1 - p) / len(pairs)) ** 0.5)


@pytest.mark.parametrize(
    ("text", "letters", "facts"),
    [
        ("Tanmoy Chakraborty", "tanmoy", ("first", 2)),
        ("covid-19", "covid", ("Digits",)),
        ("antidisestablishmentarianism", "antidisestablishmen"[:MAX_LETTERS], (MAX_LETTERS, 28)),
        ("👋 hello!", "hello", ()),
        ("日本 Zoë", "zoe", ()),
    ],
)
def test_what_is_left_out_of_typed_text_is_said(text, letters, facts):
    with collect_notices() as notices:
        assert "".join(read_spelling(text)) == letters
    assert bool(notices) == bool(facts)
    if facts:
        assert_says(notices["word"], *facts)


@given(st.text(max_size=60))
def test_any_text_is_spelled_or_refused_with_a_sentence(text):
    try:
        letters = read_spelling(text)
    except InputError:
        assert not set(text) & LETTERS
        return
    assert 1 <= len(letters) <= MAX_LETTERS
    assert set(letters) <= LETTERS
