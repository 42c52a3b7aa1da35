"""Noun phrases of the larger world: determiners, quantities, adjectives and their agreement, owners, pronouns."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from models.tasks.everyday.lexicon import MASS_NOUNS, Adjective, Lexicon, Noun, Pool, lexicon
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.tables import word_group
from models.tasks.translation import lexicon as small
from models.tasks.translation.draft import BaseDraft, DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import NOTHING, Mot, Phrase, arrange, echo, join, leaf


class Nominal(NamedTuple):
    """What can be a subject or an object, with all that other words need to know about it."""

    phrase: Phrase
    agreement: Agreement  # the French person, gender and number
    plural: bool  # the English number: my hair is, mes cheveux sont
    pronoun: str  # the English pronoun that would stand for it
    noun: Noun | None = None
    definite: bool = True
    owner: str = ""  # the possessive it begins with
    traits: tuple[str, ...] = ()  # the English adjectives already said of it

    @property
    def is_person(self) -> bool:
        return self.noun is None or self.noun.is_person

    @property
    def who(self) -> tuple[int, bool]:
        """Which form of an English verb goes with it."""
        return self.agreement.person, self.plural


class Draft(BaseDraft):
    """A sentence of the larger world."""

    def __init__(self, rng: random.Random, room: int = 0):
        super().__init__(rng, room)
        self.lexicon: Lexicon = lexicon()
        self.owner = ""  # the possessive of the clause's subject
        self.verb = ""  # the verb whose object is drawn
        self.everyday = False  # only the, a, some and possessives, as in a story of one day

    def own(self) -> str:
        """A possessive: mostly that of the subject, so that she loses her keys and not mine."""
        if self.owner == "its":
            return "its" if self.chance(0.4) else "the"
        if self.owner and self.chance(0.9):
            return self.owner
        return self.pick(OWN if self.owner not in THIRD_PERSON else OWN[:6])

    def noun(self, pool: Pool | str) -> Noun:
        """A noun of this pool that the sentence has not used."""
        pool = self.lexicon.pool(pool) if isinstance(pool, str) else pool
        if not pool.nouns:
            raise DeadEnd
        for _ in range(4):
            noun = pool.pick(self.rng)
            if noun.english not in self.nouns:
                self.nouns.add(noun.english)
                return noun
        raise DeadEnd


# Determiners

OWN = ("my", "my", "my", "our", "your", "your", "his", "her", "their")
THIRD_PERSON = ("his", "her", "their", "its")  # son is any of them: laura finds her cats, not his
NUMBERS = dict(
    zip(
        "two three four five six seven eight nine ten twelve twenty".split(),
        "deux trois quatre cinq six sept huit neuf dix douze vingt".split(),
        strict=True,
    )
)
# Quantities that French links by de: beaucoup de pain.
WITH_DE = {
    "many": "beaucoup",
    "much": "beaucoup",
    "a lot of": "beaucoup",
    "too many": "trop",
    "too much": "trop",
    "more": "plus",
    "enough": "assez",
}
FOR_PLURAL = (*("many", "a lot of") * 4, "too many", "more", "enough")
FOR_MASS = ("a lot of", "a lot of", "too much", "more", "enough")
MORE_VERBS = frozenset("have want need".split())  # verbs that more and enough go with
INDEFINITE = frozenset(("a", "bare", "some", "any", "no", "several", "a few", "another", *WITH_DE, *NUMBERS))


def determiner(
    name: str, agreement: Agreement, plural: bool, mass: bool, adjective_first: bool, without: bool
) -> Phrase:
    """The determiner called `name`; `bare` is none, `all` is none where French says the whole kind; `without`: after pas or de."""
    if name in ("the", "all"):
        return leaf("the" if name == "the" else "", agreement.choose("le", "la", "les"))
    if name in ("a", "bare", "some", "any", "no"):
        said = "" if name == "bare" else name
        if without:
            return leaf(said, "de")
        if name == "a" or (not mass and not agreement.plural):  # some jeans: un jean
            return leaf(said, agreement.choose("un", "une", "des"))
        return leaf(said, agreement.choose("de le", "de la", "de" if adjective_first else "des"))
    if name in ("this", "that"):
        return leaf(
            {"this": "these", "that": "those"}[name] if plural else name,
            agreement.choose("ce", "cette", "ces"),
        )
    if name in small.POSSESSIVES:
        return leaf(name, agreement.choose(*small.POSSESSIVES[name]))
    if name in WITH_DE:
        *words, last = name.split()
        if last == "of":  # a lot of
            return join(leaf(" ".join(words), WITH_DE[name]), leaf("of", "de"))
        quantity = leaf(name, WITH_DE[name])
        return join(quantity, echo(quantity, "de"))
    fixed = {
        "several": "plusieurs",
        "a few": "quelques",
        "every": "chaque",
        "its": agreement.choose("son", "sa", "ses"),
    }
    if name in fixed:
        return leaf(name, fixed[name])
    if name == "another":
        return leaf(name, agreement.choose("un autre", "une autre", "d' autres"))
    if name == "all the":
        return join(
            leaf("all", agreement.choose("tout", "toute", "tous" if agreement.gender == "m" else "toutes")),
            leaf("the", "les"),
        )
    if name == "which":
        return leaf(name, which(agreement))
    return leaf(name, NUMBERS[name])


def which(agreement: Agreement) -> str:
    return (
        ("quels" if agreement.gender == "m" else "quelles")
        if agreement.plural
        else "quel"
        if agreement.gender == "m"
        else "quelle"
    )


# Nouns with their adjectives

RELATIONAL_ADULTS = word_group("relational_adults")
UNOWNED_KINDS = word_group("unowned_kinds")
UNOWNED_NOUNS = word_group("unowned_nouns")


OWNED_IDEAS = word_group("owned_ideas")


def can_be_owned(noun: Noun) -> bool:
    if noun.kind in ("adult", "profession"):
        return noun.english in RELATIONAL_ADULTS
    if noun.kind == "idea":
        return noun.english in OWNED_IDEAS
    owned = noun.english in (
        "money",
        "garden",
        "street",
        "team",
        "company",
        "country",
        "salary",
        "rent",
        "flower",
        "class",
    )
    return owned or not (
        noun.kind in UNOWNED_KINDS or noun.english in UNOWNED_NOUNS or noun.kind == "person_name"
    )


def choose_adjectives(draft: Draft, noun: Noun, eager: float = 0.2) -> list[Adjective]:
    """None, one or two adjectives that suit the noun, in the English order."""
    options = draft.lexicon.adjectives_for(noun)
    if not options or not draft.afford(1, eager * (0.4 if noun.is_person else 1)):
        return []
    adjective = draft.pick(options)
    if adjective.lasting != "yes" or not attributive(noun, adjective):
        return []
    if adjective.before and draft.afford(1, 0.15):
        second = draft.pick(options)
        if second.english in SECOND_ADJECTIVES:
            return [adjective, second]  # a small red car
    return [adjective]


ADJECTIVES_OF_PEOPLE = word_group("adjectives_of_people")
ADJECTIVES_OF_PROFESSIONS = word_group("adjectives_of_professions")
KINDS_WITHOUT_ADJECTIVES = word_group("kinds_without_adjectives")


PREDICATIVE_ADJECTIVES = word_group("predicative_adjectives")


def attributive(noun: Noun, adjective: Adjective) -> bool:
    """Whether the adjective is said beside this noun, and not only after is."""
    if adjective.english in PREDICATIVE_ADJECTIVES:
        return False
    if noun.english in UNIQUE_NOUNS:
        return False
    if noun.english in adjective.nouns:
        return True
    if noun.kind == "profession":
        return adjective.english in ADJECTIVES_OF_PROFESSIONS
    if noun.is_person:
        return (adjective.english in ADJECTIVES_OF_PEOPLE and noun.kind != "family") or (
            adjective.english in ("little", "young", "old")
            and noun.english in ("brother", "sister", "son", "daughter")
        )
    return noun.kind not in KINDS_WITHOUT_ADJECTIVES and noun.english not in MASS_NOUNS


SECOND_ADJECTIVES = word_group("second_adjectives")


def noun_phrase(
    draft: Draft,
    noun: Noun,
    name: str,
    plural: bool = False,
    without: bool = False,
    adjectives: Sequence[Adjective] | None = None,
    after: Phrase = NOTHING,
) -> Nominal:
    """A determiner called `name`, adjectives, the noun and what follows it. One rule, two orders."""
    plural_en = plural or noun.number in ("both", "english")
    agreement = Agreement(noun.gender, plural or noun.number in ("both", "french"))
    if adjectives is None:
        adjectives = choose_adjectives(draft, noun)
        if name not in INDEFINITE and any(a.english in ("cheap", "expensive") for a in adjectives):
            adjectives = []
    words = (
        noun.english_plural if plural else noun.english,
        noun.french_plural if agreement.plural else noun.french,
    )
    noun_leaf = fixed(*words) if " " in words[0] else leaf(*words)
    first_noun = noun_leaf.french[0].text
    before = [adjective for adjective in adjectives if adjective.before]
    leaves = {
        id(adjective): leaf(
            adjective.english,
            adjective.french(agreement, before[i + 1].forms[0] if i + 1 < len(before) else first_noun),
        )
        for i, adjective in enumerate([*before, *[a for a in adjectives if not a.before]])
    }
    first = [leaves[id(adjective)] for adjective in before]
    last = [leaves[id(adjective)] for adjective in adjectives if not adjective.before]
    if name == "a" and plural_en:
        name = "some"
    if name == "a" and agreement.plural:
        name = "bare"
    det = determiner(name, agreement, plural_en, noun.is_mass, bool(first), without)
    spoken = [leaves[id(adjective)] for adjective in adjectives]
    phrase = arrange([det, *spoken, noun_leaf, after], [det, *first, noun_leaf, *reversed(last), after])
    traits = tuple([adjective.english for adjective in adjectives])
    pronoun = "they" if plural_en else noun.pronoun
    owner = name if name in small.POSSESSIVES or name == "its" else ""
    return Nominal(phrase, agreement, plural_en, pronoun, noun, name not in INDEFINITE, owner, traits)


def proper(draft: Draft, noun: Noun) -> Nominal:
    """A name; countries have an article in French."""
    french = noun.french
    plural = noun.number == "both"
    if noun.kind == "country" and noun.preposition != "à":
        french = ("les " if plural else "la " if noun.gender == "f" else "le ") + french
    return Nominal(leaf(noun.english, french), Agreement(noun.gender, plural), False, noun.pronoun, noun)


OWNED_RELATIVES = word_group("owned_relatives")
OWNERS = "person_name person_name person_name family family friend/adult neighbour teacher doctor boss"


def of_owner(draft: Draft, noun: Noun, plural: bool = False) -> Nominal:
    """Build a noun phrase such as: tom 's car: la voiture de tom."""
    room, draft.room = draft.room, 0
    if noun.kind == "family" and noun.english not in OWNED_RELATIVES:
        raise DeadEnd
    owners = OWNERS if noun.kind != "family" else "person_name friend/adult neighbour"
    owner = nominal_for(draft, draft.noun(owners), "def", deep=False)
    draft.room = room
    if owner.plural:
        raise DeadEnd
    plural = plural and (noun.kind != "family" or noun.english == "parent")
    thing = noun_phrase(draft, noun, "the", plural, adjectives=())
    mark = leaf("'s", "de")
    article, *rest = thing.phrase.french
    bare = Phrase(thing.phrase.english[1:], ())  # English has no article here
    head = Phrase((), (Mot(article.text, mark.english), *rest))
    phrase = arrange([owner.phrase, mark, bare], [head, mark, owner.phrase])
    return thing._replace(phrase=phrase)


