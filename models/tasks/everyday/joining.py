"""Clauses of cause, condition and consequence: because, so, as, if, but."""

import dataclasses

from models.tasks.everyday import conjugation
from models.tasks.everyday.actions import Action, complete_action, draw_verb, object_pronoun, verbs_for
from models.tasks.everyday.clauses import be_clause, verb_clause
from models.tasks.everyday.describing import (
    NEGATIVE_ADJECTIVES,
    POSITIVE_ADJECTIVES,
    describe,
    subject_to_describe,
)
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import build_clause, past_looks_present, suits
from models.tasks.everyday.modifiers import add_adjuncts
from models.tasks.everyday.nominals import nominal_for
from models.tasks.everyday.pronouns import draw_pronoun, pronoun, pronoun_for
from models.tasks.everyday.reasons import FEELS, OF_SUBJECT, build_cause, draw_explained_action
from models.tasks.everyday.subjects import COMMA, draw_person, draw_third_person
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, join, leaf


def comma() -> Phrase:
    return leaf(*COMMA)


def is_deliberate(verb: Verb) -> bool:
    """Whether the action can be planned: nobody plans to fall or to lose a key."""
    return not {"accident", "reaction"} & verb.traits


def draw_because(draft: Draft) -> Phrase:
    """Build a phrase such as: she slept because she was tired."""
    subject = draw_person(draft)
    negated = draft.chance(0.35)
    action, tag = draw_explained_action(draft, subject, verbs_for(draft, subject), negated)
    mode = draft.pick(("past", "past", "past", "now", "present", "will", "want to", "can"))
    if action.verb.is_state:
        mode = draft.pick(("present", "past"))
    if mode not in ("past", "now", "present") and not is_deliberate(action.verb):
        mode = "past"
    lasts = not {"state_present", "moment"} & action.verb.traits and action.verb.frame != "s"
    unclear = mode == "present" and past_looks_present(action.verb, subject)
    if (
        (mode == "now" and not lasts)
        or (mode == "can" and not negated)
        or unclear
        or not suits(action.verb, mode)
    ):
        mode = "past"
    main = build_clause(draft, subject, action, mode, "not" if negated else "")
    if mode == "past" and not negated and draft.afford(2, 0.2):
        main = add_adjuncts(draft, subject, action, mode, main)
    why = build_cause(draft, tag, subject, action.object, "past" if mode == "past" else "present")
    return join(main, leaf("because", "parce que"), why)


def draw_action_with_cause(draft: Draft, subject: Nominal, negated: bool) -> tuple[Action, str]:
    """Draw an action whose cause is the subject or the weather, so that the cause can come first."""
    for _ in range(8):
        action, tag = draw_explained_action(draft, subject, verbs_for(draft, subject), negated)
        passing = tag in OF_SUBJECT and tag not in ("old", "young", "clever")
        if passing or tag in FEELS or tag in ("rain", "nice", "late_night", "dark", "no_money", "money"):
            return action, tag
    raise DeadEnd


def draw_deliberate_action(draft: Draft, subject: Nominal, negated: bool = False) -> tuple[Action, str]:
    """Draw a deliberate action and its cause."""
    action, tag = draw_action_with_cause(draft, subject, negated)
    if action.verb.is_state or not is_deliberate(action.verb):
        raise DeadEnd
    return action, tag


def build_cause_first(draft: Draft, tag: str, subject: Nominal, tense: str) -> tuple[Phrase, Nominal]:
    """Build the cause with the full subject, and the pronoun for the rest of the sentence."""
    who = pronoun_for(subject)
    if tag not in OF_SUBJECT and tag not in FEELS and tag not in ("money", "no_money"):
        return build_cause(draft, tag, subject, None, tense), subject
    phrase = build_cause(draft, tag, subject, None, tense)
    full = Phrase(subject.phrase.english + phrase.english[1:], subject.phrase.french + phrase.french[1:])
    return full, who


