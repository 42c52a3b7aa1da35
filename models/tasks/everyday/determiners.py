"""Determiners and quantities: their French translations, and which one suits a noun."""

from models.tasks.everyday.draft import Draft
from models.tasks.everyday.lexicon import Noun
from models.tasks.everyday.tables import word_group
from models.tasks.translation import lexicon as small
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import Phrase, echo, join, leaf

NUMBERS = dict(
    zip(
        "two three four five six seven eight nine ten twelve twenty".split(),
        "deux trois quatre cinq six sept huit neuf dix douze vingt".split(),
        strict=True,
    )
)

# Quantities that French joins to the noun with de: beaucoup de pain.
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

MORE_VERBS = frozenset("have want need".split())  # verbs that combine with more and enough

INDEFINITE = frozenset(("a", "bare", "some", "any", "no", "several", "a few", "another", *WITH_DE, *NUMBERS))


def determiner(
    name: str, agreement: Agreement, plural: bool, mass: bool, adjective_first: bool, without: bool
) -> Phrase:
    """Build the determiner called `name`. `bare` is none; `all` is none in English, le, la, les in French.

    `without` is true after pas or de.
    """
    if name in ("the", "all"):
        return leaf("the" if name == "the" else "", agreement.choose("le", "la", "les"))
    if name in ("a", "bare", "some", "any", "no"):
        said = "" if name == "bare" else name
        if without:
            return leaf(said, "de")
        if name == "a" or (not mass and not agreement.plural):  # example: some jeans: un jean
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
        if last == "of":  # quantities that end in of: a lot of
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


def choose_determiner(draft: Draft, noun: Noun, plural: bool, style: str, negated: bool, asked: bool) -> str:
    """Choose a determiner by style: def (the, my), indef (a, two), poss (mostly my), generic (all), mixed."""
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
            raise DeadEnd  # excludes: my wife and her husband
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
        return choose_everyday_determiner(draft, noun, plural, style, owned)
    if style in ("def", "poss", "generic"):
        if x < 0.25 and owned:
            return draft.own()
        return ("this" if draft.chance(0.65) else "that") if x < 0.4 else "the"
    if style == "mixed" and x < 0.45:
        return draft.own() if x < 0.15 and owned else "this" if x < 0.2 else "that" if x < 0.23 else "the"
    # from here on indefinite determiners
    y = draft.rng.random()
    if (noun.is_mass and noun.number != "both") or noun.number == "french":
        if negated:
            return draft.pick(("any", "any", "bare", "the"))
        if 0.3 <= y < 0.4 and noun.number != "french":
            return choose_amount(draft, FOR_MASS)
        return "bare" if y < 0.3 else "any" if asked and y < 0.7 else "some"
    if plural or noun.number == "both":
        if negated:
            return "any" if y < 0.7 else "bare"
        if noun.number == "both" or noun.english in PAIRED_NOUNS or noun.english in PLURAL_FOODS:
            return "bare" if y < 0.5 else "some"
        if y < 0.3:
            return draft.pick(tuple(NUMBERS)[:4])
        if y < 0.6:
            return "bare"
        if y < 0.8:
            return "any" if asked else "some"
        return "a few" if y < 0.85 else "several" if y < 0.88 else choose_amount(draft, FOR_PLURAL)
    return "another" if y < 0.03 and not negated and draft.verb in MORE_VERBS else "a"


def choose_amount(draft: Draft, names: tuple[str, ...]) -> str:
    """Choose a quantity. Only verbs of having, wanting or needing take more and enough."""
    name = draft.pick(names)
    return name if name not in ("more", "enough") or draft.verb in MORE_VERBS else "a lot of"


# Kinds that need no introduction: the car, the window.
FAMILIAR_KINDS = frozenset("part vehicle room pet outdoor device furniture".split())


def choose_everyday_determiner(draft: Draft, noun: Noun, plural: bool, style: str, owned: bool) -> str:
    """Choose a determiner that needs no context: the, a, some or a possessive."""
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

PLURAL_FOODS = word_group("plural_foods")

PAIRED_NOUNS = frozenset("shoe sock glove boot".split())
