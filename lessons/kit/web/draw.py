"""HTTP routes for drawings. A drawing depends only on the request, so any worker can answer.

GET  /draw/<lesson>/<experiment>?<link>&_v=<version>   a drawing (renderer.py), which browsers may cache
POST /draw/<lesson>/<experiment>   the same for a state that is private or too long for an address; it is not
                                   cached in browsers, nor here if it is private
"""

from collections.abc import AsyncIterator, Hashable, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from anyio import CapacityLimiter, Lock, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import InputError, State, state_key
from lessons.kit.language import translate
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.compression import IMMUTABLE, accepted_encoding, compress, respond
from lessons.kit.web.concurrency import ConcurrencyLimit
from lessons.kit.web.export import renderers_by_address
from lessons.kit.web.json_body import RequestBody, read_json
from lessons.kit.web.renderer import Renderer, RenderError, error_body
from lessons.kit.web.request_guard import HTTPError

MAX_HEAVY_WAITING = 30  # maximum number of waiting drawings of large models, per worker
MAX_CONCURRENT_DRAWINGS = 2  # per worker; more would only wait for the GIL
CLIENT_CLOSED_REQUEST = 499
TEXT_TYPE = "text/plain; charset=utf-8"


class DrawRequest(RequestBody):
    """Request schema: control values, open closer looks, and whether the window is narrow."""

    values: dict[str, Any]
    acts: Any = ()
    narrow: bool = False


class Drawings:
    """Answer requests for drawings. Each is drawn and compressed once, and cached unless it is private."""

    def __init__(self, renderers: Iterable[Renderer], version: str):
        self.renderers, self.version = renderers_by_address(renderers), version
        self.heavy_slot = CapacityLimiter(1)
        self.visitor_locks: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()
        self.concurrency, self.draw_slots = ConcurrencyLimit(), CapacityLimiter(MAX_CONCURRENT_DRAWINGS)

    def routes(self) -> list[Route]:
        return [Route("/draw/{lesson}/{experiment}", self.draw, methods=["GET", "POST"])]

    async def draw(self, request: Request) -> Response:
        renderer = self.renderers.get((request.path_params["lesson"], request.path_params["experiment"]))
        if renderer is None:
            raise HTTPError(404, translate("There is no such experiment."))
        if request.method == "POST":
            body = await read_json(request, DrawRequest)
            return await self.serve_drawing(request, renderer, body.values, body.acts, body.narrow)
        query = dict(request.query_params)
        values = {name: text for name, text in query.items() if name not in link.RESERVED_PARAMETERS}
        acts, is_narrow = query.get("acts", "").split("."), query.get("narrow") == "1"
        return await self.serve_drawing(request, renderer, values, acts, is_narrow)

    async def serve_drawing(
        self, request: Request, renderer: Renderer, values: Mapping[str, Any], acts: Any, is_narrow: bool
    ) -> Response:
        encoding = accepted_encoding(request.headers)
        try:
            state = link.parse(renderer.experiment, values)
        except InputError as error:
            body = error_body(str(error), error.control).encode()
            return respond(body, request.headers, TEXT_TYPE, cache_control="no-store")
        opened = renderer.experiment.select_acts(acts)
        key = ("sent", renderer, state_key(state), opened, is_narrow, encoding)
        is_private = renderer.experiment.is_private(state)
        body = b"" if is_private else ANSWERS.get(key) or b""
        cache_control = IMMUTABLE if request.query_params.get("_v") == self.version else "no-cache"
        if not body:
            is_busy = renderer.experiment.is_heavy or self.draw_slots.borrowed_tokens
            if "x-ahead" in request.headers and is_busy:  # a prefetch is refused while other requests wait
                return Response(status_code=204, headers={"Cache-Control": "no-store"})
            client = request.client and request.client.host, request.headers.get("x-visitor", "")[:64]
            with self.concurrency(client):
                async with self.heavy_turn(renderer, client), self.draw_slots:
                    if await request.is_disconnected():
                        return Response(status_code=CLIENT_CLOSED_REQUEST)
                    make = partial(self.render_compressed, renderer, state, opened, is_narrow, encoding)
                    try:
                        run = make if is_private else partial(ANSWERS, key, make)
                        body = await to_thread.run_sync(run)
                    except InputError as error:
                        message = error_body(str(error), error.control, error.nearest)
                        body = compress(message.encode(), encoding)
                        cache_control = "no-cache"
                    except RenderError as error:
                        body, cache_control = compress(error_body(str(error)).encode(), encoding), "no-store"
        if is_private or request.method == "POST":
            cache_control = "no-store"
        return respond(body, request.headers, TEXT_TYPE, encoding, cache_control=cache_control)

    @asynccontextmanager
    async def heavy_turn(self, renderer: Renderer, visitor: Hashable) -> AsyncIterator[None]:
        """Allow one drawing of a large model at a time, so that other drawings are not delayed.

        Visitors wait in line, and nobody has two places in it: a visitor's next drawing joins at the end.
        """
        if not renderer.experiment.is_heavy:
            yield
            return
        lock = self.visitor_locks.get(visitor) or Lock()
        self.visitor_locks[visitor] = lock  # forgotten when the visitor's last request is answered
        async with lock:
            if self.heavy_slot.statistics().tasks_waiting >= MAX_HEAVY_WAITING:
                message = translate("Many people use the real model just now. Trying again…")
                raise HTTPError(503, message, retry_after="2")
            async with self.heavy_slot:
                yield

    def render_compressed(
        self, renderer: Renderer, state: State, acts: tuple[str, ...], is_narrow: bool, encoding: str
    ) -> bytes:
        return compress(renderer.drawing(state, acts, is_narrow).encode(), encoding)
