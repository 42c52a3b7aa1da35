"""Export pictures: /export/<lesson>/<experiment>/<view>.<svg|png|pdf|csv|json>?<state>.

An export depends only on its URL. The source code of every experiment is at /code/<lesson>/<experiment>,
a shipped model at /home/<name>.zip, a notebook of a state at /notebook/<lesson>/<experiment>.ipynb?<state>.
"""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ParamSpec

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import InputError, State, state_key
from lessons.kit.language import TEXT_LANGUAGE, call_in_language, translate
from lessons.kit.memo import Key
from lessons.kit.notebook import experiment_notebook
from lessons.kit.pictures.base import Picture
from lessons.kit.pictures.files import figure_file
from lessons.kit.web import layout
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.compression import ONE_HOUR, respond
from lessons.kit.web.export_process import EXPORT_PROCESS
from lessons.kit.web.renderer import Renderer, RenderError
from lessons.kit.web.request_guard import HTTPError
from models import export_script, zoo

P = ParamSpec("P")

log = logging.getLogger("seq2see")
MEDIA_TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
MAX_CONCURRENT_EXPORTS = (
    1  # figures for slides are slow: they have their own queue so that pages do not wait for them
)
MAX_WAITING_EXPORTS = 16


class ExportQueue:
    """Run slow exports one at a time, cache them, and skip those whose client has disconnected."""

    def __init__(self) -> None:
        self.limiter = CapacityLimiter(MAX_CONCURRENT_EXPORTS)

    async def __call__(self, request: Request, key: Key | None, make: Callable[[], bytes]) -> bytes:
        """Return the bytes from the cache or from `make`. Without a key nothing is cached."""
        body: bytes | None = ANSWERS.get(key) if key else None
        if body is not None:
            return body
        if self.limiter.statistics().tasks_waiting >= MAX_WAITING_EXPORTS:
            message = translate("Many pictures are being drawn; please try again in a few seconds.")
            raise HTTPError(503, message, retry_after="3")
        async with self.limiter:
            if await request.is_disconnected():
                raise picture_not_found()
            try:
                return await (to_thread.run_sync(ANSWERS, key, make) if key else to_thread.run_sync(make))
            except InputError as error:
                raise HTTPError(400, str(error)) from error
            except RenderError as error:
                raise HTTPError(503, str(error), retry_after="60") from error


def renderers_by_address(renderers: Iterable[Renderer]) -> dict[tuple[str, str], Renderer]:
    return {(renderer.lesson.slug, renderer.experiment.slug): renderer for renderer in renderers}


def routes(renderers: Iterable[Renderer], queue: ExportQueue) -> list[Route]:
    by_address = renderers_by_address(renderers)

    def find_renderer(request: Request) -> Renderer | None:
        return by_address.get((request.path_params["lesson"], request.path_params["experiment"]))

    async def export(request: Request) -> Response:
        renderer, view, kind = (
            find_renderer(request),
            request.path_params["view"],
            request.path_params["kind"],
        )
        views = {one.__name__ for one in renderer.experiment.all_views} if renderer else set()
        if renderer is None or kind not in MEDIA_TYPES or view not in views:
            raise picture_not_found()
        state = parse_state(renderer, dict(request.query_params))
        make = partial(export_view, renderer, view, kind, state)
        body = await queue(request, cache_key(renderer, state, view, kind), make)
        name = f"{renderer.lesson.slug}-{renderer.experiment.slug}-{view}.{kind}"
        headers = {"X-Content-Type-Options": "nosniff", "Content-Disposition": f'inline; filename="{name}"'}
        headers["Cache-Control"] = cache_control(renderer, state)
        return respond(body, request.headers, MEDIA_TYPES[kind], **headers)

    async def experiment_file(request: Request) -> Response:
        """Serve a file of an experiment. Never cached: it may contain a model that a learner has trained."""
        renderer, name = find_renderer(request), request.path_params["file"]
        files = {make.__name__: make for make in renderer.experiment.files} if renderer else {}
        if renderer is None or name not in files:
            raise HTTPError(404, "There is no such file.")
        state = parse_state(renderer, dict(request.query_params))
        body = await queue(request, None, lambda: files[name](renderer.compute(state)))
        headers = {
            "Content-Disposition": f'attachment; filename="{renderer.lesson.slug}-{name}.zip"',
            "Cache-Control": "no-store",
        }
        return Response(body, media_type="application/zip", headers=headers)

    async def model(request: Request) -> Response:
        """Serve a shipped model as a zip file. Only names in the zoo are accepted."""
        name = request.path_params["name"]
        if name not in zoo.names():
            raise model_not_found()
        body = await queue(request, ("home", name), partial(pack_model, name))
        headers = {"Content-Disposition": f'attachment; filename="{name}.zip"', "Cache-Control": ONE_HOUR}
        return respond(body, request.headers, "application/zip", **headers)

    async def notebook(request: Request) -> Response:
        """Serve a Jupyter notebook of the experiment in this state."""
        renderer = find_renderer(request)
        if renderer is None:
            raise HTTPError(404, "There is no such experiment.")
        state = parse_state(renderer, dict(request.query_params))
        body = experiment_notebook(renderer.lesson, renderer.experiment, state).encode()
        name = f"{renderer.lesson.slug}-{renderer.experiment.slug}.ipynb"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        headers["Cache-Control"] = cache_control(renderer, state)
        return respond(body, request.headers, "application/x-ipynb+json", **headers)

    async def code(request: Request) -> Response:
        renderer = find_renderer(request)
        if renderer is None:
            raise HTTPError(404, "There is no such experiment.")
        return HTMLResponse(layout.render_source(renderer.experiment), headers={"Cache-Control": ONE_HOUR})

    return [
        Route("/home/{name}.zip", model, methods=["GET", "HEAD"]),
        Route("/export/{lesson}/{experiment}/{file}.zip", experiment_file),
        Route("/export/{lesson}/{experiment}/{view}.{kind}", export, methods=["GET", "HEAD"]),
        Route("/notebook/{lesson}/{experiment}.ipynb", notebook, methods=["GET", "HEAD"]),
        Route("/code/{lesson}/{experiment}", code),
    ]


