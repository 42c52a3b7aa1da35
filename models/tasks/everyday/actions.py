"""What somebody does: a verb with its objects and places, said in any tense, with modals and with other verbs before it."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.clauses import (
    POSSESSIVE,
    going_to,
    infinitive,
    modal_clause,
    verb_clause,
)
from models.tasks.everyday.lexicon import Noun, Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.nominals import (
    CLITICS,
    NUMBERS,
    OBJECT_OF,
    Clitic,
    Draft,
    Nominal,
    clitic,
    nominal_for,
    noun_phrase,
)
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import AM, WAS
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf
from models.tasks.translation.verbs import NEGATIONS, arrange_clause


class Action(NamedTuple):
    verb: Verb
    tail: Phrase = NOTHING
    clitic: Clitic | None = None
    object: Nominal | None = None
    placed: bool = False  # it is already said where
    timed: bool = False


def verbs_for(draft: Draft, subject: Nominal) -> tuple[Verb, ...]:
    lexicon = draft.lexicon
    if subject.noun is None:
        return lexicon.by_pronouns
    return lexicon.done_by(subject.noun)


def other_person(draft: Draft, subject: Nominal) -> str:
    """An object pronoun for somebody who is not the subject."""
    barred = {1: ("me", "us"), 2: ("you",), 3: ()}[subject.agreement.person]
    return draft.pick(
        [word for word in ("me", "me", "you", "you", "him", "her", "us", "them") if word not in barred]
    )


def gender_of(word: str) -> str:
    return "f" if word == "her" else "m"


@cache
def of_kinds(verb: Verb) -> Verb:
    """The verb with things in general: read books, drink tea."""
    return replace(verb, traits=verb.traits | {"kinds"})


def style_of(verb: Verb) -> str:
    return next(
        (style for style in ("own", "generic", "indef", "poss", "def") if style in verb.traits), "mixed"
    )


def takes_people(verb: Verb) -> bool:
    return any(token in ("person_other", "person") for token in verb.object.split())


def own(draft: Draft, subject: Nominal) -> None:
    """Let possessives in the rest of the clause mostly be the subject's own."""
    owns = subject.pronoun != "it" or (subject.noun is not None and subject.noun.kind in ("animal", "pet"))
    draft.owner = POSSESSIVE[subject.pronoun] if owns else "the"


def complete(
    draft: Draft, subject: Nominal, verb: Verb, negated: bool = False, asked: bool = False
) -> Action:
    """The verb with objects, recipients and places as its frame asks."""
    own(draft, subject)
    frame = verb.frame
    if (verb.base == "marry" or verb.english.startswith("break *")) and subject.agreement.plural:
        raise DeadEnd
    if frame == "t":
        return transitive(draft, subject, verb, negated, asked)
    if frame == "v":
        return Action(verb, bare_object(draft, verb))
    if frame == "g":
        return giving(draft, subject, verb, negated)
    if frame == "d":
        return Action(verb, adjuncts.goal(draft), placed=True)
    if frame == "a":
        if draft.chance(0.6):
            return Action(
                verb,
                adjuncts.noun_place(
                    draft,
                    draft.noun("station airport hotel school house/building office museum city"),
                    ("at", "in"),
                ),
                placed=True,
            )
        return Action(verb)
    if frame == "l":
        if "skill" in verb.traits and draft.chance(0.4):
            return Action(verb)
        return Action(verb, location(draft, verb), placed=True)
    if frame == "s":
        noun = draft.noun(verb.object)
        return Action(verb, adjuncts.on_top(draft, noun), placed=True)
    if frame == "p":
        things, places = draft.pick(PUT)
        thing = nominal_for(draft, draft.noun(things), "def", deep=False)
        return Action(
            verb,
            join(thing.phrase, adjuncts.on_top(draft, draft.noun(places))),
            None,
            thing,
            True,
        )
    if frame == "c":
        return Action(verb, price(draft), timed=True)
    if frame == "h":
        return Action(verb, adjuncts.clock(draft), timed=True)
    if frame == "q":
        words = {
            "good": "bon",
            "bad": "mauvais",
            "well": "bien",
            "better": "mieux",
            "alone": "seul",
            "tired": "fatigué",
        }
        word = draft.pick(verb.object.split())
        french = words[word]
        if word == "bad" and verb.is_reflexive:
            french = "mal"
        if word in ("alone", "tired"):
            french += "e" * (subject.agreement.gender == "f") + "s" * subject.agreement.plural
        return Action(verb, leaf(word, french), placed=True)
    return Action(verb)


