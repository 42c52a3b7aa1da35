"""Pages are made once: what is seen at once, then Gradio's template, which starts after it; packed, and kept."""

import asyncio
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers

from lessons.kit import link
from lessons.kit.contract import Choice, InputError, Lesson, Toggle
from lessons.kit.web import first, preview
from lessons.kit.web.brought import preloads
from lessons.kit.web.cache import ByteLRU
from lessons.kit.web.compression import encoding, packed, sent
from lessons.kit.web.page import CHECK, tab_placeholder
from lessons.kit.web.social_preview import Preview, dressed, root_of
from lessons.kit.web.renderer import RenderError, Renderer

ROOM = 48 << 20
REST = 0.02  # seconds after each state that nobody has asked for yet
SCRIPTS = re.compile(rb"(<script>window\.gradio_config = .*?</script>)(.*)(?=</head>)", re.S)  # the last in Gradio's head
TELLING = ("host", "x-forwarded-host", "x-forwarded-proto")  # all that Gradio's template takes from a request


class Look(NamedTuple):
    """What stands around the experiments."""

    head: bytes  # style
    script: bytes
    kinds: Callable[[str], tuple[str, ...]]  # page → what it is made of
    header: Callable[[Lesson | None], Markup]
    map: Markup


class Pages:
    """An ASGI application around Gradio's. All visitors who come to the same address get the same bytes.

    Its picture is drawn when a page is first asked for, and all others right after, so that starting does not wait for them.
    """

    def __init__(self, app: Any, pages: Mapping[str, Sequence[Renderer]], look: Look, root: str = ""):
        """`root`: the path under which the site lives, if it has one."""
        self.app, self.pages, self.kept, self.root = app, {f"/{slug}": stages for slug, stages in pages.items()}, ByteLRU(ROOM), root
        self.look = look
        self.turn = asyncio.Lock()  # one is made at a time: who asks for the same one meanwhile finds it made
        self.rest = threading.Thread(target=draw_all, args=(list(chain.from_iterable(pages.values())),), daemon=False)

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        stages = self.pages.get(scope["path"]) if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if stages is None:
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        template = (scope["path"], scope["scheme"], *(headers.get(name) for name in TELLING))
        query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        page = (*template, tab(stages, query), linked(stages, query), encoding(headers))
        body = self.kept.get(page)
        if body is None:
            async with self.turn:
                body = self.kept.get(page) or await self.make(page, template, stages, scope, query)
        kind = "application/json" if scope["path"] == "/config" else "text/html"
        response = sent(body, headers, kind, encoding(headers), cache_control="no-cache")
        await response(scope, receive, send)
        if not self.rest.ident and scope["path"] != "/config":
            self.rest.start()

    async def make(self, page: tuple, template: tuple, stages: Sequence[Renderer], scope: dict, query: dict[str, str]) -> bytes:
        made = self.kept.get(template)
        if made is None:
            made = await rendered(self.app, scope)
            self.kept.put(template, made)
        *_, asked, own, encoding = page
        root = root_of(scope["scheme"], Headers(scope=scope), self.root)

        def whole() -> bytes:
            body = opening_at(made, stages, asked)
            if scope["path"] != "/config":
                body = self.in_order(body, scope["path"].strip("/"), self.first(stages, query))
                body = dressed(body, seen_from_afar(stages, query), root)
            return packed(body, encoding, 2 if "&" in own else 6)  # a state of its own is asked for once or twice

        body = await run_in_threadpool(whole)  # others need not wait
        if not private(stages, query):
            self.kept.put(page, body)
        return body

    def in_order(self, page: bytes, slug: str, first: bytes) -> bytes:
        """What is seen, what makes it move, and then Gradio: its own scripts wait until ours have run, as modules run in order."""
        config, theirs = b"", preloads(self.look.kinds(slug)).encode()

        def taken(found: re.Match[bytes]) -> bytes:
            nonlocal config, theirs
            config, theirs = found[1], theirs + found[2]
            return self.look.head

        page, found = SCRIPTS.subn(taken, page, count=1)
        if not found:
            raise RuntimeError("Gradio's template has another order now; please mend pages.SCRIPTS.")
        return page.replace(b"<gradio-app", first + config + self.look.script + later(theirs) + b"<gradio-app", 1)

    def first(self, stages: Sequence[Renderer], query: Mapping[str, str]) -> bytes:
        """What is seen before Gradio is there."""
        lesson = stages[0].lesson if stages else None
        return first.page(self.look.header(lesson), lesson, opened(stages, query), query, None if lesson else self.look.map)


def draw_all(stages: Sequence[Renderer]) -> None:
    for stage in stages:
        if not threading.main_thread().is_alive():  # Ctrl-C: Python waits for this thread, it must not die inside torch
            return
        with suppress(InputError, RenderError):  # told to who asks for it
            stage.html({})


def draw_choices(stages: Sequence[Renderer]) -> None:
    """What one click leads to from there: each choice and each switch by itself, with a rest after each, as learners may be here. A
    class goes there first, and finds the models loaded."""
    for stage in stages:
        for control in stage.experiment.controls:
            for value in control.options if isinstance(control, Choice) else (True, False) if isinstance(control, Toggle) else ():
                with suppress(InputError, RenderError):  # told to who asks for it
                    stage.html({control.name: value})
                time.sleep(REST)


def asked_for(stages: Sequence[Renderer], query: Mapping[str, str]) -> Renderer | None:
    """The experiment that the address names."""
    return next((stage for stage in stages if stage.experiment.slug == query.get("experiment")), None)


def opened(stages: Sequence[Renderer], query: Mapping[str, str]) -> Renderer | None:
    """The one that is shown; none on the map and in “Check yourself”."""
    return next((stage for stage in stages if stage.experiment.slug == tab(stages, query)), None)


def private(stages: Sequence[Renderer], query: Mapping[str, str]) -> bool:
    stage = opened(stages, query)
    return stage is not None and stage.experiment.private(link.decode(stage.experiment, query)[0])


def linked(stages: Sequence[Renderer], query: Mapping[str, str]) -> str:
    """One text for all addresses that show the same."""
    stage = opened(stages, query)
    if stage is None:
        return ""
    state, acts, complaints = link.decode(stage.experiment, query)
    named, covered = asked_for(stages, query) is stage, first.asks_first(query)
    return " ".join([link.encode(stage.experiment, state, acts), f"{named} {covered}", *complaints])


def seen_from_afar(stages: Sequence[Renderer], query: Mapping[str, str]) -> Preview:
    stage = asked_for(stages, query)
    if stage:
        return preview.of_stage(stage, link.decode(stage.experiment, query)[0])
    return preview.of_lesson(stages[0].lesson) if stages else preview.of_map()


def tab(stages: Sequence[Renderer], query: Mapping[str, str]) -> str:
    """The one that the address asks for, or the first."""
    asked = query.get("experiment", "")
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


def opening_at(body: bytes, stages: Sequence[Renderer], tab: str) -> bytes:
    """With this tab open."""
    return body.replace(tab_placeholder(stages[0].lesson).encode(), tab.encode()) if stages else body


def later(html: bytes) -> bytes:
    """In the page only when all modules before it have run."""
    return (
        b'<template id="later">' + html + b'</template><script type="module">'
        b'if (!window.seq2see.mount) document.getElementById("first-view").classList.add("live");'  # ours did not come
        b'document.head.append(document.getElementById("later").content);</script>'
    )
