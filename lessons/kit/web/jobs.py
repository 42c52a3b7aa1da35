"""HTTP routes to start a job, get its progress and stop it. Any web worker can answer, from the store.

`python -m lessons.kit.web.jobs lessons lessons.start --store PLACE` runs the jobs; app.py starts it.
"""

import argparse
import importlib
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import InputError, Job, Lesson
from lessons.kit.jobs import artifacts
from lessons.kit.jobs.queue import STORE_ERRORS, JobQueue, QueueFull
from lessons.kit.jobs.supervisor import Supervisor
from lessons.kit.jobs.worker import JobFunction, Parts, run_job_from_stdin, serve
from lessons.kit.site_pages import SitePages
from lessons.kit.web.json_body import RequestBody, read_json
from lessons.kit.web.renderer import Renderer

UNKNOWN_JOB = "This is no longer known here. Please start it again."
JOBS_UNAVAILABLE = "Long work is not available here: there is no place to keep it."


class JobRequest(RequestBody):
    """Request schema: control values, open closer looks, the visitor, and the room if there is one."""

    values: dict[str, Any]
    acts: Any = ()
    visitor: Annotated[str, Field(max_length=64)] = ""
    room: str | None = None


class ForgetRequest(RequestBody):
    """Request schema: names of artifacts to delete."""

    names: list[str]


def job_runners(renderers: Iterable[Renderer]) -> dict[str, JobFunction]:
    """Functions that run the jobs of all experiments, by job name."""
    return {name: make_runner(renderer, job) for name, (renderer, job) in jobs_by_name(renderers).items()}


def jobs_by_name(renderers: Iterable[Renderer]) -> dict[str, tuple[Renderer, Job]]:
    """Jobs with their renderers, by name: the renderer's id, plus `-onward` if the job continues a run."""
    found = {one.id: (one, one.experiment.job) for one in renderers if one.experiment.job}
    onward = {f"{name}-onward": (one, job.onward) for name, (one, job) in found.items() if job.onward}
    return found | onward


def make_runner(renderer: Renderer, job: Job) -> JobFunction:
    def parts(state: dict[str, Any], acts: tuple[str, ...]) -> Parts:
        checked = renderer.experiment.state(state)
        for share, result in job.run(**checked):
            yield share, renderer.draw(checked, acts, result)

    return parts


def routes(
    supervisor: Supervisor | None,
    renderers: Iterable[Renderer],
    is_lecturer: Callable[[Request, object], Awaitable[bool]],
) -> list[Route]:
    """Build the job routes. `supervisor`: None without a store; `is_lecturer`: lecturers' jobs go first."""
    queue = supervisor.queue if supervisor else None
    known = jobs_by_name(renderers)

    async def start(request: Request) -> Response:
        name = request.path_params["job"]
        if name not in known:
            return message_response("There is no such work.", 404)
        experiment = known[name][0].experiment
        body = await read_json(request, JobRequest, changes=True)
        if supervisor is None or queue is None:
            return message_response(JOBS_UNAVAILABLE, 503)
        try:
            state, acts = link.parse(experiment, body.values), experiment.select_acts(body.acts)
            await run_in_threadpool(supervisor.start)
            goes_first = await is_lecturer(request, body.room)
            client = request.client.host if request.client else ""
            id = await run_in_threadpool(queue.submit, body.visitor, name, state, acts, goes_first, client)
            return JSONResponse({"id": id}, 202)
        except InputError as error:
            return message_response(str(error), 400)
        except QueueFull as error:
            return message_response(str(error), 503)
        except STORE_ERRORS:
            return message_response(JOBS_UNAVAILABLE, 503)

    async def progress(request: Request) -> Response:
        seen = request.query_params.get("seen", "0")
        number = int(seen) if seen.isdecimal() and len(seen) < 9 else 0
        try:
            id = request.path_params["id"]
            found = await run_in_threadpool(queue.progress, id, number) if queue else None
        except STORE_ERRORS:
            return message_response(JOBS_UNAVAILABLE, 503)
        if not found:
            return message_response(UNKNOWN_JOB, 404)
        return JSONResponse(found, headers={"Cache-Control": "no-store"})

    async def stop(request: Request) -> Response:
        await read_json(request, RequestBody, changes=True)
        if queue:
            # without a store the worker still stops, for lack of progress requests
            with suppress(*STORE_ERRORS):
                await run_in_threadpool(queue.stop, request.path_params["id"])
        return Response(status_code=204)

    async def forget(request: Request) -> Response:
        body = await read_json(request, ForgetRequest, changes=True)
        await run_in_threadpool(artifacts.delete, body.names)
        return Response(status_code=204)

    return [
        Route("/work/forget", forget, methods=["POST"]),
        Route("/work/{job}", start, methods=["POST"]),
        Route("/work/{id}/progress", progress),
        Route("/work/{id}/stop", stop, methods=["POST"]),
    ]


def message_response(message: str, status: int) -> Response:
    return JSONResponse({"message": message}, status, {"Retry-After": "20"} if status == 503 else None)


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the jobs of the course.")
    parser.add_argument("module", help="module with the lessons: LESSONS, or LESSON")
    parser.add_argument("front", help="module with the site's pages, whose terms the texts link to")
    parser.add_argument("--store", help="the store that web and jobs share (default: SEQ2SEE_STORE)")
    parser.add_argument("--workers", type=int, default=1, help="number of jobs at once")
    parser.add_argument("--parent", type=int, help="process whose end also ends this one")
    parser.add_argument("--order", action="store_true", help="run one job: JSON on stdin, parts on stdout")
    args = parser.parse_args()
    module = importlib.import_module(args.module)
    lessons: tuple[Lesson, ...] = module.LESSONS if hasattr(module, "LESSONS") else (module.LESSON,)
    site_pages: SitePages = importlib.import_module(args.front)
    renderers = [
        Renderer(lesson, experiment, site_pages.terms(lessons, lesson))
        for lesson in lessons
        for experiment in lesson.experiments
    ]
    queue, runners = JobQueue(args.store, args.workers), job_runners(renderers)
    artifacts.attach(queue)
    if args.order:
        return run_job_from_stdin(runners)
    serve(
        queue, runners, [sys.executable, "-m", "lessons.kit.web.jobs", *sys.argv[1:], "--order"], args.parent
    )


if __name__ == "__main__":
    main()
