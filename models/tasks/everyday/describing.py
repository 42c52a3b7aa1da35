"""Descriptions of people and things: adjectives after to be, with degrees and comparisons."""

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import draw_other_pronoun
from models.tasks.everyday.clauses import POSSESSIVE, be_clause
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Adjective
from models.tasks.everyday.nominals import draw_nominal, nominal_for, plain_phrase
from models.tasks.everyday.pronouns import CLITICS, COLLECTIVE_NOUNS, draw_pronoun
from models.tasks.everyday.subjects import draw_third_person
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import Phrase, join, leaf


def french_adjective(adjective: Adjective, subject: Nominal) -> str:
    return adjective.french(subject.agreement)


DEGREES = (
    ("very", "très"),
    ("very", "très"),
    ("very", "très"),
    ("too", "trop"),
    ("so", "si"),
    ("really", "vraiment"),
    ("quite", "assez"),
    ("a little", "un peu"),
    ("extremely", "extrêmement"),
)

UNGRADED_ADJECTIVES = word_group("ungraded_adjectives")

NEGATIVE_ADJECTIVES = word_group("negative_adjectives")

POSITIVE_ADJECTIVES = word_group("positive_adjectives")

COMPLETE_ADJECTIVES = frozenset("wrong empty full different crazy".split())

ADJECTIVES_WITHOUT_TOO = POSITIVE_ADJECTIVES - frozenset(
    "young fast quick easy simple quiet calm light bright new".split()
)  # not used with too: nobody is too honest

NO_DEGREE_FRENCH = ("en ", "bon marché")


def build_quality(
    draft: Draft, adjective: Adjective, subject: Nominal, degree: float = 0.3, negated: bool = False
) -> Phrase:
    french = french_adjective(adjective, subject)
    said = leaf(adjective.english, french)
    if (
        adjective.english in UNGRADED_ADJECTIVES
        or french.startswith(NO_DEGREE_FRENCH)
        or not draft.chance(degree)
    ):
        return said
    degree_word, degree_french = draft.pick(DEGREES if not negated else DEGREES[:4])
    if adjective.english in COMPLETE_ADJECTIVES:
        return join(leaf("completely", "complètement"), said)
    if (degree_word == "a little" and adjective.english not in NEGATIVE_ADJECTIVES) or (
        degree_word == "too" and adjective.english in ADJECTIVES_WITHOUT_TOO
    ):
        return said
    return join(leaf(degree_word, degree_french), said)


def predicate_adjectives(draft: Draft, subject: Nominal) -> list[Adjective]:
    if subject.noun is None:
        noun = draft.lexicon.noun("woman" if subject.pronoun == "she" else "man")
        banned: tuple[str, ...] = ("beautiful", "old") if subject.pronoun == "i" else ()
    else:
        noun, banned = subject.noun, ()
    found = [
        a
        for a in draft.lexicon.adjectives_for(noun)
        if a.lasting != "attribute" and a.english not in banned and a.english != "little"
    ]
    return [a for a in found if a.english not in subject.traits and a.opposite not in subject.traits]


def add_time(draft: Draft, phrase: Phrase, tense: str, eager: float = 0.35) -> Phrase:
    """Add a time if the word budget allows it."""
    time = {"present": "now", "past": "past", "will": "future"}.get(tense)
    return (
        join(phrase, adjuncts.draw_time(draft, time, "today")) if time and draft.afford(1, eager) else phrase
    )


def subject_to_describe(draft: Draft) -> Nominal:
    x = draft.rng.random()
    if x < 0.35:
        return draw_pronoun(draft)
    if x < 0.55:
        return draw_third_person(draft)
    draft.room = 0
    noun = draft.noun(
        draft.pick(
            (
                "clothing",
                "device",
                "vehicle",
                "building",
                "room",
                "food",
                "food_mass",
                "drink",
                "text",
                "media",
                "event",
                "idea",
                "work",
                "subject",
                "thing",
                "furniture",
                "animal pet",
                "outdoor",
                "shop",
                "nature",
                "body",
                "sky_weather",
                "tool part instrument",
                "game_sport language",
                "city country",
                "topic document institution money material",
            )
        )
    )
    return nominal_for(draft, noun, "def")


NATIONALITIES = word_group("nationalities")


