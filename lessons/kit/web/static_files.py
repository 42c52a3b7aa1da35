"""The page's script, style sheet and KaTeX, under addresses that change with them, so that browsers keep them.

The script is the bundle assets/page.js, made from the modules in assets/js (assets/js/build; tests check that it is current).
"""

import hashlib
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from lessons.kit.pictures import palette
from lessons.kit.pictures.base import PICTURE_CSS
from lessons.kit.web.compression import IMMUTABLE, compress, encoding, respond
from lessons.kit.web.gradio_api import katex_file, katex_files

ROOT = Path(__file__).parents[3]
ASSETS = ROOT / "assets"
TYPES = {"js": "text/javascript", "css": "text/css"}
SPECULATION_RULES = (
    '{"prefetch": [{"where": {"selector_matches": ".bar a, a.name"}, "eagerness": "moderate"}]}'
)
EQUATION_ROLES = {
    "src": "source",
    "tgt": "target",
    "att": "weight",
    "ctx": "context",
}  # \src{h_i} has the colour of the source


@cache
def style() -> str:
    """The one style sheet: colours by role, for pages and equations, then assets/css."""
    colours = f":root{{{palette.variables(0)}}}.dark{{{palette.variables(1)}}}{PICTURE_CSS}"
    equations = "".join(f".{name}{{color:var(--{role})}}" for name, role in EQUATION_ROLES.items())
    return (
        colours
        + equations
        + "".join(path.read_text(encoding="utf-8") for path in sorted((ASSETS / "css").glob("*.css")))
    )


@cache
def files() -> dict[str, bytes]:
    """What is served, by its address."""
    found = {"css": style().encode(), "js": (ASSETS / "page.js").read_bytes()}
    return {
        f"static/{hashlib.sha256(body).hexdigest()[:12]}/page.{kind}": body for kind, body in found.items()
    }


def address(kind: str) -> str:
    return next(name for name in files() if name.endswith(kind))


@cache
def before_paint() -> str:
    """The script that stands in every page."""
    return (ASSETS / "js" / "before_paint.js").read_text(encoding="utf-8")


@cache
def version() -> str:
    """Of everything that a drawing depends on: the code, the texts, the checkpoints' cards. The same in all processes."""
    found = hashlib.sha256()
    paths = [
        path
        for room in ("lessons", "models")
        for path in (ROOT / room).rglob("*")
        if path.suffix in (".py", ".md", ".html")
    ]
    for path in sorted([*paths, *ASSETS.glob("*.json"), *(ASSETS / "checkpoints").glob("*.json")]):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def routes() -> list[Route]:
    packed = {
        (name, way): compress(body, way, 9) for name, body in files().items() for way in ("br", "gzip", "")
    }

    async def static(request: Request) -> Response:
        accepted = encoding(request.headers)
        body = packed.get((request.url.path.lstrip("/"), accepted))
        if body is None:
            return PlainTextResponse("There is no such file. Reload the page: it has moved.", 404)
        return respond(
            body,
            request.headers,
            TYPES[request.url.path.rpartition(".")[2]],
            accepted,
            Cache_Control=IMMUTABLE,
        )

    async def katex(request: Request) -> Response:
        """KaTeX comes with Gradio's package; its names carry a version."""
        name = request.path_params["name"]
        if name not in katex_files():
            return PlainTextResponse("There is no such file.", 404)
        if name.endswith("css") or name.endswith("js"):
            accepted = encoding(request.headers)
            body = katex_packed(name, accepted)
            return respond(
                body, request.headers, TYPES[name.rpartition(".")[2]], accepted, Cache_Control=IMMUTABLE
            )
        return FileResponse(katex_file(name), headers={"Cache-Control": IMMUTABLE})

    return [Route("/static/{version}/{name}", static), Route("/katex/{name}", katex)]


@cache
def katex_packed(name: str, accepted: str) -> bytes:
    return compress(katex_files()[name](), accepted, 9)