def with_friend_name(draft: Draft) -> Nominal:
    """Build a noun phrase such as: my friend marie: the name decides between ami and amie."""
    name = draft.noun("person_name")
    friend = draft.lexicon.of_sex(draft.lexicon.noun("friend"), name.gender)
    draft.nouns.add("friend")
    return noun_phrase(draft, friend, draft.own(), adjectives=(), after=leaf(name.english, name.french))


def choose_determiner(draft: Draft, noun: Noun, plural: bool, style: str, negated: bool, asked: bool) -> str:
    """Styles: def (the, my, this), indef (a, some, numbers), poss (mostly my), generic (the whole kind), mixed."""
    x = draft.rng.random()
    if noun.english in UNIQUE_NOUNS or noun.english in ("sea", "beach"):
        return "the"
    if style == "own" and draft.owner:
        return draft.owner
    if noun.kind == "season":
        return "all"
    if noun.kind == "family" and style == "indef" and noun.english in COUNTABLE_RELATIVES:
        return "a" if not plural else draft.pick(tuple(NUMBERS)[:4])
    if noun.english == "news" and style != "indef":
        return "the"
    if noun.english in SPOUSES:
        if draft.nouns & (SPOUSES.keys() - {noun.english}):
            raise DeadEnd  # my wife and her husband
        return draft.pick(SPOUSES[noun.english]) if draft.owner not in SPOUSES[noun.english] else draft.owner
    if (
        noun.english in RELATIONAL_ADULTS
        and (noun.kind == "adult" or noun.english == "boss")
        and style != "indef"
    ):
        return draft.own()
    if noun.kind == "family" or (noun.kind == "body" and style != "indef"):
        return draft.own()
    owned = can_be_owned(noun)
    if noun.kind == "game_sport" and noun.is_mass:
        return "all"
    if noun.kind == "meal" and noun.is_mass and style != "indef" and x < 0.85:
        return "all"
    if noun.kind in ("language", "subject", "meal", "month", "weekday", "feeling_noun") and style != "indef":
        return "all" if noun.kind != "meal" or style == "generic" else draft.pick(("the", "my"))
    if style == "generic" and x < 0.6 and (noun.english_plural or noun.is_mass or noun.number == "both"):
        return "all"
    if style == "poss" and owned and x < 0.62:
        return draft.own()
    if draft.verb == "want" and owned and style in ("def", "mixed"):
        return "the"
    if draft.everyday:
        return everyday_determiner(draft, noun, plural, style, owned)
    if style in ("def", "poss", "generic"):
        if x < 0.25 and owned:
            return draft.own()
        return ("this" if draft.chance(0.65) else "that") if x < 0.4 else "the"
    if style == "mixed" and x < 0.45:
        return draft.own() if x < 0.15 and owned else "this" if x < 0.2 else "that" if x < 0.23 else "the"
    # indefinite
    y = draft.rng.random()
    if (noun.is_mass and noun.number != "both") or noun.number == "french":
        if negated:
            return draft.pick(("any", "any", "bare", "the"))
        if 0.3 <= y < 0.4 and noun.number != "french":
            return amount(draft, FOR_MASS)
        return "bare" if y < 0.3 else "any" if asked and y < 0.7 else "some"
    if plural or noun.number == "both":
        if negated:
            return "any" if y < 0.7 else "bare"
        if noun.number == "both" or noun.english in PAIRED_NOUNS or noun.english in PLURAL_FOODS:
            return "bare" if y < 0.5 else "some"
        return (
            draft.pick(tuple(NUMBERS)[:4]) if y < 0.3 else "bare" if y < 0.6 else "any" if asked and y < 0.8 else "some" if y < 0.8
            else "a few" if y < 0.85 else "several" if y < 0.88 else amount(draft, FOR_PLURAL)
        )  # fmt: skip
    return "another" if y < 0.03 and not negated and draft.verb in MORE_VERBS else "a"


