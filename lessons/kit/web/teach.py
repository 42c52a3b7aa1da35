"""Pages for lecturers: plans with all answers, a remote for a lecture, and printable handouts.

/teach/<lesson> shows answers, so it needs the lecturer's link, which the server prints when it starts.
SEQ2SEE_TEACH sets the key in that link; with SEQ2SEE_TEACH=open the plans are open to everybody.
"""

import base64
import hmac
import json
import os
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import segno
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import Choice, Exercise, InputError, Lesson, State, lesson_numbers
from lessons.kit.exercises import option_verdicts
from lessons.kit.language import cache_by_language
from lessons.kit.pictures.base import FONT_PX, SMALL_FONT_PX, Picture
from lessons.kit.plan import read_plan
from lessons.kit.question_bank import FORMATS, question_file
from lessons.kit.templates import render
from lessons.kit.web.addresses import is_loopback, machine_addresses
from lessons.kit.web.compression import ONE_HOUR
from lessons.kit.web.export import renderers_by_address
from lessons.kit.web.layout import FORMATS as PICTURE_FORMATS
from lessons.kit.web.layout import HIDEABLE, Frame
from lessons.kit.web.renderer import SORRY, Renderer, RenderError
from lessons.kit.web.social_preview import site_root
from models.zoo import CheckpointError

MAX_ITEMS = 12  # maximum number of experiments on one handout
PAPER_HEIGHT_CM = {"A4": 29.7, "letter": 27.9}
MARGIN_CM = 1.6
PAPER_WIDTH_PX = 665  # width of a printed line, on A4 and on letter; a CSS pixel is 1/96 inch
PAPER_PICTURES_PX = 460  # height of all pictures of an item
PICTURE_GAP_PX = 20  # between pictures; a caption takes as much again
PRINTED_FONT_PX = 12  # 9 pt: no label is printed smaller
MAX_PRINT_ZOOM = 1.5

INVITATION = re.compile(
    r": (?:drag|choose)(?: [\w ]+?)?(?= \(|[:;]|$)|, to drag(?=:)|\. You can change .*|: you can change .*"
    r"| \(drag[^)]*\)"
)
DRAG_SENTENCE = re.compile(r" [^.!?]*\bdrag\b[^.!?]*[.!?]", re.IGNORECASE)
FONT_SIZE = re.compile(r'<(?:text|g)\b[^>]*font-size="([\d.]+)"')
OPEN = "open"  # value of SEQ2SEE_TEACH that shows plans to everybody
KEY_COOKIE, KEY_SECONDS = "seq2see-teach", 90 * 86_400
NO_KEY = (
    "This page shows all answers. Open it with the lecturer’s link, /teach?key=…, which the server prints"
    " when it starts."
)


def has_key(request: Request, key: str) -> bool:
    """Whether the request has the key of the lecturer's link, in its address or from an earlier visit."""
    given = request.query_params.get("key") or request.cookies.get(KEY_COOKIE, "")
    return key == OPEN or (bool(key) and hmac.compare_digest(given.encode(), key.encode()))


@cache_by_language
def lesson_notes(lesson: Lesson) -> list[dict[str, Any]]:
    """What the remote shows about each experiment: guess, options with explanations, and the plan."""
    parts = {step.slug: step.parts for step in read_plan(lesson.folder / "plan.md")}
    return [
        {
            "slug": one.slug,
            "title": one.title,
            "question": lesson.text.experiments[one.slug].question,
            "ask": one.predict.question if one.predict else "",
            "options": option_whys(one.predict, one.state()) if one.predict else [],
            "parts": parts.get(one.slug, {}),
        }
        for one in lesson.experiments
    ]


def option_whys(exercise: Exercise, state: State) -> list[dict[str, Any]]:
    """Each option with its verdict and explanation, computed with the installed models."""
    try:
        verdicts = option_verdicts(exercise, state)
    except Exception:
        return [{"option": "", "ok": None, "message": SORRY}]
    return [{"option": option, "ok": one.ok, "message": one.message} for option, one in verdicts]


class PrintedPicture(NamedTuple):
    """A picture on paper, large enough to read."""

    title: str
    source: str  # data URI
    width: float  # in CSS pixels


