"""What long work has made, kept for a while in the store that all processes share. Who knows a thing's name can have it."""

import os
import time
import uuid
import weakref
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any

from lessons.kit.controls import NAME
from lessons.kit.jobs.queue import STORE_ERRORS, JobQueue

ARTIFACT_SECONDS = 3600.0  # seconds
MAX_ARTIFACT_BYTES = 96 << 20  # bytes of all things together; the oldest go first
STORE_PATHS: list[
    str
] = []  # of the stores, one for each site of this process; none where there is no long work


def attach(line: JobQueue) -> None:
    """As long as the line is there: its folder goes with it."""
    if line.place not in STORE_PATHS:
        STORE_PATHS.insert(0, line.place)
        weakref.finalize(line, detach, line.place)


def detach(place: str) -> None:
    if place in STORE_PATHS:
        STORE_PATHS.remove(place)


@cache
def open_queue(place: str, process: int) -> JobQueue:
    """A connection of this process: none survives a fork."""
    return JobQueue(place)


def new_name() -> str:
    return uuid.uuid4().hex[:16]


def put(name: str, thing: bytes) -> None:
    """Keeps it under this name, in place of what was there; and forgets what is old, or too much."""
    for place in STORE_PATHS:
        try:
            store = open_queue(place, os.getpid())
            store.huey.storage.put_data(f"made {name}", thing)
            others = [entry for entry in store.read("shelf") or [] if entry[0] != name]
            return evict(store, [[name, time.time(), len(thing)], *others])
        except STORE_ERRORS:  # the store of another site may be gone
            if place == STORE_PATHS[-1]:
                raise


def evict(store: JobQueue, listed: list[list[Any]]) -> None:
    """The newest first: what is old goes, and what is too much."""
    kept, room = [], MAX_ARTIFACT_BYTES
    for entry in listed:
        room -= entry[2]
        if room >= 0 and time.time() - entry[1] < ARTIFACT_SECONDS:
            kept.append(entry)
        else:
            store.huey.storage.delete_data(f"made {entry[0]}")
    store.write("shelf", kept)


def remove_expired(line: JobQueue) -> None:
    """What is old goes, though nobody puts anything new."""
    store = open_queue(line.place, os.getpid())
    if listed := store.read("shelf"):
        evict(store, listed)


def delete(names: Iterable[str]) -> None:
    """Who knows its name can have it removed, from wherever it would be found."""
    gone = {name for name in names if NAME.fullmatch(name)}
    for place in STORE_PATHS:
        with suppress(*STORE_ERRORS):
            store = open_queue(place, os.getpid())
            for name in gone:
                store.huey.storage.delete_data(f"made {name}")
            store.write("shelf", [entry for entry in store.read("shelf") or [] if entry[0] not in gone])


def get(name: str) -> bytes | None:
    """None if it is not here, or not any more."""
    if not NAME.fullmatch(name):
        return None
    for place in STORE_PATHS:
        with suppress(*STORE_ERRORS):  # the store of another site may be gone
            value = open_queue(place, os.getpid()).huey.storage.peek_data(f"made {name}")
            if isinstance(value, bytes | memoryview):
                return bytes(value)
    return None
