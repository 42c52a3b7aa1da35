"""Add security headers that allow scripts and other resources from this site only.

`frame-ancestors` is left out on purpose: lecturers embed experiments, even in notebooks and local files,
which `*` would not allow.
"""

import base64
import hashlib
from collections.abc import Iterable
from typing import Any

COMMON = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
EXPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'none'"
GRADIO_POLICY = "object-src 'none'; base-uri 'self'"  # Gradio's front end uses inline scripts


def page_policy(inline_scripts: Iterable[str]) -> str:
    """Content-Security-Policy of our pages: allow these inline scripts, and inline styles (used by SVG)."""
    digests = (
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in inline_scripts
    )
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'self'; script-src 'self' {allowed}; style-src 'self' 'unsafe-inline'; img-src 'self'"
        " data:; font-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'"
    )


class SecurityHeaders:
    """ASGI middleware: add the headers to every response unless its route has set them."""

    def __init__(self, app: Any, policy: str, root: str = ""):
        self.app, self.root = app, root.rstrip("/")
        self.page, self.export, self.gradio = (
            encode_headers(one) for one in (policy, EXPORT_POLICY, GRADIO_POLICY)
        )

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def send_with_headers(message: dict) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                added = [pair for pair in self.headers_for(scope["path"]) if pair[0] not in given]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def headers_for(self, path: str) -> list[tuple[bytes, bytes]]:
        path = path.removeprefix(self.root)
        if path.startswith("/export/"):
            return self.export
        return self.gradio if path.startswith("/gradio/") or path == "/gradio" else self.page


def encode_headers(policy: str) -> list[tuple[bytes, bytes]]:
    named = COMMON | {"Content-Security-Policy": policy}
    return [(name.lower().encode(), value.encode()) for name, value in named.items()]
