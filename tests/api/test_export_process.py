"""PNG, PDF and previews come from a child process that is small, short-lived and can be killed."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from lessons import LESSONS
from lessons.kit.pictures.base import Picture
from lessons.kit.pictures.files import figure_file, poster
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.web.export_process import KEEPS_ENDING, TOO_SLOW, ExportProcess
from lessons.kit.web.renderer import RenderError

PICTURE = Heatmap(np.eye(3), ("a", "b", "c"), ("d", "e", "f"), title="Three")


@pytest.fixture
def process() -> Iterator[ExportProcess]:
    made = ExportProcess()
    yield made
    with made.lock:
        made.end()


def modules(process: ExportProcess) -> set[str]:
    return set(process(eval, "[*__import__('sys').modules]"))


def kinds_of_pictures(base: type[Picture] = Picture) -> Iterator[type[Picture]]:
    for kind in base.__subclasses__():
        yield kind
        yield from kinds_of_pictures(kind)


def test_it_draws_without_torch_gradio_or_a_lesson(process):
    """Pictures of the course must not need torch, because importing it takes 200 MB in the child too."""
    assert figure_file(PICTURE, "png") == process(figure_file, PICTURE, "png")
    assert process(figure_file, PICTURE, "pdf").startswith(b"%PDF")
    kinds = {kind.__module__ for kind in kinds_of_pictures() if kind.__module__.startswith("lessons.")}
    lessons = {f"lessons.{lesson.slug}" for lesson in LESSONS}
    assert any(kind.startswith(lesson) for kind in kinds for lesson in lessons)
    for kind in kinds:
        process(exec, f"import {kind}")
        assert not {"torch", "gradio", "lessons.kit.contract"} & modules(process), kind


def test_an_error_in_the_child_is_raised_here_and_the_child_goes_on(process):
    child = process(os.getpid)
    with pytest.raises(ZeroDivisionError):
        process(divmod, 1, 0)
    with pytest.raises(ValueError, match="nosuch"):
        process(figure_file, PICTURE, "nosuch")
    assert process(os.getpid) == child != os.getpid()


def test_what_a_library_prints_does_not_disturb_the_answers(process):
    process(print, "a warning")
    process(os.write, 1, b"from native code")
    assert process(abs, -3) == 3


def test_a_killed_child_is_replaced(process):
    first = process(os.getpid)
    os.kill(first, signal.SIGKILL)
    assert process(figure_file, PICTURE, "png").startswith(b"\x89PNG")
    assert process(os.getpid) != first


def test_a_call_that_kills_its_child_twice_is_refused(process):
    with pytest.raises(RenderError, match=KEEPS_ENDING):
        process(os._exit, 1)
    assert process(abs, -3) == 3


def test_a_call_that_hangs_is_ended_and_not_repeated():
    process, began = ExportProcess(max_seconds=5), time.monotonic()
    with pytest.raises(RenderError, match=TOO_SLOW):
        process(time.sleep, 600)
    assert time.monotonic() - began < 2 * process.max_seconds
    assert process.child is None


def test_a_machine_that_can_start_no_child(process, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(RenderError, match=KEEPS_ENDING):
        process(abs, -3)


def test_an_idle_child_ends():
    process = ExportProcess(idle_seconds=0.4)
    child = process(os.getpid)
    deadline = time.monotonic() + 30
    while process.child and time.monotonic() < deadline:
        time.sleep(0.05)
    with process.lock:  # held until the child has ended
        assert process.child is None
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    assert process(os.getpid) != child
    with process.lock:
        process.end()


def test_a_child_is_replaced_after_many_calls():
    process = ExportProcess(max_calls=3)
    used = [process(os.getpid) for _ in range(7)]
    assert [len({*used[n : n + 3]}) for n in (0, 3)] == [1, 1]
    assert len({*used}) == 3
    with process.lock:
        process.end()


def test_calls_from_many_threads_take_turns(process):
    answers: dict[int, int] = {}

    def ask(number: int) -> None:
        answers[number] = process(abs, -number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: number for number in range(20)}


def test_previews_are_drawn_there(process):
    png = process(poster, (1200, 630), "Why?", "Seq2See", PICTURE)
    assert png == poster((1200, 630), "Why?", "Seq2See", PICTURE)
    assert "matplotlib" in modules(process)
