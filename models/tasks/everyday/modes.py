"""Modes of an action: its tenses, modals, and verbs such as want to before it."""

from functools import cache

from models.tasks.everyday import conjugation
from models.tasks.everyday.actions import Action
from models.tasks.everyday.clauses import going_to, infinitive, modal_clause, verb_clause
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import AM, WAS
from models.tasks.translation.phrase import NOTHING, Phrase, leaf
from models.tasks.translation.verbs import NEGATIONS, arrange_clause

CATENATIVES = {  # English verb and what links it to the next: French verb, its link, whether it is a state
    "want to": Verb("want", "vouloir", traits=frozenset({"state"})),
    "need to": Verb("need", "avoir besoin", link="de", traits=frozenset({"state"})),
    "have to": Verb("have", "devoir", traits=frozenset({"state"})),
    "like to": Verb("like", "aimer", traits=frozenset({"state"})),
    "like ing": Verb("like", "aimer", traits=frozenset({"state"})),
    "love ing": Verb("love", "adorer", traits=frozenset({"state"})),
    "hate ing": Verb("hate", "détester", traits=frozenset({"state"})),
    "prefer to": Verb("prefer", "préférer", traits=frozenset({"state"})),
    "hope to": Verb("hope", "espérer", traits=frozenset({"state"})),
    "try to": Verb("try", "essayer", link="de"),
    "forget to": Verb("forget", "oublier", link="de"),
    "decide to": Verb("decide", "décider", link="de"),
    "learn to": Verb("learn", "apprendre", link="à"),
    "begin to": Verb("begin", "commencer", link="à"),
    "start to": Verb("start", "commencer", link="à"),
    "continue to": Verb("continue", "continuer", link="à"),
    "stop ing": Verb("stop", "arrêter", link="de"),
    "finish ing": Verb("finish", "finir", link="de"),
    "refuse to": Verb("refuse", "refuser", link="de"),
    "promise to": Verb("promise", "promettre", link="de"),
}

CATENATIVE_WEIGHTS = {  # how often each is drawn; those that few verbs follow weigh more
    "want to": 8,
    "have to": 5,
    "need to": 4,
    "like to": 4,
    "like ing": 3,
    "love ing": 2,
    "hate ing": 1,
    "prefer to": 2,
    "hope to": 4,
    "try to": 4,
    "forget to": 4,
    "decide to": 4,
    "learn to": 4,
    "begin to": 2,
    "start to": 2,
    "continue to": 5,
    "stop ing": 3,
    "finish ing": 3,
    "refuse to": 8,
    "promise to": 8,
}

NOT_HAVE_TO = Verb("have", "avoir besoin", link="de", traits=frozenset({"state"}))  # it is not necessary

HABIT = ("often", "always", "sometimes", "usually", "rarely")


def say(
    draft: Draft,
    subject: Nominal,
    action: Action,
    mode: str,
    adverb: str = "",
    asked: bool = False,
    opening: Phrase = NOTHING,
) -> Phrase:
    """The action in a mode: a tense of `verb_clause`, a modal, `going`, `would like to` or a verb such as `want to`."""
    verb, negated = action.verb, adverb in NEGATIONS
    if not suits(verb, mode) or (mode in ("will", "going") and verb.base in UNPLANNED_VERBS):
        raise DeadEnd
    if mode in CATENATIVES or mode.partition(" past")[0] in CATENATIVES:
        name, past, _ = mode.partition(" past")
        head = CATENATIVES["need to" if name == "have to" and adverb == "not" else name]
        if head is CATENATIVES["need to"] and name == "have to":
            head = NOT_HAVE_TO
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
            subject, mode, rest, adverb, asked, opening, french_modal(mode, action, adverb, asked)
        )
    if mode in ("present", "past") and not asked and adverb != "not" and past_looks_present(verb, subject):
        mode = "present" if adverb in HABIT else "past"  # they read: only a habit is the present
    if verb.frame == "s" and mode in ("now", "then"):
        return sitting(subject, verb, mode, action.tail, adverb, asked, opening)
    if (
        mode == "past"
        and verb.base == "have"
        and action.object
        and action.object.noun
        and action.object.noun.english
        in (
            "idea",
            "problem",
            "accident",
            "surprise",
            "meeting",
            "appointment",
        )
    ):
        return verb_clause(
            subject, verb, mode, action.tail, adverb, asked, action.clitic, opening=opening
        )  # il a eu une idée
    if mode == "past" and (verb.is_state or adverb in HABIT):
        mode = "imperfect"
    return verb_clause(subject, verb, mode, action.tail, adverb, asked, action.clitic, opening=opening)


def past_looks_present(verb: Verb, subject: Nominal) -> bool:
    """Whether the English present and past are the same word: they put, i read."""
    return subject.who != (3, False) and verb.base == verb.english_form("past")


