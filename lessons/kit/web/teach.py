"""Pages for lecturers: /teach shows plans with all answers, /handout is a printable page of experiments."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

import segno
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import Choice, Exercise, InputError, Lesson, State
from lessons.kit.exercises import option_verdicts
from lessons.kit.plan import read_plan
from lessons.kit.templates import render
from lessons.kit.web.export import renderers_by_address
from lessons.kit.web.layout import FORMATS, HIDEABLE
from lessons.kit.web.renderer import SORRY, Renderer, RenderError
from lessons.kit.web.social_preview import site_root

MAX_ITEMS = 12  # experiments on one handout
PAPER_HEIGHT_CM = {"A4": 29.7, "letter": 27.9}
MARGIN_CM = 1.6
WIDE_PX = 420  # a picture wider than this takes the whole width of the page


class HandoutItem(NamedTuple):
    """An experiment on a handout."""

    question: str
    guess: str
    options: tuple[str, ...]
    pictures: list[tuple[str, str, bool]]  # URL, title, whether it is wide
    sketch: str  # title of a picture to sketch, if all pictures would reveal the answer
    link: str
    qr: str


def routes(lessons: Sequence[Lesson], renderers: Iterable[Renderer], root: str, style: str) -> list[Route]:
    by_address = renderers_by_address(renderers)
    by_slug = {lesson.slug: lesson for lesson in lessons}

    async def teach(request: Request) -> Response:
        return HTMLResponse(render("kit/templates/teach.html", up="", style=style, lessons=lessons))

    async def plan(request: Request) -> Response:
        lesson = by_slug.get(request.path_params["lesson"])
        if lesson is None:
            return PlainTextResponse("There is no such lesson.", 404)
        return HTMLResponse(await run_in_threadpool(render_plan, lesson))

    @cache
    def render_plan(lesson: Lesson) -> Markup:
        """Render the plan of a lesson with all answers, which the models compute now."""
        steps = []
        for step in read_plan(lesson.folder / "plan.md"):
            experiment = lesson.experiment(step.slug)
            answer = right_answer(experiment.predict, experiment.state()) if experiment.predict else ""
            steps.append((step, experiment, answer, slide_pictures(by_address[lesson.slug, step.slug])))
        answers = [(item, right_answer(item, default_state(lesson, item))) for item in lesson.exercises]
        values: dict[str, Any] = {"lesson": lesson, "steps": steps, "answers": answers, "formats": FORMATS}
        return render("kit/templates/plan.html", up="../", style=style, **values)

    async def handout(request: Request) -> Response:
        query = request.query_params
        chosen = [text.strip() for text in query.getlist("item") if text.strip()]
        hide = [part for part in HIDEABLE if part in query.getlist("hide")]
        here = site_root(request.url.scheme, request.headers, root)
        listed = {f"{lesson}?experiment={experiment}" for lesson, experiment in by_address}
        items, message = [], ""
        for text in chosen[:MAX_ITEMS]:
            try:
                items.append(await run_in_threadpool(handout_item, by_address, text, hide, here))
            except (InputError, RenderError) as error:
                message = str(error)
        if len(chosen) > MAX_ITEMS:
            message = f"At most {MAX_ITEMS} experiments fit one handout."
        paper = query.get("paper", "") if query.get("paper") in PAPER_HEIGHT_CM else "A4"
        values: dict[str, Any] = {
            "items": items,
            "message": message,
            "own": [text for text in chosen[:MAX_ITEMS] if text not in listed],
            "chosen": chosen,
            "hide": hide,
            "title": query.get("title", "")[:80] or "Guess first, then try",
            "parts": HIDEABLE,
            "lessons": lessons,
            "paper": paper,
            "page_cm": PAPER_HEIGHT_CM[paper] - 2 * MARGIN_CM,
            "margin_cm": MARGIN_CM,
        }
        return HTMLResponse(render("kit/templates/handout.html", up="", style=style, **values))

    return [Route("/teach", teach), Route("/teach/{lesson}", plan), Route("/handout", handout)]


def handout_item(
    by_address: dict[tuple[str, str], Renderer], text: str, hide: Sequence[str], root: str
) -> HandoutItem:
    """Make the item for a link: a full URL, or one that begins with the lesson's slug."""
    address, _, query = text.partition("?")
    values = dict(parse_qsl(query, keep_blank_values=True))
    renderer = by_address.get((address.rstrip("/").rpartition("/")[2], values.get("experiment", "")))
    if renderer is None:
        raise InputError(f"“{text[:60]}” is no link to an experiment.")
    lesson, experiment = renderer.lesson, renderer.experiment
    state, acts, _ = link.decode(experiment, values)
    encoded = link.encode(experiment, state, acts)
    guess = experiment.predict
    covered = set(guess.covers) if guess else set()
    pictures = renderer.pictures(state)
    base, state_query = f"export/{lesson.slug}/{experiment.slug}", encoded.partition("&")[2]
    shown = [
        (f"{base}/{name}.svg?{state_query}", pictures[name].title, pictures[name].page_html()[0] > WIDE_PX)
        for name in (view.__name__ for view in experiment.views)
        if name in pictures and name not in covered
    ]
    target = f"{root}/{lesson.slug}?{encoded}&guess=1"
    target += f"&{urlencode({'hide': '.'.join(hide)})}" if hide else ""
    qr: Any = segno.make(target, error="m", micro=False)
    return HandoutItem(
        question=lesson.text.experiments[experiment.slug].question,
        guess=guess.question if guess else "",
        options=guess.answer.options if guess and isinstance(guess.answer, Choice) else (),
        pictures=shown,
        sketch="" if shown else next(iter(pictures.values())).title,
        link=quote(target, safe=":/?&=.,;%+-[]"),
        qr=qr.svg_data_uri(scale=4, light="#fff"),
    )


def slide_pictures(renderer: Renderer) -> list[tuple[str, str]]:
    """URL (without the format) and title of each picture."""
    try:
        pictures = renderer.pictures()
    except RenderError:
        return []
    base = f"export/{renderer.lesson.slug}/{renderer.experiment.slug}"
    return [(f"{base}/{name}", picture.title) for name, picture in pictures.items()]


def default_state(lesson: Lesson, exercise: Exercise) -> State:
    return lesson.experiment(exercise.experiment).state() if exercise.experiment else {}


def right_answer(exercise: Exercise, state: State) -> str:
    """Compute the right answer with the installed models."""
    try:
        if exercise.solution:
            return exercise.solution()
        right = [option for option, verdict in option_verdicts(exercise, state) if verdict.ok]
        if right:
            return " or ".join(right)
        return (
            "None of these, by the models that are here."
            if exercise.answer
            else f"A challenge: {exercise.hint}"
        )
    except Exception:
        return SORRY
