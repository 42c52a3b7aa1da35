"""Weather, time of day, and sentences with there is."""

from models.tasks.everyday import adjuncts
from models.tasks.everyday.actions import Action, complete_action, draw_order_verb
from models.tasks.everyday.clauses import be_clause, infinitive
from models.tasks.everyday.describing import add_time
from models.tasks.everyday.determiners import RELATIONAL_ADULTS
from models.tasks.everyday.draft import Draft
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.modes import build_clause
from models.tasks.everyday.nominals import nominal_for
from models.tasks.everyday.pronouns import ce, impersonal_it, pronoun
from models.tasks.everyday.reasons import the_weather
from models.tasks.everyday.subjects import NO_RULERS, QUESTION, STOP, Sentence
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import AM, WAS
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, echo, join, leaf
from models.tasks.translation.verbs import arrange_clause

WEATHER = (
    ("cold", "froid"),
    ("cold", "froid"),
    ("hot", "chaud"),
    ("hot", "chaud"),
    ("warm", "chaud"),
    ("windy", "du vent"),
    ("sunny", "du soleil"),
    ("dark", "nuit"),
    ("nice", "beau"),
)

RAIN, SNOW = Verb("rain", "pleuvoir"), Verb("snow", "neiger")


def draw_weather(draft: Draft, tense: str = "", asked: bool = False) -> Phrase:
    """Build a phrase such as: it is cold: il fait froid; it is raining: il pleut."""
    tense = tense or draft.pick(("present", "present", "present", "past", "will"))
    adverb = "not" if not asked and draft.chance(0.12) else ""
    if draft.chance(0.5):
        verb = RAIN if draft.chance(0.7) else SNOW
        action = Action(verb)
        mode = {
            "present": draft.pick(("now",) * 6 + ("present",)),
            "past": draft.pick(("then", "past")),
            "will": draft.pick(("will", "going")),
        }[tense]
        return build_clause(draft, impersonal_it(), action, mode, adverb, asked)
    english, french = draft.pick(WEATHER)
    if english == "warm" and adverb:
        adverb = ""
    if french.startswith("du "):  # example: il y a du vent
        past = tense == "past"
        auxiliary = leaf("was" if past else "is", "avait" if past else "a")
        french = "de " + french.removeprefix("du ") if adverb else french
        return arrange_clause(
            impersonal_it().phrase,
            auxiliary,
            NOTHING,
            auxiliary,
            NOTHING,
            leaf(english, french),
            adverb,
            asked,
            reflexive=leaf("", "y"),
        )
    subject = the_weather() if english == "nice" else impersonal_it()
    return be_clause(subject, tense, leaf(english, french), adverb, asked, verb="faire")


def draw_weather_sentence(draft: Draft) -> Sentence:
    asked = draft.chance(0.15)
    tense = draft.pick(("present", "present", "present", "past", "will"))
    phrase = draw_weather(draft, tense, asked)
    x = draft.rng.random()
    if x < 0.2 and not {"rain", "raining", "snow", "snowing", "rained", "snowed"} & {
        w.text for w in phrase.english
    }:
        phrase = join(phrase, leaf("outside", "dehors"))
    elif x < 0.4:
        phrase = join(phrase, adjuncts.place_in_town(draft, draft.noun("city country"), "in"))
    return add_time(draft, phrase, tense), QUESTION if asked else STOP


def draw_time_of_day(draft: Draft) -> Sentence:
    x = draft.rng.random()
    it = impersonal_it()
    if x < 0.3:
        exactly = leaf("exactly", "exactement") if draft.chance(0.1) else NOTHING
        phrase = be_clause(
            it, "present" if draft.chance(0.8) else "past", join(exactly, adjuncts.draw_hour(draft))
        )
        return phrase, STOP
    if x < 0.45:
        adverb = leaf(
            *draft.pick(
                (
                    ("late", "tard"),
                    ("late", "tard"),
                    ("early", "tôt"),
                    ("too late", "trop tard"),
                    ("very late", "très tard"),
                    ("too early", "trop tôt"),
                )
            )
        )
        return be_clause(it, draft.pick(("present", "present", "past")), adverb), STOP
    if x < 0.6:
        day = draft.noun("weekday")
        return be_clause(ce("it"), "present", leaf(day.english, day.french)), STOP
    if x < 0.75:
        one = pronoun("we")
        action = complete_action(draft, one, draw_order_verb(draft))
        phrase = join(
            be_clause(it, "present", leaf("time", "temps")),
            infinitive(one, action.verb, action.tail, "to", "de", action.clitic),
        )
        return phrase, STOP
    return _what_time(), QUESTION


def _what_time() -> Phrase:
    what, time, be, it = leaf("what", "quelle"), leaf("time", "heure"), leaf("is", "est"), leaf("it", "-il")
    return join(what, time, be, it)


INDOORS = ("kitchen", "room", "office", "classroom", "bedroom")
PLACES_OF = {"animal": ("garden", "street", "park"), "furniture": INDOORS, "device": INDOORS, "text": INDOORS}
COMMON_PLACES = ("garden", "kitchen", "room", "street", "park", "office", "classroom", "bedroom")


def draw_existence(draft: Draft) -> Sentence:
    """Draw a sentence such as: there is a dog in the garden: il y a un chien dans le jardin."""
    tense = draft.pick(("present", "present", "past"))
    x = draft.rng.random()
    asked, negated = x < 0.2, 0.2 <= x < 0.35
    noun = draft.noun(
        "adult child pet animal thing furniture food food_mass drink shop building people/adult hospital"
        " restaurant problem/idea park tree flower book newspaper letter device student" + NO_RULERS
    )
    if noun.is_mass or asked or negated:
        draft.room = 0
    thing = nominal_for(draft, noun, "indef", negated, asked, deep=False)
    if thing.definite or noun.english in RELATIONAL_ADULTS:
        raise DeadEnd
    there = leaf("there", "il y")
    be = (AM if tense == "present" else WAS)[3, thing.plural]
    auxiliary = leaf(be, "a" if tense == "present" else "avait")
    extra = leaf("not" if negated else "", "")
    y = draft.rng.random()
    if noun.english == "problem":
        where = leaf("here", "ici") if y < 0.3 else NOTHING
    elif noun.kind in ("shop", "building") or noun.english in ("park", "tree"):
        where = (
            adjuncts.place_near(draft)
            if y < 0.4
            else (
                adjuncts.place_in_town(draft, draft.noun("city"), "in")
                if y < 0.7
                else (
                    leaf("here", "ici")
                    if y < 0.85
                    else adjuncts.place_of(draft, draft.pick(("street", "village", "town", "park")))
                )
            )
        )
    elif noun.kind in ("food", "food_mass", "drink"):
        where = adjuncts.place_on(draft, draft.noun("table fridge cupboard box bag"))
    else:
        where = (
            adjuncts.place_of(draft, draft.pick(PLACES_OF.get(noun.kind, COMMON_PLACES)))
            if y < 0.8
            else leaf("here", "ici")
        )
    if draft.chance(0.25) and len(thing.phrase.english) > 2 and not negated:
        where = NOTHING
    ne, pas = echo(extra, "ne" if negated else ""), echo(extra, "pas" if negated else "")
    first = [auxiliary, there] if asked else [there, auxiliary]
    il, y_word = Phrase((), there.french[:1]), Phrase((), there.french[1:])
    phrase = arrange(
        [*first, extra, thing.phrase, where],
        [leaf("", "est-ce que") if asked else NOTHING, il, ne, y_word, auxiliary, pas, thing.phrase, where],
    )
    return phrase, QUESTION if asked else STOP