def amount(draft: Draft, names: tuple[str, ...]) -> str:
    """A quantity; more and enough only of what one has, wants or needs."""
    name = draft.pick(names)
    return name if name not in ("more", "enough") or draft.verb in MORE_VERBS else "a lot of"


FAMILIAR_KINDS = frozenset("part vehicle room pet outdoor device furniture".split())  # the car, the window


def everyday_determiner(draft: Draft, noun: Noun, plural: bool, style: str, owned: bool) -> str:
    """A determiner that needs no context: the, a, some or a possessive."""
    if style == "poss" and owned and draft.chance(0.7):
        return draft.own()
    if style in ("def", "poss", "generic") or (
        style == "mixed" and (noun.kind in FAMILIAR_KINDS or draft.chance(0.3))
    ):
        return "the"
    return "some" if noun.is_mass or plural or noun.number else "a"


UNIQUE_NOUNS = word_group("unique_nouns")
SPOUSES = {
    "husband": ("my", "her", "your"),
    "wife": ("my", "his", "your"),
    "boyfriend": ("my", "her", "your"),
    "girlfriend": ("my", "his", "your"),
}
COUNTABLE_RELATIVES = word_group("countable_relatives")


def nominal_for(
    draft: Draft,
    noun: Noun,
    style: str = "mixed",
    negated: bool = False,
    asked: bool = False,
    deep: bool = True,
) -> Nominal:
    """A noun phrase around this noun, of the style that a verb or place asks for."""
    if noun.english == "home":
        raise DeadEnd
    if noun.kind in ("person_name", "city", "country", "festival"):
        if noun.kind == "person_name" and deep and draft.afford(2, 0.12):
            return with_friend_name(draft)
        return proper(draft, noun)
    plural = bool(noun.english_plural) and not noun.is_mass and draft.chance(plural_share(noun, style))
    if draft.everyday and (
        noun.kind in SINGULAR_OWNED_KINDS or (noun.kind == "clothing" and noun.english not in PAIRED_NOUNS)
    ):
        plural = False
    if draft.everyday and noun.english in ("book", "novel", "story", "newspaper"):
        plural = False
    if (noun.english in PLURAL_FOODS and style == "indef" and not negated) or (
        draft.everyday and noun.english == "email" and style == "def"
    ):
        plural = True
    if deep and noun.kind != "body" and can_be_owned(noun) and style != "indef" and draft.afford(2, 0.12):
        return of_owner(draft, noun, plural)
    name = choose_determiner(draft, noun, plural, style, negated, asked)
    if name == "all" and noun.english_plural and not noun.is_mass:
        plural = True
    if noun.kind in SINGULAR_OWNED_KINDS and name in small.POSSESSIVES:
        plural = False
    if name in ("every", "another"):
        plural = False
    without = negated and name in ("a", "bare", "some", "any")
    if name in WITH_DE or (noun.is_mass and name in ("some", "any")):
        return noun_phrase(draft, noun, name, plural, without, ())
    return noun_phrase(
        draft, noun, name, plural, without, () if name == "all" and not draft.chance(0.15) else None
    )


