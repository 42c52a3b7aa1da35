"""Sentences built around any noun, verb or adjective of the tables, so that no word is rare."""

from models.tasks.everyday.actions import Action, complete_action, complete_transitive, verbs_for, with_kinds
from models.tasks.everyday.being import draw_be_tense
from models.tasks.everyday.clauses import POSSESSIVE, be_clause, command
from models.tasks.everyday.describing import COMPARED_KINDS, describe, draw_comparison, predicate_adjectives
from models.tasks.everyday.determiners import NUMBERS, UNIQUE_NOUNS
from models.tasks.everyday.draft import Draft
from models.tasks.everyday.lexicon import Noun, Verb
from models.tasks.everyday.modes import UNPLANNED_VERBS, build_clause, choose_mode
from models.tasks.everyday.modifiers import add_adjuncts
from models.tasks.everyday.nominals import draw_nominal, nominal_for, noun_phrase, plain_phrase
from models.tasks.everyday.pronouns import ce, draw_pronoun, pronoun
from models.tasks.everyday.sequences import fixed_infinitive
from models.tasks.everyday.statements import LIKING, add_please, choose_adverb
from models.tasks.everyday.subjects import NO_RULERS, QUESTION, STOP, Sentence, draw_person
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, join, leaf

SKIPPED_NOUNS = word_group("skipped_nouns")

SKIPPED_SENSES = word_group("skipped_senses")

CONCRETE_KINDS = word_group("concrete_kinds")

ABSTRACT_KINDS = word_group("abstract_kinds")


def draw_with_any_noun(draft: Draft) -> Sentence:
    """Draw a sentence around a noun of any kind."""
    noun = draft.pick(draft.lexicon.nouns)
    if not draft.lexicon.is_usual(noun) or noun.sense in SKIPPED_SENSES or noun.english in SKIPPED_NOUNS:
        raise DeadEnd
    if noun.kind in ("time", "day_part", "month", "weekday", "season", "relation"):
        raise DeadEnd
    draft.nouns.add(noun.english)
    frames = [describe_noun, use_noun_as_object, use_noun_as_object]
    if noun.kind in ABSTRACT_KINDS:
        frames += [talk_about_noun, ask_about_noun, call_noun_important]
    if noun.kind in CONCRETE_KINDS and noun.english_plural and not noun.is_mass and not noun.number:
        frames += [count_noun, count_noun]
    if noun.kind == "body":
        frames = [describe_noun, touch_body_part, touch_body_part]
    for _ in range(3):
        try:
            return draft.pick(frames)(draft, noun)
        except DeadEnd:
            continue
    raise DeadEnd


def describe_noun(draft: Draft, noun: Noun) -> Sentence:
    asked = draft.chance(0.12)
    draft.room = 0
    thing = nominal_for(draft, noun, "def")
    if asked and thing.owner in ("my", "our"):
        raise DeadEnd
    phrase = describe(draft, thing, draw_be_tense(draft) if not asked else "present", asked)
    return phrase, QUESTION if asked else STOP


def use_noun_as_object(draft: Draft, noun: Noun) -> Sentence:
    """Draw a sentence with the noun as object of a verb that suits it."""
    name = noun.english.replace(" ", "_")
    tokens = {name, noun.kind, f"{name}/{noun.kind}", f"{name}/{noun.sense}"}
    options = draft.lexicon.select(
        ("objects", id(noun)),
        lambda v: (
            v.frame == "t" and f"-{name}" not in v.object.split() and bool(tokens & set(v.object.split()))
        ),
    )
    if not options and noun.kind not in ABSTRACT_KINDS:
        raise DeadEnd
    if not options:
        return talk_about_noun(draft, noun)
    verb = draft.pick(options)
    subject = draw_person(draft)
    if verb not in verbs_for(draft, subject):
        subject = draw_nominal(draft, doers(verb), "def")
    mode = choose_mode(draft, subject, verb)
    adverb = choose_adverb(draft, verb, mode)
    negated = adverb in ("not", "never")
    draft.owner = POSSESSIVE[subject.pronoun]
    if verb.frame == "t" and mode.startswith(LIKING):
        verb = with_kinds(verb)
    action = complete_transitive(draft, subject, verb, negated, noun=noun)
    phrase = build_clause(draft, subject, action, mode, adverb)
    return add_adjuncts(draft, subject, action, "" if negated else mode, phrase), STOP