def sitting(
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


def french_modal(mode: str, action: Action, adverb: str, asked: bool) -> tuple[str, str] | None:
    """Choose the French modal such as: can swim: sait nager; can swim here: peut nager ici; could not come: n'a pas pu venir."""
    if mode == "can" and "skill" in action.verb.traits and not action.placed:
        return "savoir", "present"
    if mode == "could" and not asked:
        return ("pouvoir", "past") if adverb in ("not", "never") else None
    return None


MODES = (  # how often each is drawn, for events
    *("present",) * 20,
    *("now",) * 12,
    *("past",) * 26,
    *("then",) * 4,
    *("will",) * 7,
    *("going",) * 5,
    *("perfect",) * 5,
    *("had",) * 1,
    *("can",) * 4,
    *("could",) * 2,
    *("must",) * 3,
    *("should",) * 3,
    "might",
    *("would like to",) * 2,
    *("catenative",) * 10,
)

WISHED_VERBS = word_group("wished_verbs")

ADVISABLE_VERBS = word_group("advisable_verbs")

ACTIVITY_VERBS = word_group("activity_verbs")

GRADUAL_VERBS = word_group("gradual_verbs")

SUITABLE = {  # the verbs that go with a modal or after another verb; any verb goes with those that are not here
    **dict.fromkeys(("can", "could", "might", "may", "want to", "would like to"), WISHED_VERBS),
    **dict.fromkeys(("must", "should", "have to", "need to"), ADVISABLE_VERBS),
    **dict.fromkeys(("like to", "like ing", "love ing", "hate ing", "prefer to"), ACTIVITY_VERBS),
    **dict.fromkeys(("begin to", "start to", "continue to"), GRADUAL_VERBS),
    "hope to": frozenset(
        "visit travel find win learn see meet come go finish buy understand become live pass".split()
    ),
    "try to": frozenset(
        """sleep find open repair fix understand help win call learn remember answer read translate explain finish catch save
        see""".split()
    ),
    "forget to": (
        frozenset("call buy lock close bring send write take pay feed water check print".split())
        | {"turn+off"}
    ),
    "decide to": frozenset(
        "leave sell buy move stay learn go travel visit help study rent build organise".split()
    ),
    "learn to": (
        frozenset("swim drive cook dance sing read write play speak draw paint use".split())
        | {"ride a horse"}
    ),
    "stop ing": frozenset("smoke work cry laugh eat sing play run read fight shout study".split()),
    "finish ing": frozenset("eat read write cook clean paint work repair wash translate".split()),
    "refuse to": frozenset("help answer work eat speak pay leave come sign sell".split()) | {"listen to"},
    "promise to": frozenset("help call come visit write send bring pay finish clean".split()),
}


@cache
def catenatives(verb: Verb) -> tuple[str, ...]:
    """The verbs that may come before this one, each as often as it is drawn."""
    return tuple(
        name for name, weight in CATENATIVE_WEIGHTS.items() if suits(verb, name) for _ in range(weight)
    )


PLAIN = tuple(
    "refuse forget prefer stop finish begin start continue learn decide promise hope".split()
)  # seldom denied


def suits(verb: Verb, mode: str) -> bool:
    """Whether somebody would say the verb so: one hopes to win, and not to make a mistake."""
    suitable = SUITABLE.get(mode.removesuffix(" past"))
    if suitable is ACTIVITY_VERBS and verb.frame in ("g", "p"):
        return False
    return suitable is None or verb.base in suitable or verb.english in suitable


UNPLANNED_VERBS = word_group("unplanned_verbs")

SUDDEN_VERBS = word_group("sudden_verbs")

THING_MODES = (*("present",) * 6, *("now",) * 4, *("past",) * 7, "then", "then", *("will",) * 2)

STATE_MODES = (*("present",) * 2, "past")

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
    """A tense or modal that suits the verb."""
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
        if sudden and mode in (
            "now",
            "then",
            "catenative",
            "must",
            "should",
            "would like to",
            "can",
            "could",
            "might",
            "going",
            "will",
        ):
            if mode in ("now", "then") and "reaction" in verb.traits:
                return mode
            continue
        if mode == "present" and "moment" in verb.traits and "go" not in verb.traits and draft.chance(0.6):
            continue
        if mode in ("now", "then") and (
            "state_present" in verb.traits
            or ("moment" in verb.traits and verb.frame == "t" and mode == "then")
        ):
            continue
        if mode == "perfect" and (
            "reaction" in verb.traits or verb.base in ("wear", "hold", "live", "walk", "feel", "get")
        ):
            continue
        if mode == "catenative":
            options = catenatives(verb)
            if not options:
                continue
            mode = draft.pick(options)
            if (
                mode in ("stop ing", "finish ing", "continue to", "begin to", "start to")
                and "moment" in verb.traits
            ):
                continue
            if draft.chance(0.35) and mode not in ("hope to",):
                mode += " past"
        if suits(verb, mode):
            return mode
    return "past"
