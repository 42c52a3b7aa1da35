"""Fuzz all routes with valid and invalid values: `python -m tests.bench.fuzz [requests]`.

Room codes, tokens and jobs are real. Answers are counted by route and status; any 5xx is an error, except
a 503 with Retry-After.
"""

import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from lessons.kit.contract import Choice, Control, Lesson, Slider, Text, Toggle
from lessons.kit.web.questions import collect_questions
from tests.bench import serve

TEXTS = [
    "",
    " ",
    "the dog sleeps .",
    "\x00",
    "\ud800",
    "é" * 200,
    "<script>alert(1)</script>",
    "=1+1",
    "a" * 5000,
    "👩‍👩‍👧",
    "null",
]
ODD = [
    None,
    True,
    False,
    0,
    -1,
    3,
    1.5,
    1e308,
    -1e308,
    10**30,
    float("nan"),
    float("inf"),
    [],
    {},
    [[]],
    {"a": {}},
    *TEXTS,
]
BROKEN = [b"", b"[", b"[" * 8000, b"\xff\xfe", b'"\\ud800"', b"{}", b"[]", b"null", b'{"values":' * 900]


class FuzzRequest(NamedTuple):
    """A request and the name of its route."""

    route: str
    method: str
    path: str
    body: bytes | None = None
    headers: dict[str, str] = {}  # noqa: RUF012 - read only


class Room(NamedTuple):
    code: str
    secret: str
    report: str
    member: str


