"""The line: who waits for long work, how far it is, and who still wants it. All of it is in the store: any process can ask.

By Huey: tasks in SQLite (a file of this machine), or in Redis where SEQ2SEE_STORE says so.
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

    REDIS: tuple[type[Exception], ...] = (redis_errors.RedisError,)
except ImportError:  # needed only where SEQ2SEE_STORE says so
    REDIS = ()

MAX_WAITING = 20  # orders that may wait
MAX_WAITING_PER_ADDRESS = 10  # of these, from one address
MAX_EXTRA_FOR_LECTURERS = 5  # more than these, of those who lead a room
ABANDONED_SECONDS = 15.0  # seconds after which an order that nobody asks about is dropped
HEARTBEAT_SECONDS = 5.0  # seconds after which a running order without a sign of life is lost
RESULT_SECONDS = 600.0  # seconds for which what was found is kept
ABANDONED = (
    f"Nobody looked at this for {ABANDONED_SECONDS:.0f} seconds, so it was ended; what was found stays."
)
FIRST_ESTIMATE_SECONDS = 20.0  # seconds that an order takes, before one was finished
STORE_ERRORS = (
    OSError,
    sqlite3.Error,
    *REDIS,
    ConfigurationError,
)  # what a store raises that is full, read-only, gone or none


class SecureDeleteStorage(SqliteStorage):
    """What is deleted is overwritten: a learner's text must not be found in the file afterwards."""

    def __init__(self, *args: Any, filename: str, **kwargs: Any):
        self.file = SqliteFile(Path(filename), self._create_connection)
        super().__init__(*args, filename=filename, **kwargs)

    @property
    def conn(self) -> sqlite3.Connection:
        return self.file.connection()

    def initialize_schema(self) -> None:
        """A store that cannot be used is noticed here. The connection is for the process that will need it."""
        self.file.connection()
        self.file.close()

    def _create_connection(self) -> sqlite3.Connection:
        connection = super()._create_connection()
        connection.execute("pragma secure_delete=on")
        for table in self.ddl:
            connection.execute(table)
        return connection

    def sql(self, *args: Any, **kwargs: Any) -> Any:
        """Asked again of a new file, if this one is damaged."""
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

    def take_out(self, data: bytes) -> None:
        self.sql("delete from task where queue = ? and data = ?", (self.name, data), commit=True)

    def compact(self) -> None:
        """Also in what was written ahead."""
        self.sql("pragma wal_checkpoint(truncate)", results=True)


class RedisQueue(PriorityRedisStorage):
    def take_out(self, data: bytes) -> None:
        for item in self.conn.zrange(self.queue_key, 0, -1):
            if item[8:] == data:  # before it stands when it came
                self.conn.zrem(self.queue_key, item)


class Unreadable(ValueError):
    """Something in the queue that is no order of ours."""


class JsonSerializer(Serializer):
    """Tasks as JSON. Huey's own serializer is pickle: who can write to the store could then run code here."""

    fields = ("id", "name", "priority", "args")

    def _serialize(self, data: Any) -> bytes:
        return json.dumps({name: getattr(data, name) for name in self.fields}).encode()

    def _deserialize(self, data: Any) -> Message:
        try:
            found = json.loads(bytes(data))
            return Message(**{name: found[name] for name in self.fields})
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise Unreadable("what stands in the queue is no order; it is dropped") from error


class QueueFull(Exception):
    """Too many wait already. The message is for the learner."""


class Order(NamedTuple):
    """Long work of one experiment, in one state, for one visitor."""

    id: str
    visitor: str
    stage: str  # lesson-experiment, or what goes on there (web/jobs.py)
    state: dict[str, Any]
    acts: tuple[str, ...]
    address: str = ""  # where the visitor is


