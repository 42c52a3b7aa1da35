"""Invalid requests get a message that says what to do, never a 5xx and never Python internals."""

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import gradio as gr
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.routing import Mount

from lessons import start
from lessons.kit.web import gradio_api
from lessons.kit.web.export import escape_formula
from lessons.kit.web.request_guard import MAX_REQUEST_BYTES
from lessons.kit.web.server import Site
from lessons.kit.web.workers import serve_in_thread
from tests.toy import LESSON as TOY

LEAKS = re.compile(
    r"Traceback|Error\b|Exception|File \"|\bNone\b|site-packages|lessons[./]kit|0x[0-9a-f]{8}|<class|NoneType"
)
JSON = {"Content-Type": "application/json"}
SIZES = ["one three", 1, 1.0, "plus", False, [[1, 0], [0, 1]], [[0]]]  # valid values of the first experiment


class Server:
    """A plain client without retries, redirects or repairs."""

    def __init__(self, address: str):
        self.host = urlsplit(address).netloc

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str, dict]:
        connection = HTTPConnection(self.host, timeout=60)
        try:
            connection.request(
                method, path, body, headers or {}, encode_chunked="Transfer-Encoding" in (headers or {})
            )
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace"), dict(answer.headers)
        finally:
            connection.close()

    def post(self, path: str, value: object) -> tuple[int, str]:
        return self.ask(
            "POST", path, value if isinstance(value, bytes) else json.dumps(value).encode(), JSON
        )[:2]

    def call(self, name: str, value: object, by_name: bool = False) -> tuple[int, str]:
        """Call an endpoint as Gradio documents for curl: one request starts it, another reads the answer."""
        status, said = self.post(f"/gradio_api/call/{'v2/' * by_name}{name}", value)
        if status != 200:
            return status, said
        return self.ask("GET", f"/gradio_api/call/{name}/{json.loads(said)['event_id']}")[:2]

    def request_drawing(self, experiment: str, values: object, acts: object = ()) -> tuple[int, str]:
        return self.post(f"/draw/toy/{experiment}", {"values": values, "acts": acts})


def events(said: str) -> list[tuple[str, Any]]:
    """Event names and data of a stream."""
    found = re.findall(r"event: (\w+)\ndata: (.*)\n\n", said)
    return [(name, json.loads(data)) for name, data in found]


@pytest.fixture(scope="module")
def server(toy: str) -> Iterator[Server]:
    server = Server(toy)
    yield server
    assert events(server.call("toy_sizes", {"data": SIZES})[1])[0][0] == "complete"  # the server still works


def calm(status: int, said: str) -> bool:
    return (status < 500 or (status == 503 and "try again" in said)) and not LEAKS.search(said)


# ---- bad values, one by one ----


def test_an_endpoint_answers_by_plain_http(server):
    status, said = server.call("toy_sizes", {"data": SIZES})
    [(event, [found])] = events(said)
    assert (status, event) == (200, "complete")
    assert (found["reading"], found["words"]) == ("Word 1 is one, worth 0.30.", ["one", "three"])


@pytest.mark.parametrize(
    ("value", "status", "sentence"),
    [
        ({"data": SIZES[:2]}, 400, "Please send 7 values"),
        ({"data": [*SIZES, 1]}, 400, "8 came"),
        ({"data": "words"}, 400, "Please send 7 values"),
        ({}, 400, "Please send 7 values"),
        ({"data": SIZES, "session_hash": 5}, 400, "session_hash"),
        ({"data": SIZES, "session_hash": "x" * 65}, 400, "session_hash"),
        ([1, 2], 400, "JSON object"),
        (b"", 400, "JSON object"),
        (b"{", 400, "JSON object"),
        (b"\xff\xfe", 400, "JSON object"),
        (b'{"data": ["\\ud800"]}', 400, "whole characters"),
        (b'{"data": [' + b"9" * 400 + b"]}", 400, "finite"),
        (b'{"data": [Infinity]}', 400, "finite"),
        (b'{"data": ' + b"[" * 300 + b"]" * 300 + b"}", 400, "Please send"),
        (b'{"data": ' + b"[" * 100_000, 400, "JSON object"),
        (
            json.dumps({"data": [0] * 7}).replace("0", "[" * 300 + "]" * 300, 1).encode(),
            400,
            "not nested so deep",
        ),
    ],
    ids=lambda part: str(part)[:40],
)
def test_a_body_that_is_no_call_is_refused_before_gradio_reads_it(server, value, status, sentence):
    found, said = server.post("/gradio_api/call/toy_sizes", value)
    assert found == status
    assert sentence in json.loads(said)["error"]
    assert not LEAKS.search(said)
    joins = {"session_hash": "s", "fn_index": 0} | value if isinstance(value, dict) else value
    assert server.post("/gradio_api/queue/join", joins)[0] in (400, 404)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([*SIZES[:2], 99, *SIZES[3:]], "Scale: between 0 and 2, please; this is 99."),
        (["", *SIZES[1:]], "Type at least one word."),
        ([*SIZES[:1], "SENT", *SIZES[2:]], "Step t: a number, please"),
        ([*SIZES[:3], "times", *SIZES[4:]], "Sign: choose one of plus, minus."),
        ([*SIZES[:5], [[1]], SIZES[6]], "Table: 2 rows of 2 numbers, please."),
        (
            [{"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}}, *SIZES[1:]],
            "Type at least one word.",
        ),
        (["boom", *SIZES[1:]], "Something went wrong on our side."),  # “boom” makes `compute` fail with a bug
    ],
    ids=lambda part: str(part)[:40],
)
def test_a_bad_value_is_answered_with_the_sentence_of_its_control(server, data, sentence):
    status, said = server.call("toy_sizes", {"data": data})
    [(event, told)] = events(said)
    assert (status, event) == (200, "error")
    assert sentence in told["error"]
    assert not LEAKS.search(told["error"])


