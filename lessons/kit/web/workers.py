"""Serve with one process, or with several on one port that are forked after loading to share memory."""

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
from lessons.kit.web.gradio_api import API_PATH
from lessons.kit.web.request_guard import HTTPError, read_body

# environment variables documented by Gradio
DEFAULT_HOST = os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1")
FIRST_PORT = int(os.environ.get("GRADIO_SERVER_PORT", "7860"))
MAX_PORTS = int(os.environ.get("GRADIO_NUM_PORTS", "100"))  # number of ports to try
KEEPALIVE_SECONDS = 75  # longer than proxies in front of us keep an idle connection
SHUTDOWN_SECONDS = 2  # time for requests in flight to finish when the server stops
BACKLOG = 2048  # connections the kernel queues before they are accepted
MAX_ACCEPTED_AT_ONCE = 16  # connections accepted before the limit on open ones is checked again
CONNECT_SECONDS = 5.0  # time limit for the first worker to accept a forwarded request
LOOPBACK = "127.0.0.1,::1"  # default addresses of trusted proxies
RESTART_SECONDS = 0.5  # delay before a restart, so that a worker that keeps failing does not use up the CPU


class CannotListen(Exception):
    """No socket could be bound. The message says why and what to do."""


def bind_sockets(host: str | None, port: int | None, count: int = 1) -> list[socket.socket]:
    """Bind a socket for each worker, all at one address: the kernel distributes the connections."""
    host = (host or DEFAULT_HOST).strip("[]")
    options: dict[str, Any] = {
        "family": socket.AF_INET6 if ":" in host else socket.AF_INET,
        "backlog": BACKLOG,
    }
    for candidate in [port] if port is not None else range(FIRST_PORT, FIRST_PORT + MAX_PORTS):
        try:
            with socket.create_server(
                (host, candidate), **options
            ) as exclusive:  # an exclusive bind fails even if another process shares the port
                candidate = exclusive.getsockname()[1]
            return [
                disable_nagle(socket.create_server((host, candidate), reuse_port=count > 1, **options))
                for _ in range(count)
            ]
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise CannotListen(f"Cannot listen: {error.strerror}.") from error
        except OverflowError as error:
            raise CannotListen(f"A port is a number up to 65535, not {candidate}.") from error
    taken = f"Port {port} is taken." if port else f"No port from {FIRST_PORT} on is free."
    raise CannotListen(f"{taken} Choose another with --port{', or leave it out' * bool(port)}.")


def disable_nagle(bound: socket.socket) -> socket.socket:
    """Disable Nagle's algorithm, which can delay a response body by 40 ms; connections inherit this.

    asyncio does the same, but only for sockets that it has created itself.
    """
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


