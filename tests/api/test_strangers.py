"""Whatever is sent: a sentence that says what to do, never a status of 5xx, never a word of Python."""

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import quote, urlencode, urlsplit

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.kit.web.export import harmless
from lessons.kit.web.request_guard import LARGEST
from tests.toy import LESSON as TOY

LEAKS = re.compile(r"Traceback|Error\b|Exception|File \"|\bNone\b|site-packages|lessons[./]kit|0x[0-9a-f]{8}|<class|NoneType")
JSON = {"Content-Type": "application/json"}
SIZES = ["one three", 1, 1.0, "plus", False, [[1, 0], [0, 1]], [[0]]]  # values of the toy's first experiment


class Server:
    """One connection after the other, so that nothing is retried, followed or made right on the way."""

    def __init__(self, address: str):
        self.host = urlsplit(address).netloc
        dependencies = json.loads(self.ask("GET", "/config")[1])["dependencies"]
        self.events = {event["api_name"]: event["id"] for event in dependencies if event["api_visibility"] == "private"}

    def ask(self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None) -> tuple[int, str, dict]:
        connection = HTTPConnection(self.host, timeout=60)
        try:
            connection.request(method, path, body, headers or {}, encode_chunked="Transfer-Encoding" in (headers or {}))
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace"), dict(answer.headers)
        finally:
            connection.close()

    def post(self, path: str, value: object) -> tuple[int, str]:
        return self.ask("POST", path, value if isinstance(value, bytes) else json.dumps(value).encode(), JSON)[:2]

    def run(self, name: str, value: object) -> tuple[int, str]:
        """As the page does, which knows its events by number, or as others, who know the public ones by name."""
        if name in self.events and isinstance(value, dict):
            return self.post("/gradio_api/run/predict", value | {"fn_index": self.events[name]})
        return self.post(f"/gradio_api/run/{name}", value)


@pytest.fixture(scope="module")
def server(toy: str) -> Iterator[Server]:
    server = Server(toy)
    yield server
    assert server.run("toy_sizes", {"data": SIZES})[0] == 200  # still there, still right


def calm(status: int, said: str) -> bool:
    return (status < 500 or (status == 503 and "try again" in said)) and not LEAKS.search(said)


# ---- bad values, one by one ----


def test_an_endpoint_answers_by_plain_http(server):
    status, said = server.run("toy_sizes", {"data": SIZES})
    assert (status, json.loads(said)["data"][0]["words"]) == (200, ["one", "three"])


@pytest.mark.parametrize(
    ("value", "status", "sentence"),
    [
        ({"data": [*SIZES[:2], 99, *SIZES[3:]]}, 400, "Scale: between 0 and 2, please; this is 99."),
        ({"data": ["", *SIZES[1:]]}, 400, "Type at least one word."),
        ({"data": SIZES[:2]}, 400, "Please send 7 values"),
        ({"data": [*SIZES, 1]}, 400, "8 came"),
        ({"data": "words"}, 400, "Please send 7 values"),
        ({}, 400, "Please send 7 values"),
        ({"data": SIZES, "fn_index": 10_000}, 404, "/gradio_api/info"),
        ({"data": SIZES, "fn_index": -1}, 404, "/gradio_api/info"),
        ({"data": SIZES, "fn_index": "0"}, 404, "/gradio_api/info"),
        ({"data": SIZES, "session_hash": 5}, 400, "session_hash"),
        ({"data": SIZES, "session_hash": "x" * 65}, 400, "session_hash"),
        ({"data": [*SIZES[:1], "SENT", *SIZES[2:]]}, 400, "a number, please"),
        ([1, 2], 400, "JSON object"),
        (b"{", 400, "JSON object"),
        (b"\xff\xfe", 400, "JSON object"),
        (b'{"data": ["\\ud800"]}', 400, "whole characters"),
        (b'{"data": [' + b"9" * 400 + b"]}", 400, "finite"),
        (b'{"data": [Infinity]}', 400, "finite"),
        (b'{"data": ' + b"[" * 300 + b"]" * 300 + b"}", 400, "Please send"),
        (json.dumps({"data": [0] * 7}).replace("0", "[" * 300 + "]" * 300, 1).encode(), 400, "not so deep"),
        ({"data": ["boom", *SIZES[1:]]}, 503, "Something went wrong on our side."),  # a defect: ours, and said calmly
    ],
    ids=lambda part: str(part)[:40],
)
def test_a_bad_value_is_met_at_the_door(server, value, status, sentence):
    for path in ("run", "api"):
        found, said = server.post(f"/gradio_api/{path}/toy_sizes", value)
        assert found == status
        assert sentence in json.loads(said)["error"]
        assert not LEAKS.search(said)


