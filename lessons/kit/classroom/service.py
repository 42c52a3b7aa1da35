"""Classroom rules: a lecturer with the room's secret leads; members with a token follow and answer.

A room consists of a link, a question, a few counters and answers, and lasts twelve hours. All data is in the
store, so any process can answer.
"""

import hashlib
import hmac
import json
import re
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from lessons.kit.classroom.store import Store
from lessons.kit.controls import parse_number
from models.vocabulary import InputError

ROOM_SECONDS = 12 * 3600.0
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so that codes are not words
CODE_PATTERN = re.compile(f"[{CODE_LETTERS}]{{4}}")
LESSON_PATTERN = re.compile(r"[a-z0-9-]{0,40}")
FOCUS_PATTERN = re.compile(r"[\w-]{0,120}")  # id of the part of the page that the lecturer shows
SOLVED_PATTERN = re.compile(r"[a-z0-9.-]{0,300}")  # slugs of exercises, joined by dots
# the most rooms in all; the other limits are per room
MAX_ROOMS, MAX_MEMBERS, MAX_QUESTIONS, MAX_STATES = 500, 400, 40, 200
MAX_SPOKEN = 100  # questions from the audience, per room
MAX_SECONDS = 900  # longest timer of a question
SAME_NUMBER = 0.0051  # numbers that differ by less share a bar: half a unit of the second decimal
MAX_CHARS = {"query": 4000, "question": 300, "option": 120, "answer": 120, "goal": 160}
COMMANDS = {"on", "back", "menu", "black", "closer", "hide"}  # what a remote can press on the tab that leads
GRACE_SECONDS = 2.0  # accept answers that were sent just before the timer ended
PRESENT_SECONDS = 45.0  # a member is present for this time after their last request
SEAT_SECONDS = 180.0  # a full room may reassign a seat this long after its last request
RATE_LIMITS = {  # action → (number of requests, seconds)
    "open": (60, 3600),  # limits per network
    "join": (600, 60),  # limits per room
    "answer": (30, 60),
    "speak": (5, 60),
    "lead": (600, 60),
}


class ClassroomError(Exception):
    """A refused request. The message says why and what to do."""


class RoomNotFound(ClassroomError):
    """There is no such room, or it is closed."""


class NotAMember(ClassroomError):
    """The token is not valid for this room, or the member has lost their seat and must join again."""


class Forbidden(ClassroomError):
    """Only the lecturer may do this."""


class NotLeading(ClassroomError):
    """Another tab of the lecturer leads the room."""


class LimitReached(ClassroomError):
    """Too many rooms, members, questions or requests."""


class InvalidRequest(ClassroomError):
    """The content of the request is invalid."""


