"""Job queue: which jobs may wait, what the queue contains, and recovery from a lost or damaged store."""

import json
import logging
import os
import pickle
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from huey.consumer import Worker

from lessons.kit.classroom.store import SqliteStore
from lessons.kit.jobs import queue
from lessons.kit.jobs.queue import ABANDONED_MESSAGE, JobQueue, QueueFull
from lessons.kit.jobs.worker import ThrottledLogFilter
from lessons.kit.sqlite_file import SqliteFile, is_damaged
from tests.bench.serve import ROOT, free_port, run_process
from tests.helpers import WITHOUT_COURSE


def submit(job_queue: JobQueue, visitor: str, address: str = "", is_lecturer: bool = False) -> str:
    return job_queue.submit(visitor, "toy-again", {"scale": 1.0}, (), is_lecturer, address)


def redis_queue(folder: Path) -> Iterator[JobQueue]:
    program = shutil.which("redis-server")
    assert program, "please install redis-server (tests/run does)"
    port = free_port()
    with run_process(
        [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    ):
        job_queue = JobQueue(f"redis://127.0.0.1:{port}/0")
        for _ in range(200):
            try:
                job_queue.huey.storage.conn.ping()
                break
            except queue.STORE_ERRORS:
                threading.Event().wait(0.05)
        yield job_queue


@pytest.fixture(params=["sqlite", "redis"])
def job_queue(request, tmp_path) -> Iterator[JobQueue]:
    if request.param == "redis":
        yield from redis_queue(tmp_path)
    else:
        yield JobQueue(str(tmp_path / "work.db"))


# ---- which jobs may wait ----


def test_one_address_cannot_fill_the_queue_and_lecturers_get_in(job_queue):
    for n in range(queue.MAX_WAITING_PER_ADDRESS):
        submit(job_queue, f"invented {n}", "6.6.6.6")
    with pytest.raises(QueueFull, match="from your network"):
        submit(job_queue, "one more", "6.6.6.6")
    for n in range(queue.MAX_WAITING - queue.MAX_WAITING_PER_ADDRESS):
        submit(job_queue, f"other {n}", f"10.0.0.{n}")
    with pytest.raises(QueueFull, match=f"{queue.MAX_WAITING} others wait"):
        submit(job_queue, "late", "10.9.9.9")
    led = [
        submit(job_queue, f"lecturer {n}", "6.6.6.6", is_lecturer=True)
        for n in range(queue.MAX_EXTRA_FOR_LECTURERS)
    ]
    assert [job_queue.jobs_ahead(id) for id in led] == list(range(queue.MAX_EXTRA_FOR_LECTURERS)), (
        "lecturers go first"
    )
    with pytest.raises(QueueFull):
        submit(job_queue, "another lecturer", "10.1.1.1", is_lecturer=True)


def test_a_refused_job_does_not_stop_the_old_one(job_queue):
    old = submit(job_queue, "mine", "10.0.0.1")
    for n in range(queue.MAX_WAITING - 1):
        submit(job_queue, f"other {n}", f"10.0.1.{n}")
    new = submit(job_queue, "mine", "10.0.0.1")
    assert (job_queue.progress(old)["state"], job_queue.progress(new)["state"]) == ("stopped", "waits"), (
        "the old job frees its place"
    )
    submit(job_queue, "lecturer", "10.0.2.1", is_lecturer=True)
    with pytest.raises(QueueFull):
        submit(job_queue, "mine", "10.0.0.1")
    assert job_queue.progress(new)["state"] == "waits"


def test_stopped_and_abandoned_jobs_leave_the_queue(job_queue):
    for _ in range(3 * queue.MAX_WAITING):
        submit(job_queue, "again and again", "6.6.6.6")
    assert len(job_queue.huey.storage.enqueued_items()) == 1
    abandoned = [submit(job_queue, f"gone {n}", f"10.0.0.{n}") for n in range(queue.MAX_WAITING - 1)]
    job_queue.put(f"polled {abandoned[0]}", 0)
    new = submit(job_queue, "new", "10.0.9.9")
    assert (
        job_queue.get(f"status {abandoned[0]}")["state"],
        job_queue.get(f"status {abandoned[0]}")["message"],
    ) == ("stopped", ABANDONED_MESSAGE)
    assert job_queue.progress(new)["ahead"] == queue.MAX_WAITING - 1


# ---- what the queue contains ----


class Harmful:
    def __reduce__(self) -> tuple[Callable, tuple]:
        return exec, ("import os; os.environ['SEQ2SEE_HARMED'] = 'yes'",)


@pytest.mark.parametrize(
    "data",
    [pickle.dumps(Harmful()), b"[]", b"null", b'{"id": 1}', b"\xff", b"[" * 100_000],
    ids=lambda data: str(data[:9]),
)
def test_an_unreadable_task_is_dropped_and_logged(job_queue, caplog, data):
    done: list[str] = []
    job_queue.connect(lambda found: done.append(found.id))
    job_queue.huey.storage.enqueue(data, 2)
    id = submit(job_queue, "after it")
    assert job_queue.jobs_ahead(id) == 0
    worker = Worker(job_queue.huey, threading.Event(), 0.01, 0.01, 1)
    worker._logger.addFilter(rare := ThrottledLogFilter())
    try:
        with caplog.at_level(logging.WARNING):
            worker.loop()
            worker.loop()
    finally:
        worker._logger.removeFilter(rare)
    assert "SEQ2SEE_HARMED" not in os.environ
    assert done == [id]
    [record] = [record for record in caplog.records if "not a job" in record.getMessage()]
    assert record.exc_info is None, "one line, no traceback"


def test_a_job_is_json_in_the_store(job_queue):
    submit(job_queue, "one", "10.0.0.1")
    [data] = job_queue.huey.storage.enqueued_items()
    assert json.loads(bytes(data))["args"][0][1:3] == ["one", "toy-again"]


# ---- files of the store ----


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@pytest.mark.parametrize("existing", [False, True])
def test_only_the_owner_can_read_the_files_of_a_store(tmp_path, existing):
    before = os.umask(0)
    try:
        if existing:
            for name in ("work.db", "rooms.db"):
                (tmp_path / name).touch(0o666)
        job_queue, rooms = JobQueue(str(tmp_path / "work.db")), SqliteStore(tmp_path / "rooms.db")
        submit(job_queue, "one")
        rooms.put("a", "b", "c", 60)
        assert {path.name for path in tmp_path.iterdir()} >= {
            "work.db-wal",
            "work.db-shm",
            "rooms.db-wal",
            "rooms.db-shm",
        }
        assert modes(tmp_path) == {0o600}
    finally:
        os.umask(before)


def delete(path: Path) -> None:
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()


def delete_only_the_file(path: Path) -> None:
    path.unlink()


def delete_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def overwrite(path: Path) -> None:
    path.write_bytes(b"not a database at all " * 4000)


def replace(path: Path) -> None:
    other = path.with_name("other")
    overwrite(other)
    os.replace(other, path)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def damage_pages(path: Path) -> None:
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(b"\xab" * (path.stat().st_size - 100))


FAULTS = [delete, delete_only_the_file, delete_folder, overwrite, replace, empty, damage_pages]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_store_that_is_lost_or_damaged_is_made_again(tmp_path, fault):
    """A lost or damaged store is recreated, and all processes that have it open use the new one."""
    place = tmp_path / "store"
    place.mkdir()
    web, work = JobQueue(str(place / "work.db")), JobQueue(str(place / "work.db"))
    ids = [submit(web, f"early {n}") for n in range(9)]
    assert all(work.progress(id) for id in ids)
    web.compact()
    fault(place / "work.db")
    for n in range(3):
        id = submit(web, f"late {n}")
        assert work.progress(id)["state"] == "waits"
        assert work.huey.dequeue().args[0][0] == id
    submit(work, "last")
    assert [found.visitor for found in web.waiting()] == ["last"]
    assert modes(place) == {0o600}


@pytest.mark.parametrize("fault", FAULTS)
def test_rooms_come_back_after_their_store_was_lost_or_damaged(tmp_path, fault):
    place = tmp_path / "store"
    place.mkdir()
    one, two = SqliteStore(place / "rooms.db"), SqliteStore(place / "rooms.db")
    for n in range(9):
        one.put("room", str(n), "there" * 99, 60)
    assert len(two.all("room")) == 9
    two.run("pragma wal_checkpoint(truncate)")
    fault(place / "rooms.db")
    one.put("room", "new", "there", 60)
    assert two.all("room") == one.all("room")
    assert two.get("room", "new") == "there"
    assert two.count("room", "visits", 60) == 1
    assert modes(place) == {0o600}


def test_of_two_threads_one_moves_the_damaged_file_aside(tmp_path, monkeypatch):
    """If two threads find the store damaged, the second must not move the first one's new file aside."""
    job_queue = JobQueue(str(tmp_path / "work.db"))
    job_queue.put("early", "there")
    with closing(sqlite3.connect(tmp_path / "work.db")) as other:
        other.execute("drop table kv")
    both, first_is_done, turns = threading.Barrier(2, timeout=20), threading.Event(), iter((True, False))
    discard = SqliteFile.discard

    def meet(error: sqlite3.Error) -> bool:
        both.wait()
        return is_damaged(error)

    def take_turns(*given: object) -> None:
        if not next(turns):
            first_is_done.wait(20)
        discard(*given)

    def write(key: str) -> None:
        job_queue.put(key, "new")
        first_is_done.set()

    monkeypatch.setattr(queue, "is_damaged", meet)
    monkeypatch.setattr(SqliteFile, "discard", take_turns)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(write, ("one", "two")))
    assert [job_queue.get(key) for key in ("one", "two", "early")] == ["new", "new", None]


def test_many_processes_find_one_new_file(tmp_path):
    """All processes use the same new file if they notice at the same time that the old one is gone."""
    code = """
import sys, time
from pathlib import Path
from lessons.kit.classroom.store import SqliteStore
from lessons.kit.sqlite_file import SqliteFile, is_damaged
store = SqliteStore(Path(sys.argv[1]))
store.put("a", sys.argv[2], "early", 60)
print("ready", flush=True)
sys.stdin.readline()
for n in range(50):
    store.count("a", "all", 60)
"""
    path = tmp_path / "rooms.db"
    command = [sys.executable, "-c", WITHOUT_COURSE + code, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    others = [subprocess.Popen([*command, str(n)], **pipes) for n in range(4)]
    for other in others:
        assert other.stdout.readline() == "ready\n"
    delete(path)
    for other in others:
        other.stdin.write("go\n")
        other.stdin.flush()
    assert [other.wait(60) for other in others] == [0] * 4
    assert SqliteStore(path).get("a", "all") == "200"
