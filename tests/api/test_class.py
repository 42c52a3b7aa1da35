"""Many clients at once: each answer is computed only once, and caches and queues are bounded."""

import gzip
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import brotli
import pytest

from lessons import start
from lessons.kit.contract import Experiment, Slider
from lessons.kit.memo import ByteLRU, shallow_bytes
from lessons.kit.web import concurrency, draw, export, gradio_api, pages
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.renderer import Renderer
from lessons.kit.web.server import Site
from lessons.kit.web.workers import bind_sockets, serve_in_thread
from tests.api.test_strangers import Server
from tests.toy import LESSON as TOY
from tests.toy import again, bars, reading

MAX_CALLS = 2  # endpoint calls that one process computes at the same time
calls: list[float] = []  # scales requested from the slow experiment
held = threading.Event()  # while set, the slow experiment blocks for scales below 1


def slow(scale: float):
    calls.append(scale)
    time.sleep(0.2)
    while held.is_set() and scale < 1:
        time.sleep(0.01)
    return again(scale)


@pytest.fixture
def counting():
    """A server with a lesson whose second experiment is slow and records its calls."""
    calls.clear()
    ANSWERS.clear()
    own = (Slider("scale", "Scale", 1.0, 0, 2, 0.01),)
    experiment = Experiment("again", "Again", own, slow, (bars, reading), acts=TOY.experiments[1].acts)
    lesson = replace(TOY, experiments=(TOY.experiments[0], experiment, TOY.experiments[2]))
    with serve_in_thread(Site((lesson,), start).asgi()) as address:
        yield Server(address)


def drawing(scale: float) -> str:
    """The URL of a drawing of the slow experiment."""
    return f"/draw/toy/again?scale={scale}"


def visitor(name: str) -> dict[str, str]:
    """The header that identifies a visitor for rate limiting."""
    return {"X-Visitor": name}


# ---- caches ----


def test_what_many_ask_for_at_once_is_made_once():
    kept, made = ByteLRU(10_000), []

    def make() -> str:
        made.append(1)
        time.sleep(0.1)
        return "x"

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: kept(("k",), make), range(8))) == {"x"}
    assert len(made) == 1


def test_a_failure_is_told_to_all_who_wait_and_is_not_kept():
    kept, made = ByteLRU(10_000), []

    def make() -> str:
        made.append(1)
        time.sleep(0.1)
        raise ValueError("no")

    def ask(_: int) -> str:
        with pytest.raises(ValueError, match="no"):
            kept(("k",), make)
        return "told"

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == ["told"] * 4
    assert kept.get(("k",)) is None
    assert not kept.pending
    assert kept(("k",), lambda: "now") == "now"


def test_what_is_kept_has_a_bound_in_bytes():
    kept = ByteLRU(100_000)
    for i in range(50):
        kept((i,), lambda: "x" * 10_000)
        kept((0,), lambda: "y" * 10_000)  # requested in every round, so it stays cached
    assert kept.size <= 100_000
    assert len(kept.values) == 9
    assert kept.get((0,)) == "x" * 10_000
    kept.put((0,), "z")
    assert kept.size == sum(shallow_bytes(key, thing) for key, thing in kept.values.items())
    kept.clear()
    assert kept.size == 0


# ---- pages ----


def test_a_page_is_made_once_for_all_who_open_it(counting, monkeypatch):
    made = []
    monkeypatch.setattr(pages, "compress", lambda body, *_: made.append(1) or body)
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda _: counting.ask("GET", "/toy?experiment=again"), range(24)))
    assert {status for status, _, _ in found} == {200}
    assert len({page for _, page, _ in found}) == 1
    assert len(made) == 1
    assert calls == [1.0]


def test_a_page_is_packed_as_the_browser_likes_it(toy):
    server = Server(toy)
    for path in ("/", "/toy", "/toy?experiment=steer"):
        plain = server.ask("GET", path)[1]
        for encoding, unpack in {"br": brotli.decompress, "gzip": gzip.decompress}.items():
            assert unpack(raw(server, path, encoding)[1]).decode() == plain
    assert 'id="toy-steer"' in plain


