"""Check every request before it is routed: body size, Host header, path prefix."""

import re
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

MAX_REQUEST_BYTES = 256 * 1024  # the largest state needs far less
HOST_HEADERS = ("host", "x-forwarded-host")  # headers from which absolute URLs are built
HOST = re.compile(r"([\w.-]+|\[[\da-fA-F:.]+])(:\d{1,5})?(,.*)?")


class HTTPError(Exception):
    """An HTTP status with a message that says what to do."""

    def __init__(self, status: int, message: str, **headers: str):
        super().__init__(message)
        self.status, self.headers = status, {name.replace("_", "-"): value for name, value in headers.items()}

    def response(self, path: str) -> Response:
        for prefix, field in (("/gradio_api/", "error"), ("/work/", "message"), ("/room", "message")):
            if path.startswith(prefix):  # the field in which clients of these routes expect the message
                return JSONResponse({field: str(self)}, self.status, self.headers)
        return PlainTextResponse(str(self), self.status, self.headers)


def answer_error(request: Request, error: Exception) -> Response:
    """Exception handler for HTTPError."""
    assert isinstance(error, HTTPError)
    return error.response(request.url.path)


class RequestGuard:
    """ASGI middleware around the whole site."""

    def __init__(self, app: Any, root: str = ""):
        """`root`: the path prefix of the site. Routes see paths without it."""
        self.app, self.root = app, root.rstrip("/")

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        path = scope["path"]
        if self.root and (path == self.root or path.startswith(f"{self.root}/")):
            path = path.removeprefix(self.root) or "/"
            scope = scope | {"path": path, "raw_path": path.encode()}
        try:
            headers = Headers(scope=scope)
            if not all(HOST.fullmatch(headers[name]) for name in HOST_HEADERS if name in headers):
                raise HTTPError(400, "Please use the name of the host in the address.")
            if "x-gradio-server" in headers:  # Gradio would use this header as the URL of a proxy
                scope = scope | {
                    "headers": [pair for pair in scope["headers"] if pair[0] != b"x-gradio-server"]
                }
            if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                receive = replay(await read_body(scope, receive), receive)
        except HTTPError as error:
            return await error.response(path)(scope, receive, send)
        await self.app(scope, receive, send)


async def read_body(scope: dict, receive: Any) -> bytes:
    """Read the whole body of a request, up to the limit."""
    length = dict(scope["headers"]).get(b"content-length", b"0")
    body = bytearray()
    more = not length.isdigit() or (len(length) < 10 and int(length) <= MAX_REQUEST_BYTES)
    if not more:
        raise too_large()
    while more:
        part = await receive()
        body += part.get("body", b"")
        more = part.get("more_body", False)
        if len(body) > MAX_REQUEST_BYTES:
            raise too_large()
    return bytes(body)


def too_large() -> HTTPError:
    return HTTPError(413, f"At most {MAX_REQUEST_BYTES // 1024} KB at once, please.", connection="close")


def replay(body: bytes, receive: Any) -> Any:
    """Return a `receive` function that yields this body in one message."""
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_body() -> dict:
        return parts.pop() if parts else await receive()

    return receive_body
