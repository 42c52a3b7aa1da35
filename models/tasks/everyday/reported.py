"""Reported statements, indirect questions and relative clauses."""

from models.tasks.everyday import conjugation
from models.tasks.everyday.actions import Action, complete_action, draw_verb, verbs_for
from models.tasks.everyday.being import draw_avoir_idiom
from models.tasks.everyday.clauses import be_clause, verb_clause
from models.tasks.everyday.describing import describe, subject_to_describe
from models.tasks.everyday.draft import Draft
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.modes import build_clause, past_looks_present
from models.tasks.everyday.nominals import draw_nominal, noun_phrase, plain_phrase
from models.tasks.everyday.pronouns import draw_pronoun, pronoun, pronoun_for
from models.tasks.everyday.questions import HOW_VERBS
from models.tasks.everyday.subjects import NO_RULERS, draw_another_person, draw_person, draw_third_person
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import Phrase, arrange, join, leaf

THINK = {  # English name → verb that takes a that-clause
    "know": Verb("know", "savoir", traits=frozenset({"state"})),
    "think": Verb("think", "penser", traits=frozenset({"state"})),
    "believe": Verb("believe", "croire", traits=frozenset({"state"})),
    "hope": Verb("hope", "espérer", traits=frozenset({"state"})),
    "say": Verb("say", "dire"),
    "see": Verb("see", "voir"),
}

VISIBLE_STATES = word_group("visible_states")
HOPED_STATES = frozenset("happy ready free rich".split())
REPORTED_VERBS = word_group("reported_verbs")


def draw_that(draft: Draft) -> Phrase:
    """Build a phrase such as: i think that …, he said that he was tired."""
    subject = draw_person(draft)
    name = draft.pick(
        ("know", "know", "think", "think", "think", "believe", "hope", "say", "say", "say", "see")
    )
    verb = THINK[name]
    past = draft.chance(0.9 if name in ("say", "see") else 0.25)
    adverb = "not" if name == "say" and draft.chance(0.15) else ""
    main = verb_clause(
        subject, verb, ("imperfect" if verb.is_state else "past") if past else "present", adverb=adverb
    )
    word = leaf("that" if draft.chance(0.65) else "", "que")
    inner = subject_to_describe(draft) if draft.chance(0.4) else None
    if inner is None and name == "say" and draft.chance(0.4):
        inner = pronoun_for(subject)
    if name == "hope" and inner is not None and not inner.is_person:
        raise DeadEnd
    if inner is not None and name != "say" and inner.agreement.person == subject.agreement.person < 3:
        raise DeadEnd  # excludes: we thought i was tired
    among = {"hope": HOPED_STATES, "see": VISIBLE_STATES}.get(name)
    if past:
        inner = inner or draw_third_person(draft)
        clause = (
            draw_avoir_idiom(draft, inner, "past")
            if inner.is_person and among is None and draft.chance(0.25)
            else describe(draft, inner, "past", plain=True, among=among)
        )
        return join(main, word, clause)
    if inner is not None and not (inner.noun is None and draft.chance(0.5)):
        return join(main, word, describe(draft, inner, "present", plain=True, among=among))
    who = inner or draw_another_person(draft, subject)
    if who.noun is None and who.pronoun == subject.pronoun and name not in ("say", "hope"):
        raise DeadEnd  # excludes: he knows that he came
    mode = (
        draft.pick(("will", "will", "going"))
        if name == "hope"
        else draft.pick(("present", "past", "will", "want to", "can"))
    )
    options = [
        v
        for v in verbs_for(draft, who)
        if v.base in REPORTED_VERBS and "accident" not in v.traits and not (name == "hope" and v.is_state)
    ]
    if not options:
        raise DeadEnd
    inside = draft.pick(options)
    if inside.is_state:
        mode = "present"
    elif name == "see":
        mode = "past"
    return join(main, word, build_clause(draft, who, complete_action(draft, who, inside), mode))


def draw_hope(draft: Draft) -> Phrase:
    subject = draw_pronoun(draft, ("i", "i", "we"))
    main = verb_clause(subject, THINK["hope"], "present")
    other = draw_pronoun(draft, ("you", "you", "he", "she", "they"))
    return join(
        main,
        leaf("that" if draft.chance(0.5) else "", "que"),
        be_clause(other, "present", leaf("well", "bien"), verb="aller"),
    )


def draw_indirect_question(draft: Draft) -> Phrase:
    """Build a phrase such as: i do not know where he lives; do you know what she wants."""
    subject = draw_pronoun(draft, ("i", "i", "i", "we", "he", "she", "they"))
    asked = draft.chance(0.4)
    subject = pronoun("you") if asked else subject
    x = draft.rng.random()
    if x < 0.3:
        thing = draw_nominal(
            draft,
            "thing device station hospital bank/institution person_name family pet museum toilet hotel",
            "def",
        )
        be = leaf("are" if thing.plural else "is", conjugation.present("être")[thing.agreement.speaker])
        where = leaf("where", "où")
        inner = arrange([where, thing.phrase, be], [where, be, thing.phrase])
    elif x < 0.5:
        other = draw_another_person(draft, subject)
        if other.agreement.person == 1:
            raise DeadEnd
        verb = draft.pick(draft.lexicon.transitive_of_adults("want buy eat drink like read choose make"))
        if verb.english in draft.verbs:
            raise DeadEnd
        mode = draft.pick(("present", "past"))
        inner = join(leaf("what", "ce que"), build_clause(draft, other, Action(verb), mode))
    else:
        other = draw_another_person(draft, subject)
        if other.agreement.person == 1:
            raise DeadEnd
        verb = draw_verb(draft, other)
        if (
            (verb.is_state and verb.frame != "l")
            or {"pastonly", "nocommand", "state_present"} & verb.traits
            or verb.frame in ("q", "c")
        ):
            raise DeadEnd
        word, french = draft.pick(
            (("why", "pourquoi"), ("if", "si"), ("when", "quand"), ("where", "où"), ("how", "comment"))
        )
        if word == "how" and verb.base not in HOW_VERBS:
            word, french = "why", "pourquoi"
        if verb.frame == "l":
            word, french, action = "where", "où", Action(verb)
        elif word == "where" or verb.frame in ("h",):
            word, french = "why", "pourquoi"
            action = complete_action(draft, other, verb)
        else:
            action = complete_action(draft, other, verb)
        mode = "present" if verb.is_state else draft.pick(("past", "past", "will", "want to"))
        if word == "when" and mode == "want to":
            mode = "will"
        inner = join(leaf(word, french), build_clause(draft, other, action, mode))
    main = verb_clause(subject, THINK["know"], "present", adverb="" if asked else "not", asked=asked)
    return join(main, inner)


