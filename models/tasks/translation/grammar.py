"""Sentences of a given length: clauses joined by time, cause, condition, speech and coordination."""

import random
from functools import cache
from itertools import accumulate
from math import exp

from models.tasks.task import Pair
from models.tasks.translation import adjuncts
from models.tasks.translation import nominals as nom
from models.tasks.translation.clauses import ABSOLUTE, copula, predicate, what_one_is
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.lexicon import AM, ETAIT, ETRE, KNOW_THAT, PEOPLE, RAIN, VERBS, WAS, Agreement
from models.tasks.translation.nominals import Draft, Nominal, pronoun_subject
from models.tasks.translation.phrase import NOTHING, Phrase, join, leaf, pair_of
from models.tasks.translation.subjects import any_subject, pronoun_for, recalled_subject
from models.tasks.translation.verbs import be_clause, has_form, verb_clause

CORE = 4  # English words in a clause without optional parts
LASTING_VERBS = {"sleep", "work"}  # cannot follow `as soon as`
MOMENTARY_VERBS = {"arrive", "go", "leave", "see", "win", "give", "sign"}  # cannot follow `while`
COMMA, STOP, QUESTION = (",", ","), (".", "."), ("?", "?")


def clause(
    draft: Draft,
    tense: str,
    size: int,
    asked: bool = False,
    plain: bool = False,  # without negation and time
    event: bool = False,  # an event: somebody does something
    opening: bool = False,  # may begin with a time phrase
    recall: float = 0.5,
    subject: Nominal | None = None,
) -> Phrase:
    """Build one clause of about `size` English words. Place and time use the remaining words."""
    draft.room, draft.placed = size - CORE, False
    if not (subject or asked or plain or event or draft.me) and draft.chance(0.05):
        return introduction(draft, tense)
    subject = subject or (recalled_subject(draft, event) if draft.chance(recall) else None)
    subject = subject or any_subject(draft, tense, asked, event)
    draft.salient = [subject]
    phrase = predicate(draft, subject, tense, asked, plain, event)
    if draft.settled:
        return phrase
    if size - len(phrase.english) >= 3 and not draft.placed and draft.chance(0.6):
        phrase = join(phrase, adjuncts.draw_place(draft))
    room = size - len(phrase.english)
    if room < 1 or plain or draft.dated or (draft.habitual and tense != "present") or draft.chance(0.15):
        return phrase
    draft.dated = True
    when = adjuncts.time(draft, tense)
    return join(when, leaf(*COMMA), phrase) if opening and draft.chance(0.3) else join(phrase, when)


def introduction(draft: Draft, tense: str) -> Phrase:
    """Build a clause such as i am a woman: it fixes the gender of the speaker for the whole sentence."""
    subject = draft.speaker("f" if draft.chance(0.75) else "m")
    draft.salient = [subject]
    phrase = what_one_is(draft, subject, tense, False, False)
    if phrase is None:
        raise DeadEnd
    return phrase


def described(draft: Draft, tense: str, size: int, recall: float = 0) -> Phrase:
    """Build a clause that only describes somebody or something."""
    draft.room = size - CORE
    subject = recalled_subject(draft) if draft.chance(recall) else None
    subject = subject or nom.any_nominal(draft, PEOPLE, definite=True, subject=True)
    draft.salient = [subject]
    phrase = copula(draft, subject, tense, plain=True)
    if phrase is None:
        raise DeadEnd
    return phrase


def it() -> Nominal:
    """The impersonal subject of weather verbs."""
    return Nominal(leaf("it", "il"), Agreement("m"), "it", "weather")