def raw(server: Server, path: str, encoding: str, **headers: str) -> tuple[dict, bytes]:
    with urlopen(
        Request(f"http://{server.host}{path}", headers={"Accept-Encoding": encoding} | headers)
    ) as answer:
        assert answer.headers.get("content-encoding") == encoding
        return dict(answer.headers), answer.read()


def test_a_page_that_the_browser_has_is_not_sent_again(toy):
    server = Server(toy)
    _, _, headers = server.ask("GET", "/toy")
    assert server.ask("GET", "/toy", None, {"If-None-Match": headers["etag"]})[:2] == (304, "")
    assert server.ask("GET", "/toy?experiment=steer", None, {"If-None-Match": headers["etag"]})[0] == 200


def test_a_page_knows_the_host_it_was_asked_from(toy):
    """Behind a proxy, links in the page must use the proxy's host, and each host must get its own page."""
    server = Server(toy)

    def addresses(**headers: str) -> set[str]:
        found = server.ask(
            "GET", "/toy", None, {name.replace("_", "-"): value for name, value in headers.items()}
        )[1]
        return set(re.findall(r'(?:content|href)="(https?://[^/"]+)', found))

    assert addresses(X_Forwarded_Host="course.example", X_Forwarded_Proto="https") == {
        "https://course.example"
    }
    assert addresses(X_Forwarded_Host="other.example") == {"http://other.example"}
    assert addresses() == {f"http://{server.host}"}


# ---- drawings ----


def test_the_same_state_asked_by_many_is_computed_once(counting):
    with ThreadPoolExecutor(12) as pool:
        found = list(
            pool.map(lambda i: counting.ask("GET", drawing(0.5), None, visitor(f"s{i}"))[:2], range(24))
        )
    assert {status for status, _ in found} == {200}
    assert len({body for _, body in found}) == 1
    assert calls == [0.5]


def test_one_visitor_cannot_fill_the_server(counting):
    """A visitor over the limit must get a quick “busy”, while another visitor's drawing is still answered."""
    held.set()
    with ThreadPoolExecutor(21) as pool:
        greedy = [
            pool.submit(counting.ask, "GET", drawing(i / 100), None, visitor("greedy")) for i in range(20)
        ]
        deadline = time.monotonic() + 20
        refusals = 20 - concurrency.MAX_PER_VISITOR
        while sum(future.done() for future in greedy) < refusals and time.monotonic() < deadline:
            time.sleep(0.02)
        another = pool.submit(counting.ask, "GET", drawing(1.99), None, visitor("another"))
        held.clear()
        assert another.result()[0] == 200
        found = [future.result() for future in greedy]
    refused = [(said, headers) for status, said, headers in found if status == 503]
    assert len(refused) == refusals
    assert {status for status, _, _ in found} == {200, 503}
    assert all(
        headers["retry-after"] == "1" and "try again" in said and len(said) < 100 for said, headers in refused
    )


def test_who_asks_ahead_gets_nothing_while_another_is_served(counting):
    """A prefetch must get an empty answer while the server is busy, and that answer must not be cached."""
    ahead = {"X-Ahead": "1"}
    held.set()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(counting.ask, "GET", drawing(0.5))
        while 0.5 not in calls:
            time.sleep(0.01)
        status, said, headers = counting.ask("GET", drawing(1.5), None, ahead)
        assert (status, said, headers["cache-control"]) == (204, "", "no-store")
        held.clear()
        assert first.result()[0] == 200
    assert calls == [0.5]
    status, said, _ = counting.ask("GET", drawing(1.5), None, ahead)
    assert (status, "scale=1.5" in said) == (200, True)
    held.set()
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(counting.ask, "GET", drawing(0.25))
        while 0.25 not in calls:
            time.sleep(0.01)
        assert (
            counting.ask("GET", drawing(1.5), None, ahead)[0] == 200
        )  # a cached answer is sent even when the server is busy
        held.clear()
        assert busy.result()[0] == 200


def test_only_a_few_drawings_are_at_work_at_once(counting):
    held.set()
    with ThreadPoolExecutor(6) as pool:
        found = [pool.submit(counting.ask, "GET", drawing(i / 100), None, visitor(str(i))) for i in range(6)]
        try:
            time.sleep(0.5)
            assert len(calls) == draw.MAX_CONCURRENT_DRAWINGS
        finally:
            held.clear()
        assert {future.result()[0] for future in found} == {200}


