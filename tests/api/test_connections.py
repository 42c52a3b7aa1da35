"""Connections: the client's address behind proxies, slow requests, and the limit on open connections."""

import asyncio
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from lessons.kit.web import connections, workers
from lessons.kit.web.workers import serve_in_thread
from tests.api.test_command import ROOT, free_port
from tests.api.test_strangers import SIZES, Server
from tests.bench import serve
from tests.browser.test_machines import DEPLOY, NGINX, program

SPACE = "127.0.0.1,10.0.0.0/8"


async def echo(scope: dict, receive: Any, send: Any) -> None:
    """An app that answers with the client's address; paths with "slow" take a second."""
    if scope["type"] == "lifespan":
        return
    while (await receive()).get("more_body"):
        pass
    answer = {"client": scope["client"][0], "scheme": scope["scheme"], "process": os.getpid()}
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]}
    )
    if "slow" in scope["path"]:
        await asyncio.sleep(1)
    await send({"type": "http.response.body", "body": json.dumps(answer).encode()})


def ask(address: str, path: str = "/", source: str = "127.0.0.1", **headers: str) -> dict[str, Any]:
    """Call the echo app from this local address and return its answer."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30, source_address=(source, 0))
    try:
        connection.request(
            "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )
        answer = connection.getresponse()
        assert answer.status == 200, answer.status
        return json.loads(answer.read())
    finally:
        connection.close()


# ---- behind a proxy ----


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client", "scheme"),
    [
        ("", "203.0.113.9", "203.0.113.9", "https"),
        ("10.0.0.1", "203.0.113.9", "127.0.0.1", "http"),
        (SPACE, "6.6.6.6, 203.0.113.9", "203.0.113.9", "https"),
        (SPACE, "6.6.6.6, 203.0.113.9, 10.1.2.3", "203.0.113.9", "https"),
    ],
)
def test_only_a_named_proxy_says_who_asks(monkeypatch, proxies, forwarded, client, scheme):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    with serve_in_thread(echo) as address:
        told = ask(address, X_Forwarded_For=forwarded, X_Forwarded_Proto="https")
    assert (told["client"], told["scheme"]) == (client, scheme)


@contextmanager
def nginx(tmp_path: Path, behind: str) -> Iterator[str]:
    """Run nginx with assets/deploy/nginx.conf in front of one server."""
    port = serve.free_port()
    found = {"10.0.0.11:7860": behind, "10.0.0.12:7860": behind, "listen 80;": f"listen 127.0.0.1:{port};"}
    conf = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    (tmp_path / "seq2see.conf").write_text(
        re.sub("|".join(map(re.escape, found)), lambda match: found[match[0]], conf)
    )
    (tmp_path / "nginx.conf").write_text(NGINX.format(tmp_path))
    with serve.run_process(
        [program("nginx"), "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    ) as running:
        serve.wait_for_first_page(running, port)
        yield f"http://127.0.0.1:{port}"


def test_behind_nginx_a_visitor_cannot_invent_an_address(tmp_path, monkeypatch):
    forged = {"X_Forwarded_For": "6.6.6.6", "X_Forwarded_Proto": "https"}
    with serve_in_thread(echo) as address, nginx(tmp_path, urlsplit(address).netloc) as front:
        told = ask(front, source="127.0.0.2", **forged)
        assert (told["client"], told["scheme"]) == ("127.0.0.2", "http")
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.1")
    with serve_in_thread(echo) as address, nginx(tmp_path, urlsplit(address).netloc) as front:
        assert ask(front, source="127.0.0.2", **forged)["client"] == "127.0.0.1", "this nginx was not named"


@pytest.mark.parametrize("proxy", ["*", "0.0.0.0/0", "proxy.example", "10.0.0.1/8", ""])
def test_a_proxy_is_named_by_its_address(proxy):
    found = subprocess.run(
        [sys.executable, "app.py", "--proxy", proxy], cwd=ROOT, capture_output=True, text=True
    )
    assert found.returncode == 2
    assert "by its address or network" in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("path", ["/sitemap.xml", "/robots.txt"])
@pytest.mark.parametrize("proto", ['x"><script>', "javascript", "https, http", "ws"])
def test_a_forwarded_scheme_is_http_or_https(toy, path, proto):
    status, said, _ = Server(toy).ask(
        "GET", path, None, {"X-Forwarded-Proto": proto, "X-Forwarded-Host": "course.example"}
    )
    assert status == 200
    assert "http://course.example/" in said
    assert proto not in said.replace("http://www.sitemaps.org", "")
    if path.endswith("xml"):
        ElementTree.fromstring(said)


# ---- several workers ----

SEVERAL = """
import sys
from lessons.kit.web.workers import bind_sockets, serve
from tests.api.test_connections import echo
serve(echo, bind_sockets("127.0.0.1", int(sys.argv[1]), 2), lambda: None)
"""


@pytest.fixture(scope="module")
def two_workers() -> Iterator[str]:
    """Two workers that trust no proxy, with HTTP_PROXY set to a proxy that does not exist."""
    port = free_port()
    environment = os.environ | {
        "FORWARDED_ALLOW_IPS": "10.0.0.1",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }
    running = subprocess.Popen([sys.executable, "-c", SEVERAL, str(port)], cwd=ROOT, env=environment)
    try:
        serve.wait_for_first_page(running, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(20)


def processes(address: str, path: str, **headers: str) -> set[int]:
    return {ask(address, path, **headers)["process"] for _ in range(24)}


def test_what_a_worker_passes_on_has_the_visitor_s_address(two_workers):
    assert len(processes(two_workers, "/")) == 2
    assert len(processes(two_workers, "/gradio_api/queue/data")) == 1
    for path in ("/", "/gradio_api/queue/data"):
        told = [
            ask(two_workers, path, source="127.0.0.2", X_Forwarded_For="6.6.6.6", X_Forwarded_Proto="https")
            for _ in range(24)
        ]
        assert {(each["client"], each["scheme"]) for each in told} == {("127.0.0.2", "http")}


def test_more_streams_than_a_pool_has_by_default_pass_through(two_workers):
    began = time.monotonic()
    with ExitStack() as opened:
        # each worker gets about half of these
        waiting = [opened.enter_context(connected(two_workers)) for _ in range(300)]
        for one in waiting:
            one.sendall(b"GET /gradio_api/queue/data/slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert all(b" 200 OK" in until_closed(one) for one in waiting)
    assert time.monotonic() - began < 20


# ---- Gradio's event streams ----


@pytest.mark.parametrize("served", ["toy", "toy_workers"])
def test_who_listens_for_an_event_that_does_not_exist_is_told_at_once(request, served):
    site = Server(request.getfixturevalue(served))
    began = time.monotonic()
    for number in range(4):
        for path in (
            f"call/toy_sizes/no-{number}",
            f"call/v2/toy_sizes/none-{number}",
            "queue/data?session_hash=nosuch",
        ):
            status, said, _ = site.ask("GET", f"/gradio_api/{path}")
            assert (status, "Not Found" in said) == (200, True)
    for _ in range(4):
        event = json.loads(site.post("/gradio_api/call/v2/toy_sizes", {"words": "one"})[1])["event_id"]
        said = [site.ask("GET", f"/gradio_api/call/toy_sizes/{event}")[:2] for _ in range(3)]
        assert [status for status, _ in said] == [200, 404, 404]
        assert "event: complete" in said[0][1]
    assert time.monotonic() - began < 20


def test_two_who_listen_for_one_event_both_come_to_an_end(toy):
    site = Server(toy)
    event = json.loads(site.post("/gradio_api/call/toy_sizes", {"data": SIZES})[1])["event_id"]
    with ThreadPoolExecutor(2) as both:
        said = [
            answer[1]
            for answer in both.map(lambda _: site.ask("GET", f"/gradio_api/call/toy_sizes/{event}"), range(2))
        ]
    assert sorted("event: complete" in each for each in said) == [False, True], said


# ---- slow and idle connections ----


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as one:
        yield one


def until_closed(one: socket.socket) -> bytes:
    found = b""
    try:
        while more := one.recv(65536):
            found += more
    except ConnectionResetError:
        pass
    return found


def is_open(one: socket.socket) -> bool:
    one.setblocking(False)
    try:
        return bool(one.recv(65536, socket.MSG_PEEK))
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False
    finally:
        one.settimeout(20)


GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"


@pytest.mark.parametrize("after", [b"", GET], ids=["first", "second"])
@pytest.mark.parametrize("begun", [b"", GET[:-2], POST + b"1234"], ids=["nothing", "head", "body"])
def test_a_request_that_does_not_come_ends_its_connection(monkeypatch, after, begun):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.4)
    monkeypatch.setattr(workers, "KEEPALIVE_SECONDS", 1)
    with serve_in_thread(echo) as address, connected(address) as one:
        if after:
            one.sendall(after)
            assert b" 200 OK" in one.recv(65536)
        one.sendall(begun)
        began = time.monotonic()
        until_closed(one)
        assert time.monotonic() - began < 10


def test_a_request_that_comes_in_drops_has_no_more_time(monkeypatch):
    def drip(one: socket.socket) -> None:
        for byte in GET * 2:
            one.sendall(bytes([byte]).strip() or b"x")  # the request head never ends
            time.sleep(0.1)

    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.4)
    with serve_in_thread(echo) as address, connected(address) as one, pytest.raises(ConnectionError):
        drip(one)


def test_who_waits_for_an_answer_or_between_two_requests_stays(monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)
    with serve_in_thread(echo) as address:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
        for path in ("/slow", "/", "/slow"):
            connection.request("GET", path)
            assert connection.getresponse().read()
            assert connection.sock, "the server has closed it"
            time.sleep(0.6)
        connection.close()


def test_who_does_not_read_is_given_up(monkeypatch):
    async def large(scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"x" * (64 << 20)})

    monkeypatch.setattr(connections, "STALLED_SECONDS", 0.4)
    with serve_in_thread(large) as address, connected(address) as one:
        one.sendall(GET)
        time.sleep(2)
        assert len(until_closed(one)) < 64 << 20


def test_when_full_the_connection_that_waits_longest_makes_place(monkeypatch):
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 6)
    with serve_in_thread(echo) as address, ExitStack() as opened:
        stream = opened.enter_context(connected(address))
        stream.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        first, *others = [opened.enter_context(connected(address)) for _ in range(5)]
        for one in others[:2]:
            one.sendall(GET[:9])  # an incomplete request does not count as a request
        time.sleep(0.2)
        assert all(map(is_open, (stream, first, *others)))
        assert ask(address)["client"] == "127.0.0.1"
        assert not is_open(first)
        assert all(map(is_open, (stream, *others)))
        for _ in range(3):
            opened.enter_context(connected(address))
        time.sleep(0.2)
        assert [is_open(one) for one in others] == [False, False, True, True]
        assert b" 200 OK" in stream.recv(65536)


def test_the_limit_on_connections_follows_the_limit_on_files():
    code = """
import resource
from lessons.kit.web.connections import max_connections, raise_file_limit
for hard in (10_000, 1024, 256):  # only downwards: not everyone may raise it again
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    raise_file_limit()
    print(max_connections())
"""
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["4000", "924", "156"]


def test_the_socket_between_workers_sends_small_writes_at_once(monkeypatch):
    """Without TCP_NODELAY a forwarded answer waits up to 40 ms; the option is inherited when accepting."""
    opened, create_server = [], socket.create_server

    def create_and_note(*given: Any, **named: Any) -> socket.socket:
        opened.append(create_server(*given, **named))
        return opened[-1]

    monkeypatch.setattr(workers.socket, "create_server", create_and_note)
    monkeypatch.setattr(workers, "supervise", lambda run_worker, count: None)
    monkeypatch.setattr(workers, "raise_file_limit", lambda: None)
    monkeypatch.setattr(workers.signal, "signal", lambda *given: None)
    workers.serve(None, [None, None], lambda: None)
    [inner] = opened
    with inner, socket.create_connection(inner.getsockname()), inner.accept()[0] as accepted:
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
