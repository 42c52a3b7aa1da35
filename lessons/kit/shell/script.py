"""The page's script: ES modules in assets/js, served under an address that changes with them, so that browsers may keep them."""

import hashlib
import json
from pathlib import Path

import gradio
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

FOLDER = Path(__file__).parents[3] / "assets" / "js"
MODULES = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in sorted(FOLDER.rglob("*.js"))}
VERSION = hashlib.sha256(b"".join(MODULES.values())).hexdigest()[:12]
BROUGHT = Path(gradio.__file__).parent / "templates" / "frontend" / "assets"  # KaTeX comes with Gradio

# Components may be there before the modules are: what they ask for is kept, and done then (main.js).
WAITING = """window.seq2see = { asked: [] };
for (const name of ["mount", "stage", "typeset", "progress", "header"])
  seq2see[name] = (...given) => seq2see.asked.push([name, given]);"""


def head(ids: list[str]) -> str:
    """What goes into the head of every page. `ids`: all that a learner can do, for the progress."""
    katex = {kind: f"assets/{next(BROUGHT.glob(f'katex-*.{kind}')).name}" for kind in ("js", "css")}
    preloads = "".join(f'<link rel="modulepreload" href="{address(name)}">' for name in MODULES)
    return (
        f"<script>{WAITING}\nseq2see.ids = {json.dumps(ids)}; seq2see.katex = {json.dumps(katex['js'])};</script>{preloads}"
        f'<link rel="stylesheet" href="{katex["css"]}"><script type="module" src="{address("main.js")}"></script>'
    )


def address(name: str) -> str:
    return f"script/{VERSION}/{name}"


def route() -> Route:
    async def module(request: Request) -> Response:
        body = MODULES.get(request.path_params["name"])
        if body is None:
            return PlainTextResponse("There is no such script.", 404)
        return Response(body, media_type="text/javascript", headers={"Cache-Control": "public, max-age=31536000, immutable"})

    return Route("/script/{version}/{name:path}", module)