class HandoutItem(NamedTuple):
    """An experiment on a handout."""

    question: str
    guess: str
    options: tuple[str, ...]
    pictures: list[PrintedPicture]
    sketch: str  # title of a picture to sketch, if no picture can be printed
    link: str
    address: str  # the link as people type it: without the state, which only the QR code has
    qr: str
    answers: list[dict[str, Any]]  # each option with its verdict, for the lecturer's page


def routes(
    frame: Frame,
    renderers: Iterable[Renderer],
    root: str,
    is_lecturer: Callable[[Request, object], Awaitable[bool]],
) -> list[Route]:
    """Build the routes. `is_lecturer`: whether a request has the secret of a room's lecturer."""
    lessons, style, key = frame.lessons, frame.style, os.environ.get("SEQ2SEE_TEACH", "")
    by_address = renderers_by_address(renderers)
    by_slug = {lesson.slug: lesson for lesson in lessons}

    async def teach(request: Request) -> Response:
        may_read = has_key(request, key)
        values: dict[str, Any] = {"lessons": lessons, "may_read": may_read}
        response = HTMLResponse(render("kit/templates/teach.html", up="", style=style, **values))
        if may_read and key != OPEN:
            secure = request.url.scheme == "https"
            options: Any = {"path": root or "/", "max_age": KEY_SECONDS, "samesite": "lax"}
            response.set_cookie(KEY_COOKIE, key, httponly=True, secure=secure, **options)
        return response

    async def remote(request: Request) -> Response:
        config = json.dumps(frame.config, ensure_ascii=False).replace("<", "\\u003c")
        return HTMLResponse(
            render("kit/templates/remote.html", up="../", style=style, frame=frame, config=config)
        )

    async def notes(request: Request) -> Response:
        """The plan of a lesson as JSON, for the remote of a room's lecturer."""
        lesson = by_slug.get(request.path_params["lesson"])
        if lesson is None or not await is_lecturer(request, request.query_params.get("room", "")):
            return JSONResponse({"message": "Notes are for the lecturer of a room."}, 403)
        return JSONResponse(
            await run_in_threadpool(lesson_notes, lesson), headers={"Cache-Control": "no-store"}
        )

    async def plan(request: Request) -> Response:
        lesson = by_slug.get(request.path_params["lesson"])
        if lesson is None:
            return PlainTextResponse("There is no such lesson.", 404)
        if not has_key(request, key):
            return PlainTextResponse(NO_KEY, 403)
        return HTMLResponse(await run_in_threadpool(render_plan, lesson))

    async def question_bank(request: Request) -> Response:
        """Serve all questions of a lesson with their answers, for a learning platform."""
        lesson, ending = by_slug.get(request.path_params["lesson"]), request.path_params["ending"]
        if lesson is None or ending not in FORMATS:
            return PlainTextResponse("There is no such file.", 404)
        if not has_key(request, key):
            return PlainTextResponse(NO_KEY, 403)
        here = site_root(request.url.scheme, request.headers, root)
        try:
            body = await run_in_threadpool(question_file, lesson, lessons, ending, here)
        except CheckpointError as error:
            return PlainTextResponse(str(error), 503)
        name = f"seq2see-{lesson.slug}.{ending}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(body, media_type=FORMATS[ending].media_type, headers=headers)

    @cache_by_language
    def render_plan(lesson: Lesson) -> Markup:
        """Render the plan of a lesson with all answers, which the models compute now."""
        steps = []
        for step in read_plan(lesson.folder / "plan.md"):
            experiment = lesson.experiment(step.slug)
            whys = option_whys(experiment.predict, experiment.state()) if experiment.predict else []
            steps.append((step, experiment, whys, slide_pictures(by_address[lesson.slug, step.slug])))
        answers = [(item, right_answer(item, default_state(lesson, item))) for item in lesson.exercises]
        values: dict[str, Any] = {
            "lesson": lesson,
            "steps": steps,
            "answers": answers,
            "formats": PICTURE_FORMATS,
            "question_files": {ending: one.name for ending, one in FORMATS.items()},
        }
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
            "address": urlsplit(here).netloc,
            "machine": machine_addresses() if is_loopback(urlsplit(here).netloc) else None,
            "answers": [item.answers for item in items] if has_key(request, key) else [],
        }
        return HTMLResponse(render("kit/templates/handout.html", up="", style=style, **values))

    async def addresses(request: Request) -> Response:
        """Return the addresses of this machine; requests from other machines get none."""
        here = request.client and is_loopback(request.client.host) and is_loopback(request.headers["host"])
        return JSONResponse({"addresses": machine_addresses() if here else []})

    outline = [
        {
            "lesson": lesson.slug,
            "title": f"{number}. {lesson.title}",
            "experiments": [
                {"slug": one.slug, "title": one.title, "core": one in lesson.core}
                for one in lesson.experiments
            ],
        }
        for lesson in lessons
        for number in [lesson_numbers(lessons)[lesson.slug]]
    ]

    async def course_outline(request: Request) -> Response:
        """All experiments, for the menu of a presentation."""
        return JSONResponse(outline, headers={"Cache-Control": ONE_HOUR})

    return [
        Route("/outline", course_outline),
        Route("/addresses", addresses),
        Route("/teach", teach),
        Route("/teach/remote", remote),
        Route("/teach/notes/{lesson}", notes),
        Route("/teach/{lesson}/questions.{ending}", question_bank),
        Route("/teach/{lesson}", plan),
        Route("/handout", handout),
    ]


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
    names = [view.__name__ for view in experiment.views]
    with renderer.in_its_language():
        shown = print_pictures([pictures[name] for name in names if name in pictures and name not in covered])
    target = f"{root}/{lesson.slug}?{encoded}&guess=1"
    target += f"&{urlencode({'hide': '.'.join(hide)})}" if hide else ""
    qr: Any = segno.make(target, error="m", micro=False)
    return HandoutItem(
        question=lesson.text.experiments[experiment.slug].question,
        guess=guess.question if guess else "",
        options=guess.answer.options if guess and isinstance(guess.answer, Choice) else (),
        pictures=shown,
        sketch="" if shown or not covered else paper_title(next(iter(pictures.values())).title),
        link=quote(target, safe=":/?&=.,;%+-[]"),
        address=f"{root.partition('://')[2]}/{lesson.slug}?experiment={experiment.slug}",
        qr=qr.svg_data_uri(scale=4, light="#fff"),
        answers=[
            why | {"message": DRAG_SENTENCE.sub("", why["message"])} for why in option_whys(guess, state)
        ]
        if guess
        else [],
    )