PUT = (  # what is put where
    ("key phone wallet book pen", "bag table desk"),
    ("milk butter cheese meat juice", "fridge table"),
    ("plate cup glass/cup bottle fork knife spoon flower newspaper cake/food", "table"),
    ("shirt dress sweater trousers shoe", "suitcase bed box"),
    ("hat coat bag", "chair bed"),
    ("book letter photo lamp computer", "desk table shelf"),
)


def location(draft: Draft, verb: Verb) -> Phrase:
    if "over" in verb.traits:
        thing = nominal_for(
            draft,
            draft.noun("house/building city/outdoor sea/nature mountain village river/nature garden"),
            "def",
            deep=False,
        )
        return (
            join(leaf("over", "au-dessus de"), thing.phrase)
            if draft.chance(0.6)
            else adjuncts.place_of(draft, "sky")
        )
    token = draft.pick(verb.object.split())
    if token in adjuncts.FIXED_PLACES and token != "country":
        return adjuncts.place_of(draft, token)
    return adjuncts.noun_place(draft, draft.noun(token), adjuncts.HERE)


def price(draft: Draft) -> Phrase:
    number = draft.pick(("one", "hundred", *NUMBERS))
    unit = draft.lexicon.noun(draft.pick(("euro", "euro", "dollar")))
    if number == "one":
        return join(leaf("one", "un"), leaf(unit.english, unit.french))
    if number == "hundred":
        return join(leaf("a hundred", "cent"), leaf(unit.english_plural, unit.french_plural))
    return join(leaf(number, NUMBERS[number]), leaf(unit.english_plural, unit.french_plural))


