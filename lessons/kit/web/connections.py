"""Limit open connections, so that slow or idle clients do not block others.

Use: `uvicorn.Config(http=protocol_class())`. Uvicorn itself only limits the pause between two requests on one
connection.
"""

import asyncio
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

REQUEST_SECONDS = 20.0  # time for a client to send a request
STALLED_SECONDS = 60.0  # time after which a client that stops reading is disconnected
MAX_CONNECTIONS = 4000  # maximum number per worker
SPARE_FILES = 100  # files for stores, pipes and connections to the first worker


def raise_file_limit() -> None:
    """Raise the limit on open files to what the connections need, as far as the system allows."""
    if resource:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 2 * MAX_CONNECTIONS + SPARE_FILES  # QueueProxy opens a second connection per stream
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < allowed:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def max_connections() -> int:
    """Number of connections a worker may open under its file limit."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource else -1
    return MAX_CONNECTIONS if soft < 0 else max(1, min(MAX_CONNECTIONS, soft - SPARE_FILES))


class BoundedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Close connections that send no request or stop reading. When full, close the longest idle one.

    A connection is idle while it has no request in progress. Long polls and event streams are not idle.
    """

    limit: int
    idle: dict["BoundedProtocol", None]  # connections of this server, longest idle first
    timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.idle[self] = None
        self.close_after(REQUEST_SECONDS)
        if len(self.connections) > self.limit:
            next(iter(self.idle)).abort()  # the longest idle connection; this one, if no other is idle

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.awaits_request():
            self.idle.pop(self, None)
            self.stop_timer()
        elif self.timer is None:
            self.close_after(REQUEST_SECONDS)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and self.awaits_request():
            self.idle[self] = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self.close_after(STALLED_SECONDS)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self.idle.pop(self, None)
        self.stop_timer()
        super().connection_lost(exc)

    def awaits_request(self) -> bool:
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def close_after(self, seconds: float) -> None:
        self.stop_timer()
        self.timer = self.loop.call_later(seconds, self.abort)

    def stop_timer(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def abort(self) -> None:
        self.idle.pop(self, None)
        self.transport.abort()  # close() would wait until the client has read everything


def protocol_class() -> type[asyncio.Protocol]:
    """Create a protocol class for one server, whose connections are counted together."""
    return type("Connection", (BoundedProtocol,), {"limit": max_connections(), "idle": {}})
