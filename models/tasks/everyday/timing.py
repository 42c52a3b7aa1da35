"""Clauses of time: when, while, used to, had left."""

from models.tasks.everyday import adjuncts, conjugation
from models.tasks.everyday.actions import Action, action_with_pronoun, complete_action, draw_verb, with_kinds
from models.tasks.everyday.clauses import be_clause, command, english_verb, infinitive, verb_clause
from models.tasks.everyday.draft import Draft, Nominal
from models.tasks.everyday.joining import build_cause_first, comma, draw_action_with_cause
from models.tasks.everyday.lexicon import Verb
from models.tasks.everyday.modes import ACTIVITY_VERBS, build_clause, past_looks_present
from models.tasks.everyday.nominals import plain_phrase
from models.tasks.everyday.pronouns import draw_pronoun, impersonal_it, pronoun, pronoun_for
from models.tasks.everyday.sequences import BUSY_VERBS, named_action
from models.tasks.everyday.subjects import belong_together, draw_another_person, draw_person
from models.tasks.everyday.tables import word_group
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.phrase import NOTHING, Phrase, echo, join, leaf
from models.tasks.translation.verbs import arrange_clause

INTERRUPTIONS = ("arrive", "come back", "go out", "come in")


def draw_interruption(draft: Draft, first: Nominal) -> Phrase:
    """Draw an event that interrupts what `first` was doing."""
    x = draft.rng.random()
    if x < 0.65:
        name = draft.pick(INTERRUPTIONS)
        return build_clause(
            draft,
            draw_another_person(draft, first),
            Action(draft.lexicon.verb(name)),
            "past",
        )
    if x < 0.77:
        phone = plain_phrase(draft, draft.lexicon.noun("phone"), "the")
        return verb_clause(phone, Verb("ring", "sonner"), "past")
    if x < 0.9:
        rain = infinitive(impersonal_it(), Verb("rain", "pleuvoir"), to="to", link="à")
        return verb_clause(impersonal_it(), Verb("begin", "commencer"), "past", rain)
    train = plain_phrase(draft, draft.lexicon.noun("train"), "the")
    return verb_clause(train, Verb("leave", "partir"), "past")


def draw_when_past(draft: Draft) -> Phrase:
    """Build a phrase such as: i was reading when he arrived; when i came home, she was sleeping."""
    draft.everyday = True
    first = draw_person(draft)
    during = build_clause(
        draft, first, complete_action(draft, first, draw_lasting_verb(draft, first)), "then"
    )
    happened = draw_interruption(draft, first)
    if draft.chance(0.5):
        return join(leaf("when", "quand"), happened, comma(), during)
    return join(during, leaf("when", "quand"), happened)


def draw_lasting_verb(draft: Draft, subject: Nominal) -> Verb:
    for _ in range(12):
        verb = draw_verb(draft, subject)
        if (
            (verb.base in BUSY_VERBS or verb.english in BUSY_VERBS)
            and "state_present" not in verb.traits
            and "moment" not in verb.traits
            and not (verb.base == "work" and verb.frame == "l")
        ):
            return verb
    raise DeadEnd


CHILDHOOD_VERBS = word_group("childhood_verbs")


def draw_childhood(draft: Draft) -> Phrase:
    """Build a phrase such as: when i was young, i lived in paris: imperfect on both sides."""
    subject = draw_person(draft)
    if (subject.plural and subject.noun) or (subject.noun and subject.noun.kind == "child"):
        raise DeadEnd
    who = pronoun_for(subject)
    young = draft.pick(("young", "young", "small", "a child"))
    if young == "a child":
        complement = join(leaf("a", ""), leaf("child", "enfant" + "s" * subject.agreement.plural))
        if subject.plural:
            complement = leaf("children", "enfants")
    else:
        word = {"young": "jeune", "small": "petit"}[young]
        ending = "e" * (word == "petit" and subject.agreement.gender == "f") + "s" * subject.agreement.plural
        complement = leaf(young, word + ending)
    when = join(leaf("when", "quand"), be_clause(subject, "past", complement))
    verb = draft.pick(
        draft.lexicon.select(
            "childhood", lambda v: v.base in CHILDHOOD_VERBS and "person" in v.subject.split()
        )
    )
    adverb = draft.pick(("often", "always")) if not verb.is_state else ""
    action = complete_action(
        draft, who, with_kinds(verb) if verb.frame == "t" and not verb.is_state else verb
    )
    main = verb_clause(who, verb, "imperfect", action.tail, adverb, False, action.clitic)
    return join(when, comma(), main) if draft.chance(0.7) or subject.noun else join(main, when)


def draw_used_to(draft: Draft) -> Phrase:
    """Build a phrase such as: used to play: jouait."""
    subject = draw_person(draft)
    verb = draw_verb(draft, subject)
    if not {verb.base, verb.english} & (ACTIVITY_VERBS | {"live", "like", "love", "smoke"}):
        raise DeadEnd
    action = complete_action(
        draft, subject, with_kinds(verb) if verb.frame == "t" and not verb.is_state else verb
    )
    used = Verb(f"use to {verb.english}", verb.french, traits=verb.traits)
    phrase = verb_clause(subject, used, "imperfect", action.tail, "", False, action.clitic)
    return (
        join(phrase, adjuncts.place_of(draft, draft.pick(verb.where)))
        if verb.where and not action.placed and draft.afford(3, 0.4)
        else phrase
    )


