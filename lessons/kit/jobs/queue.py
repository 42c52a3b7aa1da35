"""The job queue: waiting jobs, their progress, and whether a page still polls for them.

Everything is in the store, so any process can read it. Jobs are Huey tasks in SQLite (a local file), or in
Redis if SEQ2SEE_STORE is the URL of a Redis server.
"""

import json
import os
import sqlite3
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from huey import Huey, PriorityRedisHuey, SqliteHuey
from huey.exceptions import ConfigurationError
from huey.registry import Message
from huey.serializer import Serializer
from huey.storage import PriorityRedisStorage, SqliteStorage

from lessons.kit.sqlite_file import SqliteFile, is_damaged

try:
    from redis import exceptions as redis_errors

    REDIS_ERRORS: tuple[type[Exception], ...] = (redis_errors.RedisError,)
except ImportError:  # needed only if SEQ2SEE_STORE is a Redis URL
    REDIS_ERRORS = ()

MAX_WAITING = 20  # maximum number of waiting jobs
MAX_WAITING_PER_ADDRESS = 10
MAX_EXTRA_FOR_LECTURERS = 5  # waiting jobs of lecturers beyond MAX_WAITING
ABANDONED_SECONDS = 15.0  # drop a job after this time without a progress request
HEARTBEAT_SECONDS = 5.0  # a running job counts as lost after this time without an update
RESULT_SECONDS = 600.0  # how long a finished job is kept
FIRST_ESTIMATE_SECONDS = 20.0  # assumed duration of a job before any has finished
ABANDONED_MESSAGE = (
    f"Nobody looked at this for {ABANDONED_SECONDS:.0f} seconds, so it was ended; what was found stays."
)
# raised by a store that is full, read-only, unreachable or not configured
STORE_ERRORS = (OSError, sqlite3.Error, *REDIS_ERRORS, ConfigurationError)


class SecureDeleteStorage(SqliteStorage):
    """SQLite storage that overwrites deleted data, so that a learner's text cannot be recovered."""

    def __init__(self, *args: Any, filename: str, **kwargs: Any):
        self.file = SqliteFile(Path(filename), self._create_connection)
        super().__init__(*args, filename=filename, **kwargs)

    @property
    def conn(self) -> sqlite3.Connection:
        return self.file.connection()

    def initialize_schema(self) -> None:
        """Open the file once, so that an unusable store raises an error here. Each process connects again."""
        self.file.connection()
        self.file.close()

    def _create_connection(self) -> sqlite3.Connection:
        connection = super()._create_connection()
        connection.execute("pragma secure_delete=on")
        for table in self.ddl:
            connection.execute(table)
        return connection

    def sql(self, *args: Any, **kwargs: Any) -> Any:
        """Run the statement; if the file is damaged, run it again in a new file."""
        with self.lock:
            self.file.connection()
            opened = self.file.opened
        try:
            return super().sql(*args, **kwargs)
        except sqlite3.DatabaseError as error:
            if not is_damaged(error):
                raise
            self.file.discard(opened)
            return super().sql(*args, **kwargs)

    def remove_task(self, data: bytes) -> None:
        self.sql("delete from task where queue = ? and data = ?", (self.name, data), commit=True)

    def compact(self) -> None:
        """Empty the write-ahead log, which may still hold deleted text."""
        self.sql("pragma wal_checkpoint(truncate)", results=True)


class RedisTaskStorage(PriorityRedisStorage):
    def remove_task(self, data: bytes) -> None:
        for item in self.conn.zrange(self.queue_key, 0, -1):
            if item[8:] == data:  # the first eight bytes are the time the item was added
                self.conn.zrem(self.queue_key, item)


class UnreadableTask(ValueError):
    """A queue entry that is not one of our jobs."""


class JsonSerializer(Serializer):
    """Serialize tasks as JSON.

    Huey's default is pickle, with which anybody who can write to the store could run code here.
    """

    fields = ("id", "name", "priority", "args")

    def _serialize(self, data: Any) -> bytes:
        return json.dumps({name: getattr(data, name) for name in self.fields}).encode()

    def _deserialize(self, data: Any) -> Message:
        try:
            found = json.loads(bytes(data))
            return Message(**{name: found[name] for name in self.fields})
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise UnreadableTask("an entry of the queue is not a job; it is dropped") from error


