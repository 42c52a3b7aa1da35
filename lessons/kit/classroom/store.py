"""Where rooms are kept: SQLite by default, Redis where SEQ2SEE_STORE says so. Fields under keys, each with an end; nothing else.

The file outlives the server: a room survives its restart, and any process may answer for it.
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

PATIENCE = 5.0  # seconds that one waits for another's writing
SWEEP = 60.0  # seconds between two looks for what has ended


class Store(Protocol):
    def get(self, key: str, field: str) -> str | None: ...
    def all(self, key: str) -> dict[str, str]: ...
    def put(self, key: str, field: str, value: str, seconds: float) -> None: ...
    def add(self, key: str, field: str, value: str, seconds: float) -> bool:
        """Only if there is none; whether it was done."""

    def count(self, key: str, field: str, seconds: float) -> int:
        """One more; how many there are now."""

    def remove(self, key: str, fields: Iterable[str]) -> None: ...


def opened(place: str | None = None) -> Store:
    place = place or os.environ.get("SEQ2SEE_STORE") or ""
    if place.startswith(("redis://", "rediss://")):
        return RedisStore(place)
    return SqliteStore(Path(f"{place}.rooms") if place else home() / "rooms.db")


def folder() -> Path:
    return Path(tempfile.gettempdir()) / f"seq2see-{os.getuid() if hasattr(os, 'getuid') else 'rooms'}"


def home() -> Path:
    """A folder of our own in the temporary one, that nobody else can read."""
    ours = folder()
    ours.mkdir(mode=0o700, exist_ok=True)
    if ours.is_symlink() or (
        hasattr(os, "getuid") and (ours.stat().st_uid != os.getuid() or ours.stat().st_mode & 0o077)
    ):
        raise OSError(f"{ours} is not ours alone; please name a place with SEQ2SEE_STORE")
    return ours


class SqliteStore:
    def __init__(self, path: Path):
        self.file, self.lock, self.swept = SqliteFile(path, self.connect), threading.Lock(), -SWEEP

    def run(self, sql: str, *values: Any) -> list[tuple]:
        """Asked again of a new file, if this one is damaged."""
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
        if time.monotonic() - self.swept > SWEEP:
            connection.execute("delete from kept where ends < ?", (time.time(),))
            self.swept = time.monotonic()
        return connection.execute(sql, values).fetchall()

    def connect(self) -> sqlite3.Connection:
        if self.file.path.parent == folder():
            home()
        connection = sqlite3.connect(self.file.path, PATIENCE, check_same_thread=False, isolation_level=None)
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
        sql = """insert into kept values (?, ?, ?, ?) on conflict do update set value = excluded.value, ends = excluded.ends
                 where ends < ? returning 1"""
        return bool(self.run(sql, key, field, value, now + seconds, now))

    def count(self, key: str, field: str, seconds: float) -> int:
        now = time.time()
        sql = """insert into kept values (?1, ?2, 1, ?3) on conflict do update set
                 value = case when ends < ?4 then 1 else value + 1 end, ends = max(ends, ?3) returning value"""
        return int(self.run(sql, key, field, now + seconds, now)[0][0])

    def remove(self, key: str, fields: Iterable[str]) -> None:
        for field in fields:
            self.run("delete from kept where key = ? and field = ?", key, field)


class RedisStore:
    """A key goes when the last of its fields would."""

    def __init__(self, url: str):
        from redis import Redis

        self.redis: Any = Redis.from_url(url, decode_responses=True)  # its pool knows of forks

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
        many, _ = (
            self.redis.pipeline()
            .hincrby(f"seq2see {key}", field)
            .expire(f"seq2see {key}", int(seconds) + 1)
            .execute()
        )
        return int(many)

    def remove(self, key: str, fields: Iterable[str]) -> None:
        if fields := list(fields):
            self.redis.hdel(f"seq2see {key}", *fields)
