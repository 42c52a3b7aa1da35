"""Optional parts of an action: manner, company, place and time."""

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import Action
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import SUDDEN_VERBS, TIME_OF
from models.tasks.everyday.tables import word_group
from models.tasks.translation.phrase import NOTHING, Phrase, join

SOCIAL_VERBS = word_group("social_verbs")
HABITUAL_VERBS = word_group("habitual_verbs")
CLOCK_VERBS = word_group("clock_verbs")
DATED_VERBS = word_group("dated_verbs")
# Fields in which the actions of things and animals may take a place.
PLACED_FIELDS = ("animals", "weather", "nature", "travel", "leisure")
SIMPLE_TENSES = ("present", "now", "then")
MANNERS = (  # verbs or @trait; their frames (empty: all); whether only in simple tenses; the adverbs
    ("@skill sleep work understand eat know hear", "i v", True,
     "well=bien well=bien very_well=très_bien badly=mal better=mieux a_lot=beaucoup"),
    (" ".join(word_group("paced_verbs")), "i v l", False, "quickly=vite fast=vite slowly=lentement"),
    ("work study", "", False, "hard=dur"),
    ("@early leave arrive", "", False, "early=tôt late=tard too_late=trop_tard very_early=très_tôt"),
    ("drive cross open walk", "", False, "carefully=prudemment"),
    ("speak sing laugh shout", "", False, "loudly=fort quietly=doucement"),
    ("win swim learn find", "", False, "easily=facilement"),
    ("speak play understand cook", "", True, "perfectly=parfaitement"),
    ("leave come stop answer", "", False, "immediately=immédiatement"),
)  # fmt: skip
TOGETHER_VERBS = frozenset("eat play work live travel leave sing dance study have".split())


def draw_manner(draft: Draft, subject: Nominal, action: Action, mode: str) -> Phrase:
    """Draw an adverb of manner that suits the verb and the tense, or nothing."""
    verb = action.verb
    said_of = {verb.base, *(f"@{trait}" for trait in verb.traits)}
    options = [
        adverb.replace("_", " ").split("=")
        for verbs, frames, simple_only, adverbs in MANNERS
        if said_of & set(verbs.split())
        and (not frames or verb.frame in frames.split())
        and (not simple_only or mode in SIMPLE_TENSES)
        for adverb in adverbs.split()
    ]
    if subject.plural and verb.base in TOGETHER_VERBS:
        options += [["together", "ensemble"]] * 3
    return fixed(*draft.pick(options)) if options else NOTHING


def is_social(verb: Verb) -> bool:
    """Whether the action is something people do with others: with my brother."""
    return verb.base in SOCIAL_VERBS and verb.english != "go to bed" and verb.frame in ("d", "i", "v", "l")


def is_habit(verb: Verb) -> bool:
    habitual = verb.base in HABITUAL_VERBS or verb.english in HABITUAL_VERBS
    return habitual and not {"pastonly", "accident"} & verb.traits


def time_scale(verb: Verb, negated: bool) -> str:
    """How precise a time the action takes, as a scale of `adjuncts.draw_time`."""
    if negated or verb.base in SUDDEN_VERBS:
        return "today"
    return "long" if "long" in verb.traits else "clock" if verb.base in CLOCK_VERBS else "short"


def add_adjuncts(
    draft: Draft, subject: Nominal, action: Action, mode: str, phrase: Phrase, negated: bool = False
) -> Phrase:
    """Add manner, company, place and time while the word budget allows it."""
    verb = action.verb
    if mode == "can" and "skill" in verb.traits:
        return phrase
    if action.tail is NOTHING and subject.is_person and draft.chance(0.85 if "early" in verb.traits else 0.3):
        phrase = join(phrase, draw_manner(draft, subject, action, mode))
    if subject.is_person and is_social(verb) and draft.afford(3, 0.25):
        phrase = join(phrase, adjuncts.draw_company(draft, verb.base in ("walk", "run")))
    may_place = verb.where and not action.placed and not negated
    if may_place and (subject.is_person or verb.field in PLACED_FIELDS) and draft.afford(3, 0.45):
        phrase = join(phrase, adjuncts.place_of(draft, draft.pick(verb.where)))
    time = TIME_OF.get(mode) if mode != "then" else None
    has_time = action.timed or verb.is_state or "notime" in verb.traits
    if not time or has_time or not draft.afford(2, 0.45):
        return phrase
    if time == "past" and verb.base in DATED_VERBS and draft.chance(0.6):
        return join(phrase, adjuncts.draw_date(draft, True))
    at_once = "moment" in verb.traits and "go" not in verb.traits
    if time == "present" and (not is_habit(verb) or "reaction" in verb.traits or at_once):
        return phrase
    return join(phrase, adjuncts.draw_time(draft, time, time_scale(verb, negated)))
