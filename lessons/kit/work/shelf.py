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
from lessons.kit.work.line import NO_STORE, Line

KEPT = 3600.0  # seconds
MOST = 96 << 20  # bytes of all things together; the oldest go first
PLACES: list[str] = []  # of the stores, one for each site of this process; none where there is no long work


def use(line: Line) -> None:
    """As long as the line is there: its folder goes with it."""
    if line.place not in PLACES:
        PLACES.insert(0, line.place)
        weakref.finalize(line, leave, line.place)


def leave(place: str) -> None:
    if place in PLACES:
        PLACES.remove(place)


@cache
def opened(place: str, process: int) -> Line:
    """A connection of this process: none survives a fork."""
    return Line(place)


def new_name() -> str:
    return uuid.uuid4().hex[:16]


def put(name: str, thing: bytes) -> None:
    """Keeps it under this name, in place of what was there; and forgets what is old, or too much."""
    for place in PLACES:
        try:
            store = opened(place, os.getpid())
            store.huey.storage.put_data(f"made {name}", thing)
            others = [entry for entry in store.read("shelf") or [] if entry[0] != name]
            return arrange(store, [[name, time.time(), len(thing)], *others])
        except NO_STORE:  # the store of another site may be gone
            if place == PLACES[-1]:
                raise


def arrange(store: Line, listed: list[list[Any]]) -> None:
    """The newest first: what is old goes, and what is too much."""
    kept, room = [], MOST
    for entry in listed:
        room -= entry[2]
        if room >= 0 and time.time() - entry[1] < KEPT:
            kept.append(entry)
        else:
            store.huey.storage.delete_data(f"made {entry[0]}")
    store.write("shelf", kept)


def tidy(line: Line) -> None:
    """What is old goes, though nobody puts anything new."""
    store = opened(line.place, os.getpid())
    if listed := store.read("shelf"):
        arrange(store, listed)


def forget(names: Iterable[str]) -> None:
    """Who knows its name can have it removed, from wherever it would be found."""
    gone = {name for name in names if NAME.fullmatch(name)}
    for place in PLACES:
        with suppress(*NO_STORE):
            store = opened(place, os.getpid())
            for name in gone:
                store.huey.storage.delete_data(f"made {name}")
            store.write("shelf", [entry for entry in store.read("shelf") or [] if entry[0] not in gone])


def get(name: str) -> bytes | None:
    """None if it is not here, or not any more."""
    if not NAME.fullmatch(name):
        return None
    for place in PLACES:
        with suppress(*NO_STORE):  # the store of another site may be gone
            value = opened(place, os.getpid()).huey.storage.peek_data(f"made {name}")
            if isinstance(value, bytes | memoryview):
                return bytes(value)
    return None
