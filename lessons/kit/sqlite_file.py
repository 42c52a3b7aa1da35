"""An SQLite file that only its owner can read; recreated if it is deleted or damaged while in use."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where an open file can be neither deleted nor renamed
    fcntl = None  # type: ignore[assignment]

Identity = tuple[int, int, int]  # (process, device, inode) for which a connection is valid
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
INHERITED: list[sqlite3.Connection] = []  # connections of the parent process: do not use or close them


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether an error means a damaged file (a truncated file has no tables), not a wrong query."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED or "no such table" in str(error)


class SqliteFile:
    """Keep one connection; reconnect after a fork, or if the file was replaced or deleted."""

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection]):
        """`connect` opens the file and creates missing tables."""
        self.path, self.connect = path, connect
        self.open_connection: sqlite3.Connection | None = None
        self.opened: Identity | None = None

    def connection(self) -> sqlite3.Connection:
        if self.open_connection is None or self.opened is None or self.opened != self.identity():
            if self.open_connection and self.opened and self.opened[0] != os.getpid():
                INHERITED.append(self.open_connection)
            self.open_connection = self.open()
            self.opened = self.identity()
        return self.open_connection

    def close(self) -> None:
        if self.open_connection:
            self.open_connection.close()
            self.open_connection = None

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
        """Let one process at a time create or move the file and its journals."""
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(self.sibling(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        try:
            if fcntl:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def create(self) -> None:
        """Create the file, or set the mode of an existing one; SQLite gives its journals the same mode.

        An existing file is not opened here, because closing it would release SQLite's locks.
        """
        journals = [self.sibling("-wal"), self.sibling("-shm")]
        if self.path.exists():
            for path in (self.path, *journals):
                with suppress(OSError):
                    path.chmod(0o600)
        else:
            for path in journals:  # journals that a deleted file left over
                path.unlink(missing_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    def move_aside(self) -> None:
        os.replace(self.path, self.sibling(".damaged"))

    def sibling(self, ending: str) -> Path:
        return self.path.with_name(self.path.name + ending)