def socket_url(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Set the backlog separately: asyncio uses one number for it and for connections accepted at once."""
        await super().startup(sockets)
        for bound in sockets or []:
            bound.listen(BACKLOG)


def server(app: Any) -> Server:
    """Configure uvicorn. X-Forwarded headers are trusted only from proxies in FORWARDED_ALLOW_IPS."""
    return Server(
        uvicorn.Config(
            app,
            http=protocol_class(),
            ws="none",
            backlog=MAX_ACCEPTED_AT_ONCE,
            forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS") or LOOPBACK,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=KEEPALIVE_SECONDS,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
    )


@contextmanager
def serve_in_thread(app: Any) -> Iterator[str]:
    """Serve in a thread while the `with` block runs; yield the URL."""
    [bound] = bind_sockets("127.0.0.1", 0)
    running = server(app)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        yield socket_url(bound)
    finally:
        running.should_exit = True
        thread.join()


def serve(app: Any, bound: list[socket.socket], prepare: Callable[[], None]) -> None:
    """Run until Ctrl-C, with one process per socket. Restart processes that die.

    With several processes, each runs `prepare` in a thread while it serves.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM stops the server as Ctrl-C does
    raise_file_limit()
    if len(bound) == 1:
        with suppress(KeyboardInterrupt):
            server(app).run(sockets=bound)
        return
    forwarded = disable_nagle(socket.create_server(("127.0.0.1", 0)))

    def run_worker(number: int) -> None:
        running = server(QueueProxy(app, socket_url(forwarded)) if number else trust_workers(app, forwarded))
        threading.Thread(target=exit_with_parent, args=(running,), daemon=True).start()
        threading.Thread(target=prepare, daemon=True).start()
        running.run(sockets=[bound[number]] if number else [bound[number], forwarded])

    supervise(run_worker, len(bound))


def exit_with_parent(running: uvicorn.Server) -> None:
    """Stop a worker whose parent was killed."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    running.should_exit = True


def supervise(run_worker: Callable[[int], None], count: int) -> None:
    """Run this many processes until Ctrl-C; restart those that die."""
    fork = multiprocessing.get_context("fork")

    def run_process(number: int) -> None:
        signal.signal(
            signal.SIGINT, signal.SIG_IGN
        )  # Ctrl-C reaches all processes; the parent stops the others
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        run_worker(number)

    def start(number: int) -> Any:
        worker = fork.Process(target=run_process, args=(number,), daemon=True)
        worker.start()
        return worker

    workers = [start(number) for number in range(count)]
    try:
        while True:
            ended = connection.wait([worker.sentinel for worker in workers])
            time.sleep(RESTART_SECONDS)
            workers = [
                start(number) if worker.sentinel in ended else worker for number, worker in enumerate(workers)
            ]
    except KeyboardInterrupt:
        pass
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(SHUTDOWN_SECONDS + 3)
            worker.kill()


def trust_workers(app: Any, forwarded: socket.socket) -> Any:
    """Wrap the first worker's app so that it trusts X-Forwarded headers from the other workers."""
    trusting, address = ProxyHeadersMiddleware(app, "127.0.0.1"), forwarded.getsockname()

    async def choose(scope: Any, receive: Any, send: Any) -> None:
        await (trusting if scope.get("server") == address else app)(scope, receive, send)

    return choose


async def stream_body(answer: httpx.Response) -> AsyncIterator[bytes]:
    with suppress(httpx.HTTPError):  # ignore errors if the first worker has stopped
        async for chunk in answer.aiter_raw():
            yield chunk


class QueueProxy:
    """Forward requests for Gradio's API to the first worker: its queue is in the memory of one process.

    gradio_client needs this because it joins and listens in two requests, as do MCP clients that use SSE.
    """

    def __init__(self, app: Any, first: str):
        self.app = app
        self.first = httpx.AsyncClient(
            base_url=first,
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
            # no limit, because each stream keeps a connection open
            limits=httpx.Limits(max_connections=None),
            trust_env=False,  # httpx must not send local requests through HTTP_PROXY
        )

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not API_PATH.match(scope["path"]):
            return await self.app(scope, receive, send)
        try:
            body = await read_body(scope, receive)
            answer = await self.first.send(self.forwarded_request(Request(scope), body), stream=True)
        except (httpx.HTTPError, HTTPError) as error:
            busy = HTTPError(503, "Busy just now; please try again in a second.", retry_after="1")
            refusal = error if isinstance(error, HTTPError) else busy
            return await refusal.response(scope["path"])(scope, receive, send)
        try:
            response = StreamingResponse(stream_body(answer), answer.status_code)
            response.raw_headers = answer.headers.raw
            await response(scope, receive, send)
        finally:
            await answer.aclose()

    def forwarded_request(self, request: Request, body: bytes) -> httpx.Request:
        replaced = (b"content-length", b"transfer-encoding", b"x-forwarded-for", b"x-forwarded-proto")
        headers = [(name, value) for name, value in request.headers.raw if name not in replaced]
        client = request.client.host if request.client else ""
        headers += [
            (b"x-forwarded-for", client.encode()),
            (b"x-forwarded-proto", request.url.scheme.encode()),
        ]
        url = httpx.URL(path=request.url.path, query=request.url.query.encode())
        return self.first.build_request(request.method, url, headers=headers, content=body)
