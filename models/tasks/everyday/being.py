"""Sentences with to be: hunger and age, professions, relations, places, `it is`."""

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import complete_action
from models.tasks.everyday.clauses import be_clause, infinitive
from models.tasks.everyday.describing import add_time, build_quality, describe, subject_to_describe
from models.tasks.everyday.determiners import NUMBERS
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Noun
from models.tasks.everyday.nominals import draw_nominal, noun_phrase, plain_phrase
from models.tasks.everyday.pronouns import COLLECTIVE_NOUNS, ce, impersonal_it, pronoun
from models.tasks.everyday.subjects import QUESTION, STOP, Sentence, draw_person
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import NOTHING, Phrase, join, leaf

IDIOMS = (
    ("hungry", "faim"),
    ("hungry", "faim"),
    ("thirsty", "soif"),
    ("cold", "froid"),
    ("afraid", "peur"),
    ("right", "raison"),
    ("wrong", "tort"),
    ("sleepy", "sommeil"),
    ("hot", "chaud"),
)


def draw_be_tense(draft: Draft) -> str:
    return draft.pick(("present",) * 10 + ("past",) * 6 + ("will",))


def draw_description(draft: Draft, asked: bool = False) -> Sentence:
    """Draw a sentence such as: is tired, is hungry, is at home, is my brother."""
    x = draft.rng.random()
    if x < 0.5:
        subject = subject_to_describe(draft)
        return describe(draft, subject, draw_be_tense(draft), asked), QUESTION if asked else STOP
    subject = draw_person(draft)
    tense = draw_be_tense(draft)
    adverb = "" if asked else "not" if draft.chance(0.14) else "always" if draft.chance(0.03) else ""
    if x < 0.68:
        return draw_avoir_idiom(draft, subject, tense, adverb, asked), QUESTION if asked else STOP
    if x < 0.84:
        place = adjuncts.draw_place(draft)
        phrase = be_clause(subject, tense, place, adverb, asked)
        return add_time(draft, phrase, tense), QUESTION if asked else STOP
    phrase = draw_identity(draft, subject, "present" if tense == "will" else tense, adverb, asked)
    return phrase, QUESTION if asked else STOP


FEARED = (
    "spider snake dog dark/idea storm mouse/animal wolf lion death exam night/day_part bear thief dentist"
)


def draw_avoir_idiom(
    draft: Draft, subject: Nominal, tense: str, adverb: str = "", asked: bool = False
) -> Phrase:
    """Build a phrase such as: is hungry: a faim; is ten years old: a dix ans."""
    if draft.chance(0.25) and subject.agreement.plural is False:
        return draw_age(draft, subject, "present" if tense == "will" else tense, asked)
    english, french = draft.pick(IDIOMS)
    graded = english in ("hungry", "thirsty", "cold", "afraid", "hot") and not adverb
    much = leaf("very", "très") if graded and draft.chance(0.2) else NOTHING
    phrase = be_clause(subject, tense, join(much, leaf(english, french)), adverb, asked, verb="avoir")
    if english == "afraid" and draft.chance(0.7):
        return join(phrase, leaf("of", "de"), draw_nominal(draft, FEARED, "generic").phrase)
    return phrase


MORE_NUMBERS = NUMBERS | dict(
    zip(
        "eleven thirteen fourteen fifteen sixteen eighteen thirty forty fifty sixty".split(),
        "onze treize quatorze quinze seize dix-huit trente quarante cinquante soixante".split(),
        strict=True,
    )
)

DIGITS = tuple(map(str, (3, 5, 8, 10, 12, 15, 18, 20, 25, 30, 40, 50, 70, 80)))

VALUES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 11, 13, 14, 15, 16, 18, 30, 40, 50, 60)
NUMBER_OF = dict(zip(MORE_NUMBERS, VALUES, strict=True))

GRANDPARENT_NOUNS = frozenset("grandmother grandfather grandparent".split())

YOUNG_PEOPLE = word_group("young_people")


def age_range(subject: Nominal) -> tuple[int, int]:
    """Youngest and oldest plausible age for this subject."""
    if subject.noun is None or subject.noun.kind == "person_name":
        return 5, 60
    if subject.noun.english in GRANDPARENT_NOUNS:
        return 60, 80
    return (2, 16) if subject.noun.kind == "child" or subject.noun.english in YOUNG_PEOPLE else (18, 60)


def draw_age(draft: Draft, subject: Nominal, tense: str, asked: bool) -> Phrase:
    lowest, highest = age_range(subject)
    words = [word for word in MORE_NUMBERS if lowest <= NUMBER_OF[word] <= highest]
    digits = [digit for digit in DIGITS if lowest <= int(digit) <= highest]
    word = draft.pick(words if draft.chance(0.75) and words else digits)
    complement = join(leaf(word, MORE_NUMBERS.get(word, word)), leaf("years old", "ans"))
    return be_clause(subject, tense, complement, "", asked, verb="avoir")


OWNERS_WITHIN = {  # possessives that would make the subject their own friend
    "i": ("my", "our"),
    "we": ("my", "our"),
    "you": ("your",),
    "he": ("his",),
    "she": ("her",),
    "they": ("their",),
}


