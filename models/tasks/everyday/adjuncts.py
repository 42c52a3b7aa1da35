"""Phrases of place, time, manner and company in both languages."""

from models.tasks.everyday.determiners import NUMBERS
from models.tasks.everyday.draft import Draft
from models.tasks.everyday.lexicon import Noun
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.nominals import draw_nominal, nominal_for, noun_phrase, plain_phrase
from models.tasks.translation import lexicon as small
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf

FIXED_PLACES = {  # English preposition and noun, French preposition and noun
    "home": ("at", "home", "à", "la maison"),
    "work": ("at", "work", "à le", "travail"),
    "school": ("at", "school", "à l'", "école"),
    "town": ("in", "town", "en", "ville"),
    "bed": ("in", "bed", "à le", "lit"),
    "prison": ("in", "prison", "en", "prison"),
    "class": ("in", "class", "en", "classe"),
    "train_in": ("on", "the train", "dans", "le train"),
    "phone_on": ("on", "the phone", "à le", "téléphone"),
    "computer_on": ("on", "the computer", "sur", "l' ordinateur"),
    "party_to": ("to", "the party", "à", "la fête"),
    "party": ("at", "the party", "à", "la fête"),
    "wedding": ("at", "the wedding", "à le", "mariage"),
    "sky": ("in", "the sky", "dans", "le ciel"),
    "country": ("in", "the country", "à", "la campagne"),
}
ONE_WORD_PLACES = {"outside": "dehors"}
FIXED_GOALS = {
    "school": ("to", "school", "à l'", "école"),
    "work": ("to", "work", "à le", "travail"),
    "doctor": ("to", "the doctor", "chez", "le médecin"),
    "dentist": ("to", "the dentist", "chez", "le dentiste"),
}
EATING_OUT = ("restaurant", "restaurant", "café")


def _fixed(place: tuple[str, str, str, str]) -> Phrase:
    preposition, english, french_preposition, french = place
    return join(leaf(preposition, french_preposition), fixed(english, french))


def place_in_town(draft: Draft, noun: Noun, preposition: str) -> Phrase:
    """Build a phrase such as: in paris: à paris; in france: en france; to japan: au japon."""
    draft.nouns.add(noun.english)
    return join(leaf(preposition, noun.preposition), leaf(noun.english, noun.french))


def place_at_noun(draft: Draft, noun: Noun, allowed: tuple[str, ...]) -> Phrase:
    """Build a phrase such as: in the kitchen, at the station, with the prepositions that the noun takes."""
    if noun.kind in ("city", "country"):
        return place_in_town(draft, noun, "to" if "to" in allowed else "in")
    found = [place for place in noun.places if place[0] in allowed]
    if not found or noun.english in ("world", "place", "earth", "ground", "home"):
        raise DeadEnd
    preposition, french = found[0]
    if french == "en":
        return join(leaf(preposition, french), leaf(noun.english, noun.french))
    own = (noun.kind == "room" and noun.english not in ("elevator", "classroom")) or noun.english in (
        "garden",
        "house",
        "apartment",
    )
    x = draft.rng.random()
    name = (
        draft.own()
        if own and x < 0.3
        else "the"
        if draft.everyday
        else "this"
        if x > 0.94
        else "a"
        if x > 0.9 and noun.english_plural and french != "à"
        else "the"
    )
    room, draft.room = draft.room, min(draft.room, 2)
    nominal = noun_phrase(
        draft, noun, name, adjectives=() if noun.english in PLACES_WITHOUT_ADJECTIVES else None
    )
    draft.room = room
    return join(leaf(preposition, french), nominal.phrase)


PLACES_WITHOUT_ADJECTIVES = frozenset("country countryside class university office street beach".split())
HERE = ("in", "at", "on")


def place_of(draft: Draft, token: str) -> Phrase:
    """Build the place named in a verb's table row."""
    if token in FIXED_PLACES:
        return _fixed(FIXED_PLACES[token])
    if token in ONE_WORD_PLACES:
        return leaf(token, ONE_WORD_PLACES[token])
    if token == "eatout":
        token = draft.pick(EATING_OUT)
    if token == "restaurant_to":
        return _fixed(("to", "the restaurant", "à", "le restaurant"))
    return place_at_noun(draft, draft.noun(token), HERE)


def draw_place(draft: Draft) -> Phrase:
    x = draft.rng.random()
    if x < 0.3:
        return _fixed(
            FIXED_PLACES[draft.pick(("home", "home", "work", "school", "town", "country", "bed", "class"))]
        )
    if x < 0.45:
        return place_in_town(draft, draft.noun("city country"), "in")
    if x < 0.55:
        adverb = draft.pick(draft.lexicon.adverbs_of("place"))
        return leaf(adverb.english, adverb.french)
    return place_at_noun(draft, draft.noun("building shop room outdoor nature"), HERE)


