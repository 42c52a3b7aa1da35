"""HTTP routes of the classroom: any worker can answer for any room, and waiting long polls are cheap."""

import asyncio
import csv
import io
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from lessons.kit.classroom import store
from lessons.kit.classroom.service import (
    ClassroomError,
    Forbidden,
    InvalidRequest,
    LimitReached,
    NotAMember,
    RoomNotFound,
    RoomService,
)
from lessons.kit.contract import Choice, InputError, Lesson, Number
from lessons.kit.jobs.queue import STORE_ERRORS
from lessons.kit.templates import render
from lessons.kit.web.code_limiter import CodeLimiter, TooManyWaiting, network_of
from lessons.kit.web.compression import ONE_HOUR
from lessons.kit.web.export import escape_formula
from lessons.kit.web.json_body import RequestBody, read_json
from lessons.kit.web.questions import Question, collect_questions
from lessons.kit.web.renderer import SORRY
from lessons.kit.web.social_preview import site_root

STATUS_OF: dict[type[ClassroomError], int] = {
    RoomNotFound: 404,
    Forbidden: 403,
    NotAMember: 401,
    LimitReached: 429,
    InvalidRequest: 400,
}
LONG_POLL_SECONDS = 15.0  # a long poll is answered after this time even if nothing has changed
REFRESH_SECONDS = 0.2  # between reads of a room's version, shared by all waiting requests
PRESENCE_SECONDS = 10.0  # between writes of a member's unchanged presence
PRESENT_COUNT_SECONDS = 2.0  # between counts of the members who are present
MAX_LONG_POLLS = 2000  # per worker
MAX_LONG_POLLS_PER_MEMBER = 3
MAX_CACHED = 1000  # number of cache entries above which expired ones are dropped
ROOMS_UNAVAILABLE = "Rooms are not available here: there is no place to keep them."
PRIVATE_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}


class EmptyBody(RequestBody):
    """Schema of a request without a body: all arguments are in the URL."""


class Answer(RequestBody):
    """A member's answer to question `n`."""

    n: int
    answer: str


class LecturerAction(RequestBody):
    """An action of the lecturer: `way` names it, the other fields are its arguments."""

    way: str
    lesson: str = ""
    query: str = ""
    covered: bool = False
    by: str = ""
    yours: bool = False
    goal: str = ""
    id: str | None = None
    text: str = ""
    options: list[str] | None = None