def draw_so(draft: Draft) -> Phrase:
    """Build a phrase such as: he was tired so he slept: donc il a dormi."""
    subject = draw_person(draft)
    negated = draft.chance(0.3)
    action, tag = draw_deliberate_action(draft, subject, negated)
    past = draft.chance(0.5)
    first, who = build_cause_first(draft, tag, subject, "past" if past else "present")
    modes = ("can", "want to", "will") if negated else ("going", "will", "want to", "want to")
    mode = "past" if past else draft.pick(modes)
    mark = comma() if draft.chance(0.4) else NOTHING
    main = build_clause(draft, who, action, mode, "not" if negated else "")
    return join(first, mark, leaf("so", "donc"), main)


def draw_as(draft: Draft) -> Phrase:
    """Build a phrase such as: as he was tired, he slept: comme il était fatigué."""
    subject = draw_person(draft)
    action, tag = draw_deliberate_action(draft, subject)
    first, who = build_cause_first(draft, tag, subject, "past")
    return join(leaf("as", "comme"), first, comma(), build_clause(draft, who, action, "past"))


def draw_if(draft: Draft) -> Phrase:
    """Build a phrase such as: if it rains, we will stay at home; if you are tired, you should rest."""
    someone = ("you", "you", "you", "i", "we", "he", "she", "they")
    subject = draw_pronoun(draft, someone) if draft.chance(0.75) else draw_third_person(draft)
    negated = draft.chance(0.25)
    action, tag = draw_deliberate_action(draft, subject, negated)
    first, who = build_cause_first(draft, tag, subject, "present")
    mode = draft.pick(("will", "will", "should", "can", "must") if not negated else ("will", "can"))
    main = build_clause(draft, who, action, mode, "not" if negated else "")
    if draft.chance(0.3):
        if who is not subject:
            raise DeadEnd
        return join(main, leaf("if", "si"), first)
    return join(leaf("if", "si"), first, comma(), main)


WISHES = tuple(  # English condition; its French verb and rest; the action that would follow: verb and objects
    tuple(cell.strip() for cell in line.split("|"))
    for line in """
        had money | avoir | de l' argent | buy:house/building car boat bike computer guitar coat;
            travel:country; visit:city country; help:family friend/adult
        had time | avoir | le temps | read:book/text; learn:language; call:family friend/adult;
            visit:museum castle; help:family friend/adult; go:
        had a car | avoir | une voiture | go:; come:; visit:city; travel:country
        were rich | être | riche | buy:house/building boat car; travel:country; live:city country
        were free | être | libre | call:family friend/adult; sleep:; help:family friend/adult
        lived in paris | habiter | à paris | visit:museum; learn:french; speak:french
    """.replace("\n            ", " ")
    .strip()
    .splitlines()
)


def draw_wish(draft: Draft) -> Phrase:
    """Build a phrase such as: if i had money, i would buy a car: si j'avais de l'argent, j'achèterais …"""
    subject = draw_pronoun(draft, ("i", "i", "i", "we", "he", "she", "you", "they"))
    condition, french, rest, deeds = draft.pick(WISHES)
    name, _, things = draft.pick(deeds.split(";")).strip().partition(":")
    verb = draft.lexicon.verb(name)
    verb = dataclasses.replace(verb, object=things) if things else verb
    action = complete_action(draft, subject, verb)
    head, *words = condition.split()
    finite = leaf(head, conjugation.imperfect(french)[subject.agreement.speaker])
    if french == "être":
        rest += "s" * subject.agreement.plural
    clause = join(subject.phrase, finite, fixed(" ".join(words), rest))
    again = pronoun(subject.pronoun, subject.agreement.gender)
    would = verb_clause(again, verb, "would", action.tail, "", False, action.clitic)
    if draft.chance(0.3):
        return join(would, leaf("if", "si"), clause)
    return join(leaf("if", "si"), clause, comma(), would)


OBSTACLES = frozenset(
    "tired sick busy rain no_money late_night cold hot afraid expensive difficult closed".split()
)