def draw_goal(draft: Draft, local: bool = False) -> Phrase:
    """Draw a destination: to school, to the market, to paris, to the doctor."""
    x = draft.rng.random()
    if x < 0.2:
        return _fixed(FIXED_GOALS[draft.pick(("school", "school", "work", "work", "doctor", "dentist"))])
    if x < 0.4 and not local:
        return place_in_town(draft, draft.noun("city country"), "to")
    return place_at_noun(draft, draft.noun("building shop shop outdoor nature bank/institution"), ("to",))


def draw_named_goal(draft: Draft, names: str) -> Phrase:
    """Build the destination for one of the given places; work and school take no article."""
    if names in FIXED_GOALS:
        return _fixed(FIXED_GOALS[names])
    return place_at_noun(draft, draft.noun(names), ("to",))


def place_to_school() -> Phrase:
    return _fixed(FIXED_GOALS["school"])


CONTAINERS = frozenset("box bag cupboard fridge suitcase basket car oven glass cup bottle".split())


def place_on(draft: Draft, noun: Noun) -> Phrase:
    """Build a phrase such as: on the table, on the sofa; but in the box, in the bag."""
    nominal = plain_phrase(draft, noun, "the" if draft.chance(0.8) else draft.own())
    return join(leaf("in", "dans") if noun.english in CONTAINERS else leaf("on", "sur"), nominal.phrase)


LANDMARKS = "building shop river/nature park bridge tree house school station bank/institution"
RELATIONS = (
    ("near", "près de"),
    ("near", "près de"),
    ("behind", "derrière"),
    ("in front of", "devant"),
    ("next to", "à côté de"),
    ("under", "sous"),
)


def place_near(draft: Draft) -> Phrase:
    """Build a location relative to a landmark: near the park, behind the house, under the table."""
    relation, french = draft.pick(RELATIONS)
    landmark = draw_nominal(draft, "table chair bed tree" if relation == "under" else LANDMARKS, "def")
    return join(leaf(relation, french), landmark.phrase)


def draw_company(draft: Draft, outdoors: bool = False) -> Phrase:
    spec = "family person_name friend/adult colleague/adult" + " dog" * outdoors
    return join(leaf("with", "avec"), nominal_for(draft, draft.noun(spec), "poss").phrase)


# ---- time ----


def _as_is(text: str) -> Phrase:
    return leaf(text, text)


def draw_clock(draft: Draft) -> Phrase:
    """Build a phrase such as: at six: à six heures."""
    x = draft.rng.random()
    if x < 0.12:
        return join(leaf("at", "à"), leaf("noon", "midi") if x < 0.07 else leaf("midnight", "minuit"))
    return join(leaf("at", "à"), draw_hour(draft))


def draw_hour(draft: Draft) -> Phrase:
    if draft.chance(0.15):
        word, french = draft.pick((("one", "une"), ("eleven", "onze"), ("one", "une")))
        number = leaf(word, french)
        o_clock = "heure" if word == "one" else "heures"
    else:
        word = draft.pick(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))
        number, o_clock = leaf(word, NUMBERS[word]), "heures"
    if draft.chance(0.4):
        return join(number, leaf("o'clock", o_clock))
    if draft.chance(0.2):  # example: half past three: trois heures et demie
        half_past = leaf("half past", "et demie")
        return arrange([half_past, number], [number, echo(number, o_clock), half_past])
    half = leaf("thirty", "trente") if draft.chance(0.1) else NOTHING
    return join(number, echo(number, o_clock), half)


def draw_weekday(draft: Draft, habit: bool = False) -> Phrase:
    """Build a phrase such as: on monday: lundi; on mondays: le lundi."""
    noun = draft.noun("weekday")
    if habit:
        return join(leaf("on", "le"), leaf(noun.english + "s", noun.french))
    return join(leaf("on", ""), leaf(noun.english, noun.french))


def draw_duration_phrase(draft: Draft, units: tuple[str, ...]) -> Phrase:
    """Build a phrase such as: two days, an hour."""
    unit = draft.lexicon.named(draft.pick(units))[0]
    if unit.english != "day" and draft.chance(0.2):
        return join(
            leaf("one" if unit.english != "hour" else "an", "une" if unit.gender == "f" else "un"),
            leaf(unit.english, unit.french),
        )
    number = draft.pick(tuple(NUMBERS))
    return join(leaf(number, NUMBERS[number]), leaf(unit.english_plural, unit.french_plural))