class ClassroomState:
    """The rooms as one worker sees them, with short-lived caches. Each cache entry begins with its time."""

    def __init__(self) -> None:
        self.rooms = RoomService(LazyStore())
        self.version_cache: dict[str, tuple[float, tuple[int, int]]] = {}  # by room
        self.presence_cache: dict[
            tuple[str, str], tuple[float, str]
        ] = {}  # the page a member is on, by room and token
        self.count_cache: dict[str, tuple[float, int]] = {}  # members present, by room
        self.shared_cache: dict[str, tuple[float, dict[str, Any]]] = {}  # what all members see, by room
        self.valid_tokens: dict[tuple[str, str], tuple[float]] = {}  # by room and token
        self.long_polls: dict[str, int] = {}  # number of waiting requests, by client
        self.limiter = CodeLimiter()

    async def throttle(self, request: Request, code: str, token: str) -> None:
        """Delay clients that have not yet sent a valid token for this room, before the room is looked up."""
        if (code, token) not in self.valid_tokens:
            try:
                await self.limiter.wait(client_address(request))
            except TooManyWaiting as error:
                message = "Many codes are being tried from your network; please try again in a moment."
                raise LimitReached(message) from error

    def remember_token(self, code: str, token: str) -> None:
        if token:
            self.valid_tokens[code, token] = (time.monotonic(),)
            drop_expired(self.valid_tokens, 3600)

    async def is_lecturer(self, request: Request, code: object) -> bool:
        """Whether the request contains the secret of this room's lecturer."""
        if secret := bearer_token(request):
            with suppress(ClassroomError, ImportError, *STORE_ERRORS):
                return bool(await run_in_threadpool(self.rooms.authorize_lecturer, str(code), secret))
        return False

    async def versions(self, code: str) -> tuple[int, int]:
        """Version numbers of the room's state for members and for the lecturer."""
        read_at, versions = self.version_cache.get(code, (0.0, (0, 0)))
        if time.monotonic() - read_at >= REFRESH_SECONDS:
            self.version_cache[code] = time.monotonic(), versions  # other requests use the cache meanwhile
            versions = await run_in_threadpool(self.rooms.versions, code)
            self.version_cache[code] = time.monotonic(), versions
            drop_expired(self.version_cache, 2 * LONG_POLL_SECONDS)
        return versions

    async def wait_for_change(
        self, client: str, code: str, is_known: Callable[[tuple[int, int]], bool]
    ) -> None:
        """Wait until there is a version the client does not know, or until the long poll ends."""
        waiting = self.long_polls.get(client, 0)
        if waiting >= MAX_LONG_POLLS_PER_MEMBER or sum(self.long_polls.values()) >= MAX_LONG_POLLS:
            raise LimitReached("Too many questions at once; please wait a moment.")
        self.long_polls[client] = waiting + 1
        try:
            deadline = time.monotonic() + LONG_POLL_SECONDS
            while is_known(await self.versions(code)) and time.monotonic() < deadline:
                await asyncio.sleep(REFRESH_SECONDS)
        finally:
            self.long_polls[client] -= 1
            if not self.long_polls[client]:
                del self.long_polls[client]

    async def record_presence(self, code: str, member: str, at: str, free: bool, solved: str) -> None:
        written_at, presence = self.presence_cache.get((code, member), (0.0, ""))
        if presence != f"{at} {free} {solved}" or time.monotonic() - written_at > PRESENCE_SECONDS:
            await run_in_threadpool(self.rooms.record_presence, code, member, at, free, solved)
            self.presence_cache[code, member] = time.monotonic(), f"{at} {free} {solved}"
            drop_expired(self.presence_cache, 2 * PRESENCE_SECONDS)

    async def member_view(self, code: str, member: str) -> dict[str, Any]:
        """The state a member sees. All of it except their own answer is cached for all members."""
        version, _ = await self.versions(code)
        _, shared = self.shared_cache.get(code, (0.0, {"v": None}))
        if shared["v"] != version:
            shared = await run_in_threadpool(self.rooms.member_state, code)
            self.shared_cache[code] = time.monotonic(), shared
            drop_expired(self.shared_cache, 2 * LONG_POLL_SECONDS)
        question = shared["question"]
        if question:
            own = await run_in_threadpool(self.rooms.own_answer, code, question, member)
            question = question | {"yours": own}
        return shared | {"question": question, "here": await self.count_present(code)}

    async def count_present(self, code: str) -> int:
        read_at, count = self.count_cache.get(code, (0.0, 0))
        if time.monotonic() - read_at > PRESENT_COUNT_SECONDS:
            count = (await run_in_threadpool(self.rooms.count_present, code))[0].total()
            self.count_cache[code] = time.monotonic(), count
            drop_expired(self.count_cache, 60)
        return count


class LazyStore:
    """The store, opened on first use."""

    @cached_property
    def opened(self) -> store.Store:
        return store.open_store()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.opened, name)


def drop_expired(cache: dict[Any, tuple], seconds: float) -> None:
    """Drop entries older than this if the cache has more than MAX_CACHED."""
    if len(cache) > MAX_CACHED:
        for key in [key for key, (at, *_) in cache.items() if time.monotonic() - at > seconds]:
            del cache[key]


