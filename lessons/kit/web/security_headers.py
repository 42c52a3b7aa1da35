"""Headers that tell browsers what a page may do: no script but ours, nothing from elsewhere.

There is no `frame-ancestors`, on purpose: lecturers embed experiments, also in notebooks and files, which `*` would not allow.
"""

import base64
import hashlib
from collections.abc import Iterable
from typing import Any

from starlette.datastructures import MutableHeaders

COMMON = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
EXPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'none'"
GRADIO_POLICY = "object-src 'none'; base-uri 'self'"  # Gradio's own front end writes scripts into its page


def page_policy(inline_scripts: Iterable[str]) -> str:
    """The policy of our pages: scripts are files of ours, or these. Pictures have styles of their own."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in inline_scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'self'; script-src 'self' {allowed}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "font-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'"
    )


class SecurityHeaders:
    """ASGI middleware: every response has these headers, unless its route gave others."""

    def __init__(self, app: Any, policy: str, root: str = ""):
        self.app, self.policy, self.root = app, policy, root.rstrip("/")

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def send_with_headers(message: dict) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (COMMON | {"Content-Security-Policy": self.policy_of(scope["path"])}).items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def policy_of(self, path: str) -> str:
        path = path.removeprefix(self.root)
        if path.startswith("/export/"):
            return EXPORT_POLICY
        return GRADIO_POLICY if path.startswith("/gradio/") or path == "/gradio" else self.policy
