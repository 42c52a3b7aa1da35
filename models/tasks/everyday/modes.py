"""Modes of an action: tenses, modals, and verbs that come before it, such as want to."""

from functools import cache

from models.tasks.everyday import conjugation
from models.tasks.everyday.actions import Action
from models.tasks.everyday.clauses import going_to, infinitive, modal_clause, verb_clause
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.tables import rows, word_group, word_list
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import AM, WAS
from models.tasks.translation.phrase import NOTHING, Phrase, leaf
from models.tasks.translation.verbs import NEGATIONS, arrange_clause

CATENATIVES = {  # verbs that take another verb: want to, begin to
    row["name"]: Verb(
        row["english"],
        row["french"],
        link=row["link"],
        traits=frozenset(row["state"].split()),
        weight=int(row["weight"]),
    )
    for row in rows("catenatives")
}
# “do not have to” in the sense of: it is not necessary
NOT_HAVE_TO = Verb("have", "avoir besoin", link="de", traits=frozenset({"state"}))

# Events as objects of have, which take the passé composé: il a eu une idée.
HAPPENINGS = ("idea", "problem", "accident", "surprise", "meeting", "appointment")
HABIT = ("often", "always", "sometimes", "usually", "rarely")


def build_clause(
    draft: Draft,
    subject: Nominal,
    action: Action,
    mode: str,
    adverb: str = "",
    asked: bool = False,
    opening: Phrase = NOTHING,
) -> Phrase:
    """Build the clause of an action in a mode.

    A mode is a tense of `verb_clause`, a modal, `going`, `would like to` or a verb such as `want to`.
    """
    verb, negated = action.verb, adverb in NEGATIONS
    if not suits(verb, mode) or (mode in ("will", "going") and verb.base in UNPLANNED_VERBS):
        raise DeadEnd
    name, past, _ = mode.partition(" past")
    if name in CATENATIVES:
        head = NOT_HAVE_TO if name == "have to" and adverb == "not" else CATENATIVES[name]
        to, form = ("to", "base") if name.endswith(" to") else ("", "ing")
        rest = infinitive(subject, verb, action.tail, to, head.link, action.clitic, form, negated)
        tense = ("imperfect" if head.is_state else "past") if past else "present"
        return verb_clause(subject, head, tense, rest, adverb, asked, opening=opening)
    if mode == "would like to":
        rest = infinitive(subject, verb, action.tail, "to", "", action.clitic, negated=negated)
        return verb_clause(subject, WOULD_LIKE, "would", rest, adverb, asked, opening=opening)
    if mode == "going":
        rest = infinitive(subject, verb, action.tail, clitic=action.clitic, negated=negated)
        return going_to(subject, rest, adverb, asked, opening)
    if mode in ("will", "can", "could", "must", "should", "may", "might"):
        rest = infinitive(subject, verb, action.tail, clitic=action.clitic, negated=negated)
        return modal_clause(
            subject, mode, rest, adverb, asked, opening, choose_french_modal(mode, action, adverb, asked)
        )
    if mode in ("present", "past") and not asked and adverb != "not" and past_looks_present(verb, subject):
        mode = "present" if adverb in HABIT else "past"  # `they read` is present only for a habit
    if verb.frame == "s" and mode in ("now", "then"):
        return build_sitting(subject, verb, mode, action.tail, adverb, asked, opening)
    noun = action.object.noun if action.object else None
    happened = verb.base == "have" and noun is not None and noun.english in HAPPENINGS
    if mode == "past" and not happened and (verb.is_state or adverb in HABIT):
        mode = "imperfect"
    return verb_clause(subject, verb, mode, action.tail, adverb, asked, action.clitic, opening=opening)


def past_looks_present(verb: Verb, subject: Nominal) -> bool:
    """Whether the English present and past look the same: they put, i read."""
    return subject.who != (3, False) and verb.base == verb.english_form("past")


def build_sitting(
    subject: Nominal, verb: Verb, tense: str, tail: Phrase, adverb: str, asked: bool, opening: Phrase
) -> Phrase:
    """Build a phrase such as: is sitting: est assis, a state in French."""
    be = (AM if tense == "now" else WAS)[subject.who]
    forms = (conjugation.present if tense == "now" else conjugation.imperfect)("être")
    auxiliary = leaf(be, forms[subject.agreement.speaker])
    spoken = leaf(verb.english_form("ing"), verb.participle(subject.agreement))
    return arrange_clause(
        subject.phrase, auxiliary, spoken, auxiliary, spoken, tail, adverb, asked, opening=opening
    )


WOULD_LIKE = Verb("like", "vouloir")


