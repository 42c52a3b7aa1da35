"""Actions: a verb with its objects, recipients and places."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.clauses import POSSESSIVE
from models.tasks.everyday.determiners import NUMBERS
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Noun, Verb
from models.tasks.everyday.nominals import draw_nominal, nominal_for, noun_phrase, plain_phrase
from models.tasks.everyday.pronouns import CLITICS, OBJECT_OF, Clitic, clitic
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf


class Action(NamedTuple):
    verb: Verb
    tail: Phrase = NOTHING
    clitic: Clitic | None = None
    object: Nominal | None = None
    placed: bool = False  # the action already contains a place
    timed: bool = False


def verbs_for(draft: Draft, subject: Nominal) -> tuple[Verb, ...]:
    lexicon = draft.lexicon
    if subject.noun is None:
        return lexicon.by_pronouns
    return lexicon.done_by(subject.noun)


def draw_other_pronoun(draft: Draft, subject: Nominal) -> str:
    """Draw an object pronoun for somebody other than the subject."""
    barred = {1: ("me", "us"), 2: ("you",), 3: ()}[subject.agreement.person]
    return draft.pick(
        [word for word in ("me", "me", "you", "you", "him", "her", "us", "them") if word not in barred]
    )


def gender_of_pronoun(word: str) -> str:
    return "f" if word == "her" else "m"


@cache
def with_kinds(verb: Verb) -> Verb:
    """Complete the verb with a generic object: read books, drink tea."""
    return replace(verb, traits=verb.traits | {"kinds"})


def style_of(verb: Verb) -> str:
    return next(
        (style for style in ("own", "generic", "indef", "poss", "def") if style in verb.traits), "mixed"
    )


def takes_people(verb: Verb) -> bool:
    return any(token in ("person_other", "person") for token in verb.object.split())


def set_owner(draft: Draft, subject: Nominal) -> None:
    """Make most possessives in the rest of the clause refer to the subject."""
    owns = subject.pronoun != "it" or (subject.noun is not None and subject.noun.kind in ("animal", "pet"))
    draft.owner = POSSESSIVE[subject.pronoun] if owns else "the"


def complete_action(
    draft: Draft, subject: Nominal, verb: Verb, negated: bool = False, asked: bool = False
) -> Action:
    """Complete the verb with the objects, recipients and places that its frame requires."""
    set_owner(draft, subject)
    frame = verb.frame
    if (verb.base == "marry" or verb.english.startswith("break *")) and subject.agreement.plural:
        raise DeadEnd
    if frame == "t":
        return complete_transitive(draft, subject, verb, negated, asked)
    if frame == "v":
        return Action(verb, draw_bare_object(draft, verb))
    if frame == "g":
        return complete_giving(draft, subject, verb, negated)
    if frame == "d":
        return Action(verb, adjuncts.draw_goal(draft), placed=True)
    if frame == "a":
        if not draft.chance(0.6):
            return Action(verb)
        place = draft.noun("station airport hotel school house/building office museum city")
        return Action(verb, adjuncts.place_at_noun(draft, place, ("at", "in")), placed=True)
    if frame == "l":
        if "skill" in verb.traits and draft.chance(0.4):
            return Action(verb)
        return Action(verb, draw_location(draft, verb), placed=True)
    if frame == "s":
        return Action(verb, adjuncts.place_on(draft, draft.noun(verb.object)), placed=True)
    if frame == "p":
        things, places = draft.pick(PUT)
        thing = draw_nominal(draft, things, "def")
        where = adjuncts.place_on(draft, draft.noun(places))
        return Action(verb, join(thing.phrase, where), None, thing, placed=True)
    if frame == "c":
        return Action(verb, draw_price(draft), timed=True)
    if frame == "h":
        return Action(verb, adjuncts.draw_clock(draft), timed=True)
    if frame == "q":
        return Action(verb, quality_after(verb, subject, draft.pick(verb.object.split())), placed=True)
    return Action(verb)


SENSED = {
    "good": "bon",
    "bad": "mauvais",
    "well": "bien",
    "better": "mieux",
    "alone": "seul",
    "tired": "fatigué",
}


def quality_after(verb: Verb, subject: Nominal, word: str) -> Phrase:
    """Build the complement of feel or smell: je me sens mal, ça sent mauvais."""
    french = "mal" if word == "bad" and verb.is_reflexive else SENSED[word]
    if word in ("alone", "tired"):
        french = conjugation.agreeing(french, subject.agreement.gender, subject.agreement.plural)
    return leaf(word, french)


PUT = (  # things that are put, and where they are put
    ("key phone wallet book pen", "bag table desk"),
    ("milk butter cheese meat juice", "fridge table"),
    ("plate cup glass/cup bottle fork knife spoon flower newspaper cake/food", "table"),
    ("shirt dress sweater trousers shoe", "suitcase bed box"),
    ("hat coat bag", "chair bed"),
    ("book letter photo lamp computer", "desk table shelf"),
)


def draw_location(draft: Draft, verb: Verb) -> Phrase:
    if "over" in verb.traits:
        thing = draw_nominal(
            draft, "house/building city/outdoor sea/nature mountain village river/nature garden", "def"
        )
        over = join(leaf("over", "au-dessus de"), thing.phrase)
        return over if draft.chance(0.6) else adjuncts.place_of(draft, "sky")
    token = draft.pick(verb.object.split())
    if token in adjuncts.FIXED_PLACES and token != "country":
        return adjuncts.place_of(draft, token)
    return adjuncts.place_at_noun(draft, draft.noun(token), adjuncts.HERE)


def draw_price(draft: Draft) -> Phrase:
    number = draft.pick(("one", "hundred", *NUMBERS))
    unit = draft.lexicon.noun(draft.pick(("euro", "euro", "dollar")))
    if number == "one":
        return join(leaf("one", "un"), leaf(unit.english, unit.french))
    if number == "hundred":
        return join(leaf("a hundred", "cent"), leaf(unit.english_plural, unit.french_plural))
    return join(leaf(number, NUMBERS[number]), leaf(unit.english_plural, unit.french_plural))


def draw_bare_object(draft: Draft, verb: Verb) -> Phrase:
    """Build an object without an English article: play football: jouer au football; speak french."""
    noun = draft.noun(verb.object)
    if noun.kind == "language" and draft.chance(0.12):  # example: she speaks three languages
        return plain_phrase(
            draft, draft.lexicon.noun("language"), draft.pick((*tuple(NUMBERS)[:4], "many", "several")), True
        ).phrase
    if noun.kind == "language":
        return leaf(noun.english, noun.french)
    plural = noun.number in ("both", "french")
    article = "les" if plural else "la" if noun.gender == "f" else "le"
    link = leaf("", verb.link)
    if noun.kind == "instrument":
        return join(link, leaf("the", article), leaf(noun.english, noun.french))
    if noun.english in ("game", "match", "sport", "video game"):
        raise DeadEnd
    name = leaf(noun.english, noun.french)
    return join(link, echo(name, article), name)


MINORS = frozenset("boy girl child kid pupil".split())


def complete_transitive(
    draft: Draft,
    subject: Nominal,
    verb: Verb,
    negated: bool = False,
    asked: bool = False,
    noun: Noun | None = None,
) -> Action:
    """Complete the verb with an object: a pronoun now and then, or a phrase around `noun`."""
    draft.verb = verb.base
    people = takes_people(verb)
    x = draft.rng.random() if noun is None else 1.0
    if people and x < 0.35:
        return action_with_pronoun(verb, draw_other_pronoun(draft, subject))
    if (
        not verb.link
        and x < 0.04
        and not people
        and not {"nopronoun", "kinds"} & verb.traits
        and verb.base != "visit"
    ):
        return action_with_pronoun(verb, "it" if draft.chance(0.7) else "them")
    noun = noun or draft.noun(verb.object)
    if subject.noun is not None and (
        noun is subject.noun
        or (subject.noun.english in MINORS and noun.english in ("wine", "beer", "wife", "husband"))
    ):
        raise DeadEnd
    if "kinds" in verb.traits:
        if not (noun.english_plural or noun.is_mass) or noun.is_person:
            raise DeadEnd
        kind = plain_phrase(draft, noun, "bare", not noun.is_mass)
        return Action(verb, join(leaf("", verb.link), kind.phrase), None, kind)
    if "plural" in verb.traits and not noun.is_mass:
        several = noun_phrase(
            draft, noun, draft.pick(("the", "the", "these", draft.own())).replace("these", "this"), True
        )
        return Action(verb, several.phrase, None, several)
    if "plain" in verb.traits:
        draft.room = 0
    style = "indef" if "bare" in verb.traits else style_of(verb)
    if noun.is_person and noun.kind != "family" and style != "indef":
        style = "def"
    if "lot" in verb.traits and not negated:
        name = draft.pick(("a lot of", "a lot of", "too much", "my" if subject.pronoun == "i" else "the"))
        return Action(verb, plain_phrase(draft, noun, name).phrase)
    if "single" in verb.traits and noun.kind not in ("city", "country"):
        article = "a" if noun.english == "taxi" else "the"
        name = article if draft.everyday else draft.pick((article, article, "this", "that"))
        thing = noun_phrase(draft, noun, name, without=negated and name == "a")
    else:
        thing = nominal_for(draft, noun, style, negated and verb.link in ("", "de"), asked)
    if verb.link == "de" and not thing.definite and thing.phrase.french[0].text in ("de", "des"):
        # the partitive disappears after de: besoin d' argent
        french = thing.phrase.french
        skip = 2 if len(french) > 1 and french[0].text == "de" and french[1].text in ("le", "la") else 1
        thing = thing._replace(phrase=Phrase(thing.phrase.english, french[skip:]))
    phrase = join(leaf("", verb.link), thing.phrase)
    return Action(verb, phrase, None, thing)


def action_with_pronoun(verb: Verb, word: str) -> Action:
    """Replace the object by the pronoun that the French verb requires: him is le, lui or avec lui."""
    if not verb.link:
        return Action(verb, NOTHING, clitic(word, gender_of_pronoun(word)))
    if verb.link == "à" and verb.infinitive != "penser":
        return Action(verb, NOTHING, clitic(word, gender_of_pronoun(word), dative=True))
    return Action(verb, leaf(word, f"{verb.link} {CLITICS[word][2]}"))


RECIPIENT_FIRST = frozenset(
    "give lend show send tell offer sell bring write teach".split()
)  # verbs with two objects in English: give him a book
POSSESSIVE_OF_OBJECT = {OBJECT_OF[word]: set_owner for word, set_owner in POSSESSIVE.items()}
CLIENTS = "customer company farmer student"  # nouns for people who borrow from a bank

VAGUE_AMOUNTS = frozenset("many too more enough several much".split())


def complete_giving(draft: Draft, subject: Nominal, verb: Verb, negated: bool) -> Action:
    """Complete the verb with a thing and a recipient: gave her the book: lui a donné le livre."""
    thing = nominal_for(draft, draft.noun(verb.object), style_of(verb), negated, deep=False)
    foreign = thing.owner and thing.owner != POSSESSIVE[subject.pronoun]
    if foreign or thing.phrase.english[0].text in VAGUE_AMOUNTS:
        raise DeadEnd
    x = draft.rng.random()
    takes_two = verb.base in RECIPIENT_FIRST
    if x < 0.45 and takes_two:
        word = draw_other_pronoun(draft, subject)
        if thing.owner == POSSESSIVE_OF_OBJECT[word]:
            raise DeadEnd
        return Action(verb, thing.phrase, clitic(word, gender_of_pronoun(word), dative=True), thing)
    if x < 0.6 and not takes_two:  # example: explained the problem to her
        word = draw_other_pronoun(draft, subject)
        dative = clitic(word, gender_of_pronoun(word), dative=True)
        to = leaf("to", "")
        spoken = Phrase((*to.english, *dative.phrase.english), ())
        late = Clitic(word, Phrase((), dative.phrase.french), None)
        return Action(verb, join(thing.phrase, spoken), late, thing)
    lender = subject.noun is not None and subject.noun.kind == "institution"
    recipients = "family person_name friend/adult teacher child/child neighbour" if not lender else CLIENTS
    person = draw_nominal(draft, recipients, "poss" if not lender else "def")
    if x < 0.8 and takes_two:  # example: gave her mother a flower
        to = echo(Phrase(person.phrase.english[:1]), "à")
        tail = arrange([person.phrase, thing.phrase], [thing.phrase, to, person.phrase])
        return Action(verb, tail, None, thing)
    return Action(verb, join(thing.phrase, leaf("to", "à"), person.phrase), None, thing)


def draw_verb(draft: Draft, subject: Nominal) -> Verb:
    options = verbs_for(draft, subject)
    if not options:
        raise DeadEnd
    for _ in range(6):
        verb = draft.pick(options)
        if verb.english not in draft.verbs and not ("noi" in verb.traits and subject.agreement.person < 3):
            draft.verbs.add(verb.english)
            return verb
    raise DeadEnd


def object_pronoun(nominal: Nominal) -> Clitic:
    """The object pronoun for something already mentioned."""
    word = OBJECT_OF[nominal.pronoun]
    return clitic(word, nominal.agreement.gender, plural=nominal.agreement.plural)


ORDER_VERBS = word_group("order_verbs")


def draw_order_verb(draft: Draft) -> Verb:
    """Draw a verb that is suitable for a command."""
    return draft.pick(draft.lexicon.select("orders", can_be_ordered))


def can_be_ordered(verb: Verb) -> bool:
    barred = {"nocommand", "noi", "pastonly", "state_present", "state"} & verb.traits
    by_people = {"person", "adult"} & set(verb.subject.split())
    return verb.base in ORDER_VERBS and verb.frame not in ("q", "a", "h") and bool(by_people) and not barred
