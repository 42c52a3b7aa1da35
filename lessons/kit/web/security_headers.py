"""Headers that tell browsers what a page may do: no script but ours, nothing from elsewhere.

There is no `frame-ancestors`, on purpose: lecturers embed experiments, also in notebooks and files, which `*` would not allow.
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
GRADIO_POLICY = "object-src 'none'; base-uri 'self'"  # Gradio's own front end writes scripts into its page


def page_policy(inline_scripts: Iterable[str]) -> str:
    """The Content-Security-Policy of our pages: scripts from this site or these inline ones; inline styles, which SVG needs."""
    digests = (
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in inline_scripts
    )
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'self'; script-src 'self' {allowed}; style-src 'self' 'unsafe-inline'; img-src 'self'"
        " data:; font-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'"
    )


class SecurityHeaders:
    """ASGI middleware: every response has these headers, unless its route gave others."""

    def __init__(self, app: Any, policy: str, root: str = ""):
        self.app, self.root = app, root.rstrip("/")
        self.page, self.export, self.gradio = (
            header_lines(one) for one in (policy, EXPORT_POLICY, GRADIO_POLICY)
        )

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def send_with_headers(message: dict) -> None:
            if message["type"] == "http.response.start":
                own = message["headers"]
                given = {name for name, _ in own}
                message["headers"] = [
                    *own,
                    *(line for line in self.lines(scope["path"]) if line[0] not in given),
                ]
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def lines(self, path: str) -> list[tuple[bytes, bytes]]:
        path = path.removeprefix(self.root)
        if path.startswith("/export/"):
            return self.export
        return self.gradio if path.startswith("/gradio/") or path == "/gradio" else self.page


def header_lines(policy: str) -> list[tuple[bytes, bytes]]:
    named = COMMON | {"Content-Security-Policy": policy}
    return [(name.lower().encode(), value.encode()) for name, value in named.items()]
