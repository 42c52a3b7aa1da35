"""What Gradio brings to the browser: its files, which of them a page will ask for, and how long they may be kept.

Its script finds out bit by bit what it needs: three times it starts, looks, and asks for more. A page that names all of it at once
waits for the network once. Its files have their version in their names.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import gradio

FRONTEND = Path(gradio.__file__).parent / "templates" / "frontend"
ASSETS = FRONTEND / "assets"
FOR_EVER = "public, max-age=31536000, immutable"
VERSIONED = re.compile(r"/assets/[\w.-]+-[\w-]{8,}\.\w+\?|/theme\.css\?v=\w")
STARTS = re.compile(r'src="\./assets/(index-[\w-]+\.js)"')
LISTED = re.compile(r"m\.f=\[(.*?)\]")
ASKED = r"import\(`\./(NAME-[\w-]+\.js)`\)[^\[]{0,60}__vite__mapDeps\(\[([\d,]*)\]\)"


def needed(kinds: Iterable[str]) -> list[str]:
    """The files that a page with these kinds of components will ask for after the first, in the order in which it would.

    Read from Gradio's own lists. What is not found there is not named, and comes as it would have come.
    """
    start = STARTS.search((FRONTEND / "index.html").read_text(encoding="utf-8"))
    names = list(asked(start.group(1), ASKED.replace("NAME", "Index"))) if start else []
    for name in [name for name in names if name.startswith("Index-") and name.endswith(".js")]:
        names += asked(name, ASKED.replace("NAME", "Blocks"))
    for name in [name for name in names if name.startswith("core-") and name.endswith(".js")]:
        for kind in kinds:
            names += asked(name, rf"\b{kind}:{{(?:[^{{}}]|{{[^{{}}]*}})*?component:[^{{}}]*?" + ASKED.replace("NAME", r"\w+"))
    return [name for name in dict.fromkeys(names) if not name.startswith("index-")]


def asked(name: str, pattern: str) -> Iterator[str]:
    """What this file asks for there, and what that needs."""
    text = (ASSETS / name).read_text(encoding="utf-8")
    listed, found = LISTED.search(text), re.search(pattern, text)
    if listed and found:
        names = [each.strip('"./ ') for each in listed.group(1).split(",")]
        yield from (names[int(place)] for place in found.group(2).split(",") if place)


@cache
def preloads(kinds: tuple[str, ...]) -> str:
    """As links for the head of a page."""
    return "".join(
        f'<link rel="modulepreload" crossorigin href="assets/{name}">'
        if name.endswith(".js")
        else f'<link rel="preload" as="style" crossorigin href="assets/{name}">'
        for name in needed(kinds)
    )


class Lasting:
    """An ASGI application around Gradio's: what has its version in its address need not be asked for again."""

    def __init__(self, app: Any):
        self.app = app

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not VERSIONED.match(f"{scope['path']}?{scope['query_string'].decode('latin-1')}"):
            return await self.app(scope, receive, send)

        async def lasting(part: dict) -> None:
            if part["type"] == "http.response.start" and part["status"] in (200, 206, 304):
                others = [(name, value) for name, value in part["headers"] if name.lower() != b"cache-control"]
                part = part | {"headers": [*others, (b"cache-control", FOR_EVER.encode())]}
            await send(part)

        await self.app(scope, receive, lasting)
