"""Long work over plain HTTP: start it, ask how far it is, stop it. Any web worker answers; the line is in the store.

`python -m lessons.kit.web.jobs lessons lessons.start --store PLACE` serves the line: what `app.py` starts by itself, or on
another machine.
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
from lessons.kit.jobs.worker import Parts, Work, do_order, serve
from lessons.kit.site_pages import SitePages
from lessons.kit.web.json_body import Body, read_json
from lessons.kit.web.renderer import Renderer

UNKNOWN = "This is no longer known here. Please start it again."
NOWHERE = "Long work is not available here: there is no place to keep it."


class Ordered(Body):
    """The body that starts a job: control values, open closer looks, the visitor, and the room if there is one."""

    values: dict[str, Any]
    acts: Any = ()
    visitor: Annotated[str, Field(max_length=64)] = ""
    room: str | None = None


class Forgotten(Body):
    """What shall not be kept any longer, by name."""

    names: list[str]


def works(stages: Iterable[Renderer]) -> dict[str, Work]:
    """What can be ordered: the jobs of all experiments."""
    return {name: work_of(stage, job) for name, (stage, job) in jobs(stages).items()}


def jobs(stages: Iterable[Renderer]) -> dict[str, tuple[Renderer, Job]]:
    """By name: that of the stage; with `-onward` what goes on with something made."""
    found = {stage.id: (stage, stage.experiment.job) for stage in stages if stage.experiment.job}
    return found | {
        f"{name}-onward": (stage, job.onward) for name, (stage, job) in found.items() if job.onward
    }


def work_of(stage: Renderer, job: Job) -> Work:
    def parts(state: dict[str, Any], acts: tuple[str, ...]) -> Parts:
        checked = stage.experiment.state(state)
        for share, result in job.run(**checked):
            yield share, stage.draw(checked, acts, result)

    return parts


def routes(
    firm: Supervisor | None, stages: Iterable[Renderer], leads: Callable[[Request, object], Awaitable[bool]]
) -> list[Route]:
    """`firm`: None where there is no place for one; `leads`: is this asked by the lecturer of that room, whose work goes first?"""
    line = firm.line if firm else None
    known = jobs(stages)

    async def start(request: Request) -> Response:
        name = request.path_params["stage"]
        if name not in known:
            return told("There is no such work.", 404)
        stage, _ = known[name]
        given = await read_json(request, Ordered, changes=True)
        if firm is None or line is None:
            return told(NOWHERE, 503)
        try:
            state = link.parse(stage.experiment, given.values)
            acts = stage.experiment.opened(given.acts)
            await run_in_threadpool(firm.start)
            first = await leads(request, given.room)
            address = request.client.host if request.client else ""
            return JSONResponse(
                {"id": await run_in_threadpool(line.order, given.visitor, name, state, acts, first, address)},
                202,
            )
        except InputError as error:
            return told(str(error), 400)
        except QueueFull as error:
            return told(str(error), 503)
        except STORE_ERRORS:
            return told(NOWHERE, 503)

    async def progress(request: Request) -> Response:
        seen = request.query_params.get("seen", "0")
        number = int(seen) if seen.isdecimal() and len(seen) < 9 else 0
        try:
            found = (
                await run_in_threadpool(line.progress, request.path_params["id"], number) if line else None
            )
        except STORE_ERRORS:
            return told(NOWHERE, 503)
        return JSONResponse(found, headers={"Cache-Control": "no-store"}) if found else told(UNKNOWN, 404)

    async def stop(request: Request) -> Response:
        await read_json(request, Body, changes=True)
        if line:
            with suppress(*STORE_ERRORS):  # then nobody hears of it; who works on it will miss the questions
                await run_in_threadpool(line.stop, request.path_params["id"])
        return Response(status_code=204)

    async def forget(request: Request) -> Response:
        given = await read_json(request, Forgotten, changes=True)
        await run_in_threadpool(artifacts.delete, given.names)
        return Response(status_code=204)

    return [
        Route("/work/forget", forget, methods=["POST"]),
        Route("/work/{stage}", start, methods=["POST"]),
        Route("/work/{id}/progress", progress),
        Route("/work/{id}/stop", stop, methods=["POST"]),
    ]


def told(message: str, status: int) -> Response:
    return JSONResponse({"message": message}, status, {"Retry-After": "20"} if status == 503 else None)


def main() -> None:
    parser = argparse.ArgumentParser(description="Do long work for the course.")
    parser.add_argument("module", help="where the lessons are: LESSONS, or LESSON")
    parser.add_argument("front", help="what stands around them: it has the terms that texts lead to")
    parser.add_argument("--store", help="the place that web and work share (default: SEQ2SEE_STORE)")
    parser.add_argument("--workers", type=int, default=1, help="pieces of work at once")
    parser.add_argument("--parent", type=int, help="the process that it ends with")
    parser.add_argument(
        "--order", action="store_true", help="do one order: JSON on standard input, parts on standard output"
    )
    args = parser.parse_args()
    found = importlib.import_module(args.module)
    lessons: tuple[Lesson, ...] = found.LESSONS if hasattr(found, "LESSONS") else (found.LESSON,)
    front: SitePages = importlib.import_module(args.front)
    stages = [
        Renderer(lesson, e, front.terms(lessons, lesson)) for lesson in lessons for e in lesson.experiments
    ]
    line = JobQueue(args.store, args.workers)
    artifacts.attach(line)
    if args.order:
        return do_order(works(stages))
    serve(
        line,
        works(stages),
        [sys.executable, "-m", "lessons.kit.web.jobs", *sys.argv[1:], "--order"],
        args.parent,
    )


if __name__ == "__main__":
    main()
