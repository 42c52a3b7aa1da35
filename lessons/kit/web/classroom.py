"""The classroom over plain HTTP: any worker answers for any room, and a question that waits for news costs next to nothing."""

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
from lessons.kit.classroom.service import Declined, Forbidden, Missing, NotAMember, Rooms, TooMany, Unclear
from lessons.kit.contract import Choice, InputError, Lesson, Number
from lessons.kit.jobs.queue import STORE_ERRORS
from lessons.kit.templates import render
from lessons.kit.web.code_limiter import CodeLimiter, TooManyWait, address_block
from lessons.kit.web.export import harmless
from lessons.kit.web.json_body import Body, read_json
from lessons.kit.web.questions import Question
from lessons.kit.web.questions import questions as all_questions
from lessons.kit.web.renderer import SORRY
from lessons.kit.web.social_preview import root_of

STATUS: dict[type[Declined], int] = {
    Missing: 404,
    Forbidden: 403,
    NotAMember: 401,
    TooMany: 429,
    Unclear: 400,
}
PATIENCE = 15.0  # seconds that a question waits for news
GLANCE = 0.2  # seconds between two looks at a room, however many wait
SIGN = 10.0  # seconds after which a member's sign of life is written again
WAITING = 2000  # questions that may wait in one worker
EACH = 3  # of one member
NOWHERE = "Rooms are not available here: there is no place to keep them."


class Nothing(Body):
    """An empty JSON object: everything is in the URL."""


class Answer(Body):
    """A member's answer to question `n`."""

    n: int
    answer: str


class Lead(Body):
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
    """The rooms, as one worker sees them."""

    def __init__(self) -> None:
        self.rooms = Rooms(Later())
        self.glances: dict[str, tuple[float, tuple[int, int]]] = {}  # room → when, versions
        self.signs: dict[tuple[str, str], tuple[float, str]] = {}  # member → when, where
        self.crowds: dict[str, tuple[float, int]] = {}  # room → when, how many are here
        self.shown: dict[str, tuple[float, dict[str, Any]]] = {}  # room → when, what all its members know
        self.waiting: dict[str, int] = {}
        self.limiter = CodeLimiter()
        self.admitted: dict[tuple[str, str], tuple[float]] = {}  # room, token or secret → when it was right

    async def admit(self, request: Request, code: str, proof: str) -> None:
        """Before a room is looked up: delays clients that have not yet shown a valid token or secret of it."""
        if (code, proof) not in self.admitted:
            try:
                await self.limiter.wait(visitor_of(request))
            except TooManyWait as error:
                raise TooMany(
                    "Many codes are being tried from your network; please try again in a moment."
                ) from error

    def admitted_with(self, code: str, proof: str) -> None:
        if proof:
            self.admitted[code, proof] = (time.monotonic(),)
            forget(self.admitted, 3600)

    async def leads(self, request: Request, code: object) -> bool:
        """Is this asked by who leads that room?"""
        if secret := proof_of(request):
            with suppress(Declined, ImportError, *STORE_ERRORS):
                return bool(await run_in_threadpool(self.rooms.leading, str(code), secret))
        return False

    async def versions(self, code: str) -> tuple[int, int]:
        seen, found = self.glances.get(code, (0.0, (0, 0)))
        if time.monotonic() - seen >= GLANCE:
            self.glances[code] = time.monotonic(), found  # others need not look meanwhile
            found = await run_in_threadpool(self.rooms.versions, code)
            self.glances[code] = time.monotonic(), found
            forget(self.glances, 2 * PATIENCE)
        return found

    async def news(self, who: str, code: str, stale: Callable[[tuple[int, int]], bool]) -> None:
        """Waits until there is something new, or patience ends."""
        if self.waiting.get(who, 0) >= EACH or sum(self.waiting.values()) >= WAITING:
            raise TooMany("Too many questions at once; please wait a moment.")
        self.waiting[who] = self.waiting.get(who, 0) + 1
        try:
            ends = time.monotonic() + PATIENCE
            while stale(await self.versions(code)) and time.monotonic() < ends:
                await asyncio.sleep(GLANCE)
        finally:
            self.waiting[who] -= 1
            if not self.waiting[who]:
                del self.waiting[who]

    async def sign(self, code: str, member: str, at: str, free: bool, solved: str) -> None:
        seen, where = self.signs.get((code, member), (0.0, ""))
        if where != f"{at} {free} {solved}" or time.monotonic() - seen > SIGN:
            await run_in_threadpool(self.rooms.here, code, member, at, free, solved)
            self.signs[code, member] = time.monotonic(), f"{at} {free} {solved}"
            forget(self.signs, 2 * SIGN)

    async def seen(self, code: str, member: str) -> dict[str, Any]:
        """What a member may know: read once for all of them, but for their own answer."""
        version, _ = await self.versions(code)
        _, shown = self.shown.get(code, (0.0, {"v": None}))
        if shown["v"] != version:
            shown = await run_in_threadpool(self.rooms.shared, code)
            self.shown[code] = time.monotonic(), shown
            forget(self.shown, 2 * PATIENCE)
        asked = shown["question"]
        if asked:
            asked = asked | {"yours": await run_in_threadpool(self.rooms.yours, code, asked, member)}
        return shown | {"question": asked, "here": await self.crowd(code)}

    async def crowd(self, code: str) -> int:
        seen, many = self.crowds.get(code, (0.0, 0))
        if time.monotonic() - seen > 2:
            many = (await run_in_threadpool(self.rooms.places, code))[0].total()
            self.crowds[code] = time.monotonic(), many
            forget(self.crowds, 60)
        return many


