"""A room over plain HTTP: hostile requests of a member are refused, and private data stays private."""

import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lessons.kit.classroom import service
from lessons.kit.classroom.store import SqliteStore
from lessons.kit.web import classroom as routes
from lessons.kit.web import code_limiter, teach
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
        patch.setenv("SEQ2SEE_TEACH", "the-key")
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


def test_a_report_names_states_in_short(room):
    room.lead(way="show", lesson="toy", query="experiment=sizes&words=" + "0;" * 400, by="tab")
    page = ask(f"{room.site}/room/{room.code}/report?key={room.report}").body.decode()
    assert "words = 0;0;" in page
    assert max(map(len, re.findall(">([^<]+)</a>", page))) < 120


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
    monkeypatch.setattr(code_limiter, "MAX_NETWORK_WAITING", 0)  # refuse answers that would have to wait
    assert [ask(address).status for address in tried] == [429] * 5
    assert ask(f"{wrong}/answer", {"n": 1, "answer": "a"}).status == 429
    assert ask(f"{wrong}/join", {}).status == 429
    assert room.state().status == 200, "who is inside stays, though somebody tries codes in the same network"
    assert room.desk().status == 200
    began = time.monotonic()
    codes = [ask(f"{room.site}/r/{room.code}").status for _ in range(20)]
    tokens = {room.join() for _ in range(20)}
    assert (codes, len(tokens)) == ([303] * 20, 20), "the rest of the campus joins at the same address"
    assert time.monotonic() - began < 60 * 40 / service.MAX_MEMBERS, "a full room joins within a minute"


