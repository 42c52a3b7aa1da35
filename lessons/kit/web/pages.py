"""The routes of pages. All visitors who come to the same address get the same bytes, computed once."""

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any

import torch
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import Choice, InputError, Lesson, Toggle
from lessons.kit.site_pages import SitePages
from lessons.kit.templates import render
from lessons.kit.web import layout, social_preview
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.compression import compress, encoding, respond
from lessons.kit.web.layout import CHECK, Frame
from lessons.kit.web.renderer import Renderer, RenderError
from lessons.kit.web.social_preview import Preview, root_of
from models.device import best_device

REST_SECONDS = 0.02  # after each state that is drawn before anybody asks for it


class Pages:
    """The pages of a course: the map, the lessons, and the panels that every page opens."""

    def __init__(
        self, frame: Frame, renderers: Mapping[str, Sequence[Renderer]], texts: SitePages, root: str = ""
    ):
        """`renderers`: by lesson; `texts`: the map, the notation, the glossary; `root`: the path under which the site lives."""
        self.frame, self.renderers, self.texts, self.root = frame, renderers, texts, root
        self.is_warm = False

    def routes(self) -> list[Route]:
        lessons = [
            Route(f"/{lesson.slug}", partial(self.lesson_page, lesson), methods=["GET", "HEAD"])
            for lesson in self.frame.lessons
        ]
        panels = {
            "notation": ("Notation: one symbol, one meaning", self.texts.rosetta),
            "glossary": ("Glossary", lambda: self.texts.glossary(self.frame.lessons)),
            "about": ("About", lambda: render("kit/templates/about.html", device=device_name())),
        }
        return [
            Route("/", self.map_page, methods=["GET", "HEAD"]),
            *lessons,
            *(
                Route(f"/{name}", self.panel(*panel), methods=["GET", "HEAD"])
                for name, panel in panels.items()
            ),
        ]

    async def map_page(self, request: Request) -> Response:
        return await self.answer(
            request, ("map",), self.map_content, social_preview.of_map(), None, dict(request.query_params)
        )

    @cache  # noqa: B019 - there is one of each course
    def map_content(self) -> Markup:
        todo = {lesson.slug: len(things_to_do(lesson)) for lesson in self.frame.lessons}
        return Markup('<div id="start-map">{}</div>').format(self.texts.map_page(self.frame.lessons, todo))

    async def lesson_page(self, lesson: Lesson, request: Request) -> Response:
        query = dict(request.query_params)
        renderer, is_narrow = self.asked(lesson, query), is_phone(request)
        make = partial(layout.lesson_content, self.frame.lessons, lesson, renderer, query, is_narrow)
        key = (lesson.slug, is_narrow, *self.shows(renderer, query))
        return await self.answer(
            request, key, make, self.preview(lesson, renderer, query), lesson, query, renderer
        )

    def asked(self, lesson: Lesson, query: Mapping[str, str]) -> Renderer | None:
        """The experiment that the address names, or the first; None for “Check yourself”."""
        renderers, slug = self.renderers[lesson.slug], query.get("experiment", "")
        if slug == CHECK and lesson.exercises:
            return None
        return next((one for one in renderers if one.experiment.slug == slug), renderers[0])

    def shows(self, renderer: Renderer | None, query: Mapping[str, str]) -> tuple[Any, ...]:
        """One key for all addresses that show the same."""
        if renderer is None:
            return ("",)
        state, acts, complaints = link.decode(renderer.experiment, query)
        named = query.get("experiment") == renderer.experiment.slug
        covered, is_linked = layout.asks_first(renderer, query), bool(set(query) - link.OWN)
        return (
            renderer,
            link.encode(renderer.experiment, state, acts),
            named,
            covered,
            is_linked,
            *complaints,
        )

    def preview(self, lesson: Lesson, renderer: Renderer | None, query: Mapping[str, str]) -> Any:
        """What a site shows that links here."""
        if renderer and query.get("experiment") == renderer.experiment.slug:
            return partial(social_preview.of_experiment, renderer, link.decode(renderer.experiment, query)[0])
        return (
            social_preview.of_lesson(lesson)
            if renderer
            else social_preview.of_check(lesson, f"{lesson.slug}?experiment={CHECK}")
        )

    async def answer(
        self,
        request: Request,
        key: tuple[Any, ...],
        content: Any,
        preview: Any,
        here: Lesson | None,
        query: Mapping[str, str],
        renderer: Renderer | None = None,
    ) -> Response:
        root, accepted = root_of(request.url.scheme, request.headers, self.root), encoding(request.headers)

        def make() -> bytes:
            seen: Preview = preview() if callable(preview) else preview
            inside, skip = (
                content(),
                f"{renderer.id}-predict" if renderer and renderer.experiment.predict else "",
            )
            html = layout.page(self.frame, social_preview.tags(seen, root), here, inside, query, skip)
            return compress(str(html).encode(), accepted, 4)

        if renderer and renderer.experiment.private(link.decode(renderer.experiment, query)[0]):
            body, freshness = await run_in_threadpool(make), "no-store"
        else:
            whole = ("page", self, root, accepted, *layout.flags(query), *key)
            body, freshness = ANSWERS.get(whole) or await run_in_threadpool(ANSWERS, whole, make), "no-cache"
        if not self.is_warm:
            self.is_warm = True
            everyone = [one for group in self.renderers.values() for one in group]
            threading.Thread(target=draw_defaults, args=(everyone,), daemon=False).start()
        varies = "Accept-Encoding, Sec-CH-UA-Mobile, User-Agent"
        return respond(body, request.headers, "text/html", accepted, cache_control=freshness, vary=varies)

    def panel(self, title: str, content: Any) -> Any:
        """A small page that others open as a panel."""

        async def answer(request: Request) -> Response:
            html = render(
                "kit/templates/panel.html", up="", style=self.frame.style, title=title, content=content()
            )
            return HTMLResponse(html, headers={"Cache-Control": "public, max-age=3600"})

        return answer


