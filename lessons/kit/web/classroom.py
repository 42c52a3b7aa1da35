"""The classroom over plain HTTP: any worker answers for any room, and a question that waits for news costs next to nothing."""

import asyncio
import csv
import io
import json
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

from lessons.kit.contract import Choice, InputError, Lesson, Number
from lessons.kit.room import store
from lessons.kit.room.rules import Declined, Forbidden, Missing, Rooms, TooMany, Unclear
from lessons.kit.templates import render
from lessons.kit.web.export import harmless
from lessons.kit.web.questions import Question
from lessons.kit.web.questions import questions as all_questions
from lessons.kit.web.renderer import SORRY
from lessons.kit.web.social_preview import root_of
from lessons.kit.work.line import NO_STORE

STATUS: dict[type[Declined], int] = {Missing: 404, Forbidden: 403, TooMany: 429, Unclear: 400}
LARGEST = 8 * 1024  # bytes of a message
PATIENCE = 15.0  # seconds that a question waits for news
GLANCE = 0.2  # seconds between two looks at a room, however many wait
SIGN = 10.0  # seconds after which a member's sign of life is written again
WAITING = 2000  # questions that may wait in one worker
EACH = 3  # of one member
NOWHERE = "Rooms are not available here: there is no place to keep them."


class ClassroomState:
    """The rooms, as one worker sees them."""

    def __init__(self) -> None:
        self.rooms = Rooms(Later())
        self.glances: dict[str, tuple[float, tuple[int, int]]] = {}  # room → when, versions
        self.signs: dict[tuple[str, str], tuple[float, str]] = {}  # member → when, where
        self.crowds: dict[str, tuple[float, int]] = {}  # room → when, how many are here
        self.shown: dict[str, tuple[float, dict[str, Any]]] = {}  # room → when, what all its members know
        self.waiting: dict[str, int] = {}

    async def leads(self, request: Request, code: object) -> bool:
        """Is this asked by who leads that room?"""
        if secret := secret_of(request):
            with suppress(Declined, ImportError, *NO_STORE):
                return bool(await run_in_threadpool(self.rooms.leading, str(code), secret, visitor_of(request)))
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

    async def sign(self, code: str, member: str, at: str, free: bool, visitor: str, solved: str) -> None:
        seen, where = self.signs.get((code, member), (0.0, ""))
        if where != f"{at} {free} {solved}" or time.monotonic() - seen > SIGN:
            await run_in_threadpool(self.rooms.here, code, member, at, free, visitor, solved)
            self.signs[code, member] = time.monotonic(), f"{at} {free} {solved}"
            forget(self.signs, 2 * SIGN)

    async def seen(self, code: str, member: str, visitor: str) -> dict[str, Any]:
        """What a member may know: read once for all of them, but for their own answer."""
        version, _ = await self.versions(code)
        _, shown = self.shown.get(code, (0.0, {"v": None}))
        if shown["v"] != version:
            shown = await run_in_threadpool(self.rooms.shared, code, visitor)
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
        return HTMLResponse(render(f"kit/templates/{template}.html", up="../" * depth, style=style, **values), status, CLOSED)

    async def lead(request: Request) -> Response:
        code, secret, visitor, given = request.path_params["code"], secret_of(request), visitor_of(request), await message(request)
        way = given.get("way")
        if way == "show":
            if given.get("lesson") not in slugs:
                raise Unclear("There is no such lesson.")
            await run_in_threadpool(rooms.show, code, secret, given, visitor)
        elif way == "turn":
            await run_in_threadpool(rooms.turn, code, secret, given.get("yours") is True, given.get("goal", ""), visitor)
        elif way == "close":
            await run_in_threadpool(rooms.close, code, secret, visitor)
        elif way == "ask":
            await run_in_threadpool(ask, code, secret, given, visitor)
        elif way == "reveal":
            asked = await run_in_threadpool(rooms.asked, code, secret, visitor)
            await run_in_threadpool(rooms.go_on, code, secret, way, await run_in_threadpool(whys, questions, asked), visitor)
        else:
            await run_in_threadpool(rooms.go_on, code, secret, str(way), (), visitor)
        lobby.glances.pop(code, None)
        return Response(status_code=204)

    def ask(code: str, secret: str, given: Mapping[str, Any], visitor: str) -> None:
        """A question of the course by its id, or one that the lecturer has typed."""
        if "id" not in given:
            options = given.get("options")
            if not isinstance(options, list):
                raise Unclear("Please type two to five options.")
            return rooms.ask(code, secret, given.get("text", ""), options, visitor=visitor)
        if given["id"] not in questions or (exercise := questions[given["id"]][0]).answer is None:
            raise Unclear("There is no such question.")
        options = list(exercise.answer.options) if isinstance(exercise.answer, Choice) else None
        return rooms.ask(code, secret, exercise.question, options, given["id"], visitor)

    async def desk(request: Request) -> Response:
        code, secret, visitor = request.path_params["code"], secret_of(request), visitor_of(request)
        seen = tuple(number(request, name) for name in ("v", "d"))
        await run_in_threadpool(rooms.leading, code, secret, visitor)
        await lobby.news(f"{code} desk {request.query_params.get('by', '')[:64]}", code, lambda now: now == seen)
        return JSONResponse(await run_in_threadpool(rooms.desk, code, secret, visitor), headers=CLOSED)

    async def state(request: Request) -> Response:
        code, asked, visitor = request.path_params["code"], request.query_params, visitor_of(request)
        member, seen = asked.get("member", ""), number(request, "v")
        await lobby.sign(code, member, asked.get("at", ""), asked.get("free") == "1", visitor, asked.get("solved", ""))
        await lobby.news(f"{code} {member}", code, lambda now: now[0] == seen)
        return JSONResponse(await lobby.seen(code, member, visitor), headers=CLOSED)

    async def answer(request: Request) -> Response:
        given = await message(request)
        n, code, visitor = given.get("n"), request.path_params["code"], visitor_of(request)
        member, number = str(given.get("member", "")), n if isinstance(n, int) else 0
        await run_in_threadpool(rooms.answer, code, member, number, given.get("answer"), visitor)
        return Response(status_code=204)

    async def open_room(request: Request) -> Response:
        await message(request)
        return JSONResponse(await run_in_threadpool(rooms.open, visitor_of(request)), 201, CLOSED)

    async def join(request: Request) -> Response:
        """The short link: to where the room is."""
        code, visitor = request.path_params["code"].upper(), visitor_of(request)
        try:
            if await run_in_threadpool(rooms.guessing, visitor):
                raise TooMany("Too many codes were tried from here; please wait a minute.")
            found = rooms.common(code, await run_in_threadpool(rooms.read, code, visitor))
            if found["closed"]:
                raise Missing("This room is closed.")
        except Declined as declined:
            return page("join", STATUS[type(declined)], said=str(declined))
        at = found["lead"] or {"lesson": "", "query": "", "covered": False}
        query = "&".join(filter(None, [at["query"], urlencode({"guess": int(at["covered"]), "room": code})]))
        return RedirectResponse(f"../{at['lesson'] or './'}?{query}", 303, CLOSED)

    async def type_in(request: Request) -> Response:
        code = request.query_params.get("code", "").strip().upper()
        return RedirectResponse(f"r/{code}", 303) if code.isalpha() and code.isascii() else page("join", depth=0, said="")

    async def qr(request: Request) -> Response:
        code = request.path_params["code"]
        await run_in_threadpool(rooms.read, code, visitor_of(request))
        return qr_code(f"{root_of(request.url.scheme, request.headers, root)}/r/{code}")

    async def report(request: Request) -> Response:
        key, visitor = request.query_params.get("key", ""), visitor_of(request)
        code = request.path_params["code"]
        found = await run_in_threadpool(rooms.report, code, key, visitor)
        if request.url.path.endswith(".csv"):
            about = {"Content-Disposition": f'attachment; filename="room-{code}.csv"'}
            return Response(table(found), media_type="text/csv; charset=utf-8", headers=CLOSED | about)
        hours = max(0, round((found["ends"] - time.time()) / 3600))
        questions = [(asked["text"], rounds_of(asked), rows_of(asked)) for asked in found["questions"]]
        return page("report", depth=2, key=key, hours=hours, code=code, questions=questions, states=found["states"])

    async def askable(request: Request) -> Response:
        """What of a lesson can be put to a room."""
        slug = request.path_params["lesson"]
        found = {id: item.question for id, (item, _) in questions.items() if id.startswith(f"{slug}-") and item.answer}
        return JSONResponse(
            [{"id": id, "text": text} for id, text in found.items()], headers={"Cache-Control": "public, max-age=3600"}
        )

    found = {
        ("/room", "POST"): open_room,
        ("/room/{code}/lead", "POST"): lead,
        ("/room/{code}/answer", "POST"): answer,
        ("/room/{code}/desk", "GET"): desk,
        ("/room/{code}/state", "GET"): state,
        ("/room/{code}/qr.svg", "GET"): qr,
        ("/room/{code}/report", "GET"): report,
        ("/room/{code}/report.csv", "GET"): report,
        ("/questions/{lesson}", "GET"): askable,
        ("/r", "GET"): type_in,
        ("/r/{code}", "GET"): join,
    }
    return [Route(path, answered(do), methods=[method]) for (path, method), do in found.items()]