def choose_french_modal(mode: str, action: Action, adverb: str, asked: bool) -> tuple[str, str] | None:
    """Choose the French modal: can swim: sait nager; can swim here: peut nager ici; could not: n'a pas pu."""
    if mode == "can" and "skill" in action.verb.traits and not action.placed:
        return "savoir", "present"
    if mode == "could" and not asked:
        return ("pouvoir", "past") if adverb in ("not", "never") else None
    return None


MODE_WEIGHTS = {  # weights of the modes for actions of people
    "present": 20,
    "now": 12,
    "past": 26,
    "then": 4,
    "will": 7,
    "going": 5,
    "perfect": 5,
    "had": 1,
    "can": 4,
    "could": 2,
    "must": 3,
    "should": 3,
    "might": 1,
    "would like to": 2,
    "catenative": 10,
}
MODES = tuple(mode for mode, weight in MODE_WEIGHTS.items() for _ in range(weight))
PHASES = ("stop ing", "finish ing", "continue to", "begin to", "start to")
THING_MODES = (*("present",) * 6, *("now",) * 4, *("past",) * 7, "then", "then", *("will",) * 2)
STATE_MODES = ("present", "present", "past")
# Modes that need an intention; they do not suit things that happen to people.
DELIBERATE_MODES = frozenset(MODES) - {"present", "past", "perfect", "had"}
NO_PERFECT = ("wear", "hold", "live", "walk", "feel", "get")
ACTIVITY_VERBS = word_group("activity_verbs")
UNPLANNED_VERBS = word_group("unplanned_verbs")
SUDDEN_VERBS = word_group("sudden_verbs")
VERBS_AFTER = {  # the verbs allowed in each mode; modes not listed allow any verb
    **dict.fromkeys(("can", "could", "might", "may", "would like to"), word_group("wished_verbs")),
    **dict.fromkeys(("must", "should"), word_group("advisable_verbs")),
    **{row["name"]: word_list(row["verbs"]) for row in rows("catenatives")},
}


@cache
def catenatives_before(verb: Verb) -> tuple[str, ...]:
    """Verbs that may come before this one, each repeated according to its weight."""
    return tuple(name for name, head in CATENATIVES.items() if suits(verb, name) for _ in range(head.weight))


PLAIN_CATENATIVES = tuple(  # verbs that are not used in negations and questions
    "refuse forget prefer stop finish begin start continue learn decide promise hope".split()
)


def suits(verb: Verb, mode: str) -> bool:
    """Whether the verb makes sense in this mode: people hope to win, but not to make a mistake."""
    suitable = VERBS_AFTER.get(mode.removesuffix(" past"))
    if suitable is ACTIVITY_VERBS and verb.frame in ("g", "p"):
        return False
    return suitable is None or verb.base in suitable or verb.english in suitable


TIME_OF = {
    "present": "present",
    "now": "now",
    "past": "past",
    "imperfect": "past",
    "then": "past",
    "will": "future",
    "going": "future",
    "must": "future",
    "should": "future",
    "would like to": "future",
    "might": "future",
}


def choose_mode(draft: Draft, subject: Nominal, verb: Verb) -> str:
    """Choose a tense or modal that suits the verb."""
    if verb.is_state:
        return draft.pick(STATE_MODES)
    if not subject.is_person:
        if verb.base in SUDDEN_VERBS:
            return draft.pick(("present", "past", "past"))
        return draft.pick(THING_MODES if "state_present" not in verb.traits else STATE_MODES)
    if "pastonly" in verb.traits:
        return "past"
    sudden = verb.base in SUDDEN_VERBS or bool({"accident", "reaction"} & verb.traits)
    for _ in range(8):
        mode = draft.pick(MODES)
        if sudden and mode in DELIBERATE_MODES:
            if mode in ("now", "then") and "reaction" in verb.traits:
                return mode
            continue
        if mode == "present" and "moment" in verb.traits and "go" not in verb.traits and draft.chance(0.9):
            continue
        if mode in ("now", "then") and (
            "state_present" in verb.traits
            or ("moment" in verb.traits and verb.frame == "t" and mode == "then")
        ):
            continue
        if mode == "perfect" and ("reaction" in verb.traits or verb.base in NO_PERFECT):
            continue
        if mode == "catenative":
            options = catenatives_before(verb)
            if not options:
                continue
            mode = draft.pick(options)
            if mode in PHASES and "moment" in verb.traits:
                continue
            if draft.chance(0.35) and mode != "hope to":
                mode += " past"
        if suits(verb, mode):
            return mode
    return "past"
