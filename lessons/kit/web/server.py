"""The whole site: our routes (pages, drawings, exports, classroom, jobs), with Gradio's API behind them."""

import gc
import logging
import os
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import chain
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route

from lessons.kit.contract import Lesson
from lessons.kit.controls import GROUPED_DIGITS
from lessons.kit.jobs import artifacts
from lessons.kit.jobs.queue import STORE_ERRORS, JobQueue
from lessons.kit.jobs.supervisor import Supervisor
from lessons.kit.pictures.base import SUBSCRIPT
from lessons.kit.site_pages import SitePages
from lessons.kit.web import (
    classroom,
    export,
    gradio_api,
    jobs,
    known_words,
    oembed,
    questions,
    social_preview,
    static_files,
    status,
    teach,
    workers,
)
from lessons.kit.web.draw import Drawings
from lessons.kit.web.gradio_ui import GradioUI, LazyApp
from lessons.kit.web.held_back import HeldBack
from lessons.kit.web.language import LanguageOfLink
from lessons.kit.web.layout import Frame
from lessons.kit.web.pages import Pages, draw_choices, draw_defaults, progress_ids
from lessons.kit.web.renderer import Renderer
from lessons.kit.web.request_guard import HTTPError, RequestGuard, answer_error
from lessons.kit.web.security_headers import SecurityHeaders, page_policy
from models.device import best_device

log = logging.getLogger("seq2see")
MAX_JOBS = 2  # maximum number of concurrent jobs


class Site:
    """The course as a web site. `texts`: map, notation, glossary; `module`: module that has the lessons."""

    def __init__(
        self, lessons: Sequence[Lesson], texts: SitePages, device: str | None = None, module: str = "lessons"
    ):
        if device:
            os.environ["SEQ2SEE_DEVICE"] = device
        self.lessons, self.texts = tuple(lessons), texts
        self.renderers = {
            lesson.slug: [
                Renderer(lesson, experiment, texts.terms(lessons, lesson))
                for experiment in lesson.experiments
            ]
            for lesson in lessons
        }
        self.supervisor = self.make_supervisor(module)

    def make_supervisor(self, module: str) -> Supervisor | None:
        """The supervisor of job processes; None if there are no jobs or there is no store."""
        if not jobs.job_runners(self.all_renderers):
            return None
        try:
            queue = JobQueue(workers=MAX_JOBS)
            artifacts.attach(queue)
            return Supervisor(queue, module, self.texts.__name__)
        except STORE_ERRORS as error:
            message = (
                "There will be no long work (“measure again”): %s. SEQ2SEE_STORE can name another place."
            )
            log.warning(message, error)
            return None

    def asgi(self) -> Any:
        """The site as an ASGI application, served under GRADIO_ROOT_PATH."""
        root = os.environ.get("GRADIO_ROOT_PATH", "")
        policy = page_policy([static_files.before_paint(), static_files.SPECULATION_RULES])
        api = LazyApp(lambda: gradio_api.mount(gradio_api.build_endpoints(self.all_renderers), "/", root))
        ui: Any = GradioUI(self.lessons, root)
        gate: Any = gradio_api.GradioGate(api, self.all_renderers)

        @asynccontextmanager
        async def lifespan(_: Any) -> AsyncIterator[None]:
            async with api.lifespan(), ui.app.lifespan():
                yield

        rooms = classroom.ClassroomState()
        return Starlette(
            routes=[*self.routes(root, rooms), Mount("/gradio", ui), Mount("/", gate)],
            middleware=[
                Middleware(SecurityHeaders, policy=policy, root=root),
                Middleware(RequestGuard, root=root),
                Middleware(LanguageOfLink),
                Middleware(HeldBack, asked_question=rooms.asked_question),
            ],
            exception_handlers={HTTPError: answer_error},
            lifespan=lifespan,
        )

    def routes(self, root: str, state: classroom.ClassroomState) -> list[Route]:
        frame, queue = self.frame(), export.ExportQueue()
        return [
            *Pages(frame, self.renderers, self.texts, root).routes(),
            *Drawings(self.all_renderers, static_files.version()).routes(),
            *static_files.routes(),
            *status.routes(),
            *questions.routes(self.lessons),
            *known_words.routes(),
            *export.routes(self.all_renderers, queue),
            *social_preview.routes(self.all_renderers, queue, root),
            *oembed.routes(self.all_renderers, self.lessons, root),
            *jobs.routes(self.supervisor, self.all_renderers, state.is_lecturer),
            *classroom.routes(state, self.lessons, root, frame.style),
            *teach.routes(frame, self.all_renderers, root, state.is_lecturer),
        ]

    def frame(self) -> Frame:
        """Values that all pages share, including the configuration of the script."""
        config = {
            "ids": [id for lesson in self.lessons for id in progress_ids(lesson)],
            "version": static_files.version(),
            "katex": {kind: gradio_api.katex_address(kind) for kind in ("js", "css")},
            "grouped": GROUPED_DIGITS.pattern,  # patterns that server and browser share
            "subscript": SUBSCRIPT.pattern,
        }
        return Frame(self.lessons, static_files.static_url("css"), static_files.static_url("js"), config)

    def serve(self, host: str | None = None, port: int | None = None, count: int = 1) -> None:
        """Run until Ctrl-C. The defaults are GRADIO_SERVER_NAME and GRADIO_SERVER_PORT."""
        # one key of the lecturers' pages for all workers
        os.environ.setdefault("SEQ2SEE_TEACH", secrets.token_urlsafe(9))
        bound = workers.bind_sockets(host, port, count)
        app = self.asgi()
        gc.freeze()  # objects loaded by now are never freed, so the collector can skip them
        gc.enable()
        if self.supervisor:
            self.supervisor.start()
        if count > 1 and best_device() == "cpu":  # once for all workers; GPUs cannot be used after a fork
            draw_defaults(self.all_renderers)
        url = workers.socket_url(bound[0])
        print(f"* Running on local URL:  {url}", flush=True)
        print(f"* The lecturer's link:   {url}/teach?key={os.environ['SEQ2SEE_TEACH']}", flush=True)
        if gradio_api.has_mcp():
            print(f"* Tools for MCP clients: {url}/gradio_api/mcp/", flush=True)
        gc.freeze()
        workers.serve(app, bound, partial(draw_choices, self.all_renderers))

    @property
    def all_renderers(self) -> list[Renderer]:
        return list(chain.from_iterable(self.renderers.values()))
