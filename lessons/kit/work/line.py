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
from pathlib import Path
from typing import Any, NamedTuple

from huey import Huey, PriorityRedisHuey, SqliteHuey
from huey.exceptions import ConfigurationError
from huey.storage import SqliteStorage

try:
    from redis import exceptions as redis_errors

    REDIS: tuple[type[Exception], ...] = (redis_errors.RedisError,)
except ImportError:  # needed only where SEQ2SEE_STORE says so
    REDIS = ()

MOST = 20  # orders that may wait
PATIENCE = 15.0  # seconds after which an order that nobody asks about is dropped
ALIVE = 5.0  # seconds after which a running order without a sign of life is lost
KEPT = 600.0  # seconds for which what was found is kept
GUESSED = 20.0  # seconds that an order takes, before one was finished
NO_STORE = (OSError, sqlite3.Error, *REDIS, ConfigurationError)  # what a store raises that is full, read-only, gone or none


class Forgetful(SqliteStorage):
    """What is deleted is overwritten: a learner's text must not be found in the file afterwards."""

    def _create_connection(self) -> sqlite3.Connection:
        connection = super()._create_connection()
        connection.execute("pragma secure_delete=on")
        return connection

    def compact(self) -> None:
        """Also in what was written ahead."""
        self.sql("pragma wal_checkpoint(truncate)", results=True)


class Full(Exception):
    """Too many wait already. The message is for the learner."""


class Order(NamedTuple):
    """Long work of one experiment, in one state, for one visitor."""

    id: str
    visitor: str
    stage: str  # lesson-experiment, or what goes on there (shell/work.py)
    state: dict[str, Any]
    acts: tuple[str, ...]


class Line:
    def __init__(self, store: str | None = None, workers: int = 1):
        self.place, self.workers = store or os.environ.get("SEQ2SEE_STORE") or "", workers
        if not self.place:
            self.folder = tempfile.TemporaryDirectory(prefix="seq2see-", ignore_cleanup_errors=True)  # goes with us
            self.place = str(Path(self.folder.name) / "work.db")
        self.open(lambda order: None)  # what is done with an order is up to the work processes (labour.py)

    def open(self, do: Callable[[Order], None]) -> None:
        """Connects to the store; again after a fork, which no connection survives."""

        def order(given: list[Any]) -> None:
            do(Order(*given))

        self.huey = self.connected()
        self.enqueue = self.huey.task(name="order")(order)

    def connected(self) -> Huey:
        common = {"name": "seq2see", "results": False, "utc": True}
        if self.place.startswith(("redis://", "rediss://")):
            return PriorityRedisHuey(url=self.place, **common)
        return SqliteHuey(storage_class=Forgetful, filename=self.place, fsync=False, strict_fifo=True, **common)

    # ---- asked by the web ----

    def order(self, visitor: str, stage: str, state: dict[str, Any], acts: Sequence[str], first: bool = False) -> str:
        """Its number. A visitor has one order at a time: a new one takes the place of the old. `first`: before all others."""
        if old := self.read(f"visitor {visitor}"):
            self.stop(old)
        if self.huey.pending_count() >= MOST:
            raise Full(f"{MOST} others wait already. Please try again in a minute.")
        order = Order(uuid.uuid4().hex, visitor, stage, state, tuple(acts))
        self.write(f"visitor {visitor}", order.id)
        self.tell(order.id, "waits")
        self.write(f"asked {order.id}", time.time())
        self.sweep(order.id)
        self.enqueue(list(order), priority=1 if first else 0)
        return order.id

    def progress(self, id: str, seen: int = 0) -> dict[str, Any] | None:
        """What the page shows; None if there is no such order. Asking keeps it alive. A stage that was seen is not sent again."""
        told = self.read(f"told {id}")
        if told is None:
            return None
        self.write(f"asked {id}", time.time())
        if told["state"] == "waits":
            ahead = self.ahead(id)
            return told | {"ahead": ahead, "seconds": round((ahead / self.workers + 0.5) * self.usual())}
        if told["state"] == "runs" and time.time() - told["time"] > ALIVE:
            return told | {"state": "lost"}
        if told["parts"] > seen:
            told["stage"] = self.read(f"stage {id}")
        return told

    def stop(self, id: str) -> None:
        told = self.read(f"told {id}")
        if told and told["state"] in ("waits", "runs"):
            self.write(f"stop {id}", True)
            if told["state"] == "waits":
                self.tell(id, "stopped")

    def ahead(self, id: str) -> int:
        """How many are served before; those that were stopped meanwhile do not count."""
        waiting = [task.args[0][0] for task in self.huey.pending()]
        before = waiting[: waiting.index(id)] if id in waiting else []
        return sum(not self.stopped(other) for other in before) + len(self.running())

    def running(self) -> list[str]:
        return [id for id in self.read("running") or [] if (told := self.read(f"told {id}")) and told["state"] == "runs"]

    def usual(self) -> float:
        return self.read("usual") or GUESSED

    # ---- told by the work processes ----

    def wanted(self, id: str) -> bool:
        asked = self.read(f"asked {id}")
        return asked is not None and time.time() - asked < PATIENCE and not self.stopped(id)

    def stopped(self, id: str) -> bool:
        """By a learner; not because nobody asks any more."""
        return bool(self.read(f"stop {id}"))

    def tell(self, id: str, state: str, share: float = 0.0, message: str = "", stage: str | None = None) -> None:
        """How it stands: waits, runs, done, stopped, failed."""
        told = self.read(f"told {id}") or {"parts": 0}
        if stage is not None:
            self.write(f"stage {id}", stage)
            told["parts"] += 1
        told |= {"state": state, "share": share, "message": message, "time": time.time()}
        self.write(f"told {id}", told)

    def began(self, id: str) -> None:
        self.write("running", [*self.running()[-9:], id])

    def took(self, seconds: float) -> None:
        """A moving mean: what the next ones may expect."""
        self.write("usual", 0.7 * self.usual() + 0.3 * seconds)

    # ---- the store ----

    def read(self, key: str) -> Any:
        value = self.huey.storage.peek_data(key)
        return json.loads(bytes(value)) if isinstance(value, bytes | memoryview) else None

    def write(self, key: str, value: Any) -> None:
        self.huey.storage.put_data(key, json.dumps(value).encode())

    def sweep(self, newest: str | None = None) -> None:
        """What was found long ago is forgotten."""
        kept = [*([[newest, time.time()]] if newest else ()), *(self.read("kept") or [])]
        for id, since in kept:
            if time.time() - since > KEPT:
                for what in ("told", "asked", "stage", "stop"):
                    self.huey.storage.delete_data(f"{what} {id}")
        self.write("kept", [entry for entry in kept if time.time() - entry[1] <= KEPT][:500])

    def compact(self) -> None:
        if isinstance(self.huey.storage, Forgetful):
            self.huey.storage.compact()
