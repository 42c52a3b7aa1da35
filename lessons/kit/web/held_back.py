"""Refuse to send the answer of a question to members while their room is answering this question."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse, Response

MEMBER_COOKIE = re.compile("seq2see-([A-Z]{4})")
MAX_ROOMS = 4  # rooms that one browser can be a member of
VERDICT_PATH = re.compile(r"/(?:check|answers)/([\w-]+)")
STATE_PATH = re.compile(r"/(?:export|preview)/([\w-]+)/([\w-]+?)[./].*")
ENDPOINT_PATH = re.compile(r"/gradio_api/(?:call|run)/(?:v2/)?([\w-]+).*")
MESSAGE = "Your room is answering this question now. Your lecturer will show the answer."


class HeldBack:
    """ASGI middleware. It recognises a member's browser by the cookie that was set when the member joined."""

    def __init__(self, app: Any, asked_question: Callable[[str], Awaitable[str]]):
        """`asked_question`: code of a room → id of the question it is answering, or an empty string."""
        self.app, self.asked_question = app, asked_question

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and (about := requested_answer(scope["path"])):
            cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))
            codes = [code[1] for name in cookies if (code := MEMBER_COOKIE.fullmatch(name))]
            asked = [await self.asked_question(code) for code in codes[:MAX_ROOMS]]
            if any(id and (id == about or id == f"{about}-predict") for id in asked):
                headers = {"Cache-Control": "no-store"}
                response: Response = PlainTextResponse(MESSAGE, 403, headers)  # for pictures and numbers
                if not STATE_PATH.fullmatch(scope["path"]):
                    response = JSONResponse({"ok": None, "message": MESSAGE, "error": MESSAGE}, 403, headers)
                return await response(scope, receive, send)
        await self.app(scope, receive, send)


def requested_answer(path: str) -> str:
    """Id of the question, or lesson-experiment, whose answer this path would reveal; "" if none."""
    if found := VERDICT_PATH.fullmatch(path):
        return found[1]
    if found := STATE_PATH.fullmatch(path):
        return f"{found[1]}-{found[2]}"
    if found := ENDPOINT_PATH.fullmatch(path):
        return found[1].replace("_", "-")
    return ""
