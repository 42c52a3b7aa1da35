"""The page's script: ES modules in assets/js, served under an address that changes with them, so that browsers may keep them."""

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lessons.kit.web import brought
from lessons.kit.web.compression import encoding, packed, sent

FOLDER = Path(__file__).parents[3] / "assets" / "js"
MODULES = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in sorted(FOLDER.rglob("*.js"))}
VERSION = hashlib.sha256(b"".join(MODULES.values())).hexdigest()[:12]

# The theme before anything is seen: the learner's own, or what the link or the system says (assets/js/header.js does the rest).
THEME = """const theme = new URLSearchParams(location.search).get("__theme")
  ?? (() => { try { return JSON.parse(localStorage.getItem("seq2see")).theme; } catch { return null; } })();
document.documentElement.classList.toggle("dark", theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);"""


# Another lesson is on its way once the pointer rests on its name, or a finger touches it. Browsers that cannot do it go on without.
SOON = {"prefetch": [{"where": {"selector_matches": ".bar a, a.name"}, "eagerness": "moderate"}]}


def fitting() -> str:
    """Right after what the server drew: it is as large as the window lets it be, before it is seen."""
    lines = re.sub(r"^(export |import .*)", "", "".join(MODULES[name].decode() for name in ("zoom.js", "screens.js")), flags=re.M)
    return (
        f"<script>(() => {{ {lines} try {{ fit(document.querySelector('#first-view .stage')); }}"
        " finally { document.getElementById('first-view').classList.add('fitted'); } })();</script>"
    )


def head(css: str) -> str:
    """What goes into the head of every page: all that the first picture needs."""
    return f'<link rel="stylesheet" href="{style(css)}"><script>{THEME}</script>'


def body(ids: list[str]) -> str:
    """What comes after the first picture. `ids`: all that a learner can do, for the progress."""
    preloads = "".join(f'<link rel="modulepreload" href="{address(name)}">' for name in MODULES)
    known = json.dumps({"ids": ids, "katex": f"assets/{katex('js').name}"})
    return (
        f"<script>window.seq2see = {known};</script>{preloads}"
        f'<script type="module" src="{address("main.js")}"></script><link rel="stylesheet" href="{style(equations())}">'
        f'<script type="speculationrules">{json.dumps(SOON)}</script>'
    )


def katex(kind: str) -> Path:
    """Gradio brings it along."""
    return next(brought.ASSETS.glob(f"katex-*.{kind}"))


@cache
def equations() -> str:
    """How KaTeX looks. Gradio has it only inside its own page; what is seen before has equations, too."""
    return re.sub(r"\.gradio-container-[\w-]+ ", "", katex("css").read_text(encoding="utf-8")).replace("url(./", "url(../assets/")


def address(name: str) -> str:
    return f"script/{VERSION}/{name}"


def style(css: str) -> str:
    return f"style/{hashlib.sha256(css.encode()).hexdigest()[:12]}.css"


def routes(css: str) -> list[Route]:
    sheets = {(style(text), way): packed(text.encode(), way, 9) for text in (css, equations()) for way in ("br", "gzip", "")}
    for_ever = {"Cache-Control": brought.FOR_EVER}

    async def module(request: Request) -> Response:
        body = MODULES.get(request.path_params["name"])
        if body is None:
            return PlainTextResponse("There is no such script.", 404)
        return Response(body, media_type="text/javascript", headers=for_ever)

    async def sheet(request: Request) -> Response:
        way = encoding(request.headers)
        body = sheets.get((f"style/{request.path_params['name']}", way))
        if body is None:
            return PlainTextResponse("There is no such style.", 404)
        return sent(body, request.headers, "text/css", way, Cache_Control=brought.FOR_EVER)

    return [Route("/script/{version}/{name:path}", module), Route("/style/{name}", sheet)]
