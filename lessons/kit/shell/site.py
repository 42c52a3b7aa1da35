"""The whole site: the map as the first page, a page per lesson, the files they need, and how they are served."""

import json
import os
from pathlib import Path
from typing import Any

import gradio as gr
import torch
from starlette.middleware import Middleware

from lessons.kit.contract import Lesson
from lessons.kit.pictures import palette
from lessons.kit.pictures.base import PICTURE_CSS
from lessons.kit.shell import chrome, export
from lessons.kit.shell.page import CHECK, lesson_page
from lessons.kit.shell.server import LARGEST, BodyLimit, DefaultPictures
from lessons.kit.shell.stage import stage_of
from lessons.start import pages
from lessons.start.compute import answer
from models.device import best_device

ASSETS = Path(__file__).parents[3] / "assets"
SCRIPTS = ("controls.js", "pictures.js", "page.js")  # in this order
THREADS = 3  # at work at once: two for events, one for long work; more would only take the lock from each other
FONTS = ["system-ui", "-apple-system", "Segoe UI", "Roboto", "DejaVu Sans", "sans-serif"]
THEME = gr.themes.Base(primary_hue="emerald", neutral_hue="slate", font=FONTS, font_mono=["ui-monospace", "monospace"]).set(
    body_background_fill=palette.ROLES["paper"][0],
    body_background_fill_dark=palette.ROLES["paper"][1],
    block_border_width="0px",
    block_background_fill="transparent",
    block_background_fill_dark="transparent",
)


def build_app(lessons: tuple[Lesson, ...], device: str | None = None) -> gr.Blocks:
    """Every page; its default pictures come in when it is asked for."""
    if device:
        os.environ["SEQ2SEE_DEVICE"] = device
    header = chrome.header(where(), pages.rosetta(), pages.glossary())
    with gr.Blocks(title="Seq2See", analytics_enabled=False) as app:
        top(header, lessons, None)
        todo = {lesson.slug: len(ids(lesson)) for lesson in lessons}
        gr.HTML(pages.map_page(todo, answer) + chrome.CLEAR, js_on_load="seq2see.progress()", elem_id="start-map")
        for lesson in lessons:
            # as `app.route` does; leaving its context after every page would make the whole server anew each time
            app.pages.append((lesson.slug, lesson.short, False))
            app.current_page = lesson.slug
            top(header, lessons, lesson)
            lesson_page(lesson)
    return app


def top(header: str, lessons: tuple[Lesson, ...], here: Lesson | None) -> None:
    gr.HTML(header + chrome.bar(lessons, here), js_on_load="seq2see.header()", apply_default_css=False, elem_id="header")


def where() -> str:
    """The device, as the header shows it."""
    device = best_device()
    return f"{device} · {torch.get_num_threads()} thread{'s' * (torch.get_num_threads() > 1)}" if device == "cpu" else device


def ids(lesson: Lesson) -> list[str]:
    """What a learner can do in a lesson: the names under which progress is kept."""
    tried = [f"{lesson.slug}-{experiment.slug}" for experiment in lesson.experiments]
    return tried + [f"{lesson.slug}-{CHECK}-{exercise.slug}" for exercise in lesson.exercises]


def look(lessons: tuple[Lesson, ...]) -> dict[str, Any]:
    """Theme, style and script, as `launch` takes them. All of it is in the page: nothing is asked of another host."""
    colours = f":root{{{palette.variables(0)}}}.dark{{{palette.variables(1)}}}{katex_in_the_dark()}{PICTURE_CSS}"
    styles = "".join(path.read_text(encoding="utf-8") for path in sorted((ASSETS / "css").glob("*.css")))
    scripts = "".join((ASSETS / "js" / name).read_text(encoding="utf-8") for name in SCRIPTS)
    known = json.dumps([id for lesson in lessons for id in ids(lesson)])
    return {"theme": THEME, "css": colours + styles, "head": f"<script>window.SEQ2SEE_IDS = {known};\n{scripts}</script>"}


def katex_in_the_dark() -> str:
    """Equations carry the light tone of a role, as typed or as the browser writes it; in the dark theme it becomes the dark one."""
    rules = []
    for light, dark in palette.ROLES.values():
        rgb = "rgb({}, {}, {})".format(*bytes.fromhex(light[1:]))
        rules += [f'.dark .katex [style*="{tone}"]{{color:{dark}!important}}' for tone in (light, light.lower(), rgb)]
    return "".join(rules)


def serve(app: gr.Blocks, lessons: tuple[Lesson, ...], host: str | None = None, port: int | None = None, **options: Any) -> Any:
    """Runs until Ctrl-C. GRADIO_SERVER_NAME, GRADIO_SERVER_PORT and GRADIO_ROOT_PATH hold where nothing is given."""
    pages = {lesson.slug: [stage_of(lesson, experiment) for experiment in lesson.experiments] for lesson in lessons}
    return app.launch(
        server_name=host,
        server_port=port,
        footer_links=["api", "gradio"],
        show_error=True,
        max_file_size=LARGEST,
        max_threads=THREADS,
        ssr_mode=False,
        app_kwargs={
            "routes": export.routes(lessons),
            "middleware": [Middleware(BodyLimit), Middleware(DefaultPictures, pages=pages)],
        },
        **look(lessons),
        **options,
    )