class RoomService:
    def __init__(self, store: Store):
        self.store = store

    # ---- rooms ----

    def open_room(self, visitor: str) -> dict[str, str]:
        """Open a room and return its code, the lecturer's secret and the key of its report.

        `visitor`: the network, for the rate limit.
        """
        self.check_rate("open", visitor)
        if len(self.store.all("rooms")) >= MAX_ROOMS:
            raise LimitReached("All rooms are taken; please try again later.")
        secret, report = secrets.token_urlsafe(18), secrets.token_urlsafe(12)
        code = random_code()
        while not self.store.add("rooms", code, "open", ROOM_SECONDS):  # this code is in use: try another one
            code = random_code()
        fields = {
            "key": secrets.token_hex(16),
            "secret": hash_secret(secret),
            "report": report,
            "ends": str(time.time() + ROOM_SECONDS),
            "v": "1",
            "d": "1",
        }
        for field, value in fields.items():
            self.store.put(room_key(code), field, value, ROOM_SECONDS)
        return {"code": code, "secret": secret, "report": report}

    def load_room(self, code: str) -> dict[str, str]:
        """Load the fields of a room; raise RoomNotFound if there is none."""
        room = self.store.all(room_key(code)) if CODE_PATTERN.fullmatch(code) else {}
        if "secret" not in room:
            raise RoomNotFound("There is no such room. Please check its four letters.")
        return room

    def authorize_lecturer(self, code: str, secret: str) -> dict[str, str]:
        """Return the fields of a room; raise an error unless this is its lecturer's secret."""
        room = self.load_room(code)
        if not hmac.compare_digest(room["secret"], hash_secret(secret)):
            raise Forbidden("Only the lecturer of this room can do this.")
        return room

    def check_rate(self, action: str, key: str) -> None:
        """Count a request; refuse it if there are too many from this network, room or member."""
        limit, seconds = RATE_LIMITS[action]
        if self.store.count(f"rate {action} {key}", str(int(time.time() // seconds)), seconds) > limit:
            raise LimitReached("You are sending this too often. Wait a minute, then try again.")

    def close_room(self, code: str, secret: str) -> None:
        """Close the room for members. The report stays available until the room's data expire."""
        self.put_field(self.authorize_lecturer(code, secret), code, "closed", "1")
        self.bump_version(code)

    def put_field(self, room: Mapping[str, str], code: str, field: str, value: str, key: str = "") -> None:
        """Store a field that expires with the room."""
        self.store.put(room_key(code, key), field, value, seconds_left(room))

    def bump_version(self, code: str, for_lecturer: bool = False) -> None:
        """Increase the version that members see, or the version for the lecturer."""
        self.store.count(room_key(code), "d" if for_lecturer else "v", ROOM_SECONDS)

    def versions(self, code: str) -> tuple[int, int]:
        """Versions of the room for members and for the lecturer."""
        room = self.store.all(room_key(code))
        return int(room.get("v", 0)), int(room.get("d", 0))

    # ---- members ----

    def join(self, code: str, known: str = "") -> str:
        """Create a token for a new member. It is not stored: its signature is verified.

        `known`: the token that this browser got before; the same browser stays the same member.
        """
        room = self.load_room(code)
        if "closed" in room:
            raise RoomNotFound("This room is closed.")
        with suppress(NotAMember):
            self.verify_token(room, known)
            return known
        self.check_rate("join", code)
        if room.get("door") == "shut":
            raise LimitReached("The door of this room is shut. Ask your lecturer to open it.")
        id = secrets.token_urlsafe(9)
        return f"{id}.{sign_token(room, id)}"

    def verify_token(self, room: Mapping[str, str], token: str) -> str:
        """Verify a token and return the member's id."""
        id, _, signed = token.partition(".")
        if not hmac.compare_digest(sign_token(room, id).encode(), signed.encode()):
            raise NotAMember("Please join again, with the code of the room.")
        return id

    def record_presence(self, code: str, token: str, at: str, free: bool, solved: str = "") -> None:
        """Store a member's page and the exercises they have solved there. A new member needs a seat."""
        room = self.load_room(code)
        member = self.verify_token(room, token)
        if len(at) > 80 or not SOLVED_PATTERN.fullmatch(solved):
            raise InvalidRequest("Please send the experiment where you are.")
        if self.store.get(room_key(code, "members"), member) is None:
            self.free_seat(code, int(room.get("expects", MAX_MEMBERS)))
            self.bump_version(code, for_lecturer=True)
        self.put_field(room, code, member, json.dumps([time.time(), at, free, solved]), "members")

    def free_seat(self, code: str, seats: int) -> None:
        """In a full room, remove members who have been away for SEAT_SECONDS."""
        members = self.store.all(room_key(code, "members"))
        if len(members) < min(seats, MAX_MEMBERS):
            return
        gone = [
            member for member, sign in members.items() if time.time() - json.loads(sign)[0] > SEAT_SECONDS
        ]
        if not gone:
            raise LimitReached("This room is full.")
        self.store.remove(room_key(code, "members"), gone)

    def present_members(self, code: str) -> dict[str, tuple[str, str]]:
        """Members who are present: id → (page, solved exercises)."""
        members = {id: json.loads(text) for id, text in self.store.all(room_key(code, "members")).items()}
        return {
            id: (at, solved)
            for id, (seen, at, _, solved) in members.items()
            if time.time() - seen < PRESENT_SECONDS
        }

    def count_present(self, code: str) -> tuple[Counter[str], Counter[str]]:
        """Count present members by page, and by solved exercise of their current lesson."""
        present = [(at, set(solved.split(".")) - {""}) for at, solved in self.present_members(code).values()]
        solved_counts = Counter(f"{at.partition('/')[0]}/{slug}" for at, slugs in present for slug in slugs)
        return Counter(at for at, _ in present), solved_counts

    def member_state(self, code: str) -> dict[str, Any]:
        """The state that every member sees; it changes only with the room's version."""
        room = self.load_room(code)
        state, question = self.common_state(code, room), self.open_question(code, room)
        if question:
            is_revealed = question["whys"] is not None
            answers = self.store.all(answers_key(code, question)) if is_revealed else {}
            names = ("n", "id", "round", "text", "options", "kind", "ends", "told", "whys", "passed")
            public = {name: question[name] for name in names}
            state["question"] = public | {"counts": count_answers(question, answers) if is_revealed else None}
        return state

    def speak(self, code: str, token: str, text: str) -> None:
        """Store a question from the audience. Only the lecturer sees it, until they pass it on."""
        room = self.load_room(code)
        member = self.verify_token(room, token)
        if not 0 < len(text.strip()) <= MAX_CHARS["question"]:
            raise InvalidRequest(f"Please type a question of at most {MAX_CHARS['question']} letters.")
        if self.store.get(room_key(code, "members"), member) is None:
            raise NotAMember("Please join again, with the code of the room.")
        self.check_rate("speak", f"{code} {member}")
        spoken = self.store.all(room_key(code, "spoken"))
        if len(spoken) >= MAX_SPOKEN:
            raise LimitReached("So many questions are here already that no more are taken.")
        number = str(self.store.count(room_key(code), "speakers", ROOM_SECONDS))
        self.put_field(room, code, number, text.strip(), "spoken")
        self.bump_version(code, for_lecturer=True)

    def own_answer(self, code: str, question: Mapping[str, Any], token: str) -> str | None:
        return self.store.get(answers_key(code, question), token.partition(".")[0])

    def common_state(self, code: str, room: Mapping[str, str]) -> dict[str, Any]:
        return {
            "code": code,
            "v": int(room["v"]),
            "lead": json.loads(room.get("lead", "null")),
            "turn": room.get("turn") == "yours",
            "goal": room.get("goal", ""),
            "closed": "closed" in room,
            "spoken": room.get("heard", ""),
            "question": None,
        }

    def record_answer(self, code: str, token: str, n: int, given: str) -> None:
        """Store a member's answer in this round; it can be changed until the answers are projected."""
        room = self.load_room(code)
        member, question = self.verify_token(room, token), self.open_question(code, room)
        if not question or question["n"] != n or question["whys"] is not None:
            raise InvalidRequest("This question is closed.")
        if question["told"] and question["kind"] != "text":
            raise InvalidRequest("The answers are shown in front now. Yours can no longer be changed.")
        if question["ends"] and time.time() > question["ends"] + GRACE_SECONDS:
            raise InvalidRequest("The time for this question is over.")
        if not 0 < len(given.strip()) <= MAX_CHARS["answer"]:
            raise InvalidRequest("Please send a short answer.")
        if question["options"] and given not in question["options"]:
            raise InvalidRequest("Please choose one of the options.")
        if question["kind"] == "number":
            given = f"{parse_answer(given):.6g}"
        if self.store.get(room_key(code, "members"), member) is None:
            raise NotAMember("Please join again, with the code of the room.")
        self.check_rate("answer", f"{code} {member}")
        answers = self.store.all(answers_key(code, question))
        if member not in answers and len(answers) >= MAX_MEMBERS:
            raise LimitReached("So many answers are here already that no more are taken.")
        self.put_field(
            room, code, member, given.strip(), answers_key(code, question).removeprefix(f"{room_key(code)} ")
        )
        self.bump_version(code, for_lecturer=True)

    # ---- the lecturer ----

    def set_position(
        self,
        code: str,
        secret: str,
        lesson: str,
        query: str,
        covered: bool = False,
        by: str = "",
        focus: str = "",
        take: bool = False,
    ) -> None:
        """Store the lecturer's page: a lesson, the query of its link, and the part of the page in view.

        `by`: id of the browser tab. Only one tab leads; another one must say `take`.
        """
        room = self.authorize_lecturer(code, secret)
        self.check_rate("lead", code)
        if not LESSON_PATTERN.fullmatch(lesson):
            raise InvalidRequest("There is no such lesson.")
        if len(query) > MAX_CHARS["query"] or len(by) > 64 or not FOCUS_PATTERN.fullmatch(focus):
            raise InvalidRequest("This link is too long.")
        lead = {"lesson": lesson, "query": query, "covered": covered, "focus": focus, "by": by}
        old = json.loads(room.get("lead", "null"))
        if old and old["by"] != by and not take:
            raise NotLeading("Another tab leads this room. Press “lead from here” to lead from this one.")
        if old == lead:
            return
        self.put_field(room, code, "lead", json.dumps(lead))
        states = self.store.all(room_key(code, "states"))
        if len(states) < MAX_STATES and (not old or (old["lesson"], old["query"]) != (lesson, query)):
            self.put_field(room, code, str(len(states)), json.dumps([time.time(), lesson, query]), "states")
        self.bump_version(code)

    def set_turn(self, code: str, secret: str, yours: bool, goal: str = "") -> None:
        """Start or end “your turn”, in which members explore by themselves, with an optional goal."""
        room = self.authorize_lecturer(code, secret)
        self.check_rate("lead", code)
        if len(goal) > MAX_CHARS["goal"]:
            raise InvalidRequest(f"Please type a goal of at most {MAX_CHARS['goal']} letters.")
        self.put_field(room, code, "goal", goal.strip() if yours else "")
        self.put_field(room, code, "turn", "yours" if yours else "")
        self.bump_version(code)

    def ask(
        self,
        code: str,
        secret: str,
        text: str,
        options: Sequence[str] | None,
        id: str = "",
        kind: str = "number",
        right: str = "",
        seconds: int = 0,
    ) -> None:
        """Ask all members a question. Without options the answer is of `kind` number or text.

        `id`: for course questions; `right`: the right answer to a question of the lecturer's own, if there
        is one; `seconds`: time to answer, 0 for as long as the question is open.
        """
        room = self.authorize_lecturer(code, secret)
        self.check_rate("lead", code)
        check_question(text, options, id, kind, right, seconds)
        n = len(self.store.all(room_key(code, "questions"))) + 1
        if n > MAX_QUESTIONS:
            raise LimitReached(f"{MAX_QUESTIONS} questions were asked here; please open another room.")
        question = {
            "n": n,
            "at": time.time(),
            "id": id,
            "text": text.strip(),
            "options": options and list(options),
            "kind": "options" if options else kind,
            "right": right.strip(),
            "seconds": seconds,
            "ends": time.time() + seconds if seconds else None,
            "passed": [],
            "round": 1,
            "told": False,
            "whys": None,
        }
        self.save_question(room, code, question)
        self.put_field(room, code, "now", str(n))
        self.bump_version(code)

    def open_question(self, code: str, room: Mapping[str, str]) -> dict[str, Any] | None:
        """The open question, if any."""
        text = self.store.get(room_key(code, "questions"), room["now"]) if room.get("now") else None
        return json.loads(text) if text else None

    def save_question(self, room: Mapping[str, str], code: str, question: Mapping[str, Any]) -> None:
        self.put_field(room, code, str(question["n"]), json.dumps(question), "questions")

    def lecturer_question(self, code: str, secret: str) -> dict[str, Any]:
        """The open question for the lecturer, with the different answers so far."""
        room = self.authorize_lecturer(code, secret)
        question = self.open_question(code, room)
        if question is None:
            raise InvalidRequest("No question is open.")
        return question | {"given": sorted(set(self.store.all(answers_key(code, question)).values()))}

    def advance_question(
        self, code: str, secret: str, way: str, whys: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """Move the open question to the phase `way`, or end it.

        `tell`: the lecturer sees the counts; `reveal`: everybody sees them, and why; `again`: ask a second
        time; `reset`: drop the answers of this round; `done`: end.
        """
        room = self.authorize_lecturer(code, secret)
        question = self.open_question(code, room)
        if question is None:
            raise InvalidRequest("No question is open.")
        if way == "tell":
            self.save_question(room, code, question | {"told": True})
        elif way == "reveal":
            self.save_question(room, code, question | {"told": True, "whys": list(whys)})
        elif way == "again":
            self.save_question(room, code, question | self.fresh_round(question) | {"round": 2})
        elif way == "reset":
            key = answers_key(code, question)
            self.store.remove(key, self.store.all(key))
            self.save_question(room, code, question | self.fresh_round(question))
            self.bump_version(code, for_lecturer=True)
        elif way == "done":
            self.put_field(room, code, "now", "")
        else:
            raise InvalidRequest("Please tell, reveal, reset, ask again, or be done.")
        self.bump_version(code)

    @staticmethod
    def fresh_round(question: dict[str, Any]) -> dict[str, Any]:
        """The fields of a question before anybody has answered; its timer starts again."""
        ends = time.time() + question["seconds"] if question["seconds"] else None
        return {"told": False, "whys": None, "passed": [], "ends": ends}

    def set_timer(self, code: str, secret: str, seconds: int) -> None:
        """Give this many more seconds to answer the open question."""
        room = self.authorize_lecturer(code, secret)
        question = self.open_question(code, room)
        if question is None or not 0 < seconds <= MAX_SECONDS:
            raise InvalidRequest(f"Please give 1 to {MAX_SECONDS} seconds for a question that is open.")
        self.save_question(room, code, question | {"seconds": seconds, "ends": time.time() + seconds})
        self.bump_version(code)

    def pass_answer(self, code: str, secret: str, text: str) -> None:
        """Show a typed answer to all members. The lecturer alone sees the other typed answers."""
        room = self.authorize_lecturer(code, secret)
        self.check_rate("lead", code)
        question = self.open_question(code, room)
        if not question or text not in self.store.all(answers_key(code, question)).values():
            raise InvalidRequest("Nobody has given this answer.")
        passed = [one for one in question["passed"] if one != text]
        added = [*passed, text] if len(passed) == len(question["passed"]) else passed
        self.save_question(room, code, question | {"passed": added})
        self.bump_version(code)

    def pass_question(self, code: str, secret: str, n: int, is_kept: bool) -> None:
        """Show an audience question to all members, or drop it; n = 0 hides the one that is shown."""
        room = self.authorize_lecturer(code, secret)
        self.check_rate("lead", code)
        text = self.store.get(room_key(code, "spoken"), str(n)) if n else ""
        if text is None:
            raise InvalidRequest("There is no such question.")
        if not is_kept:
            self.store.remove(room_key(code, "spoken"), [str(n)])
        if is_kept or text == room.get("heard"):
            self.put_field(room, code, "heard", text if is_kept else "")
        self.bump_version(code)
        self.bump_version(code, for_lecturer=True)

    def set_door(self, code: str, secret: str, is_open: bool, expects: int = MAX_MEMBERS) -> None:
        """Let new members in or keep them out, and set how many are expected."""
        room = self.authorize_lecturer(code, secret)
        if not 1 <= expects <= MAX_MEMBERS:
            raise InvalidRequest(f"A room has 1 to {MAX_MEMBERS} members.")
        self.put_field(room, code, "door", "open" if is_open else "shut")
        self.put_field(room, code, "expects", str(expects))
        self.bump_version(code, for_lecturer=True)

    def prepare(self, code: str, secret: str, questions: Sequence[Mapping[str, Any]]) -> None:
        """Store a set of questions, which `next_prepared` takes in order. It replaces the set before."""
        room = self.authorize_lecturer(code, secret)
        self.check_rate("lead", code)
        if len(questions) > MAX_QUESTIONS:
            raise InvalidRequest(f"A set has at most {MAX_QUESTIONS} questions.")
        for number, question in enumerate(questions, 1):
            try:
                check_question(**question)
            except InvalidRequest as error:
                raise InvalidRequest(f"Question {number} of the set: {error}") from error
        self.put_field(room, code, "set", json.dumps(list(questions)))
        self.bump_version(code, for_lecturer=True)

    def next_prepared(self, code: str, secret: str) -> None:
        """Ask the next question of the set."""
        room = self.authorize_lecturer(code, secret)
        prepared = json.loads(room.get("set", "[]"))
        if not prepared:
            raise InvalidRequest("No question of the set is left.")
        self.ask(code, secret, **prepared[0])
        self.put_field(room, code, "set", json.dumps(prepared[1:]))
        self.bump_version(code, for_lecturer=True)

    def press(self, code: str, secret: str, command: str) -> None:
        """Send a command from a remote to the tab that leads."""
        room = self.authorize_lecturer(code, secret)
        self.check_rate("lead", code)
        if command not in COMMANDS:
            raise InvalidRequest("There is no such command.")
        number = self.store.count(room_key(code), "presses", ROOM_SECONDS)
        self.put_field(room, code, "pressed", json.dumps([number, command]))
        self.bump_version(code, for_lecturer=True)

    def lecturer_state(self, code: str, secret: str) -> dict[str, Any]:
        """The state the lecturer sees: members by page, answer count, and the distribution if requested."""
        room = self.authorize_lecturer(code, secret)
        (places, solved), question = self.count_present(code), self.open_question(code, room)
        spoken, prepared = self.store.all(room_key(code, "spoken")), json.loads(room.get("set", "[]"))
        state = self.common_state(code, room) | {
            "here": places.total(),
            "places": dict(places),
            "solved": dict(solved),
            "report": room["report"],
            "door": room.get("door", "open"),
            "expects": int(room.get("expects", MAX_MEMBERS)),
            "asked": [{"n": int(n), "text": spoken[n]} for n in sorted(spoken, key=int)],
            "prepared": [one["text"] for one in prepared],
            "pressed": json.loads(room.get("pressed", "null")),
            "d": int(room["d"]),
        }
        if question:
            rounds = [
                self.store.all(answers_key(code, question | {"round": n}))
                for n in range(1, question["round"] + 1)
            ]
            distributions = [
                count_answers(question, answers) if question["told"] or n < question["round"] else None
                for n, answers in enumerate(rounds, 1)
            ]
            given = rounds[-1]
            state["question"] = question | {
                "answered": len(given),
                "of": len({*given, *self.present_members(code)}),
                "given": sorted(set(given.values())) if question["kind"] == "text" else [],
                "rounds": distributions,
            }
        return state

    # ---- afterwards ----

    def report(self, code: str, key: str) -> dict[str, Any]:
        """Questions, distributions and visited states, for the holder of the report's key."""
        room = self.load_room(code)
        if not hmac.compare_digest(room["report"].encode(), key.encode()):
            raise Forbidden("This report needs its whole link.")
        questions, states = (self.load_list(code, key) for key in ("questions", "states"))
        for question in questions:
            question["rounds"] = [
                count_answers(question, self.store.all(answers_key(code, question | {"round": n})))
                for n in range(1, question["round"] + 1)
            ]
        begins = float(room["ends"]) - ROOM_SECONDS
        return {"code": code, "begins": begins, "ends": begins + ROOM_SECONDS} | {
            "questions": questions,
            "states": states,
        }

    def load_list(self, code: str, key: str) -> list[Any]:
        """Load numbered JSON fields in order."""
        fields = self.store.all(room_key(code, key))
        return [json.loads(fields[number]) for number in sorted(fields, key=int)]


def random_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(4))


def room_key(code: str, key: str = "") -> str:
    return f"room {code} {key}".strip()


def answers_key(code: str, question: Mapping[str, Any]) -> str:
    return room_key(code, f"answers {question['n']} {question['round']}")


def count_answers(question: Mapping[str, Any], answers: Mapping[str, str]) -> list[list[Any]]:
    """Count answers as [answer, count]: options in order, the most frequent numbers, or texts shown to all.

    Numbers that are nearly equal share a bar, and so do all numbers that were found right.
    """
    counts = Counter(answers.values())
    if question["options"]:
        return [[option, counts[option]] for option in question["options"]]
    if question["kind"] == "text":
        return [[text, counts[text]] for text in question["passed"]]
    right = {why["option"] for why in question["whys"] or () if why["ok"]}
    groups = [[text for text in counts if text in right]] if right & counts.keys() else []
    for text in sorted(counts.keys() - right, key=float):
        if groups and groups[-1][0] not in right and float(text) - float(groups[-1][0]) < SAME_NUMBER:
            groups[-1].append(text)
        else:
            groups.append([text])
    bars = Counter(
        {
            max(group, key=lambda text: (counts[text], -len(text))): sum(counts[text] for text in group)
            for group in groups
        }
    )
    return [list(pair) for pair in bars.most_common(8)]


def check_question(
    text: str,
    options: Sequence[str] | None,
    id: str = "",
    kind: str = "number",
    right: str = "",
    seconds: int = 0,
) -> None:
    """Raise InvalidRequest unless the question can be asked."""
    if not 0 < len(text.strip()) <= MAX_CHARS["question"]:
        raise InvalidRequest(f"Please type a question of at most {MAX_CHARS['question']} letters.")
    if kind not in ("number", "text") or not 0 <= seconds <= MAX_SECONDS:
        raise InvalidRequest(f"Answers are numbers or texts, and a timer has at most {MAX_SECONDS} seconds.")
    if len(right) > MAX_CHARS["option"]:
        raise InvalidRequest(f"Please type a right answer of at most {MAX_CHARS['option']} letters.")
    if options is None:
        if right and kind == "number":
            parse_answer(right)
        return
    if not all(0 < len(option.strip()) <= MAX_CHARS["option"] for option in options):
        raise InvalidRequest(f"Please type options of at most {MAX_CHARS['option']} letters.")
    if not 2 <= len(set(options)) == len(options) <= (9 if id else 5):
        raise InvalidRequest("Please type two to five options that differ.")
    if right and right not in options:
        raise InvalidRequest("The right answer must be one of the options.")


def parse_answer(text: str) -> float:
    """Parse a number as people write it: 0.67, 0,67 or 2/3."""
    above, slash, below = text.partition("/")
    try:
        numbers = [
            parse_number(part, -1e12, 1e12, "Your answer") for part in ([above, below] if slash else [text])
        ]
        return numbers[0] / numbers[1] if slash else numbers[0]
    except (InputError, ZeroDivisionError) as error:
        raise InvalidRequest("Please send a number, such as 0.67, 0,67 or 2/3.") from error


def seconds_left(room: Mapping[str, str]) -> float:
    return max(1.0, float(room["ends"]) - time.time())


def sign_token(room: Mapping[str, str], id: str) -> str:
    return hmac.new(room["key"].encode(), id.encode(), hashlib.sha256).hexdigest()[:32]


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