def plural_share(noun: Noun, style: str) -> float:
    if noun.english in SINGULAR_NOUNS:
        return 0.0
    if noun.english == "parent":
        return 1.0
    if style == "own" and noun.kind == "clothing":
        return 0.9 if noun.english in PAIRED_NOUNS else 0.0
    if noun.kind in ("profession", "adult", "family"):
        return 0.18
    if noun.english in PAIRED_NOUNS:
        return 0.9
    if noun.english in ("eye", "hand", "flower", "key", "potato", "child", "parent", "vegetable"):
        return 0.75
    return PLURAL_SHARE.get(noun.kind, 0.25)


SINGULAR_NOUNS = word_group("singular_nouns")
SINGULAR_OWNED_KINDS = frozenset(
    "building vehicle device room furniture media".split()
)  # my house, not my houses
PLURAL_FOODS = word_group("plural_foods")
PAIRED_NOUNS = frozenset("shoe sock glove boot".split())
PLURAL_SHARE = {
    "device": 0.12,
    "vehicle": 0.15,
    "building": 0.15,
    "room": 0.12,
    "furniture": 0.25,
    "food": 0.45,
    "nature": 0.35,
    "idea": 0.3,
    "child": 0.35,
}


# Pronouns

SUBJECTS = small.SUBJECTS
CLITICS = {  # English object: direct and dative clitic, the form after a preposition
    "me": ("me", "me", "moi"),
    "you": ("vous", "vous", "vous"),
    "him": ("Le", "lui", "lui"),
    "her": ("La", "lui", "elle"),
    "it": ("Le", "", ""),
    "us": ("nous", "nous", "nous"),
    "them": ("Les", "leur", "eux"),
}
OBJECT_OF = {"i": "me", "you": "you", "he": "him", "she": "her", "it": "it", "we": "us", "they": "them"}


