"""Long work over plain HTTP, by processes of its own: progress, place in line, stop, and what happens when one is lost."""

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
from lessons.kit.jobs import queue as lines
from lessons.kit.jobs.queue import JobQueue, QueueFull
from lessons.kit.jobs.supervisor import ROOT, Supervisor
from lessons.kit.jobs.worker import ABANDONED
from lessons.kit.web.server import Site
from lessons.kit.web.workers import in_thread
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
    status, told = ask(f"{toy}/work/toy-again", {"visitor": visitor, "values": {"scale": scale}})
    assert status == 202, told
    return told["id"]


def until(toy: str, id: str, wanted: Callable[[dict], bool], patience: float = 60) -> dict:
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        _, told = ask(f"{toy}/work/{id}/progress")
        if wanted(told):
            return told
        time.sleep(0.1)
    raise AssertionError(told)


def test_work_is_done_part_by_part_in_another_process(toy):
    id = begin(toy, "one")
    part = until(toy, id, lambda told: told["state"] == "runs" and told["parts"])
    assert 0 < part["share"] < 1
    assert "Word 1 is" in part["stage"]
    assert "stage" not in ask(f"{toy}/work/{id}/progress?seen=99")[1]
    done = until(toy, id, lambda told: told["state"] == "done")
    assert done["share"] == 1
    assert "worth <b>1.00</b>" in done["stage"]
    assert "href='glossary#glossary-gradient'" in done["stage"], (
        "words that it draws lead to the glossary, as those of the page do"
    )


def test_who_waits_knows_their_place_and_a_stop_frees_it(toy):
    running = [begin(toy, f"busy {n}") for n in range(2)]  # as many as work at once
    for id in running:
        until(toy, id, lambda told: told["state"] == "runs")
    third, fourth = begin(toy, "third"), begin(toy, "fourth")
    told = until(toy, fourth, lambda told: told["state"] == "waits" and told["ahead"] >= 2)
    assert told["seconds"] > 0
    ask(f"{toy}/work/{third}/stop", {})
    assert until(toy, third, lambda told: told["state"] == "stopped")
    began = time.monotonic()
    for id in running:
        ask(f"{toy}/work/{id}/stop", {})
    for id in running:
        until(toy, id, lambda told: told["state"] == "stopped")
    assert time.monotonic() - began < 5
    assert until(toy, fourth, lambda told: told["state"] == "done")


def test_who_leads_a_room_goes_first_and_nobody_else(toy):
    for n in range(2):
        until(toy, begin(toy, f"at work {n}"), lambda told: told["state"] == "runs")
    room = ask(f"{toy}/room", {})[1]
    order = {"values": {"scale": 1.0}, "room": room["code"]}
    _, waits = ask(f"{toy}/work/toy-again", order | {"visitor": "student"}, secret="guessed")
    _, leads = ask(f"{toy}/work/toy-again", order | {"visitor": "lecturer"}, secret=room["secret"])
    _, last = ask(f"{toy}/work/toy-again", order | {"visitor": "late"})
    places = [ask(f"{toy}/work/{each['id']}/progress")[1] for each in (leads, waits, last)]
    assert [place["ahead"] for place in places] == [2, 3, 4], places
    for visitor in ("at work 0", "at work 1"):
        ask(f"{toy}/work/{begin(toy, visitor)}/stop", {})


def test_a_new_order_takes_the_place_of_the_old(toy):
    first = begin(toy, "same")
    second = begin(toy, "same", 2.0)
    assert until(toy, first, lambda told: told["state"] == "stopped")
    assert "worth <b>2.00</b>" in until(toy, second, lambda told: told["state"] == "done")["stage"]


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
def test_a_bad_order_is_refused_with_what_to_do(toy, path, body, status, says):
    found, told = ask(f"{toy}/work/{path}", body)
    assert (found, says in told["message"]) == (status, True), told


def test_nobody_knows_an_order_that_is_not_theirs(toy):
    assert ask(f"{toy}/work/{'0' * 32}/progress")[0] == 404


@pytest.fixture
def firm(tmp_path) -> Iterator[Supervisor]:
    firm = Supervisor(JobQueue(str(tmp_path / "work.db"), workers=1), "tests.toy", "lessons.start")
    firm.start()
    yield firm
    firm.close()


def ended(line: JobQueue, id: str, patience: float = 60) -> dict:
    return stands(line, id, lambda state: state not in ("waits", "runs"), patience)


