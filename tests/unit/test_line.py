"""The line of long work: who may wait, what stands in the queue, and a store that is lost or damaged while it is used."""

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
from lessons.kit.jobs import queue as lines
from lessons.kit.jobs.queue import ABANDONED, JobQueue, QueueFull
from lessons.kit.jobs.worker import ThrottledLogFilter
from lessons.kit.sqlite_file import SqliteFile, is_damaged
from tests.bench.serve import ROOT, free_port, process


def order(line: JobQueue, visitor: str, address: str = "", first: bool = False) -> str:
    return line.order(visitor, "toy-again", {"scale": 1.0}, (), first, address)


def redis_line(folder: Path) -> Iterator[JobQueue]:
    program = shutil.which("redis-server")
    assert program, "please install redis-server (tests/run does)"
    port = free_port()
    with process([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]):
        line = JobQueue(f"redis://127.0.0.1:{port}/0")
        for _ in range(200):
            try:
                line.huey.storage.conn.ping()
                break
            except lines.STORE_ERRORS:
                threading.Event().wait(0.05)
        yield line


@pytest.fixture(params=["sqlite", "redis"])
def line(request, tmp_path) -> Iterator[JobQueue]:
    if request.param == "redis":
        yield from redis_line(tmp_path)
    else:
        yield JobQueue(str(tmp_path / "work.db"))


# ---- who may wait ----


def test_one_address_cannot_fill_the_line_and_who_leads_a_room_is_taken(line):
    for n in range(lines.MAX_WAITING_PER_ADDRESS):
        order(line, f"invented {n}", "6.6.6.6")
    with pytest.raises(QueueFull, match="from your network"):
        order(line, "one more", "6.6.6.6")
    for n in range(lines.MAX_WAITING - lines.MAX_WAITING_PER_ADDRESS):
        order(line, f"other {n}", f"10.0.0.{n}")
    with pytest.raises(QueueFull, match=f"{lines.MAX_WAITING} others wait"):
        order(line, "late", "10.9.9.9")
    led = [order(line, f"lecturer {n}", "6.6.6.6", first=True) for n in range(lines.MAX_EXTRA_FOR_LECTURERS)]
    assert [line.jobs_ahead(id) for id in led] == list(range(lines.MAX_EXTRA_FOR_LECTURERS)), "and goes first"
    with pytest.raises(QueueFull):
        order(line, "another lecturer", "10.1.1.1", first=True)


def test_a_refused_order_does_not_stop_the_old_one(line):
    old = order(line, "mine", "10.0.0.1")
    for n in range(lines.MAX_WAITING - 1):
        order(line, f"other {n}", f"10.0.1.{n}")
    new = order(line, "mine", "10.0.0.1")
    assert (line.progress(old)["state"], line.progress(new)["state"]) == (
        "stopped",
        "waits",
    ), "its own place is free for it"
    order(line, "lecturer", "10.0.2.1", first=True)
    with pytest.raises(QueueFull):
        order(line, "mine", "10.0.0.1")
    assert line.progress(new)["state"] == "waits"


def test_a_stopped_order_leaves_the_queue_and_one_that_nobody_wants_makes_place(line):
    for _ in range(3 * lines.MAX_WAITING):
        order(line, "again and again", "6.6.6.6")
    assert len(line.huey.storage.enqueued_items()) == 1
    forgotten = [order(line, f"gone {n}", f"10.0.0.{n}") for n in range(lines.MAX_WAITING - 1)]
    line.write(f"asked {forgotten[0]}", 0)
    new = order(line, "new", "10.0.9.9")
    assert (line.read(f"told {forgotten[0]}")["state"], line.read(f"told {forgotten[0]}")["message"]) == (
        "stopped",
        ABANDONED,
    )
    assert line.progress(new)["ahead"] == lines.MAX_WAITING - 1


# ---- what stands in the queue ----


class Harmful:
    def __reduce__(self) -> tuple[Callable, tuple]:
        return exec, ("import os; os.environ['SEQ2SEE_HARMED'] = 'yes'",)


@pytest.mark.parametrize(
    "data",
    [pickle.dumps(Harmful()), b"[]", b"null", b'{"id": 1}', b"\xff", b"[" * 100_000],
    ids=lambda data: str(data[:9]),
)
def test_what_is_no_order_is_dropped_with_a_line_in_the_log(line, caplog, data):
    done: list[str] = []
    line.open(lambda found: done.append(found.id))
    line.huey.storage.enqueue(data, 2)
    id = order(line, "after it")
    assert line.jobs_ahead(id) == 0
    worker = Worker(line.huey, threading.Event(), 0.01, 0.01, 1)
    worker._logger.addFilter(rare := ThrottledLogFilter())
    try:
        with caplog.at_level(logging.WARNING):
            worker.loop()
            worker.loop()
    finally:
        worker._logger.removeFilter(rare)
    assert "SEQ2SEE_HARMED" not in os.environ
    assert done == [id]
    [record] = [record for record in caplog.records if "no order" in record.getMessage()]
    assert record.exc_info is None, "one line, no traceback"


def test_an_order_is_json_in_the_store(line):
    order(line, "one", "10.0.0.1")
    [data] = line.huey.storage.enqueued_items()
    assert json.loads(bytes(data))["args"][0][1:3] == ["one", "toy-again"]


# ---- files of the store ----


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@pytest.mark.parametrize("existing", [False, True])
def test_files_of_a_store_are_their_owner_s_alone(tmp_path, existing):
    before = os.umask(0)
    try:
        if existing:
            for name in ("work.db", "rooms.db"):
                (tmp_path / name).touch(0o666)
        line, rooms = JobQueue(str(tmp_path / "work.db")), SqliteStore(tmp_path / "rooms.db")
        order(line, "one")
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
    """For all who have it open."""
    place = tmp_path / "store"
    place.mkdir()
    web, work = JobQueue(str(place / "work.db")), JobQueue(str(place / "work.db"))
    ids = [order(web, f"early {n}") for n in range(9)]
    assert all(work.progress(id) for id in ids)
    web.compact()
    fault(place / "work.db")
    for n in range(3):
        id = order(web, f"late {n}")
        assert work.progress(id)["state"] == "waits"
        assert work.huey.dequeue().args[0][0] == id
    order(work, "last")
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
    """Two threads find the store damaged: the second must not move aside the new file that the first has made."""
    line = JobQueue(str(tmp_path / "work.db"))
    line.write("early", "there")
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
        line.write(key, "new")
        first_is_done.set()

    monkeypatch.setattr(lines, "is_damaged", meet)
    monkeypatch.setattr(SqliteFile, "discard", take_turns)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(write, ("one", "two")))
    assert [line.read(key) for key in ("one", "two", "early")] == ["new", "new", None]


def test_many_processes_find_one_new_file(tmp_path):
    """All notice at the same time that the file is gone."""
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
    command = [sys.executable, "-c", code, str(path)]
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
