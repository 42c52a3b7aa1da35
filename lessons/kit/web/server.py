"""The whole site: pages, drawings, exports, classroom and jobs as our own routes, Gradio's API behind them."""

import gc
import logging
import os
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route

from lessons.kit.contract import Lesson
from lessons.kit.controls import GROUPED
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
    questions,
    social_preview,
    static_files,
    status,
    teach,
    workers,
)
from lessons.kit.web.draw import Drawings
from lessons.kit.web.gradio_face import GradioFace
from lessons.kit.web.layout import Frame
from lessons.kit.web.pages import Pages, draw_choices, draw_defaults, things_to_do
from lessons.kit.web.renderer import Renderer
from lessons.kit.web.request_guard import HTTPError, RequestGuard, answer_error
from lessons.kit.web.security_headers import SecurityHeaders, page_policy
from models.device import best_device

log = logging.getLogger("seq2see")
MAX_JOBS = 2  # pieces of long work at once


class Site:
    """The whole course: what it teaches, and what stands around it (`texts`: the map, the notation, the glossary)."""

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
        self.firm = self.work(module)

    def work(self, module: str) -> Supervisor | None:
        """Who does long work; None where there is none to do, or no place to keep it. `module` has the lessons."""
        if not jobs.works(self.all_renderers):
            return None
        try:
            line = JobQueue(workers=MAX_JOBS)
            artifacts.attach(line)
            return Supervisor(line, module, self.texts.__name__)
        except STORE_ERRORS as error:
            log.warning(
                "There will be no long work (“measure again”): %s. All else works; SEQ2SEE_STORE can name a"
                " place.",
                error,
            )
            return None

    def asgi(self) -> Any:
        """The site as any ASGI server takes it. GRADIO_ROOT_PATH holds."""
        root = os.environ.get("GRADIO_ROOT_PATH", "")
        engine: Any = gradio_api.mount(gradio_api.endpoints(self.all_renderers), "/", root)
        policy = page_policy([static_files.before_paint(), static_files.SPECULATION_RULES])
        face: Any = GradioFace(self.lessons, root)
        gate: Any = gradio_api.GradioGate(engine, self.all_renderers)
        return Starlette(
            routes=[
                *self.routes(root),
                Mount("/gradio", face),
                Mount("/", gate),
            ],
            middleware=[
                Middleware(SecurityHeaders, policy=policy, root=root),
                Middleware(RequestGuard, root=root),
            ],
            exception_handlers={HTTPError: answer_error},
            lifespan=lambda _: engine.router.lifespan_context(engine),
        )

    def routes(self, root: str) -> list[Route]:
        frame, queue, state = self.frame(), export.ExportQueue(), classroom.ClassroomState()
        return [
            *Pages(frame, self.renderers, self.texts, root).routes(),
            *Drawings(self.all_renderers, static_files.version()).routes(),
            *static_files.routes(),
            *status.routes(),
            *questions.routes(self.lessons),
            *export.routes(self.all_renderers, queue),
            *social_preview.routes(self.all_renderers, queue, root),
            *jobs.routes(self.firm, self.all_renderers, state.leads),
            *classroom.routes(state, self.lessons, root, frame.style),
            *teach.routes(self.lessons, self.all_renderers, root, frame.style),
        ]

    def frame(self) -> Frame:
        """What every page has around its content, and what its script needs to know."""
        config = {
            "ids": [id for lesson in self.lessons for id in things_to_do(lesson)],
            "version": static_files.version(),
            "katex": {kind: gradio_api.katex_address(kind) for kind in ("js", "css")},
            "grouped": GROUPED.pattern,  # rules that server and browser share
            "subscript": SUBSCRIPT.pattern,
        }
        return Frame(self.lessons, static_files.address("css"), static_files.address("js"), config)

    def serve(self, host: str | None = None, port: int | None = None, count: int = 1) -> None:
        """Runs until Ctrl-C. GRADIO_SERVER_NAME and GRADIO_SERVER_PORT hold where nothing is given."""
        bound = workers.listening(host, port, count)
        app = self.asgi()
        gc.freeze()  # what is here now stays
        gc.enable()
        if self.firm:
            self.firm.start()
        if (
            count > 1 and best_device() == "cpu"
        ):  # drawn once for all workers; what an accelerator began does not survive a fork
            draw_defaults(self.all_renderers)
        here = workers.address(bound[0])
        print(f"* Running on local URL:  {here}", flush=True)
        if gradio_api.has_mcp():
            print(f"* Tools for MCP clients: {here}/gradio_api/mcp/", flush=True)
        gc.freeze()
        workers.serve(app, bound, partial(draw_choices, self.all_renderers))

    @property
    def all_renderers(self) -> list[Renderer]:
        return list(chain.from_iterable(self.renderers.values()))
