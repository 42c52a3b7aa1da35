"""Jobs over HTTP: progress, place in the queue, stopping, and recovery when a process is lost."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lessons import start as front
from lessons.kit.jobs import queue
from lessons.kit.jobs.queue import JobQueue, QueueFull
from lessons.kit.jobs.supervisor import ROOT, Supervisor
from lessons.kit.web.server import Site
from lessons.kit.web.workers import serve_in_thread
from tests.api.test_strangers import Server
from tests.toy import LESSON as TOY


def ask(address: str, body: Any = None, secret: str = "") -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=60) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def begin(toy: str, visitor: str, scale: float = 1.0) -> str:
    status, answer = ask(f"{toy}/work/toy-again", {"visitor": visitor, "values": {"scale": scale}})
    assert status == 202, answer
    return answer["id"]


def until(toy: str, id: str, wanted: Callable[[dict], bool], patience: float = 60) -> dict:
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        _, status = ask(f"{toy}/work/{id}/progress")
        if wanted(status):
            return status
        time.sleep(0.1)
    raise AssertionError(status)


def test_a_job_runs_part_by_part_in_another_process(toy):
    id = begin(toy, "one")
    part = until(toy, id, lambda status: status["state"] == "runs" and status["parts"])
    assert 0 < part["share"] < 1
    assert "Word 1 is" in part["stage"]
    assert "stage" not in ask(f"{toy}/work/{id}/progress?seen=99")[1]
    done = until(toy, id, lambda status: status["state"] == "done")
    assert done["share"] == 1
    assert "worth <b>1.00</b>" in done["stage"]
    assert "href='glossary#glossary-gradient'" in done["stage"], (
        "terms in its drawings link to the glossary, as on the page"
    )


def test_a_waiting_job_has_a_place_and_a_stop_frees_it(toy):
    running = [begin(toy, f"busy {n}") for n in range(2)]  # as many jobs as can run at once
    for id in running:
        until(toy, id, lambda status: status["state"] == "runs")
    third, fourth = begin(toy, "third"), begin(toy, "fourth")
    status = until(toy, fourth, lambda status: status["state"] == "waits" and status["ahead"] >= 2)
    assert status["seconds"] > 0
    ask(f"{toy}/work/{third}/stop", {})
    assert until(toy, third, lambda status: status["state"] == "stopped")
    began = time.monotonic()
    for id in running:
        ask(f"{toy}/work/{id}/stop", {})
    for id in running:
        until(toy, id, lambda status: status["state"] == "stopped")
    assert time.monotonic() - began < 5
    assert until(toy, fourth, lambda status: status["state"] == "done")


def test_only_jobs_of_a_room_s_lecturer_go_first(toy):
    for n in range(2):
        until(toy, begin(toy, f"at work {n}"), lambda status: status["state"] == "runs")
    room = ask(f"{toy}/room", {})[1]
    order = {"values": {"scale": 1.0}, "room": room["code"]}
    _, waits = ask(f"{toy}/work/toy-again", order | {"visitor": "student"}, secret="guessed")
    _, leads = ask(f"{toy}/work/toy-again", order | {"visitor": "lecturer"}, secret=room["secret"])
    _, last = ask(f"{toy}/work/toy-again", order | {"visitor": "late"})
    places = [ask(f"{toy}/work/{each['id']}/progress")[1] for each in (leads, waits, last)]
    assert [place["ahead"] for place in places] == [2, 3, 4], places
    for visitor in ("at work 0", "at work 1"):
        ask(f"{toy}/work/{begin(toy, visitor)}/stop", {})


def test_a_new_job_replaces_the_old_one_of_its_visitor(toy):
    first = begin(toy, "same")
    second = begin(toy, "same", 2.0)
    assert until(toy, first, lambda status: status["state"] == "stopped")
    assert "worth <b>2.00</b>" in until(toy, second, lambda status: status["state"] == "done")["stage"]


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("toy-again", {"values": {"scale": 99}}, 400, "between 0 and 2"),
        ("toy-again", {"values": {"nothing": 1}}, 400, "no control named"),
        ("toy-again", {"values": [1]}, 400, "Please send “values”"),
        ("toy-again", [], 400, "JSON object"),
        ("toy-sizes", {"values": {}}, 404, "no such work"),
        ("nowhere", {"values": {}}, 404, "no such work"),
    ],
)
def test_a_bad_request_is_refused_with_what_to_do(toy, path, body, status, says):
    found, answer = ask(f"{toy}/work/{path}", body)
    assert (found, says in answer["message"]) == (status, True), answer


def test_an_unknown_job_is_not_found(toy):
    assert ask(f"{toy}/work/{'0' * 32}/progress")[0] == 404


@pytest.fixture
def supervisor(tmp_path) -> Iterator[Supervisor]:
    supervisor = Supervisor(JobQueue(str(tmp_path / "work.db"), workers=1), "tests.toy", "lessons.start")
    supervisor.start()
    yield supervisor
    supervisor.close()


def wait_until_ended(job_queue: JobQueue, id: str, patience: float = 60) -> dict:
    return wait_for_state(job_queue, id, lambda state: state not in ("waits", "runs"), patience)


def wait_until_runs(job_queue: JobQueue, id: str) -> None:
    assert wait_for_state(job_queue, id, lambda state: state != "waits")["state"] == "runs"


def wait_for_state(job_queue: JobQueue, id: str, is_met: Callable[[str], bool], patience: float = 60) -> dict:
    """Wait until a job is in the given state and return its status."""
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        status = job_queue.progress(id)
        assert status
        if is_met(status["state"]):
            return status
        time.sleep(0.1)
    raise AssertionError(status)


def children(process: int) -> list[int]:
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as found:
        return [int(number) for number in found.read().split()]


def test_a_killed_process_costs_only_its_own_job(supervisor):
    job_queue = supervisor.queue
    id = job_queue.submit("one", "toy-again", {"scale": 1.0}, ())
    wait_until_runs(job_queue, id)
    [child_process] = [child for worker in children(supervisor.process.pid) for child in children(worker)]
    os.kill(child_process, signal.SIGKILL)
    status = wait_until_ended(job_queue, id)
    assert (status["state"], "start it again" in status["message"]) == ("failed", True)
    again = job_queue.submit("one", "toy-again", {"scale": 1.0}, ())
    assert wait_until_ended(job_queue, again)["state"] == "done"
    third = job_queue.submit("one", "toy-again", {"scale": 1.0}, ())
    wait_until_runs(job_queue, third)
    os.kill(supervisor.process.pid, signal.SIGKILL)  # kills all workers; the supervisor starts new ones
    assert wait_until_ended(job_queue, third)["state"] == "lost"
    assert (
        wait_until_ended(job_queue, job_queue.submit("one", "toy-again", {"scale": 1.0}, ()))["state"]
        == "done"
    )


def test_an_abandoned_job_ends(supervisor, monkeypatch):
    job_queue = supervisor.queue
    id = job_queue.submit("one", "toy-again", {"scale": 1.0}, ())
    wait_until_runs(job_queue, id)
    job_queue.put(f"polled {id}", time.time() - queue.ABANDONED_SECONDS - 1)
    ends = time.monotonic() + 10
    while job_queue.get(f"status {id}")["state"] == "runs" and time.monotonic() < ends:
        time.sleep(0.1)
    status = job_queue.get(f"status {id}")
    assert (status["state"], status["message"]) == ("stopped", queue.ABANDONED_MESSAGE)


def test_the_queue_is_bounded_and_old_jobs_are_removed(tmp_path, monkeypatch):
    job_queue = JobQueue(str(tmp_path / "work.db"))
    ids = [job_queue.submit(f"visitor {n}", "toy-again", {}, ()) for n in range(queue.MAX_WAITING)]
    with pytest.raises(QueueFull, match="try again in a minute"):
        job_queue.submit("one more", "toy-again", {}, ())
    assert [job_queue.jobs_ahead(id) for id in ids] == list(range(queue.MAX_WAITING))
    job_queue.stop(ids[0])
    assert job_queue.jobs_ahead(ids[1]) == 0
    monkeypatch.setattr(queue, "RESULT_SECONDS", -1.0)
    monkeypatch.setattr(queue, "MAX_WAITING", 99)
    job_queue.submit("late", "toy-again", {}, ())
    assert job_queue.progress(ids[0]) is None


def test_worker_processes_do_not_outlive_their_parent(tmp_path):
    lines = (
        "import os",
        "from lessons.kit.jobs.supervisor import Supervisor",
        "from lessons.kit.jobs.queue import JobQueue",
        f"supervisor = Supervisor(JobQueue({str(tmp_path / 'work.db')!r}), 'tests.toy', 'lessons.start')",
        "supervisor.start()",
        "print(supervisor.process.pid, flush=True)",
        "os._exit(0)",
    )
    found = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    ends = time.monotonic() + 60
    while Path(f"/proc/{int(found.stdout)}").exists() and time.monotonic() < ends:
        time.sleep(0.2)
    assert not Path(f"/proc/{int(found.stdout)}").exists()


def test_one_visitor_with_invented_names_cannot_keep_the_lecturer_out(tmp_path, monkeypatch):
    monkeypatch.setenv("SEQ2SEE_STORE", str(tmp_path / "work.db"))
    site = Site((TOY,), front, module="tests.toy")
    monkeypatch.setattr(site.supervisor, "start", lambda: None)  # without workers all jobs wait

    def submit(address: str, visitor: str, forwarded_for: str, **more: str) -> int:
        headers = {
            "Content-Type": "application/json",
            "X-Forwarded-For": forwarded_for,
            "Authorization": f"Bearer {more.pop('secret', '')}",
        }
        body = json.dumps({"visitor": visitor, "values": {}} | more).encode()
        return Server(address).ask("POST", "/work/toy-again", body, headers)[0]

    with serve_in_thread(site.asgi()) as address:
        room = ask(f"{address}/room", {})[1]
        assert [submit(address, f"invented {n}", "192.0.2.1") for n in range(24)] == [202] * 10 + [503] * 14
        assert [submit(address, f"other {n}", f"192.0.2.{n + 2}") for n in range(11)] == [202] * 10 + [503]
        assert submit(address, "lecturer", "192.0.2.1", room=room["code"], secret=room["secret"]) == 202
        assert submit(address, "no lecturer", "192.0.2.99", room=room["code"], secret="guessed") == 503
