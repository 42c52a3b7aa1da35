"""The whole site: the map as the first page, a page per lesson, the files they need, and how they are served."""

import gc
import logging
import os
import warnings
from collections.abc import Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

import gradio as gr
import torch
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware

from lessons.kit.contract import Lesson
from lessons.kit.front import Front
from lessons.kit.pictures import palette
from lessons.kit.pictures.base import PICTURE_CSS
from lessons.kit.web import answers, chrome, export, preview, rooms, script, teach, tools, work, workers
from lessons.kit.web.brought import Lasting
from lessons.kit.web.request_guard import LARGEST, RequestGuard
from lessons.kit.web.events import Events
from lessons.kit.web.page import CHECK, lesson_page
from lessons.kit.web.pages import Look, Pages, draw_all, draw_choices
from lessons.kit.web.renderer import Renderer
from lessons.kit.work import shelf
from lessons.kit.work.firm import Firm
from lessons.kit.work.line import NO_STORE, Line
from models.device import best_device

ASSETS = Path(__file__).parents[3] / "assets"
log = logging.getLogger("seq2see")
THREADS = 2  # of Gradio's queue, for gradio_client
LABOURERS = 2  # pieces of long work at once
SESSIONS = 64  # that Gradio may keep its copies for (2 MB each); ours need none
LINE = 64  # in Gradio's queue at most
FONTS = ["system-ui", "-apple-system", "Segoe UI", "Roboto", "DejaVu Sans", "sans-serif"]
THEME = gr.themes.Base(primary_hue="emerald", neutral_hue="slate", font=FONTS, font_mono=["ui-monospace", "monospace"]).set(
    body_background_fill=palette.ROLES["paper"][0],
    body_background_fill_dark=palette.ROLES["paper"][1],
    block_border_width="0px",
    block_background_fill="transparent",
    block_background_fill_dark="transparent",
)


class Course(gr.Blocks):
    """Gradio would describe all its components, for the browser, five times on its way. Nobody reads it before it is mounted."""

    def get_config_file(self) -> Any:
        return super().get_config_file() if hasattr(self, "footer_links") else {}  # it has them once it is being mounted


