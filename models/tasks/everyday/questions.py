"""Questions with a question word: where, what, who, when, why, how, how many, which."""

from collections.abc import Callable

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.actions import Action, complete_action, draw_verb
from models.tasks.everyday.clauses import verb_clause
from models.tasks.everyday.determiners import which
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.modes import TIME_OF, build_clause, choose_mode
from models.tasks.everyday.modifiers import CLOCK_VERBS
from models.tasks.everyday.nominals import draw_nominal, nominal_for, plain_phrase, proper_name
from models.tasks.everyday.pronouns import draw_pronoun
from models.tasks.everyday.statements import action_clause
from models.tasks.everyday.subjects import QUESTION, Sentence, draw_subject
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import AM, WAS, Agreement
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf


def draw_wh_question(draft: Draft) -> Sentence:
    return draft.pick(WH_QUESTIONS)(draft), QUESTION


SEARCHED_FOR = (
    "family thing device pet clothing station hospital bank/institution museum person_name text toilet hotel"
    " child vehicle restaurant supermarket"
)


def draw_where_is(draft: Draft) -> Phrase:
    """Build a phrase such as: where is the station: où est la gare."""
    noun = draft.noun(SEARCHED_FOR)
    thing = nominal_for(draft, noun, "def", deep=draft.chance(0.5))
    past = draft.chance(0.2)
    forms = (conjugation.imperfect if past else conjugation.present)("être")
    be = leaf((WAS if past else AM)[3, thing.plural], forms[3, thing.agreement.plural])
    return join(leaf("where", "où"), be, thing.phrase)


HOW_VERBS = word_group("how_verbs")


def draw_wh_action(draft: Draft) -> Phrase:
    """Build a phrase such as: where do you live, when does she arrive, why are you laughing."""
    subject = draw_subject(draft, asked=True)
    if subject.noun and subject.noun.kind == "sky_weather":
        raise DeadEnd
    verb = draw_verb(draft, subject)
    mode = choose_mode(draft, subject, verb)
    if mode == "present" and "moment" in verb.traits:
        mode = "past"
    draft.room = min(draft.room, 1)
    own = subject.agreement.person == 1  # first-person questions: where can i, when should we
    if own:
        mode = draft.pick(("can", "should"))
    elif verb.is_state:
        mode = "present"
    elif mode not in ("present", "now", "past", "will", "going", "can", "should"):
        mode = "past"
    if verb.frame == "l":
        word, action = ("where", "où"), Action(verb)
    elif verb.frame == "d":
        word = draft.pick((("where", "où"), ("where", "où"), ("when", "quand"), ("why", "pourquoi")))
        action = Action(verb) if word[0] == "where" else complete_action(draft, subject, verb, False, True)
    else:
        options = [("why", "pourquoi")] * 2
        if not verb.is_state and mode not in ("now", "can"):
            options += [("when", "quand"), ("when", "quand")]
            if verb.base in CLOCK_VERBS:
                options += [("what time", "à quelle heure")] * 2
            if verb.base in HOW_VERBS:
                options += [("how", "comment")] * 2
        if not verb.is_state and verb.where:
            options += [("where", "où"), ("where", "où")]
        word = draft.pick(options)
        action = complete_action(draft, subject, verb, False, True)
        if action.placed and word[0] == "where":
            word = ("why", "pourquoi")
    if verb.frame in ("h", "c"):
        word, action = (
            {"c": ("how much", "combien")}.get(
                verb.frame, draft.pick((("when", "quand"), ("what time", "à quelle heure")))
            ),
            Action(verb),
        )
    if own and word[0] not in ("where", "when", "what time"):
        raise DeadEnd
    return build_clause(draft, subject, action, mode, "", True, leaf(*word))


def draw_what_action(draft: Draft) -> Phrase:
    """Build a phrase such as: what do you want: qu'est-ce que vous voulez."""
    subject = draw_subject(draft, asked=True)
    verb = draft.pick(draft.lexicon.select("what", asks_what)) if not draft.chance(0.3) else DO
    if subject.noun is not None and not subject.noun.is_person:
        raise DeadEnd
    mode = choose_mode(draft, subject, verb)
    if mode not in ("present", "now", "past", "will", "going", "can", "want to", "would like to", "should"):
        mode = "past"
    if mode == "present" and "moment" in verb.traits:
        mode = "past"
    if subject.agreement.person == 1:
        mode = draft.pick(("can", "should", "should"))
    action = Action(verb)
    people = draft.chance(0.15) and "person_other" in verb.object.split()
    opening = leaf("who", "qui") if people else leaf("what", "que")
    phrase = build_clause(draft, subject, action, mode, "", True, opening)
    time = TIME_OF.get(mode)
    if time and not verb.is_state and draft.afford(2, 0.3):
        phrase = join(phrase, adjuncts.draw_time(draft, time))
    return phrase


