"""Statements about actions, yes-no questions, and commands."""

from dataclasses import replace

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.actions import complete_action, draw_order_verb, draw_verb, with_kinds
from models.tasks.everyday.clauses import command
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import HABIT, PLAIN_CATENATIVES, build_clause, choose_mode
from models.tasks.everyday.modifiers import add_adjuncts, is_habit
from models.tasks.everyday.pronouns import pronoun
from models.tasks.everyday.subjects import COMMA, QUESTION, SHOUT, STOP, Sentence, draw_subject
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf

LIKING = ("like to", "like ing", "love ing", "hate ing", "prefer to")
ALMOST_VERBS = frozenset("forget fall miss finish win lose".split())


def choose_adverb(draft: Draft, verb: Verb, mode: str) -> str:
    x = draft.rng.random()
    if verb.base == "prefer":
        return ""
    if x < 0.16:
        return "not"
    habitual = is_habit(verb) and not {"moment", "notime"} & verb.traits
    if mode in ("present", "past") and habitual:
        if x < 0.19:
            return "never"
        if x < 0.26 and mode == "present":
            return draft.pick(
                ("often", "often", "always", "always", "sometimes", "sometimes", "usually", "rarely")
            )
        if x < 0.22:
            return draft.pick(("often", "always", "sometimes"))
    if mode == "perfect":
        return (
            draft.pick(
                (
                    "never",
                    "already",
                    "not",
                    "not yet",
                    *(("almost",) * 4 if verb.base in ALMOST_VERBS else ("",)),
                )
            )
            if x < 0.6
            else ""
        )
    if 0.26 < x < 0.275 and mode in ("present", "past", "will", "now"):
        return "probably" if verb.frame != "t" or draft.chance(0.5) else "only"
    if x < 0.18 and mode in ("present", "now"):
        return draft.pick(("still", "also", "really") if mode == "present" else ("still",))
    return ""


INADVISABLE_VERBS = word_group("inadvisable_verbs")


def action_clause(
    draft: Draft,
    subject: Nominal,
    mode: str = "",
    asked: bool = False,
    opening: Phrase = NOTHING,
    plain: bool = False,
) -> Phrase:
    """Build a clause in which the subject does something. `plain` omits negation, adverbs and times."""
    verb = draw_verb(draft, subject)
    mode = mode or choose_mode(draft, subject, verb)
    if verb.frame == "t" and mode.startswith(LIKING):
        verb = with_kinds(verb)
    if verb.is_state and mode not in ("present", "past"):
        mode = "present"
    if {"accident", "reaction"} & verb.traits and mode not in (
        "present",
        "past",
        "now",
        "then",
        "perfect",
        "had",
    ):
        raise DeadEnd
    adverb = "" if plain or asked or mode.startswith(PLAIN_CATENATIVES) else choose_adverb(draft, verb, mode)
    if adverb == "not" and mode in ("must", "should") and verb.base not in INADVISABLE_VERBS:
        adverb = ""
    draft.everyday = mode == "present" and not verb.is_state
    action = complete_action(draft, subject, verb, adverb in ("not", "never"), asked)
    phrase = build_clause(draft, subject, action, mode, adverb, asked, opening)
    if plain:
        return phrase
    if adverb in ("not", "not yet") and mode not in ("past", "now"):
        mode = ""
    return add_adjuncts(
        draft, subject, action, "" if adverb in HABIT or adverb == "never" else mode, phrase, adverb == "not"
    )


def draw_statement(draft: Draft) -> Sentence:
    phrase = action_clause(draft, draw_subject(draft))
    if draft.room >= 1 and draft.chance(0.12):
        opener = draft.pick(draft.lexicon.openers)
        spoken = {word.text for word in phrase.english}
        if opener.english in ("yes", "no") and (
            (opener.english == "no") != bool({"not", "never"} & spoken) or phrase.english[0].text == "you"
        ):
            return phrase, STOP
        comma = NOTHING if opener.french == "peut-être" else leaf(*COMMA)
        french = "peut-être que" if opener.french == "peut-être" else opener.french
        phrase = join(fixed(opener.english, french), comma, phrase)
    return phrase, STOP


