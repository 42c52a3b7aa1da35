"""Serve the script, the style sheet and KaTeX at URLs with a hash, so that browsers can cache them.

The script is the bundle assets/page.js, built from the modules in assets/js by assets/js/build.
"""

import hashlib
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from lessons.kit.pictures import palette
from lessons.kit.pictures.base import PICTURE_CSS
from lessons.kit.web.compression import IMMUTABLE, accepted_encoding, compress, respond
from lessons.kit.web.gradio_api import KATEX_FOLDER, katex_files

ROOT = Path(__file__).parents[3]
ASSETS = ROOT / "assets"
# in this order, because later rules win
STYLE_SHEETS = "controls handout page pictures room present start access".split()
MEDIA_TYPES = {"js": "text/javascript", "css": "text/css"}
SPECULATION_RULES = (
    '{"prefetch": [{"where": {"selector_matches": ".bar a, a.name"}, "eagerness": "moderate"}]}'
)


@cache
def style() -> str:
    """Build the style sheet: colours by role for pages and equations, then assets/css."""
    colours = f":root{{{palette.variables(0)}}}.dark{{{palette.variables(1)}}}{PICTURE_CSS}"
    equations = "".join(f".{name}{{color:var(--{role})}}" for name, role in palette.EQUATION_ROLES.items())
    sheets = [(ASSETS / "css" / f"{name}.css").read_text(encoding="utf-8") for name in STYLE_SHEETS]
    return colours + equations + "".join(sheets)


@cache
def static_bodies() -> dict[str, bytes]:
    """Static files, by URL."""
    bodies = {"css": style().encode(), "js": (ASSETS / "page.js").read_bytes()}
    return {
        f"static/{hashlib.sha256(body).hexdigest()[:12]}/page.{kind}": body for kind, body in bodies.items()
    }


def static_url(kind: str) -> str:
    return next(name for name in static_bodies() if name.endswith(kind))


@cache
def before_paint() -> str:
    """The inline script that every page runs before it is painted."""
    return (ASSETS / "js" / "before_paint.js").read_text(encoding="utf-8")


@cache
def version() -> str:
    """Hash of everything a drawing depends on: code, texts, templates, cards. Equal in all processes."""
    digest = hashlib.sha256()
    paths = [
        path
        for folder in ("lessons", "models")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md", ".html", ".po")
    ]
    for path in sorted([*paths, *ASSETS.glob("*.json"), *(ASSETS / "checkpoints").glob("*.json")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def routes() -> list[Route]:
    compressed = {
        (name, encoding): compress(body, encoding, 9)
        for name, body in static_bodies().items()
        for encoding in ("br", "gzip", "")
    }

    def serve_body(request: Request, body: bytes, encoding: str) -> Response:
        media_type = MEDIA_TYPES[request.url.path.rpartition(".")[2]]
        return respond(body, request.headers, media_type, encoding, cache_control=IMMUTABLE)

    async def static(request: Request) -> Response:
        encoding = accepted_encoding(request.headers)
        body = compressed.get((request.url.path.lstrip("/"), encoding))
        if body is None:
            return PlainTextResponse("There is no such file. Reload the page: it has moved.", 404)
        return serve_body(request, body, encoding)

    async def katex(request: Request) -> Response:
        """Serve a KaTeX file from Gradio's package."""
        name = request.path_params["name"]
        if name not in katex_files():
            return PlainTextResponse("There is no such file.", 404)
        if name.endswith(("css", "js")):
            encoding = accepted_encoding(request.headers)
            return serve_body(request, compressed_katex(name, encoding), encoding)
        return FileResponse(KATEX_FOLDER / name, headers={"Cache-Control": IMMUTABLE})

    return [Route("/static/{version}/{name}", static), Route("/katex/{name}", katex)]


@cache
def compressed_katex(name: str, encoding: str) -> bytes:
    return compress(katex_files()[name](), encoding, 9)
