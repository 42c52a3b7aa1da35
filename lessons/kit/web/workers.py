"""How it is served: one process, or several on one port, forked after everything is loaded, so that they share its memory."""

import errno
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from typing import Any

import httpx
import uvicorn
from starlette.requests import Request
from starlette.responses import StreamingResponse
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from lessons.kit.web.connections import protocol_class, raise_file_limit
from lessons.kit.web.gradio_api import QUEUED
from lessons.kit.web.request_guard import HTTPError, read_body

DEFAULT_HOST = os.environ.get(
    "GRADIO_SERVER_NAME", "127.0.0.1"
)  # as Gradio documents them, so that a Gradio user finds them here
FIRST_PORT = int(os.environ.get("GRADIO_SERVER_PORT", "7860"))
MAX_PORTS = int(os.environ.get("GRADIO_NUM_PORTS", "100"))  # tried one after the other, from the first on
PATIENCE = 75  # seconds that a connection may idle: longer than the proxies in front of us keep theirs
GRACE = 2  # seconds that requests under way have when all ends
BACKLOG = 2048  # connections that the kernel keeps for us until they are accepted
ACCEPTED_AT_ONCE = 16  # of these, before the limit on open connections is looked at again
CONNECT_SECONDS = 5.0  # that the first worker may take to accept what another passes on
LOCAL = "127.0.0.1,::1"  # where a proxy is, if none is named
PAUSE = 0.5  # seconds until a worker that died is started again: one that cannot start must not keep the machine busy


class CannotListen(Exception):
    """Why not, and what to do."""


def listening(host: str | None, port: int | None, count: int = 1) -> list[socket.socket]:
    """A socket for each worker, all at one address: the kernel shares the connections out."""
    host = (host or DEFAULT_HOST).strip("[]")
    where: dict[str, Any] = {"family": socket.AF_INET6 if ":" in host else socket.AF_INET, "backlog": BACKLOG}
    for candidate in [port] if port is not None else range(FIRST_PORT, FIRST_PORT + MAX_PORTS):
        try:
            with socket.create_server(
                (host, candidate), **where
            ) as alone:  # nobody is there, not even one who would share
                candidate = alone.getsockname()[1]
            return [
                at_once(socket.create_server((host, candidate), reuse_port=count > 1, **where))
                for _ in range(count)
            ]
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise CannotListen(f"Cannot listen: {error.strerror}.") from error
        except OverflowError as error:
            raise CannotListen(f"A port is a number up to 65535, not {candidate}.") from error
    taken = f"Port {port} is taken." if port else f"No port from {FIRST_PORT} on is free."
    raise CannotListen(f"{taken} Choose another with --port{', or leave it out' * bool(port)}.")


def at_once(bound: socket.socket) -> socket.socket:
    """What is written goes out. Else the kernel holds the body back until the head is acknowledged, up to 40 ms: asyncio sees to
    that only for sockets that it made itself. Connections inherit it."""
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


