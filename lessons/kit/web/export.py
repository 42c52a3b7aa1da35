"""Every picture has an address: /export/<lesson>/<experiment>/<view>.<svg|png|pdf|csv|json>?<state>, a pure function of the link.

And every experiment shows its code at /code/<lesson>/<experiment>.
"""

import gc
import io
import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import InputError, State, canonical
from lessons.kit.pictures.base import Picture
from lessons.kit.web import layout
from lessons.kit.web.cache import ANSWERS, Key
from lessons.kit.web.compression import respond
from lessons.kit.web.renderer import Renderer, RenderError
from lessons.kit.web.request_guard import HTTPError
from models import export_script, zoo

log = logging.getLogger("seq2see")
TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
AT_ONCE = 1  # drawings for slides are slow: they queue here, never in front of the page
WAITING = 16
FRESH = "public, max-age=3600"


class ExportQueue:
    """Draws slow pictures (PNG, PDF, posters) one after the other, keeps them, and skips those whose reader has gone."""

    def __init__(self) -> None:
        self.limiter = CapacityLimiter(AT_ONCE)

    async def __call__(self, request: Request, key: Key | None, make: Callable[[], bytes]) -> bytes:
        """Without a key it is not kept."""
        body: bytes | None = ANSWERS.get(key) if key else None
        if body is None:
            if self.limiter.statistics().tasks_waiting >= WAITING:
                raise HTTPError(
                    503, "Many pictures are being drawn; please try again in a few seconds.", retry_after="3"
                )
            async with self.limiter:
                if await request.is_disconnected():
                    raise no_picture()  # nobody reads it
                try:
                    return await (to_thread.run_sync(ANSWERS, key, make) if key else to_thread.run_sync(make))
                except InputError as error:
                    raise HTTPError(400, str(error)) from error
                except RenderError as error:
                    raise HTTPError(503, str(error), retry_after="60") from error
        return body


def by_address(all_stages: Iterable[Renderer]) -> dict[tuple[str, str], Renderer]:
    return {(stage.lesson.slug, stage.experiment.slug): stage for stage in all_stages}


def routes(all_stages: Iterable[Renderer], studio: ExportQueue) -> list[Route]:
    stages = by_address(all_stages)

    async def export(request: Request) -> Response:
        parts = request.path_params
        stage = stages.get((parts["lesson"], parts["experiment"]))
        try:
            if (
                stage is None
                or parts["kind"] not in TYPES
                or parts["view"] not in {v.__name__ for v in stage.experiment.all_views}
            ):
                raise no_picture()
            state = asked(stage, dict(request.query_params))
            make = partial(made, stage, parts["view"], parts["kind"], state)
            body = await studio(request, key_of(stage, state, parts["view"], parts["kind"]), make)
        except HTTPError as refusal:
            return refusal.response(request.url.path)
        name = f"{parts['lesson']}-{parts['experiment']}-{parts['view']}.{parts['kind']}"
        about = {"X-Content-Type-Options": "nosniff", "Content-Disposition": f'inline; filename="{name}"'}
        return respond(
            body, request.headers, TYPES[parts["kind"]], Cache_Control=freshness(stage, state), **about
        )

    async def taken(request: Request) -> Response:
        """A file to take home. It is made anew: what a learner has trained is not kept here."""
        parts = request.path_params
        stage = stages.get((parts["lesson"], parts["experiment"]))
        files = {make.__name__: make for make in stage.experiment.files} if stage else {}
        try:
            if stage is None or parts["file"] not in files:
                raise HTTPError(404, "There is no such file.")
            state = asked(stage, dict(request.query_params))
            body = await to_thread.run_sync(
                lambda: files[parts["file"]](stage.compute(state)), limiter=studio.limiter
            )
        except InputError as error:
            return HTTPError(400, str(error)).response(request.url.path)
        except RenderError as error:
            return HTTPError(503, str(error), retry_after="60").response(request.url.path)
        except HTTPError as refusal:
            return refusal.response(request.url.path)
        about = {
            "Content-Disposition": f'attachment; filename="{parts["lesson"]}-{parts["file"]}.zip"',
            "Cache-Control": "no-store",
        }
        return Response(body, media_type="application/zip", headers=about)

    async def model(request: Request) -> Response:
        """A shipped model to take home. Only names on the list are looked up."""
        name = request.path_params["name"]
        try:
            if name not in zoo.names():
                raise no_model()
            body = await studio(request, ("home", name), partial(packed_up, name))
        except HTTPError as refusal:
            return refusal.response(request.url.path)
        about = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
        return respond(body, request.headers, "application/zip", Cache_Control=FRESH, **about)

    async def code(request: Request) -> Response:
        stage = stages.get((request.path_params["lesson"], request.path_params["experiment"]))
        if stage is None:
            return PlainTextResponse("There is no such experiment.", 404)
        return HTMLResponse(layout.source(stage.experiment), headers={"Cache-Control": FRESH})

    return [
        Route("/home/{name}.zip", model, methods=["GET", "HEAD"]),
        Route("/export/{lesson}/{experiment}/{file}.zip", taken),
        Route("/export/{lesson}/{experiment}/{view}.{kind}", export, methods=["GET", "HEAD"]),
        Route("/code/{lesson}/{experiment}", code),
    ]


def key_of(stage: Renderer, state: State, *what: str) -> Key | None:
    return None if stage.experiment.private(state) else (stage, *what, canonical(state))


def freshness(stage: Renderer, state: State) -> str:
    return "no-store" if stage.experiment.private(state) else FRESH


def packed_up(name: str) -> bytes:
    try:
        if zoo.Card.read(name).kind not in export_script.KINDS:
            raise no_model()
        return export_script.shipped(name)
    except zoo.CheckpointError as error:
        raise RenderError(str(error)) from error


def no_model() -> HTTPError:
    return HTTPError(404, "There is no model of this name to take home.")


def no_picture() -> HTTPError:
    """A new error each time: one that is raised again and again would hold every request that raised it."""
    return HTTPError(404, "There is no such picture.")


def asked(stage: Renderer, query: dict[str, str]) -> State:
    """A bad link is refused here: a figure in slides must not quietly be another one."""
    state, _, complaints = link.decode(stage.experiment, query)
    if complaints:
        raise HTTPError(400, " ".join(complaints))
    return state


def made(stage: Renderer, view: str, kind: str, state: State) -> bytes:
    try:
        return rendered(stage.pictures(state)[view], kind)
    except KeyError:  # words, no picture
        raise no_picture() from None


def rendered(picture: Picture, kind: str) -> bytes:
    if kind == "svg":
        return picture.svg(standalone=True).encode()
    if kind == "csv":
        return picture.frame().rename(columns=harmless).map(harmless).to_csv(index=False).encode()
    if kind == "json":  # for the numbers under an experiment
        return picture.frame().to_json(orient="split", index=False, force_ascii=False).encode()
    out = io.BytesIO()
    try:
        figure = picture.figure()
    except OSError as error:  # matplotlib wants a folder of its own
        log.warning("no PNG or PDF: %s", error)
        raise RenderError(
            "This server cannot draw PNG or PDF: it has no place to write. SVG and CSV work."
        ) from error
    figure.savefig(out, format=kind, metadata={"CreationDate": None} if kind == "pdf" else None)
    del figure
    gc.collect(
        1
    )  # a figure refers to itself, and holds megabytes of pixels: it does not wait for the next full collection
    return out.getvalue()


def harmless(cell: Any) -> Any:
    """Words that a spreadsheet would run as a formula get an apostrophe; numbers stay numbers."""
    if not isinstance(cell, str) or not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
