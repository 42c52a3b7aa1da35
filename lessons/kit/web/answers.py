"""Every option of a question with what is said to it, at /answers/<id>: for the stage, where nobody need guess to go on."""

from collections.abc import Iterable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lessons.kit.contract import Exercise, Lesson, State
from lessons.kit.exercises import verdicts
from lessons.kit.web.page import CHECK

FRESH = {"Cache-Control": "public, max-age=3600"}
Asked = tuple[Exercise, State]  # a question, and the state that it is about: the default


def book(lessons: Iterable[Lesson]) -> dict[str, Asked]:
    """All questions of the course, by the id that they have on the page."""
    found: dict[str, Asked] = {}
    for lesson in lessons:
        for experiment in lesson.experiments:
            if experiment.predict:
                found[f"{lesson.slug}-{experiment.slug}-predict"] = experiment.predict, experiment.state()
        for item in lesson.exercises:
            found[f"{lesson.slug}-{CHECK}-{item.slug}"] = item, state_of(lesson, item)
    return found


def state_of(lesson: Lesson, item: Exercise) -> State:
    return lesson.experiment(item.experiment).state() if item.experiment else {}


def routes(lessons: Iterable[Lesson]) -> list[Route]:
    known = book(lessons)

    async def answers(request: Request) -> Response:
        asked = known.get(request.path_params["id"])
        if asked is None:
            return JSONResponse({"message": "There is no such question."}, 404)
        found = await run_in_threadpool(verdicts, *asked)
        whys = [{"option": option, "ok": verdict.ok, "message": verdict.message} for option, verdict in found]
        return JSONResponse(whys, headers=FRESH)

    return [Route("/answers/{id}", answers)]