def test_unknown_names_are_not_found(server):
    for path in ("run/nothing", "call/nothing", "call/v2/nothing", "api/predict", "call/draw"):
        assert server.post(f"/gradio_api/{path}", {"data": []})[0] == 404
    assert server.post("/gradio_api/call/v2/try_preset", {})[0] == 404


def test_nobody_listens_for_what_was_not_asked(server):
    for path in ("queue/data?session_hash=x", "queue/data", "call/toy_sizes/x", "call/v2/toy_sizes/x"):
        status, said, _ = server.ask("GET", f"/gradio_api/{path}")
        assert (status, json.loads(said)) == (404, {"error": "Nothing is under way here."})


def test_values_by_name_have_their_defaults(server):
    status, said = server.post("/gradio_api/call/v2/toy_sizes", {"words": "by name"})
    assert status == 200
    status, said, _ = server.ask("GET", f"/gradio_api/call/toy_sizes/{json.loads(said)['event_id']}")
    assert (status, '"by", "name"' in said) == (200, True)
    status, said = server.post("/gradio_api/call/v2/toy_sizes", {"wrods": "by name"})
    assert (status, "“wrods”" in said and "words" in said) == (400, True)


def test_only_json_is_read(server):
    for kind in ("text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"):
        status, said, _ = server.ask("POST", "/gradio_api/run/toy_sizes", b"data=1", {"Content-Type": kind})
        assert (status, "application/json" in said) == (415, True)


# ---- what is closed, and what is too large ----


CLOSED = [
    "upload",
    "upload_progress?upload_id=1",
    "file=/etc/passwd",
    "proxy=http://a.b/",
    "component_server",
    "deep_link",
    "stream/1",
]
CLOSED += [
    "process_recording",
    "vibe-edit",
    "dev/reload",
    "runs",
    "run-history/buckets",
    "custom_component/a/client/b/c",
    "stream/1",
]


@pytest.mark.parametrize("path", CLOSED)
def test_what_no_lesson_needs_is_closed(server, path):
    for method in ("GET", "POST"):
        status, said, _ = server.ask(method, f"/gradio_api/{path}", b"" if method == "POST" else None)
        assert (status, "takes no files" in json.loads(said)["error"]) == (403, True)


def test_monitoring_is_closed(server):
    for path in ("/monitoring", "/monitoring/summary", "/monitoring/x"):
        assert server.ask("GET", path)[0] == 403


