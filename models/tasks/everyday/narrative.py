"""One person's day in order, from waking up to falling asleep: long sentences whose clauses belong together."""

from dataclasses import replace
from functools import cache

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import SOCIAL, SUDDEN, Action, complete, say
from models.tasks.everyday.lexicon import Verb, lexicon
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.nominals import COLLECTIVE, Draft, Nominal, pronoun_for
from models.tasks.everyday.reasons import FEELS, being, cause
from models.tasks.everyday.subjects import somebody
from models.tasks.translation.nominals import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, join, leaf

READ = "read:book newspaper story article poem"
ERRANDS = """buy:bread cheese fruit vegetable flower milk newspaper shirt shoe dress hat|go|meet|help:family friend/adult
    neighbour|talk to:family friend/adult neighbour teacher|see:friend/adult cousin uncle aunt grandmother grandfather|
    visit:museum castle church zoo|send/g|write/g|call:family friend/adult doctor|clean:car kitchen room house bathroom|
    wash/t:car clothing dog window|repair|sell/t:car bike computer furniture|find/t:key wallet ring cat|lose/t:key phone wallet
    umbrella|borrow:book bicycle umbrella|look after|pay|give/g|explore|plant|water|order:pizza coffee|help|wait for:bus train
    friend/adult|answer:email letter message|choose:gift dress book|check|sign:letter contract|park|carry|open:letter gift|
    translate:text/text letter|draw|paint:wall door picture|feed|throw+away|prepare:lesson exam trip|print|
    attend:lesson meeting concert|invite:family friend/adult neighbour|thank|show/g|lend/g|tell/g|try+on"""
DAY = tuple(  # what one does in the course of a day: `verb/frame:objects`
    tuple(" ".join(deed.split()) for deed in line.split("|"))
    for line in (
        "wake up",
        "get up",
        "wash/i|take a shower|brush * teeth|get dressed",
        "have breakfast|drink:coffee tea|make:coffee tea|" + READ,
        "leave/i|take:bus train taxi|go out",
        "go|study/t|work/l|" + ERRANDS,
        ERRANDS,
        "have lunch|eat/t|order:pizza coffee",
        "swim|run|walk|go for a walk|play/v|exercise|visit/t:family friend/adult neighbour|" + ERRANDS,
        ERRANDS,
        "go home|come back",
        "cook/t|have dinner|bake",
        "watch:film/media series match/sport video|listen to:music radio|watch television|do the"
        " dishes|play/v|" + READ,
        "write/g|download|learn:song poem lesson|" + READ,
        "go to bed|fall asleep|turn+off:light television computer",
    )
)
LEAVING, AFTERNOON, HOMEWARD, EVENING = 4, 8, 10, 12  # places in DAY
NEXT = 4  # how many things of the day may be left out: nobody gets up and falls asleep
PARTS_OF_DAY = {AFTERNOON: ("in the afternoon", "l' après-midi"), EVENING: ("in the evening", "le soir")}
HOURS = (("six", "six"), ("seven", "sept"), ("eight", "huit"), ("nine", "neuf"))
OPENINGS = {
    "past": (
        ("yesterday", "hier"),
        ("yesterday", "hier"),
        ("on saturday", "samedi"),
        ("on sunday", "dimanche"),
    ),
    "will": (("tomorrow", "demain"), ("tomorrow", "demain"), ("on saturday", "samedi")),
    "present": (("every day", "tous les jours"), ("usually", "d'habitude")),
}
COMMENTS = {  # what one says of a thing afterwards, by its kind
    "food": ("good", "delicious", "expensive"),
    "food_mass": ("good", "delicious"),
    "drink": ("good", "hot", "cold"),
    "media": ("good", "interesting", "boring", "funny", "beautiful"),
    "text": ("good", "interesting", "boring", "difficult", "long"),
    "clothing": ("beautiful", "expensive", "cheap"),
}


@cache
def deed_verb(deed: str) -> Verb:
    """The verb of the table that a deed names, with the deed's own objects."""
    named, _, objects = deed.partition(":")
    name, _, frame = named.partition("/")
    found = [
        verb
        for verb in lexicon().verbs
        if verb.english == name
        and {"person", "adult", "child"} & set(verb.subject.split())
        and frame in ("", verb.frame)
    ]
    verb = next((verb for verb in found if not objects or verb.frame == "t"), found[0])
    return replace(
        verb,
        object=objects or verb.object,
        why=() if objects else verb.why,
        traits=verb.traits | {"nopronoun", "plain"},
    )


