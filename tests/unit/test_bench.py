"""The table of budgets, and the payload as it is measured. What takes time is not tested here: `python -m tests.bench`."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from lessons.kit.contract import Choice, Experiment, InputError, Lesson, Result, Slider, Text
from lessons.kit.web.renderer import Renderer
from tests.bench import payload
from tests.bench.__main__ import table
from tests.bench.clock import Row
from tests.toy import LESSON as TOY


@dataclass(frozen=True)
class Said(Result):
    words: str


def spoken(words: str, times: int, end: str) -> Said:
    if len(words.split()) > 9:
        raise InputError("At most 9 words, please.")
    return Said((words + end) * times)


def reading(result: Said) -> str:
    return result.words


def lesson(most: int, folder: Path) -> Lesson:
    (folder / "text.md").write_text("# Loud?\n## say: How loud?\nSay.\n\n---\nSo.\n", encoding="utf-8")
    controls = (
        Text("words", "Words", "one", ("two words",)),
        Slider("times", "Times", 1, 1, most),
        Choice("end", "End", ".", ("and so on", ".")),
    )
    return Lesson("loud", "Loud", "Loud", "It is loud.", print, folder, (Experiment("say", "Say", controls, spoken, (reading,)),))


def test_the_table_says_what_passed_and_fails_with_one_row(capsys):
    good, bad = Row("fast", 1.5, 2, "×"), Row("many", 0.5, 0.6, "×", at_least=True)
    assert table([good]) == 0
    assert table([good, bad]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["fast", "1.50", "≤", "2.00", "×", "pass"]
    assert lines[3].split() == ["many", "0.50", "≥", "0.60", "×", "FAIL"]
    assert lines[-1] == "1 passed, 1 failed"


@pytest.mark.parametrize(("most", "passed"), [(1000, True), (10_000, False)])
def test_an_oversized_stage_fails_at_its_largest_inputs(most, passed, tmp_path):
    *default, largest = payload.rows((lesson(most, tmp_path),))
    assert all(row.passed for row in default)
    assert largest.passed is passed


def test_the_largest_state_is_found_control_by_control(tmp_path):
    one = lesson(7, tmp_path)
    found = payload.largest(Renderer(one, one.experiments[0]))
    assert found == {"words": "two words two words two words two words two", "times": 7, "end": "and so on"}


def test_the_payload_is_what_is_sent():
    renderer = Renderer(TOY, TOY.experiments[0])
    assert payload.size(renderer, {}) == len(renderer.drawing({}).encode())
    assert payload.size(renderer, {"words": " "}) == 0  # refused