def print_pictures(pictures: Iterable[Picture]) -> list[PrintedPicture]:
    """Lay out pictures for paper: as many as fit one page with labels of 9 pt or more."""
    chosen: list[tuple[Picture, float, float]] = []  # with width and zoom
    height = row_height = row_width = 0.0
    for picture in pictures:
        printed = picture.narrowed(PAPER_WIDTH_PX * SMALL_FONT_PX / PRINTED_FONT_PX)
        canvas = printed.draw()
        zoom = PRINTED_FONT_PX / min([FONT_PX, *map(float, FONT_SIZE.findall(canvas.markup("")))])
        wide, tall = zoom * canvas.width, zoom * canvas.height + 2 * PICTURE_GAP_PX
        is_beside = row_width + PICTURE_GAP_PX + wide <= PAPER_WIDTH_PX
        grown = height + (max(0.0, tall - row_height) if is_beside else tall)
        if wide > PAPER_WIDTH_PX or grown > PAPER_PICTURES_PX:
            continue
        row_width = row_width + PICTURE_GAP_PX + wide if is_beside else wide
        row_height = max(row_height, tall) if is_beside else tall
        height = grown
        chosen.append((printed, canvas.width, zoom))
    more = 1.0
    if len(chosen) == 1:
        ((_, width, zoom),) = chosen
        more = min(MAX_PRINT_ZOOM, PAPER_WIDTH_PX / (zoom * width), PAPER_PICTURES_PX / height)
    return [
        PrintedPicture(
            paper_title(picture.title), data_uri(picture.svg(standalone=True)), more * zoom * width
        )
        for picture, width, zoom in chosen
    ]


def data_uri(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def paper_title(title: str) -> str:
    """The title of a picture without its hint to drag or to choose, for printing."""
    return INVITATION.sub("", re.sub("^Drag the ", "The ", re.sub("^Drag: how", "How", title)))


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