class Generator:
    """Generates random requests. The same seed gives the same requests, except for room codes."""

    def __init__(self, lessons: Sequence[Lesson], room: Room, seed: int = 0):
        self.random, self.lessons, self.room, self.asked, self.orders = (
            random.Random(seed),
            lessons,
            room,
            0,
            ["0" * 32],
        )
        # requests that must follow the last one, before a random request
        self.followers: list[Callable[[], FuzzRequest]] = []
        self.questions = list(collect_questions(lessons))
        self.kinds: list[Callable[[], FuzzRequest]] = [
            self.page,
            self.draw_by_link,
            self.draw_by_body,
            self.check,
            self.answers,
            self.export,
            self.download,
            self.order,
            self.progress,
            self.stop,
            self.forget,
            self.open_or_join,
            self.lead,
            self.answer,
            self.state,
            self.report,
            self.call,
            self.teach,
        ]

    def __iter__(self) -> Iterator[FuzzRequest]:
        while True:
            yield self.followers.pop()() if self.followers else self.random.choice(self.kinds)()

    # ---- parts ----

    def pick(self, *options: Any) -> Any:
        return self.random.choice(options)

    def odd(self, usual: Any, share: float = 0.1) -> Any:
        """Return the valid value, or sometimes an invalid one."""
        return self.random.choice(ODD) if self.random.random() < share else usual

    def experiment(self) -> tuple[Lesson, Any]:
        lesson = self.random.choice(self.lessons)
        return lesson, self.random.choice(lesson.experiments)

    def value(self, control: Control) -> Any:
        """Return a value of the control, in most cases a valid one."""
        return self.odd(self.usual(control), 0.15)

    def usual(self, control: Control) -> Any:
        match control:
            case Slider():
                return self.random.uniform(control.low, control.high)
            case Choice():
                return self.random.choice(control.options)
            case Toggle():
                return self.pick(True, False)
            case Text():
                return self.random.choice([control.default, *control.suggestions])
        return control.default

    def values(self, controls: Sequence[Control]) -> dict[str, Any]:
        some = [control for control in controls if self.random.random() < 0.5]
        return {control.name: self.value(control) for control in some} | (
            {self.pick(*TEXTS): 1} if self.pick(0, 0, 1) else {}
        )

    def query(self, values: dict[str, Any]) -> str:
        return urlencode({name: str(value) for name, value in values.items()}, errors="replace")

    def json(self, body: Any) -> bytes:
        return (
            self.random.choice(BROKEN)
            if self.random.random() < 0.1
            else json.dumps(body).encode("utf-8", "replace")
        )

    def post(self, route: str, path: str, body: Any, proof: str = "") -> FuzzRequest:
        kind = self.pick(*["application/json"] * 9, "text/plain")
        headers = {"Content-Type": kind} | ({"Authorization": f"Bearer {proof}"} if proof else {})
        return FuzzRequest(route, "POST", path, self.json(body), headers)

    def code(self) -> str:
        return self.pick(*[self.room.code] * 5, "BBBB", "bbbb", "%00", "x" * 200, "..%2F")

    def proof(self) -> str:
        return self.pick(self.room.secret, self.room.member, self.room.member[:-1], "x", "", "\xe9.\xe9")

    # ---- routes ----

    def page(self) -> FuzzRequest:
        lesson, experiment = self.experiment()
        asked = {"experiment": self.pick(experiment.slug, "check", "x")} | self.values(experiment.controls)
        return FuzzRequest("/<lesson>", "GET", f"/{lesson.slug}?{self.query(asked)}")

    def draw_by_link(self) -> FuzzRequest:
        lesson, experiment = self.experiment()
        return FuzzRequest(
            "/draw GET",
            "GET",
            f"/draw/{lesson.slug}/{experiment.slug}?{self.query(self.values(experiment.controls))}",
        )

    def draw_by_body(self) -> FuzzRequest:
        lesson, experiment = self.experiment()
        body = {
            "values": self.values(experiment.controls),
            "acts": self.pick([], ["x"], None, [[]]),
            "narrow": self.odd(True),
        }
        return self.post("/draw POST", f"/draw/{lesson.slug}/{experiment.slug}", body)

    def check(self) -> FuzzRequest:
        body = {
            "answer": self.random.choice(ODD),
            "values": self.pick({}, {"t": 1}, [], {"sentence": "\ud800"}),
        }
        return self.post("/check", f"/check/{self.random.choice(self.questions)}", body)

    def answers(self) -> FuzzRequest:
        return FuzzRequest("/answers", "GET", f"/answers/{self.pick(*self.questions, 'x', '%00')}")

    def export(self) -> FuzzRequest:
        lesson, experiment = self.experiment()
        view = self.pick(*(view.__name__ for view in experiment.all_views), "x", "..")
        kind = self.pick("svg", "svg", "csv", "csv", "json", "png", "x")
        query = self.query(self.values(experiment.controls))
        path = f"/export/{lesson.slug}/{experiment.slug}/{view}.{kind}?{query}"
        return FuzzRequest("/export", "GET", path)

    def download(self) -> FuzzRequest:
        name = self.pick("attention", "x", "..%2F..%2Fapp", quote("é"))
        return FuzzRequest(
            "files",
            "GET",
            self.pick(f"/home/{name}.zip", f"/katex/{name}", f"/static/{name}/page.js", f"/code/{name}/x"),
        )

    def order(self) -> FuzzRequest:
        lesson, experiment = self.random.choice(
            [(one, e) for one in self.lessons for e in one.experiments if e.job]
        )
        body = {
            "values": self.values(experiment.controls),
            "visitor": self.odd("someone"),
            "room": self.odd(self.room.code),
        }
        name = f"{lesson.slug}-{experiment.slug}{self.pick('', '', '-onward', '-x')}"
        return self.post("/work", f"/work/{name}", body, self.proof())

    def progress(self) -> FuzzRequest:
        return FuzzRequest(
            "/work progress",
            "GET",
            f"/work/{self.random.choice(self.orders)}/progress?seen={self.pick(0, -1, 'x', 10**12)}",
        )

    def stop(self) -> FuzzRequest:
        return self.post("/work stop", f"/work/{self.random.choice(self.orders)}/stop", {})

    def forget(self) -> FuzzRequest:
        return self.post(
            "/work forget", "/work/forget", {"names": self.pick([], ["x"], ["0" * 16], "x", [1], None)}
        )

    def open_or_join(self) -> FuzzRequest:
        return self.post("/room join", self.pick(*[f"/room/{self.code()}/join"] * 9, "/room"), {})

    def lead(self) -> FuzzRequest:
        body = {
            "way": self.odd(
                self.pick("show", "show", "turn", *["ask"] * 5, "tell", "reveal", "again", "done"), 0.05
            ),
            "lesson": self.odd(self.lessons[0].slug, 0.05),
            "query": self.odd("experiment=x", 0.2),
            "by": self.odd("tab", 0.05),
            "goal": self.odd("find it", 0.05),
            "yours": self.odd(True, 0.05),
            "text": self.odd("Which?", 0.05),
            "options": self.odd(["a", "b"], 0.05),
        }
        some = {name: value for name, value in body.items() if name == "way" or self.random.random() < 0.7}
        asked = {"id": self.odd(self.random.choice(self.questions))} if self.pick(0, 0, 1) else {}
        return self.post(
            "/room lead", f"/room/{self.code()}/lead", some | asked, self.pick(self.room.secret, self.proof())
        )

    def answer(self) -> FuzzRequest:
        body = {"n": self.odd(self.asked), "answer": self.odd(self.pick("a", "b", "0.5"))}
        proof = self.pick(*[self.room.member] * 4, self.proof())
        return self.post("/room answer", f"/room/{self.code()}/answer", body, proof)

    def state(self) -> FuzzRequest:
        query = self.query(
            {"v": self.pick(0, -1, "x"), "at": self.random.choice(TEXTS), "solved": self.pick("", "x", "é")}
        )
        path = f"/room/{self.code()}/{self.pick('state', 'desk')}?{query}"
        return FuzzRequest(
            "/room state, desk", "GET", path, None, {"Authorization": f"Bearer {self.proof()}"}
        )

    def report(self) -> FuzzRequest:
        what = self.pick("report", "report.csv", "qr.svg")
        key = self.pick(self.room.report, "x", quote("é"), "")
        return FuzzRequest(
            "/room report, qr",
            "GET",
            self.pick(f"/room/{self.code()}/{what}?key={key}", f"/r/{self.code()}", f"/r?code={key}"),
        )

    def call(self) -> FuzzRequest:
        lesson, experiment = self.experiment()
        data = [self.value(control) for control in experiment.controls]
        body = {"data": self.pick(data, data, data[:-1], None), "session_hash": self.pick(None, "x", 5)}
        return self.post(
            "/gradio_api", f"/gradio_api/call/{lesson.slug}_{self.pick(experiment.slug, 'x')}", body
        )

    def teach(self) -> FuzzRequest:
        lesson, experiment = self.experiment()
        item = quote(
            f"{lesson.slug}?experiment={experiment.slug}&{self.query(self.values(experiment.controls))}"
        )
        title = quote(self.random.choice(TEXTS), errors="replace")
        return FuzzRequest(
            "/teach, /handout",
            "GET",
            self.pick(f"/handout?item={item}&title={title}", f"/teach/{lesson.slug}", "/sitemap.xml"),
        )


