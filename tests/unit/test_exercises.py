"""Shared kinds of questions compute their answer when it is needed and derive the message from it."""

import ast
from pathlib import Path

import pytest

from lessons.kit import exercises
from lessons.kit.exercises import WHOLE_NUMBER, guess, nearest_option, number, one_of


def test_a_guess_gives_every_option_its_own_why():
    whys = {"three": "That is a triangle.", "four": lambda: f"Count: {2 + 2}."}
    exercise = guess(
        "sides", "How many sides has a square?", whys, lambda: "four", "Draw one.", covers=("drawing",)
    )
    assert exercise.answer.options == ("three", "four")
    assert exercise.answer.default is None, "nothing is chosen for the learner"
    right, wrong = exercise.check("four", {}), exercise.check("three", {})
    assert (right.ok, right.message) == (True, "Yes. Count: 4.")
    assert (wrong.ok, wrong.message) == (False, "No. That is a triangle. The answer: four.")
    assert (exercise.hint, exercise.covers) == ("Draw one.", ("drawing",))


def test_where_nobody_can_tell_no_guess_is_wrong():
    exercise = guess(
        "best", "Which is best?", {"a": "Not by these.", "b": "Nor this."}, lambda: None, "Look at the bands."
    )
    assert [exercise.check(option, {}).ok for option in ("a", "b")] == [None, None]
    assert exercise.check("b", {}).message == "There is no single right answer. Nor this."


def test_a_typed_number_is_right_when_it_is_near_and_a_wrong_one_gives_only_the_hint():
    exercise = number(
        "third", "1/3? (two decimals)", lambda: 1 / 3, "Divide.", "It goes on for ever.", experiment="plane"
    )
    assert exercise.experiment == "plane"
    assert [exercise.check(given, {}).ok for given in (0.33, 0.333, 0.34, 0.32, -0.33)] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert exercise.check(0.33, {}).message == "Yes. It goes on for ever."
    assert exercise.check(0.5, {}).message == "Not yet. Divide."


def test_two_decimals_may_be_rounded_either_way():
    exercise = number("half", "0.125?", lambda: 0.125, "", "")
    assert exercise.check(0.12, {}).ok
    assert exercise.check(0.13, {}).ok


@pytest.mark.parametrize(("given", "right"), [(7, True), (7.4, True), (7.5, False), (6.5, False), (8, False)])
def test_a_whole_number_is_what_rounds_to_it(given, right):
    assert number("week", "Days?", lambda: 7, "", "", WHOLE_NUMBER).check(given, {}).ok is right


@pytest.mark.parametrize(
    ("value", "told"), [(16576, "16,576"), (1 / 3, "0.3333"), (-0.5, "−0.5"), (0, "0"), (1200, "1,200")]
)
def test_lecturers_see_all_digits_of_an_answer(value, told):
    assert number("size", "How many?", lambda: value, "", "").solution() == told


def test_the_answer_is_worked_out_only_when_somebody_answers():
    asked = []
    ready = [
        guess("a", "?", {"x": "So."}, lambda: asked.append(1) or "x", ""),
        number("b", "?", lambda: asked.append(2) or 1.0, "", ""),
    ]
    assert not asked
    for exercise, given in zip(ready, ("x", 1.0), strict=True):
        assert exercise.check(given, {}).ok
    assert asked == [1, 2]


def test_the_nearest_option_is_found_by_value_not_by_spelling():
    assert nearest_option(("2", "7", "20"), 6.6) == "7"
    assert nearest_option(("0.1", "0.50", "0.9"), 0.5) == "0.50"
    assert nearest_option(("10", "9"), 1000) == "10"


def test_options_may_come_from_a_table():
    assert one_of("Gate", {"open": 1, "shut": 0}).check("shut") == "shut"


def test_it_knows_only_the_contract():
    nodes = ast.walk(ast.parse(Path(exercises.__file__).read_text(encoding="utf-8")))
    assert {node.module for node in nodes if isinstance(node, ast.ImportFrom)} == {
        "collections.abc",
        "lessons.kit.contract",
        "lessons.kit.controls",
        "lessons.kit.language",
    }
