"""Limits on open connections: no slow or idle client keeps others out.

`uvicorn.Config(http=protocol_class(...))`. Uvicorn itself only bounds the pause between two requests of one connection.
"""

import asyncio
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

try:
    import resource
except ImportError:  # Windows: no limit that a process could ask for
    resource = None  # type: ignore[assignment]

REQUEST_SECONDS = 20.0  # until head and body of a request must have come
STALLED_SECONDS = 60.0  # until a client that does not read what is sent is given up
MAX_CONNECTIONS = 4000  # of one worker
SPARE_FILES = 100  # for what else a worker opens: stores, pipes, connections to the first worker


def raise_file_limit() -> None:
    """Allow this process and its children as many open files as the connections need, where the system lets them."""
    if resource:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = (
            2 * MAX_CONNECTIONS + SPARE_FILES
        )  # twice: QueueProxy has a connection to the first worker for each stream
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < allowed:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def max_connections() -> int:
    """How many connections a worker may have open under its file limit."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource else -1
    return MAX_CONNECTIONS if soft < 0 else max(1, min(MAX_CONNECTIONS, soft - SPARE_FILES))


class BoundedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Closes a connection whose request does not come, or whose reader has stopped; when full, the one that has waited longest.

    A connection waits while no complete request of it is being answered: long polls and event streams do not count.
    """

    limit: int
    waiting: dict["BoundedProtocol", None]  # those of this server, the longest first
    timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.waiting[self] = None
        self.close_after(REQUEST_SECONDS)
        if len(self.connections) > self.limit:
            next(iter(self.waiting)).give_up()  # itself, if all others are being answered

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.awaits_request():
            self.waiting.pop(self, None)
            self.stop_timer()
        elif self.timer is None:
            self.close_after(REQUEST_SECONDS)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and self.awaits_request():
            self.waiting[self] = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self.close_after(STALLED_SECONDS)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self.waiting.pop(self, None)
        self.stop_timer()
        super().connection_lost(exc)

    def awaits_request(self) -> bool:
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def close_after(self, seconds: float) -> None:
        self.stop_timer()
        self.timer = self.loop.call_later(seconds, self.give_up)

    def stop_timer(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def give_up(self) -> None:
        self.waiting.pop(self, None)
        self.transport.abort()  # not close(): that would wait until the client has read everything


def protocol_class() -> type[asyncio.Protocol]:
    """The protocol of one server: its connections are counted together."""
    return type("Connection", (BoundedProtocol,), {"limit": max_connections(), "waiting": {}})
