"""HTTP routes of the classroom: any worker can answer for any room, and waiting long polls are cheap."""

import asyncio
import csv
import io
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any
from urllib.parse import parse_qsl, urlencode

import segno
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from lessons.kit.classroom import store
from lessons.kit.classroom.service import (
    MAX_MEMBERS,
    ROOM_SECONDS,
    SAME_NUMBER,
    ClassroomError,
    Forbidden,
    InvalidRequest,
    LimitReached,
    NotAMember,
    NotLeading,
    RoomNotFound,
    RoomService,
    parse_answer,
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
    NotLeading: 409,
    LimitReached: 429,
    InvalidRequest: 400,
}
LONG_POLL_SECONDS = 3.0  # a long poll is answered after this time, so that lost connections are noticed soon
REFRESH_SECONDS = 0.2  # interval between reads of a room's version, for all waiting requests
PRESENCE_SECONDS = 10.0  # interval between writes of a member's unchanged presence
PRESENT_COUNT_SECONDS = 2.0  # interval between counts of the present members
MAX_LONG_POLLS = 2000  # maximum number per worker
MAX_LONG_POLLS_PER_MEMBER = 3
MAX_CACHED = 1000  # number of cache entries above which expired ones are dropped
ROOMS_UNAVAILABLE = "Rooms are not available here: there is no place to keep them."
MAX_VALUE_CHARS = 60  # of a control, in the names of the report's states
PRIVATE_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}


class EmptyBody(RequestBody):
    """Schema of a request without a body: all arguments are in the URL."""


class Answer(RequestBody):
    """A member's answer to question `n`."""

    n: int
    answer: str


class Spoken(RequestBody):
    """A question from the audience."""

    text: str


class PreparedQuestion(RequestBody):
    """A question of a set: one of the course, by its id, or the lecturer's own."""

    id: str | None = None
    text: str = ""
    options: list[str] | None = None
    kind: str = "number"
    right: str = ""
    seconds: int = 0


class LecturerAction(PreparedQuestion):
    """An action of the lecturer: `way` is its name, the other fields are its arguments."""

    way: str
    lesson: str = ""
    query: str = ""
    covered: bool = False
    by: str = ""
    focus: str = ""
    take: bool = False
    yours: bool = False
    goal: str = ""
    n: int = 0
    open: bool = True
    expects: int = MAX_MEMBERS
    command: str = ""
    questions: list[PreparedQuestion] = Field(default_factory=list)