@pytest.mark.parametrize("index", [10_000, -1, "0", None, True, 1.0, [0]])
def test_an_endpoint_that_is_not_there_cannot_be_joined(server, index):
    status, said = server.post(
        "/gradio_api/queue/join", {"data": SIZES, "fn_index": index, "session_hash": "s"}
    )
    assert (status, "/gradio_api/info" in json.loads(said)["error"]) == (404, True)


def test_unknown_names_are_not_found(server):
    for path in ("call/nothing", "call/v2/nothing", "call/", "call/v2/predict"):
        assert server.post(f"/gradio_api/{path}", {"data": []})[0] == 404, path


def test_nobody_listens_for_what_was_not_asked(server):
    """A stream for an unknown call must say that nothing is running, and end."""
    for path in ("queue/data?session_hash=x", "call/toy_sizes/x", "call/v2/toy_sizes/y"):
        status, said, _ = server.ask("GET", f"/gradio_api/{path}")
        assert (status, "Not Found" in said) == (200, True), path
        assert not LEAKS.search(said)
    assert server.ask("GET", "/gradio_api/queue/data")[0] == 422


def test_values_by_name_have_their_defaults(server):
    status, said = server.call("toy_sizes", {"words": "by name"}, by_name=True)
    [(event, [found])] = events(said)
    assert (status, event, found["words"]) == (200, "complete", ["by", "name"])
    status, said = server.call("toy_sizes", {"wrods": "by name"}, by_name=True)
    assert (status, "“wrods”" in said and "words" in said) == (400, True)


# ---- forbidden paths and large requests ----


# Paths that Gradio's clients use: config and info, calls in two requests (call, queue), ending calls (cancel,
# reset, heartbeat), and MCP.
REACHABLE = {
    "/config",
    "/gradio_api/app_id",
    "/gradio_api/call/v2/{api_name}",
    "/gradio_api/call/v2/{api_name}/{event_id}",
    "/gradio_api/call/{api_name}",
    "/gradio_api/call/{api_name}/{event_id}",
    "/gradio_api/cancel",
    "/gradio_api/heartbeat/{session_hash}",
    "/gradio_api/info",
    "/gradio_api/openapi.json",
    "/gradio_api/queue/data",
    "/gradio_api/queue/join",
    "/gradio_api/queue/status",
    "/gradio_api/reset",
    "/gradio_api/startup-events",
}
OURS = {"/", "/robots.txt"}  # answered by our own route, which comes first


def gradio_addresses(app: Any, before: str = "") -> Iterator[str]:
    """Paths of all routes of Gradio's application, including nested routers and mounts."""
    for route in app.routes:
        path = before + getattr(route, "path", "")
        inner = (
            getattr(route, "app", None)
            if isinstance(route, Mount)
            else getattr(route, "original_router", None)
        )
        if inner is not None and hasattr(inner, "routes"):
            yield from gradio_addresses(inner, path.rstrip("/"))
        else:
            yield re.sub(r":\w+}", "}", path)


@pytest.fixture(scope="module")
def addresses() -> set[str]:
    with gr.Blocks(analytics_enabled=False) as blocks:
        gr.api(lambda: 1, api_name="one")
    return {path.rstrip("/") or "/" for path in gradio_addresses(gradio_api.mount(blocks, "/", ""))}


def test_the_short_list_of_reachable_addresses_is_complete(addresses):
    """New Gradio paths must stay closed until they are added to ALLOWED_PATH and to this list."""
    assert len(addresses) > 40, "Gradio's routes are no longer found: see gradio_addresses"
    assert {
        "/gradio_api/upload",
        "/gradio_api/run/{api_name}",
        "/assets/{path}",
        "/theme.css",
        "/monitoring",
    } <= addresses
    opened = {path for path in addresses if gradio_api.ALLOWED_PATH.fullmatch(re.sub(r"{.*?}", "x", path))}
    assert opened == REACHABLE