def test_a_large_body_is_refused_in_pieces_too(server):
    for path in ("/gradio_api/run/toy_sizes", "/gradio_api/queue/join", "/gradio_api/cancel"):
        pieces = iter([b"x" * 40_000] * (LARGEST // 40_000 + 1))
        status, said, _ = server.ask("POST", path, pieces, JSON | {"Transfer-Encoding": "chunked"})
        assert (status, "At most 256 KB" in said) == (413, True)
        assert server.ask("POST", path, b"", JSON | {"Content-Length": str(LARGEST + 1)})[0] == 413


def test_a_host_that_is_none_is_refused(server):
    for headers in ({"Host": "["}, {"X-Forwarded-Host": "a b:c"}, {"X-Forwarded-Host": "a:99999999"}):
        for path in ("/toy", "/config", "/gradio_api/info"):
            status, said, _ = server.ask("GET", path, None, headers)
            assert (status, "host" in said) == (400, True)
    for path in ("/toy", "/config", "/gradio_api/info"):
        status, said, _ = server.ask("GET", path, None, {"X-Gradio-Server": "http://elsewhere.example:x"})
        assert (status, "elsewhere.example" in said) == (200, False)


def test_cells_are_no_formulas():
    frame = pd.DataFrame({"=a": ["=1+1", "+x", "-y", "@z", "\tq", "a=b", "-1.5", "−2"], "n": [-1.5] * 8})
    text = frame.rename(columns=harmless).map(harmless).to_csv(index=False)
    cells = [line.split(",")[0] for line in text.splitlines()]
    assert cells == ["'=a", "'=1+1", "'+x", "'-y", "'@z", "'\tq", "a=b", "-1.5", "−2"]
    assert text.splitlines()[1].endswith(",-1.5")
    assert np.isnan(harmless(np.nan))


def test_an_exported_table_runs_nothing(server):
    status, said, _ = server.ask("GET", "/export/toy/sizes/lengths.csv?" + urlencode({"words": "=1+cmd @sum -x ok"}))
    assert status == 200
    assert [line.split(",")[0] for line in said.splitlines()[1:]] == ["'=1+cmd", "'@sum", "'-x", "ok"]


# ---- anything at all ----

numbers = st.floats() | st.integers(-(10**20), 10**20) | st.just(10**400)
texts = st.text(st.characters(), max_size=20) | st.sampled_from(["", "boom", "crack", "=1", "\x00", "<script>", "a" * 500])
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
NAMES = ["predict", "draw", "draw_1", "draw_2", "try_preset", "judge", "judge_1", "judge_2"]
NAMES += [f"toy_{experiment.slug}" for experiment in TOY.experiments]
fields = {"data": st.lists(values, max_size=9) | values, "session_hash": st.none() | texts | values}
bodies = st.fixed_dictionaries({}, optional=fields | {"fn_index": st.integers(-1, 16) | values, "trigger_id": values}) | values
some = settings(max_examples=60)


def near(slot: int, value: object) -> list[object]:
    return [*SIZES[:slot], value, *SIZES[slot + 1 :]]


@some
@given(st.sampled_from(["run", "api", "call", "call/v2"]), st.sampled_from(NAMES), bodies)
def test_no_event_breaks_the_server(server, way, name, body):
    if name in server.events and isinstance(body, dict):
        body = {"fn_index": server.events[name]} | body
    assert calm(*server.post(f"/gradio_api/{way}/{name}", body))


@some
@given(st.builds(near, st.integers(0, 6), values), st.sampled_from(["toy_sizes", "draw"]))
def test_no_value_of_a_control_breaks_the_server(server, data, name):
    data = data if name == "toy_sizes" else [*data, []]
    status, said = server.run(name, {"data": data})
    assert status == 503 or calm(status, said)  # “boom” is a defect of the toy's own
    assert not LEAKS.search(said)


@some
@given(st.lists(st.tuples(st.sampled_from(["t", "edits", "experiment", "acts"]) | texts, texts), max_size=4), st.integers(0, 3))
def test_no_link_breaks_the_server(server, query, extra):
    link = urlencode(query, errors="replace") + "&" * extra
    assert server.ask("GET", f"/toy?{link}")[0] == 200
    assert calm(*server.run("try_preset", {"data": [link, []]}))


@some
@given(st.data())
def test_no_export_breaks_the_server(server, data):
    names = [control.name for control in TOY.experiments[0].controls]
    query = data.draw(st.dictionaries(st.sampled_from(names) | texts, texts | numbers.map(str), max_size=3))
    view = data.draw(st.sampled_from(["lengths", "pulls", "corner"]) | texts)
    kind = data.draw(st.sampled_from(["svg", "csv", "json"]) | texts)
    path = f"/export/toy/sizes/{quote(view, errors='replace', safe='')}.{quote(kind, errors='replace', safe='')}"
    status, said, _ = server.ask("GET", f"{path}?{urlencode(query, errors='replace')}")
    assert status in (200, 400, 404) or (status == 503 and "went wrong on our side" in said)
    assert status == 200 or not LEAKS.search(said)


@some
@given(bodies)
def test_no_one_breaks_the_queue(server, body):
    for path in ("queue/join", "cancel", "reset"):
        assert server.post(f"/gradio_api/{path}", body)[0] < 500