def talk_about_noun(draft: Draft, noun: Noun) -> Sentence:
    subject = draw_person(draft)
    verb = draft.pick(draft.lexicon.select("talk about", lambda v: v.english == "talk about"))
    if noun.is_mass or noun.kind in ("subject", "feeling_noun"):
        thing = plain_phrase(draft, noun, "all")
    else:
        thing = nominal_for(draft, noun, "generic", deep=False)
    action = Action(verb, join(leaf("", verb.link), thing.phrase))
    mode = draft.pick(("past", "past", "now", "then", "want to", "will"))
    return build_clause(draft, subject, action, mode), STOP


def ask_about_noun(draft: Draft, noun: Noun) -> Sentence:
    """Draw a sentence such as: what is freedom: qu'est-ce que la liberté."""
    asked = noun.kind in ("topic", "idea", "subject", "feeling_noun", "money", "media")
    if not asked or noun.number or noun.english in UNIQUE_NOUNS:
        raise DeadEnd
    whole_kind = noun.is_mass or noun.kind in ("topic", "feeling_noun")
    thing = plain_phrase(draft, noun, "all" if whole_kind else "a")
    return join(leaf("what", "que"), leaf("is", "est-ce que"), thing.phrase), QUESTION


def call_noun_important(draft: Draft, noun: Noun) -> Sentence:
    thing = nominal_for(draft, noun, "generic" if noun.is_mass else "def", deep=False)
    very = leaf("very", "très") if draft.chance(0.3) else NOTHING
    important = leaf("important", draft.lexicon.adjective("important").french(thing.agreement))
    return be_clause(thing, draft.pick(("present", "present", "past")), join(very, important)), STOP


SEVERAL = (*tuple(NUMBERS)[:4], "many", "many", "a few", "several", "a lot of")


def count_noun(draft: Draft, noun: Noun) -> Sentence:
    thing = plain_phrase(draft, noun, draft.pick(SEVERAL), True)
    subject = draw_pronoun(draft)
    verb = SEE
    if noun.kind in ("thing", "tool", "clothing", "furniture", "device", "text", "food"):
        verb = draft.pick((BUY, HAVE_VERB, SEE))
    if noun.kind in ("text", "idea", "work"):
        verb = HAVE_VERB
    if noun.english == "thing":
        verb = SEE
    mode = "present" if verb is HAVE_VERB else "past"
    return build_clause(draft, subject, Action(verb, thing.phrase), mode), STOP


INNER_BODY_PARTS = word_group("inner_body_parts")


def touch_body_part(draft: Draft, noun: Noun) -> Sentence:
    """Draw a sentence about a part of the body: she touched her nose."""
    subject = draw_person(draft)
    if noun.english in INNER_BODY_PARTS or subject.plural:
        raise DeadEnd
    draft.owner = POSSESSIVE[subject.pronoun]
    plural = bool(noun.english_plural) and draft.chance(0.3)
    part = plain_phrase(draft, noun, draft.owner, plural)
    verb = draft.pick((TOUCH, LOOK_AT)) if noun.english in VISIBLE_BODY_PARTS else TOUCH
    mode = draft.pick(("past", "past", "now", "will"))
    return build_clause(draft, subject, Action(verb, part.phrase), mode), STOP


TOUCH, LOOK_AT = Verb("touch", "toucher", "t"), Verb("look at", "regarder", "t")
VISIBLE_BODY_PARTS = frozenset("hand foot arm leg finger knee".split())