MORE = [
    "/gradio_api/mcpx",
    "/gradio_apix",
    "/gradio_api",
    "/configs",
    "/gradio_api/file=/etc/passwd",
    "/gradio_api/upload/",
]
MORE += [
    "//gradio_api/upload",
    "/gradio_api/%75pload",
    "/GRADIO_API/upload",
    "/gradio_api/../upload",
    "/config/../theme.css",
]


@pytest.mark.parametrize("root", ["", "/seq2see"])
def test_everything_else_of_gradio_is_not_found(addresses, root, monkeypatch):
    """All other Gradio paths must give 404, with and without the path prefix, which a proxy may strip."""
    monkeypatch.setenv("GRADIO_ROOT_PATH", root)
    site = Site((TOY,), start)
    with serve_in_thread(site.asgi()) as address:
        server = Server(address)
        for path in [*(re.sub(r"{.*?}", "x", path) for path in addresses - REACHABLE - OURS), *MORE]:
            for before in {root, ""}:
                for method in ("GET", "POST"):
                    status, said, _ = server.ask(
                        method, before + path, b"{}" if method == "POST" else None, JSON
                    )
                    assert status == 404, (method, before + path)
                    assert not LEAKS.search(said)
        for before in {root, ""}:
            assert server.ask("GET", f"{before}/config")[0] == 200
            assert server.ask("GET", f"{before}/toy")[0] == 200
            event = json.loads(server.post(f"{before}/gradio_api/call/toy_again", {"data": [1]})[1])[
                "event_id"
            ]
            assert (
                events(server.ask("GET", f"{before}/gradio_api/call/toy_again/{event}")[1])[0][0]
                == "complete"
            )
            status, said, _ = server.ask("GET", f"{before}/robots.txt")
            assert (status, "Sitemap" in said) == (200, True), "ours, not Gradio's"
    site.supervisor.close()


LISTENING = [
    "/gradio_api/call/toy_sizes",
    "/gradio_api/queue/join",
    "/gradio_api/cancel",
    "/draw/toy/sizes",
    "/check/toy-check-count",
]