class ClassroomState:
    """The rooms as one worker sees them, with short-lived caches. Each cache entry begins with its time."""

    def __init__(self) -> None:
        self.rooms = RoomService(LazyStore())
        self.version_cache: dict[str, tuple[float, tuple[int, int]]] = {}  # versions of each room
        self.presence_cache: dict[
            tuple[str, str], tuple[float, str]
        ] = {}  # the page a member is on, by room and token
        self.count_cache: dict[str, tuple[float, int]] = {}  # present members of each room
        # the state that all members of a room see
        self.shared_cache: dict[str, tuple[float, dict[str, Any]]] = {}
        # tokens that were verified, by room and token
        self.valid_tokens: dict[tuple[str, str], tuple[float]] = {}
        self.long_polls: dict[str, int] = {}  # number of waiting requests, by client
        self.limiter = CodeLimiter()

    async def throttle(self, code: str, token: str) -> None:
        """If very many wrong codes are being tried, delay clients without a valid token for this room."""
        if (code, token) not in self.valid_tokens:
            await self.wait(self.limiter.wait_before())

    async def count_miss(self, request: Request) -> None:
        """Delay the answer to a wrong code or token if the same network has sent many."""
        await self.wait(self.limiter.wait_after_miss(client_address(request)))

    async def wait(self, turn: Awaitable[None]) -> None:
        try:
            await turn
        except TooManyWaiting as error:
            raise LimitReached("Many wrong codes are being tried; please try again in a moment.") from error

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
            # meanwhile other requests use the old versions
            self.version_cache[code] = time.monotonic(), versions
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

    async def shared_state(self, code: str) -> dict[str, Any]:
        """The state that all members of a room see, cached until it changes."""
        version, _ = await self.versions(code)
        _, shared = self.shared_cache.get(code, (0.0, {"v": None}))
        if shared["v"] != version:
            shared = await run_in_threadpool(self.rooms.member_state, code)
            self.shared_cache[code] = time.monotonic(), shared
            drop_expired(self.shared_cache, 2 * LONG_POLL_SECONDS)
        return shared

    async def asked_question(self, code: str) -> str:
        """The id of the course question that a room is answering now, or an empty string."""
        with suppress(ClassroomError, ImportError, *STORE_ERRORS):
            question = (await self.shared_state(code))["question"]
            return question["id"] if question and question["whys"] is None else ""
        return ""

    async def member_view(self, code: str, member: str) -> dict[str, Any]:
        """The state a member sees. All of it except their own answer is cached for all members."""
        shared = await self.shared_state(code)
        question = shared["question"]
        if question:
            own = await run_in_threadpool(self.rooms.own_answer, code, question, member)
            question = question | {"yours": own}
        return shared | {"question": question, "here": await self.count_present(code), "now": time.time()}

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
                place = action.lesson, action.query, action.covered, action.by, action.focus, action.take
                await run_in_threadpool(rooms.set_position, code, secret, *place)
            case "turn":
                await run_in_threadpool(rooms.set_turn, code, secret, action.yours, action.goal)
            case "next":
                await run_in_threadpool(rooms.next_prepared, code, secret)
            case "set":
                prepared = [ask_arguments(one) for one in action.questions]
                await run_in_threadpool(rooms.prepare, code, secret, prepared)
            case "pass":
                await run_in_threadpool(rooms.pass_answer, code, secret, action.text)
            case "hear" | "drop":
                await run_in_threadpool(rooms.pass_question, code, secret, action.n, action.way == "hear")
            case "door":
                await run_in_threadpool(rooms.set_door, code, secret, action.open, action.expects)
            case "timer":
                await run_in_threadpool(rooms.set_timer, code, secret, action.seconds)
            case "press":
                await run_in_threadpool(rooms.press, code, secret, action.command)
            case "close":
                await run_in_threadpool(rooms.close_room, code, secret)
            case "ask":
                await run_in_threadpool(partial(rooms.ask, code, secret, **ask_arguments(action)))
            case "reveal":
                question = await run_in_threadpool(rooms.lecturer_question, code, secret)
                verdicts = await run_in_threadpool(answer_verdicts, questions, question)
                await run_in_threadpool(rooms.advance_question, code, secret, "reveal", verdicts)
            case way:
                await run_in_threadpool(rooms.advance_question, code, secret, way)
        classroom.version_cache.pop(code, None)
        return Response(status_code=204)

    def ask_arguments(asked: PreparedQuestion) -> dict[str, Any]:
        """Arguments of `RoomService.ask`: a question of the course, by its id, or the lecturer's own."""
        if asked.id is None:
            names = ("text", "options", "kind", "right", "seconds")
            return {name: getattr(asked, name) for name in names}
        if asked.id not in questions or (exercise := questions[asked.id].exercise).answer is None:
            raise InvalidRequest("There is no such question.")
        options = list(exercise.answer.options) if isinstance(exercise.answer, Choice) else None
        return {"text": exercise.question, "options": options, "id": asked.id, "seconds": asked.seconds}

    async def desk(request: Request) -> Response:
        code, secret = request.path_params["code"], bearer_token(request)
        known = tuple(int_param(request, name) for name in ("v", "d"))
        await run_in_threadpool(rooms.authorize_lecturer, code, secret)
        client = f"{code} desk {request.query_params.get('by', '')[:64]}"
        await classroom.wait_for_change(client, code, lambda versions: versions == known)
        content = await run_in_threadpool(rooms.lecturer_state, code, secret)
        return JSONResponse(content | {"now": time.time()}, headers=PRIVATE_HEADERS)

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
        await run_in_threadpool(rooms.record_answer, code, member, body.n, body.answer)
        return Response(status_code=204)

    async def open_room(request: Request) -> Response:
        await read_json(request, EmptyBody, changes=True)
        room = await run_in_threadpool(rooms.open_room, network_of(client_address(request)))
        return JSONResponse(room, 201, PRIVATE_HEADERS)

    async def join(request: Request) -> Response:
        await read_json(request, EmptyBody, changes=True)
        code = request.path_params["code"]
        name = member_cookie(code)
        member = await run_in_threadpool(rooms.join, code, request.cookies.get(name, ""))
        response = JSONResponse({"member": member}, 201, PRIVATE_HEADERS)
        values: Any = {"max_age": int(ROOM_SECONDS), "path": root or "/", "samesite": "strict"}
        response.set_cookie(name, member, httponly=True, secure=request.url.scheme == "https", **values)
        return response

    async def speak(request: Request) -> Response:
        body = await read_json(request, Spoken, changes=True)
        code, member = request.path_params["code"], bearer_token(request)
        await run_in_threadpool(rooms.speak, code, member, body.text)
        return Response(status_code=204)

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
            table = report_csv(found, state_name)
            return Response(table, media_type="text/csv; charset=utf-8", headers=headers)
        hours = max(0, round((found["ends"] - time.time()) / 3600))
        asked = [
            (one["text"], clock_time(one["at"]), round_names(one), report_rows(one))
            for one in found["questions"]
        ]
        states = [
            (clock_time(at), state_name(lesson, query), lesson, query)
            for at, lesson, query in found["states"]
        ]
        date = time.strftime("%A, %d %B %Y", time.localtime(found["begins"]))
        values = {"key": key, "hours": hours, "code": code, "date": date}
        return page("report", depth=2, questions=asked, states=states, **values)

    titles = {
        (lesson.slug, one.slug): f"{lesson.title}: {one.title}"
        for lesson in lessons
        for one in lesson.experiments
    }
    lesson_titles = {lesson.slug: lesson.title for lesson in lessons}

    def state_name(lesson: str, query: str) -> str:
        """Describe a shown state: its name on the page, and the controls that were changed."""
        values = dict(parse_qsl(query))
        slug = values.pop("experiment", "")
        name = titles.get((lesson, slug)) or lesson_titles.get(lesson, "Map")
        changed = ", ".join(
            f"{control} = {value if len(value) <= MAX_VALUE_CHARS else value[:MAX_VALUE_CHARS] + '…'}"
            for control, value in values.items()
            if control != "acts"
        )
        return f"{name} ({changed})" if changed else name

    async def lesson_questions(request: Request) -> Response:
        """The questions of a lesson that a lecturer can ask."""
        prefix = f"{request.path_params['lesson']}-"
        found = [
            {"id": id, "text": exercise.question}
            for id, (exercise, *_) in questions.items()
            if id.startswith(prefix) and exercise.answer
        ]
        return JSONResponse(found, headers={"Cache-Control": ONE_HOUR})

    def with_errors(handler: Callable) -> Callable:
        """Wrap a route: errors become JSON messages, and wrong codes or tokens are counted."""

        async def endpoint(request: Request) -> Response:
            code, token = request.path_params.get("code", ""), bearer_token(request)
            try:
                if code:
                    await classroom.throttle(code, token)
                response = await handler(request)
                classroom.remember_token(code, token)
                return response
            except ClassroomError as refused:
                declined = refused
                if isinstance(declined, RoomNotFound | Forbidden | NotAMember):
                    try:
                        await classroom.count_miss(request)
                    except LimitReached as error:
                        declined = error
                if handler is short_link:
                    return page("join", STATUS_OF[type(declined)], message=str(declined))
                return JSONResponse({"message": str(declined)}, STATUS_OF[type(declined)], PRIVATE_HEADERS)
            except (*STORE_ERRORS, ImportError):
                return JSONResponse({"message": ROOMS_UNAVAILABLE}, 503, PRIVATE_HEADERS)

        return endpoint

    handlers = {
        ("/room", "POST"): open_room,
        ("/room/{code}/join", "POST"): join,
        ("/room/{code}/lead", "POST"): lead,
        ("/room/{code}/answer", "POST"): answer,
        ("/room/{code}/speak", "POST"): speak,
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


def member_cookie(code: str) -> str:
    """Name of the cookie with a browser's token, which prevents a second vote by joining twice."""
    return f"seq2see-{code}"


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
    """Verdict on each option or each answer that was given."""
    if asked["id"] not in questions:
        return own_verdicts(asked)
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


def own_verdicts(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Verdicts on the answers to a question that the lecturer wrote, if it has a right answer."""
    right, kind = asked["right"], asked["kind"]
    if kind == "text":
        return [{"option": right, "ok": True, "message": "The lecturer’s answer."}] if right else []

    def is_right(option: str) -> bool | None:
        if not right:
            return None
        if kind == "options":
            return option == right
        return abs(parse_answer(option) - parse_answer(right)) < SAME_NUMBER

    return [
        {"option": option, "ok": is_right(option), "message": ""}
        for option in asked["options"] or asked["given"]
    ]


def round_names(asked: Mapping[str, Any]) -> list[str]:
    return ["before", "after"] if len(asked["rounds"]) > 1 else ["how many"]


def report_rows(asked: Mapping[str, Any]) -> list[tuple[str, list[int], list[int], bool | None, str]]:
    """One row per answer: its count and percentage in each round, whether it is right, and why."""
    verdicts = {why["option"]: (why["ok"], why["message"]) for why in asked["whys"] or ()}
    rounds = [dict(counts) for counts in asked["rounds"]]
    options = dict.fromkeys(option for counts in rounds for option in counts)
    totals = [max(1, sum(counts.values())) for counts in rounds]
    rows = []
    for option in options:
        counts = [counted.get(option, 0) for counted in rounds]
        shares = [round(100 * count / total) for count, total in zip(counts, totals, strict=True)]
        rows.append((option, counts, shares, *verdicts.get(option, (None, ""))))
    return rows


def clock_time(seconds: float) -> str:
    return time.strftime("%H:%M", time.localtime(seconds))


def report_csv(report: Mapping[str, Any], state_name: Callable[[str, str], str]) -> str:
    """The report as a table. It begins with a byte order mark, by which Excel knows that it is UTF-8."""
    out = io.StringIO()
    out.write("\ufeff")
    rows = csv.writer(out)
    columns = ["what", "number", "time", "text", "answer", "before", "after", "before %", "after %", "right"]
    rows.writerow(columns)
    for asked in report["questions"]:
        text = escape_formula(asked["text"])
        for option, counts, shares, ok, _ in report_rows(asked):
            right = {True: "yes", False: "no", None: ""}[ok]
            start = ["asked", asked["n"], clock_time(asked["at"]), text, escape_formula(option)]
            rows.writerow([*start, *[*counts, ""][:2], *[*shares, ""][:2], right])
    for number, (at, lesson, query) in enumerate(report["states"], 1):
        name = escape_formula(state_name(lesson, query))
        rows.writerow(["shown", number, clock_time(at), name, *[""] * (len(columns) - 4)])
    return out.getvalue()
