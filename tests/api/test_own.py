"""Own sentence pairs over HTTP: the endpoint reads their text, refuses large files, and stores nothing."""

import http.client
import json
import os
import signal
import sqlite3
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from lessons.kit import link
from lessons.kit.controls import text_fingerprint
from lessons.kit.jobs import artifacts, queue
from lessons.kit.jobs.queue import JobQueue
from lessons.kit.jobs.supervisor import Supervisor
from lessons.training import LESSON
from lessons.training.training_run import unpack_run
from tests.api.test_draw import cached_entries
from tests.api.test_jobs import ask, children, wait_until_ended
from tests.api.test_strangers import Server, events

SECRET = "wabbajumble"  # a word that occurs in no other test
TEXT = "".join(f"{SECRET} {n}\t{n} secret\n" for n in range(40))
QUICK = {"pairs": TEXT, "width": "8", "budget": 5}


def call(course: str, **given) -> tuple[str, dict]:
    """Call an endpoint by name, as Gradio documents it; return the final event and the answer or error."""
    status, said = Server(course).call("training_own", given, by_name=True)
    assert status == 200, said
    # heartbeats are sent while it computes
    [(event, told)] = [one for one in events(said) if one[0] != "heartbeat"]
    return event, told[0] if event == "complete" else told


def test_the_endpoint_takes_the_text_and_answers_its_report(course):
    event, found = call(course, pairs=TEXT)
    assert event == "complete", found
    assert (found["report"]["pairs"], found["brought"]) == (40, True)
    assert found["report"]["first"][0] == [f"{SECRET} 0", "0 secret"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("alone\n" * 20, "only one column"),
        ("a\0b\0" * 20, "UTF-16"),
        ("\x89PNG\0\x01" * 9, "no text"),
        ("x" * 120_001, "at most 120 KB"),
    ],
)
def test_a_bad_text_is_refused_with_what_to_do(course, text, says):
    event, told = call(course, pairs=text)
    assert (event, says in told["error"]) == ("error", True), told
    status, said = Server(course).post("/draw/training/own", {"values": {"pairs": text}})
    assert (status, says in json.loads(said.split("\n")[0])["complaint"]) == (200, True), said
    status, told = ask(f"{course}/work/training-own", {"visitor": "one", "values": {"pairs": text}})
    assert status == (400 if says == "at most 120 KB" else 202), (
        told
    )  # the others fail when the text is parsed
    if status == 202:
        ask(f"{course}/work/{told['id']}/stop", {})


def test_a_hundred_megabytes_are_refused_before_they_are_read(course):
    for path in ("/work/training-own", "/draw/training/own", "/gradio_api/call/training_own"):
        there = http.client.HTTPConnection(urlsplit(course).netloc, timeout=60)
        there.putrequest("POST", path)
        there.putheader("Content-Type", "application/json")
        there.putheader("Content-Length", str(100 << 20))
        there.endheaders()
        answer = there.getresponse()
        assert (answer.status, b"At most 256 KB" in answer.read()) == (413, True)


def test_no_answer_to_a_text_is_cached(course):
    assert call(course, pairs=TEXT)[0] == "complete"
    assert Server(course).post("/draw/training/own", {"values": {"pairs": TEXT}})[0] == 200
    assert cached_entries(SECRET) == []


def test_a_link_does_not_carry_the_text(course):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(
            f"{course}/export/training/own/report.json?pairs={text_fingerprint(TEXT)}", timeout=60
        )
    assert (refused.value.code, b"does not carry" in refused.value.read()) == (400, True)


@pytest.fixture
def supervisor(tmp_path, monkeypatch):
    monkeypatch.setattr(artifacts, "STORE_PATHS", [])
    supervisor = Supervisor(JobQueue(str(tmp_path / "work.db"), workers=1), "lessons", "lessons.start")
    artifacts.attach(supervisor.queue)
    supervisor.start()
    yield supervisor
    supervisor.close()


def wait_until_runs(job_queue: JobQueue, id: str) -> None:
    ends = time.monotonic() + 240
    while (told := job_queue.progress(id))["state"] != "runs" or not told["parts"]:
        assert time.monotonic() < ends, told
        assert told["state"] in ("waits", "runs"), told
        time.sleep(0.1)