@pytest.mark.parametrize("path", [*LISTENING, "/work/toy-again", "/room", "/gradio_api/upload", "/nowhere"])
def test_a_large_body_is_refused_in_pieces_too(server, path):
    pieces = iter([b"x" * 40_000] * (MAX_REQUEST_BYTES // 40_000 + 1))
    status, said, _ = server.ask("POST", path, pieces, JSON | {"Transfer-Encoding": "chunked"})
    assert (status, "At most 256 KB" in said) == (413, True)
    assert server.ask("POST", path, b"", JSON | {"Content-Length": str(MAX_REQUEST_BYTES + 1)})[0] == 413


def test_a_host_that_is_none_is_refused(server):
    paths = ("/toy", "/draw/toy/sizes", "/config", "/gradio_api/info")
    for headers in ({"Host": "["}, {"X-Forwarded-Host": "a b:c"}, {"X-Forwarded-Host": "a:99999999"}):
        for path in paths:
            status, said, _ = server.ask("GET", path, None, headers)
            assert (status, "host" in said) == (400, True)
    for path in paths:
        status, said, _ = server.ask("GET", path, None, {"X-Gradio-Server": "http://elsewhere.example:x"})
        assert (status, "elsewhere.example" in said) == (200, False)


def test_cells_are_no_formulas():
    frame = pd.DataFrame({"=a": ["=1+1", "+x", "-y", "@z", "\tq", "a=b", "-1.5", "−2"], "n": [-1.5] * 8})
    text = frame.rename(columns=escape_formula).map(escape_formula).to_csv(index=False)
    cells = [line.split(",")[0] for line in text.splitlines()]
    assert cells == ["'=a", "'=1+1", "'+x", "'-y", "'@z", "'\tq", "a=b", "-1.5", "−2"]
    assert text.splitlines()[1].endswith(",-1.5")
    assert np.isnan(escape_formula(np.nan))


def test_an_exported_table_runs_nothing(server):
    status, said, _ = server.ask(
        "GET", "/export/toy/sizes/lengths.csv?" + urlencode({"words": "=1+cmd @sum -x ok"})
    )
    assert status == 200
    assert [line.split(",")[0] for line in said.splitlines()[1:]] == ["'=1+cmd", "'@sum", "'-x", "ok"]


# ---- random requests ----

numbers = st.floats() | st.integers(-(10**20), 10**20) | st.just(10**400)
texts = st.text(st.characters(), max_size=20) | st.sampled_from(
    ["", "boom", "crack", "=1", "\x00", "<script>", "a" * 500]
)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
fields = {"data": st.lists(values, max_size=9) | values, "session_hash": st.none() | texts | values}
bodies = (
    st.fixed_dictionaries(
        {}, optional=fields | {"fn_index": st.integers(-1, 4) | values, "event_id": texts | values}
    )
    | values
)
some = settings(max_examples=60)
names = st.sampled_from([control.name for control in TOY.experiments[0].controls])


def near(slot: int, value: object) -> list[object]:
    return [*SIZES[:slot], value, *SIZES[slot + 1 :]]


@some
@given(
    st.sampled_from(
        ["call/toy_sizes", "call/v2/toy_again", "call/x", "queue/join", "cancel", "reset", "upload", "run/x"]
    ),
    bodies,
)
def test_no_body_breaks_gradio(server, path, body):
    assert calm(*server.post(f"/gradio_api/{path}", body))


@some
@given(st.builds(near, st.integers(0, 6), values))
def test_no_value_of_a_control_breaks_an_endpoint(server, data):
    status, said = server.call("toy_sizes", {"data": data})
    if status == 200:
        [(event, found)] = events(said)
        said = found["error"] if event == "error" else ""
    assert status in (200, 400)
    assert not LEAKS.search(said)


@some
@given(
    st.dictionaries(names | texts, values | texts, max_size=4) | values, st.lists(texts, max_size=3) | values
)
def test_no_values_break_a_drawing(server, given, acts):
    status, said = server.request_drawing("sizes", given, acts)
    assert status in (200, 400)
    assert status == 400 or {"link", "complaint"} & set(json.loads(said.split("\n")[0]))
    assert not LEAKS.search(said)


@some
@given(
    st.sampled_from(["toy-sizes-predict", "toy-check-count", "toy-check-loud"]),
    values,
    st.dictionaries(names | texts, values) | values,
)
def test_no_answer_breaks_a_question(server, id, answer, given):
    status, said = server.post(f"/check/{id}", {"answer": answer, "values": given})
    assert status in (200, 400)
    assert status == 400 or set(json.loads(said)) == {"ok", "message"}
    assert not LEAKS.search(said)


@some
@given(
    bodies,
    st.sampled_from(
        [
            "/draw/toy/sizes",
            "/check/toy-check-count",
            "/work/toy-sizes",
            "/work/toy-again/stop",
            "/room/ZZZZ/answer",
        ]
    ),
)
def test_no_body_breaks_a_route_of_ours(server, body, path):
    assert calm(*server.post(path, body))


DEEP = [
    b"[" * 5000,
    b'{"values":' * 700 + b"1" + b"}" * 700,
    b'{"values": {"scale": ' + b"[" * 900 + b"]" * 900 + b"}}",
]
PARTS = [
    "/draw/toy/sizes",
    "/check/toy-check-count",
    "/work/toy-again",
    "/room/ZZZZ/answer",
    "/room/ZZZZ/lead",
    "/room",
]


@pytest.mark.parametrize(
    "body",
    [*DEEP, b'{"values": {"words": "\\ud800"}, "answer": "\\udfff"}', b"\xff", b"null"],
    ids=lambda body: str(body[:9]),
)
@pytest.mark.parametrize(
    "path",
    [
        *PARTS,
        "/gradio_api/cancel",
        "/gradio_api/reset",
        "/gradio_api/queue/join",
        "/gradio_api/call/v2/toy_again",
    ],
)
def test_no_depth_and_no_half_character_breaks_the_server(server, path, body):
    assert calm(*server.post(path, body))


@some
@given(
    st.lists(
        st.tuples(st.sampled_from(["t", "edits", "experiment", "acts", "_v"]) | texts, texts), max_size=4
    ),
    st.integers(0, 3),
)
def test_no_link_breaks_the_server(server, query, extra):
    link = urlencode(query, errors="replace") + "&" * extra
    assert server.ask("GET", f"/toy?{link}")[0] == 200
    status, said, _ = server.ask("GET", f"/draw/toy/sizes?{link}")
    assert status == 200
    assert not LEAKS.search(said)


@some
@given(st.data())
def test_no_export_breaks_the_server(server, data):
    query = data.draw(st.dictionaries(names | texts, texts | numbers.map(str), max_size=3))
    view = data.draw(st.sampled_from(["lengths", "pulls", "corner"]) | texts)
    kind = data.draw(st.sampled_from(["svg", "csv", "json"]) | texts)
    path = (
        f"/export/toy/sizes/{quote(view, errors='replace', safe='')}.{quote(kind, errors='replace', safe='')}"
    )
    status, said, _ = server.ask("GET", f"{path}?{urlencode(query, errors='replace')}")
    assert status in (200, 400, 404) or (status == 503 and "went wrong on our side" in said)
    assert status == 200 or not LEAKS.search(said)