def cache_key(renderer: Renderer, state: State, *what: str) -> Key | None:
    return None if renderer.experiment.is_private(state) else (renderer, *what, state_key(state))


def cache_control(renderer: Renderer, state: State) -> str:
    return "no-store" if renderer.experiment.is_private(state) else ONE_HOUR


def pack_model(name: str) -> bytes:
    try:
        if zoo.Card.read(name).kind not in export_script.KINDS:
            raise model_not_found()
        return export_script.export_checkpoint(name)
    except zoo.CheckpointError as error:
        raise RenderError(str(error)) from error


# Functions, because an error object that is raised repeatedly would keep the frames of every request.


def model_not_found() -> HTTPError:
    return HTTPError(404, "There is no model with this name to download.")


def picture_not_found() -> HTTPError:
    return HTTPError(404, "There is no such picture.")


def parse_state(renderer: Renderer, query: dict[str, str]) -> State:
    """Parse a link. Reject invalid links, so that a figure on a slide never shows a different state."""
    state, _, complaints = link.decode(renderer.experiment, query)
    if complaints:
        raise HTTPError(400, " ".join(complaints))
    return state


def export_view(renderer: Renderer, view: str, kind: str, state: State) -> bytes:
    try:
        with renderer.in_its_language():
            return encode_picture(renderer.pictures(state)[view], kind)
    except KeyError:  # a view that returns a sentence has no picture
        raise picture_not_found() from None


def encode_picture(picture: Picture, kind: str) -> bytes:
    if kind == "svg":
        return picture.svg(standalone=True).encode()
    if kind == "csv":
        return picture.frame().rename(columns=escape_formula).map(escape_formula).to_csv(index=False).encode()
    if kind == "json":  # used by the table "numbers" below an experiment
        return picture.frame().to_json(orient="split", index=False, force_ascii=False).encode()
    return draw_file(figure_file, picture, kind)


def draw_file(function: Callable[P, bytes], *args: P.args, **kwargs: P.kwargs) -> bytes:
    """Call a function of lessons/kit/pictures/files.py in the export process."""
    try:
        call: Any = call_in_language  # its result is that of `function`
        return EXPORT_PROCESS(call, TEXT_LANGUAGE.get(), function, *args, **kwargs)
    except OSError as error:  # fails if no folder is writable, which matplotlib needs
        log.warning("no PNG or PDF: %s", error)
        message = "This server cannot draw PNG or PDF: it has no place to write. SVG and CSV work."
        raise RenderError(message) from error


def escape_formula(cell: Any) -> Any:
    """Put an apostrophe before text that a spreadsheet would run as a formula; keep numbers."""
    if not isinstance(cell, str) or not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
