"""Routes of the HTML pages. Each URL is rendered once; all visitors get the same bytes."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import torch
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from lessons.kit import VERSION, link
from lessons.kit.contract import Choice, InputError, Lesson, Toggle
from lessons.kit.language import ENGLISH, cache_by_language, text_language
from lessons.kit.site_pages import SitePages
from lessons.kit.templates import lang_attribute, render
from lessons.kit.web import layout, social_preview
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.compression import ONE_HOUR, accepted_encoding, compress, respond
from lessons.kit.web.layout import CHECK, START, Frame
from lessons.kit.web.renderer import Renderer, RenderError
from lessons.kit.web.social_preview import site_root
from lessons.kit.web.structured_data import structured_data
from models.device import best_device

PAUSE_SECONDS = 0.02  # pause after each state that is drawn in advance


class Pages:
    """The pages of a course: the map, the lessons, and the small pages that the script opens as dialogs."""

    def __init__(
        self, frame: Frame, renderers: Mapping[str, Sequence[Renderer]], texts: SitePages, root: str = ""
    ):
        """`renderers`: by lesson; `texts`: map, notation, glossary; `root`: the path prefix of the site."""
        self.frame, self.renderers, self.texts, self.root = frame, renderers, texts, root
        self.is_warm = False

    def routes(self) -> list[Route]:
        handlers = {
            "": self.map_page,
            **{lesson.slug: partial(self.lesson_page, lesson) for lesson in self.frame.lessons},
            "notation": self.dialog_page("Notation: one symbol, one meaning", self.texts.rosetta),
            "glossary": self.dialog_page("Glossary", lambda: self.texts.glossary(self.frame.lessons)),
            "accessibility": self.dialog_page(
                "Accessibility", lambda: render("kit/templates/accessibility.html")
            ),
            "about": self.dialog_page(
                "About", lambda: render("kit/templates/about.html", device=device_name(), version=VERSION)
            ),
        }
        return [Route(f"/{path}", handler, methods=["GET", "HEAD"]) for path, handler in handlers.items()]

    async def map_page(self, request: Request) -> Response:
        query, preview = dict(request.query_params), social_preview.map_preview()
        return await self.serve_page(request, ("map",), self.map_content, preview, None, query)

    @cache_by_language
    def map_content(self) -> Markup:
        todo = {lesson.slug: len(progress_ids(lesson)) for lesson in self.frame.lessons}
        with text_language(ENGLISH):
            content = self.texts.map_page(self.frame.lessons, todo)
            return Markup('<div id="start-map"{}>{}</div>').format(lang_attribute(), content)

    async def lesson_page(self, lesson: Lesson, request: Request) -> Response:
        query = dict(request.query_params)
        renderer, is_narrow = self.find_renderer(lesson, query), is_phone(request)
        make = partial(layout.render_lesson, self.frame.lessons, lesson, renderer, query, is_narrow)
        key = (lesson.slug, is_narrow, *self.content_key(renderer, query))
        preview = self.preview(lesson, renderer, query)
        return await self.serve_page(request, key, make, preview, lesson, query, renderer)

    def find_renderer(self, lesson: Lesson, query: Mapping[str, str]) -> Renderer | None:
        """The renderer of the experiment in the query, or of the first; None for “Check yourself”."""
        renderers, slug = self.renderers[lesson.slug], query.get("experiment", "")
        if slug == START or (slug == CHECK and lesson.exercises):
            return None
        return next((one for one in renderers if one.experiment.slug == slug), renderers[0])

    def content_key(self, renderer: Renderer | None, query: Mapping[str, str]) -> tuple[Any, ...]:
        """Cache key that is equal for all URLs with the same content."""
        if renderer is None:
            return (query.get("experiment"),)
        state, acts, complaints = link.decode(renderer.experiment, query)
        is_named = query.get("experiment") == renderer.experiment.slug
        is_covered, is_linked = (
            layout.asks_first(renderer, query),
            bool(set(query) - link.RESERVED_PARAMETERS),
        )
        encoded = link.encode(renderer.experiment, state, acts)
        return (renderer, encoded, is_named, is_covered, is_linked, *complaints)

    def preview(self, lesson: Lesson, renderer: Renderer | None, query: Mapping[str, str]) -> Any:
        """The social preview of the page, or a function that makes it if it needs a drawing."""
        if renderer is None:
            if layout.is_start(query):
                return social_preview.lesson_preview(lesson)
            return social_preview.check_preview(lesson, f"{lesson.slug}?experiment={CHECK}")
        if query.get("experiment") != renderer.experiment.slug:
            return social_preview.lesson_preview(lesson)
        state, _, _ = link.decode(renderer.experiment, query)
        return partial(social_preview.experiment_preview, renderer, state)

    async def serve_page(
        self,
        request: Request,
        key: tuple[Any, ...],
        make_content: Callable[[], Markup],
        preview: Any,
        here: Lesson | None,
        query: Mapping[str, str],
        renderer: Renderer | None = None,
    ) -> Response:
        root = site_root(request.url.scheme, request.headers, self.root)
        encoding = accepted_encoding(request.headers)

        def make() -> bytes:
            tags = social_preview.meta_tags(preview() if callable(preview) else preview, root)
            experiment = renderer.experiment if renderer else None
            tags += structured_data(self.frame.lessons, root, here, experiment)
            skip = f"{renderer.id}-predict" if renderer and renderer.experiment.predict else ""
            state = page_state(here, renderer, query)
            html = layout.render_page(self.frame, tags, here, make_content(), query, skip, state)
            return compress(str(html).encode(), encoding, 4)

        if renderer and renderer.experiment.is_private(link.decode(renderer.experiment, query)[0]):
            body, cache_control = await run_in_threadpool(make), "no-store"
        else:
            page_key = ("page", self, root, encoding, *layout.body_classes(query), *key)
            body = ANSWERS.get(page_key) or await run_in_threadpool(ANSWERS, page_key, make)
            cache_control = "no-cache"
        if not self.is_warm:
            self.is_warm = True
            every_renderer = [one for group in self.renderers.values() for one in group]
            threading.Thread(target=draw_defaults, args=(every_renderer,), daemon=False).start()
        headers = {"Cache-Control": cache_control, "Vary": "Accept-Encoding, Sec-CH-UA-Mobile, User-Agent"}
        return respond(body, request.headers, "text/html", encoding, **headers)

    def dialog_page(self, title: str, content: Callable[[], Markup]) -> Any:
        """Serve a small page, which the script shows as a dialog."""

        async def endpoint(request: Request) -> Response:
            with text_language(ENGLISH):
                values = {"up": "", "style": self.frame.style, "title": title, "content": content()}
                html = render("kit/templates/dialog.html", **values)
            return HTMLResponse(html, headers={"Cache-Control": ONE_HOUR})

        return endpoint


def page_state(lesson: Lesson | None, renderer: Renderer | None, query: Mapping[str, str]) -> str:
    """What a page shows, as a query."""
    if renderer:
        state, acts, _ = link.decode(renderer.experiment, query)
        return link.encode(renderer.experiment, state, acts)
    return f"experiment={START if layout.is_start(query) else CHECK}" if lesson else ""


def is_phone(request: Request) -> bool:
    """Whether the headers indicate a phone. If they are wrong, the script requests the other drawing."""
    hint = request.headers.get("sec-ch-ua-mobile")
    return hint == "?1" if hint else "Mobi" in request.headers.get("user-agent", "")


def device_name() -> str:
    """The device that models run on, for the about page."""
    device, threads = best_device(), torch.get_num_threads()
    return f"{device} · {threads} thread{'s' * (threads > 1)}" if device == "cpu" else device


def progress_ids(lesson: Lesson) -> list[str]:
    """Ids of all exercises and experiments in a lesson, under which the browser stores progress."""
    experiments = [f"{lesson.slug}-{experiment.slug}" for experiment in lesson.experiments]
    return experiments + [f"{lesson.slug}-{CHECK}-{exercise.slug}" for exercise in lesson.exercises]


# ---- drawn in advance ----


def draw_defaults(renderers: Sequence[Renderer]) -> None:
    """Fill the cache with the default state of every experiment."""
    for renderer in renderers:
        if not threading.main_thread().is_alive():  # after Ctrl-C Python waits for this thread
            return
        with suppress(InputError, RenderError):  # ignored here, because the page itself shows the error
            renderer.drawing({})


def draw_choices(renderers: Sequence[Renderer]) -> None:
    """Cache the states that are one click away (options and switches). Pauses let requests go first."""
    for renderer in renderers:
        for control in renderer.experiment.controls:
            options: Sequence[Any] = control.options if isinstance(control, Choice) else ()
            for value in (True, False) if isinstance(control, Toggle) else options:
                with suppress(InputError, RenderError):
                    renderer.drawing({control.name: value})
                time.sleep(PAUSE_SECONDS)
