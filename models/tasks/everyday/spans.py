"""Expressions of time that French builds differently: since when, how often, ever, just."""

from dataclasses import replace

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.actions import Action, complete_action, draw_verb, verbs_for
from models.tasks.everyday.being import GRANDPARENT_NOUNS
from models.tasks.everyday.clauses import HAVE, english_verb, infinitive
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.linking import fixed
from models.tasks.everyday.modes import build_clause
from models.tasks.everyday.nominals import plain_phrase
from models.tasks.everyday.pronouns import draw_pronoun
from models.tasks.everyday.subjects import QUESTION, STOP, Sentence, draw_person, draw_subject
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import WAS
from models.tasks.translation.phrase import NOTHING, arrange, echo, join, leaf
from models.tasks.translation.verbs import arrange_clause

RECENT_VERBS = word_group("recent_verbs")


def draw_just(draft: Draft) -> Sentence:
    """Draw a sentence such as: i have just eaten: je viens de manger."""
    subject = draw_subject(draft)
    verb = draw_verb(draft, subject)
    if verb.base not in RECENT_VERBS and verb.english not in RECENT_VERBS:
        raise DeadEnd
    action = complete_action(draft, subject, verb)
    auxiliary, word = leaf(HAVE[subject.who], ""), leaf("just", "")
    head = echo(join(auxiliary, word), f"{conjugation.present('venir')[subject.agreement.speaker]} de")
    rest = infinitive(subject, verb, action.tail, clitic=action.clitic, form="participle")
    return arrange([subject.phrase, auxiliary, word, rest], [subject.phrase, head, rest]), STOP


def draw_been_to(draft: Draft) -> Sentence:
    """Draw a sentence such as: have you ever been to london: est-ce que vous êtes déjà allé à londres."""
    asked = draft.chance(0.5)
    subject = draw_pronoun(draft, ("you", "you", "he", "she")) if asked else draw_person(draft)
    word = draft.pick(("ever", "ever", "")) if asked else draft.pick(("never", "never", "already", "", "not"))
    french = {"ever": "déjà", "never": "jamais", "already": "déjà", "not": "pas", "": ""}[word]
    auxiliary = leaf(HAVE[subject.who], conjugation.present("être")[subject.agreement.speaker])
    been = leaf("been", conjugation.agreeing("allé", subject.agreement.gender, subject.agreement.plural))
    extra = leaf(word, "")
    ne = echo(extra, "ne" if word in ("never", "not") else "")
    place = adjuncts.place_in_town(draft, draft.noun("city country"), "to")
    english = (
        [auxiliary, subject.phrase, extra, been, place]
        if asked
        else [subject.phrase, auxiliary, extra, been, place]
    )
    french_order = [
        leaf("", "est-ce que") if asked else NOTHING,
        subject.phrase,
        ne,
        auxiliary,
        echo(extra, french),
        been,
        place,
    ]
    return arrange(english, french_order), QUESTION if asked else STOP


LASTING_VERBS = frozenset("live work study know wait learn play".split())


def draw_duration(draft: Draft) -> Sentence:
    """Draw a sentence such as: i have lived here for two years: j'habite ici depuis deux ans."""
    subject = draw_person(draft)
    options = [
        v
        for v in verbs_for(draft, subject)
        if v.base in LASTING_VERBS
        and v.frame in ("l", "t", "i", "v")
        and v.infinitive != "marcher"
        and (v.frame != "i" or v.base in ("wait", "work"))
    ]
    if not options:
        raise DeadEnd
    verb = draft.pick(options)
    action = complete_action(draft, subject, verb)
    pronoun = action.clitic.phrase if action.clitic else NOTHING
    progressive = not verb.is_state and (verb.base in ("play", "learn", "wait", "study") or draft.chance(0.5))
    auxiliary = leaf(HAVE[subject.who] + (" been" if progressive else ""), "")
    spoken = english_verb(verb, "ing" if progressive else "participle", subject)
    finite = echo(join(auxiliary, spoken), conjugation.present(verb.infinitive)[subject.agreement.speaker])
    if draft.chance(0.6):
        time = join(
            leaf("for", "depuis"),
            adjuncts.draw_duration_phrase(
                draft,
                (
                    ("year/count", "year/count", "month", "week", "day")
                    if verb.base != "wait"
                    else ("hour", "minute")
                ),
            ),
        )
    else:
        since = draft.pick(adjuncts.YEARS[-12:]) if verb.base != "wait" else ""
        time = (
            join(leaf("since", "depuis"), leaf(since, since))
            if since
            else join(leaf("since", "depuis"), leaf("this morning", "ce matin"))
        )
    phrase = arrange_clause(
        subject.phrase, auxiliary, spoken, finite, NOTHING, join(action.tail, time), pronoun=pronoun
    )
    return phrase, STOP


