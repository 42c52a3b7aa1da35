"""For lecturers: /teach has a plan for every lesson and all answers, /handout makes paper of experiments. Pages without Gradio."""

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
from lessons.kit.contract import Choice, Exercise, Experiment, InputError, Lesson, State
from lessons.kit.exercises import verdicts
from lessons.kit.plan import read_plan
from lessons.kit.templates import render
from lessons.kit.web.export import by_address
from lessons.kit.web.layout import FORMATS
from lessons.kit.web.renderer import SORRY, Renderer, RenderError
from lessons.kit.web.social_preview import root_of

MOST = 12  # experiments of one handout
PARTS = ("controls", "answers", "acts")
PAPERS = {"A4": 29.7, "letter": 27.9}  # how tall, in cm
MARGIN = 1.6  # of a page, in cm
WIDE = 420  # pixels: a picture that takes the width of a page


class Item(NamedTuple):
    """An experiment on paper."""

    question: str
    guess: str
    options: tuple[str, ...]
    pictures: list[tuple[str, str, bool]]  # address, title, is it wide
    sketch: str  # or the title of one that would give the guess away: there is room to draw it
    link: str
    qr: str


def routes(lessons: Sequence[Lesson], all_stages: Iterable[Renderer], root: str, style: str) -> list[Route]:
    stages = by_address(all_stages)

    known = {lesson.slug: lesson for lesson in lessons}

    async def teach(request: Request) -> Response:
        return HTMLResponse(render("kit/templates/teach.html", up="", style=style, lessons=lessons))

    async def plan(request: Request) -> Response:
        lesson = known.get(request.path_params["lesson"])
        if lesson is None:
            return PlainTextResponse("There is no such lesson.", 404)
        return HTMLResponse(await run_in_threadpool(planned, lesson))

    @cache
    def planned(lesson: Lesson) -> Markup:
        """All answers are worked out now, once."""
        steps = [
            (
                step,
                lesson.experiment(step.slug),
                told(lesson.experiment(step.slug)),
                slides(stages[lesson.slug, step.slug]),
            )
            for step in read_plan(lesson.folder / "plan.md")
        ]
        answers = [(item, solved(item, default_state(lesson, item))) for item in lesson.exercises]
        values: dict[str, Any] = {"lesson": lesson, "steps": steps, "answers": answers, "formats": FORMATS}
        return render("kit/templates/plan.html", up="../", style=style, **values)

    async def handout(request: Request) -> Response:
        asked = request.query_params
        chosen = [text.strip() for text in asked.getlist("item") if text.strip()]
        hide = [part for part in PARTS if part in asked.getlist("hide")]
        here = root_of(request.url.scheme, request.headers, root)
        items, said, own = [], "", []
        for text in chosen[:MOST]:
            try:
                items.append(await run_in_threadpool(item_of, stages, text, hide, here))
            except (InputError, RenderError) as error:
                said = str(error)
            if text.count("&") or text not in {
                f"{lesson}?experiment={experiment}" for lesson, experiment in stages
            }:
                own.append(text)
        if len(chosen) > MOST:
            said = f"At most {MOST} experiments fit one handout."
        values: dict[str, Any] = {"items": items, "said": said, "own": own, "chosen": chosen, "hide": hide}
        values |= {
            "title": asked.get("title", "")[:80] or "Guess first, then try",
            "parts": PARTS,
            "lessons": lessons,
        }
        paper = asked.get("paper", "") if asked.get("paper") in PAPERS else "A4"
        values |= {"paper": paper, "tall": PAPERS[paper], "margin": MARGIN}
        return HTMLResponse(render("kit/templates/handout.html", up="", style=style, **values))

    return [Route("/teach", teach), Route("/teach/{lesson}", plan), Route("/handout", handout)]


def item_of(stages: dict[tuple[str, str], Renderer], text: str, hide: Sequence[str], root: str) -> Item:
    """From a link, whole or from the name of the lesson on."""
    address, _, query = text.partition("?")
    given = dict(parse_qsl(query, keep_blank_values=True))
    stage = stages.get((address.rstrip("/").rpartition("/")[2], given.get("experiment", "")))
    if stage is None:
        raise InputError(f"“{text[:60]}” is no link to an experiment.")
    state, acts, _ = link.decode(stage.experiment, given)
    code = link.encode(stage.experiment, state, acts)
    guess = stage.experiment.predict
    hidden = set(guess.covers) if guess else set()
    shown = [view.__name__ for view in stage.experiment.views if view.__name__ not in hidden]
    pictures, own = stage.pictures(state), code.partition("&")[2]
    base = f"export/{stage.lesson.slug}/{stage.experiment.slug}"
    drawn = [
        (f"{base}/{name}.svg?{own}", pictures[name].title, pictures[name].on_page()[0] > WIDE)
        for name in shown
        if name in pictures
    ]
    sketch = "" if drawn else next(iter(pictures.values())).title
    goes = f"{root}/{stage.lesson.slug}?{code}&guess=1" + (
        f"&{urlencode({'hide': '.'.join(hide)})}" if hide else ""
    )
    options = guess.answer.options if guess and isinstance(guess.answer, Choice) else ()
    question = stage.lesson.words.sections[stage.experiment.slug].question
    qr: Any = segno.make(goes, error="m", micro=False)
    return Item(
        question,
        guess.question if guess else "",
        options,
        drawn,
        sketch,
        quote(goes, safe=":/?&=.,;%+-[]"),
        qr.svg_data_uri(scale=4, light="#fff"),
    )


def slides(stage: Renderer) -> list[tuple[str, str]]:
    """The addresses of its pictures, but for the format, with their titles."""
    try:
        drawn = stage.pictures()
    except RenderError:
        return []
    return [
        (f"export/{stage.lesson.slug}/{stage.experiment.slug}/{name}", picture.title)
        for name, picture in drawn.items()
    ]


def default_state(lesson: Lesson, item: Exercise) -> State:
    return lesson.experiment(item.experiment).state() if item.experiment else {}


def told(experiment: Experiment) -> str:
    return solved(experiment.predict, experiment.state()) if experiment.predict else ""


def solved(item: Exercise, state: State) -> str:
    """The right answer, worked out now."""
    try:
        if item.solution:
            return item.solution()
        right = [option for option, verdict in verdicts(item, state) if verdict.ok]
        return " or ".join(right) or (
            "None of these, by the models that are here." if item.answer else f"A challenge: {item.hint}"
        )
    except Exception:
        return SORRY
