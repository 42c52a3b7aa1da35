"""HTTP routes that check guesses and exercises.

POST /check/<id>    the verdict on an answer: {"answer": …, "values": {…}} → {"ok": …, "message": …}
GET  /answers/<id>  every option with its verdict, for presentations
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
from lessons.kit.exercises import option_verdicts
from lessons.kit.language import text_language, translate
from lessons.kit.web.compression import ONE_HOUR
from lessons.kit.web.json_body import RequestBody, read_json
from lessons.kit.web.layout import CHECK
from lessons.kit.web.renderer import SORRY
from lessons.kit.web.request_guard import HTTPError
from models.zoo import CheckpointError

log = logging.getLogger("seq2see")


class Answer(RequestBody):
    """Request schema: an answer and the values of the controls."""

    answer: Any = None
    values: dict[str, Any] = Field(default_factory=dict)


class Question(NamedTuple):
    """A guess or an exercise, and the experiment whose state its answer depends on."""

    exercise: Exercise
    experiment: Experiment | None
    lesson: Lesson

    @property
    def default_state(self) -> State:
        return self.experiment.state() if self.experiment else {}


def collect_questions(lessons: Iterable[Lesson]) -> dict[str, Question]:
    """All guesses and exercises, by their ids on the page."""
    questions: dict[str, Question] = {}
    for lesson in lessons:
        for experiment in lesson.experiments:
            if experiment.predict:
                id = f"{lesson.slug}-{experiment.slug}-predict"
                questions[id] = Question(experiment.predict, experiment, lesson)
        for exercise in lesson.exercises:
            about = lesson.experiment(exercise.experiment) if exercise.experiment else None
            questions[f"{lesson.slug}-{CHECK}-{exercise.slug}"] = Question(exercise, about, lesson)
    return questions


def routes(lessons: Iterable[Lesson]) -> list[Route]:
    questions = collect_questions(lessons)

    async def check(request: Request) -> Response:
        question = questions.get(request.path_params["id"])
        if question is None:
            raise HTTPError(404, translate("There is no such question."))
        body = await read_json(request, Answer)
        verdict = await run_in_threadpool(check_answer, question, body.answer, body.values)
        content = {"ok": verdict.ok, "message": verdict.message}
        return JSONResponse(content, headers={"Cache-Control": "no-store"})

    async def answers(request: Request) -> Response:
        question = questions.get(request.path_params["id"])
        if question is None:
            return JSONResponse({"message": "There is no such question."}, 404)
        try:
            found = await run_in_threadpool(answers_of, question)
        except Exception as error:
            log.exception(question.exercise.slug)
            message = str(error) if isinstance(error, CheckpointError) else SORRY
            return JSONResponse({"message": message}, 503, {"Retry-After": "60"})
        content = [
            {"option": option, "ok": verdict.ok, "message": verdict.message} for option, verdict in found
        ]
        return JSONResponse(content, headers={"Cache-Control": ONE_HOUR})

    return [Route("/check/{id}", check, methods=["POST"]), Route("/answers/{id}", answers)]


def answers_of(question: Question) -> list[tuple[str, Verdict]]:
    """The answers of a question: all options with verdicts, the right number, or the hint of a challenge."""
    exercise, state = question.exercise, question.default_state
    with text_language(question.lesson.text.language):
        if exercise.answer is None:
            return [("", Verdict(True, translate("A challenge: {hint}", hint=translate(exercise.hint))))]
        if found := option_verdicts(exercise, state):
            return found
        if exercise.solution is None:
            return [("", Verdict(True, translate(exercise.hint)))]
        solution = exercise.solution()
        return [(solution, exercise.check(exercise.answer.check(solution), state))]


def check_answer(question: Question, answer: Any, values: Mapping[str, Any]) -> Verdict:
    """Check an answer, with the experiment's controls set to these values."""
    exercise, experiment, lesson = question
    with text_language(lesson.text.language):
        try:
            state = link.parse(experiment, values) if experiment else {}
            return exercise.check(exercise.answer.check(answer) if exercise.answer else None, state)
        except InputError as error:
            return Verdict(False, str(error))
        except Exception:
            log.exception(exercise.slug)
            return Verdict(False, translate(SORRY))
