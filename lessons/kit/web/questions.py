"""Guesses and exercises over HTTP.

POST /check/<id>     what is said to an answer: {"answer": …, "values": {control: text}} → {"ok": …, "message": …}
GET  /answers/<id>   every option with what is said to it: for presentations, where nobody need guess to go on
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import Exercise, Experiment, InputError, Lesson, State, Verdict
from lessons.kit.exercises import verdicts
from lessons.kit.web.json_body import Body, read_json
from lessons.kit.web.layout import CHECK
from lessons.kit.web.renderer import SORRY
from lessons.kit.web.request_guard import HTTPError
from models.zoo import CheckpointError

log = logging.getLogger("seq2see")
HOUR = {"Cache-Control": "public, max-age=3600"}


class Answer(Body):
    """An answer, and the values of the controls."""

    answer: Any = None
    values: dict[str, Any] = Field(default_factory=dict)


class Question(NamedTuple):
    exercise: Exercise
    experiment: Experiment | None  # whose state counts

    @property
    def default_state(self) -> State:
        return self.experiment.state() if self.experiment else {}


def questions(lessons: Iterable[Lesson]) -> dict[str, Question]:
    """All guesses and exercises, by the id that they have on the page."""
    found: dict[str, Question] = {}
    for lesson in lessons:
        for experiment in lesson.experiments:
            if experiment.predict:
                found[f"{lesson.slug}-{experiment.slug}-predict"] = Question(experiment.predict, experiment)
        for item in lesson.exercises:
            about = lesson.experiment(item.experiment) if item.experiment else None
            found[f"{lesson.slug}-{CHECK}-{item.slug}"] = Question(item, about)
    return found


def routes(lessons: Iterable[Lesson]) -> list[Route]:
    known = questions(lessons)

    async def check(request: Request) -> Response:
        question = known.get(request.path_params["id"])
        if question is None:
            raise HTTPError(404, "There is no such question.")
        given = await read_json(request, Answer)
        verdict = await run_in_threadpool(judge, question, given.answer, given.values)
        return JSONResponse(
            {"ok": verdict.ok, "message": verdict.message}, headers={"Cache-Control": "no-store"}
        )

    async def answers(request: Request) -> Response:
        question = known.get(request.path_params["id"])
        if question is None:
            return JSONResponse({"message": "There is no such question."}, 404)
        try:
            found = await run_in_threadpool(verdicts, question.exercise, question.default_state)
        except Exception as error:
            log.exception(question.exercise.slug)
            message = str(error) if isinstance(error, CheckpointError) else SORRY
            return JSONResponse({"message": message}, 503, {"Retry-After": "60"})
        whys = [{"option": option, "ok": verdict.ok, "message": verdict.message} for option, verdict in found]
        return JSONResponse(whys, headers=HOUR)

    return [Route("/check/{id}", check, methods=["POST"]), Route("/answers/{id}", answers)]


def judge(question: Question, answer: Any, values: Mapping[str, Any]) -> Verdict:
    """What is said to an answer, with the experiment set to these values."""
    exercise, experiment = question
    try:
        state = link.parse(experiment, values) if experiment else {}
        return exercise.check(exercise.answer.check(answer) if exercise.answer else None, state)
    except InputError as error:
        return Verdict(False, str(error))
    except Exception:
        log.exception(exercise.slug)
        return Verdict(False, SORRY)
