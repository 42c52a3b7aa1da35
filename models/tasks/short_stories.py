"""Short stories in which things are lost, found, sold …: data of the tasks `summaries` and `answers`.

`tell` writes a story, and `follow` reads one, drawn or typed, and says what happened to each thing. A reader
must connect sentences: a colour and an owner are named once, “she” is the girl named last, “it” is the thing
named last, and “there” is the place where the sentence before ends.
"""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from models.tasks.stories import GRAMMAR, Symbols, expand
from models.tasks.story_words import BOYS, COLOURS, GIRLS, OBJECTS, TOPICS, WORLD

NAMES = GIRLS + BOYS
PRONOUNS = {**dict.fromkeys(GIRLS, "she"), **dict.fromkeys(BOYS, "he")}
POSSESSIVES = {"she": "her", "he": "his"}
OBJECT_FORMS = {"she": "her", "he": "him"}
PERSONS = tuple(person for topic in WORLD.values() for person in topic.people.split())
CARRIED = (  # things that one person can carry
    *OBJECTS,
    *"shell rope pearl net apple basket carpet cake lemon picture letter book glove blanket candle".split(),
    *"lantern boot sword crown flag shield helmet bag clock knife mirror bucket".split(),
)
ODD_PLACES = frozenset("street corridor road corner wall".split())  # nobody goes “to the corner”
INSIDE = frozenset("classroom library cabin hall dungeon tower house garden village barn".split())
ON_TOP = frozenset("beach island cliff playground hill mountain bridge".split())
BESIDE = tuple("near behind beside".split())
PREPOSITIONS = (*BESIDE, "at", "in", "on")
VERBS = {  # past form → base form
    "lost": "lose",
    "hid": "hide",
    "left": "leave",
    "found": "find",
    "took": "take",
    "stole": "steal",
    "broke": "break",
    "sold": "sell",
    "gave": "give",
}
MOTIONS = GRAMMAR["WENT"]
STARTS = GRAMMAR["ONCE"]
PERIODS = ("long ago", "last summer")  # times for sentences such as “long ago tom had a kite”
LINKS = ("then", "later", "soon", "that evening", "the next day")
LAST = "at last"  # used only before “found”
SCENES: Symbols = {
    "SCENE": (
        "the THINGS were LOOK",
        "the OWNS were SORT",
        "A-BEAST CRIED WHERE",
        "the PERSONS WORKED the OWNS",
        "it was WEATHER",
        "A-PERSON DID NUMBER LOOK THINGS",
        "the THING WHERE was LOOK",
    ),
    "WHERE": tuple(f"{preposition} the PLACE" for preposition in BESIDE),
}
NOT_IN_SCENES = frozenset((*NAMES, "she", "he", "her", "his", "him", "there"))
OPENINGS = ("had", "lost", "hid")  # how a thing and its owner are introduced
LEFT_LYING = frozenset(("lost", "hid", "left"))  # nobody has the thing afterwards
TRANSFERS = frozenset(("sold", "gave"))
FINAL = frozenset(("sold", "broke"))  # events that end what happens to a thing
VISITED = tuple(sorted({place for symbols in TOPICS.values() for place in symbols["PLACE"]} - ODD_PLACES))
TRAINED_SENTENCES, MOST_SENTENCES = 6, 8  # maximum number, in training and in tests with longer stories
TRAINED_WORDS, MOST_WORDS = 56, 72
WORDS_PER_SENTENCE = 7.4


# ---- what happens ----


@dataclass(frozen=True)
class Event:
    """An event: what somebody does with a thing, with all pronouns resolved."""

    actor: str
    verb: str  # “had”, or a past form of VERBS
    thing: str
    receiver: str = ""  # the person who gets the thing
    where: tuple[str, ...] = ()  # such as “near the barn”

    @property
    def holder(self) -> str:
        """Who has the thing afterwards; empty if nobody has it."""
        return "" if self.verb in LEFT_LYING else self.receiver or self.actor


@dataclass(frozen=True)
class Plot:
    """The content of a story: things, owners, events and journeys."""

    owners: Mapping[str, str]  # thing → name, in the order of the story
    colours: Mapping[str, str]  # thing → colour; only if the story tells it
    events: tuple[Event, ...]
    last_events: Mapping[str, Event]  # the last event of each thing
    journeys: tuple[tuple[str, str], ...]  # (person, place)
    plain: tuple[str, ...]  # the story without links, with names and things instead of pronouns