def weather(draft: Draft, tense: str, asked: bool = False) -> Phrase:
    """Build a weather clause: il pleut, or il pleut des cordes for raining cats and dogs."""
    if draft.chance(0.25):
        return raining_cats_and_dogs({"present": "now", "past": "then"}.get(tense, tense), asked)
    said = {"present": ("now", "now", "present"), "past": ("then", "then", "past"), "future": ("future",)}[
        tense
    ]
    spoken = "now" if asked and tense == "present" else draft.pick(said)
    adverb = "not" if not asked and draft.chance(0.2) else ""
    return verb_clause(it(), RAIN, spoken, NOTHING, adverb, asked)


def raining_cats_and_dogs(tense: str = "now", asked: bool = False) -> Phrase:
    return verb_clause(it(), RAIN, tense, leaf("cats and dogs", "des cordes"), "", asked)


def it_rains(draft: Draft) -> Phrase:
    return verb_clause(it(), RAIN, draft.pick(("now", "present")))


def whereabouts(draft: Draft, tense: str) -> Phrase:
    """Build a question such as: where is the cat: où est le chat."""
    thing = nom.any_nominal(
        draft, (*PEOPLE, "animal", "book", "letter", "thing", "building"), definite=True, coordinate=False
    )
    return join(leaf("where", "où"), is_or_was(thing.agreement, tense), thing.phrase)


def is_or_was(agreement: Agreement, tense: str) -> Phrase:
    english, french = (AM, ETRE) if tense == "present" else (WAS, ETAIT)
    return leaf(english[agreement.speaker], french[agreement.speaker])


def existence(draft: Draft, tense: str) -> Phrase:
    """Build a clause such as: there is a dog in the garden: il y a un chien dans le jardin."""
    noun = nom.any_noun(draft, ("adult", "child", "animal", "thing", "book", "food"))
    plural = noun.english_plural != "-" and draft.chance(0.5)
    some = draft.pick(nom.NUMBERS) if plural else "the" if noun.english == "queen" else "a"
    thing = nom.noun_phrase(draft, noun, some, plural)
    be = (AM if tense == "present" else WAS)[thing.agreement.speaker]
    return join(
        leaf("there", "il y"),
        leaf(be, "a" if tense == "present" else "avait"),
        thing.phrase,
        adjuncts.draw_place(draft),
    )


# ---- reasons for an action ----

WEARY = ("tired", "tired", "sick")  # reasons to sleep, leave, give up or not work
WORTH = {  # verb → qualities of a thing that are a reason to do this to it
    "buy": ("beautiful", "good", "light", "new"),
    "want": ("beautiful", "good", "light"),
    "like": ("beautiful", "good", "small"),
    "eat": ("good",),
    "read": ("important", "good"),
    "sign": ("important",),
    "look_for": ("important", "beautiful", "new"),
    "write": ("important",),
}
FOR_REST = frozenset({"sleep", "leave", "give_up"})
NOT_WHEN_WEARY = frozenset({"work", "go", "arrive", "leave", "write", "read", "win", "cross"})
NOT_IN_THE_RAIN = frozenset({"go", "leave", "cross", "arrive"})
FOR_LOVE = frozenset({"buy", "eat", "look_for"})


def reason(draft: Draft, tense: str) -> Phrase:
    """Build what follows because: a state that explains the action. Raise DeadEnd if there is none."""
    deed = draft.deed
    if deed is None or deed.subject.kind not in (*PEOPLE, "animal"):
        raise DeadEnd
    tense = "present" if tense == "future" else tense
    who, options = pronoun_for(draft, deed.subject), []
    if who and deed.verb in (NOT_WHEN_WEARY if deed.denied else FOR_REST):
        options += [lambda: draw_state(draft, who, tense, WEARY)] * 2
    if deed.denied and deed.verb in NOT_IN_THE_RAIN:
        options.append(lambda: verb_clause(it(), RAIN, "then" if tense == "past" else "now"))
    if deed.object and not deed.denied:
        thing = pronoun_for(draft, deed.object)
        if thing and deed.verb in WORTH:
            options += [lambda: draw_state(draft, thing, tense, WORTH[deed.verb])] * 2
        if (
            thing
            and who
            and deed.verb in FOR_LOVE
            and deed.subject.kind != "animal"
            and deed.object.kind not in PEOPLE
        ):
            loved = nom.clitic(thing.pronoun, thing.agreement.gender)
            love = VERBS["want" if deed.verb == "look_for" else "like"]
            options.append(
                lambda: verb_clause(who, love, "then" if tense == "past" else "present", clitic=loved)
            )
    if not options:
        raise DeadEnd
    return draft.pick(options)()


