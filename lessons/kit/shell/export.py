"""Every picture has an address: /export/<lesson>/<experiment>/<view>.<svg|png|pdf|csv|json>?<state>, a pure function of the link.

And every experiment shows its code at /code/<lesson>/<experiment>.
"""

import hashlib
import io
from collections.abc import Iterable, Mapping

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import InputError
from lessons.kit.pictures.base import Picture
from lessons.kit.shell import chrome
from lessons.kit.shell.stage import Fault, Stage

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


def routes(all_stages: Iterable[Stage]) -> list[Route]:
    stages = {(stage.lesson.slug, stage.experiment.slug): stage for stage in all_stages}
    limiter = CapacityLimiter(AT_ONCE)

    async def export(request: Request) -> Response:
        parts = request.path_params
        stage = stages.get((parts["lesson"], parts["experiment"]))
        if stage is None or parts["kind"] not in TYPES:
            return PlainTextResponse("There is no such picture.", 404)
        if limiter.statistics().tasks_waiting >= WAITING:
            return PlainTextResponse("Many pictures are being drawn; please try again in a few seconds.", 503, {"Retry-After": "3"})
        try:
            body = await to_thread.run_sync(made, stage, parts["view"], parts["kind"], dict(request.query_params), limiter=limiter)
        except KeyError:
            return PlainTextResponse("There is no such picture.", 404)
        except InputError as error:
            return PlainTextResponse(str(error), 400)
        except Fault as error:
            return PlainTextResponse(str(error), 503, {"Retry-After": "60"})
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        headers = {"Cache-Control": FRESH, "ETag": tag, "X-Content-Type-Options": "nosniff"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        name = f"{stage.id}-{parts['view']}.{parts['kind']}"
        return Response(
            body, media_type=TYPES[parts["kind"]], headers=headers | {"Content-Disposition": f'inline; filename="{name}"'}
        )

    async def code(request: Request) -> Response:
        stage = stages.get((request.path_params["lesson"], request.path_params["experiment"]))
        if stage is None:
            return PlainTextResponse("There is no such experiment.", 404)
        return HTMLResponse(chrome.source(stage.experiment), headers={"Cache-Control": FRESH})

    return [
        Route("/export/{lesson}/{experiment}/{view}.{kind}", export, methods=["GET", "HEAD"]),
        Route("/code/{lesson}/{experiment}", code),
    ]


def made(stage: Stage, view: str, kind: str, query: Mapping[str, str]) -> bytes:
    """The bytes of one picture. A bad link is refused here: a figure in slides must not quietly be another one."""
    state, _, complaints = link.decode(stage.experiment, query)
    if complaints:
        raise InputError(" ".join(complaints))
    return rendered(stage.pictures(state)[view], kind)


def rendered(picture: Picture, kind: str) -> bytes:
    if kind == "svg":
        return picture.svg(standalone=True).encode()
    if kind == "csv":
        return picture.frame().to_csv(index=False).encode()
    if kind == "json":  # for the numbers under an experiment
        return picture.frame().to_json(orient="split", index=False, force_ascii=False).encode()
    out = io.BytesIO()
    picture.figure().savefig(out, format=kind, metadata={"CreationDate": None} if kind == "pdf" else None)
    return out.getvalue()