def is_possible(last: Event, actor: str, verb: str) -> bool:
    """Whether a person can do something with a thing, given the last event in which the thing took part."""
    holder = last.holder
    if last.verb == "broke":
        return False
    if verb in ("found", "took"):
        return not holder and (verb == "took" or last.verb == "lost" or actor != last.actor)
    return bool(holder) and (holder != actor) == (verb == "stole")


def where_at(place: str) -> tuple[str, ...]:
    """The phrase that “there” stands for after a journey: “in the barn”, “on the hill”, “at the well”."""
    return ("in" if place in INSIDE else "on" if place in ON_TOP else "at", "the", place)


# ---- reading ----


def group(name: str, words: Iterable[str]) -> str:
    """A named group that matches any of these words."""
    return f"(?P<{name}>{'|'.join(sorted(set(words), key=len, reverse=True))})"


LEAD = f"(?:(?:{'|'.join((*STARTS, *LINKS, LAST))}) )?"
ACTOR = group("actor", (*NAMES, *POSSESSIVES))
THING = f"(?:it|(?P<article>an?|the|her|his) (?:{group('colour', COLOURS)} )?{group('thing', CARRIED)})"
RECEIVER = f"(?: (?:back )?to (?:the )?{group('receiver', (*NAMES, *PERSONS, 'her', 'him'))})?"
WHERE = f"(?: (?P<where>there|(?:{'|'.join(PREPOSITIONS)}) the {group('place', VISITED)}))?"
EVENT = re.compile(
    f"{LEAD}(?P<there>there )?{ACTOR} {group('verb', (*VERBS, 'had', 'saw'))} {THING}{RECEIVER}{WHERE}"
)
JOURNEY = re.compile(f"{LEAD}{ACTOR} {group('motion', MOTIONS)} to the {group('place', VISITED)}")
MOOD = re.compile(f"{LEAD}(?:poor )?{ACTOR} was {group('mood', GRAMMAR['MOOD'] + GRAMMAR['SORRY'])}")
SUBJECT = re.compile(f"{LEAD}(?:there )?{ACTOR} ")
JOINT = re.compile(f" and (?:then )?(?=(?:{'|'.join((*VERBS, *MOTIONS))}) )")
SEARCH = re.compile(f"{LEAD}{ACTOR} looked everywhere for {THING}")


