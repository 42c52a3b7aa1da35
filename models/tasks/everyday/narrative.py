"""Stories about one person's day: long sentences with clauses in chronological order."""

from dataclasses import replace
from functools import cache

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import Action, complete_action, set_owner
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb, lexicon
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import SUDDEN_VERBS, build_clause, past_looks_present
from models.tasks.everyday.modifiers import is_social
from models.tasks.everyday.pronouns import COLLECTIVE_NOUNS, pronoun_for
from models.tasks.everyday.reasons import FEELS, be_adjective, build_cause
from models.tasks.everyday.subjects import draw_person
from models.tasks.everyday.tables import rows, word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, join, leaf

Steps = tuple[tuple[str, ...], ...]  # the choices for each step, as `verb/frame:objects`
SCRIPTS: dict[str, Steps] = {}
for _row in rows("scripts"):
    SCRIPTS[_row["script"]] = (*SCRIPTS.get(_row["script"], ()), tuple(_row["deeds"].split(" | ")))
DAILY_SCRIPTS = ("morning", "work", "evening")  # scripts for daily routines
HOME_SCRIPTS = ("morning", "evening", "housework")
SCHOOL_CHILDREN = frozenset("boy girl child kid pupil".split())
SHORT_WORDS = 24  # longer sentences describe a whole day
WINDOW = 2  # script steps that a short story may skip
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
AFTERNOON, EVENING = ("in the afternoon", "l' après-midi"), ("in the evening", "le soir")
EVENING_DEEDS = ("have dinner", "watch television", "watch")
OCCASIONAL_VERBS = word_group("occasional_verbs")
PLACED_DEEDS = ("have lunch", "meet", "dance", "take a picture")  # steps that sometimes name a place
MEAL_DEEDS = {"have breakfast", "have lunch", "have dinner"}
COMMENTED_VERBS = word_group("commented_verbs")
COMMENTS = {  # comments on a thing afterwards, by its kind
    "food": ("good", "delicious"),
    "food_mass": ("good", "delicious"),
    "drink": ("good", "hot"),
    "media": ("good", "interesting", "boring", "funny"),
    "text": ("good", "interesting", "boring", "long"),
    "clothing": ("beautiful", "expensive", "cheap"),
}


@cache
def deed_verb(deed: str) -> Verb:
    """Find the verb that a deed names in the table, with the deed's own objects."""
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


def draw_narrative(draft: Draft, words: int) -> Phrase:
    """Write about `words` English words on what somebody did, will do or always does in one day."""
    subject = draw_person(draft)
    if subject.noun and subject.noun.english in COLLECTIVE_NOUNS:
        raise DeadEnd
    draft.everyday = True
    mode = draft.pick(("past", "past", "past", "past", "will", "present"))
    count = max(2, round(words / draft.rng.uniform(5, 8)))
    script, places = choose_steps(
        draft, subject, mode, min(count, 4) if words <= SHORT_WORDS else min(count, 7)
    )
    opening = draft.pick(OPENINGS[mode]) if draft.chance(0.3 if mode == "past" else 0.7) else None
    if opening and script in ("morning", "work", "school") and opening[0].startswith("on "):
        opening = OPENINGS[mode][0]  # an opening that does not mention the weekend
    detailed = draft.rng.randrange(len(places))  # index of the clause with more detail
    at_home = script in HOME_SCRIPTS
    phrase, before = NOTHING, ""
    for i, step in enumerate(places):
        verb = draw_deed(draft, subject, step, mode)
        part = None
        if i and before == "have lunch" and verb.english not in EVENING_DEEDS and draft.chance(0.5):
            part = AFTERNOON
        elif i and script != "evening" and verb.english in EVENING_DEEDS and draft.chance(0.6):
            part = EVENING
        who = subject if i == 0 else pronoun_for(subject)
        dropped = i > 0 and mode != "will" and not part and i - 1 != detailed and draft.chance(0.3)
        if dropped:  # English drops the subject, French repeats it
            again = tuple([mot._replace(sources=subject.phrase.english) for mot in who.phrase.french])
            who = who._replace(phrase=Phrase((), again))
        clause = deed_clause(draft, who, verb, mode, i == detailed, at_home)
        before = verb.english
        if i == 0:
            phrase = clause
            continue
        mark = NOTHING if dropped or (len(places) == 2 and len(phrase.english) < 7) else leaf(",", ",")
        then = leaf("then", "puis") if not part and draft.chance(0.12) else NOTHING
        bare = then is not NOTHING and mark is not NOTHING and i < len(places) - 1
        link = NOTHING if bare else leaf("and", "et")
        phrase = join(phrase, mark, link, then, fixed(*part) if part else NOTHING, clause)
    if opening:
        phrase = join(fixed(*opening), leaf(",", ","), phrase)
    return phrase


