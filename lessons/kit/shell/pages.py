"""Pages are made once: Gradio's template, with the pictures of the default states in their places, packed, and kept."""

import asyncio
import json
import threading
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers

from lessons.kit.shell.kept import Kept
from lessons.kit.shell.packing import encoding, packed, sent
from lessons.kit.shell.page import CHECK, tab_placeholder
from lessons.kit.shell.stage import Stage

ROOM = 48 << 20
TELLING = ("host", "x-forwarded-host", "x-forwarded-proto")  # all that Gradio's template takes from a request


class Pages:
    """An ASGI application around Gradio's. All visitors who come to the same address get the same bytes.

    Pictures are drawn when a page is first asked for, and the others' right after, so that starting does not wait for them.
    """

    def __init__(self, app: Any, pages: Mapping[str, Sequence[Stage]]):
        self.app, self.pages, self.kept = app, {f"/{slug}": stages for slug, stages in pages.items()}, Kept(ROOM)
        self.turn = asyncio.Lock()  # one is made at a time: who asks for the same one meanwhile finds it made
        self.rest = threading.Thread(target=draw_all, args=(list(chain.from_iterable(pages.values())),), daemon=False)

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        stages = self.pages.get(scope["path"]) if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if stages is None:
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        template = (scope["path"], scope["scheme"], *(headers.get(name) for name in TELLING))
        page = (*template, tab(stages, scope["query_string"]), encoding(headers))
        body = self.kept.get(page)
        if body is None:
            async with self.turn:
                body = self.kept.get(page) or await self.make(page, template, stages, scope)
        kind = "application/json" if scope["path"] == "/config" else "text/html"
        response = sent(body, headers, kind, encoding(headers), cache_control="no-cache")
        await response(scope, receive, send)
        if not self.rest.ident and scope["path"] != "/config":
            self.rest.start()

    async def make(self, page: tuple, template: tuple, stages: Sequence[Stage], scope: dict) -> bytes:
        made = self.kept.get(template)
        if made is None:
            made = await rendered(self.app, scope)
            self.kept.put(template, made)
        *_, asked, encoding = page
        body = await run_in_threadpool(lambda: packed(complete(made, stages, asked), encoding, 6))  # others need not wait
        self.kept.put(page, body)
        return body


def draw_all(stages: Sequence[Stage]) -> None:
    for stage in stages:
        if not threading.main_thread().is_alive():  # Ctrl-C: Python waits for this thread, it must not die inside torch
            return
        stage.first()


def tab(stages: Sequence[Stage], query: bytes) -> str:
    """The one that the address asks for, or the first."""
    asked = dict(parse_qsl(query.decode("latin-1"))).get("experiment", "")
    slugs = [stage.experiment.slug for stage in stages]
    return asked if asked in (CHECK, *slugs) else next(iter(slugs), "")


async def rendered(app: Any, scope: dict) -> bytes:
    """What Gradio makes of this address, without what else the visitor asked."""
    body = bytearray()

    async def receive() -> dict:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def collect(part: dict) -> None:
        body.extend(part.get("body", b""))

    await app(scope | {"method": "GET", "query_string": b""}, receive, collect)
    return bytes(body)


def complete(body: bytes, stages: Sequence[Stage], tab: str) -> bytes:
    """The pictures of the default states, and the open tab."""
    for stage in stages:
        body = body.replace(f'"{stage.placeholder}"'.encode(), in_script(stage.first()))
    return body.replace(f'"{tab_placeholder(stages[0].lesson)}"'.encode(), in_script(tab)) if stages else body


def in_script(html: str) -> bytes:
    """As a string inside a script of the page."""
    text = json.dumps(html)
    for mark in "<>&'":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text.encode()
