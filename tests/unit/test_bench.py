"""Benchmarks: the table of budgets, the measured payload, and the simulated clients.

Times are not tested here; `python -m tests.bench` measures them.
"""

import json
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from lessons.kit import link
from lessons.kit.contract import Choice, Experiment, InputError, Lesson, Result, Slider, Text
from lessons.kit.web.draw import Drawings
from lessons.kit.web.renderer import Renderer
from lessons.kit.web.request_guard import HTTPError, answer_error
from lessons.kit.web.workers import serve_in_thread
from tests.bench import payload
from tests.bench.__main__ import print_table
from tests.bench.client import Call, Client, Place, drawing_requests, learner_states, version
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
    (folder / "say").mkdir()
    (folder / "text.md").write_text("# Loud?\n", encoding="utf-8")
    (folder / "say" / "text.md").write_text("# How loud?\nSay.\n\n---\nSo.\n", encoding="utf-8")
    controls = (
        Text("words", "Words", "one", ("two words",)),
        Slider("times", "Times", 1, 1, most),
        Choice("end", "End", ".", ("and so on", ".")),
    )
    return Lesson(
        "loud",
        "Loud",
        "Loud",
        "It is loud.",
        print,
        folder,
        (Experiment("say", "Say", controls, spoken, (reading,)),),
    )


def test_the_table_says_what_passed_and_fails_with_one_row(capsys):
    good, bad = Row("fast", 1.5, 2, "×"), Row("many", 0.5, 0.6, "×", at_least=True)
    assert print_table([good]) == 0
    assert print_table([good, bad]) == 1
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
    found = payload.largest_state(Renderer(one, one.experiments[0]))
    assert found == {"words": "two words two words two words two words two", "times": 7, "end": "and so on"}


def test_the_payload_is_the_body_of_the_answer_before_compression():
    stage = Renderer(TOY, TOY.experiments[0])
    site = TestClient(Starlette(routes=Drawings([stage], "1").routes()))
    answer = site.get(
        Place(TOY.slug, stage.experiment).draw(stage.experiment.state()).path,
        headers={"Accept-Encoding": "identity"},
    )
    assert payload.drawing_bytes(stage, {}) == len(answer.content)
    assert payload.drawing_bytes(stage, {"words": " "}) == 0  # a refused state has no drawing


def test_each_move_asks_for_a_drawing_as_the_page_does():
    """Requests contain the state and the version, so browsers may cache the response."""
    place = Place(TOY.slug, TOY.experiments[0])
    site = TestClient(Starlette(routes=Drawings([Renderer(TOY, place.experiment)], version()).routes()))
    for call, state in zip(
        islice(drawing_requests(place, 1), 5), learner_states(place.experiment, 1), strict=False
    ):
        answer = site.request(call.method, call.path)
        assert "immutable" in answer.headers["Cache-Control"]
        assert json.loads(answer.text.split("\n")[0])["link"] == link.encode(place.experiment, state)


def test_a_complaint_and_an_error_are_no_answers():
    place = Place(TOY.slug, TOY.experiments[0])
    routes = Drawings([Renderer(TOY, place.experiment)], "1").routes()
    with serve_in_thread(Starlette(routes=routes, exception_handlers={HTTPError: answer_error})) as address:
        client = Client(int(address.rpartition(":")[2]), "one")
        assert client.ask(place.draw(place.experiment.state()))
        for path, why in (
            (f"/draw/{TOY.slug}/{place.experiment.slug}?words=+", "complaint"),
            ("/draw/toy/nowhere", "404"),
        ):
            with pytest.raises(ValueError, match=why):
                client.ask(Call("GET", path))
        client.close()
