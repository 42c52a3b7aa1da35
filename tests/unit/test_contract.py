"""Controls accept valid values from any source and explain what is wrong with invalid ones."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit.contract import (
    Choice,
    DragHandles,
    InputError,
    Matrix,
    Pixels,
    Result,
    Slider,
    Step,
    Text,
    Toggle,
    json_value,
    parse_number,
)
from lessons.kit.lesson_text import ActText, read_lesson_text
from lessons.kit.validation import LessonError
from lessons.kit.web.renderer import bold_html
from tests.toy import LESSON as TOY

SLIDER = Slider("a", "A", 0.5, -1, 1, 0.05)
MATRIX = Matrix("w", "W", ((1.0, 2.0), (3.0, 4.0)))


@pytest.mark.parametrize("bad", ["", "x", None, math.nan, math.inf, "nan", 2, -1.1, True, [], "1e999"])
def test_a_slider_takes_numbers_within_its_range(bad):
    with pytest.raises(InputError, match="A:"):
        SLIDER.check(bad)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("1,280", 1280),
        ("1 280", 1280),
        ("1280", 1280),
        ("12,345,678", 12345678),
        ("1 280.5", 1280.5),
        ("−0,5", -0.5),
        ("0,280", 0.28),
    ],
)
def test_numbers_are_read_as_people_write_them(typed, number):
    assert parse_number(typed, -1e9, 1e9, "N") == number


def test_a_slider_rounds_to_its_steps():
    assert SLIDER.check("0.52") == 0.5
    assert Step("t", "t", 1, 1, 40).check(3.2) == 3
    assert isinstance(Step("t", "t", 1, 1, 40).check("3"), int)


@pytest.mark.parametrize(
    "bad",
    ["x", 5, (), ((1, 2),), ((1, 2), (3, "x")), ((1, 2), (3, math.nan)), ((1, 2), (3, 99)), ("12", "34x")],
)
def test_a_matrix_takes_numbers_in_its_shape(bad):
    with pytest.raises(InputError, match="W:"):
        MATRIX.check(bad)


@given(
    st.lists(
        st.lists(st.integers(-900, 900).map(lambda n: n / 100), min_size=2, max_size=2),
        min_size=2,
        max_size=2,
    )
)
def test_a_matrix_travels(rows):
    assert MATRIX.read(MATRIX.write(MATRIX.check(rows))) == tuple(map(tuple, rows))
    handles = DragHandles("h", "H", ((0.0, 0.0), (0.0, 0.0)))
    assert handles.read(handles.write(handles.check(rows))) == tuple(map(tuple, rows))


@given(st.lists(st.lists(st.sampled_from((0.0, 1.0)), min_size=3, max_size=3), min_size=3, max_size=3))
def test_a_drawing_travels_as_a_hexadecimal_number(rows):
    pixels = Pixels("p", "P", ((0.0,) * 3,) * 3)
    text = pixels.write(pixels.check(rows))
    assert len(text) == 3
    assert pixels.read(text) == tuple(map(tuple, rows))


@pytest.mark.parametrize("bad", ["", "0", "ggg", "0000", "-01", "0x1", "１２３"])
def test_a_drawing_needs_its_number_of_digits(bad):
    with pytest.raises(InputError, match="3 hexadecimal digits"):
        Pixels("p", "P", ((0.0,) * 3,) * 3).read(bad)


def test_choices_toggles_and_texts():
    choice = Choice("c", "C", "one", ("one", "two"))
    assert choice.read("two") == "two"
    with pytest.raises(InputError, match="one of one, two"):
        choice.check("three")
    toggle = Toggle("t", "T", False)
    assert toggle.read(toggle.write(True)) is True
    with pytest.raises(InputError):
        toggle.check("maybe")
    text = Text("x", "X", "", limit=5)
    assert text.check(None) == ""
    with pytest.raises(InputError, match="at most 5 characters"):
        text.check("123456")


def test_a_result_as_json():
    @dataclass(frozen=True)
    class Found(Result):
        values: np.ndarray
        odd: float = math.nan
        words: tuple[str, ...] = ("a",)

    assert Found(np.array([[1.0, np.inf]])).numbers() == {
        "values": [[1.0, None]],
        "odd": None,
        "words": ["a"],
    }
    assert json_value({1: np.float32(0.5)}) == {"1": 0.5}


def test_what_a_closer_look_needs_is_worked_out_when_asked_for():
    asked = []

    @dataclass(frozen=True)
    class Found(Result):
        value: int
        _means: str = "not a number"

        @cached_property
        def double(self) -> int:
            asked.append(self.value)
            return 2 * self.value

    found = Found(3)
    assert not asked
    assert found.numbers() == {"value": 3, "double": 6}
    assert found.double == 6
    assert asked == [3]


def test_the_text_of_a_lesson_is_read_by_experiment(tmp_path):
    texts = {
        ".": "# Why?\nLead.\n",
        "a": "# How: really?\nDo.\n\n---\n$$x$$\n\n## x: Closer? | quiet\nSee.\n",
        "b": "# What?\nLook.\n",
    }
    for folder, text in texts.items():
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "text.md").write_text(text, encoding="utf-8")
    text = read_lesson_text(tmp_path, ["a", "b", "c"])
    assert (text.question, text.lead) == ("Why?", "Lead.")
    assert text.experiments["a"].question == "How: really?"
    assert (text.experiments["a"].before, text.experiments["a"].after) == ("Do.", "$$x$$")
    assert text.experiments["a"].acts == {"x": ActText("Closer?", "quiet", "See.")}
    assert text.experiments["b"].after == ""
    assert "c" not in text.experiments


def test_core_experiments_stand_first():
    json_value = tuple(replace(experiment, core=False) for experiment in TOY.experiments)
    first, *others, last = json_value
    unmarked = replace(TOY, experiments=json_value)
    assert (unmarked.core, unmarked.further) == (json_value, ())
    marked = replace(first, core=True)
    lesson = replace(TOY, experiments=(marked, *others, last))
    assert (lesson.core, lesson.further) == ((marked,), (*others, last))
    with pytest.raises(LessonError, match="name its core experiments first, then the further ones"):
        replace(TOY, experiments=(first, *others, replace(last, core=True)))


def test_what_is_said_is_escaped():
    assert bold_html("a **<b>** & c") == "a <b>&lt;b&gt;</b> &amp; c"
