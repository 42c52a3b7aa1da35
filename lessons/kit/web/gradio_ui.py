"""The course as a plain Gradio app at /gradio, built on the first request because that takes a second."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool

from lessons.kit.contract import Lesson
from lessons.kit.web import gradio_api
from lessons.kit.web.request_guard import HTTPError

PATH = "/gradio"
BLOCKED_PATH = re.compile(
    r"/gradio_api/(upload|file|stream|proxy|deep_link|component_server|process_recording|runs|vibe|api|reload|dev)"
    r"|/(login|logout|monitoring)"
)


class GradioUI:
    """ASGI application that builds the Gradio app on the first request."""

    def __init__(self, lessons: Sequence[Lesson], root: str):
        self.lessons, self.root = lessons, root
        self.app: Any = None
        self.lock = asyncio.Lock()

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if scope["type"] != "http" or BLOCKED_PATH.match(scope["path"].removeprefix(PATH)):
            not_found = HTTPError(404, "There is nothing at this address.").response(path)
            return await not_found(scope, receive, send)
        async with self.lock:
            if self.app is None:
                self.app = await run_in_threadpool(self.build)
        await self.app(scope | {"root_path": ""}, receive, send)

    def build(self) -> Any:
        from lessons.kit.web.blocks import course

        return gradio_api.mount(course(self.lessons), PATH, self.root + PATH if self.root else "")
