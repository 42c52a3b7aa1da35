"""Drawings over HTTP: pure functions of what is asked, so any worker can answer.

GET  /draw/<lesson>/<experiment>?<link>&_v=<version>   a drawing (renderer.py); browsers keep it
POST /draw/<lesson>/<experiment>                       the same for a state that is private or too long for an address; no browser
                                                       keeps it, and nothing of a private one is cached here
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import InputError, State, canonical
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.compression import IMMUTABLE, compress, encoding, respond
from lessons.kit.web.concurrency import ConcurrencyLimit
from lessons.kit.web.export import by_address
from lessons.kit.web.json_body import Body, read_json
from lessons.kit.web.renderer import Renderer, RenderError, complaint
from lessons.kit.web.request_guard import HTTPError

MAX_AT_WORK = 2  # drawings at once in one worker; more would only take the interpreter lock from each other
CLIENT_CLOSED = 499  # nobody reads the answer
TEXT = "text/plain; charset=utf-8"


class Asked(Body):
    """The values of the controls, the closer looks that are open, and whether it is for a phone."""

    values: dict[str, Any]
    acts: Any = ()
    narrow: bool = False


class Drawings:
    """Answers requests for drawings: each is computed once, compressed once, and cached unless it is private."""

    def __init__(self, renderers: Iterable[Renderer], version: str):
        self.renderers, self.version = by_address(renderers), version
        self.concurrency, self.at_work = ConcurrencyLimit(), CapacityLimiter(MAX_AT_WORK)

    def routes(self) -> list[Route]:
        return [Route("/draw/{lesson}/{experiment}", self.draw, methods=["GET", "POST"])]

    async def draw(self, request: Request) -> Response:
        renderer = self.renderers.get((request.path_params["lesson"], request.path_params["experiment"]))
        if renderer is None:
            raise HTTPError(404, "There is no such experiment.")
        if request.method == "POST":
            asked = await read_json(request, Asked)
            return await self.answer(request, renderer, asked.values, asked.acts, asked.narrow)
        query = dict(request.query_params)
        values = {name: text for name, text in query.items() if name not in link.OWN}
        return await self.answer(
            request, renderer, values, query.get("acts", "").split("."), query.get("narrow") == "1"
        )

    async def answer(
        self, request: Request, renderer: Renderer, values: Mapping[str, Any], acts: Any, is_narrow: bool
    ) -> Response:
        accepted = encoding(request.headers)
        try:
            state = link.parse(renderer.experiment, values)
        except InputError as error:
            return respond(
                complaint(str(error), error.control).encode(), request.headers, TEXT, cache_control="no-store"
            )
        opened = renderer.experiment.opened(acts)
        key = ("sent", renderer, canonical(state), opened, is_narrow, accepted)
        is_private = renderer.experiment.private(state)
        body: bytes = b"" if is_private else ANSWERS.get(key) or b""
        freshness = IMMUTABLE if request.query_params.get("_v") == self.version else "no-cache"
        if not body:
            if "x-ahead" in request.headers and self.at_work.borrowed_tokens:
                return Response(status_code=204, headers={"Cache-Control": "no-store"})  # others wait
            with self.concurrency(
                (request.client and request.client.host, request.headers.get("x-visitor", "")[:64])
            ):
                async with self.at_work:
                    if await request.is_disconnected():
                        return Response(status_code=CLIENT_CLOSED)
                    make = partial(self.compressed, renderer, state, opened, is_narrow, accepted)
                    try:
                        body = await (
                            to_thread.run_sync(make) if is_private else to_thread.run_sync(ANSWERS, key, make)
                        )
                    except InputError as error:
                        body, freshness = (
                            compress(complaint(str(error), error.control).encode(), accepted),
                            "no-cache",
                        )
                    except RenderError as error:
                        body, freshness = compress(complaint(str(error)).encode(), accepted), "no-store"
        if is_private or request.method == "POST":
            freshness = "no-store"
        return respond(body, request.headers, TEXT, accepted, cache_control=freshness)

    def compressed(
        self, renderer: Renderer, state: State, acts: tuple[str, ...], is_narrow: bool, accepted: str
    ) -> bytes:
        return compress(renderer.drawing(state, acts, is_narrow).encode(), accepted)
