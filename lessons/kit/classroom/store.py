"""Stores for rooms: SQLite by default, Redis if SEQ2SEE_STORE is a Redis URL.

A store maps (key, field) to a value with an expiry time. Rooms survive a restart of the server, and any
process can read them.
"""

import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from lessons.kit.sqlite_file import SqliteFile, is_damaged

BUSY_TIMEOUT_SECONDS = 5.0  # how long a write waits for another write
CLEANUP_SECONDS = 60.0  # interval between deletions of expired fields


class Store(Protocol):
    def get(self, key: str, field: str) -> str | None: ...
    def all(self, key: str) -> dict[str, str]: ...
    def put(self, key: str, field: str, value: str, seconds: float) -> None: ...
    def add(self, key: str, field: str, value: str, seconds: float) -> bool:
        """Add the field if it does not exist; return whether it was added."""

    def count(self, key: str, field: str, seconds: float) -> int:
        """Increment a counter and return it."""

    def remove(self, key: str, fields: Iterable[str]) -> None: ...


def open_store(address: str | None = None) -> Store:
    """Open the store given by SEQ2SEE_STORE, or a file in the temporary folder."""
    address = address or os.environ.get("SEQ2SEE_STORE") or ""
    if address.startswith(("redis://", "rediss://")):
        return RedisStore(address)
    return SqliteStore(Path(f"{address}.rooms") if address else private_folder() / "rooms.db")


def store_folder() -> Path:
    return Path(tempfile.gettempdir()) / f"seq2see-{os.getuid() if hasattr(os, 'getuid') else 'rooms'}"


def private_folder() -> Path:
    """Create `store_folder` if needed; raise OSError unless only its owner can read it."""
    folder = store_folder()
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or (
        hasattr(os, "getuid") and (folder.stat().st_uid != os.getuid() or folder.stat().st_mode & 0o077)
    ):
        raise OSError(f"others can read {folder}; please name another place with SEQ2SEE_STORE")
    return folder


class SqliteStore:
    def __init__(self, path: Path):
        self.file, self.lock, self.cleaned_at = (
            SqliteFile(path, self.connect),
            threading.Lock(),
            -CLEANUP_SECONDS,
        )

    def run(self, sql: str, *values: Any) -> list[tuple]:
        """Run a statement; if the file is damaged, run it again in a new file."""
        with self.lock:
            try:
                return self.execute(sql, values)
            except sqlite3.DatabaseError as error:
                if not is_damaged(error):
                    raise
                self.file.discard(self.file.opened)
                return self.execute(sql, values)

    def execute(self, sql: str, values: tuple) -> list[tuple]:
        connection = self.file.connection()
        if time.monotonic() - self.cleaned_at > CLEANUP_SECONDS:
            connection.execute("delete from kept where ends < ?", (time.time(),))
            self.cleaned_at = time.monotonic()
        return connection.execute(sql, values).fetchall()

    def connect(self) -> sqlite3.Connection:
        if self.file.path.parent == store_folder():
            private_folder()
        connection = sqlite3.connect(
            self.file.path, BUSY_TIMEOUT_SECONDS, check_same_thread=False, isolation_level=None
        )
        connection.execute("pragma journal_mode=wal")
        connection.execute("pragma synchronous=normal")
        connection.execute(
            "create table if not exists kept (key text, field text, value, ends real, primary key (key,"
            " field)) without rowid"
        )
        return connection

    def get(self, key: str, field: str) -> str | None:
        found = self.run(
            "select value from kept where key = ? and field = ? and ends > ?", key, field, time.time()
        )
        return str(found[0][0]) if found else None

    def all(self, key: str) -> dict[str, str]:
        found = self.run("select field, value from kept where key = ? and ends > ?", key, time.time())
        return {field: str(value) for field, value in found}

    def put(self, key: str, field: str, value: str, seconds: float) -> None:
        self.run("insert or replace into kept values (?, ?, ?, ?)", key, field, value, time.time() + seconds)

    def add(self, key: str, field: str, value: str, seconds: float) -> bool:
        now = time.time()
        sql = """insert into kept values (?, ?, ?, ?) on conflict do update
                 set value = excluded.value, ends = excluded.ends where ends < ? returning 1"""
        return bool(self.run(sql, key, field, value, now + seconds, now))

    def count(self, key: str, field: str, seconds: float) -> int:
        now = time.time()
        sql = """insert into kept values (?1, ?2, 1, ?3) on conflict do update set
                 value = case when ends < ?4 then 1 else value + 1 end, ends = max(ends, ?3)
                 returning value"""
        return int(self.run(sql, key, field, now + seconds, now)[0][0])

    def remove(self, key: str, fields: Iterable[str]) -> None:
        for field in fields:
            self.run("delete from kept where key = ? and field = ?", key, field)


class RedisStore:
    """Store in Redis. All fields of a key expire together, with the last one."""

    def __init__(self, url: str):
        from redis import Redis

        # the client's connection pool survives a fork
        self.redis: Any = Redis.from_url(url, decode_responses=True)

    def get(self, key: str, field: str) -> str | None:
        return self.redis.hget(f"seq2see {key}", field)

    def all(self, key: str) -> dict[str, str]:
        return self.redis.hgetall(f"seq2see {key}")

    def put(self, key: str, field: str, value: str, seconds: float) -> None:
        self.redis.pipeline().hset(f"seq2see {key}", field, value).expire(
            f"seq2see {key}", int(seconds) + 1
        ).execute()

    def add(self, key: str, field: str, value: str, seconds: float) -> bool:
        done, _ = (
            self.redis.pipeline()
            .hsetnx(f"seq2see {key}", field, value)
            .expire(f"seq2see {key}", int(seconds) + 1)
            .execute()
        )
        return bool(done)

    def count(self, key: str, field: str, seconds: float) -> int:
        count, _ = (
            self.redis.pipeline()
            .hincrby(f"seq2see {key}", field)
            .expire(f"seq2see {key}", int(seconds) + 1)
            .execute()
        )
        return int(count)

    def remove(self, key: str, fields: Iterable[str]) -> None:
        if fields := list(fields):
            self.redis.hdel(f"seq2see {key}", *fields)