DO = Verb("do", "faire", "t", weight=5)


def asks_what(verb: Verb) -> bool:
    """Whether `what` can be the verb's object: not if the object is a person, and not for connaître."""
    by_people = "person" in verb.subject.split() and "accident" not in verb.traits and verb.base != "throw"
    things = "person_other" not in verb.object.split() or verb.base in ("see", "look", "like", "hear")
    return verb.frame == "t" and not verb.link and by_people and things and verb.infinitive != "connaître"


def draw_who_action(draft: Draft) -> Phrase:
    """Build a phrase such as: who broke the window: qui a cassé la fenêtre."""
    who = Nominal(leaf("who", "qui"), Agreement("m"), False, "he")
    draft.room = min(draft.room, 1)
    mode = draft.pick(("past", "past", "past", "now", "will", "can", "want to"))
    return action_clause(draft, who, mode, plain=draft.chance(0.6))


def draw_who_is(draft: Draft) -> Phrase:
    x = draft.rng.random()
    be = leaf("is", "est")
    if x < 0.4:
        person = draw_nominal(draft, "adult profession person_name child", "def")
        if person.plural:
            raise DeadEnd
        return join(leaf("who", "qui"), be, person.phrase)
    if x < 0.6:
        head = plain_phrase(draft, draft.lexicon.noun(draft.pick(("president", "king", "queen"))), "the")
        of = proper_name(draft, draft.noun("country"))
        return join(leaf("who", "qui"), be, head.phrase, leaf("of", "de"), country_after_de(of))
    word, french = draft.pick((("he", "-il"), ("she", "-elle"), ("it", "-ce")))
    return join(leaf("who", "qui"), be, leaf(word, french))


def country_after_de(place: Nominal) -> Phrase:
    """Build a place after de: de paris, de france, but du japon: a feminine country loses its article."""
    if place.noun is not None and place.noun.preposition == "en" and len(place.phrase.french) > 1:
        return Phrase(place.phrase.english, place.phrase.french[1:])
    return place.phrase


CALLED = (("your", "vous vous appelez"), ("his", "il s' appelle"), ("her", "elle s' appelle"))
ASKED_ABOUT = frozenset("problem address dream job question plan answer number name".split())


def draw_what_is(draft: Draft) -> Phrase:
    x = draft.rng.random()
    if x < 0.3:
        that = leaf(draft.pick(("this", "that", "it")), "c' est")
        return join(leaf("what", "que"), leaf("is", "est-ce que"), that)
    if x < 0.45:
        own, french = draft.pick(CALLED)
        return join(leaf("what", "comment est-ce que"), leaf(f"is {own} name", french))
    noun = draft.noun(
        "problem/idea answer address number/idea colour dream price job question plan difference"
    )
    if draft.chance(0.5) and noun.english in ASKED_ABOUT:
        thing = plain_phrase(draft, noun, draft.pick(("your", "your", "his", "her")))
    else:
        thing, other = plain_phrase(draft, noun, "the"), None
        if noun.english == "price":
            other = draw_priced_thing(draft, "dress ticket bag shirt coat hat")
        elif noun.english == "colour":
            other = draw_nominal(draft, "car house/building dress bag shirt hair", "def")
        if other:
            thing = thing._replace(phrase=join(thing.phrase, leaf("of", "de"), other.phrase))
    return join(leaf("what", which(thing.agreement)), leaf("is", "est"), thing.phrase)


def draw_priced_thing(draft: Draft, nouns: str) -> Nominal:
    """Draw a thing to ask the price of: without adjectives and without a possessive."""
    noun = draft.noun(nouns)
    plural = bool(noun.english_plural) and not noun.is_mass and draft.chance(0.25)
    return plain_phrase(draft, noun, draft.pick(("the", "the", "this", "that")), plural)