def bare_object(draft: Draft, verb: Verb) -> Phrase:
    """Build a phrase such as: play football: jouer au football; play the piano: jouer du piano; speak french: parler français."""
    noun = draft.noun(verb.object)
    if noun.kind == "language" and draft.chance(0.12):  # she speaks three languages
        return noun_phrase(
            draft,
            draft.lexicon.noun("language"),
            draft.pick((*tuple(NUMBERS)[:4], "many", "several")),
            True,
            adjectives=(),
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


def transitive(
    draft: Draft,
    subject: Nominal,
    verb: Verb,
    negated: bool = False,
    asked: bool = False,
    noun: Noun | None = None,
) -> Action:
    """The verb with an object: a pronoun now and then, or around `noun`."""
    draft.verb = verb.base
    people = takes_people(verb)
    x = draft.rng.random() if noun is None else 1.0
    if people and x < 0.35:
        return with_pronoun(verb, other_person(draft, subject))
    if (
        not verb.link
        and x < 0.04
        and not people
        and not {"nopronoun", "kinds"} & verb.traits
        and verb.base != "visit"
    ):
        return with_pronoun(verb, "it" if draft.chance(0.7) else "them")
    noun = noun or draft.noun(verb.object)
    if subject.noun is not None and (
        noun is subject.noun
        or (subject.noun.english in MINORS and noun.english in ("wine", "beer", "wife", "husband"))
    ):
        raise DeadEnd
    if "kinds" in verb.traits:
        if not (noun.english_plural or noun.is_mass) or noun.is_person:
            raise DeadEnd
        kind = noun_phrase(draft, noun, "bare", not noun.is_mass, adjectives=())
        return Action(verb, join(leaf("", verb.link), kind.phrase), None, kind)
    if "plural" in verb.traits and not noun.is_mass:
        several = noun_phrase(
            draft, noun, draft.pick(("the", "the", "these", draft.own())).replace("these", "this"), True
        )
        return Action(verb, several.phrase, None, several)
    if "plain" in verb.traits:
        draft.room = 0
    style = (
        "def"
        if noun.is_person and noun.kind != "family" and style_of(verb) not in ("indef",)
        else style_of(verb)
    )
    if "bare" in verb.traits:
        style = "indef"
    if "lot" in verb.traits and not negated:
        name = draft.pick(("a lot of", "a lot of", "too much", "my" if subject.pronoun == "i" else "the"))
        return Action(verb, noun_phrase(draft, noun, name, adjectives=()).phrase)
    if "single" in verb.traits and noun.kind not in ("city", "country"):
        article = "a" if noun.english == "taxi" else "the"
        name = article if draft.everyday else draft.pick((article, article, "this", "that"))
        thing = noun_phrase(draft, noun, name, without=negated and name == "a")
    else:
        thing = nominal_for(draft, noun, style, negated and verb.link in ("", "de"), asked)
    if verb.link == "de" and not thing.definite and thing.phrase.french[0].text in ("de", "des"):
        # besoin d' argent: the partitive disappears after de
        french = thing.phrase.french
        skip = 2 if len(french) > 1 and french[0].text == "de" and french[1].text in ("le", "la") else 1
        thing = thing._replace(phrase=Phrase(thing.phrase.english, french[skip:]))
    phrase = join(leaf("", verb.link), thing.phrase)
    return Action(verb, phrase, None, thing)


def with_pronoun(verb: Verb, word: str) -> Action:
    """Replace the object by a pronoun, as the French verb asks: him is le, lui or avec lui."""
    if not verb.link:
        return Action(verb, NOTHING, clitic(word, gender_of(word)))
    if verb.link == "à" and verb.infinitive != "penser":
        return Action(verb, NOTHING, clitic(word, gender_of(word), dative=True))
    return Action(verb, leaf(word, f"{verb.link} {CLITICS[word][2]}"))


CLIENTS = "customer company farmer student"  # a bank lends to them
VAGUE_AMOUNTS = frozenset("many too more enough several much".split())


def giving(draft: Draft, subject: Nominal, verb: Verb, negated: bool) -> Action:
    """Build a predicate: gave her the book: lui a donné le livre; gave the book to her mother: a donné le livre à sa mère."""
    thing = nominal_for(draft, draft.noun(verb.object), style_of(verb), negated, deep=False)
    if (thing.owner and thing.owner != POSSESSIVE[subject.pronoun]) or thing.phrase.english[
        0
    ].text in VAGUE_AMOUNTS:
        raise DeadEnd
    x = draft.rng.random()
    takes_two = verb.base in (
        "give",
        "lend",
        "show",
        "send",
        "tell",
        "offer",
        "sell",
        "bring",
        "write",
        "teach",
    )
    if x < 0.45 and takes_two:
        word = other_person(draft, subject)
        if (
            thing.owner
            == {"him": "his", "her": "her", "them": "their", "me": "my", "you": "your", "us": "our"}[word]
        ):
            raise DeadEnd
        return Action(verb, thing.phrase, clitic(word, gender_of(word), dative=True), thing)
    if x < 0.6 and not takes_two:  # explained the problem to her
        word = other_person(draft, subject)
        dative = clitic(word, gender_of(word), dative=True)
        to = leaf("to", "")
        spoken = Phrase((*to.english, *dative.phrase.english), ())
        late = Clitic(word, Phrase((), dative.phrase.french), None)
        return Action(verb, join(thing.phrase, spoken), late, thing)
    lender = subject.noun is not None and subject.noun.kind == "institution"
    recipients = "family person_name friend/adult teacher child/child neighbour" if not lender else CLIENTS
    person = nominal_for(draft, draft.noun(recipients), "poss" if not lender else "def", deep=False)
    if x < 0.8 and takes_two:  # gave her mother a flower
        to = echo(Phrase(person.phrase.english[:1]), "à")
        return Action(
            verb, arrange([person.phrase, thing.phrase], [thing.phrase, to, person.phrase]), None, thing
        )
    return Action(verb, join(thing.phrase, leaf("to", "à"), person.phrase), None, thing)


# How it is said

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


def some_verb(draft: Draft, subject: Nominal) -> Verb:
    options = verbs_for(draft, subject)
    if not options:
        raise DeadEnd
    for _ in range(6):
        verb = draft.pick(options)
        if verb.english not in draft.verbs and not ("noi" in verb.traits and subject.agreement.person < 3):
            draft.verbs.add(verb.english)
            return verb
    raise DeadEnd


def object_word(nominal: Nominal) -> Clitic:
    """The object pronoun that stands for something said before."""
    word = OBJECT_OF[nominal.pronoun]
    return clitic(word, nominal.agreement.gender, plural=nominal.agreement.plural)