class QueueFull(Exception):
    """Too many jobs are waiting. The message is for the learner."""


class QueuedJob(NamedTuple):
    """A job of one experiment, in one state, for one visitor."""

    id: str
    visitor: str
    name: str  # a key of `jobs_by_name` (web/jobs.py)
    state: dict[str, Any]
    acts: tuple[str, ...]
    address: str = ""  # IP address of the visitor


class JobQueue:
    def __init__(self, store: str | None = None, workers: int = 1):
        self.store, self.workers = store or os.environ.get("SEQ2SEE_STORE") or "", workers
        if not self.store:
            # temporary folder, removed together with this object
            self.folder = tempfile.TemporaryDirectory(prefix="seq2see-", ignore_cleanup_errors=True)
            self.store = str(Path(self.folder.name) / "work.db")
        self.connect(lambda job: None)  # worker processes replace this by a function that runs jobs

    def connect(self, run: Callable[[QueuedJob], None]) -> None:
        """Connect to the store. Call this again after a fork, which makes connections unusable."""

        def run_task(fields: list[Any]) -> None:
            run(QueuedJob(*fields))

        self.huey = self.make_huey()
        self.enqueue = self.huey.task(name="order")(run_task)

    def make_huey(self) -> Huey:
        common = {"name": "seq2see", "results": False, "utc": True, "serializer": JsonSerializer()}
        if self.store.startswith(("redis://", "rediss://")):
            return PriorityRedisHuey(storage_class=RedisTaskStorage, url=self.store, **common)
        return SqliteHuey(
            storage_class=SecureDeleteStorage, filename=self.store, fsync=False, strict_fifo=True, **common
        )

    # ---- for the web ----

    def submit(
        self,
        visitor: str,
        name: str,
        state: dict[str, Any],
        acts: Sequence[str],
        is_lecturer: bool = False,
        address: str = "",
    ) -> str:
        """Add a job and return its id. If accepted, it replaces an earlier job of the same visitor.

        Lecturers' jobs go first and are accepted even when the queue is full.
        """
        self.check_capacity(visitor, is_lecturer, address)
        if old := self.get(f"visitor {visitor}"):
            self.stop(old)
        job = QueuedJob(uuid.uuid4().hex, visitor, name, state, tuple(acts), address)
        self.put(f"visitor {visitor}", job.id)
        self.set_status(job.id, "waits")
        self.put(f"polled {job.id}", time.time())
        self.remove_expired(job.id)
        self.enqueue(list(job), priority=1 if is_lecturer else 0)
        return job.id

    def check_capacity(self, visitor: str, is_lecturer: bool, address: str) -> None:
        """Remove abandoned jobs, then raise QueueFull if the queue is still full."""
        for may_remove in (True, False):
            others = [job for job in self.waiting() if job.visitor != visitor]
            same_address = sum(job.address == address for job in others) if address and not is_lecturer else 0
            capacity = MAX_WAITING + MAX_EXTRA_FOR_LECTURERS * is_lecturer
            if len(others) < capacity and same_address < MAX_WAITING_PER_ADDRESS:
                return
            for job in others if may_remove else ():
                if not self.is_wanted(job.id):
                    self.cancel(job.id)
                    self.set_status(job.id, "stopped", message=ABANDONED_MESSAGE)
        if same_address >= MAX_WAITING_PER_ADDRESS:
            raise QueueFull(
                f"{MAX_WAITING_PER_ADDRESS} others from your network wait already. Please try again in a"
                " minute."
            )
        raise QueueFull(f"{len(others)} others wait already. Please try again in a minute.")

    def progress(self, id: str, seen: int = 0) -> dict[str, Any] | None:
        """Return a job's status for the page, or None if there is no such job. Each call keeps the job alive.

        `seen`: number of drawings the page has; the latest is sent only if it is newer.
        """
        status = self.get(f"status {id}")
        if status is None:
            return None
        self.put(f"polled {id}", time.time())
        if status["state"] == "waits":
            ahead = self.jobs_ahead(id)
            seconds = round((ahead / self.workers + 0.5) * self.typical_seconds())
            return status | {"ahead": ahead, "seconds": seconds}
        if status["state"] == "runs" and time.time() - status["time"] > HEARTBEAT_SECONDS:
            return status | {"state": "lost"}
        if status["parts"] > seen:
            status["stage"] = self.get(f"stage {id}")
        return status

    def stop(self, id: str) -> None:
        status = self.get(f"status {id}")
        if status and status["state"] in ("waits", "runs"):
            self.put(f"stop {id}", True)
            if status["state"] == "waits":
                self.cancel(id)
                self.set_status(id, "stopped")

    def jobs_ahead(self, id: str) -> int:
        """Number of jobs that run or wait before this one."""
        waiting = [job.id for job in self.waiting()]
        return (waiting.index(id) if id in waiting else 0) + len(self.running())

    def waiting(self) -> list[QueuedJob]:
        return [job for _, job in self.queued()]

    def queued(self) -> list[tuple[bytes, QueuedJob]]:
        """Waiting jobs in queue order, each with its serialized task."""
        jobs = []
        for data in self.huey.storage.enqueued_items():
            with suppress(UnreadableTask, TypeError):  # the worker that dequeues this entry logs the error
                jobs.append((bytes(data), QueuedJob(*self.huey.serializer.deserialize(data).args[0])))
        return jobs

    def cancel(self, id: str) -> None:
        for data, job in self.queued():
            if job.id == id:
                self.huey.storage.remove_task(data)

    def running(self) -> list[str]:
        return [
            id
            for id in self.get("running") or []
            if (status := self.get(f"status {id}")) and status["state"] == "runs"
        ]

    def typical_seconds(self) -> float:
        return self.get("typical seconds") or FIRST_ESTIMATE_SECONDS

    # ---- for the worker processes ----

    def is_wanted(self, id: str) -> bool:
        """Whether a page has requested the job's progress recently and no learner has stopped the job."""
        polled = self.get(f"polled {id}")
        return polled is not None and time.time() - polled < ABANDONED_SECONDS and not self.was_stopped(id)

    def was_stopped(self, id: str) -> bool:
        """Whether a learner stopped the job (abandoned jobs do not count)."""
        return bool(self.get(f"stop {id}"))

    def set_status(
        self, id: str, state: str, share: float = 0.0, message: str = "", stage: str | None = None
    ) -> None:
        """Store a job's status: waits, runs, done, stopped or failed. `stage`: a new drawing, if any."""
        status = self.get(f"status {id}") or {"parts": 0}
        if stage is not None:
            self.put(f"stage {id}", stage)
            status["parts"] += 1
        status |= {"state": state, "share": share, "message": message, "time": time.time()}
        self.put(f"status {id}", status)

    def record_start(self, id: str) -> None:
        self.put("running", [*self.running()[-9:], id])

    def record_duration(self, seconds: float) -> None:
        """Update the moving average of job durations, used to estimate waiting times."""
        self.put("typical seconds", 0.7 * self.typical_seconds() + 0.3 * seconds)

    # ---- the store ----

    def get(self, key: str) -> Any:
        value = self.huey.storage.peek_data(key)
        return json.loads(bytes(value)) if isinstance(value, bytes | memoryview) else None

    def put(self, key: str, value: Any) -> None:
        self.huey.storage.put_data(key, json.dumps(value).encode())

    def remove_expired(self, newest: str | None = None) -> None:
        """Delete the data of old jobs. `newest`: the id of a job that was just added."""
        jobs = [*([[newest, time.time()]] if newest else ()), *(self.get("jobs") or [])]
        for id, since in jobs:
            if time.time() - since > RESULT_SECONDS:
                for key in ("status", "polled", "stage", "stop"):
                    self.huey.storage.delete_data(f"{key} {id}")
        self.put("jobs", [entry for entry in jobs if time.time() - entry[1] <= RESULT_SECONDS][:500])

    def compact(self) -> None:
        if isinstance(self.huey.storage, SecureDeleteStorage):
            self.huey.storage.compact()
