"""Classroom service: permissions, rate limits and size limits, with both stores."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lessons.kit.classroom import service
from lessons.kit.classroom import store as module
from lessons.kit.classroom.service import (
    Forbidden,
    InvalidRequest,
    LimitReached,
    NotAMember,
    NotLeading,
    RoomNotFound,
    RoomService,
)
from lessons.kit.classroom.store import RedisStore, SqliteStore
from tests.bench.serve import ROOT, free_port, run_process
from tests.helpers import WITHOUT_COURSE


class Room(NamedTuple):
    code: str
    secret: str
    ann: str
    bob: str


def open_room(rooms: RoomService) -> Room:
    """Open a room with two members."""
    made = rooms.open_room("desk")
    room = Room(made["code"], made["secret"], rooms.join(made["code"]), rooms.join(made["code"]))
    for token in (room.ann, room.bob):
        rooms.record_presence(room.code, token, "toy/sizes", False)
    return room


def seen(rooms: RoomService, room: Room, token: str) -> dict[str, Any]:
    """Return what a member sees."""
    shown = rooms.member_state(room.code)
    return shown | {
        "question": (
            shown["question"]
            and shown["question"] | {"yours": rooms.own_answer(room.code, shown["question"], token)}
        )
    }


@pytest.fixture(params=["sqlite", "redis"])
def rooms(request, tmp_path: Path) -> Iterator[RoomService]:
    if request.param == "sqlite":
        yield RoomService(SqliteStore(tmp_path / "rooms"))
        return
    server, port = shutil.which("redis-server"), free_port()
    assert server, "please install redis-server (tests/run does)"
    from redis import ConnectionError as Refused
    from redis import Redis
    from redis.backoff import ConstantBackoff
    from redis.retry import Retry

    with run_process(
        [server, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    ):
        Redis(port=port, retry=Retry(ConstantBackoff(0.1), 100), retry_on_error=[Refused]).ping()
        yield RoomService(RedisStore(f"redis://127.0.0.1:{port}/0"))


@pytest.fixture
def room(rooms: RoomService) -> Room:
    return open_room(rooms)


def test_a_question_from_asking_to_asking_again(rooms, room):
    code, secret, ann, bob = room
    rooms.ask(code, secret, "Which?", ["one", "two"])
    rooms.record_answer(code, ann, 1, "one")
    rooms.record_answer(code, ann, 1, "two")  # ann changes her answer
    desk = rooms.lecturer_state(code, secret)["question"]
    assert (desk["answered"], desk["rounds"]) == (1, [None]), "how many, not what"
    found = seen(rooms, room, ann)["question"]
    assert (found["yours"], found["whys"], found["counts"]) == ("two", None, None)
    rooms.advance_question(code, secret, "tell")
    assert rooms.lecturer_state(code, secret)["question"]["rounds"] == [[["one", 0], ["two", 1]]]
    assert seen(rooms, room, bob)["question"]["counts"] is None, "only the desk was told"
    with pytest.raises(InvalidRequest, match="shown in front"):
        rooms.record_answer(code, ann, 1, "one")
    rooms.advance_question(code, secret, "reveal", [{"option": "two", "ok": True, "message": "Since."}])
    assert seen(rooms, room, bob)["question"]["whys"][0]["message"] == "Since."
    with pytest.raises(InvalidRequest, match="closed"):
        rooms.record_answer(code, bob, 1, "two")
    rooms.advance_question(code, secret, "again")
    assert seen(rooms, room, ann)["question"]["yours"] is None
    rooms.record_answer(code, bob, 1, "one")
    rooms.advance_question(code, secret, "tell")
    assert rooms.lecturer_state(code, secret)["question"]["rounds"] == [
        [["one", 0], ["two", 1]],
        [["one", 1], ["two", 0]],
    ]
    rooms.advance_question(code, secret, "done")
    assert seen(rooms, room, ann)["question"] is None


def test_a_link_travels_and_the_last_hand_leads(rooms, room):
    code, secret, ann, _ = room
    before = rooms.versions(code)
    rooms.set_position(code, secret, "toy", "experiment=sizes", covered=True, by="one tab")
    with pytest.raises(NotLeading, match="lead from here"):
        rooms.set_position(code, secret, "toy", "", by="another")
    place = {"covered": True, "by": "another", "focus": "toy-sizes-act-table"}
    rooms.set_position(code, secret, "toy", "experiment=sizes", take=True, **place)
    assert seen(rooms, room, ann)["lead"] == {
        "lesson": "toy",
        "query": "experiment=sizes",
        "covered": True,
        "focus": "toy-sizes-act-table",
        "by": "another",
    }
    assert rooms.versions(code) > before
    rooms.set_turn(code, secret, True)
    assert seen(rooms, room, ann)["turn"]


def test_nobody_leads_without_the_secret(rooms, room):
    code, secret, ann, _ = room
    for wrong in ("", "guess", secret[:-1], ann):
        for deed in (
            lambda wrong=wrong: rooms.set_position(code, wrong, "toy", ""),
            lambda wrong=wrong: rooms.ask(code, wrong, "Mine?", ["a", "b"]),
            lambda wrong=wrong: rooms.advance_question(code, wrong, "reveal"),
            lambda wrong=wrong: rooms.lecturer_state(code, wrong),
            lambda wrong=wrong: rooms.close_room(code, wrong),
            lambda wrong=wrong: rooms.report(code, wrong),
        ):
            with pytest.raises((Forbidden, LimitReached)):
                deed()
    assert secret not in json.dumps(seen(rooms, room, ann))
    assert seen(rooms, room, ann)["lead"] is None


def test_only_tokens_of_the_room_count(rooms, room):
    code, secret, ann, _ = room
    other = open_room(rooms)
    rooms.ask(code, secret, "Between us?", ["yes", "no"])
    id, _, signed = ann.partition(".")
    for token in ("", id, f"{id}.", f"x{ann}", f"{id}.{'0' * len(signed)}", "é.é", other.ann):
        with pytest.raises(NotAMember):
            rooms.record_presence(code, token, "toy/sizes", False)
        with pytest.raises(NotAMember):
            rooms.record_answer(code, token, 1, "yes")
    assert rooms.lecturer_state(code, secret)["here"] == 2


def test_joining_keeps_nothing(rooms, room):
    before = rooms.store.all(f"room {room.code} members")
    for _ in range(20):
        rooms.join(room.code)
    assert rooms.store.all(f"room {room.code} members") == before


def test_a_full_room_has_place_for_those_who_are_there(rooms, room, monkeypatch):
    code, _, ann, bob = room
    monkeypatch.setattr(service, "MAX_MEMBERS", 2)
    eve = rooms.join(code)
    with pytest.raises(LimitReached, match="full"):
        rooms.record_presence(code, eve, "", False)
    now = service.time.time()
    monkeypatch.setattr(service.time, "time", lambda: now + service.SEAT_SECONDS + 1)
    rooms.record_presence(code, bob, "", False)
    rooms.record_presence(code, eve, "", False)  # eve takes the place of ann, who has left
    with pytest.raises(LimitReached, match="full"):
        rooms.record_presence(code, ann, "", False)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", ["a", "b"]),
        ("?", ["a"]),
        ("?", list("abcdef")),
        ("?", ["a", "a"]),
        ("?" * 301, ["a", "b"]),
        ("?", ["a", "b" * 121]),
    ],
)
def test_questions_have_a_measure(tmp_path, text, options):
    rooms = RoomService(SqliteStore(tmp_path / "rooms"))
    made = rooms.open_room("desk")
    with pytest.raises(InvalidRequest):
        rooms.ask(made["code"], made["secret"], text, options)


def test_answers_and_floods_are_bounded(tmp_path, monkeypatch):
    rooms = RoomService(SqliteStore(tmp_path / "rooms"))
    code, secret, ann, bob = open_room(rooms)
    monkeypatch.setattr(service, "MAX_MEMBERS", 2)
    rooms.ask(code, secret, "Which?", ["one", "two"])
    for wrong in ("three", "", "x" * 200):
        with pytest.raises(InvalidRequest):
            rooms.record_answer(code, ann, 1, wrong)
    with pytest.raises(LimitReached):
        often(lambda: rooms.record_answer(code, bob, 1, "one"))
    wrong_places = [("javascript:x", "", "", ""), ("toy", "x" * 5000, "", ""), ("toy", "", "x" * 65, "")]
    for lesson, query, by, focus in [*wrong_places, ("toy", "", "", "<b>"), ("toy", "", "", "x" * 200)]:
        with pytest.raises(InvalidRequest):
            rooms.set_position(code, secret, lesson, query, by=by, focus=focus)
    with pytest.raises(LimitReached):
        often(lambda: rooms.open_room("somebody"))


def often(deed: Callable[[], object]) -> None:
    for _ in range(80):
        deed()


def test_what_has_ended_is_swept_while_the_server_runs(tmp_path, monkeypatch):
    store = SqliteStore(tmp_path / "rooms")
    for number in range(9):
        store.put("rate", str(number), "1", -1)
    monkeypatch.setattr(module, "CLEANUP_SECONDS", 0.0)
    store.put("rate", "last", "1", 60)
    assert store.run("select field from kept") == [("last",)]


def test_after_twelve_hours_it_is_gone(tmp_path, monkeypatch):
    rooms = RoomService(SqliteStore(tmp_path / "rooms"))
    made = rooms.open_room("desk")
    rooms.ask(made["code"], made["secret"], "Which?", ["one", "two"])
    assert rooms.report(made["code"], made["report"])["questions"][0]["text"] == "Which?"
    now = service.time.time()
    monkeypatch.setattr(service.time, "time", lambda: now + 12 * 3600 + 2)
    with pytest.raises(RoomNotFound):
        rooms.report(made["code"], made["report"])


def test_another_process_goes_on_with_a_room(tmp_path):
    path = tmp_path / "rooms"
    made = RoomService(SqliteStore(path)).open_room("desk")
    code = """
import sys
from pathlib import Path
from lessons.kit.classroom.service import RoomService
from lessons.kit.classroom.store import SqliteStore
RoomService(SqliteStore(Path(sys.argv[1]))).ask(sys.argv[2], sys.argv[3], "There?", ["yes", "no"])
"""
    subprocess.run(
        [sys.executable, "-c", WITHOUT_COURSE + code, str(path), made["code"], made["secret"]],
        cwd=ROOT,
        check=True,
    )
    assert (
        RoomService(SqliteStore(path)).lecturer_state(made["code"], made["secret"])["question"]["text"]
        == "There?"
    )
