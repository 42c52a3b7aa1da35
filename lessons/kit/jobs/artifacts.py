"""Results saved by jobs, kept for an hour in the store that all processes share.

An artifact has a random name; whoever knows the name can read it.
"""

import os
import time
import uuid
import weakref
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any

from lessons.kit.controls import ARTIFACT_NAME
from lessons.kit.jobs.queue import STORE_ERRORS, JobQueue

ARTIFACT_SECONDS = 3600.0
MAX_ARTIFACT_BYTES = 96 << 20  # limit for all artifacts together; the oldest are removed first
STORE_PATHS: list[str] = []  # one per site of this process; empty if there are no jobs


def attach(queue: JobQueue) -> None:
    """Store artifacts in this queue's store for as long as the queue exists."""
    if queue.store not in STORE_PATHS:
        STORE_PATHS.insert(0, queue.store)
        weakref.finalize(queue, detach, queue.store)


def detach(path: str) -> None:
    if path in STORE_PATHS:
        STORE_PATHS.remove(path)


@cache
def open_queue(path: str, process: int) -> JobQueue:
    """Open the queue in this process: a connection cannot be used after a fork."""
    return JobQueue(path)


def new_name() -> str:
    return uuid.uuid4().hex[:16]


def put(name: str, artifact: bytes) -> None:
    """Save an artifact under this name, replacing an older one, and evict old artifacts."""
    for path in STORE_PATHS:
        try:
            queue = open_queue(path, os.getpid())
            queue.huey.storage.put_data(f"artifact {name}", artifact)
            others = [entry for entry in queue.get("artifacts") or [] if entry[0] != name]
            return evict(queue, [[name, time.time(), len(artifact)], *others])
        except STORE_ERRORS:  # the store of another site may be gone
            if path == STORE_PATHS[-1]:
                raise


def evict(queue: JobQueue, entries: list[list[Any]]) -> None:
    """Delete expired artifacts, and the oldest ones while the total is above MAX_ARTIFACT_BYTES.

    `entries`: newest first.
    """
    remaining, free_bytes = [], MAX_ARTIFACT_BYTES
    for entry in entries:
        free_bytes -= entry[2]
        if free_bytes >= 0 and time.time() - entry[1] < ARTIFACT_SECONDS:
            remaining.append(entry)
        else:
            queue.huey.storage.delete_data(f"artifact {entry[0]}")
    queue.put("artifacts", remaining)


def remove_expired(queue: JobQueue) -> None:
    queue = open_queue(queue.store, os.getpid())
    if entries := queue.get("artifacts"):
        evict(queue, entries)


def delete(names: Iterable[str]) -> None:
    """Delete these artifacts from every store."""
    deleted = {name for name in names if ARTIFACT_NAME.fullmatch(name)}
    for path in STORE_PATHS:
        with suppress(*STORE_ERRORS):
            queue = open_queue(path, os.getpid())
            for name in deleted:
                queue.huey.storage.delete_data(f"artifact {name}")
            entries = queue.get("artifacts") or []
            queue.put("artifacts", [entry for entry in entries if entry[0] not in deleted])


def get(name: str) -> bytes | None:
    """Return the artifact with this name, or None if it does not exist or has expired."""
    if not ARTIFACT_NAME.fullmatch(name):
        return None
    for path in STORE_PATHS:
        with suppress(*STORE_ERRORS):  # the store of another site may be gone
            value = open_queue(path, os.getpid()).huey.storage.peek_data(f"artifact {name}")
            if isinstance(value, bytes | memoryview):
                return bytes(value)
    return None