def describe(
    draft: Draft,
    subject: Nominal,
    tense: str,
    asked: bool = False,
    plain: bool = False,
    among: frozenset[str] | None = None,
) -> Phrase:
    """Build a description: the subject is tired, is taller than me. `among` limits the adjectives."""
    options = predicate_adjectives(draft, subject)
    if not options or not subject.definite:
        raise DeadEnd
    if subject.noun and subject.noun.english == "weather":
        # French says il fait beau instead
        options = [adjective for adjective in options if adjective.english != "nice"]
    if among is not None:
        options = [adjective for adjective in options if adjective.english in among]
        if not options:
            raise DeadEnd
    adjective = draft.pick(options)
    if (tense == "will" and adjective.lasting == "yes") or (
        adjective.english in NATIONALITIES and subject.is_person
    ):
        if plain and tense == "past":
            raise DeadEnd
        tense = "present"
    if adjective.english in ("strange", "asleep", "dead", "alive") and subject.agreement.person < 3:
        raise DeadEnd
    adverb = "not" if not asked and not plain and draft.chance(0.14) else ""
    if adjective.comparative and not plain and not asked and not adverb and draft.chance(0.14):
        return draw_comparison(draft, subject, adjective, "present" if tense == "will" else tense)
    said = build_quality(draft, adjective, subject, negated=bool(adverb))
    if not plain and adjective.lasting == "no" and draft.chance(0.06):
        second = draft.pick(options)
        if (
            second.lasting == "no"
            and second.english not in (adjective.english, adjective.opposite)
            and "en" not in second.forms[0].split()
        ):
            said = join(said, leaf("and", "et"), build_quality(draft, second, subject, 0))
    phrase = be_clause(subject, tense, said, adverb, asked)
    return add_time(draft, phrase, tense, 0.3) if adjective.lasting == "no" and not plain else phrase


BETTER = {"better": "meilleur", "worse": "pire"}


def build_comparative(adjective: Adjective, subject: Nominal, how: str) -> Phrase:
    """Build a phrase such as: taller: plus grand; better: meilleur; as tall: aussi grand."""
    french = french_adjective(adjective, subject)
    if adjective.english == "cheap":  # French uses cher: cheaper is moins cher
        dear = "cher" if subject.agreement.gender == "m" else "chère"
        return leaf(
            "as cheap" if how == "as" else adjective.comparative,
            ("aussi bon marché" if how == "as" else f"moins {dear}" + "s" * subject.agreement.plural),
        )
    if how == "less":
        return join(leaf("less", "moins"), leaf(adjective.english, french))
    if how == "as":
        return join(leaf("as", "aussi"), leaf(adjective.english, french))
    if adjective.comparative in BETTER:
        word = BETTER[adjective.comparative]
        ending = (
            "e" * (subject.agreement.gender == "f" and word == "meilleur")
        ) + "s" * subject.agreement.plural
        return leaf(adjective.comparative, word + ending)
    if adjective.comparative.startswith("more "):
        return join(leaf("more", "plus"), leaf(adjective.english, french))
    return leaf(adjective.comparative, f"plus {french}")


def draw_disjunctive(draft: Draft, subject: Nominal) -> Phrase:
    word = draw_other_pronoun(draft, subject)
    return leaf(word, CLITICS[word][2])


COMPARED_KINDS = word_group("compared_kinds")


def draw_comparison(draft: Draft, subject: Nominal, adjective: Adjective, tense: str) -> Phrase:
    x = draft.rng.random()
    how = "as" if x < 0.2 else "less" if x < 0.27 and adjective.comparative.startswith("more") else "more"
    if french_adjective(adjective, subject).startswith("en "):
        raise DeadEnd
    said = build_comparative(adjective, subject, how)
    noun = subject.noun
    if noun is not None and noun.english in COLLECTIVE_NOUNS:
        raise DeadEnd
    if noun is None or noun.is_person:
        if draft.chance(0.4):
            other = draw_disjunctive(draft, subject)
        else:
            draft.owner = POSSESSIVE.get(subject.pronoun, "")
            other = draw_nominal(draft, "family person_name", "def").phrase
    elif noun.kind in COMPARED_KINDS:
        other = draw_nominal(draft, noun.kind, "generic" if noun.is_mass else "def").phrase
    elif noun.kind == "body" or noun.number or noun.is_mass or subject.owner == "":
        raise DeadEnd
    else:  # example: my bag is heavier than your bag
        alike = (
            ("his", "her") if subject.owner in ("his", "her", "their") else (subject.owner,)
        )  # French son means both his and her
        owner = draft.pick([word for word in ("my", "your", "his", "her", "our") if word not in alike])
        other = plain_phrase(draft, noun, owner, subject.plural).phrase
    return be_clause(subject, tense, join(said, leaf("as" if how == "as" else "than", "que"), other))
