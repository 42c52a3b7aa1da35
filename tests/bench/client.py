"""Clients without a browser: the requests that a page sends when a learner moves a control, and the answers to them."""

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
from tests.bench.serve import HOST, PATIENCE

ACCEPTED = "gzip, deflate, br"  # encodings, as Chromium names them on a secure connection
SHORT_BYTES = 600  # a compressed complaint is shorter, a drawing is longer


class Call(NamedTuple):
    """One request."""

    method: str
    path: str
    body: str | None = None


class Place(NamedTuple):
    """An experiment in its lesson."""

    lesson: str  # slug
    experiment: Experiment

    @property
    def id(self) -> str:
        return f"{self.lesson}-{self.experiment.slug}"

    @property
    def page(self) -> str:
        """The path of its page, with no guess in front of the pictures."""
        return f"/{self.lesson}?experiment={self.experiment.slug}&guess=0"

    def draw(self, state: dict[str, Any]) -> Call:
        """The request for the drawing of a state."""
        query = f"{link.encode(self.experiment, state)}&_v={version()}"
        return Call("GET", f"/draw/{self.lesson}/{self.experiment.slug}?{query}")


@cache
def version() -> str:
    """The version that the page puts into addresses of drawings."""
    return static_files.version()


def places(lessons: tuple[Lesson, ...]) -> list[Place]:
    return [Place(lesson.slug, experiment) for lesson in lessons for experiment in lesson.experiments]


# ---- what a learner does ----


def moves(place: Place, *seed: Any) -> Iterator[Call]:
    """Requests of one learner in one experiment."""
    return map(place.draw, states(place.experiment, *seed))


def states(experiment: Experiment, *seed: Any) -> Iterator[dict[str, Any]]:
    """States of one learner: from the defaults, one control after another goes to its end and back, step by step."""
    chance = random.Random(str(seed))
    while True:
        control = chance.choice([control for control in experiment.controls if values(control)] or [None])
        path = values(control)
        at = path.index(control.default) if control else 0
        for value in (
            [*path[at:], *path[::-1], *path[:at]]
            if chance.random() < 0.5
            else [*path[at::-1], *path, *path[:at:-1]]
        ):
            yield experiment.state({control.name: value})
        if not path:
            yield experiment.state()


def values(control: Control | None) -> list[Any]:
    """The values that arrow keys reach, in order."""
    match control:
        case Slider():
            many = round((control.high - control.low) / control.step)
            return [control.check(control.low + i * control.step) for i in range(many + 1)]
        case Choice():
            return list(control.options)
        case Toggle():
            return [False, True]
    return []


def echoes(_: int) -> Iterator[Call]:
    """The same for the echo: Gradio's own event, as its page sends one that is not queued."""
    return (
        Call("POST", "/gradio_api/run/predict", json.dumps({"data": [value % 1000], "fn_index": 0}))
        for value in count()
    )


# ---- asking ----


class Client:
    """One browser: a connection that stays open, and a name by which the server limits what is in flight."""

    def __init__(self, port: int, name: str):
        self.connection, self.name = HTTPConnection(HOST, port, timeout=PATIENCE), name

    def send(self, call: Call) -> None:
        headers = {"Accept-Encoding": ACCEPTED}
        if call.path.startswith("/gradio_api/"):
            headers |= {"x-gradio-user": "app"}
        if call.path.startswith("/draw/"):
            headers |= {"X-Visitor": self.name}
        if call.body is not None:
            headers |= {"Content-Type": "application/json"}
        self.connection.request(call.method, call.path, call.body, headers)

    def ask(self, call: Call) -> bytes:
        """The body of the answer. ValueError if it is no picture, page or echo."""
        self.send(call)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise ValueError(f"{call.path}: {answer.status} {body[:200]!r}")
        if len(body) < SHORT_BYTES:
            plain = brotli.decompress(body) if answer.getheader("Content-Encoding") == "br" else body
            if b'"complaint"' in plain:
                raise ValueError(f"{call.path}: {plain[:300]!r}")
        return body

    def close(self) -> None:
        self.connection.close()
