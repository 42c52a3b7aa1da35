"""What may be added to an action: manner, company, place and time."""

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import Action
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import SUDDEN_VERBS, TIME_OF
from models.tasks.everyday.tables import word_group
from models.tasks.translation.phrase import NOTHING, Phrase, join

SOCIAL_VERBS = word_group("social_verbs")

PACED_VERBS = word_group("paced_verbs")


def manner(draft: Draft, subject: Nominal, action: Action, mode: str) -> Phrase:
    """An adverb of manner that suits the verb and the tense, or nothing."""
    verb, compound = action.verb, mode not in ("present", "now", "then")
    options: list[tuple[str, str]] = []
    if (
        ("skill" in verb.traits or verb.base in ("sleep", "work", "understand", "eat", "know", "hear"))
        and not compound
        and action.verb.frame in ("i", "v")
    ):
        options += [
            ("well", "bien"),
            ("well", "bien"),
            ("very well", "très bien"),
            ("badly", "mal"),
            ("better", "mieux"),
            ("a lot", "beaucoup"),
        ]
    if verb.base in PACED_VERBS and verb.frame in ("i", "v", "l"):
        options += [("quickly", "vite"), ("fast", "vite"), ("slowly", "lentement")]
    if verb.base in ("work", "study"):
        options += [("hard", "dur")]
    if "early" in verb.traits or verb.base in ("leave", "arrive"):
        options += [("early", "tôt"), ("late", "tard"), ("too late", "trop tard"), ("very early", "très tôt")]
    if verb.base in ("drive", "cross", "open", "walk"):
        options += [("carefully", "prudemment")]
    if verb.base in ("speak", "sing", "laugh", "shout"):
        options += [("loudly", "fort"), ("quietly", "doucement")]
    if verb.base in ("win", "swim", "learn", "find"):
        options += [("easily", "facilement")]
    if verb.base in ("speak", "play", "understand", "cook") and not compound:
        options += [("perfectly", "parfaitement")]
    if verb.base in ("leave", "come", "stop", "answer"):
        options += [("immediately", "immédiatement")]
    if subject.plural and verb.base in (
        "eat",
        "play",
        "work",
        "live",
        "travel",
        "leave",
        "sing",
        "dance",
        "study",
        "have",
    ):
        options += [("together", "ensemble")] * 3
    return fixed(*draft.pick(options)) if options else NOTHING


def with_adjuncts(
    draft: Draft, subject: Nominal, action: Action, mode: str, phrase: Phrase, negated: bool = False
) -> Phrase:
    """Add manner, company, place and time while there is room."""
    verb = action.verb
    if mode == "can" and "skill" in verb.traits:
        return phrase
    if action.tail is NOTHING and subject.is_person and draft.chance(0.85 if "early" in verb.traits else 0.3):
        phrase = join(phrase, manner(draft, subject, action, mode))
    if (
        subject.is_person
        and verb.base in SOCIAL_VERBS
        and verb.english != "go to bed"
        and verb.frame in ("d", "i", "v", "l")
        and draft.afford(3, 0.25)
    ):
        phrase = join(phrase, adjuncts.company(draft, verb.base in ("walk", "run")))
    if (
        verb.where
        and not action.placed
        and not negated
        and (subject.is_person or verb.field in ("animals", "weather", "nature", "travel", "leisure"))
        and draft.afford(3, 0.45)
    ):
        phrase = join(phrase, adjuncts.place_of(draft, draft.pick(verb.where)))
    time = TIME_OF.get(mode) if mode != "then" else None
    if (
        time
        and not action.timed
        and not verb.is_state
        and "notime" not in verb.traits
        and draft.afford(2, 0.45)
    ):
        dated = time == "past" and verb.base in DATED_VERBS and draft.chance(0.6)
        if time == "present" and (
            not is_habit(verb)
            or "reaction" in verb.traits
            or ("moment" in verb.traits and "go" not in verb.traits)
        ):
            return phrase
        scale = (
            "today"
            if negated or verb.base in SUDDEN_VERBS
            else "long"
            if "long" in verb.traits
            else "clock"
            if verb.base in CLOCK_VERBS
            else "short"
        )
        phrase = join(phrase, adjuncts.date(draft, True) if dated else adjuncts.when(draft, time, scale))
    return phrase


HABITUAL_VERBS = word_group("habitual_verbs")


def is_habit(verb: Verb) -> bool:
    return (verb.base in HABITUAL_VERBS or verb.english in HABITUAL_VERBS) and not {
        "pastonly",
        "accident",
    } & verb.traits


CLOCK_VERBS = word_group("clock_verbs")

DATED_VERBS = word_group("dated_verbs")
