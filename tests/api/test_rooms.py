"""A room over plain HTTP: hostile requests of a member are refused, and private data stays private."""

import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lessons.kit.classroom.store import SqliteStore
from lessons.kit.web import classroom as routes
from lessons.kit.web import code_limiter
from lessons.kit.web.server import Site
from lessons.kit.web.workers import serve_in_thread
from tests.toy import LESSON as TOY

SCRIPT = "<script>alert(1)</script>"


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: Any

    @property
    def told(self) -> Any:
        return json.loads(self.body or b"null")


class Quiet(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def ask(address: str, body: Any = None, secret: str = "", kind: str = "application/json") -> Answer:
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    headers = {"Content-Type": kind} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    try:
        with urllib.request.build_opener(Quiet).open(
            urllib.request.Request(address, data, headers), timeout=60
        ) as answer:
            return Answer(answer.status, answer.read(), answer.headers)
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.read(), error.headers)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[str]:
    from lessons import start

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEQ2SEE_STORE", str(tmp_path_factory.mktemp("rooms") / "store"))
        patch.setattr(routes, "LONG_POLL_SECONDS", 0.1)
        patch.setattr(routes, "REFRESH_SECONDS", 0.02)
        patch.setattr(code_limiter, "NETWORK_DELAY_SECONDS", 0.01)
        with serve_in_thread(Site((TOY,), start, module="tests.toy").asgi()) as address:
            yield address


class Room(NamedTuple):
    site: str
    code: str
    secret: str
    report: str
    member: str

    def lead(self, secret: str | None = None, **what: Any) -> Answer:
        return ask(f"{self.site}/room/{self.code}/lead", what, self.secret if secret is None else secret)

    def state(self, member: str | None = None) -> Answer:
        return ask(
            f"{self.site}/room/{self.code}/state?v=0&at=toy/sizes",
            None,
            self.member if member is None else member,
        )

    def answer(self, answer: Any, member: str | None = None) -> Answer:
        body = {"n": 1, "answer": answer}
        return ask(f"{self.site}/room/{self.code}/answer", body, self.member if member is None else member)

    def join(self) -> str:
        return ask(f"{self.site}/room/{self.code}/join", {}).told["member"]

    def desk(self, secret: str | None = None) -> Answer:
        return ask(
            f"{self.site}/room/{self.code}/desk?v=0&d=0", None, self.secret if secret is None else secret
        )


@pytest.fixture
def room(site: str) -> Room:
    made = ask(f"{site}/room", {})
    assert made.status == 201
    room = Room(site, **made.told, member=ask(f"{site}/room/{made.told['code']}/join", {}).told["member"])
    assert room.state().status == 200
    return room


def test_the_short_link_leads_to_where_the_room_is(room):
    assert (
        room.lead(way="show", lesson="toy", query="experiment=sizes&scale=2", covered=True, by="x").status
        == 204
    )
    answer = ask(f"{room.site}/r/{room.code.lower()}")
    assert answer.status == 303
    assert answer.headers["Location"] == f"../toy?experiment=sizes&scale=2&guess=1&room={room.code}"
    assert ask(f"{room.site}/r?code={room.code}").headers["Location"] == f"r/{room.code}"
    assert ask(f"{room.site}/room/{room.code}/qr.svg").body.startswith(b"<svg")
    missing = ask(f"{room.site}/r/ZZZZZ")
    assert missing.status == 404
    assert b"four letters" in missing.body


def test_a_guess_of_the_course_is_revealed_with_a_why_for_each_option(room):
    assert room.lead(way="ask", id="toy-sizes-predict").status == 204
    seen = room.state().told["question"]
    assert seen["options"] == ["one", "three"]
    assert seen["whys"] is None
    assert room.answer("one").status == 204
    assert room.desk().told["question"]["answered"] == 1
    assert room.lead(way="reveal").status == 204
    assert [(why["option"], why["ok"]) for why in room.state().told["question"]["whys"]] == [
        ("one", False),
        ("three", True),
    ]


def test_a_number_is_asked_and_revealed(room):
    assert room.lead(way="ask", id="toy-check-count").status == 204
    room.answer("2")
    room.lead(way="reveal")
    assert room.state().told["question"]["whys"] == [{"option": "2", "ok": True, "message": "There are 2."}]
    assert room.lead(way="ask", id="toy-check-loud").status == 400, "a challenge has no answer to send"


@pytest.mark.parametrize("secret", ["", "wrong", "a member's"])
def test_a_forged_lead_is_refused(room, secret):
    secret = room.member if secret == "a member's" else secret
    for what in (
        {"way": "show", "lesson": "toy", "query": "", "by": "me"},
        {"way": "reveal"},
        {"way": "close"},
        {"way": "ask", "id": "x"},
    ):
        assert room.lead(secret, **what).status in (400, 403)
    assert room.desk(secret).status == 403
    assert ask(f"{room.site}/room/{room.code}/report?key={secret}").status == 403
    assert room.state().told["lead"] is None
    assert room.secret.encode() not in room.state().body
    assert room.report.encode() not in room.state().body