def narrative(draft: Draft, words: int) -> Phrase:
    """About `words` English words on what somebody did, will do or always does in one day."""
    subject = somebody(draft)
    if subject.noun and (subject.noun.english in COLLECTIVE or subject.noun.kind == "child"):
        raise DeadEnd
    mode = draft.pick(("past", "past", "past", "past", "will", "present"))
    count = max(2, round(words / draft.rng.uniform(5, 8)))
    if count > len(DAY):
        raise DeadEnd
    start = draft.rng.randint(0, max(0, len(DAY) - count - NEXT))
    places = sorted(draft.rng.sample(range(start, min(len(DAY), start + count + NEXT)), count))
    if HOMEWARD in places and not set(range(LEAVING, HOMEWARD)) & set(places):
        raise DeadEnd  # nobody goes home who has not left
    opening = draft.pick(OPENINGS[mode]) if draft.chance(0.3 if mode == "past" else 0.7) else None
    told = draft.rng.randrange(count)  # the one of which more is said
    clauses = []
    for i, place in enumerate(places):
        who = subject if i == 0 else pronoun_for(subject)
        part = PARTS_OF_DAY.get(place) if i and draft.chance(0.35) else None
        dropped = i > 0 and mode != "will" and not part and draft.chance(0.3)
        if dropped:  # English leaves the subject out, French says it again
            again = tuple([mot._replace(sources=subject.phrase.english) for mot in who.phrase.french])
            who = who._replace(phrase=Phrase((), again))
        clauses.append((deed_clause(draft, who, place, mode, i == told), part, dropped))
    phrase = clauses[0][0]
    for i, (clause, part, dropped) in enumerate(clauses[1:], 1):
        mark = NOTHING if dropped or (count == 2 and len(phrase.english) < 7) else leaf(",", ",")
        then = leaf("then", "puis") if not part and draft.chance(0.12) else NOTHING
        link = NOTHING if then is not NOTHING and mark is not NOTHING and i < count - 1 else leaf("and", "et")
        phrase = join(phrase, mark, link, then, fixed(*part) if part else NOTHING, clause)
    if opening:
        phrase = join(fixed(*opening), leaf(",", ","), phrase)
    return phrase


def deed_clause(draft: Draft, who: Nominal, place: int, mode: str, at_length: bool) -> Phrase:
    """One thing of the day, with an hour, company or a place now and then, and a cause or a comment if `at_length`."""
    verb = some_deed(draft, who, place, mode)
    action = (
        complete(draft, who, verb)
        if verb.frame != "d"
        else Action(verb, adjuncts.goal(draft, local=True), placed=True)
    )
    phrase = say(draft, who, action, mode)
    if place < 2 and draft.chance(0.5):
        number = leaf(*draft.pick(HOURS))
        return join(
            phrase, leaf("at", "à"), arrange([number], [number, Phrase((), leaf("", "heures").french)])
        )
    if (
        verb.base in SOCIAL
        and verb.english != "go to bed"
        and verb.frame in ("d", "i", "v", "l")
        and draft.chance(0.2)
    ):
        return join(phrase, adjuncts.company(draft))
    where = [name for name in verb.where if name != "home" or place > HOMEWARD]
    if where and not action.placed and draft.chance(0.15):
        return join(phrase, adjuncts.place_of(draft, draft.pick(where)))
    return join(phrase, after_words(draft, who, action)) if at_length and mode == "past" else phrase


def some_deed(draft: Draft, who: Nominal, place: int, mode: str) -> Verb:
    for _ in range(6):
        verb = deed_verb(draft.pick(DAY[place]))
        habit_unclear = mode == "present" and who.who != (3, False) and verb.base == verb.english_form("past")
        if (
            verb.english in draft.verbs
            or habit_unclear
            or (mode != "past" and ("accident" in verb.traits or verb.base in SUDDEN))
        ):
            continue
        draft.verbs.add(verb.english)
        return verb
    raise DeadEnd


def after_words(draft: Draft, who: Nominal, action: Action) -> Phrase:
    """Build a phrase such as: because she was hungry; and it was good; or nothing."""
    tags = [tag for tag in action.verb.why if tag in FEELS or tag in ("tired", "late", "rain", "sick")]
    if tags:
        return join(leaf("because", "parce que"), cause(draft, draft.pick(tags), who, None, "past"))
    thing = action.object
    if thing is None or thing.noun is None or thing.noun.kind not in COMMENTS:
        return NOTHING
    return join(
        leaf("and", "et"), being(draft, pronoun_for(thing), draft.pick(COMMENTS[thing.noun.kind]), "past")
    )