def draw_but(draft: Draft) -> Phrase:
    """Build a phrase such as: she wants to go out but she is tired."""
    subject = draw_person(draft)
    for _ in range(10):
        verb = draw_verb(draft, subject)
        tags = [tag for tag in verb.why_not if tag in OBSTACLES]
        at_work = verb.base == "work" and verb.frame == "l"
        if tags and not verb.is_state and is_deliberate(verb) and not at_work:
            break
    else:
        raise DeadEnd
    action = complete_action(draft, subject, verb)
    past = draft.chance(0.4)
    mode = "want to past" if past else draft.pick(("want to", "would like to", "have to"))
    main = build_clause(draft, subject, action, mode)
    why = build_cause(draft, draft.pick(tags), subject, action.object, "past" if past else "present")
    return join(main, leaf("but", "mais"), why)


FIND = Verb("find", "trouver", "t")


def draw_search(draft: Draft) -> Phrase:
    """Build a phrase such as: i looked for my keys but i did not find them."""
    subject = draw_person(draft)
    action = complete_action(draft, subject, draft.lexicon.verb("look for"))
    if action.object is None or not action.object.definite:
        raise DeadEnd
    who = pronoun_for(subject)
    found = verb_clause(who, FIND, "past", adverb="not", clitic=object_pronoun(action.object))
    return join(build_clause(draft, subject, action, "past"), leaf("but", "mais"), found)


CONTRASTS = tuple(
    tuple(pair.split())
    for pair in """small comfortable, small beautiful, tired happy, rich sad, old strong, old good, old
    beautiful, expensive good, expensive beautiful, expensive delicious, poor happy, poor
    honest, difficult interesting, hard interesting, long interesting, short good, young smart,
    young serious, ugly useful, ugly comfortable, slow safe, old fast, cheap good, sick brave,
    dangerous beautiful, heavy useful, difficult important, difficult fun, small strong, shy
    kind, lazy smart, big quiet, old comfortable, expensive useful, small noisy, tired glad,
    busy happy""".split(",")
)


def draw_contrast(draft: Draft) -> Phrase:
    """Build a phrase such as: the car is old but it is fast."""
    first, second = draft.pick(CONTRASTS)
    one, two = (
        draft.pick([a for a in draft.lexicon.adjectives if a.english == name]) for name in (first, second)
    )
    kinds = sorted((one.kinds & two.kinds) | (one.nouns & two.nouns))
    if not kinds:
        raise DeadEnd
    noun = draft.noun(draft.pick(kinds))
    if not all(noun.kind in a.kinds or noun.english in a.nouns for a in (one, two)):
        raise DeadEnd
    draft.room = 0
    subject = draw_person(draft) if noun.is_person else nominal_for(draft, noun, "def", deep=False)
    tense = draft.pick(("present", "past"))
    left = be_clause(subject, tense, leaf(first, one.french(subject.agreement)))
    right = leaf(second, two.french(subject.agreement))
    if not draft.chance(0.4):
        right = be_clause(pronoun_for(subject), tense, right)
    return join(left, leaf("but", "mais"), right)


def draw_two_qualities(draft: Draft) -> Phrase:
    """Build a phrase such as: the house is big and it is beautiful: two good or two bad qualities."""
    subject = subject_to_describe(draft)
    tense = draft.pick(("present", "past"))
    first = describe(draft, subject, tense, plain=True)
    trait = first.english[-1].text
    again = pronoun_for(subject)._replace(traits=(*subject.traits, trait))
    second = describe(draft, again, tense, plain=True)
    both = {trait, second.english[-1].text}
    alike = both <= NEGATIVE_ADJECTIVES or both <= POSITIVE_ADJECTIVES
    if len(both) < 2 or not alike or any(both <= group for group in SAME_FIELD):
        raise DeadEnd
    return join(first, leaf("and", "et"), second)


SAME_FIELD = tuple(
    frozenset(words.split())
    for words in (
        "big small little tall short huge tiny long high wide large",
        "new old young modern",
        "red blue green yellow black white brown grey pink purple orange blond",
        "french english german italian spanish american chinese japanese russian european",
    )
)