def draw_state(draft: Draft, subject: Nominal, tense: str, adjectives: tuple[str, ...]) -> Phrase:
    """Build a state such as it was important, with an adjective that suits the subject and is new to it."""
    fitting = [
        a for a in nom.SAID_OF[subject.kind] if a.english in adjectives and a.english not in subject.traits
    ]
    if not fitting or (len(subject.phrase.english) == 1 and all(a.english == "light" for a in fitting)):
        raise DeadEnd
    adjective = draft.pick([a for a in fitting if a.english != "light"] or fitting)
    draft.described.add(adjective.english)
    very = leaf("very", "très") if adjective.english not in ABSOLUTE and draft.chance(0.2) else NOTHING
    draft.settled = True
    return be_clause(subject, tense, join(very, leaf(adjective.english, adjective.french(subject.agreement))))


def two_clauses(draft: Draft, tense: str, size: int) -> Phrase:
    """Build a main clause and a second clause with its time, cause, condition or content."""
    x = draft.rng.random()
    first = draft.rng.randint(size // 3, size - size // 3)
    second = size - first - 1
    if x < 0.3:
        main = clause(draft, tense, max(first, second), event=draft.chance(0.8), opening=True)
        return join(main, leaf("because", "parce que"), reason(draft, tense))
    if x < 0.5:
        return content(draft, size)
    if tense == "past":
        if x < 0.62:
            weary = nom.any_nominal(draft, PEOPLE, definite=True, subject=True)
            cause = join(leaf("as", "comme"), draw_state(draft, weary, tense, WEARY), leaf(*COMMA))
            who = pronoun_for(draft, weary)
            if who is None:
                raise DeadEnd
            draft.only, draft.punctual = FOR_REST, True
            rest = clause(draft, tense, second, plain=True, event=True, subject=who)
            draft.only, draft.punctual = frozenset(), False
            return join(cause, rest)
        soon = draft.chance(0.5)
        opener = leaf("as soon as", "dès que") if soon else leaf("when", "quand")
        if soon:
            draft.verbs |= LASTING_VERBS
        draft.punctual = soon
        if draft.chance(0.5):
            when = join(opener, clause(draft, tense, first, plain=True, event=True), leaf(*COMMA))
            draft.mortal = draft.last
            draft.punctual = False
            return join(when, clause(draft, tense, second, plain=soon, event=True, recall=0.6))
        main = clause(draft, tense, first, plain=soon, event=True, opening=True)
        return join(main, opener, clause(draft, tense, second, plain=True, event=True, recall=0.6))
    if tense == "present" and x < 0.75:
        main = clause(draft, tense, first, event=True, opening=True)
        draft.verbs |= MOMENTARY_VERBS
        return join(main, leaf("while", "pendant que"), clause(draft, tense, second, plain=True, event=True))
    opener = leaf("if", "si") if tense == "future" else leaf("when", "quand")
    condition = (
        it_rains(draft) if draft.chance(0.35) else clause(draft, "present", first, plain=True, event=True)
    )
    draft.punctual = True  # the main clause must be a completed action, not an ongoing one
    main = clause(draft, tense, max(3, size - len(condition.english) - 2), event=True, recall=0.6)
    return join(opener, condition, leaf(*COMMA), main)


def content(draft: Draft, size: int) -> Phrase:
    """Build a reported clause after says that, knows that (sait, not connaît) or said that."""
    draft.room = size - 9
    if draft.chance(0.4):
        subject = pronoun_subject(draft, ("i", "we", "you", "he", "she", "they"))
    else:
        subject = nom.any_nominal(draft, ("adult", "name"), True)
    draft.salient = [subject]
    if draft.chance(0.3):
        said = verb_clause(subject, VERBS["say"], "past", adverb="not" if draft.chance(0.2) else "")
        inner = described(draft, "past", size - len(said.english) - 1, 0.4)
    else:
        verb = KNOW_THAT if draft.chance(0.6) else VERBS["say"]
        verb = verb if has_form(verb, "present", subject.agreement) else KNOW_THAT
        said = verb_clause(
            subject, verb, "present", adverb=draft.pick(("", "", "", "not")) if verb is VERBS["say"] else ""
        )
        tense = draft.pick(("past", "present", "future"))
        inner = clause(draft, tense, size - len(said.english) - 1, recall=0.3)
    return join(said, leaf("that", "que"), inner)


def group(draft: Draft, tense: str, size: int, two: bool) -> Phrase:
    draft.dated, draft.mortal, draft.punctual = False, False, False
    return two_clauses(draft, tense, size) if two else clause(draft, tense, size, opening=not draft.mentions)


def single(draft: Draft, tense: str, words: int) -> Phrase:
    draft.mortal = True
    asked = words > 2 and draft.chance(0.2)
    if words <= 9 and draft.chance(0.1):
        phrase = weather(draft, tense, asked)
        if words - len(phrase.english) >= 2 and draft.chance(0.6):
            phrase = join(phrase, adjuncts.town_or_country(draft, "in"))
    elif tense != "future" and words <= 8 and asked and draft.chance(0.25):
        phrase = whereabouts(draft, tense)
    elif tense != "future" and 6 <= words <= 10 and not asked and draft.chance(0.08):
        phrase = existence(draft, tense)
    else:
        phrase = clause(draft, tense, words, asked=asked, opening=not asked)
    return join(phrase, leaf(*(QUESTION if asked else STOP)))


def sentence(draft: Draft, length: int) -> Phrase:
    """Build a sentence of about `length` English words: one clause, or groups of one or two clauses."""
    tense = draft.pick(("past", "past", "past", "present", "present", "present", "future"))
    words = length - 1
    if words < draft.rng.uniform(6, 15):
        return single(draft, tense, words)
    phrase, but, joined = None, False, False
    while phrase is None or words - len(phrase.english) > 4:
        left = words - len(phrase.english) - 2 if phrase else words
        two = left > draft.rng.uniform(8, 16)
        size = draft.rng.randint(11, 17) if two else draft.rng.randint(7, 12)
        draft.last = left <= size
        part = group(draft, tense, min(left, size), two)
        if phrase is None:
            phrase = part
        else:
            but = not but and draft.chance(0.35)
            link = leaf("but", "mais") if but else leaf("and", "et")
            comma = leaf(*COMMA) if joined or len(phrase.english) > 8 else NOTHING
            phrase = join(phrase, comma, link, part)
        joined = two
    return join(phrase, leaf(*STOP))


def _weight(length: int) -> float:
    """Weight of a target length: about eleven words is the most frequent, and no length is rare."""
    return 0.4 + exp(-(((length - 12) / 5) ** 2) / 2)


@cache
def _weights(lengths: range) -> list[float]:
    return list(accumulate(map(_weight, lengths)))


def draw(rng: random.Random, lengths: range) -> Pair:
    """Draw one sentence pair whose English length lies in `lengths`."""
    for _ in range(1000):
        try:
            phrase = sentence(Draft(rng, 0), rng.choices(lengths, cum_weights=_weights(lengths))[0])
        except DeadEnd:
            continue
        if len(phrase.english) in lengths:
            return pair_of(phrase)
    raise ValueError(f"no sentence found with a length in {lengths}")