def test_there_is_a_bound_for_all_together():
    gate = concurrency.ConcurrencyLimit(max_per_visitor=2, max_total=3)
    with gate("a"), gate("a"), gate("b"):
        for visitor in ("a", "c"):
            with pytest.raises(concurrency.HTTPError), gate(visitor):
                pass
    with gate("c"):
        pass
    assert not gate.in_flight


@contextmanager
def disconnected_clients(server: Server, *paths: str):
    """Send requests whose clients disconnect at once."""
    for path in paths:
        with socket.create_connection(
            (urlsplit(f"//{server.host}").hostname, urlsplit(f"//{server.host}").port)
        ) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\nX-Visitor: {path}\r\n\r\n".encode())
            time.sleep(0.02)  # gives the request time to arrive
    yield


def test_nobody_waits_for_those_who_have_gone(counting):
    held.set()
    with (
        disconnected_clients(counting, *(drawing(i / 100) for i in range(30))),
        ThreadPoolExecutor(1) as pool,
    ):
        ours = pool.submit(counting.ask, "GET", drawing(1.99))
        held.clear()
        assert ours.result()[0] == 200
    assert len(calls) < 10  # requests that had already started, and the test's own


def test_endpoints_compute_for_a_few_at_once():
    """Only a few endpoint calls may compute at once, so that API and MCP clients do not slow the pages."""
    calls.clear()
    own = (Slider("scale", "Scale", 1.0, 0, 2, 0.01),)
    experiment = Experiment("again", "Again", own, slow, (bars, reading), acts=TOY.experiments[1].acts)
    call = gradio_api.make_endpoint(
        Renderer(replace(TOY, experiments=(TOY.experiments[0], experiment, TOY.experiments[2])), experiment)
    )
    held.set()
    with ThreadPoolExecutor(5) as pool:
        found = [pool.submit(call, scale=i / 100) for i in range(5)]
        try:
            time.sleep(0.5)
            assert len(calls) == MAX_CALLS
        finally:
            held.clear()
        assert all(future.result().reading for future in found)
    assert sorted(calls) == [i / 100 for i in range(5)]


# ---- exports ----


def test_an_export_is_drawn_once(counting):
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(lambda _: counting.ask("GET", "/export/toy/again/bars.svg?scale=0.5"), range(8))
        )
    assert {status for status, _, _ in found} == {200}
    assert calls == [0.5]


def test_exports_do_not_stand_before_drawings(counting):
    """Slow exports for slides must have their own queue."""
    with ThreadPoolExecutor(export.MAX_WAITING_EXPORTS) as pool:
        waiting = [
            pool.submit(counting.ask, "GET", f"/export/toy/again/bars.svg?scale={i / 100}") for i in range(8)
        ]
        time.sleep(0.1)
        began = time.monotonic()
        assert counting.ask("GET", drawing(1.99))[0] == 200
        assert time.monotonic() - began < 1
        assert {future.result()[0] for future in waiting} == {200}


def test_a_drawing_is_made_once_in_many_threads():
    renderer, found = Renderer(TOY, TOY.experiments[0]), []
    ANSWERS.clear()
    threads = [
        threading.Thread(target=lambda: found.append(renderer.drawing({"words": "together"})))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert ANSWERS.compute_count == 1


def test_what_one_click_leads_to_is_drawn_ahead(monkeypatch):
    renderer = Renderer(TOY, TOY.experiments[0])
    ANSWERS.clear()
    monkeypatch.setattr(pages, "PAUSE_SECONDS", 0)
    pages.draw_choices([renderer])
    made = ANSWERS.compute_count
    assert made
    for state in ({"sign": "minus"}, {"loud": True}):
        renderer.drawing(state)
    assert ANSWERS.compute_count == made


def test_what_is_written_goes_out_at_once():
    [bound] = bind_sockets("127.0.0.1", 0)
    with bound, socket.create_connection(bound.getsockname()), bound.accept()[0] as accepted:
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