def rows(place: str) -> str:
    with sqlite3.connect(place) as store:
        return repr([store.execute(f"select * from {table}").fetchall() for table in ("kv", "task")])


def test_a_killed_training_fails_the_next_one_runs_and_nothing_is_left(supervisor, monkeypatch):
    job_queue, place = supervisor.queue, supervisor.queue.store
    id = job_queue.submit("one", "training-own", QUICK | {"budget": 120}, ())
    wait_until_runs(job_queue, id)
    [child_process] = [child for worker in children(supervisor.process.pid) for child in children(worker)]
    os.kill(child_process, signal.SIGKILL)
    told = wait_until_ended(job_queue, id)
    assert (told["state"], "start it again" in told["message"]) == ("failed", True)
    again = job_queue.submit("one", "training-own", QUICK, ())
    done = wait_until_ended(job_queue, again, 240)
    assert done["state"] == "done", done
    assert SECRET in rows(place), "the run and its drawings are kept for a while"
    name = json.loads(done["stage"].split("\n")[0])["set"]["runs"][0]
    assert artifacts.get(name)
    monkeypatch.setattr(queue, "RESULT_SECONDS", -1.0)
    monkeypatch.setattr(artifacts, "ARTIFACT_SECONDS", -1.0)
    job_queue.remove_expired()
    artifacts.remove_expired(job_queue)
    job_queue.compact()
    assert artifacts.get(name) is None
    assert SECRET not in rows(place)
    assert not any(SECRET.encode() in path.read_bytes() for path in Path(place).parent.glob("work.db*"))


def test_an_abandoned_training_ends_and_its_run_is_saved(supervisor):
    job_queue = supervisor.queue
    id = job_queue.submit("one", "training-own", QUICK | {"budget": 120}, ())
    wait_until_runs(job_queue, id)
    job_queue.put(f"polled {id}", time.time() - queue.ABANDONED_SECONDS - 1)
    ends = time.monotonic() + 30
    while job_queue.get(f"status {id}")["state"] == "runs" and time.monotonic() < ends:
        time.sleep(0.1)
    found = job_queue.progress(id)
    assert (found["state"], found["message"]) == ("stopped", queue.ABANDONED_MESSAGE)
    about = json.loads(found["stage"].split("\n")[0])
    [name] = about["set"]["runs"]
    assert {("pairs", text_fingerprint(TEXT)), ("runs", name)} <= {*parse_qsl(about["link"])}, (
        "the link leads back to the run"
    )
    left = unpack_run(artifacts.get(name))
    onward = job_queue.submit("one", "training-own-onward", QUICK | {"runs": [name]}, ())
    done = wait_until_ended(job_queue, onward, 240)
    assert done["state"] == "done", done
    new = unpack_run(artifacts.get(json.loads(done["stage"].split("\n")[0])["set"]["runs"][0]))
    assert new.looks[: len(left.looks)] == left.looks
    assert new.last.step > left.last.step


def test_no_answer_about_a_run_is_cached(course):
    """Answers about a run must not be cached: it may still be training, so its content changes."""
    with urllib.request.urlopen(
        f"{course}/export/training/live/exact.svg?runs={'f' * 16}", timeout=60
    ) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
    live = LESSON.experiment("live")
    assert live.is_private(link.parse(live, {"runs": "3f9a5c71e0b24d87"}))
    assert not live.is_private(link.parse(live, {"task": "copy"}))
    assert cached_entries("3f9a5c71e0b24d87") == []


def test_a_run_can_be_deleted_by_its_name(course):
    artifacts.put("c" * 16, b"mine")
    artifacts.put("d" * 16, b"yours")
    assert ask(f"{course}/work/forget", {"names": ["c" * 16, "../../etc/passwd", ""]})[0] == 204
    assert (artifacts.get("c" * 16), artifacts.get("d" * 16)) == (None, b"yours")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"budget": 0}, "between 5 and 120"),
        ({"width": "0"}, "choose one of 1, 8"),
        ({"power": "inf"}, "a number, please"),
    ],
)
@pytest.mark.parametrize("experiment", ["live", "own"])
def test_settings_that_cannot_be_trained_with_are_refused(course, experiment, change, says):
    status, told = ask(f"{course}/work/training-{experiment}", {"visitor": "one", "values": change})
    assert (status, says in told["message"]) == (400, True), told