def is_phone(request: Request) -> bool:
    """Is the window narrow? By what browsers say of themselves; where that is wrong, the script asks for the other drawing."""
    hint = request.headers.get("sec-ch-ua-mobile")
    return hint == "?1" if hint else "Mobi" in request.headers.get("user-agent", "")


def device_name() -> str:
    """The device that models run on, as the about panel shows it."""
    device = best_device()
    return (
        f"{device} · {torch.get_num_threads()} thread{'s' * (torch.get_num_threads() > 1)}"
        if device == "cpu"
        else device
    )


def things_to_do(lesson: Lesson) -> list[str]:
    """What a learner can do in a lesson: the names under which progress is kept."""
    tried = [f"{lesson.slug}-{experiment.slug}" for experiment in lesson.experiments]
    return tried + [f"{lesson.slug}-{CHECK}-{exercise.slug}" for exercise in lesson.exercises]


# ---- drawn before anybody asks ----


def draw_defaults(renderers: Sequence[Renderer]) -> None:
    """The first drawing of every experiment."""
    for renderer in renderers:
        if (
            not threading.main_thread().is_alive()
        ):  # Ctrl-C: Python waits for this thread, it must not die inside torch
            return
        with suppress(InputError, RenderError):  # the page says it
            renderer.drawing({})


def draw_choices(renderers: Sequence[Renderer]) -> None:
    """What one click leads to: each choice and each switch by itself. It rests after each, since learners may be here already."""
    for renderer in renderers:
        for control in renderer.experiment.controls:
            for value in (
                control.options
                if isinstance(control, Choice)
                else (True, False)
                if isinstance(control, Toggle)
                else ()
            ):
                with suppress(InputError, RenderError):
                    renderer.drawing({control.name: value})
                time.sleep(REST_SECONDS)