class Fuzz:
    """Send random requests to a server and count its answers."""

    def __init__(self, port: int, lessons: Sequence[Lesson], seed: int = 0):
        self.port, self.counts, self.faults, self.rooms = port, Counter[tuple[str, int]](), list[str](), 0
        self.generator = Generator(lessons, self.open_room(), seed)

    def open_room(self) -> Room:
        self.rooms += 1  # each network may open only a few rooms
        source, kind = f"127.0.{self.rooms}.1", {"Content-Type": "application/json"}
        made = json.loads(self.ask(FuzzRequest("", "POST", "/room", b"{}", kind), source)[1])
        joined = json.loads(self.ask(FuzzRequest("", "POST", f"/room/{made['code']}/join", b"{}", kind))[1])
        self.ask(
            FuzzRequest(
                "",
                "GET",
                f"/room/{made['code']}/state",
                None,
                {"Authorization": f"Bearer {joined['member']}"},
            )
        )
        return Room(**made, **joined)

    def ask(self, sent: FuzzRequest, source: str = serve.HOST) -> tuple[int, bytes]:
        connection = HTTPConnection(serve.HOST, self.port, timeout=60, source_address=(source, 0))
        try:
            headers = {name: value.encode("latin-1", "replace") for name, value in sent.headers.items()}
            connection.request(sent.method, sent.path, sent.body, headers)  # type: ignore[arg-type]
            answer = connection.getresponse()
            is_stream = answer.headers.get_content_type() == "text/event-stream"
            return answer.status, b"" if is_stream else answer.read()
        finally:
            connection.close()

    def send(self, count: int) -> None:
        for sent, number in zip(self.generator, range(count), strict=False):
            if number % 1000 == 999:  # a room accepts at most forty questions
                self.generator.room, self.generator.asked = self.open_room(), 0
            status, said = self.ask(sent)
            self.counts[sent.route, status] += 1
            if sent.route == "/room lead" and status == 204 and b'"way": "ask"' in (sent.body or b""):
                self.generator.asked += 1
                self.generator.followers = [self.generator.answer] * 4  # while the question is open
            if status == 202:
                self.generator.orders = [*self.generator.orders[-9:], json.loads(said)["id"]]
            is_busy = status == 503 and b"try again" in said.lower()
            if (status >= 500 and not is_busy) or b"Traceback" in said:
                self.faults.append(
                    f"{status} {sent.method} {sent.path[:300]} {(sent.body or b'')[:300]!r}: {said[:200]!r}"
                )


def main() -> int:
    from lessons import LESSONS

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        serve.ENVIRONMENT["SEQ2SEE_STORE"] = os.path.join(folder, "store")
        with serve.run_server("lessons") as port:
            began, fuzz = time.perf_counter(), Fuzz(port, LESSONS)
            fuzz.send(count)
    for route in sorted({route for route, _ in fuzz.counts}):
        told = ", ".join(
            f"{status}: {many}" for (one, status), many in sorted(fuzz.counts.items()) if one == route
        )
        print(f"{route:20} {told}")
    print(*fuzz.faults, sep="\n")
    print(f"{count} requests in {time.perf_counter() - began:.0f} s, {len(fuzz.faults)} faults")
    return 1 if fuzz.faults else 0


if __name__ == "__main__":
    sys.exit(main())
