"""Live events, answered here: they are pure functions of what the browser sends, so any worker can answer any of them.

Gradio would make a copy of all components for each session (2 MB, 30 ms), and turn a bad value into a status of 500. What
needs its queue (gradio_client) goes on to it, checked: nothing that Gradio could stumble over gets there.
"""

import inspect
import logging
import re
from functools import partial
from typing import Any

import gradio as gr
import orjson
from anyio import CapacityLimiter, to_thread
from gradio.block_function import BlockFunction
from starlette.requests import Request
from starlette.responses import Response

from lessons.kit.web.concurrency import ConcurrencyLimit
from lessons.kit.web.request_guard import HTTPError, replayed
from lessons.kit.web.cache import ByteLRU
from lessons.kit.web.compression import encoding, packed
from lessons.kit.web.renderer import SORRY, RenderError

log = logging.getLogger("seq2see")
ROOM = 32 << 20  # bytes of answers, as they were sent
TURNS = 2  # at work at once in one worker; more would only take the lock from each other
ADDRESS = re.compile(r"/gradio_api/(?P<way>run|api|call/v2|call|queue)/(?P<name>(?<=queue/)join|(?<!queue/)[^/]+)/?")
STREAM = re.compile(r"/gradio_api/(queue/data|call/(v2/)?[^/]+/(?P<event>[^/]+))")
GONE = 499  # nobody reads it
NOT_NOW = 204  # nothing, to who asks ahead while others wait


class Events:
    """An ASGI application around Gradio's."""

    def __init__(self, app: Any, blocks: gr.Blocks):
        self.app, self.blocks, self.admission = app, blocks, ConcurrencyLimit()
        self.kept, self.turns = ByteLRU(ROOM), CapacityLimiter(TURNS)
        self.named = {fn.api_name: fn for fn in blocks.fns.values() if fn.api_visibility == "public"}

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        found = ADDRESS.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if not found:
            beyond: Any = self.listening(scope) or self.app
            return await beyond(scope, receive, send)
        request = Request(scope, receive)
        try:
            asked = readable(request, await request.body())
            fn, asked = self.checked(found["way"], found["name"], asked)
            visitor = (scope["client"] and scope["client"][0], asked["session_hash"])
            if found["way"] in ("run", "api"):
                response: Any = await self.answer(fn, asked["data"], request, visitor)
            else:
                scope = scope | {"path": scope["path"].replace("/call/v2/", "/call/"), "headers": without_length(scope)}
                receive, response = replayed(json_of(asked), receive), self.app
            await response(scope, receive, send)
        except HTTPError as refusal:
            await refusal.response(scope["path"])(scope, receive, send)

    def listening(self, scope: dict) -> Response | None:
        """Who listens for what nobody asked for is told so: Gradio would break off in the middle of its answer."""
        found = STREAM.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if not found:
            return None
        queue, asked = self.blocks._queue, found["event"] or Request(scope).query_params.get("session_hash")
        known = [queue.event_ids_to_events, queue.pending_messages_per_session, *queue.pending_event_ids_session.values()]
        return None if any(asked in ids for ids in known) else HTTPError(404, "Nothing is under way here.").response(scope["path"])

    def checked(self, way: str, name: str, asked: dict[str, Any]) -> tuple[BlockFunction, dict[str, Any]]:
        """What is asked for, and of all that was sent only what belongs to it."""
        index = None if way.startswith("call") else asked.get("fn_index")
        fn = self.named.get(name) if index is None else self.blocks.fns.get(index) if type(index) is int else None
        if fn is None or (way in ("run", "api") and fn.queue):
            raise HTTPError(404, "There is no such endpoint; /gradio_api/info lists those there are.")
        data = spelled_out(fn, asked) if way == "call/v2" else asked.get("data")
        session = asked.get("session_hash")
        if not isinstance(data, list) or len(data) != len(fn.inputs):
            came = f"{len(data)} came" if isinstance(data, list) else "they are missing"
            names = ", ".join(filter(None, (getattr(block, "label", None) for block in fn.inputs)))
            raise HTTPError(400, f"Please send {len(fn.inputs)} values as the list “data”{names and f' ({names})'}; {came}.")
        if not isinstance(session, str | None) or len(session or "") > 64 or (way == "queue" and not session):
            raise HTTPError(400, "Please send a text of at most 64 characters as “session_hash”.")
        return fn, {"data": data, "fn_index": fn._id, "session_hash": session}

    async def answer(self, fn: BlockFunction, data: list[Any], request: Request, visitor: tuple) -> Response:
        packing = encoding(request.headers)
        key = (fn._id, json_of(data), packing)
        private = any(value and is_private(block, value) for block, value in zip(fn.inputs, data, strict=True))
        body = None if private else self.kept.get(key)
        if body is None:
            if "x-ahead" in request.headers and self.turns.borrowed_tokens:
                return Response(status_code=NOT_NOW)
            with self.admission(visitor):
                async with self.turns:
                    if await request.is_disconnected():
                        return Response(status_code=GONE)
                    make = partial(made, fn, data, packing)
                    body = await (to_thread.run_sync(make) if private else to_thread.run_sync(self.kept, key, make))
        headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": packing} if packing else {})
        if private:
            headers["Cache-Control"] = "no-store"
        return Response(body, media_type="application/json", headers=headers)


def is_private(block: Any, value: Any) -> bool:
    """Is it the learner's own (components.py)?"""
    return hasattr(block, "private") and block.private(value)


def made(fn: BlockFunction, data: list[Any], packing: str) -> bytes:
    try:
        found = fn.fn(*data)  # type: ignore[misc]
        return packed(json_of({"data": found if len(fn.outputs) > 1 else [found]}), packing)
    except gr.Error as error:  # of a public endpoint
        raise HTTPError(503 if isinstance(error.__cause__, RenderError) else 400, error.message) from error
    except HTTPError:
        raise
    except Exception as error:
        log.exception(fn.api_name)
        raise HTTPError(500, SORRY) from error


def readable(request: Request, body: bytes) -> dict[str, Any]:
    """The request as JSON. Numbers too large to be one, NaN, and halves of characters are none."""
    if not request.headers.get("content-type", "application/json").startswith("application/json"):
        raise HTTPError(415, "Please send JSON, as application/json.")
    try:
        asked = orjson.loads(body)
    except orjson.JSONDecodeError:
        asked = None
    if not isinstance(asked, dict):
        raise HTTPError(400, "Please send a JSON object: text in whole characters, and numbers that are finite.")
    return asked


def json_of(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError as error:
        raise HTTPError(400, "Please send lists that are not so deep.") from error


def spelled_out(fn: BlockFunction, asked: dict[str, Any]) -> list[Any]:
    """Values by name, in their order; what is not given has its default."""
    parameters = inspect.signature(fn.fn).parameters  # type: ignore[arg-type]
    unknown = [name for name in asked if name not in parameters]
    if unknown:
        raise HTTPError(400, f"There is no “{unknown[0][:30]}” here; there are {', '.join(parameters)}.")
    return [asked.get(name, parameter.default) for name, parameter in parameters.items()]


def without_length(scope: dict) -> list[tuple[bytes, bytes]]:
    """The headers for a body that was written anew."""
    return [(name, value) for name, value in scope["headers"] if name not in (b"content-length", b"transfer-encoding")]
