"""HTTP clients without a browser that send the same requests as a page whose controls a learner moves."""

import json
import random
from collections.abc import Iterator
from functools import cache
from http.client import HTTPConnection
from itertools import count
from typing import Any, NamedTuple

import brotli  # type: ignore[import-untyped]

from lessons.kit import link
from lessons.kit.contract import Choice, Control, Experiment, Lesson, Slider, Toggle
from lessons.kit.web import static_files
from tests.bench.serve import HOST, TIMEOUT_SECONDS

ACCEPT_ENCODING = "gzip, deflate, br"  # the value that Chromium sends over HTTPS
MAX_ERROR_BYTES = 600  # compressed errors are smaller than this, drawings are larger


class Call(NamedTuple):
    """An HTTP request: its method, path and body."""

    method: str
    path: str
    body: str | None = None


class Place(NamedTuple):
    """An experiment and its lesson."""

    lesson: str  # slug of the lesson
    experiment: Experiment

    @property
    def id(self) -> str:
        return f"{self.lesson}-{self.experiment.slug}"

    @property
    def page(self) -> str:
        """The path of its page, without the guess."""
        return f"/{self.lesson}?experiment={self.experiment.slug}&guess=0"

    def draw(self, state: dict[str, Any]) -> Call:
        """The request for a drawing of a state."""
        query = f"{link.encode(self.experiment, state)}&_v={version()}"
        return Call("GET", f"/draw/{self.lesson}/{self.experiment.slug}?{query}")


@cache
def version() -> str:
    """The version number in the URLs of drawings."""
    return static_files.version()


def all_places(lessons: tuple[Lesson, ...]) -> list[Place]:
    return [Place(lesson.slug, experiment) for lesson in lessons for experiment in lesson.experiments]


# ---- what a learner does ----


def drawing_requests(place: Place, *seed: Any) -> Iterator[Call]:
    """Requests of one learner in one experiment."""
    return map(place.draw, learner_states(place.experiment, *seed))


def learner_states(experiment: Experiment, *seed: Any) -> Iterator[dict[str, Any]]:
    """States of one learner: one control after another moves step by step to its ends and back."""
    chance = random.Random(str(seed))
    while True:
        control = chance.choice(
            [control for control in experiment.controls if reachable_values(control)] or [None]
        )
        path = reachable_values(control)
        at = path.index(control.default) if control else 0
        up_first, down_first = [*path[at:], *path[::-1], *path[:at]], [*path[at::-1], *path, *path[:at:-1]]
        for value in up_first if chance.random() < 0.5 else down_first:
            yield experiment.state({control.name: value})
        if not path:
            yield experiment.state()


def reachable_values(control: Control | None) -> list[Any]:
    """Values that arrow keys can reach, in order."""
    match control:
        case Slider():
            count = round((control.high - control.low) / control.step)
            return [control.check(control.low + i * control.step) for i in range(count + 1)]
        case Choice():
            return list(control.options)
        case Toggle():
            return [False, True]
    return []


def echo_requests(_: int) -> Iterator[Call]:
    """Requests to the echo server: unqueued Gradio events, as Gradio's page sends them."""
    return (
        Call("POST", "/gradio_api/run/predict", json.dumps({"data": [value % 1000], "fn_index": 0}))
        for value in count()
    )


# ---- requests ----


class Client:
    """One browser: a persistent connection, and a name by which the server limits its requests."""

    def __init__(self, port: int, name: str):
        self.connection, self.name = HTTPConnection(HOST, port, timeout=TIMEOUT_SECONDS), name

    def send(self, call: Call) -> None:
        headers = {"Accept-Encoding": ACCEPT_ENCODING}
        if call.path.startswith("/gradio_api/"):
            headers |= {"x-gradio-user": "app"}
        if call.path.startswith("/draw/"):
            headers |= {"X-Visitor": self.name}
        if call.body is not None:
            headers |= {"Content-Type": "application/json"}
        self.connection.request(call.method, call.path, call.body, headers)

    def ask(self, call: Call) -> bytes:
        """Send a request and return the body of the answer. Raises ValueError for an error."""
        self.send(call)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise ValueError(f"{call.path}: {answer.status} {body[:200]!r}")
        if len(body) < MAX_ERROR_BYTES:
            plain = brotli.decompress(body) if answer.getheader("Content-Encoding") == "br" else body
            if b'"complaint"' in plain:
                raise ValueError(f"{call.path}: {plain[:300]!r}")
        return body

    def close(self) -> None:
        self.connection.close()