def pronoun(word: str, gender: str = "m", noun: Noun | None = None) -> Nominal:
    """A subject pronoun."""
    person = {"i": 1, "we": 1, "you": 2}.get(word, 3)
    plural = word in ("we", "they")
    spoken = leaf(word, small.french_subject(word, gender, plural))
    return Nominal(spoken, Agreement(gender, plural, person), plural, word, noun)


def some_pronoun(
    draft: Draft,
    words: Sequence[str] = ("i", "i", "i", "i", "we", "you", "you", "he", "he", "she", "she", "they"),
) -> Nominal:
    word = draft.pick(words)
    return pronoun(word, "f" if word == "she" else "m")


COLLECTIVE_NOUNS = word_group("collective_nouns")


def pronoun_for(nominal: Nominal) -> Nominal:
    """The pronoun that stands for this later in the sentence."""
    if nominal.noun and nominal.noun.english in COLLECTIVE_NOUNS:
        raise DeadEnd
    if nominal.agreement.person < 3:
        return pronoun(nominal.pronoun, nominal.agreement.gender)
    agreement = nominal.agreement
    spoken = leaf(nominal.pronoun, small.french_subject("", agreement.gender, agreement.plural))
    return Nominal(spoken, agreement, nominal.plural, nominal.pronoun, nominal.noun)


class Clitic(NamedTuple):
    """An object pronoun: English says it after the verb, French before."""

    english: str
    phrase: Phrase
    agreement: Agreement | None  # what a participle agrees with; nothing for a dative


def clitic(word: str, gender: str = "m", dative: bool = False, plural: bool | None = None) -> Clitic:
    direct, indirect, _ = CLITICS[word]
    if word == "it" and gender == "f":
        direct = "La"
    if plural and word == "it":
        direct = "Les"
    if plural is False and word == "them":  # my jeans: le
        direct = "La" if gender == "f" else "Le"
    many = word in ("us", "them") if plural is None else plural
    return Clitic(
        word, leaf(word, indirect if dative else direct), None if dative else Agreement(gender, many)
    )