def draw_how_many(draft: Draft) -> Phrase:
    """Build a phrase such as: how many books do you have: combien de livres est-ce que vous avez."""
    subject = draw_subject(draft, asked=True)
    if not subject.is_person or subject.agreement.person == 1:
        raise DeadEnd
    verb = draft.pick(
        draft.lexicon.transitive_of_adults("have buy eat read see want drink find sell know write")
    )
    noun = draft.noun(verb.object)
    if (noun.is_person and noun.kind == "person_name") or noun.kind in ("city", "country"):
        raise DeadEnd
    if noun.is_mass and not noun.number:
        head = join(leaf("how much", "combien de"), leaf(noun.english, noun.french))
    elif noun.english_plural:
        head = join(leaf("how many", "combien de"), leaf(noun.english_plural, noun.french_plural))
    else:
        raise DeadEnd
    agreement = Agreement(noun.gender, not noun.is_mass)
    mode = "present" if verb.is_state else draft.pick(("past", "past", "will"))
    if mode == "will" and verb.base in ("find", "see"):
        mode = "past"
    if mode == "past":
        return verb_clause(subject, verb, "past", NOTHING, "", True, preceding=agreement, opening=head)
    return build_clause(draft, subject, Action(verb), mode, "", True, head)


def draw_which(draft: Draft) -> Phrase:
    """Build a phrase such as: which book do you want: quel livre est-ce que vous voulez."""
    subject = draw_subject(draft, asked=True)
    if not subject.is_person:
        raise DeadEnd
    verb = draft.pick(
        draft.lexicon.transitive_of_adults("buy read prefer want choose watch take like wear visit know")
    )
    noun = draft.noun(verb.object)
    if noun.is_mass or noun.number or noun.kind in ("person_name", "city", "country", "language", "subject"):
        raise DeadEnd
    plural = bool(noun.english_plural) and draft.chance(0.2)
    head = plain_phrase(draft, noun, "which", plural)
    mode = "present" if verb.is_state else draft.pick(("past", "past", "present", "now", "want to", "will"))
    if subject.agreement.person == 1:
        mode = "should"
    if mode == "past":
        return verb_clause(
            subject, verb, "past", NOTHING, "", True, preceding=head.agreement, opening=head.phrase
        )
    return build_clause(draft, subject, Action(verb), mode, "", True, head.phrase)


def draw_how_is(draft: Draft) -> Phrase:
    """Build a phrase such as: how are you: comment allez-vous; how old is she: quel âge est-ce qu'elle a."""
    x = draft.rng.random()
    if x < 0.4:
        how = leaf("how", "comment")
        return join(how, leaf("are", "allez"), leaf("you", "-vous"))
    if x < 0.6:
        draft.owner = draft.pick(("your", "your", "his", "her"))
        person = draw_nominal(draft, "family person_name", "own")
        return join(
            leaf("how", "comment"),
            leaf("are" if person.plural else "is", conjugation.present("aller")[person.agreement.speaker]),
            person.phrase,
        )
    draft.owner = draft.pick(("your", "your", "his", "her"))
    if draft.chance(0.5):
        subject = draw_pronoun(draft, ("you", "you", "he", "she"))
    else:
        subject = draw_nominal(draft, "family person_name", "own")
    be = leaf(AM[subject.who], conjugation.present("avoir")[subject.agreement.speaker])
    how_old = join(leaf("how", "quel"), leaf("old", "âge"))
    return arrange([how_old, be, subject.phrase], [how_old, leaf("", "est-ce que"), subject.phrase, be])


def draw_how_much(draft: Draft) -> Phrase:
    thing = draw_priced_thing(
        draft, "thing clothing device vehicle food ticket house/building furniture -key -piece -coin"
    )
    cost = Verb("cost", "coûter")
    if draft.chance(0.25):
        word = leaf("this" if draft.chance(0.6) else "it", "ça")
        thing = Nominal(word, Agreement("m"), False, "it")
    if draft.chance(0.25):
        return _how_much_be(thing, leaf("are" if thing.plural else "is", ""))
    return verb_clause(thing, cost, "present", NOTHING, "", True, opening=leaf("how much", "combien"))


def _how_much_be(thing: Nominal, be: Phrase) -> Phrase:
    much = leaf("how much", "combien")
    verb = echo(be, conjugation.present("coûter")[thing.agreement.speaker])
    return arrange([much, be, thing.phrase], [much, leaf("", "est-ce que"), thing.phrase, verb])


WH_QUESTIONS: tuple[Callable[[Draft], Phrase], ...] = (
    *(draw_where_is,) * 3,
    *(draw_wh_action,) * 7,
    *(draw_what_action,) * 6,
    *(draw_who_action,) * 4,
    draw_who_is,
    *(draw_what_is,) * 3,
    *(draw_how_many,) * 3,
    *(draw_which,) * 2,
    *(draw_how_is,) * 2,
    draw_how_much,
)
