"""The door: what nobody needs is closed, what is too large is refused, whatever its wrapping. Every refusal is a sentence."""

import re
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, Response

LARGEST = 256 * 1024  # bytes of a request: the largest state is far below
# Of Gradio's own addresses those that a page, gradio_client and MCP clients use. No lesson takes files, or keeps anything here.
OPEN = re.compile(
    r"(?!/(monitoring|login|logout|gradio_api)(/|$))"
    r"|/gradio_api/(info|openapi\.json|app_id|startup-events|heartbeat|run|api|call|queue|cancel|reset|mcp|user|token|theme\.css)(/|$)"
)

HOSTS = ("host", "x-forwarded-host")  # what Gradio makes addresses from
HOST = re.compile(r"([\w.-]+|\[[\da-fA-F:.]+])(:\d{1,5})?(,.*)?")


class Refused(Exception):
    """Why not, and what to do."""

    def __init__(self, status: int, sentence: str, **headers: str):
        super().__init__(sentence)
        self.status, self.headers = status, {name.replace("_", "-"): value for name, value in headers.items()}

    def response(self, path: str) -> Response:
        if path.startswith("/gradio_api/"):  # a client of Gradio's looks for “error”
            return JSONResponse({"error": str(self)}, self.status, self.headers)
        return PlainTextResponse(str(self), self.status, self.headers)


class Door:
    """An ASGI application around another one."""

    def __init__(self, app: Any):
        self.app = app

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        try:
            if not OPEN.match(scope["path"]):
                raise Refused(403, "This address is closed: the course takes no files and keeps nothing here.")
            headers = Headers(scope=scope)
            if not all(HOST.fullmatch(headers[name]) for name in HOSTS if name in headers):
                raise Refused(400, "Please ask for a host by its name.")
            if "x-gradio-server" in headers:  # what Gradio would believe of a proxy that we do not have
                scope = scope | {"headers": [(name, value) for name, value in scope["headers"] if name != b"x-gradio-server"]}
            if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                receive = replayed(await whole(scope, receive), receive)
        except Refused as refusal:
            return await refusal.response(scope["path"])(scope, receive, send)
        await self.app(scope, receive, send)


async def whole(scope: dict, receive: Any) -> bytes:
    """The body of a request, in however many pieces it comes."""
    length = dict(scope["headers"]).get(b"content-length", b"0")
    body = bytearray()
    more = not length.isdigit() or (len(length) < 10 and int(length) <= LARGEST)
    if not more:
        raise too_large()
    while more:
        part = await receive()
        body += part.get("body", b"")
        more = part.get("more_body", False)
        if len(body) > LARGEST:
            raise too_large()
    return bytes(body)


def too_large() -> Refused:
    return Refused(413, f"At most {LARGEST // 1024} KB at once, please.", connection="close")


def replayed(body: bytes, receive: Any) -> Any:
    """As if the body came now, and in one piece."""
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> dict:
        return parts.pop() if parts else await receive()

    return again
