"""Limits of the server that serves the page."""

from typing import Any

LARGEST = 256 * 1024  # bytes of a request: the largest state is far below


class BodyLimit:
    """Refuses a request body that is too large, before anything reads it."""

    def __init__(self, app: Any):
        self.app = app

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        taken = 0

        async def limited() -> dict:
            nonlocal taken
            part = await receive()
            taken += len(part.get("body", b""))
            if taken > LARGEST:
                raise TooLarge
            return part

        length = dict(scope["headers"]).get(b"content-length", b"0")
        try:
            if length.isdigit() and int(length) > LARGEST:
                raise TooLarge
            await self.app(scope, limited, send)
        except TooLarge:
            await send({"type": "http.response.start", "status": 413, "headers": [(b"content-type", b"text/plain; charset=utf-8")]})
            await send({"type": "http.response.body", "body": f"At most {LARGEST // 1024} KB at once, please.".encode()})


class TooLarge(Exception):
    pass