def draw_identity(draft: Draft, subject: Nominal, tense: str, adverb: str, asked: bool) -> Phrase:
    """Build a phrase such as: she is a doctor: est médecin; he is my friend: c'est mon ami."""
    if subject.plural or (
        subject.noun and (subject.noun.kind == "profession" or subject.noun.english in COLLECTIVE_NOUNS)
    ):
        raise DeadEnd
    female = subject.agreement.gender == "f"
    x = draft.rng.random()
    if x < 0.55:
        noun = noun_of_sex(draft, draft.noun("profession"), female)
        bare = leaf("a", "")
        return be_clause(subject, tense, join(bare, leaf(noun.english, noun.french)), adverb, asked)
    related = "friend/adult friend/adult neighbour teacher doctor colleague/adult cousin boss"
    praised = "person/adult friend/adult teacher singer player student"
    noun = noun_of_sex(draft, draft.noun(related if x < 0.85 else praised), female)
    if subject.noun and subject.noun.kind == "family" and noun.kind == "family":
        raise DeadEnd
    if x < 0.85:
        draft.owner = ""
        barred = OWNERS_WITHIN.get(subject.pronoun, ())
        owners = ("my", "my", "our", "your", "his", "her", "their")
        name = draft.pick([owner for owner in owners if owner not in barred])
        complement = plain_phrase(draft, noun, name)
    else:
        suitable = [a for a in draft.lexicon.adjectives_for(noun) if a.lasting == "yes"]
        if not suitable:
            raise DeadEnd
        complement = noun_phrase(draft, noun, "a", adjectives=[draft.pick(suitable)])
    if subject.phrase.english[0].text in ("he", "she"):
        subject = subject._replace(
            phrase=Phrase(subject.phrase.english, (subject.phrase.french[0]._replace(text="Ce"),))
        )
    return be_clause(subject, tense, complement.phrase, adverb, asked)


def noun_of_sex(draft: Draft, noun: Noun, female: bool) -> Noun:
    """The masculine or feminine noun, if the subject's sex is known."""
    return draft.lexicon.of_sex(noun, "f" if female else "m")


IT_IS = tuple(
    """good bad great true false easy difficult important possible impossible strange normal beautiful perfect
    terrible fun hard interesting boring dangerous delicious expensive cheap wonderful useful simple
    complicated amazing different""".split()
)
POSSIBLE_DEEDS = tuple(
    "find understand repair explain sell learn choose remember win cook drive answer translate".split()
)
TO_DO = {  # infinitives after an adjective: it is important to sleep
    "important": tuple(
        "sleep,rest,help,listen to,study,learn,exercise,work,drink,wash * hands,answer,translate".split(",")
    ),
    "dangerous": tuple("swim smoke drive cross climb run".split()),
    "fun": tuple("play,dance,travel,learn,cook,swim,sing,go for a walk".split(",")),
} | dict.fromkeys(("difficult", "easy", "hard", "possible", "impossible"), POSSIBLE_DEEDS)


POINTED_AT = (
    "family friend/adult thing device vehicle house/building text idea pet animal food media clothing event"
)


def draw_it_is(draft: Draft, asked: bool = False) -> Sentence:
    """Draw a sentence such as: it is easy: c'est facile; it is important to sleep; this is my brother."""
    x = draft.rng.random()
    tense = draft.pick(("present",) * 5 + ("past",) * 2)
    adverb = "not" if not asked and draft.chance(0.15) else ""
    mark = QUESTION if asked else STOP
    if x < 0.35:
        adjective = draft.pick([a for a in draft.lexicon.adjectives if a.english in IT_IS])
        subject = ce(draft.pick(("it", "it", "it", "this", "that")))
        complement = build_quality(draft, adjective, subject, negated=bool(adverb))
        return be_clause(subject, tense, complement, adverb, asked), mark
    if x < 0.6:
        adjective = draft.pick([a for a in draft.lexicon.adjectives if a.english in TO_DO])
        # French reflexive infinitives need a subject: de se souvenir
        one = pronoun("you")._replace(agreement=Agreement("m"))
        names = TO_DO[adjective.english]
        verb = draft.pick(
            draft.lexicon.select(
                ("to", names),
                lambda v: v.english in names and bool({"person", "adult"} & set(v.subject.split())),
            )
        )
        action = complete_action(draft, one, verb)
        rest = infinitive(one, verb, action.tail, "to", "de", action.clitic)
        it = impersonal_it()
        complement = build_quality(draft, adjective, it, negated=bool(adverb))
        return join(be_clause(it, tense, complement, adverb, asked), rest), mark
    plural = draft.chance(0.2)
    noun = draft.noun(POINTED_AT)
    indefinite = draft.chance(0.3) and not noun.is_person
    many = plural and bool(noun.english_plural)
    owner = draft.own()
    owned = noun.kind in ("family", "adult", "clothing", "thing", "pet", "device", "vehicle", "text")
    name = "a" if indefinite and not many else owner if owned else "bare" if many else "a"
    if noun.number or noun.is_mass:
        raise DeadEnd
    thing = noun_phrase(draft, noun, name, many)
    if many:
        subject = ce("these" if draft.chance(0.5) else "those", True)
    else:
        subject = ce(draft.pick(("this", "that", "it")))
    if tense == "past" and draft.chance(0.6):
        tense = "present"
    return be_clause(subject, tense, thing.phrase, adverb, asked), mark
