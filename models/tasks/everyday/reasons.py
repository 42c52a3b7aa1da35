"""Clauses of cause. The verb table lists the causes of an action as tags."""

from models.tasks.everyday.actions import Action, complete_action, object_pronoun
from models.tasks.everyday.clauses import POSSESSIVE, be_clause, verb_clause
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Adjective, Verb
from models.tasks.everyday.modes import build_clause
from models.tasks.everyday.nominals import plain_phrase
from models.tasks.everyday.pronouns import ce, impersonal_it, pronoun_for
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import Phrase, join, leaf

OF_SUBJECT = {  # cause → adjective that describes the subject
    "tired": "tired",
    "sick": "sick",
    "happy": "happy",
    "sad": "sad",
    "angry": "angry",
    "late": "late",
    "busy": "busy",
    "unhappy": "sad",
    "alone_me": "alone",
    "old": "old",
    "young": "young",
    "clever": "smart",
}
# Nouns that French uses with avoir: avoir faim.
FEELS = {"hungry": "faim", "thirsty": "soif", "cold": "froid", "hot": "chaud", "afraid": "peur"}
OF_OBJECT = {  # cause → adjective that describes the object
    "good": "good",
    "beautiful": "beautiful",
    "cheap": "cheap",
    "expensive": "expensive",
    "useful": "useful",
    "important": "important",
    "difficult": "difficult",
    "easy": "easy",
    "boring": "boring",
    "bad": "bad",
    "heavy": "heavy",
    "broken": "broken",
    "dirty": "dirty",
    "old_it": "old",
    "dangerous": "dangerous",
    "closed": "closed",
    "strange": "strange",
    "empty": "empty",
    "nice_person": "nice",
    "alone_person": "alone",
    "busy_person": "busy",
    "sick_person": "sick",
    "sad_person": "sad",
    "late_it": "late",
    "sick_it": "sick",
    "young_it": "young",
    "cold_it": "cold",
    "hot_it": "hot",
}
OBJECT_FEELS = {"hungry_it": ("hungry", "faim")}
RAIN = Verb("rain", "pleuvoir")
NEED_MONEY = Verb("need money", "avoir besoin d' argent", traits=frozenset({"state"}))
HAVE_NO_MONEY = Verb("have any money", "avoir d' argent", traits=frozenset({"state"}))
LIKE, LOVE = (
    Verb("like", "aimer", "t", traits=frozenset({"state"})),
    Verb("love", "aimer", "t", traits=frozenset({"state"})),
)
LOSE = Verb("lose", "perdre", "t")
KNOWN = {
    *OF_SUBJECT,
    *FEELS,
    *OF_OBJECT,
    *OBJECT_FEELS,
    "rain",
    "nice",
    "dark",
    "late_night",
    "noise",
    "money",
    "no_money",
    "like_it",
    "like_person",
    "love",
    "lost",
    "birthday",
}


def the_weather() -> Nominal:
    """The subject of: the weather is nice: il fait beau."""
    return Nominal(leaf("the weather", "il"), Agreement("m"), False, "it")


def adjective_for(draft: Draft, name: str, nominal: Nominal) -> Adjective:
    """Find the adjective with this name, in the sense that suits the noun."""
    named = [a for a in draft.lexicon.adjectives if a.english == name]
    kind, word = (nominal.noun.kind, nominal.noun.english) if nominal.noun else ("adult", "")
    suitable = [a for a in named if kind in a.kinds or word in a.nouns]
    if not suitable:
        raise DeadEnd
    return suitable[0]


def be_adjective(draft: Draft, subject: Nominal, name: str, tense: str) -> Phrase:
    found = adjective_for(draft, name, subject)
    very = (
        leaf("very", "très")
        if name in ("tired", "expensive", "difficult", "heavy", "sick", "good", "happy", "sad")
        and draft.chance(0.3)
        else leaf("", "")
    )
    return be_clause(subject, tense, join(very, leaf(name, found.french(subject.agreement))))


def build_cause(draft: Draft, tag: str, subject: Nominal, thing: Nominal | None, tense: str) -> Phrase:
    """Build a cause about the subject, the object or the weather. `tense` is present or past."""
    who = pronoun_for(subject)
    state_tense = "imperfect" if tense == "past" else "present"
    if tag in OF_SUBJECT:
        return be_adjective(draft, who, OF_SUBJECT[tag], tense)
    if tag in FEELS:
        return be_clause(who, tense, leaf(tag, FEELS[tag]), verb="avoir")
    if tag == "rain":
        return verb_clause(impersonal_it(), RAIN, "then" if tense == "past" else "now")
    if tag == "nice":
        return be_clause(the_weather(), tense, leaf("nice", "beau"), verb="faire")
    if tag == "dark":
        return be_clause(impersonal_it(), tense, leaf("dark", "nuit"), verb="faire")
    if tag == "late_night":
        return be_clause(impersonal_it(), tense, leaf("late", "tard"))
    if tag == "noise":
        there, be = (
            leaf("there", "il y"),
            leaf("was" if tense == "past" else "is", "avait" if tense == "past" else "a"),
        )
        return join(there, be, leaf("too much", "trop de"), leaf("noise", "bruit"))
    if tag == "money":
        return verb_clause(who, NEED_MONEY, state_tense)
    if tag == "no_money":
        return verb_clause(who, HAVE_NO_MONEY, state_tense, adverb="not")
    if thing is None or (
        not thing.definite and tag not in ("like_it", "cheap", "expensive", "good", "beautiful")
    ):
        raise DeadEnd
    its = pronoun_for(thing)
    if tag in OF_OBJECT:
        return be_adjective(draft, its, OF_OBJECT[tag], tense)
    if tag in OBJECT_FEELS:
        return be_clause(its, tense, leaf(*OBJECT_FEELS[tag]), verb="avoir")
    if tag in ("like_it", "like_person", "love"):
        return verb_clause(who, LOVE if tag == "love" else LIKE, state_tense, clitic=object_pronoun(thing))
    if tag == "lost":
        return verb_clause(who, LOSE, "past", clitic=object_pronoun(thing))
    if tag == "birthday":
        owner = POSSESSIVE.get(thing.pronoun if thing.is_person else subject.pronoun, "his")
        day = plain_phrase(draft, draft.lexicon.noun("birthday"), owner)
        return be_clause(ce("it"), tense, day.phrase)
    raise DeadEnd


def draw_explained_action(
    draft: Draft, subject: Nominal, verbs: tuple[Verb, ...], negated: bool
) -> tuple[Action, str]:
    """Draw an action of this subject, and the tag of a cause for it."""
    for _ in range(12):
        verb = draft.pick(verbs)
        tags = [tag for tag in (verb.why_not if negated else verb.why) if tag in KNOWN]
        if not tags or verb.english in draft.verbs or (verb.base == "work" and verb.frame == "l" and negated):
            continue
        nouns = set(draft.nouns)
        try:
            action = complete_action(draft, subject, verb, negated)
        except DeadEnd:
            draft.nouns = nouns
            continue
        tag = draft.pick(tags)
        if tag in ("hungry", "thirsty", "hot", "cold", "like_it") and action.clitic:
            continue
        if tag == "hungry" and action.object and action.object.noun and action.object.noun.kind == "drink":
            continue
        draft.verbs.add(verb.english)
        return action, tag
    raise DeadEnd


def said(draft: Draft, subject: Nominal, action: Action, mode: str, negated: bool = False) -> Phrase:
    return build_clause(draft, subject, action, mode, "not" if negated else "")