def split_sentences(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    """The sentences of a story without their final marks. Commas are left out."""
    text = " ".join(token for token in tokens if token != ",")
    return [tuple(part.split()) for part in re.split(r"[.!?]", text) if part.strip()]


class Reader:
    """Read a story sentence by sentence and resolve “she”, “he”, “it” and “there”."""

    def __init__(self) -> None:
        self.owners: dict[str, str] = {}
        self.colours: dict[str, str] = {}
        self.events: list[Event] = []
        self.last_events: dict[str, Event] = {}  # the last event of each thing
        self.journeys: list[tuple[str, str]] = []
        self.plain: list[str] = []
        self.named: dict[str, str] = {}  # “she” → the girl named last, “he” → the boy
        self.thing = ""  # the thing named last
        self.there: tuple[str, ...] = ()  # the place where the previous sentence ends

    def read_sentence(self, sentence: Sequence[str]) -> bool:
        """Read one sentence. Return False if it is ambiguous or unknown."""
        first, *others = JOINT.split(" ".join(sentence))
        if not others:
            return self.read_clause(first)
        subject = SUBJECT.match(first)
        actor = self.person(subject["actor"]) if subject else ""
        clauses = [first, *(f"{actor} {other}" for other in others)]
        return bool(actor) and all(self.read_clause(text, n > 0) for n, text in enumerate(clauses))

    def read_clause(self, text: str, is_joined: bool = False) -> bool:
        """Read one clause. `is_joined`: it shares subject and place with the previous clause."""
        there, self.there = self.there, ()
        if match := EVENT.fullmatch(text):
            return self.read_event(match, there, is_joined)
        if match := JOURNEY.fullmatch(text):
            return self.read_journey(match)
        if match := MOOD.fullmatch(text):
            actor = self.person(match["actor"])
            return bool(actor) and self.say(actor, "was", match["mood"])
        if match := SEARCH.fullmatch(text):
            actor, thing = self.person(match["actor"]), self.known_thing(match)
            return bool(actor and thing) and self.say(actor, "looked", "everywhere", "for", "the", thing)
        words = text.split()
        is_told = NOT_IN_SCENES.isdisjoint(words) and not any(thing in words for thing in self.owners)
        return is_told and ("it" not in words or words[:2] == ["it", "was"]) and self.say(*words)

    def say(self, *words: str) -> bool:
        self.plain += (*words, ".")
        return True

    def person(self, word: str) -> str:
        """The person that a name or pronoun refers to; empty if a pronoun has no antecedent."""
        name = word if word in PRONOUNS else self.named.get(word, "")
        if name:
            self.named[PRONOUNS[name]] = name
        return name

    def known_thing(self, match: re.Match[str]) -> str:
        """The thing of this owner that a phrase refers to; empty if there is none."""
        thing, colour = match["thing"] or self.thing, match["colour"]
        is_new = match["article"] in ("a", "an")
        if thing not in self.owners or is_new or (colour and self.colours.get(thing) != colour):
            return ""
        self.thing = thing
        return thing

    def read_event(self, match: re.Match[str], there: tuple[str, ...], is_joined: bool) -> bool:
        actor, verb, receiver = self.person(match["actor"]), match["verb"], match["receiver"] or ""
        if receiver in PRONOUNS or receiver in ("her", "him"):
            receiver = self.person({"her": "she", "him": "he"}.get(receiver, receiver))
        points_back = bool(match["there"]) or match["where"] == "there"
        where = there if points_back or is_joined else ()
        if match["where"] and not points_back:
            where = tuple(match["where"].split())
        if not actor or (points_back and (not there or (match["there"] and match["where"]))):
            return False
        if (verb in TRANSFERS) != bool(receiver):
            return False
        self.there = where
        if match["thing"] and match["thing"] not in self.owners:
            return self.introduce(match, actor, where)
        thing = self.known_thing(match)
        if not thing or verb in ("had", "saw"):
            return False
        if lies := self.hiding_place(thing):
            if where and where[-1] != lies[-1]:
                return False
            where = lies
        return self.add(Event(actor, verb, thing, receiver, where), ("the", thing))

    def hiding_place(self, thing: str) -> tuple[str, ...]:
        """Where somebody put the thing, if it is still there. A lost thing can be found anywhere."""
        last = self.last_events[thing]
        return last.where if last.verb in ("hid", "left") else ()

    def introduce(self, match: re.Match[str], actor: str, where: tuple[str, ...]) -> bool:
        """Introduce a new thing: its owner has, loses or hides it, or somebody sees it."""
        verb, self.thing = match["verb"], match["thing"]
        if match["article"] == "the" or verb not in (*OPENINGS, "saw"):
            return False
        words = (match["colour"], self.thing) if match["colour"] else (self.thing,)
        name = ("an" if words[0][0] in "aeiou" else "a", *words)
        if verb == "saw":
            return self.say(actor, "saw", *name, *where)
        self.owners[self.thing] = actor
        if match["colour"]:
            self.colours[self.thing] = match["colour"]
        return self.add(Event(actor, verb, self.thing, "", where), name)

    def add(self, event: Event, name: Sequence[str]) -> bool:
        """Add an event, if it is possible. `name` is what the thing is called."""
        before = self.last_events.get(event.thing)
        if event.receiver == event.actor or (before and not is_possible(before, event.actor, event.verb)):
            return False
        self.events.append(event)
        self.last_events[event.thing] = event
        to: tuple[str, ...] = () if not event.receiver else ("to", event.receiver)
        to = ("to", "the", event.receiver) if event.receiver in PERSONS else to
        return self.say(event.actor, event.verb, *name, *to, *event.where)

    def read_journey(self, match: re.Match[str]) -> bool:
        actor = self.person(match["actor"])
        self.there = where_at(match["place"])
        self.journeys.append((actor, match["place"]))
        return bool(actor) and self.say(actor, match["motion"], "to", "the", match["place"])


def follow(tokens: Sequence[str]) -> Plot | None:
    """Read a story; None if a sentence is ambiguous or unknown, or if no thing has an owner."""
    reader = Reader()
    if not all(reader.read_sentence(sentence) for sentence in split_sentences(tokens)) or not reader.owners:
        return None
    return Plot(
        reader.owners,
        reader.colours,
        tuple(reader.events),
        reader.last_events,
        tuple(reader.journeys),
        tuple(reader.plain),
    )


# ---- writing ----


class Writer:
    """Write a story sentence by sentence, and read each sentence back to check that pronouns are clear."""

    def __init__(self, rng: random.Random):
        self.rng, self.reader = rng, Reader()
        self.symbols = {**GRAMMAR, **TOPICS[rng.choice(sorted(TOPICS))], **SCENES}
        self.places = [place for place in self.symbols["PLACE"] if place not in ODD_PLACES]
        self.cast = rng.sample(NAMES, 4)
        self.things = rng.sample(CARRIED, 4)
        self.colours = rng.sample(COLOURS, 4)
        self.sentences: list[tuple[str, ...]] = []

    def write_sentence(self, *words: str) -> None:
        sentence = [word for text in words for word in text.split()]
        for i, word in enumerate(sentence[:-1]):
            if word == "a" and sentence[i + 1][0] in "aeiou":
                sentence[i] = "an"
        assert self.reader.read_sentence([word for word in sentence if word != ","]), sentence
        self.sentences.append(tuple(sentence))

    def draw_link(self, links: Sequence[str], chance: float) -> str:
        """Sometimes a link such as “one day”, with or without a comma."""
        if self.rng.random() >= chance:
            return ""
        return self.rng.choice(links) + self.rng.choice((" ,", ""))

    def actor(self, name: str) -> str:
        """The actor's name, or a pronoun that refers to the actor."""
        pronoun = PRONOUNS[name]
        return pronoun if self.reader.named.get(pronoun) == name and self.rng.random() < 0.6 else name

    def thing(self, thing: str) -> str:
        return "it" if self.reader.thing == thing and self.rng.random() < 0.6 else f"the {thing}"

    def beside_a_place(self) -> str:
        return f"{self.rng.choice(BESIDE)} the {self.rng.choice(self.places)}"

    def introduce_thing(self, number: int) -> None:
        """Introduce a thing and its owner."""
        verb = self.rng.choice(("had", "lost", "lost", "hid"))
        starts = LINKS if self.sentences else PERIODS if verb == "had" else STARTS
        colour = f"{self.colours[number]} " if self.rng.random() < 0.9 else ""
        possessive = POSSESSIVES[PRONOUNS[self.cast[number]]]
        article = possessive if verb != "had" and self.rng.random() < 0.3 else "a"
        self.write_sentence(
            ""
            if self.sentences and verb == "had"
            else self.draw_link(starts, 0.3 if self.sentences else 0.7),
            self.actor(self.cast[number]),
            f"{verb} {article} {colour}{self.things[number]}",
            "" if verb == "had" else self.beside_a_place(),
        )

    def happen(self, thing: str, is_last: bool, with_journey: bool) -> bool:
        """Write an event for a thing, if one is possible, sometimes after a journey of the actor."""
        last = self.reader.last_events[thing]
        possible = [
            (verb, actor)
            for verb in VERBS
            for actor in self.cast
            if (is_last or verb not in FINAL) and is_possible(last, actor, verb)
        ]
        if not possible:
            return False
        verb = self.rng.choice(list(dict.fromkeys(verb for verb, _ in possible)))
        actor = self.rng.choice([actor for other, actor in possible if other == verb])
        lead = self.draw_link((*LINKS, LAST) if verb == "found" else LINKS, 0.5)
        lies = self.reader.hiding_place(thing)
        if with_journey:
            place = lies[-1] if lies else self.rng.choice(self.places)
            self.write_sentence(lead, self.actor(actor), self.rng.choice(MOTIONS), f"to the {place}")
            lead, where = "", "there"
        else:
            where = "" if lies or self.rng.random() < 0.1 else self.beside_a_place()
            if self.reader.there and self.rng.random() < 0.6 and not lies:
                where = "there"
            elif self.rng.random() < 0.2:
                place = lies[-1] if lies else self.rng.choice(self.places)
                before = f"{self.actor(actor)} {self.rng.choice(MOTIONS)} to the {place} and"
                to = self.receiver(actor, verb, thing)
                self.write_sentence(lead, before, verb, self.thing(thing), to, self.rng.choice(("there", "")))
                return True
        words = [self.actor(actor), verb, self.thing(thing), self.receiver(actor, verb, thing)]
        if where == "there" and not lead and self.rng.random() < 0.5:
            self.write_sentence(where, *words)
        else:
            self.write_sentence(lead, *words, where)
        return True

    def receiver(self, actor: str, verb: str, thing: str) -> str:
        """The phrase for the receiver: “to the baker”, “back to mira”."""
        if verb == "sold":
            return f"to the {self.rng.choice(self.symbols['PERSON'])}"
        if verb != "gave":
            return ""
        name = self.rng.choice([name for name in self.cast if name != actor])
        pronoun = PRONOUNS[name]
        is_known = self.reader.named.get(pronoun) == name and PRONOUNS[actor] != pronoun
        called = OBJECT_FORMS[pronoun] if is_known and self.rng.random() < 0.5 else name
        return f"{'back ' * (name == self.reader.owners[thing])}to {called}"

    def fill(self) -> None:
        """Write a filler sentence, which changes nothing in the plot."""
        last = self.reader.events[-1]
        if last.verb == "lost" and self.rng.random() < 0.5:
            if self.rng.random() < 0.5:
                self.write_sentence("poor", last.actor, "was", self.rng.choice(GRAMMAR["SORRY"]))
            else:
                self.write_sentence(self.actor(last.actor), "looked everywhere for", self.thing(last.thing))
        elif self.rng.random() < 0.3 and self.things[3] != self.reader.thing:
            seen = f"a {self.colours[3]} {self.things[3]}"
            self.write_sentence(self.draw_link(LINKS, 0.3), self.cast[3], "saw", seen, self.beside_a_place())
        else:
            while {*self.things, *self.cast} & {*(scene := expand("SCENE", self.symbols, self.rng))}:
                pass
            self.write_sentence(*scene)


def tell(rng: random.Random, sentences: int) -> tuple[str, ...]:
    """Write a story of this many sentences about what happens to one thing, or two in longer stories."""
    while True:
        writer = Writer(rng)
        count = 2 if sentences > 4 and rng.random() < 0.8 else 1
        if write_story(writer, sentences, count):
            return tuple(token for sentence in writer.sentences for token in (*sentence, "."))


def draw_story(rng: random.Random, lengths: range) -> tuple[str, ...]:
    """Draw a story whose number of words is in `lengths`. Training stories are short."""
    longest = TRAINED_SENTENCES if lengths[-1] <= TRAINED_WORDS else MOST_SENTENCES
    fewest, most = (
        int((words - slack) / WORDS_PER_SENTENCE) for words, slack in ((lengths[0], 9), (lengths[-1], -4))
    )
    while True:
        story = tell(rng, rng.randint(min(max(fewest, 3), longest), min(max(most, 3), longest)))
        if len(story) in lengths:
            return story


def write_story(writer: Writer, sentences: int, count: int) -> bool:
    """Write the sentences in a random consistent order. Return False if there is none."""
    rng = writer.rng
    extra = rng.choices(("event", "journey", "fill"), (3, 4, 4), k=sentences - 2 * count)
    numbers = [*range(count), *(rng.randrange(count) for kind in extra if kind == "event")]
    rng.shuffle(numbers)  # number of the thing that each event is about
    journeys = {*rng.sample(range(len(numbers)), min(extra.count("journey"), len(numbers)))}
    fills = extra.count("fill") + extra.count("journey") - len(journeys)
    steps: list[tuple[int, int] | None] = []  # what to write: an event, or None for a filler
    for n, number in enumerate(numbers):
        steps.append((n, number))
    for _ in range(fills):
        steps.insert(rng.randrange(len(steps)), None)
    writer.introduce_thing(0)
    openings = {number: rng.randint(0, numbers.index(number)) for number in range(1, count)}
    opened = 1
    for step in steps:
        if step is None:
            writer.fill()
            continue
        n, number = step
        while opened < count and openings[opened] <= n:
            writer.introduce_thing(opened)
            opened += 1
        is_last = number not in numbers[n + 1 :]
        if not writer.happen(writer.things[number], is_last, n in journeys):
            return False
    return True


@cache
def story_words() -> frozenset[str]:
    """Every word that `tell` can write."""
    words = {
        *NAMES,
        *PRONOUNS.values(),
        *CARRIED,
        *COLOURS,
        *PERSONS,
        *VERBS,
        *MOTIONS,
        *BESIDE,
        *GRAMMAR["SORRY"],
    }
    words |= {*"a an the it her his him and there had saw to back poor was looked everywhere for , .".split()}
    words |= {word for text in (*STARTS, *PERIODS, *LINKS, LAST) for word in text.split()}
    words |= {place for symbols in TOPICS.values() for place in symbols["PLACE"]}
    return frozenset(words | scene_words())


def scene_words() -> set[str]:
    """Every word of the scenes."""
    found: set[str] = set()
    for topic in TOPICS.values():
        symbols = {**GRAMMAR, **topic, **SCENES}
        waiting = ["SCENE"]
        done: set[str] = set()
        while waiting:
            for text in symbols[waiting.pop()]:
                for word in text.split():
                    if word not in symbols:
                        found.add(word)
                    elif word not in done:
                        done.add(word)
                        waiting.append(word)
    return found