CLOSED = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}


def answered(do: Callable) -> Callable:
    """Every refusal is a sentence."""

    async def answer(request: Request) -> Response:
        try:
            return await do(request)
        except Declined as declined:
            return JSONResponse({"message": str(declined)}, STATUS[type(declined)], CLOSED)
        except (*NO_STORE, ImportError):
            return JSONResponse({"message": NOWHERE}, 503, CLOSED)

    return answer


async def message(request: Request) -> dict[str, Any]:
    body = await request.body()
    if len(body) > LARGEST:
        raise Unclear(f"At most {LARGEST // 1024} KB, please.")
    try:
        given = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict) or not request.headers.get("content-type", "").startswith("application/json"):
        raise Unclear("Please send a JSON object.")  # which no form of another site can
    return given


def secret_of(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ")[:64]


def visitor_of(request: Request) -> str:
    return request.client.host if request.client else ""


def number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "0")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def qr_code(address: str) -> Response:
    out = io.BytesIO()
    segno.make(address, error="m", micro=False).save(out, kind="svg", scale=8, border=2, light="#fff", xmldecl=False)
    return Response(out.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


def whys(questions: Mapping[str, Question], asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is said to each answer; to numbers, to those that were given. Nobody knows the answer to a typed question."""
    if asked["id"] not in questions:
        return [{"option": option, "ok": None, "message": ""} for option in asked["options"]]
    exercise, state = questions[asked["id"]].exercise, questions[asked["id"]].default_state
    found = []
    for given in asked["options"] or asked["given"]:
        try:
            verdict = exercise.check(Number("answer", "").check(given) if asked["options"] is None else given, state)
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
    return [(option, [counts.get(option, 0) for counts in rounds], *whys.get(option, (None, ""))) for option in options]


def table(found: Mapping[str, Any]) -> str:
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["what", "number", "text", "answer", "before", "after", "right"])
    for asked in found["questions"]:
        for option, counts, ok, _ in rows_of(asked):
            right = {True: "yes", False: "no", None: ""}[ok]
            rows.writerow(["asked", asked["n"], harmless(asked["text"]), harmless(option), *[*counts, ""][:2], right])
    for number, (_, lesson, query) in enumerate(found["states"], 1):
        rows.writerow(["shown", number, harmless(f"{lesson}?{query}"), "", "", "", ""])
    return out.getvalue()