class JobQueue:
    def __init__(self, store: str | None = None, workers: int = 1):
        self.place, self.workers = store or os.environ.get("SEQ2SEE_STORE") or "", workers
        if not self.place:
            self.folder = tempfile.TemporaryDirectory(
                prefix="seq2see-", ignore_cleanup_errors=True
            )  # goes with us
            self.place = str(Path(self.folder.name) / "work.db")
        self.open(lambda order: None)  # what is done with an order is up to the work processes (labour.py)

    def open(self, do: Callable[[Order], None]) -> None:
        """Connects to the store; again after a fork, which no connection survives."""

        def order(given: list[Any]) -> None:
            do(Order(*given))

        self.huey = self.connected()
        self.enqueue = self.huey.task(name="order")(order)

    def connected(self) -> Huey:
        common = {"name": "seq2see", "results": False, "utc": True, "serializer": JsonSerializer()}
        if self.place.startswith(("redis://", "rediss://")):
            return PriorityRedisHuey(storage_class=RedisQueue, url=self.place, **common)
        return SqliteHuey(
            storage_class=SecureDeleteStorage, filename=self.place, fsync=False, strict_fifo=True, **common
        )

    # ---- asked by the web ----

    def order(
        self,
        visitor: str,
        stage: str,
        state: dict[str, Any],
        acts: Sequence[str],
        first: bool = False,
        address: str = "",
    ) -> str:
        """Its number. A visitor has one order at a time: a new one takes the place of the old, unless it is refused.

        `first`: before all others, also when the line is full."""
        self.check_capacity(visitor, first, address)
        if old := self.read(f"visitor {visitor}"):
            self.stop(old)
        order = Order(uuid.uuid4().hex, visitor, stage, state, tuple(acts), address)
        self.write(f"visitor {visitor}", order.id)
        self.set_status(order.id, "waits")
        self.write(f"asked {order.id}", time.time())
        self.remove_expired(order.id)
        self.enqueue(list(order), priority=1 if first else 0)
        return order.id

    def check_capacity(self, visitor: str, first: bool, address: str) -> None:
        """Refuse an order that finds the line full. Before that, orders that nobody asks about any more lose their place."""
        for patient in (True, False):
            others = [order for order in self.waiting() if order.visitor != visitor]
            from_here = sum(order.address == address for order in others) if address and not first else 0
            if (
                len(others) < MAX_WAITING + MAX_EXTRA_FOR_LECTURERS * first
                and from_here < MAX_WAITING_PER_ADDRESS
            ):
                return
            for order in others if patient else ():
                if not self.is_wanted(order.id):
                    self.cancel(order.id)
                    self.set_status(order.id, "stopped", message=ABANDONED)
        if from_here >= MAX_WAITING_PER_ADDRESS:
            raise QueueFull(
                f"{MAX_WAITING_PER_ADDRESS} others from your network wait already. Please try again in a"
                " minute."
            )
        raise QueueFull(f"{len(others)} others wait already. Please try again in a minute.")

    def progress(self, id: str, seen: int = 0) -> dict[str, Any] | None:
        """What the page shows; None if there is no such order. Asking keeps it alive. A stage that was seen is not sent again."""
        told = self.read(f"told {id}")
        if told is None:
            return None
        self.write(f"asked {id}", time.time())
        if told["state"] == "waits":
            ahead = self.jobs_ahead(id)
            return told | {
                "ahead": ahead,
                "seconds": round((ahead / self.workers + 0.5) * self.typical_seconds()),
            }
        if told["state"] == "runs" and time.time() - told["time"] > HEARTBEAT_SECONDS:
            return told | {"state": "lost"}
        if told["parts"] > seen:
            told["stage"] = self.read(f"stage {id}")
        return told

    def stop(self, id: str) -> None:
        told = self.read(f"told {id}")
        if told and told["state"] in ("waits", "runs"):
            self.write(f"stop {id}", True)
            if told["state"] == "waits":
                self.cancel(id)
                self.set_status(id, "stopped")

    def jobs_ahead(self, id: str) -> int:
        """How many are served before."""
        waiting = [order.id for order in self.waiting()]
        return (waiting.index(id) if id in waiting else 0) + len(self.running())

    def waiting(self) -> list[Order]:
        return [order for _, order in self.queued()]

    def queued(self) -> list[tuple[bytes, Order]]:
        """The orders that wait, the next one first, each with what stands for it in the queue."""
        found = []
        for data in self.huey.storage.enqueued_items():
            with suppress(Unreadable, TypeError):  # who takes it out of the queue says so
                found.append((bytes(data), Order(*self.huey.serializer.deserialize(data).args[0])))
        return found

    def cancel(self, id: str) -> None:
        for data, order in self.queued():
            if order.id == id:
                self.huey.storage.take_out(data)

    def running(self) -> list[str]:
        return [
            id
            for id in self.read("running") or []
            if (told := self.read(f"told {id}")) and told["state"] == "runs"
        ]

    def typical_seconds(self) -> float:
        return self.read("usual") or FIRST_ESTIMATE_SECONDS

    # ---- told by the work processes ----

    def is_wanted(self, id: str) -> bool:
        asked = self.read(f"asked {id}")
        return asked is not None and time.time() - asked < ABANDONED_SECONDS and not self.was_stopped(id)

    def was_stopped(self, id: str) -> bool:
        """By a learner; not because nobody asks any more."""
        return bool(self.read(f"stop {id}"))

    def set_status(
        self, id: str, state: str, share: float = 0.0, message: str = "", stage: str | None = None
    ) -> None:
        """How it stands: waits, runs, done, stopped, failed."""
        told = self.read(f"told {id}") or {"parts": 0}
        if stage is not None:
            self.write(f"stage {id}", stage)
            told["parts"] += 1
        told |= {"state": state, "share": share, "message": message, "time": time.time()}
        self.write(f"told {id}", told)

    def record_start(self, id: str) -> None:
        self.write("running", [*self.running()[-9:], id])

    def record_duration(self, seconds: float) -> None:
        """A moving mean: what the next ones may expect."""
        self.write("usual", 0.7 * self.typical_seconds() + 0.3 * seconds)

    # ---- the store ----

    def read(self, key: str) -> Any:
        value = self.huey.storage.peek_data(key)
        return json.loads(bytes(value)) if isinstance(value, bytes | memoryview) else None

    def write(self, key: str, value: Any) -> None:
        self.huey.storage.put_data(key, json.dumps(value).encode())

    def remove_expired(self, newest: str | None = None) -> None:
        """What was found long ago is forgotten."""
        kept = [*([[newest, time.time()]] if newest else ()), *(self.read("kept") or [])]
        for id, since in kept:
            if time.time() - since > RESULT_SECONDS:
                for what in ("told", "asked", "stage", "stop"):
                    self.huey.storage.delete_data(f"{what} {id}")
        self.write("kept", [entry for entry in kept if time.time() - entry[1] <= RESULT_SECONDS][:500])

    def compact(self) -> None:
        if isinstance(self.huey.storage, SecureDeleteStorage):
            self.huey.storage.compact()