class Later:
    """The store, opened when somebody first needs it."""

    @cached_property
    def opened(self) -> store.Store:
        return store.opened()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.opened, name)


def forget(kept: dict[Any, tuple], seconds: float) -> None:
    """Nothing grows."""
    if len(kept) > 1000:
        for key in [key for key, (seen, *_) in kept.items() if time.monotonic() - seen > seconds]:
            del kept[key]


def routes(lobby: ClassroomState, lessons: Sequence[Lesson], root: str, style: str) -> list[Route]:
    """`root`: the path under which the site lives; `style`: the address of its style sheet."""
    questions = all_questions(lessons)
    rooms, slugs = lobby.rooms, {"", *(lesson.slug for lesson in lessons)}

    def page(template: str, status: int = 200, depth: int = 1, **values: Any) -> Response:
        return HTMLResponse(
            render(f"kit/templates/{template}.html", up="../" * depth, style=style, **values), status, CLOSED
        )

    async def lead(request: Request) -> Response:
        code, secret, given = (
            request.path_params["code"],
            proof_of(request),
            await read_json(request, Lead, changes=True),
        )
        match given.way:
            case "show" if given.lesson not in slugs:
                raise Unclear("There is no such lesson.")
            case "show":
                await run_in_threadpool(
                    rooms.show, code, secret, given.lesson, given.query, given.covered, given.by
                )
            case "turn":
                await run_in_threadpool(rooms.turn, code, secret, given.yours, given.goal)
            case "close":
                await run_in_threadpool(rooms.close, code, secret)
            case "ask":
                await run_in_threadpool(ask, code, secret, given)
            case "reveal":
                asked = await run_in_threadpool(rooms.asked, code, secret)
                await run_in_threadpool(
                    rooms.go_on, code, secret, "reveal", await run_in_threadpool(whys, questions, asked)
                )
            case way:
                await run_in_threadpool(rooms.go_on, code, secret, way)
        lobby.glances.pop(code, None)
        return Response(status_code=204)

    def ask(code: str, secret: str, given: Lead) -> None:
        """A question of the course by its id, or one that the lecturer has typed."""
        if given.id is None:
            if given.options is None:
                raise Unclear("Please type two to five options.")
            return rooms.ask(code, secret, given.text, given.options)
        if given.id not in questions or (exercise := questions[given.id][0]).answer is None:
            raise Unclear("There is no such question.")
        options = list(exercise.answer.options) if isinstance(exercise.answer, Choice) else None
        return rooms.ask(code, secret, exercise.question, options, given.id)

    async def desk(request: Request) -> Response:
        code, secret = request.path_params["code"], proof_of(request)
        seen = tuple(number(request, name) for name in ("v", "d"))
        await run_in_threadpool(rooms.leading, code, secret)
        await lobby.news(
            f"{code} desk {request.query_params.get('by', '')[:64]}", code, lambda now: now == seen
        )
        return JSONResponse(await run_in_threadpool(rooms.desk, code, secret), headers=CLOSED)

    async def state(request: Request) -> Response:
        code, asked = request.path_params["code"], request.query_params
        member, seen = proof_of(request), number(request, "v")
        await lobby.sign(code, member, asked.get("at", ""), asked.get("free") == "1", asked.get("solved", ""))
        await lobby.news(f"{code} {member}", code, lambda now: now[0] == seen)
        return JSONResponse(await lobby.seen(code, member), headers=CLOSED)

    async def answer(request: Request) -> Response:
        given = await read_json(request, Answer, changes=True)
        await run_in_threadpool(
            rooms.answer, request.path_params["code"], proof_of(request), given.n, given.answer
        )
        return Response(status_code=204)

    async def open_room(request: Request) -> Response:
        await read_json(request, Nothing, changes=True)
        return JSONResponse(
            await run_in_threadpool(rooms.open, address_block(visitor_of(request))), 201, CLOSED
        )

    async def join(request: Request) -> Response:
        await read_json(request, Nothing, changes=True)
        return JSONResponse(
            {"member": await run_in_threadpool(rooms.join, request.path_params["code"])}, 201, CLOSED
        )

    async def short_link(request: Request) -> Response:
        """The short link: to where the room is."""
        code = request.path_params["code"].upper()
        found = rooms.common(code, await run_in_threadpool(rooms.read, code))
        if found["closed"]:
            raise Missing("This room is closed.")
        at = found["lead"] or {"lesson": "", "query": "", "covered": False}
        query = "&".join(filter(None, [at["query"], urlencode({"guess": int(at["covered"]), "room": code})]))
        return RedirectResponse(f"../{at['lesson'] or './'}?{query}", 303, CLOSED)

    async def type_in(request: Request) -> Response:
        code = request.query_params.get("code", "").strip().upper()
        return (
            RedirectResponse(f"r/{code}", 303)
            if code.isalpha() and code.isascii()
            else page("join", depth=0, said="")
        )

    async def qr(request: Request) -> Response:
        code = request.path_params["code"]
        await run_in_threadpool(rooms.read, code)
        return qr_code(f"{root_of(request.url.scheme, request.headers, root)}/r/{code}")

    async def report(request: Request) -> Response:
        code, key = request.path_params["code"], request.query_params.get("key", "")
        found = await run_in_threadpool(rooms.report, code, key)
        if request.url.path.endswith(".csv"):
            about = {"Content-Disposition": f'attachment; filename="room-{code}.csv"'}
            return Response(table(found), media_type="text/csv; charset=utf-8", headers=CLOSED | about)
        hours = max(0, round((found["ends"] - time.time()) / 3600))
        questions = [(asked["text"], rounds_of(asked), rows_of(asked)) for asked in found["questions"]]
        return page(
            "report", depth=2, key=key, hours=hours, code=code, questions=questions, states=found["states"]
        )

    async def askable(request: Request) -> Response:
        """What of a lesson can be put to a room."""
        slug = request.path_params["lesson"]
        found = {
            id: item.question
            for id, (item, _) in questions.items()
            if id.startswith(f"{slug}-") and item.answer
        }
        return JSONResponse(
            [{"id": id, "text": text} for id, text in found.items()],
            headers={"Cache-Control": "public, max-age=3600"},
        )

    def answered(do: Callable) -> Callable:
        """Wraps a route: refusals become JSON messages, and wrong codes or secrets count against the client's network."""

        async def answer(request: Request) -> Response:
            code, proof = request.path_params.get("code", ""), proof_of(request)
            try:
                if code:
                    await lobby.admit(request, code, proof)
                response = await do(request)
                lobby.admitted_with(code, proof)
                return response
            except Declined as declined:
                if isinstance(declined, Missing | Forbidden | NotAMember):
                    lobby.limiter.miss(visitor_of(request))
                if do is short_link:
                    return page("join", STATUS[type(declined)], said=str(declined))
                return JSONResponse({"message": str(declined)}, STATUS[type(declined)], CLOSED)
            except (*STORE_ERRORS, ImportError):
                return JSONResponse({"message": NOWHERE}, 503, CLOSED)

        return answer

    found = {
        ("/room", "POST"): open_room,
        ("/room/{code}/join", "POST"): join,
        ("/room/{code}/lead", "POST"): lead,
        ("/room/{code}/answer", "POST"): answer,
        ("/room/{code}/desk", "GET"): desk,
        ("/room/{code}/state", "GET"): state,
        ("/room/{code}/qr.svg", "GET"): qr,
        ("/room/{code}/report", "GET"): report,
        ("/room/{code}/report.csv", "GET"): report,
        ("/questions/{lesson}", "GET"): askable,
        ("/r", "GET"): type_in,
        ("/r/{code}", "GET"): short_link,
    }
    return [Route(path, answered(do), methods=[method]) for (path, method), do in found.items()]