def draw_birth(draft: Draft) -> Sentence:
    """Draw a sentence such as: he was born in japan in 1990: il est né au japon en 1990."""
    subject = draw_person(draft)
    auxiliary = leaf(WAS[subject.who], conjugation.present("être")[subject.agreement.speaker])
    word = leaf("born", conjugation.agreeing("né", subject.agreement.gender, subject.agreement.plural))
    x = draft.rng.random()
    place = adjuncts.place_in_town(draft, draft.noun("city country"), "in") if x < 0.7 else NOTHING
    date = adjuncts.draw_date(draft, True, birth_years(subject)) if x > 0.55 else NOTHING
    asked = draft.chance(0.2) and subject.agreement.person > 1
    if asked:
        opening = draft.pick((leaf("where", "où"), leaf("when", "quand")))
        phrase = arrange_clause(subject.phrase, auxiliary, word, auxiliary, word, opening=opening, asked=True)
        return phrase, QUESTION
    return arrange_clause(subject.phrase, auxiliary, word, auxiliary, word, join(place, date)), STOP


def birth_years(subject: Nominal) -> tuple[str, ...]:
    if subject.noun is None or not subject.noun.is_person:
        return adjuncts.YEARS[:56]
    if subject.noun.english in GRANDPARENT_NOUNS:
        return adjuncts.YEARS[:12]
    return adjuncts.YEARS[-14:] if subject.noun.kind == "child" else adjuncts.YEARS[10:52]


TIMES = (
    ("once", "une fois"),
    ("twice", "deux fois"),
    ("twice", "deux fois"),
    ("three times", "trois fois"),
    ("four times", "quatre fois"),
)


def draw_frequency(draft: Draft) -> Sentence:
    """Draw a sentence such as: i swim twice a week: je nage deux fois par semaine."""
    subject = draw_person(draft)
    verb = draw_verb(draft, subject)
    if (
        verb.is_state
        or not {"long"} & verb.traits
        or verb.base in ("marry", "build", "elect", "discover", "create", "get", "paint", "leave", "grow")
        or verb.frame in ("q", "h")
    ):
        raise DeadEnd
    unit = draft.pick(
        (("week", "semaine"), ("week", "semaine"), ("month", "mois"), ("year", "an"), ("day", "jour"))
    )
    often = join(fixed(*draft.pick(TIMES)), leaf("a", "par"), leaf(*unit))
    return join(build_clause(draft, subject, complete_action(draft, subject, verb), "present"), often), STOP


WAR_BEGINS, WAR_ENDS = Verb("begin", "commencer"), Verb("end", "se terminer")


def draw_in_year(draft: Draft) -> Sentence:
    """Draw a sentence such as: in 1990 , we lived in paris: en 1990, nous habitions à paris."""
    subject = draw_person(draft)
    options = [
        v
        for v in verbs_for(draft, subject)
        if v.base in ("live", "work", "visit", "study", "travel", "marry", "buy") and v.frame != "i"
    ]
    if not options:
        raise DeadEnd
    verb = draft.pick(options)
    if verb.base == "buy":
        verb = replace(verb, object="house/building car apartment")
    if draft.chance(0.08):
        war = plain_phrase(draft, draft.lexicon.noun("war"), "the")
        year = draft.pick(adjuncts.OF_WAR)
        verb = WAR_ENDS if year in ("1918", "1945") else WAR_BEGINS
        return join(build_clause(draft, war, Action(verb), "past"), leaf("in", "en"), leaf(year, year)), STOP
    later = draft.chance(0.15) and verb.base in ("visit", "travel", "study", "buy")
    years = adjuncts.LATER if later else adjuncts.YEARS
    year = draft.pick(years)
    lasting = verb.base in ("live", "work", "study")
    date = join(leaf("in", "en"), leaf(year, year)) if lasting else adjuncts.draw_date(draft, True, years)
    phrase = build_clause(draft, subject, complete_action(draft, subject, verb), "will" if later else "past")
    return join(date, leaf(",", ","), phrase) if draft.chance(0.5) else join(phrase, date), STOP