VISIBLE_TRAITS = word_group("visible_traits")


SUBJECT_RELATIVE_VERBS = word_group("subject_relative_verbs")


DEMONSTRATIVE = frozenset("this that these those".split())
# Relational nouns: "the friend" leaves open whose friend.
NOT_THE = " -friend -boyfriend -girlfriend -colleague -guest -enemy"


def draw_subject_relative(draft: Draft) -> Phrase:
    """Build a phrase such as: the dog that barked is brown; i know the man who lives here."""
    noun = draft.noun("adult child profession animal pet -people" + NOT_THE + NO_RULERS)
    plural = bool(noun.english_plural) and draft.chance(0.2)
    head = noun_phrase(draft, noun, "the", plural, adjectives=() if draft.chance(0.7) else None)
    who = head._replace(phrase=leaf(draft.pick(("who", "who", "that")) if noun.is_person else "that", "qui"))
    inside = [
        v
        for v in verbs_for(draft, who)
        if not noun.is_person or (v.base in SUBJECT_RELATIVE_VERBS and v.frame != "g")
    ]
    if not inside:
        raise DeadEnd
    verb = draft.pick(inside)
    described = draft.chance(0.5)
    mode = (
        draft.pick(("present", "past", "now") if described else ("then",))
        if not {"state", "state_present", "moment"} & verb.traits
        else "past"
    )
    draft.room = 0
    if verb.is_state or "skill" in verb.traits:  # imperfect: the man who spoke french: qui parlait
        mode = "present" if described else "imperfect"
    elif mode == "present" and past_looks_present(verb, who):
        mode = "past"
    inner = build_clause(draft, who, complete_action(draft, who, verb), mode)
    if DEMONSTRATIVE & {word.text for word in inner.english[1:]}:
        raise DeadEnd
    whole = head._replace(phrase=join(head.phrase, inner))
    draft.owner = ""
    if described:
        tense = "present" if mode in ("present", "now") else draft.pick(("present", "past"))
        return describe(draft, whole, tense, plain=True, among=VISIBLE_TRAITS)
    subject = draw_pronoun(draft)
    verb = draft.pick(
        [
            v
            for v in draft.lexicon.verbs
            if v.english in ("see", "meet", "look for", "look at")
            and v.frame == "t"
            and "person" in v.subject
        ]
    )
    if not noun.is_person and (verb.base == "meet" or (noun.kind == "animal" and verb.english == "look for")):
        raise DeadEnd
    return build_clause(
        draft, subject, Action(verb, whole.phrase, None, whole), "past" if not verb.is_state else "present"
    )


OBJECT_RELATIVE_VERBS = word_group("object_relative_verbs")


def draw_object_relative(draft: Draft) -> Phrase:
    """Build a phrase such as: the book that i bought is interesting: le livre que j'ai acheté."""
    verb = draft.pick(
        [
            v
            for v in draft.lexicon.verbs_of["adult"]
            if v.frame == "t"
            and not v.link
            and v.base in OBJECT_RELATIVE_VERBS
            and not v.particle
            and not v.rest
        ]
    )
    noun = draft.noun(verb.object)
    if noun.kind in ("person_name", "city", "country", "family", "language", "subject") or noun.is_person:
        raise DeadEnd
    plural = bool(noun.english_plural) and not noun.is_mass and draft.chance(0.25)
    head = plain_phrase(draft, noun, "the", plural)
    who = draw_person(draft)
    word = leaf("that" if draft.chance(0.6) else "", "que")
    if word.english and who.phrase.english[0].text in DEMONSTRATIVE:
        raise DeadEnd  # excludes: that that boy
    mode = draft.pick(("past", "past", "past", "now")) if "moment" not in verb.traits else "past"
    inner = verb_clause(who, verb, mode, preceding=head.agreement)
    whole = head._replace(phrase=join(head.phrase, word, inner))
    if verb.base == "eat" or draft.chance(0.6):
        return describe(
            draft, whole, "present" if mode == "now" else draft.pick(("present", "past")), plain=True
        )
    if noun.kind in ("vehicle", "event", "building"):
        raise DeadEnd
    subject = draw_another_person(draft, who)
    other = draft.pick(
        [
            v
            for v in draft.lexicon.verbs
            if v.english in ("see", "look for", "find", "want")
            and v.frame == "t"
            and (v.base != "look" or noun.kind in ("thing", "text", "clothing", "device"))
            and "person" in v.subject
            and v.english != verb.english
        ]
    )
    return build_clause(
        draft,
        subject,
        Action(other, whole.phrase, None, whole),
        draft.pick(("present", "past")) if other.is_state else "past",
    )
