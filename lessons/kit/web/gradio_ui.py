"""Gradio's applications, built on the first request: the public API, and the course as a plain Gradio app."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from starlette.concurrency import run_in_threadpool

from lessons.kit.contract import Lesson
from lessons.kit.web import gradio_api
from lessons.kit.web.request_guard import HTTPError

log = logging.getLogger("seq2see")
PATH = "/gradio"
BLOCKED_PATH = re.compile(
    r"/gradio_api/(upload|file|stream|proxy|deep_link|component_server|process_recording|runs|vibe|api|reload"
    r"|dev)"
    r"|/(login|logout|monitoring)"
)


class LazyApp:
    """ASGI application that is built and started when the first request comes."""

    def __init__(self, build: Callable[[], Any]):
        self.build = build
        self.app: Any = None
        self.is_wanted, self.is_settled = asyncio.Event(), asyncio.Event()

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        self.is_wanted.set()
        await self.is_settled.wait()
        if self.app is None:
            refusal = HTTPError(503, "This part of the server could not start.", retry_after="60")
            return await refusal.response(scope["path"])(scope, receive, send)
        await self.app(scope, receive, send)

    @asynccontextmanager
    async def lifespan(self, _: Any = None) -> AsyncIterator[None]:
        """Start a task that manages the application, and cancel it when the server stops."""
        task = asyncio.create_task(self.run())
        yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def run(self) -> None:
        """Build and start the application on the first request, and stop it when this task is cancelled."""
        await self.is_wanted.wait()
        try:
            app = await run_in_threadpool(self.build)
            async with app.router.lifespan_context(app):
                self.app = app
                self.is_settled.set()
                await asyncio.Event().wait()
        except Exception:
            log.exception("cannot start")
        finally:
            self.app = None
            self.is_settled.set()


class GradioUI:
    """The course as a plain Gradio app at /gradio, without the routes of Gradio that it does not need."""

    def __init__(self, lessons: Sequence[Lesson], root: str):
        self.lessons, self.root = lessons, root
        self.app = LazyApp(self.build)

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if scope["type"] != "http" or BLOCKED_PATH.match(scope["path"].removeprefix(PATH)):
            not_found = HTTPError(404, "There is nothing at this address.").response(path)
            return await not_found(scope, receive, send)
        await self.app(scope | {"root_path": ""}, receive, send)

    def build(self) -> Any:
        from lessons.kit.web.blocks import course

        return gradio_api.mount(course(self.lessons), PATH, self.root + PATH if self.root else "")
