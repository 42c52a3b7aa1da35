"""What stands between the browser and Gradio: a limit for what comes in, and default pictures in what goes out."""

import gzip
import json
import threading
from itertools import chain
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool

from lessons.kit.shell.page import CHECK, tab_placeholder
from lessons.kit.shell.stage import Stage

LARGEST = 256 * 1024  # bytes of a request: the largest state is far below


class DefaultPictures:
    """A page arrives complete: here the pictures of its default states take their places.

    They are drawn when a page is first asked for, and the others' right after, so that starting does not wait for them.
    """

    def __init__(self, app: Any, pages: dict[str, list[Stage]]):
        self.app, self.pages = app, pages
        self.rest = threading.Thread(target=self.draw_all, daemon=False)

    def draw_all(self) -> None:
        for stage in chain.from_iterable(self.pages.values()):
            if not threading.main_thread().is_alive():  # Ctrl-C: Python waits for this thread, it must not die inside torch
                return
            stage.first()

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        stages = self.pages.get(scope.get("path", "").rstrip("/").rpartition("/")[2]) if scope["type"] == "http" else None
        if not stages or scope["method"] != "GET":
            return await self.app(scope, receive, send)
        squeeze = b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")
        start, body = {}, b""

        async def complete(part: dict) -> None:
            nonlocal start, body
            if part["type"] == "http.response.start":
                start = part
                return
            body += part.get("body", b"")
            if part.get("more_body"):
                return
            headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
            if start["status"] == 200:
                asked = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("experiment")
                body = await run_in_threadpool(complete_page, body, stages, asked, squeeze)  # others need not wait
                if squeeze:
                    headers += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
            await send(start | {"headers": [*headers, (b"content-length", str(len(body)).encode())]})
            await send({"type": "http.response.body", "body": body})
            if not self.rest.ident:
                self.rest.start()

        await self.app(scope, receive, complete)


def complete_page(body: bytes, stages: list[Stage], asked: str | None, squeeze: bool) -> bytes:
    """The pictures of the default states, and the tab that the address asks for."""
    for stage in stages:
        body = body.replace(f'"{stage.placeholder}"'.encode(), in_script(stage.first()))
    lesson = stages[0].lesson
    tabs = {CHECK, *(stage.experiment.slug for stage in stages)}
    tab = asked if asked in tabs else stages[0].experiment.slug
    body = body.replace(f'"{tab_placeholder(lesson)}"'.encode(), in_script(tab))
    return gzip.compress(body, 5) if squeeze else body


def in_script(html: str) -> bytes:
    """As a string inside a script of the page."""
    text = json.dumps(html)
    for mark in "<>&'":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text.encode()


class BodyLimit:
    """Refuses a request body that is too large, before anything reads it."""

    def __init__(self, app: Any):
        self.app = app

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        taken = 0

        async def limited() -> dict:
            nonlocal taken
            part = await receive()
            taken += len(part.get("body", b""))
            if taken > LARGEST:
                raise TooLarge
            return part

        length = dict(scope["headers"]).get(b"content-length", b"0")
        try:
            if length.isdigit() and int(length) > LARGEST:
                raise TooLarge
            await self.app(scope, limited, send)
        except TooLarge:
            await send({"type": "http.response.start", "status": 413, "headers": [(b"content-type", b"text/plain; charset=utf-8")]})
            await send({"type": "http.response.body", "body": f"At most {LARGEST // 1024} KB at once, please.".encode()})


class TooLarge(Exception):
    pass
