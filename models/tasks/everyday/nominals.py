"""Noun phrases: a noun with its determiner, adjectives and owner."""

from collections.abc import Sequence

from models.tasks.everyday.determiners import (
    INDEFINITE,
    PAIRED_NOUNS,
    PLURAL_FOODS,
    UNIQUE_NOUNS,
    WITH_DE,
    can_be_owned,
    choose_determiner,
    determiner,
)
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import MASS_NOUNS, Adjective, Noun, Pool
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.tables import word_group
from models.tasks.translation import lexicon as small
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import NOTHING, Mot, Phrase, arrange, leaf


def choose_adjectives(draft: Draft, noun: Noun, eager: float = 0.2) -> list[Adjective]:
    """Choose up to two adjectives that suit the noun, in English order."""
    options = draft.lexicon.adjectives_for(noun)
    if not options or not draft.afford(1, eager * (0.4 if noun.is_person else 1)):
        return []
    adjective = draft.pick(options)
    if adjective.lasting != "yes" or not attributive(noun, adjective):
        return []
    if adjective.before and draft.afford(1, 0.15):
        second = draft.pick(options)
        if second.english in SECOND_ADJECTIVES:
            return [adjective, second]  # example: a small red car
    return [adjective]


ADJECTIVES_OF_PEOPLE = word_group("adjectives_of_people")

ADJECTIVES_OF_PROFESSIONS = word_group("adjectives_of_professions")

KINDS_WITHOUT_ADJECTIVES = word_group("kinds_without_adjectives")

PREDICATIVE_ADJECTIVES = word_group("predicative_adjectives")


def attributive(noun: Noun, adjective: Adjective) -> bool:
    """Whether the adjective can stand next to this noun, and not only after is."""
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
    """Build a noun phrase from a determiner called `name`, adjectives, noun and `after`, in both orders."""
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


def plain_phrase(draft: Draft, noun: Noun, name: str, plural: bool = False, without: bool = False) -> Nominal:
    """Build a determiner and a noun, without adjectives."""
    return noun_phrase(draft, noun, name, plural, without, ())


def proper_name(draft: Draft, noun: Noun) -> Nominal:
    """Build a proper name; countries take an article in French."""
    french = noun.french
    plural = noun.number == "both"
    if noun.kind == "country" and noun.preposition != "à":
        french = ("les " if plural else "la " if noun.gender == "f" else "le ") + french
    return Nominal(leaf(noun.english, french), Agreement(noun.gender, plural), False, noun.pronoun, noun)


OWNED_RELATIVES = word_group("owned_relatives")

OWNERS = "person_name person_name person_name family family friend/adult neighbour teacher doctor boss"


def owned_phrase(draft: Draft, noun: Noun, plural: bool = False) -> Nominal:
    """Build a noun phrase such as: tom 's car: la voiture de tom."""
    room, draft.room = draft.room, 0
    if noun.kind == "family" and noun.english not in OWNED_RELATIVES:
        raise DeadEnd
    owners = OWNERS if noun.kind != "family" else "person_name friend/adult neighbour"
    owner = draw_nominal(draft, owners, "def")
    draft.room = room
    if owner.plural:
        raise DeadEnd
    plural = plural and (noun.kind != "family" or noun.english == "parent")
    thing = plain_phrase(draft, noun, "the", plural)
    mark = leaf("'s", "de")
    article, *rest = thing.phrase.french
    bare = Phrase(thing.phrase.english[1:], ())  # English drops the article here
    head = Phrase((), (Mot(article.text, mark.english), *rest))
    phrase = arrange([owner.phrase, mark, bare], [head, mark, owner.phrase])
    return thing._replace(phrase=phrase)


def friend_phrase(draft: Draft) -> Nominal:
    """Build a noun phrase such as: my friend marie: the name decides between ami and amie."""
    name = draft.noun("person_name")
    friend = draft.lexicon.of_sex(draft.lexicon.noun("friend"), name.gender)
    draft.nouns.add("friend")
    return noun_phrase(draft, friend, draft.own(), adjectives=(), after=leaf(name.english, name.french))


def nominal_for(
    draft: Draft,
    noun: Noun,
    style: str = "mixed",
    negated: bool = False,
    asked: bool = False,
    deep: bool = True,
) -> Nominal:
    """Build a noun phrase around this noun, in the style that a verb or place requires."""
    if noun.english == "home":
        raise DeadEnd
    if noun.kind in ("person_name", "city", "country", "festival"):
        if noun.kind == "person_name" and deep and draft.afford(2, 0.12):
            return friend_phrase(draft)
        return proper_name(draft, noun)
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
        return owned_phrase(draft, noun, plural)
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


def draw_nominal(draft: Draft, nouns: Pool | str, style: str) -> Nominal:
    """Draw a noun phrase around one of these nouns, without an owner such as tom 's."""
    return nominal_for(draft, draft.noun(nouns), style, deep=False)


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
)  # a possessive takes the singular: my house

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

SUBJECTS = small.SUBJECTS