def doers(verb: Verb) -> str:
    """Possible subjects of a verb. Rulers are excluded if any person can be the subject."""
    people = {"person", "adult", "profession"} & set(verb.subject.split())
    return verb.subject + NO_RULERS if people else verb.subject


def draw_with_any_verb(draft: Draft) -> Sentence:
    """Draw a sentence with a verb of any weight, mostly in the third person present."""
    verb = draft.pick(draft.lexicon.verbs)
    subject = draw_nominal(draft, doers(verb), "def")
    if draft.chance(0.4) and {"person", "adult"} & set(verb.subject.split()):
        subject = draw_pronoun(draft)
    mode = draft.pick(("present", "present", "present", "now", "past", "perfect", "will"))
    if verb.is_state:
        mode = "present"
    # some verbs sound incomplete alone: she has waited
    bare = verb.frame in ("i", "v") and "moment" not in verb.traits
    unplanned = {"accident", "reaction"} & verb.traits or verb.base in UNPLANNED_VERBS
    lasts = not {"moment", "state_present", "accident"} & verb.traits and verb.frame != "s"
    wrong = {"perfect": verb.base == "get" or bare, "will": bool(unplanned), "now": not lasts}
    if wrong.get(mode) or "pastonly" in verb.traits:
        mode = "past"
    return build_clause(draft, subject, complete_action(draft, subject, verb), mode), STOP


def draw_any_comparison(draft: Draft) -> Sentence:
    """Compare two things with an adjective of any weight."""
    adjective = draft.pick([a for a in draft.lexicon.adjectives if a.comparative])
    tokens = [*adjective.kinds, *adjective.nouns]
    noun = draft.noun(draft.pick(sorted(tokens)))
    if not (noun.kind in adjective.kinds or noun.english in adjective.nouns):
        raise DeadEnd
    draft.room = 0
    if noun.is_person:
        by_name = not draft.chance(0.5)
        subject = draw_nominal(draft, "family person_name", "def") if by_name else draw_pronoun(draft)
    else:
        subject = nominal_for(draft, noun, "def" if noun.kind in COMPARED_KINDS else "poss", deep=False)
    if adjective not in predicate_adjectives(draft, subject):
        raise DeadEnd
    return draw_comparison(draft, subject, adjective, draft.pick(("present", "present", "past"))), STOP


SEE, BUY, HAVE_VERB = (
    Verb("see", "voir", "t"),
    Verb("buy", "acheter", "t"),
    Verb("have", "avoir", "t", traits=frozenset({"state"})),
)


COMMON_BUT_SELDOM = {  # noun → adjectives that suit it
    "thing": "good strange important beautiful",
    "place": "good beautiful strange",
    "way": "good",
    "model": "new good",
    "experience": "good bad important",
    "date": "important",
    "leaf": "beautiful",
    "coin": "new",
    "doll": "new beautiful",
    "hobby": "good",
    "job": "good new",
    "idea": "good bad strange",
    "day": "good bad beautiful",
}


WAYS = (("learn french", "apprendre le français"), ("save money", "économiser de l' argent"))


def draw_rare_noun(draft: Draft) -> Sentence:
    """Draw a sentence such as: this is a good place: c'est un bon endroit; i saw many things."""
    name = draft.pick(tuple(COMMON_BUT_SELDOM))
    noun = draft.lexicon.noun(name)
    if noun.english_plural and name not in ("way", "day", "date", "experience", "job") and draft.chance(0.4):
        return count_noun(draft, noun)
    word = draft.pick(COMMON_BUT_SELDOM[name].split())
    thing = noun_phrase(draft, noun, "a", adjectives=[draft.lexicon.adjective(word)])
    subject = ce(draft.pick(("this", "that", "it")))
    phrase = be_clause(subject, draft.pick(("present", "present", "past")), thing.phrase)
    if name == "way":  # example: a good way to learn french
        phrase = join(phrase, fixed_infinitive(pronoun("you"), *draft.pick(WAYS), "to", "de"))
    return phrase, STOP