class Site:
    """The whole course: what it teaches, and what stands around it (`front`: the map, the notation, the glossary)."""

    def __init__(self, lessons: Sequence[Lesson], front: Front, device: str | None = None, module: str = "lessons"):
        if device:
            os.environ["SEQ2SEE_DEVICE"] = device
        self.lessons, self.front = tuple(lessons), front
        self.stages = {
            lesson.slug: [Renderer(lesson, experiment, front.terms(lessons, lesson)) for experiment in lesson.experiments]
            for lesson in lessons
        }
        self.app = self.build()
        self.firm = self.work(module)

    def work(self, module: str) -> Firm | None:
        """Who does long work; None where there is none to do, or no place to keep it. `module` has the lessons."""
        if not work.works(self.all_stages):
            return None
        try:
            line = Line(workers=LABOURERS)
            shelf.use(line)
            return Firm(line, module, self.front.__name__)
        except NO_STORE as error:
            log.warning("There will be no long work (“measure again”): %s. All else works; SEQ2SEE_STORE can name a place.", error)
            return None

    def build(self) -> gr.Blocks:
        """Every page; its first picture comes in when it is asked for, the others when their tab is opened."""
        with Course(title="Seq2See", analytics_enabled=False) as app:
            self.top(None)
            gr.HTML(self.map(), js_on_load="seq2see.map()", elem_id="start-map")
            for lesson in self.lessons:
                # as `app.route` does; leaving its context after every page would make the whole server anew each time
                app.pages.append((lesson.slug, lesson.short, False))
                app.current_page = lesson.slug
                self.top(lesson)
                lesson_page(self.lessons, lesson, self.stages[lesson.slug])
        return app

    def header(self, here: Lesson | None) -> Markup:
        return chrome.header(self.lessons, here, where(), self.front.rosetta(), self.front.glossary(self.lessons))

    def map(self) -> Markup:
        return self.front.map_page(self.lessons, {lesson.slug: len(ids(lesson)) for lesson in self.lessons})

    def top(self, here: Lesson | None) -> None:
        gr.HTML(self.header(here), js_on_load="seq2see.header()", apply_default_css=False, elem_id="header")

    def asgi(self) -> Any:
        """The site as any ASGI server takes it. GRADIO_ROOT_PATH holds."""
        root = os.environ.get("GRADIO_ROOT_PATH", "")
        self.app.max_threads = THREADS
        self.app.state_session_capacity = SESSIONS
        self.app.queue(max_size=LINE)
        middleware = [
            Middleware(RequestGuard),
            Middleware(Lasting),
            Middleware(Events, blocks=self.app),
            Middleware(Pages, pages={"": [], "config": [], **self.stages}, look=self.look(), root=root),
        ]
        studio = export.ExportQueue()
        routes = [*export.routes(self.all_stages, studio), *preview.routes(self.all_stages, studio, root)]
        lobby = rooms.ClassroomState()
        routes += [
            *work.routes(self.firm, self.all_stages, lobby.leads),
            *answers.routes(self.lessons),
            *script.routes(own_style()),
        ]
        routes += rooms.routes(lobby, self.lessons, root, script.style(own_style()))
        routes += teach.routes(self.lessons, self.all_stages, root, script.style(own_style()))
        warnings.filterwarnings("ignore", "SSR mode is not supported")  # and not asked for
        mounted = gr.mount_gradio_app(
            Starlette(),
            self.app,
            "/",
            root_path=root or None,
            footer_links=[],
            run_history=False,
            enable_monitoring=False,
            max_file_size=LARGEST,
            ssr_mode=False,
            app_kwargs={"routes": routes, "middleware": middleware},
            theme=THEME,
            css=style(),
        )
        tools.equip(self.app, self.all_stages)
        return mounted

    def look(self) -> Look:
        """What every page has, from its first byte. Nothing is asked of another host."""
        every = [id for lesson in self.lessons for id in ids(lesson)]
        return Look(script.head(own_style()).encode(), script.body(every).encode(), self.kinds, cache(self.header), self.map())

    def kinds(self, slug: str) -> tuple[str, ...]:
        """Of Gradio's components, those that are seen in a page."""
        blocks = [block for block in self.app.blocks.values() if block.page == slug and getattr(block, "visible", True)]
        return tuple(dict.fromkeys(["column", *(block.get_block_name() for block in blocks)]))  # Gradio puts all in a column

    def serve(self, host: str | None = None, port: int | None = None, count: int = 1) -> None:
        """Runs until Ctrl-C. GRADIO_SERVER_NAME and GRADIO_SERVER_PORT hold where nothing is given."""
        bound = workers.listening(host, port, count)
        app = self.asgi()
        gc.freeze()  # what is here now stays
        gc.enable()
        if self.firm:
            self.firm.start()
        if count > 1 and best_device() == "cpu":  # drawn once for all workers; what an accelerator began does not survive a fork
            draw_all(self.all_stages)
        here = workers.address(bound[0])
        print(f"* Running on local URL:  {here}", flush=True)
        if self.app.mcp_server:
            print(f"* Tools for MCP clients: {here}/gradio_api/mcp/", flush=True)
        gc.freeze()
        workers.serve(app, bound, partial(draw_choices, self.all_stages))

    @property
    def all_stages(self) -> list[Renderer]:
        return list(chain.from_iterable(self.stages.values()))


def where() -> str:
    """The device, as the about panel shows it."""
    device = best_device()
    return f"{device} · {torch.get_num_threads()} thread{'s' * (torch.get_num_threads() > 1)}" if device == "cpu" else device


def ids(lesson: Lesson) -> list[str]:
    """What a learner can do in a lesson: the names under which progress is kept."""
    tried = [f"{lesson.slug}-{experiment.slug}" for experiment in lesson.experiments]
    return tried + [f"{lesson.slug}-{CHECK}-{exercise.slug}" for exercise in lesson.exercises]


@cache
def style() -> str:
    """All of it. Gradio gets it too, and makes it weightier than its own; but only when it has started."""
    colours = f":root{{{palette.variables(0)}}}.dark{{{palette.variables(1)}}}{katex_in_the_dark()}{PICTURE_CSS}"
    return colours + "".join(path.read_text(encoding="utf-8") for path in sorted((ASSETS / "css").glob("*.css")))


def own_style() -> str:
    """For what the server draws: the same once more, nested, so that what Gradio adds on its way cannot change it."""
    return f"{style()}\n#first-view {{ {style()} }}"


def katex_in_the_dark() -> str:
    """Equations carry the light tone of a role, as typed or as the browser writes it; in the dark theme it becomes the dark one."""
    rules = []
    for light, dark in palette.ROLES.values():
        rgb = "rgb({}, {}, {})".format(*bytes.fromhex(light[1:]))
        rules += [f'.dark .katex [style*="{tone}"]{{color:{dark}!important}}' for tone in (light, light.lower(), rgb)]
    return "".join(rules)