def test_one_vote_per_browser(room):
    room.lead(way="ask", text="?", options=["a", "b"])
    request = urllib.request.Request(
        f"{room.site}/room/{room.code}/join", b"{}", {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as first:
        token, cookie = json.loads(first.read())["member"], first.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    request.add_header("Cookie", cookie.partition(";")[0])
    for _ in range(3):  # the same browser leaves and joins again
        with urllib.request.urlopen(request) as again:
            assert json.loads(again.read())["member"] == token
        room.state(token)
        assert room.answer("a", token).status == 204
    assert room.desk().told["question"]["answered"] == 1
    request.add_header("Cookie", f"seq2see-{room.code}=forged.{'0' * 32}")
    with urllib.request.urlopen(request) as other:
        assert json.loads(other.read())["member"] != "forged"


def test_no_more_answers_than_people(room, monkeypatch):
    room.lead(way="ask", text="?", options=["a", "b"])
    for _ in range(6):
        token = room.join()
        room.state(token)
        assert room.answer("a", token).status == 204
    now = service.time.time()
    monkeypatch.setattr(service.time, "time", lambda: now + service.PRESENT_SECONDS + 1)
    asked = room.desk().told
    assert asked["here"] == 0
    assert (asked["question"]["answered"], asked["question"]["of"]) == (6, 6)


def test_a_shut_door_and_an_expected_number(room):
    assert room.lead(way="door", open=True, expects=2).status == 204
    assert room.state(room.join()).status == 200
    assert room.state(room.join()).status == 429, "two are expected"
    assert room.lead(way="door", open=False, expects=400).status == 204
    assert ask(f"{room.site}/room/{room.code}/join", {}).status == 429
    assert room.state().status == 200, "who is inside stays"
    assert room.lead(way="door", open=True, expects=0).status == 400


def test_a_question_is_reset(room):
    room.lead(way="ask", text="?", options=["a", "b"])
    room.answer("a")
    assert room.lead(way="reset").status == 204
    assert room.desk().told["question"]["answered"] == 0
    assert room.state().told["question"]["yours"] is None
    assert room.answer("b").status == 204


def test_numbers_that_are_equal_share_a_bar(room):
    assert room.lead(way="ask", text="What is $2/3$?", kind="number", right="2/3").status == 204
    members = [room.member, *(room.join() for _ in range(4))]
    for token, typed in zip(members, ["0.67", "0,67", "2/3", "1/3", "0.33"], strict=True):
        room.state(token)
        assert room.answer(typed, token).status == 204
    for typed in ("many", "1/0", "nan", "1e400", "1/2/3"):
        assert room.answer(typed).status == 400
    room.lead(way="reveal")
    question = room.state().told["question"]
    assert sorted(question["counts"]) == [["0.33", 2], ["0.67", 3]]
    assert {why["option"]: why["ok"] for why in question["whys"]}["0.666667"]


def test_typed_answers_are_shown_when_the_lecturer_passes_them(room):
    assert room.lead(way="ask", text="Why?", kind="text", right="Since.").status == 204
    room.answer("because")
    assert b"because" not in ask(f"{room.site}/room/{room.code}/state?v=0", None, room.join()).body
    assert room.desk().told["question"]["given"] == ["because"]
    assert room.lead(way="pass", text="never said").status == 400
    assert room.lead(way="pass", text="because").status == 204
    assert room.state().told["question"]["passed"] == ["because"]
    assert "Since." not in room.state().body.decode()
    room.lead(way="reveal")
    assert room.state().told["question"]["counts"] == [["because", 1]]
    assert room.state().told["question"]["whys"][0]["option"] == "Since."


def test_a_timer_ends_the_answers(room, monkeypatch):
    assert room.lead(way="ask", text="?", options=["a", "b"], seconds=30, right="b").status == 204
    assert room.state().told["question"]["ends"] > time.time()
    assert room.answer("a").status == 204
    now = service.time.time()
    monkeypatch.setattr(service.time, "time", lambda: now + 40)
    late = room.answer("b")
    assert late.status == 400
    assert "time" in late.told["message"]
    room.lead(way="reveal")
    assert [why["ok"] for why in room.state().told["question"]["whys"]] == [False, True]
    assert room.lead(way="ask", text="?", options=["a", "b"], seconds=-1).status == 400
    assert room.lead(way="ask", text="?", options=["a", "b"], right="c").status == 400


def test_a_prepared_set_runs_in_order(room):
    questions = [{"id": "toy-sizes-predict"}, {"text": "How many?", "kind": "number", "right": "2"}]
    assert room.lead(way="set", questions=questions).status == 204
    assert room.desk().told["prepared"] == ["Which is longer?", "How many?"]
    for text in ("Which is longer?", "How many?"):
        assert room.lead(way="next").status == 204
        assert room.state().told["question"]["text"] == text
    assert room.lead(way="next").status == 400
    assert b"Which is longer" not in room.state().body
    for wrong in ([{"id": "none"}], [{"text": ""}], [{"text": "?", "options": ["a"]}], [{"text": "?"}] * 41):
        assert room.lead(way="set", questions=wrong).status == 400
    assert room.lead(room.member, way="set", questions=questions).status == 403


def test_questions_from_the_audience_are_passed_on_by_the_lecturer(room):
    speak = f"{room.site}/room/{room.code}/speak"
    assert ask(speak, {"text": SCRIPT}, room.member).status == 204
    assert SCRIPT.encode() not in room.state().body
    [asked] = room.desk().told["asked"]
    assert asked["text"] == SCRIPT
    assert room.lead(way="hear", n=asked["n"]).status == 204
    assert room.state().told["spoken"] == SCRIPT
    assert room.lead(way="drop", n=asked["n"]).status == 204
    assert room.state().told["spoken"] == ""
    assert room.lead(way="hear", n=99).status == 400
    for text in ("", "x" * 301):
        assert ask(speak, {"text": text}, room.member).status == 400
    assert ask(speak, {"text": "?"}, "invented").status == 401
    assert [ask(speak, {"text": "?"}, room.member).status for _ in range(8)][-1] == 429


def test_a_remote_presses_on_the_tab_that_leads(room):
    assert room.lead(way="press", command="on").status == 204
    assert room.lead(way="press", command="on").status == 204
    assert room.desk().told["pressed"] == [2, "on"]
    assert room.lead(way="press", command="rm -rf").status == 400
    assert room.lead(room.member, way="press", command="on").status == 403


def test_answers_are_held_back_from_members_while_the_room_asks(room):
    """The browser of a member is known by its cookie, so a lecturer and other visitors are not concerned."""
    member = {"Cookie": f"seq2see-{room.code}={room.member}"}
    places = {
        "/check/toy-sizes-predict": {"answer": "three"},
        "/answers/toy-sizes-predict": None,
        "/export/toy/sizes/lengths.json": None,
        "/preview/toy/sizes.png": None,
        "/gradio_api/call/toy_sizes": {"data": []},
    }

    def statuses() -> list[int]:
        return [status_of(f"{room.site}{path}", body, member) for path, body in places.items()]

    assert 403 not in statuses()
    room.lead(way="ask", id="toy-sizes-predict")
    room.state()
    assert statuses() == [403] * 5
    assert status_of(f"{room.site}/check/toy-check-count", {"answer": 2}, member) == 200, "another question"
    assert status_of(f"{room.site}/answers/toy-sizes-predict", None, {}) == 200, "the stage"
    room.lead(way="reveal")
    room.state()
    assert 403 not in statuses()


def status_of(address: str, body: Any, headers: dict[str, str]) -> int:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, headers | {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_a_preview_does_not_give_the_guess_away(site):
    page = ask(f"{site}/toy?experiment=sizes").body.decode()
    assert "Which is longer?" in re.search(r'og:description" content="([^"]*)', page)[1]
    assert "Word 1 is" not in page.partition("</head>")[0]
    moved = ask(f"{site}/toy?experiment=sizes&scale=2").body.decode()
    assert "Word 1 is" in moved.partition("</head>")[0]
    assert ask(f"{site}/preview/toy/sizes.png").body != ask(f"{site}/preview/toy/sizes.png?scale=2").body


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
    assert 'alt="How long"' not in page, "it would give the guess away"
    assert SCRIPT not in ask(f"{site}/handout?title={urllib.request.quote(SCRIPT)}").body.decode()
    assert "is no link" in ask(f"{site}/handout?item=nonsense").body.decode()
    assert "9 pt" not in page
    assert page.count("Why?") == 1
    assert f"{site.partition('://')[2]}/toy?experiment=sizes" in page, "the address in type"
    assert "Phones cannot reach" in page
    assert "It has 5 letters" not in page, "answers are for the lecturer"
    assert (
        "It has 5 letters" in ask(f"{site}/handout?item=toy%3Fexperiment%3Dsizes&key=the-key").body.decode()
    )


@pytest.mark.parametrize(
    ("title", "on_paper"),
    [
        ("Logits u: drag a bar", "Logits u"),
        ("Drag the values v; c is their weighted mean", "The values v; c is their weighted mean"),
        ("One word’s numbers, to drag: mean 0.1, spread 1.2", "One word’s numbers: mean 0.1, spread 1.2"),
        ("Attention weights", "Attention weights"),
        ("Logits u (drag a bar)", "Logits u"),
        ("From X to Y. You can change underlined numbers: click and type, or drag sideways", "From X to Y"),
        ("Next word: choose one (⚂: the random draw)", "Next word (⚂: the random draw)"),
        ("c makes the first state", "c makes the first state"),
    ],
)
def test_nothing_can_be_dragged_on_paper(title, on_paper):
    assert teach.paper_title(title) == on_paper


def test_plans_open_with_the_lecturers_link(site, room):
    assert "teach/toy" in ask(f"{site}/teach").body.decode()
    for wrong in ("", "?key=", "?key=wrong", f"?key={room.secret}"):
        assert ask(f"{site}/teach/toy{wrong}").status == 403
    page = ask(f"{site}/teach/toy?key=the-key").body.decode()
    assert "How many words?" in page
    cookie = ask(f"{site}/teach?key=the-key").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert status_of(f"{site}/teach/toy", None, {"Cookie": cookie.partition(";")[0]}) == 200


def test_notes_are_for_the_lecturer_of_a_room(site, room):
    notes = f"{site}/teach/notes/toy?room={room.code}"
    assert ask(notes, None, room.member).status == 403
    assert ask(f"{site}/teach/notes/toy", None, room.secret).status == 403
    first = ask(notes, None, room.secret).told[0]
    assert (first["slug"], first["ask"]) == ("sizes", "Which is longer?")
    assert [one["ok"] for one in first["options"]] == [False, True]
    assert ask(f"{site}/teach/remote").status == 200


def test_only_a_lecturer_on_this_machine_is_told_its_addresses(site):
    addresses = ask(f"{site}/addresses").told["addresses"]
    assert all(not one.startswith("127.") for one in addresses)
    request = urllib.request.Request(f"{site}/addresses", headers={"Host": "course.example.org"})
    with urllib.request.urlopen(request) as answer:
        assert json.loads(answer.read()) == {"addresses": []}


def test_answers_of_check_yourself_for_a_presentation(site):
    assert [why["ok"] for why in ask(f"{site}/answers/toy-sizes-predict").told] == [False, True]