SELDOM_SAID = tuple(  # adjectives that suit few nouns, with those nouns
    tuple(pair.split())
    for pair in """weather cloudy, weather rainy, sky cloudy, day/time rainy, body human, problem/idea human,
    problem/idea political, answer quick, meal quick, question/idea political, brain human, heart
    strong, blood red, nose red, nose long, environment important, ceiling white, ceiling high, stairs
    dangerous, ground wet, earth beautiful, desert hot, electricity expensive, sand hot, sand white,
    capital beautiful, surprise good, voice human""".split(",")
)


def draw_rare_adjective(draft: Draft) -> Sentence:
    """Draw a sentence such as: the sky is cloudy: le ciel est nuageux; it was a quick answer."""
    name, word = draft.pick(SELDOM_SAID)
    noun = draft.lexicon.named(name)[0]
    adjective = draft.lexicon.adjective(word)
    tense = draft.pick(("present", "past"))
    if noun.english_plural and (word == "human" or draft.chance(0.5)):
        subject = ce(draft.pick(("it", "this")))
        return be_clause(subject, tense, noun_phrase(draft, noun, "a", adjectives=[adjective]).phrase), STOP
    thing = plain_phrase(draft, noun, "the")
    return be_clause(thing, tense, leaf(word, adjective.french(thing.agreement))), STOP


def draw_wait_a_second(draft: Draft) -> Sentence:
    """Draw a sentence such as: wait a second , please: attendez une seconde."""
    noun = draft.lexicon.noun(draft.pick(("second", "second", "minute", "moment")))
    several = draft.chance(0.3) and noun.english != "moment"
    time = plain_phrase(draft, noun, draft.pick(("two", "five", "ten")) if several else "a", several)
    return add_please(draft, command(pronoun("you"), Verb("wait", "attendre"), time.phrase)), STOP


def draw_what_happened(draft: Draft) -> Sentence:
    """Draw a sentence such as: what happened yesterday: qu'est-ce qui s'est passé hier."""
    what, happened = leaf("what", "qu' est-ce qui"), leaf("happened", "s' est passé")
    if draft.chance(0.3):
        where = leaf(*draft.pick((("", ""), ("here", "ici"), ("outside", "dehors"))))
        return join(what, leaf("is happening", "se passe"), where), QUESTION
    when = leaf(*draft.pick((("", ""), ("yesterday", "hier"), ("today", "aujourd'hui"), ("here", "ici"))))
    return join(what, happened, when), QUESTION


def draw_future_or_date(draft: Draft) -> Sentence:
    """Draw a sentence such as: what is the date; i think about the future."""
    if draft.chance(0.5):
        phrase = join(leaf("what", "quelle"), leaf("is", "est"), leaf("the", "la"), leaf("date", "date"))
        return phrase, QUESTION
    future = plain_phrase(draft, draft.lexicon.noun("future"), "the")
    verb = draft.pick(draft.lexicon.select("talk about", lambda v: v.english == "talk about"))
    subject = draw_person(draft)
    action = Action(verb, join(leaf("", verb.link), future.phrase))
    return build_clause(draft, subject, action, choose_mode(draft, subject, verb)), STOP


def draw_one_dollar(draft: Draft) -> Sentence:
    """Draw a sentence such as: it costs one dollar: ça coûte un dollar."""
    unit = draft.lexicon.noun(draft.pick(("dollar", "euro", "pound")))
    one = join(leaf("one", "une" if unit.gender == "f" else "un"), leaf(unit.english, unit.french))
    subject = draw_nominal(draft, "food coffee ticket newspaper", "def")
    cost = Verb("cost", "coûter", traits=frozenset({"state"}))
    return build_clause(draft, subject, Action(cost, one), draft.pick(("present", "past"))), STOP