WHEN_ARRIVED = tuple(  # requests as `verb:object`; `call` becomes call me
    "call call open:door open:window close:door close:window turn+off:television turn+off:radio"
    " turn+off:light turn+on:light make:coffee make:tea lock:door feed:cat feed:dog clean:kitchen".split()
)


def draw_when_future(draft: Draft) -> Phrase:
    """Build a phrase such as: when he arrives, we will leave: quand il arrivera, nous partirons."""
    first = draw_person(draft)
    if not belong_together(first, pronoun("you")):
        raise DeadEnd
    arrivals = draft.lexicon.select(
        "arrivals",
        lambda v: v.english in ("arrive", "come back", "go home", "leave") and v.frame in ("i", "a"),
    )
    verb = draft.pick(arrivals)
    if first.noun and verb not in draft.lexicon.done_by(first.noun):
        raise DeadEnd
    draft.verbs.add(verb.english)
    action = complete_action(draft, first, verb)
    clause = verb_clause(first, verb, "when", action.tail, "", False, action.clitic)
    if draft.chance(0.6):
        token = draft.pick(WHEN_ARRIVED)
        if first.agreement.person == 1 or (action.placed and token != "call"):
            raise DeadEnd
        you = pronoun("you")
        if token == "call":
            order = action_with_pronoun(draft.lexicon.verb("call"), draft.pick(("me", "me", "us")))
        else:
            order = named_action(draft, you, token)
        main = command(you, order.verb, order.tail, "", order.clitic)
    else:
        if first.agreement.person < 3:
            raise DeadEnd
        who = draw_pronoun(draft, ("i", "we", "you"))
        later = draft.pick([v for v in arrivals if v.frame == "i" and v.english != verb.english])
        if {verb.english, later.english} == {"come back", "go home"}:
            raise DeadEnd
        main = simple_future(who, later)
    if draft.chance(0.6):
        return join(leaf("when", "quand"), clause, comma(), main)
    return join(main, leaf("when", "quand"), clause)


def simple_future(subject: Nominal, verb: Verb) -> Phrase:
    """Build a phrase such as: we will leave: nous partirons."""
    will = leaf("will", "")
    spoken = join(english_verb(verb, "base", subject), leaf(verb.particle, ""))
    form = conjugation.future(verb.infinitive)[subject.agreement.speaker]
    return arrange_clause(subject.phrase, will, spoken, echo(join(will, spoken), form), NOTHING)


def draw_when_habit(draft: Draft) -> Phrase:
    """Build a phrase such as: when it rains, we stay at home; when i am tired, i sleep."""
    draft.everyday = True
    subject = draw_person(draft)
    action, tag = draw_action_with_cause(draft, subject, False)
    if action.verb.is_state or "accident" in action.verb.traits or tag in ("late_night", "money", "no_money"):
        raise DeadEnd
    if tag == "rain":
        first, who = (
            verb_clause(impersonal_it(), Verb("rain", "pleuvoir"), draft.pick(("present", "now"))),
            subject,
        )
    else:
        first, who = build_cause_first(draft, tag, subject, "present")
    adverb = draft.pick(("", "", "", "always", "often")) if "moment" not in action.verb.traits else ""
    if past_looks_present(action.verb, who):
        adverb = "always"
    main = build_clause(draft, who, action, "present", adverb)
    return join(leaf("when", "quand"), first, comma(), main)


def draw_while(draft: Draft) -> Phrase:
    draft.everyday = True
    first = draw_person(draft)
    second = draw_another_person(draft, first)
    if not belong_together(first, second):
        raise DeadEnd
    tense = draft.pick(("now", "then", "then"))
    one, two = draw_lasting_verb(draft, first), draw_lasting_verb(draft, second)
    if one.base == two.base == "have":
        raise DeadEnd  # excludes: breakfast while another person has dinner
    left, right = (
        build_clause(draft, first, complete_action(draft, first, one), tense),
        build_clause(draft, second, complete_action(draft, second, two), tense),
    )
    if draft.chance(0.5):
        return join(left, leaf("while", "pendant que"), right)
    return join(leaf("while", "pendant que"), left, comma(), right)


def draw_had_left(draft: Draft) -> Phrase:
    """Build a phrase such as: when we arrived at the station, the train had left."""
    first = draw_person(draft)
    arrive = draft.lexicon.verb("arrive")
    if draft.chance(0.6):
        vehicle, stop = draft.pick((("train", "station"), ("bus", "station"), ("plane", "airport")))
        who = plain_phrase(draft, draft.lexicon.noun(vehicle), "the")
        place = (
            adjuncts.place_at_noun(draft, draft.lexicon.noun(stop), ("at",)) if draft.chance(0.6) else NOTHING
        )
        came = build_clause(draft, first, Action(arrive, place, placed=True), "past")
    else:
        who = draw_another_person(draft, first)
        came = build_clause(draft, first, complete_action(draft, first, arrive), "past")
    gone = verb_clause(who, draft.lexicon.verb("leave", "i"), "had", adverb=draft.pick(("", "already")))
    x = draft.rng.random()
    if x < 0.4:
        return join(leaf("when", "quand"), came, comma(), gone)
    return join(gone, leaf("when", "quand"), came) if x < 0.7 else join(came, leaf("but", "mais"), gone)
