"""The rules of a room: who may do what, how often, how much; in both stores."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lessons.kit.room import rules
from lessons.kit.room.rules import Forbidden, Missing, Rooms, TooMany, Unclear
from lessons.kit.room.store import RedisStore, SqliteStore
from tests.bench.serve import free_port, process

ANN, BOB = "ann-0123456789abcdef", "bob-0123456789abcdef"


@pytest.fixture(params=["sqlite", "redis"])
def rooms(request, tmp_path: Path) -> Iterator[Rooms]:
    if request.param == "sqlite":
        yield Rooms(SqliteStore(tmp_path / "rooms"))
        return
    server, port = shutil.which("redis-server"), free_port()
    assert server, "please install redis-server (tests/run does)"
    from redis import ConnectionError as Refused
    from redis import Redis
    from redis.backoff import ConstantBackoff
    from redis.retry import Retry

    with process([server, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]):
        Redis(port=port, retry=Retry(ConstantBackoff(0.1), 100), retry_on_error=[Refused]).ping()
        yield Rooms(RedisStore(f"redis://127.0.0.1:{port}/0"))


@pytest.fixture
def room(rooms: Rooms) -> tuple[str, str]:
    made = rooms.open("desk")
    for member in (ANN, BOB):
        rooms.here(made["code"], member, "toy/sizes", False)
    return made["code"], made["secret"]


def test_a_question_from_asking_to_asking_again(rooms, room):
    code, secret = room
    rooms.ask(code, secret, "Which?", ["one", "two"])
    rooms.answer(code, ANN, 1, "one")
    rooms.answer(code, ANN, 1, "two")  # a change of mind
    desk = rooms.desk(code, secret)["question"]
    assert (desk["answered"], desk["rounds"]) == (1, [None]), "how many, not what"
    seen = rooms.student(code, ANN)["question"]
    assert (seen["yours"], seen["whys"], seen["counts"]) == ("two", None, None)
    rooms.go_on(code, secret, "tell")
    assert rooms.desk(code, secret)["question"]["rounds"] == [[["one", 0], ["two", 1]]]
    assert rooms.student(code, BOB)["question"]["counts"] is None, "only the desk was told"
    rooms.go_on(code, secret, "reveal", [{"option": "two", "ok": True, "message": "Since."}])
    assert rooms.student(code, BOB)["question"]["whys"][0]["message"] == "Since."
    with pytest.raises(Unclear, match="closed"):
        rooms.answer(code, BOB, 1, "two")
    rooms.go_on(code, secret, "again")
    assert rooms.student(code, ANN)["question"]["yours"] is None
    rooms.answer(code, BOB, 1, "one")
    rooms.go_on(code, secret, "tell")
    assert rooms.desk(code, secret)["question"]["rounds"] == [[["one", 0], ["two", 1]], [["one", 1], ["two", 0]]]
    rooms.go_on(code, secret, "done")
    assert rooms.student(code, ANN)["question"] is None


def test_a_link_travels_and_the_last_hand_leads(rooms, room):
    code, secret = room
    before = rooms.versions(code)
    for by in ("one tab", "another"):
        rooms.show(code, secret, {"lesson": "toy", "query": "experiment=sizes", "covered": True, "by": by})
    assert rooms.student(code, ANN)["lead"] == {"lesson": "toy", "query": "experiment=sizes", "covered": True, "by": "another"}
    assert rooms.versions(code) > before
    rooms.turn(code, secret, True)
    assert rooms.student(code, ANN)["turn"]


def test_nobody_leads_without_the_secret(rooms, room):
    code, secret = room
    place = {"lesson": "toy", "query": "", "by": "x"}
    for wrong in ("", "guess", secret[:-1], ANN):
        for deed in (
            lambda wrong=wrong: rooms.show(code, wrong, place),
            lambda wrong=wrong: rooms.ask(code, wrong, "Mine?", ["a", "b"]),
            lambda wrong=wrong: rooms.go_on(code, wrong, "reveal"),
            lambda wrong=wrong: rooms.desk(code, wrong),
            lambda wrong=wrong: rooms.close(code, wrong),
            lambda wrong=wrong: rooms.report(code, wrong),
        ):
            with pytest.raises((Forbidden, TooMany)):
                deed()
    assert secret not in json.dumps(rooms.student(code, ANN))
    assert rooms.student(code, ANN)["lead"] is None


def test_a_free_question_is_for_members(rooms, room):
    code, secret = room
    rooms.ask(code, secret, "Between us?", ["yes", "no"])
    with pytest.raises(Missing):
        rooms.student(code, "nobody-0123456789abc")
    with pytest.raises(Missing):
        rooms.answer(code, "nobody-0123456789abc", 1, "yes")


def test_codes_cannot_be_guessed_fast(rooms, room):
    code, _ = room
    for _ in range(rules.RATES["miss"][0]):
        with pytest.raises(Missing):
            rooms.read("BBBB" if code != "BBBB" else "CCCC", "thief")
    with pytest.raises(TooMany):
        rooms.read("DDDD" if code != "DDDD" else "CCCC", "thief")
    assert rooms.guessing("thief")
    with pytest.raises(TooMany):
        rooms.here(code, "new-0123456789abcdef", "", False, "thief")
    rooms.here(code, ANN, "", False, "thief")  # who is inside stays, though the thief sits in the same net


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", ["a", "b"]),
        ("?", ["a"]),
        ("?", list("abcdef")),
        ("?", ["a", "a"]),
        ("?" * 301, ["a", "b"]),
        ("?", ["a", "b" * 121]),
        ("?", ["a", 1]),
    ],
)
def test_questions_have_a_measure(tmp_path, text, options):
    rooms = Rooms(SqliteStore(tmp_path / "rooms"))
    made = rooms.open("desk")
    with pytest.raises(Unclear):
        rooms.ask(made["code"], made["secret"], text, options)


def test_members_answers_and_floods_are_bounded(tmp_path, monkeypatch):
    rooms = Rooms(SqliteStore(tmp_path / "rooms"))
    made = rooms.open("desk")
    code, secret = made["code"], made["secret"]
    monkeypatch.setattr(rules, "MEMBERS", 2)
    for member in (ANN, BOB):
        rooms.here(code, member, "", False)
    with pytest.raises(TooMany, match="full"):
        rooms.here(code, "eve-0123456789abcdef", "", False)
    rooms.ask(code, secret, "Which?", ["one", "two"])
    for wrong in ("three", "", "x" * 200, None):
        with pytest.raises(Unclear):
            rooms.answer(code, ANN, 1, wrong)
    with pytest.raises(TooMany):
        often(lambda: rooms.answer(code, BOB, 1, "one"))
    for place in (
        {"lesson": "javascript:x", "query": "", "by": ""},
        {"lesson": "toy", "query": "x" * 5000, "by": ""},
        {"lesson": "toy"},
    ):
        with pytest.raises(Unclear):
            rooms.show(code, secret, place)
    with pytest.raises(TooMany):
        often(lambda: rooms.open("somebody"))


def often(deed: Callable[[], object]) -> None:
    for _ in range(40):
        deed()


def test_after_twelve_hours_it_is_gone(tmp_path, monkeypatch):
    rooms = Rooms(SqliteStore(tmp_path / "rooms"))
    made = rooms.open("desk")
    rooms.ask(made["code"], made["secret"], "Which?", ["one", "two"])
    assert rooms.report(made["code"], made["report"])["questions"][0]["text"] == "Which?"
    now = rules.time.time()
    monkeypatch.setattr(rules.time, "time", lambda: now + 12 * 3600 + 2)
    with pytest.raises(Missing):
        rooms.report(made["code"], made["report"])


def test_another_process_goes_on_with_a_room(tmp_path):
    path = tmp_path / "rooms"
    made = Rooms(SqliteStore(path)).open("desk")
    code = """
import sys
from pathlib import Path
from lessons.kit.room.rules import Rooms
from lessons.kit.room.store import SqliteStore
Rooms(SqliteStore(Path(sys.argv[1]))).ask(sys.argv[2], sys.argv[3], "There?", ["yes", "no"])
"""
    subprocess.run([sys.executable, "-c", code, str(path), made["code"], made["secret"]], check=True)
    assert Rooms(SqliteStore(path)).desk(made["code"], made["secret"])["question"]["text"] == "There?"
