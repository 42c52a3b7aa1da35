"""What may happen in a room, and who may do it. Who has the secret leads; who has the code gets a token, follows and answers.

A room is a link, a question, a few counters and answers, all in the store: any process can go on with it. It lasts twelve hours.
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

HOURS = 12
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels: no words
CODE = re.compile(f"[{LETTERS}]{{4}}")
PLACE = re.compile(r"[a-z0-9-]{0,40}")
SOLVED = re.compile(r"[a-z0-9.-]{0,300}")  # slugs of exercises, with dots between
ROOMS, MEMBERS, QUESTIONS, STATES = 500, 400, 40, 200  # at most: of all, and of each room
LONGEST = {"query": 4000, "question": 300, "option": 120, "answer": 120, "goal": 160}
AWAY = 45.0  # seconds without a sign after which a member is not here
PLACE_SECONDS = 180.0  # without a sign, after which a member's place is another's, if the room is full
RATES = {  # how often, in how many seconds
    "open": (60, 3600),  # of a network
    "join": (600, 60),  # of a room
    "answer": (30, 60),
    "lead": (600, 60),
}


class Declined(Exception):
    """Why not, and what to do."""


class Missing(Declined):
    """There is no such room."""


class NotAMember(Declined):
    """The token is not valid for this room, or the member has lost their place: they must join again."""


class Forbidden(Declined):
    """Only who leads may do this."""


class TooMany(Declined):
    """Later, or never."""


class Unclear(Declined):
    """What was sent cannot be used."""


class Rooms:
    def __init__(self, store: Store):
        self.store = store

    # ---- rooms ----

    def open(self, visitor: str) -> dict[str, str]:
        """A new room: its code, the secret that leads it, and the key to its report. `visitor`: whose rooms are counted."""
        self.limit("open", visitor)
        if len(self.store.all("rooms")) >= ROOMS:
            raise TooMany("All rooms are taken; please try again later.")
        secret, report, ends = (
            secrets.token_urlsafe(18),
            secrets.token_urlsafe(12),
            time.time() + HOURS * 3600,
        )
        while not self.store.add(
            "rooms", code := "".join(secrets.choice(LETTERS) for _ in range(4)), "open", HOURS * 3600
        ):
            pass
        fields = {
            "key": secrets.token_hex(16),
            "secret": digest(secret),
            "report": report,
            "ends": str(ends),
            "v": "1",
            "d": "1",
        }
        for field, value in fields.items():
            self.store.put(room(code), field, value, HOURS * 3600)
        return {"code": code, "secret": secret, "report": report}

    def read(self, code: str) -> dict[str, str]:
        """All that is in the room itself."""
        found = self.store.all(room(code)) if CODE.fullmatch(code) else {}
        if "secret" not in found:
            raise Missing("There is no such room. Please check its four letters.")
        return found

    def leading(self, code: str, secret: str) -> dict[str, str]:
        found = self.read(code)
        if not hmac.compare_digest(found["secret"], digest(secret)):
            raise Forbidden("Only the lecturer of this room can do this.")
        return found

    def limit(self, what: str, who: str) -> None:
        most, seconds = RATES[what]
        if self.store.count(f"rate {what} {who}", str(int(time.time() // seconds)), seconds) > most:
            raise TooMany("Too often; please wait a minute.")

    def close(self, code: str, secret: str) -> None:
        """Nobody follows any more; the report stays until the twelve hours are over."""
        self.put(self.leading(code, secret), code, "closed", "1")
        self.turned(code)

    def put(self, found: Mapping[str, str], code: str, field: str, value: str, key: str = "") -> None:
        """Whatever a room has ends with it."""
        self.store.put(room(code, key), field, value, left(found))

    def turned(self, code: str, desk: bool = False) -> None:
        """Something is new: for all, or for the desk only."""
        self.store.count(room(code), "d" if desk else "v", HOURS * 3600)

    def versions(self, code: str) -> tuple[int, int]:
        found = self.store.all(room(code))
        return int(found.get("v", 0)), int(found.get("d", 0))

    # ---- following ----

    def join(self, code: str) -> str:
        """A member's token. Nothing is kept of it: the room knows its own tokens by their signature."""
        found = self.read(code)
        self.limit("join", code)
        if "closed" in found:
            raise Missing("This room is closed.")
        id = secrets.token_urlsafe(9)
        return f"{id}.{signature(found, id)}"

    def member(self, found: Mapping[str, str], token: str) -> str:
        """The member's id, by a token that this room gave."""
        id, _, signed = token.partition(".")
        if not hmac.compare_digest(signature(found, id).encode(), signed.encode()):
            raise NotAMember("Please join again, with the code of the room.")
        return id

    def here(self, code: str, token: str, at: str, free: bool, solved: str = "") -> None:
        """A sign of life of a member, who is somewhere and has solved some exercises there. A new one needs a place."""
        found = self.read(code)
        member = self.member(found, token)
        if len(at) > 80 or not SOLVED.fullmatch(solved):
            raise Unclear("Please send the experiment where you are.")
        if self.store.get(room(code, "members"), member) is None:
            self.make_place(code)
            self.turned(code, desk=True)
        self.put(found, code, member, json.dumps([time.time(), at, free, solved]), "members")

    def make_place(self, code: str) -> None:
        """Frees a place in a full room by removing members who have been away for long."""
        members = self.store.all(room(code, "members"))
        if len(members) < MEMBERS:
            return
        gone = [
            member for member, sign in members.items() if time.time() - json.loads(sign)[0] > PLACE_SECONDS
        ]
        if not gone:
            raise TooMany("This room is full.")
        self.store.remove(room(code, "members"), gone)

    def places(self, code: str) -> tuple[Counter[str], Counter[str]]:
        """How many are where, just now; and how many of them have solved which exercise of the lesson they are at."""
        signs = [json.loads(sign) for sign in self.store.all(room(code, "members")).values()]
        here = [
            (at, set(solved.split(".")) - {""}) for seen, at, _, solved in signs if time.time() - seen < AWAY
        ]
        done = Counter(f"{at.partition('/')[0]}/{slug}" for at, solved in here for slug in solved)
        return Counter(at for at, _ in here), done

    def shared(self, code: str) -> dict[str, Any]:
        """What all members know alike: it changes with the room's version, and with nothing else."""
        found = self.read(code)
        shown, asked = self.common(code, found), self.question(code, found)
        if asked:
            counts = (
                counted(asked, self.store.all(answers_of(code, asked))) if asked["whys"] is not None else None
            )
            shown["question"] = {name: asked[name] for name in ("n", "round", "text", "options", "whys")} | {
                "counts": counts
            }
        return shown

    def yours(self, code: str, asked: Mapping[str, Any], token: str) -> str | None:
        return self.store.get(answers_of(code, asked), token.partition(".")[0])

    def common(self, code: str, found: Mapping[str, str]) -> dict[str, Any]:
        return {
            "code": code,
            "v": int(found["v"]),
            "lead": json.loads(found.get("lead", "null")),
            "turn": found.get("turn") == "yours",
            "goal": found.get("goal", ""),
            "closed": "closed" in found,
            "question": None,
        }

    def answer(self, code: str, token: str, n: int, given: str) -> None:
        """One answer a member and round; a later one takes the place of the first, until it is revealed."""
        found = self.read(code)
        member, asked = self.member(found, token), self.question(code, found)
        if not asked or asked["n"] != n or asked["whys"] is not None:
            raise Unclear("This question is closed.")
        if not 0 < len(given.strip()) <= LONGEST["answer"]:
            raise Unclear("Please send a short answer.")
        if asked["options"] and given not in asked["options"]:
            raise Unclear("Please choose one of the options.")
        if self.store.get(room(code, "members"), member) is None:
            raise NotAMember("Please join again, with the code of the room.")
        self.limit("answer", f"{code} {member}")
        answers = self.store.all(answers_of(code, asked))
        if member not in answers and len(answers) >= MEMBERS:
            raise TooMany("So many answers are here already that no more are taken.")
        self.put(found, code, member, given.strip(), answers_of(code, asked).removeprefix(f"{room(code)} "))
        self.turned(code, desk=True)

    # ---- leading ----

    def show(
        self, code: str, secret: str, lesson: str, query: str, covered: bool = False, by: str = ""
    ) -> None:
        """Where the lecturer is: a lesson, and the query of its link. The last hand leads; `by` names its tab."""
        found = self.leading(code, secret)
        self.limit("lead", code)
        if not PLACE.fullmatch(lesson):
            raise Unclear("There is no such lesson.")
        if len(query) > LONGEST["query"] or len(by) > 64:
            raise Unclear("This link is too long.")
        lead = {"lesson": lesson, "query": query, "covered": covered, "by": by}
        old = json.loads(found.get("lead", "null"))
        if old == lead:
            return
        self.put(found, code, "lead", json.dumps(lead))
        states = self.store.all(room(code, "states"))
        if len(states) < STATES and (not old or (old["lesson"], old["query"]) != (lesson, query)):
            self.put(found, code, str(len(states)), json.dumps([time.time(), lesson, query]), "states")
        self.turned(code)

    def turn(self, code: str, secret: str, yours: bool, goal: str = "") -> None:
        """“Your turn”: all may look around, with a goal if there is one; and back."""
        found = self.leading(code, secret)
        self.limit("lead", code)
        if len(goal) > LONGEST["goal"]:
            raise Unclear(f"Please type a goal of at most {LONGEST['goal']} letters.")
        self.put(found, code, "goal", goal.strip() if yours else "")
        self.put(found, code, "turn", "yours" if yours else "")
        self.turned(code)

    def ask(self, code: str, secret: str, text: str, options: Sequence[str] | None, id: str = "") -> None:
        """A question goes to all. Without options it is answered by a number; `id`: that of a question of the course."""
        found = self.leading(code, secret)
        self.limit("lead", code)
        if not 0 < len(text.strip()) <= LONGEST["question"]:
            raise Unclear(f"Please type a question of at most {LONGEST['question']} letters.")
        if options is not None:
            if not all(0 < len(option.strip()) <= LONGEST["option"] for option in options):
                raise Unclear(f"Please type options of at most {LONGEST['option']} letters.")
            if not 2 <= len(set(options)) == len(options) <= (9 if id else 5):
                raise Unclear("Please type two to five options that differ.")
        n = len(self.store.all(room(code, "questions"))) + 1
        if n > QUESTIONS:
            raise TooMany(f"{QUESTIONS} questions were asked here; please open another room.")
        asked = {
            "n": n,
            "id": id,
            "text": text.strip(),
            "options": options and list(options),
            "round": 1,
            "told": False,
            "whys": None,
        }
        self.write(found, code, asked)
        self.put(found, code, "now", str(n))
        self.turned(code)

    def question(self, code: str, found: Mapping[str, str]) -> dict[str, Any] | None:
        """The one that is open."""
        text = self.store.get(room(code, "questions"), found["now"]) if found.get("now") else None
        return json.loads(text) if text else None

    def write(self, found: Mapping[str, str], code: str, asked: Mapping[str, Any]) -> None:
        self.put(found, code, str(asked["n"]), json.dumps(asked), "questions")

    def asked(self, code: str, secret: str) -> dict[str, Any]:
        """The open question, for who leads; with all answers so far as they were given."""
        found = self.leading(code, secret)
        asked = self.question(code, found)
        if asked is None:
            raise Unclear("No question is open.")
        return asked | {"given": sorted(set(self.store.all(answers_of(code, asked)).values()))}

    def go_on(self, code: str, secret: str, way: str, whys: Sequence[Mapping[str, Any]] = ()) -> None:
        """`tell` the distribution to the desk; `reveal` it to all, with `whys`; ask `again`; be `done`."""
        found = self.leading(code, secret)
        asked = self.question(code, found)
        if asked is None:
            raise Unclear("No question is open.")
        if way == "tell":
            self.write(found, code, asked | {"told": True})
        elif way == "reveal":
            self.write(found, code, asked | {"told": True, "whys": list(whys)})
        elif way == "again":
            self.write(found, code, asked | {"told": False, "whys": None, "round": 2})
        elif way == "done":
            self.put(found, code, "now", "")
        else:
            raise Unclear("Please tell, reveal, ask again, or be done.")
        self.turned(code)

    def desk(self, code: str, secret: str) -> dict[str, Any]:
        """What the lecturer sees: how many answered; the distribution once asked for."""
        found = self.leading(code, secret)
        (places, solved), asked = self.places(code), self.question(code, found)
        shown = self.common(code, found) | {
            "here": places.total(),
            "places": dict(places),
            "solved": dict(solved),
            "report": found["report"],
            "d": int(found["d"]),
        }
        if asked:
            rounds = [
                self.store.all(answers_of(code, asked | {"round": n})) for n in range(1, asked["round"] + 1)
            ]
            told = [
                counted(asked, answers) if asked["told"] or n < asked["round"] else None
                for n, answers in enumerate(rounds, 1)
            ]
            shown["question"] = asked | {"answered": len(rounds[-1]), "rounds": told}
        return shown

    # ---- afterwards ----

    def report(self, code: str, key: str) -> dict[str, Any]:
        """Questions, distributions, states; for who has the key, which leads nowhere else."""
        found = self.read(code)
        if not hmac.compare_digest(found["report"].encode(), key.encode()):
            raise Forbidden("This report needs its whole link.")
        questions = [
            json.loads(text)
            for _, text in sorted(self.store.all(room(code, "questions")).items(), key=lambda x: int(x[0]))
        ]
        for asked in questions:
            asked["rounds"] = [
                counted(asked, self.store.all(answers_of(code, asked | {"round": n})))
                for n in range(1, asked["round"] + 1)
            ]
        states = [
            json.loads(text)
            for _, text in sorted(self.store.all(room(code, "states")).items(), key=lambda x: int(x[0]))
        ]
        return {"code": code, "ends": float(found["ends"]), "questions": questions, "states": states}


def room(code: str, key: str = "") -> str:
    return f"room {code} {key}".strip()


def answers_of(code: str, asked: Mapping[str, Any]) -> str:
    return room(code, f"answers {asked['n']} {asked['round']}")


def counted(asked: Mapping[str, Any], answers: Mapping[str, str]) -> list[list[Any]]:
    """[option, how many]: options in their order; numbers by how many gave them."""
    many = Counter(answers.values())
    return (
        [[option, many[option]] for option in asked["options"]]
        if asked["options"]
        else [list(one) for one in many.most_common(8)]
    )


def left(found: Mapping[str, str]) -> float:
    return max(1.0, float(found["ends"]) - time.time())


def signature(found: Mapping[str, str], id: str) -> str:
    return hmac.new(found["key"].encode(), id.encode(), hashlib.sha256).hexdigest()[:32]


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