def address(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """asyncio takes one number for two things: how many it accepts at once, and how many may wait. Set the second again."""
        await super().startup(sockets)
        for bound in sockets or []:
            bound.listen(BACKLOG)


def server(app: Any) -> Server:
    """X-Forwarded-For and X-Forwarded-Proto count only if they come from a proxy that FORWARDED_ALLOW_IPS (or --proxy) names."""
    return Server(
        uvicorn.Config(
            app,
            http=protocol_class(),
            ws="none",
            backlog=ACCEPTED_AT_ONCE,
            forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS") or LOCAL,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=PATIENCE,
            timeout_graceful_shutdown=GRACE,
        )
    )


@contextmanager
def in_thread(app: Any) -> Iterator[str]:
    """The address of a server that runs beside what is done in this block."""
    [bound] = listening("127.0.0.1", 0)
    running = server(app)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        yield address(bound)
    finally:
        running.should_exit = True
        thread.join()


def serve(app: Any, bound: list[socket.socket], prepare: Callable[[], None]) -> None:
    """Runs until Ctrl-C, with a process for each socket. A process that dies is started again. Of several, each
    prepares itself while it already serves."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # asked to end: as by Ctrl-C
    raise_file_limit()
    if len(bound) == 1:
        with suppress(KeyboardInterrupt):
            server(app).run(sockets=bound)
        return
    inner = at_once(socket.create_server(("127.0.0.1", 0)))

    def work(number: int) -> None:
        running = server(QueueProxy(app, address(inner)) if number else trust_workers(app, inner))
        threading.Thread(target=orphaned, args=(running,), daemon=True).start()
        threading.Thread(target=prepare, daemon=True).start()
        running.run(sockets=[bound[number]] if number else [bound[number], inner])

    keep_up(work, len(bound))


def orphaned(running: uvicorn.Server) -> None:
    """Ends a worker whose parent was killed."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    running.should_exit = True


def keep_up(work: Callable[[int], None], count: int) -> None:
    fork = multiprocessing.get_context("fork")

    def alone(number: int) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all of us; the parent says when to end
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        work(number)

    def started(number: int) -> Any:
        worker = fork.Process(target=alone, args=(number,), daemon=True)
        worker.start()
        return worker

    workers = [started(number) for number in range(count)]
    try:
        while True:
            ended = connection.wait([worker.sentinel for worker in workers])
            time.sleep(PAUSE)
            workers = [
                started(number) if worker.sentinel in ended else worker
                for number, worker in enumerate(workers)
            ]
    except KeyboardInterrupt:
        pass
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(GRACE + 3)
            worker.kill()


def trust_workers(app: Any, inner: socket.socket) -> Any:
    """The app of the first worker: what others pass on through `inner` comes from their visitors, whatever proxies are named."""
    passed_on, here = ProxyHeadersMiddleware(app, "127.0.0.1"), inner.getsockname()

    async def chosen(scope: Any, receive: Any, send: Any) -> None:
        await (passed_on if scope.get("server") == here else app)(scope, receive, send)

    return chosen


async def pieces(answer: httpx.Response) -> AsyncIterator[bytes]:
    with suppress(httpx.HTTPError):  # the first worker ended: so does its answer
        async for piece in answer.aiter_raw():
            yield piece


class QueueProxy:
    """Gradio's queue lives in the memory of one process: what belongs to it goes to the first worker, whoever took the call.

    gradio_client needs it: it joins and listens in two requests. So do MCP clients of the old kind (sse); others need no memory.
    """

    def __init__(self, app: Any, first: str):
        self.app = app
        self.first = httpx.AsyncClient(
            base_url=first,
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
            limits=httpx.Limits(max_connections=None),  # a stream takes one as long as it lasts
            trust_env=False,  # HTTP_PROXY is not for this
        )

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not QUEUED.match(scope["path"]):
            return await self.app(scope, receive, send)
        try:
            body = await read_body(scope, receive)
            answer = await self.first.send(self.passed(Request(scope), body), stream=True)
        except httpx.HTTPError:
            refusal = HTTPError(503, "Busy just now; please try again in a second.", retry_after="1")
            return await refusal.response(scope["path"])(scope, receive, send)
        except HTTPError as refusal:
            return await refusal.response(scope["path"])(scope, receive, send)
        try:
            response = StreamingResponse(pieces(answer), answer.status_code)
            response.raw_headers = answer.headers.raw
            await response(scope, receive, send)
        finally:
            await answer.aclose()

    def passed(self, request: Request, body: bytes) -> httpx.Request:
        own = (b"content-length", b"transfer-encoding", b"x-forwarded-for", b"x-forwarded-proto")
        known = [(name, value) for name, value in request.headers.raw if name not in own]
        client = request.client.host if request.client else ""
        headers = [
            *known,
            (b"x-forwarded-for", client.encode()),
            (b"x-forwarded-proto", request.url.scheme.encode()),
        ]
        url = httpx.URL(path=request.url.path, query=request.url.query.encode())
        return self.first.build_request(request.method, url, headers=headers, content=body)