def routes(classroom: ClassroomState, lessons: Sequence[Lesson], root: str, style: str) -> list[Route]:
    """Build the classroom routes. `root`: path prefix of the site; `style`: URL of its style sheet."""
    questions = collect_questions(lessons)
    rooms, slugs = classroom.rooms, {"", *(lesson.slug for lesson in lessons)}

    def page(template: str, status: int = 200, depth: int = 1, **values: Any) -> Response:
        html = render(f"kit/templates/{template}.html", up="../" * depth, style=style, **values)
        return HTMLResponse(html, status, PRIVATE_HEADERS)

    async def lead(request: Request) -> Response:
        code, secret = request.path_params["code"], bearer_token(request)
        action = await read_json(request, LecturerAction, changes=True)
        match action.way:
            case "show" if action.lesson not in slugs:
                raise InvalidRequest("There is no such lesson.")
            case "show":
                place = action.lesson, action.query, action.covered, action.by
                await run_in_threadpool(rooms.set_position, code, secret, *place)
            case "turn":
                await run_in_threadpool(rooms.set_turn, code, secret, action.yours, action.goal)
            case "close":
                await run_in_threadpool(rooms.close_room, code, secret)
            case "ask":
                await run_in_threadpool(ask, code, secret, action)
            case "reveal":
                question = await run_in_threadpool(rooms.lecturer_question, code, secret)
                verdicts = await run_in_threadpool(answer_verdicts, questions, question)
                await run_in_threadpool(rooms.advance_question, code, secret, "reveal", verdicts)
            case way:
                await run_in_threadpool(rooms.advance_question, code, secret, way)
        classroom.version_cache.pop(code, None)
        return Response(status_code=204)

    def ask(code: str, secret: str, action: LecturerAction) -> None:
        """Ask a question from the course, given by its id, or one that the lecturer has typed."""
        if action.id is None:
            if action.options is None:
                raise InvalidRequest("Please type two to five options.")
            return rooms.ask(code, secret, action.text, action.options)
        if action.id not in questions or (exercise := questions[action.id].exercise).answer is None:
            raise InvalidRequest("There is no such question.")
        options = list(exercise.answer.options) if isinstance(exercise.answer, Choice) else None
        return rooms.ask(code, secret, exercise.question, options, action.id)

    async def desk(request: Request) -> Response:
        code, secret = request.path_params["code"], bearer_token(request)
        known = tuple(int_param(request, name) for name in ("v", "d"))
        await run_in_threadpool(rooms.authorize_lecturer, code, secret)
        client = f"{code} desk {request.query_params.get('by', '')[:64]}"
        await classroom.wait_for_change(client, code, lambda versions: versions == known)
        content = await run_in_threadpool(rooms.lecturer_state, code, secret)
        return JSONResponse(content, headers=PRIVATE_HEADERS)

    async def state(request: Request) -> Response:
        code, query = request.path_params["code"], request.query_params
        member, known = bearer_token(request), int_param(request, "v")
        place = query.get("at", ""), query.get("free") == "1", query.get("solved", "")
        await classroom.record_presence(code, member, *place)
        await classroom.wait_for_change(f"{code} {member}", code, lambda versions: versions[0] == known)
        return JSONResponse(await classroom.member_view(code, member), headers=PRIVATE_HEADERS)

    async def answer(request: Request) -> Response:
        body = await read_json(request, Answer, changes=True)
        code, member = request.path_params["code"], bearer_token(request)
        await run_in_threadpool(rooms.answer, code, member, body.n, body.answer)
        return Response(status_code=204)

    async def open_room(request: Request) -> Response:
        await read_json(request, EmptyBody, changes=True)
        room = await run_in_threadpool(rooms.open_room, network_of(client_address(request)))
        return JSONResponse(room, 201, PRIVATE_HEADERS)

    async def join(request: Request) -> Response:
        await read_json(request, EmptyBody, changes=True)
        member = await run_in_threadpool(rooms.join, request.path_params["code"])
        return JSONResponse({"member": member}, 201, PRIVATE_HEADERS)

    async def short_link(request: Request) -> Response:
        """Redirect to the page that the lecturer shows."""
        code = request.path_params["code"].upper()
        room = rooms.common_state(code, await run_in_threadpool(rooms.load_room, code))
        if room["closed"]:
            raise RoomNotFound("This room is closed.")
        page = room["lead"] or {"lesson": "", "query": "", "covered": False}
        flags = urlencode({"guess": int(page["covered"]), "room": code})
        query = "&".join(filter(None, [page["query"], flags]))
        return RedirectResponse(f"../{page['lesson'] or './'}?{query}", 303, PRIVATE_HEADERS)

    async def type_code(request: Request) -> Response:
        """Show a form for the room code; if the request contains a code, redirect to its short link."""
        code = request.query_params.get("code", "").strip().upper()
        if code.isalpha() and code.isascii():
            return RedirectResponse(f"r/{code}", 303)
        return page("join", depth=0, message="")

    async def qr(request: Request) -> Response:
        code = request.path_params["code"]
        await run_in_threadpool(rooms.load_room, code)
        return qr_code(f"{site_root(request.url.scheme, request.headers, root)}/r/{code}")

    async def report(request: Request) -> Response:
        code, key = request.path_params["code"], request.query_params.get("key", "")
        found = await run_in_threadpool(rooms.report, code, key)
        if request.url.path.endswith(".csv"):
            headers = PRIVATE_HEADERS | {"Content-Disposition": f'attachment; filename="room-{code}.csv"'}
            return Response(report_csv(found), media_type="text/csv; charset=utf-8", headers=headers)
        hours = max(0, round((found["ends"] - time.time()) / 3600))
        asked = [(one["text"], round_names(one), report_rows(one)) for one in found["questions"]]
        states = found["states"]
        return page("report", depth=2, key=key, hours=hours, code=code, questions=asked, states=states)

    async def lesson_questions(request: Request) -> Response:
        """The questions of a lesson that a lecturer can ask."""
        prefix = f"{request.path_params['lesson']}-"
        found = [
            {"id": id, "text": exercise.question}
            for id, (exercise, _) in questions.items()
            if id.startswith(prefix) and exercise.answer
        ]
        return JSONResponse(found, headers={"Cache-Control": ONE_HOUR})

    def with_errors(handler: Callable) -> Callable:
        """Wrap a route: errors become JSON messages, and wrong codes or tokens are counted."""

        async def answer(request: Request) -> Response:
            code, token = request.path_params.get("code", ""), bearer_token(request)
            try:
                if code:
                    await classroom.throttle(request, code, token)
                response = await handler(request)
                classroom.remember_token(code, token)
                return response
            except ClassroomError as declined:
                if isinstance(declined, RoomNotFound | Forbidden | NotAMember):
                    classroom.limiter.count_miss(client_address(request))
                if handler is short_link:
                    return page("join", STATUS_OF[type(declined)], message=str(declined))
                return JSONResponse({"message": str(declined)}, STATUS_OF[type(declined)], PRIVATE_HEADERS)
            except (*STORE_ERRORS, ImportError):
                return JSONResponse({"message": ROOMS_UNAVAILABLE}, 503, PRIVATE_HEADERS)

        return answer

    handlers = {
        ("/room", "POST"): open_room,
        ("/room/{code}/join", "POST"): join,
        ("/room/{code}/lead", "POST"): lead,
        ("/room/{code}/answer", "POST"): answer,
        ("/room/{code}/desk", "GET"): desk,
        ("/room/{code}/state", "GET"): state,
        ("/room/{code}/qr.svg", "GET"): qr,
        ("/room/{code}/report", "GET"): report,
        ("/room/{code}/report.csv", "GET"): report,
        ("/questions/{lesson}", "GET"): lesson_questions,
        ("/r", "GET"): type_code,
        ("/r/{code}", "GET"): short_link,
    }
    return [
        Route(path, with_errors(handler), methods=[method]) for (path, method), handler in handlers.items()
    ]