CLOSED = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}


def proof_of(request: Request) -> str:
    """The bearer token of the request: a lecturer's secret or a member's token."""
    return request.headers.get("authorization", "").removeprefix("Bearer ")[:64]


def visitor_of(request: Request) -> str:
    return request.client.host if request.client else ""


def number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "0")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def qr_code(address: str) -> Response:
    out = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        out, kind="svg", scale=8, border=2, light="#fff", xmldecl=False
    )
    return Response(
        out.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"}
    )


def whys(questions: Mapping[str, Question], asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is said to each answer; to numbers, to those that were given. Nobody knows the answer to a typed question."""
    if asked["id"] not in questions:
        return [{"option": option, "ok": None, "message": ""} for option in asked["options"]]
    exercise, state = questions[asked["id"]].exercise, questions[asked["id"]].default_state
    found = []
    for given in asked["options"] or asked["given"]:
        try:
            verdict = exercise.check(
                Number("answer", "").check(given) if asked["options"] is None else given, state
            )
            found.append({"option": given, "ok": verdict.ok, "message": verdict.message})
        except InputError as error:
            found.append({"option": given, "ok": False, "message": str(error)})
        except Exception:
            found.append({"option": given, "ok": None, "message": SORRY})
    return found


def rounds_of(asked: Mapping[str, Any]) -> list[str]:
    return ["before", "after"] if len(asked["rounds"]) > 1 else ["how many"]


def rows_of(asked: Mapping[str, Any]) -> list[tuple[str, list[int], bool | None, str]]:
    """Every answer, how many gave it in each round, whether it is right, and why."""
    whys = {why["option"]: (why["ok"], why["message"]) for why in asked["whys"] or ()}
    rounds = [dict(counts) for counts in asked["rounds"]]
    options = dict.fromkeys(option for counts in rounds for option in counts)
    return [
        (option, [counts.get(option, 0) for counts in rounds], *whys.get(option, (None, "")))
        for option in options
    ]


def table(found: Mapping[str, Any]) -> str:
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["what", "number", "text", "answer", "before", "after", "right"])
    for asked in found["questions"]:
        for option, counts, ok, _ in rows_of(asked):
            right = {True: "yes", False: "no", None: ""}[ok]
            rows.writerow(
                ["asked", asked["n"], harmless(asked["text"]), harmless(option), *[*counts, ""][:2], right]
            )
    for number, (_, lesson, query) in enumerate(found["states"], 1):
        rows.writerow(["shown", number, harmless(f"{lesson}?{query}"), "", "", "", ""])
    return out.getvalue()
