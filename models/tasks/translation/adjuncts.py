"""Place, time and company. English `in` is dans, à, en, au or nothing; `on` is le before a date."""

from models.tasks.translation import lexicon as lex
from models.tasks.translation import nominals as nom
from models.tasks.translation.lexicon import NOUNS, Noun
from models.tasks.translation.nominals import Draft
from models.tasks.translation.phrase import Phrase, join, leaf


def _definite(draft: Draft, noun: Noun) -> Phrase:
    own = noun.english in lex.OWNABLE and draft.chance(0.25)
    return nom.noun_phrase(draft, noun, draft.pick(nom.OWN) if own else "the").phrase


def town_or_country(draft: Draft, preposition: str) -> Phrase:
    """Build a place such as: in paris: à paris; in france: en france; in japan: au japon."""
    table, french = draft.pick(
        ((lex.CITIES, "à"), (lex.FEMININE_COUNTRIES, "en"), (lex.MASCULINE_COUNTRIES, "au"))
    )
    name = draft.pick(tuple(table))
    return join(leaf(preposition, french), leaf(name, table[name]))


INSIDE = tuple(NOUNS[name] for name in ("garden", "street", "house", "room"))  # French preposition: dans
AT = tuple(NOUNS[name] for name in ("school", "hospital", "station", "market"))  # French preposition: à


def draw_place(draft: Draft) -> Phrase:
    x = draft.rng.random()
    if x < 0.35:
        return town_or_country(draft, "in")
    if x < 0.7:
        return join(leaf("in", "dans"), _definite(draft, draft.pick(INSIDE)))
    return join(leaf("at", "à"), _definite(draft, draft.pick(AT)))


def destination(draft: Draft) -> Phrase:
    if draft.chance(0.4):
        return town_or_country(draft, "to")
    return join(leaf("to", "à"), _definite(draft, draft.pick(AT)))


def arrival(draft: Draft) -> Phrase:
    if draft.chance(0.4):
        return town_or_country(draft, "in")
    return join(leaf("at", "à"), _definite(draft, draft.pick(AT)))


def _as_is(text: str) -> Phrase:
    return leaf(text, text)


def in_month(month: str, year: str = "") -> Phrase:
    return join(leaf("in", "en"), leaf(month, lex.MONTHS[month]), _as_is(year))


def date(draft: Draft, with_year: bool = True) -> Phrase:
    """Build a date such as: in 1992, in august (1992), on 3 may (1994): le 3 mai."""
    x = draft.rng.random()
    year = draft.pick(lex.YEARS) if with_year else ""
    if with_year and x < 0.2:
        return join(leaf("in", "en"), _as_is(year))
    month = draft.pick(tuple(lex.MONTHS))
    if x < 0.6:
        return in_month(month, year)
    return join(leaf("on", "le"), _as_is(draft.pick(lex.DAYS)), leaf(month, lex.MONTHS[month]), _as_is(year))


def spring(draft: Draft, year: bool) -> Phrase:
    if year and draft.chance(0.4):
        of_year = join(leaf("of", ""), _as_is(draft.pick(lex.YEARS)))
        return join(leaf("in", "à"), leaf("the", "le"), leaf("spring", "printemps"), of_year)
    return join(leaf("in", "à le"), leaf("spring", "printemps"))


def time(draft: Draft, tense: str) -> Phrase:
    x = draft.rng.random()
    if tense == "present" and draft.ongoing:
        return leaf("now", "maintenant") if x < 0.5 else leaf("today", "aujourd'hui")
    if x < 0.2:
        return spring(draft, tense == "past")
    if tense == "present":
        if x < 0.5 and not draft.habitual:
            return join(leaf("every", "tous les"), leaf("day", "jours"))
        part = leaf("morning", "matin") if x < 0.75 else leaf("evening", "soir")
        return join(leaf("in", ""), leaf("the", "le"), part)
    if x < 0.4:
        return leaf("yesterday", "hier") if tense == "past" else leaf("tomorrow", "demain")
    if x < 0.5:
        return leaf("today", "aujourd'hui")
    return date(draft, with_year=tense == "past")


def company(draft: Draft) -> Phrase:
    """Build a phrase such as: with her friend paul: avec son ami paul."""
    kinds = ("adult", "child", "name") if draft.chance(0.8) else ("animal",)
    return join(leaf("with", "avec"), nom.any_nominal(draft, kinds, definite=True, coordinate=False).phrase)