def draw_date(draft: Draft, year: bool, years: tuple[str, ...] = ()) -> Phrase:
    """Build a phrase such as: in 1992, in august (1992), on 3 may (1994)."""
    x = draft.rng.random()
    when = _as_is(draft.pick(years or YEARS)) if year else NOTHING
    if year and x < 0.4:
        return join(leaf("in", "en"), when)
    month = draft.pick(tuple(small.MONTHS))
    name = leaf(month, small.MONTHS[month])
    if x < 0.75:
        return join(leaf("in", "en"), name, when if draft.chance(0.6) else NOTHING)
    day = _as_is(draft.pick(DAYS))
    return join(leaf("on", "le"), day, name, when if draft.chance(0.5) else NOTHING)


YEARS = tuple(map(str, range(1950, 2026)))
LATER = tuple(map(str, range(2026, 2031)))
OF_WAR = ("1914", "1918", "1939", "1945")
DAYS = (*small.DAYS, "1", "2", "4", "6", "7", "10", "12", "15", "18", "21", "22", "24", "30", "31")
SEASONS = (
    ("summer", "en", "été"),
    ("winter", "en", "hiver"),
    ("autumn", "en", "automne"),
    ("spring", "à le", "printemps"),
)
DAY_PARTS = (("morning", "matin"), ("evening", "soir"), ("afternoon", "après-midi"))


def draw_season(draft: Draft) -> Phrase:
    name, preposition, french = draft.pick(SEASONS)
    return join(leaf("in", preposition), leaf(name, french))


def draw_day_part(draft: Draft) -> Phrase:
    if draft.chance(0.2):
        return join(leaf("at", "la"), leaf("night", "nuit"))
    return join(leaf("in", ""), leaf("the", "le"), leaf(*draft.pick(DAY_PARTS)))


EVERY = tuple(f"every {unit}" for unit in "day morning evening night week year summer".split())


def draw_every(draft: Draft, big: bool = True) -> Phrase:
    """Build a phrase such as: every day: tous les jours; every week: toutes les semaines."""
    wanted = EVERY if big else EVERY[:3]
    adverb = draft.pick([a for a in draft.lexicon.adverbs_of("frequency") if a.english in wanted])
    every_word, unit = adverb.english.split()
    *all_the, plural = adverb.french.split()
    return join(leaf(every_word, " ".join(all_the)), leaf(unit, plural))


DISTANT_TIMES = frozenset("month year summer".split())  # times that are too distant for most actions


def _near_adverb(draft: Draft, role: str, big: bool) -> Phrase:
    adverb = draft.pick(draft.lexicon.adverbs_of(role))
    if not big and (DISTANT_TIMES & set(adverb.english.split()) or adverb.english == "a long time ago"):
        adverb = draft.pick(draft.lexicon.adverbs_of(role)[:3])
    return fixed(adverb.english, adverb.french)


TODAY, NOW = ("today", "aujourd'hui"), ("now", "maintenant")
NEAR_DAYS = {"past": (("yesterday", "hier"), TODAY), "future": (("tomorrow", "demain"), TODAY)}
RIGHT_NOW = (*(NOW,) * 4, *(TODAY,) * 3, ("at the moment", "en ce moment"))


def draw_time(draft: Draft, tense: str, scale: str = "short") -> Phrase:
    """Draw a time that fits the tense (past, present for a habit, now, future) and the action.

    Scales: today (and the days next to it), short (actions of minutes), clock (actions at a fixed hour), long
    (days and years).
    """
    x = draft.rng.random()
    if scale == "today":
        return leaf(*draft.pick(NEAR_DAYS.get(tense, ((TODAY, NOW)))))
    big = scale == "long"
    if scale == "clock" and x < 0.4 and tense != "now":
        return draw_clock(draft)
    if tense == "past":
        if x < 0.65:
            return _near_adverb(draft, "time_past", big)
        if big:
            return (
                draw_weekday(draft)
                if x < 0.75
                else draw_ago(draft, True)
                if x < 0.88
                else draw_date(draft, False)
            )
        return draw_ago(draft, False) if x < 0.75 else fixed("this morning", "ce matin")
    if tense == "present":
        if x < 0.5:
            return draw_every(draft, big)
        if x < 0.65 or not big:
            return draw_day_part(draft)
        return draw_weekday(draft, True) if x < 0.82 else draw_season(draft)
    if tense == "now":
        return leaf(*draft.pick(RIGHT_NOW))
    if x < 0.75:
        return _near_adverb(draft, "time_future", big)
    if big:
        return draw_weekday(draft) if x < 0.88 else draw_date(draft, False)
    if scale == "clock":
        return join(leaf("in", "dans"), draw_duration_phrase(draft, ("minute", "hour")))
    return leaf("tomorrow", "demain")


def draw_ago(draft: Draft, big: bool = False) -> Phrase:
    """Build a phrase such as: two days ago: il y a deux jours."""
    units = ("week", "month", "year/count") if big else ("minute", "hour", "day")
    amount, word = draw_duration_phrase(draft, units), leaf("ago", "il y a")
    return arrange([amount, word], [word, amount])