def until_runs(line: JobQueue, id: str) -> None:
    assert stands(line, id, lambda state: state != "waits")["state"] == "runs"


def stands(line: JobQueue, id: str, is_met: Callable[[str], bool], patience: float = 60) -> dict:
    """What is told of an order once its state is as wanted."""
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        told = line.progress(id)
        assert told
        if is_met(told["state"]):
            return told
        time.sleep(0.1)
    raise AssertionError(told)


def children(process: int) -> list[int]:
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as found:
        return [int(number) for number in found.read().split()]


def test_a_process_that_is_killed_costs_its_order_and_no_other(firm):
    line = firm.line
    id = line.order("one", "toy-again", {"scale": 1.0}, ())
    until_runs(line, id)
    [labourer] = [child for worker in children(firm.process.pid) for child in children(worker)]
    os.kill(labourer, signal.SIGKILL)
    told = ended(line, id)
    assert (told["state"], "start it again" in told["message"]) == ("failed", True)
    again = line.order("one", "toy-again", {"scale": 1.0}, ())
    assert ended(line, again)["state"] == "done"
    third = line.order("one", "toy-again", {"scale": 1.0}, ())
    until_runs(line, third)
    os.kill(firm.process.pid, signal.SIGKILL)  # all of them: it is noticed, and others take their place
    assert ended(line, third)["state"] == "lost"
    assert ended(line, line.order("one", "toy-again", {"scale": 1.0}, ()))["state"] == "done"


def test_what_nobody_asks_about_ends(firm, monkeypatch):
    line = firm.line
    id = line.order("one", "toy-again", {"scale": 1.0}, ())
    until_runs(line, id)
    line.write(f"asked {id}", time.time() - lines.ABANDONED_SECONDS - 1)
    ends = time.monotonic() + 10
    while line.read(f"told {id}")["state"] == "runs" and time.monotonic() < ends:
        time.sleep(0.1)
    told = line.read(f"told {id}")
    assert (told["state"], told["message"]) == ("stopped", ABANDONED)


def test_the_line_is_bounded_and_what_is_old_is_forgotten(tmp_path, monkeypatch):
    line = JobQueue(str(tmp_path / "work.db"))
    ids = [line.order(f"visitor {n}", "toy-again", {}, ()) for n in range(lines.MAX_WAITING)]
    with pytest.raises(QueueFull, match="try again in a minute"):
        line.order("one more", "toy-again", {}, ())
    assert [line.jobs_ahead(id) for id in ids] == list(range(lines.MAX_WAITING))
    line.stop(ids[0])
    assert line.jobs_ahead(ids[1]) == 0
    monkeypatch.setattr(lines, "RESULT_SECONDS", -1.0)
    monkeypatch.setattr(lines, "MAX_WAITING", 99)
    line.order("late", "toy-again", {}, ())
    assert line.progress(ids[0]) is None


def test_work_processes_do_not_outlive_a_parent_that_ends_at_once(tmp_path):
    lines = (
        "import os",
        "from lessons.kit.jobs.supervisor import Supervisor",
        "from lessons.kit.jobs.queue import JobQueue",
        f"firm = Supervisor(JobQueue({str(tmp_path / 'work.db')!r}), 'tests.toy', 'lessons.start')",
        "firm.start()",
        "print(firm.process.pid, flush=True)",
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
    monkeypatch.setattr(site.firm, "start", lambda: None)  # nobody works: all wait

    def order(address: str, visitor: str, address_of: str, **more: str) -> int:
        headers = {
            "Content-Type": "application/json",
            "X-Forwarded-For": address_of,
            "Authorization": f"Bearer {more.pop('secret', '')}",
        }
        body = json.dumps({"visitor": visitor, "values": {}} | more).encode()
        return Server(address).ask("POST", "/work/toy-again", body, headers)[0]

    with in_thread(site.asgi()) as address:
        room = ask(f"{address}/room", {})[1]
        assert [order(address, f"invented {n}", "192.0.2.1") for n in range(24)] == [202] * 10 + [503] * 14
        assert [order(address, f"other {n}", f"192.0.2.{n + 2}") for n in range(11)] == [202] * 10 + [503]
        assert order(address, "lecturer", "192.0.2.1", room=room["code"], secret=room["secret"]) == 202
        assert order(address, "no lecturer", "192.0.2.99", room=room["code"], secret="guessed") == 503