def choose_steps(draft: Draft, subject: Nominal, mode: str, count: int) -> tuple[str, list[tuple[str, ...]]]:
    """Choose a script that suits the subject and the tense: its name, and `count` of its steps in order."""
    if subject.noun and subject.noun.english in SCHOOL_CHILDREN:
        name = "school"
    else:
        name = draft.pick(DAILY_SCRIPTS if mode == "present" else tuple(SCRIPTS)[:-1])
    steps = SCRIPTS[name]
    if count > 4:
        steps = (
            SCRIPTS["morning"]
            + (SCRIPTS[name] if name not in ("morning", "evening") else ())
            + SCRIPTS["evening"]
        )
    if count > len(steps):
        raise DeadEnd
    start = draft.rng.randint(0, max(0, len(steps) - count - WINDOW))
    last = min(len(steps), start + count + (WINDOW if count <= 4 else 2 * count))
    return name, [steps[i] for i in sorted(draft.rng.sample(range(start, last), count))]


def deed_clause(draft: Draft, who: Nominal, verb: Verb, mode: str, at_length: bool, at_home: bool) -> Phrase:
    """Build the clause of one deed, sometimes with an hour, company, a place, or a cause if `at_length`."""
    set_owner(draft, who)
    if verb.frame == "d":
        action = Action(verb, adjuncts.draw_named_goal(draft, verb.object), placed=True)
    elif verb.frame == "a":
        place = adjuncts.place_at_noun(draft, draft.noun(verb.object), ("at", "in"))
        action = Action(verb, place, placed=True)
    else:
        action = complete_action(draft, who, verb)
    phrase = build_clause(draft, who, action, mode)
    if verb.english in ("wake up", "get up") and draft.chance(0.5):
        number = leaf(*draft.pick(HOURS))
        return join(
            phrase, leaf("at", "à"), arrange([number], [number, Phrase((), leaf("", "heures").french)])
        )
    if is_social(verb) and draft.chance(0.2):
        return join(phrase, adjuncts.draw_company(draft))
    if at_length and mode == "past":
        return join(phrase, build_afterthought(draft, who, action))
    where = [name for name in verb.where if name not in ("home", "work") and verb.english in PLACED_DEEDS]
    if where and not at_home and not action.placed and draft.chance(0.15):
        return join(phrase, adjuncts.place_of(draft, draft.pick(where)))
    return phrase


def draw_deed(draft: Draft, who: Nominal, step: tuple[str, ...], mode: str) -> Verb:
    for _ in range(6):
        verb = deed_verb(draft.pick(step))
        habit_unclear = mode == "present" and past_looks_present(verb, who)
        if (
            verb.english in draft.verbs
            or habit_unclear
            or (mode == "present" and verb.base in OCCASIONAL_VERBS)
            or (mode != "past" and ("accident" in verb.traits or verb.base in SUDDEN_VERBS))
        ):
            continue
        draft.verbs.add(verb.english)
        return verb
    raise DeadEnd


def build_afterthought(draft: Draft, who: Nominal, action: Action) -> Phrase:
    """Build an afterthought such as: because she was hungry; and it was good. It may be empty."""
    tags = [tag for tag in action.verb.why if tag in FEELS or tag in ("tired", "sick")]
    if action.verb.base in ("leave", "come", "read", "watch") or action.verb.english in ("go home", "go out"):
        tags = []
    if "hungry" in tags and draft.verbs & (MEAL_DEEDS - {action.verb.english}):
        tags = []
    if tags:
        return join(leaf("because", "parce que"), build_cause(draft, draft.pick(tags), who, None, "past"))
    thing = action.object
    if thing is None or thing.noun is None or thing.noun.kind not in COMMENTS:
        return NOTHING
    if action.verb.base not in COMMENTED_VERBS or (
        action.verb.base == "buy" and thing.noun.kind != "clothing"
    ):
        return NOTHING
    return join(
        leaf("and", "et"),
        be_adjective(draft, pronoun_for(thing), draft.pick(COMMENTS[thing.noun.kind]), "past"),
    )