def test_scripts_are_text(room):
    assert room.lead(way="ask", text=SCRIPT, options=[SCRIPT, "=1+1"]).status == 204
    room.answer(SCRIPT)
    page = ask(f"{room.site}/room/{room.code}/report?key={room.report}").body.decode()
    assert SCRIPT not in page
    assert "&lt;script&gt;" in page
    table = ask(f"{room.site}/room/{room.code}/report.csv?key={room.report}").body.decode()
    assert "'=1+1" in table, "a spreadsheet must not run it"
    assert SCRIPT not in ask(f"{room.site}/r/{urllib.request.quote(SCRIPT, safe='')}").body.decode()


def test_what_is_too_large_or_no_message_is_refused(room):
    answer = f"{room.site}/room/{room.code}/answer"
    room.lead(way="ask", text="?", options=["a", "b"])
    for body in (b"[]", b"{", b"\xff", json.dumps({"x": "y" * 9000}).encode()):
        assert ask(answer, body, room.member).status == 400
    assert ask(answer, {"n": 1, "answer": "a"}, room.member, "text/plain").status == 415, (
        "as a form of another site could"
    )
    for given in ("c", 5, None, ["a"], "a" * 500):
        assert room.answer(given).status == 400
    assert room.lead(way="show", lesson="//evil", query="", by="x").status == 400
    assert room.state("x").status == 401


def test_wrong_codes_slow_down_who_tries_them_and_nobody_inside(room, monkeypatch):
    monkeypatch.setattr(code_limiter, "MAX_NETWORK_MISSES", 4)
    assert room.desk().status == 200
    wrong = f"{room.site}/room/{'BBBB' if room.code != 'BBBB' else 'CCCC'}"
    tried = [
        f"{wrong}/qr.svg",
        f"{wrong}/state",
        f"{wrong}/report?key=x",
        f"{room.site}/r/BBBBB",
        f"{wrong}/desk",
    ]
    assert [ask(address).status for address in tried] == [404] * 5
    monkeypatch.setattr(code_limiter, "MAX_NETWORK_WAITING", 0)  # refuse requests that would have to wait
    assert [ask(address).status for address in tried] == [429] * 5
    assert ask(f"{wrong}/answer", {"n": 1, "answer": "a"}).status == 429
    assert ask(f"{wrong}/join", {}).status == 429
    assert room.state().status == 200, "who is inside stays, though somebody tries codes in the same network"
    assert room.desk().status == 200
    monkeypatch.undo()
    monkeypatch.setattr(code_limiter, "MAX_NETWORK_MISSES", 4)
    assert room.state(room.join()).status == 200, "a right code is taken, if a moment later"


def test_nothing_is_kept_of_answers_that_do_not_count(room, site):
    room.lead(way="ask", text="?", options=["a", "b"])
    before = rows_of_store()
    for number in range(30):
        assert room.answer("a", f"invented-{number}").status == 401
        assert room.answer("c").status == 400
    assert rows_of_store() == before


def rows_of_store() -> int:
    return SqliteStore(Path(f"{os.environ['SEQ2SEE_STORE']}.rooms")).run("select count(*) from kept")[0][0]


@pytest.mark.parametrize(
    "body", [b"[" * 8000, b'{"way": "show", "lesson": "toy", "query": "\\ud800"}', b'{"way": ["show"]}']
)
def test_a_lead_that_cannot_be_read_breaks_nobody(room, body):
    assert ask(f"{room.site}/room/{room.code}/lead", body, room.secret).status == 400
    assert room.state().told["lead"] is None
    assert ask(f"{room.site}/room/{room.code}/report?key={room.report}").status == 200


def test_a_flood_of_answers_ends(room):
    room.lead(way="ask", text="?", options=["a", "b"])
    sent = [room.answer("a").status for _ in range(40)]
    assert sent[0] == 204
    assert sent[-1] == 429


def test_paper_plans_and_answers(site):
    page = ask(
        f"{site}/handout?item=toy%3Fexperiment%3Dsizes%26scale%3D2&hide=answers&paper=letter"
    ).body.decode()
    assert "Which is longer?" in page
    assert "size: letter" in page
    assert "data:image/svg" in page
    assert re.search(r"scale=2(\.0)?&amp;guess=1&amp;hide=answers", page)
    assert "lengths.svg" not in page, "it would give the guess away"
    assert SCRIPT not in ask(f"{site}/handout?title={urllib.request.quote(SCRIPT)}").body.decode()
    assert "is no link" in ask(f"{site}/handout?item=nonsense").body.decode()
    assert "How many words?" in ask(f"{site}/teach/toy").body.decode()
    assert "teach/toy" in ask(f"{site}/teach").body.decode()
    assert [why["ok"] for why in ask(f"{site}/answers/toy-sizes-predict").told] == [False, True]
