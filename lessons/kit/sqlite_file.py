"""A SQLite file that only its owner can read, and that is made again when it is deleted or damaged while processes use it."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: a file that is open can be neither deleted nor renamed there
    fcntl = None  # type: ignore[assignment]

Identity = tuple[int, int, int]  # process, device, inode: a connection is good for one of each
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
INHERITED: list[sqlite3.Connection] = []  # the parent's: SQLite forbids a child to use them, or to close them


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether an SQLite error means a damaged file (a truncated one has lost its tables), rather than a wrong query."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED or "no such table" in str(error)


class SqliteFile:
    """Keeps one connection, and connects again after a fork, and when another file (or none) has the name."""

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection]):
        """`connect` opens the file and makes the tables that are not there."""
        self.path, self.connect = path, connect
        self.found: sqlite3.Connection | None = None
        self.opened: Identity | None = None

    def connection(self) -> sqlite3.Connection:
        if self.found is None or self.opened is None or self.opened != self.identity():
            if self.found and self.opened and self.opened[0] != os.getpid():
                INHERITED.append(self.found)
            self.found = self.open()
            self.opened = self.identity()
        return self.found

    def close(self) -> None:
        if self.found:
            self.found.close()
            self.found = None

    def identity(self) -> Identity | None:
        try:
            now = self.path.stat()
        except FileNotFoundError:
            return None
        return os.getpid(), now.st_dev, now.st_ino

    def open(self) -> sqlite3.Connection:
        with self.locked():
            self.create()
            try:
                return self.connect()
            except sqlite3.DatabaseError as error:
                if not is_damaged(error):
                    raise
                self.move_aside()
                self.create()
                return self.connect()

    def discard(self, damaged: Identity | None) -> None:
        """Move this damaged file aside, unless another thread or process has done so already."""
        with self.locked():
            if damaged and self.identity() == damaged:
                self.move_aside()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One process at a time makes the file or moves it: its journals must not be removed under another's hands."""
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(self.beside(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        try:
            if fcntl:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def create(self) -> None:
        """SQLite gives its journals the mode of the file. An existing file is not opened: to close it would end SQLite's locks."""
        journals = [self.beside("-wal"), self.beside("-shm")]
        if self.path.exists():
            for path in (self.path, *journals):
                with suppress(OSError):
                    path.chmod(0o600)
        else:
            for path in journals:  # of a file that is gone
                path.unlink(missing_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    def move_aside(self) -> None:
        os.replace(self.path, self.beside(".damaged"))

    def beside(self, ending: str) -> Path:
        return self.path.with_name(self.path.name + ending)