def bearer_token(request: Request) -> str:
    """The bearer token of the request: a lecturer's secret or a member's token."""
    return request.headers.get("authorization", "").removeprefix("Bearer ")[:64]


def client_address(request: Request) -> str:
    return request.client.host if request.client else ""


def int_param(request: Request, name: str) -> int:
    """A parameter of the query as a whole number, or 0."""
    text = request.query_params.get(name, "0")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def qr_code(address: str) -> Response:
    out = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(out, kind="svg", scale=8, border=2, light="#fff", xmldecl=False)
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(out.getvalue(), media_type="image/svg+xml", headers=headers)


def answer_verdicts(questions: Mapping[str, Question], asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Verdict on each option or each number answered. Questions typed by the lecturer have none."""
    if asked["id"] not in questions:
        return [{"option": option, "ok": None, "message": ""} for option in asked["options"]]
    exercise, state = questions[asked["id"]].exercise, questions[asked["id"]].default_state
    verdicts = []
    for option in asked["options"] or asked["given"]:
        try:
            answer = Number("answer", "").check(option) if asked["options"] is None else option
            verdict = exercise.check(answer, state)
            ok, message = verdict.ok, verdict.message
        except InputError as error:
            ok, message = False, str(error)
        except Exception:
            ok, message = None, SORRY
        verdicts.append({"option": option, "ok": ok, "message": message})
    return verdicts


def round_names(asked: Mapping[str, Any]) -> list[str]:
    return ["before", "after"] if len(asked["rounds"]) > 1 else ["how many"]


def report_rows(asked: Mapping[str, Any]) -> list[tuple[str, list[int], bool | None, str]]:
    """One row per answer: its count in each round, whether it is right, and why."""
    verdicts = {why["option"]: (why["ok"], why["message"]) for why in asked["whys"] or ()}
    rounds = [dict(counts) for counts in asked["rounds"]]
    options = dict.fromkeys(option for counts in rounds for option in counts)
    return [
        (option, [counts.get(option, 0) for counts in rounds], *verdicts.get(option, (None, "")))
        for option in options
    ]


def report_csv(report: Mapping[str, Any]) -> str:
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["what", "number", "text", "answer", "before", "after", "right"])
    for asked in report["questions"]:
        text = escape_formula(asked["text"])
        for option, counts, ok, _ in report_rows(asked):
            right = {True: "yes", False: "no", None: ""}[ok]
            rows.writerow(["asked", asked["n"], text, escape_formula(option), *[*counts, ""][:2], right])
    for number, (_, lesson, query) in enumerate(report["states"], 1):
        rows.writerow(["shown", number, escape_formula(f"{lesson}?{query}"), "", "", "", ""])
    return out.getvalue()
