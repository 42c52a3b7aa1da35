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
from typing import Any

from lessons.kit.classroom.store import Store

ROOM_SECONDS = 12 * 3600.0
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so that codes are not words
CODE_PATTERN = re.compile(f"[{CODE_LETTERS}]{{4}}")
LESSON_PATTERN = re.compile(r"[a-z0-9-]{0,40}")
SOLVED_PATTERN = re.compile(r"[a-z0-9.-]{0,300}")  # slugs of exercises, joined by dots
MAX_ROOMS, MAX_MEMBERS, MAX_QUESTIONS, MAX_STATES = 500, 400, 40, 200  # rooms in total; others per room
MAX_CHARS = {"query": 4000, "question": 300, "option": 120, "answer": 120, "goal": 160}
PRESENT_SECONDS = 45.0  # a member is present for this time after their last request
SEAT_SECONDS = 180.0  # a full room may reassign a seat this long after its last request
RATE_LIMITS = {  # action → (number of requests, seconds)
    "open": (60, 3600),  # per network
    "join": (600, 60),  # per room
    "answer": (30, 60),
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
        while not self.store.add("rooms", code, "open", ROOM_SECONDS):  # taken already
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
        """The fields of a room."""
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
        """Close the room for members. The report stays available until the twelve hours are over."""
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

    def join(self, code: str) -> str:
        """Create a token for a new member. It is not stored: its signature is verified."""
        room = self.load_room(code)
        self.check_rate("join", code)
        if "closed" in room:
            raise RoomNotFound("This room is closed.")
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
            self.free_seat(code)
            self.bump_version(code, for_lecturer=True)
        self.put_field(room, code, member, json.dumps([time.time(), at, free, solved]), "members")

    def free_seat(self, code: str) -> None:
        """In a full room, remove members who have been away for SEAT_SECONDS."""
        members = self.store.all(room_key(code, "members"))
        if len(members) < MAX_MEMBERS:
            return
        gone = [
            member for member, sign in members.items() if time.time() - json.loads(sign)[0] > SEAT_SECONDS
        ]
        if not gone:
            raise LimitReached("This room is full.")
        self.store.remove(room_key(code, "members"), gone)

    def count_present(self, code: str) -> tuple[Counter[str], Counter[str]]:
        """Count present members by page, and by solved exercise of their current lesson."""
        members = [json.loads(member) for member in self.store.all(room_key(code, "members")).values()]
        present = [
            (at, set(solved.split(".")) - {""})
            for seen, at, _, solved in members
            if time.time() - seen < PRESENT_SECONDS
        ]
        solved_counts = Counter(f"{at.partition('/')[0]}/{slug}" for at, slugs in present for slug in slugs)
        return Counter(at for at, _ in present), solved_counts

    def member_state(self, code: str) -> dict[str, Any]:
        """The state that every member sees; it changes only with the room's version."""
        room = self.load_room(code)
        state, question = self.common_state(code, room), self.open_question(code, room)
        if question:
            is_revealed = question["whys"] is not None
            answers = self.store.all(answers_key(code, question)) if is_revealed else {}
            public = {name: question[name] for name in ("n", "round", "text", "options", "whys")}
            state["question"] = public | {"counts": count_answers(question, answers) if is_revealed else None}
        return state

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
            "question": None,
        }

    def answer(self, code: str, token: str, n: int, given: str) -> None:
        """Store a member's answer in this round; it can be changed until the answers are revealed."""
        room = self.load_room(code)
        member, question = self.verify_token(room, token), self.open_question(code, room)
        if not question or question["n"] != n or question["whys"] is not None:
            raise InvalidRequest("This question is closed.")
        if not 0 < len(given.strip()) <= MAX_CHARS["answer"]:
            raise InvalidRequest("Please send a short answer.")
        if question["options"] and given not in question["options"]:
            raise InvalidRequest("Please choose one of the options.")
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
        self, code: str, secret: str, lesson: str, query: str, covered: bool = False, by: str = ""
    ) -> None:
        """Store the lecturer's page: a lesson and the query of its link. `by`: id of the browser tab."""
        room = self.authorize_lecturer(code, secret)
        self.check_rate("lead", code)
        if not LESSON_PATTERN.fullmatch(lesson):
            raise InvalidRequest("There is no such lesson.")
        if len(query) > MAX_CHARS["query"] or len(by) > 64:
            raise InvalidRequest("This link is too long.")
        lead = {"lesson": lesson, "query": query, "covered": covered, "by": by}
        old = json.loads(room.get("lead", "null"))
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

    def ask(self, code: str, secret: str, text: str, options: Sequence[str] | None, id: str = "") -> None:
        """Ask all members a question. Without options the answer is a number. `id`: for course questions."""
        room = self.authorize_lecturer(code, secret)
        self.check_rate("lead", code)
        if not 0 < len(text.strip()) <= MAX_CHARS["question"]:
            raise InvalidRequest(f"Please type a question of at most {MAX_CHARS['question']} letters.")
        if options is not None:
            if not all(0 < len(option.strip()) <= MAX_CHARS["option"] for option in options):
                raise InvalidRequest(f"Please type options of at most {MAX_CHARS['option']} letters.")
            if not 2 <= len(set(options)) == len(options) <= (9 if id else 5):
                raise InvalidRequest("Please type two to five options that differ.")
        n = len(self.store.all(room_key(code, "questions"))) + 1
        if n > MAX_QUESTIONS:
            raise LimitReached(f"{MAX_QUESTIONS} questions were asked here; please open another room.")
        question = {
            "n": n,
            "id": id,
            "text": text.strip(),
            "options": options and list(options),
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
        """Advance the question: `tell` (counts for the lecturer only), `reveal`, `again` or `done`."""
        room = self.authorize_lecturer(code, secret)
        question = self.open_question(code, room)
        if question is None:
            raise InvalidRequest("No question is open.")
        if way == "tell":
            self.save_question(room, code, question | {"told": True})
        elif way == "reveal":
            self.save_question(room, code, question | {"told": True, "whys": list(whys)})
        elif way == "again":
            self.save_question(room, code, question | {"told": False, "whys": None, "round": 2})
        elif way == "done":
            self.put_field(room, code, "now", "")
        else:
            raise InvalidRequest("Please tell, reveal, ask again, or be done.")
        self.bump_version(code)

    def lecturer_state(self, code: str, secret: str) -> dict[str, Any]:
        """The state the lecturer sees: members by page, answer count, and the distribution if requested."""
        room = self.authorize_lecturer(code, secret)
        (places, solved), question = self.count_present(code), self.open_question(code, room)
        state = self.common_state(code, room) | {
            "here": places.total(),
            "places": dict(places),
            "solved": dict(solved),
            "report": room["report"],
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
            state["question"] = question | {"answered": len(rounds[-1]), "rounds": distributions}
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
        return {"code": code, "ends": float(room["ends"]), "questions": questions, "states": states}

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
    """Count answers as [answer, count]: all options in order, or the most frequent numbers."""
    counts = Counter(answers.values())
    if question["options"]:
        return [[option, counts[option]] for option in question["options"]]
    return [list(pair) for pair in counts.most_common(8)]


def seconds_left(room: Mapping[str, str]) -> float:
    return max(1.0, float(room["ends"]) - time.time())


def sign_token(room: Mapping[str, str], id: str) -> str:
    return hmac.new(room["key"].encode(), id.encode(), hashlib.sha256).hexdigest()[:32]


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