def draw_yes_no_question(draft: Draft) -> Sentence:
    subject = draw_subject(draft, asked=True)
    verb = draw_verb(draft, subject)
    mode = choose_mode(draft, subject, verb)
    if mode in ("had", "might", "then", "perfect") or mode.startswith(PLAIN_CATENATIVES) or mode == "must":
        mode = "past"
    if subject.agreement.person == 1 and verb.is_state:
        raise DeadEnd
    if subject.agreement.person == 1:  # people seldom ask about their own actions
        mode = draft.pick(("can", "can", "should", "must"))
    if mode == "present" and "moment" in verb.traits:
        mode = "past"
    if verb.frame == "t" and mode.startswith(LIKING):
        verb = with_kinds(verb)
    action = complete_action(draft, subject, verb, False, True)
    return add_adjuncts(
        draft, subject, action, mode, build_clause(draft, subject, action, mode, "", True)
    ), QUESTION


def draw_polite_request(draft: Draft) -> Sentence:
    """Draw a sentence such as: can you help me: est-ce que vous pouvez m' aider."""
    you = pronoun("you")
    modal = draft.pick(("can", "can", "could", "will"))
    draft.everyday = True
    verb = draw_order_verb(draft)
    action = complete_action(draft, you, verb)
    return build_clause(draft, you, action, modal, "", True), QUESTION


def draw_order(draft: Draft) -> Sentence:
    """Draw a sentence such as: open the window; do not touch that; let us go."""
    x = draft.rng.random()
    us = x < 0.12
    draft.everyday = True
    subject = pronoun("we" if us else "you")
    negated = "" if us or x < 0.75 else "not" if x < 0.95 else "never"
    if negated:
        draft.room = 0
        verb = draft.pick(draft.lexicon.select("forbidden", can_be_forbidden))
        action = complete_action(draft, subject, replace(verb, traits=verb.traits | {"def"}), True)
    else:
        action = complete_action(draft, subject, draw_order_verb(draft))
    phrase = command(subject, action.verb, action.tail, negated, action.clitic)
    if draft.chance(0.25) and action.verb.where and not action.placed and not negated:
        phrase = join(phrase, adjuncts.place_of(draft, draft.pick(action.verb.where)))
    return add_please(draft, phrase) if not us else phrase, STOP if draft.chance(0.85) else SHOUT


FORBIDDEN_VERBS = word_group("forbidden_verbs")


def can_be_forbidden(verb: Verb) -> bool:
    """Whether the verb suits a command with do not: the action is harmful or unwanted."""
    named = (
        verb.base in FORBIDDEN_VERBS
        if verb.frame == "t" or not verb.rest
        else verb.english in FORBIDDEN_VERBS
    )
    return named and verb.frame in ("i", "t") and {"person", "adult"} & set(verb.subject.split()) != set()


def add_please(draft: Draft, phrase: Phrase) -> Phrase:
    x = draft.rng.random()
    if x > 0.35:
        return phrase
    please, comma = leaf("please", "s' il vous plaît"), leaf("," if x < 0.18 else "", ",")
    return arrange([please, phrase], [phrase, comma, please]) if x > 0.18 else join(phrase, comma, please)


def draw_name(draft: Draft) -> Sentence:
    """Draw a sentence such as: my name is peter: je m'appelle peter."""
    own, who = draft.pick(
        (("my", "i"), ("my", "i"), ("my", "i"), ("his", "he"), ("her", "she"), ("your", "you"))
    )
    name = draft.noun("person_name")
    subject = pronoun(who, "f" if who == "she" else "m")
    if who in ("he", "she") and name.gender != subject.agreement.gender:
        raise DeadEnd
    english = leaf(f"{own} name is", "")
    words = english.english
    forms = conjugation.present("appeler")[subject.agreement.speaker]
    reflexive = {"i": "me", "he": "se", "she": "se", "you": "vous"}[who]
    french = join(
        echo(Phrase(words[:1]), subject.phrase.french[0].text),
        echo(Phrase(words[1:2]), reflexive),
        echo(Phrase(words[1:]), forms),
        leaf(name.english, name.french),
    )
    phrase = Phrase((*words, *french.english), french.french)
    if draft.chance(0.2):
        phrase = join(leaf(*draft.pick((("hello", "bonjour"), ("hi", "salut")))), leaf(*COMMA), phrase)
    return phrase, STOP


def draw_greeting(draft: Draft) -> Sentence:
    adverb = draft.pick([a for a in draft.lexicon.adverbs if a.role == "interjection"])
    phrase = leaf(adverb.english, adverb.french)
    if (
        len(phrase.english) < 3
        and draft.chance(0.45)
        and adverb.english not in ("ok", "welcome", "congratulations")
    ):
        name = draft.noun("person_name") if draft.chance(0.7) else None
        who = leaf(name.english, name.french) if name else leaf("my friend", "mon ami")
        phrase = join(phrase, leaf("," if draft.chance(0.5) else "", ","), who)
    return phrase, STOP if draft.chance(0.7) else SHOUT
