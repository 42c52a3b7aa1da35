"""Sentences: clauses joined by time, cause, condition, speech and coordination, as long as they are asked to be."""

import random
from functools import cache
from itertools import accumulate
from math import exp

from models.tasks.task import Pair
from models.tasks.translation import adjuncts
from models.tasks.translation import nominals as nom
from models.tasks.translation.clauses import copula, predicate
from models.tasks.translation.lexicon import KNOW_THAT, PEOPLE, VERBS
from models.tasks.translation.nominals import DeadEnd, Draft, pronoun_subject
from models.tasks.translation.phrase import NOTHING, Phrase, join, leaf, pair_of
from models.tasks.translation.subjects import any_subject, recalled_subject
from models.tasks.translation.verbs import has_form, verb_clause

CORE = 4  # English words in a clause before anything optional
LASTING_VERBS = {"sleep", "work"}  # nothing happens as soon as these do
MOMENTARY_VERBS = {"arrive", "go"}  # nothing happens while these do
COMMA, STOP, QUESTION = (",", ","), (".", "."), ("?", "?")


def clause(
    draft: Draft,
    tense: str,
    size: int,
    asked: bool = False,
    plain: bool = False,  # no negation and no time
    event: bool = False,  # something happens: somebody does it
    opening: bool = False,  # may begin with the time
    recall: float = 0.5,
) -> Phrase:
    """One clause of about `size` English words. What room the subject and verb leave goes to place and time."""
    draft.room, draft.placed = size - CORE, False
    subject = recalled_subject(draft, event) if draft.chance(recall) else None
    subject = subject or any_subject(draft, tense, asked, event)
    draft.salient = [subject]
    phrase = predicate(draft, subject, tense, asked, plain, event)
    if draft.settled:
        return phrase
    if size - len(phrase.english) >= 3 and not draft.placed and draft.chance(0.6):
        phrase = join(phrase, adjuncts.place(draft))
    room = size - len(phrase.english)
    if room < 1 or plain or draft.dated or (draft.habitual and tense != "present") or draft.chance(0.15):
        return phrase
    draft.dated = True
    when = adjuncts.time(draft, tense)
    return join(when, leaf(*COMMA), phrase) if opening and draft.chance(0.3) else join(phrase, when)


def described(draft: Draft, tense: str, size: int, recall: float = 0, reason: bool = True) -> Phrase:
    """A clause that only says what somebody or something is like."""
    draft.room = size - CORE
    subject = recalled_subject(draft) if draft.chance(recall) else None
    subject = subject or nom.any_nominal(draft, PEOPLE, definite=True, subject=True)
    draft.salient = [subject]
    phrase = copula(draft, subject, tense, plain=True, reason=reason)
    if phrase is None:
        raise DeadEnd
    return phrase


def weather(draft: Draft) -> Phrase:
    """il pleut, and when it is raining cats and dogs, il pleut des cordes."""
    if draft.chance(0.5):
        return raining_cats_and_dogs()
    return join(leaf("it", "il"), leaf("is raining", "pleut") if draft.chance(0.5) else leaf("rains", "pleut"))


def raining_cats_and_dogs() -> Phrase:
    return join(leaf("it", "il"), leaf("is raining", "pleut"), leaf("cats and dogs", "des cordes"))


def reason(draft: Draft, tense: str, size: int) -> Phrase:
    """What follows because."""
    if tense != "past" and draft.chance(0.2):
        return weather(draft)
    if draft.chance(0.65):
        return described(draft, "present" if tense == "future" else tense, size, 0.9)
    return clause(draft, tense, size, event=True, recall=0.7)


def two_clauses(draft: Draft, tense: str, size: int) -> Phrase:
    """A main clause and one that gives its time, cause or condition, or its content."""
    x = draft.rng.random()
    first = draft.rng.randint(size // 3, size - size // 3)
    second = size - first - 1
    if x < 0.3:
        main = clause(draft, tense, first, event=draft.chance(0.8), opening=True)
        return join(main, leaf("because", "parce que"), reason(draft, tense, second))
    if x < 0.5:
        return content(draft, size)
    if tense == "past":
        if x < 0.62:
            cause = join(leaf("as", "comme"), described(draft, tense, first), leaf(*COMMA))
            draft.mortal = draft.last
            return join(cause, clause(draft, tense, second, event=True, recall=0.9))
        soon = draft.chance(0.5)
        opener = leaf("as soon as", "dès que") if soon else leaf("when", "quand")
        if soon:
            draft.verbs |= LASTING_VERBS
        if draft.chance(0.5):
            when = join(opener, clause(draft, tense, first, plain=True, event=True), leaf(*COMMA))
            draft.mortal = draft.last
            return join(when, clause(draft, tense, second, plain=soon, event=True, recall=0.6))
        main = clause(draft, tense, first, plain=soon, event=True, opening=True)
        return join(main, opener, clause(draft, tense, second, plain=True, event=True, recall=0.6))
    if tense == "present" and x < 0.75:
        main = clause(draft, tense, first, event=True, opening=True)
        draft.verbs |= MOMENTARY_VERBS
        return join(main, leaf("while", "pendant que"), clause(draft, tense, second, plain=True, event=True))
    opener = leaf("if", "si") if tense == "future" else leaf("when", "quand")
    condition = weather(draft) if draft.chance(0.35) else clause(draft, "present", first, plain=True, event=True)
    main = clause(draft, tense, max(3, size - len(condition.english) - 2), event=True, recall=0.6)
    return join(opener, condition, leaf(*COMMA), main)


def content(draft: Draft, size: int) -> Phrase:
    """says that, knows that (sait, not connaît), said that."""
    draft.room = size - 9
    if draft.chance(0.4):
        subject = pronoun_subject(draft, ("i", "he", "she", "they"))
    else:
        subject = nom.any_nominal(draft, ("adult", "name"), True)
    draft.salient = [subject]
    if draft.chance(0.3):
        said = verb_clause(subject, VERBS["say"], "past", adverb="not" if draft.chance(0.2) else "")
        inner = described(draft, "past", size - len(said.english) - 1, 0.4, reason=False)
    else:
        verb = KNOW_THAT if draft.chance(0.6) else VERBS["say"]
        verb = verb if has_form(verb, "present", subject.agreement) else KNOW_THAT
        said = verb_clause(subject, verb, "present", adverb=draft.pick(("", "", "", "not")) if verb is VERBS["say"] else "")
        tense = draft.pick(("past", "present", "future"))
        inner = clause(draft, tense, size - len(said.english) - 1, recall=0.3)
    return join(said, leaf("that", "que"), inner)


def group(draft: Draft, tense: str, size: int, two: bool) -> Phrase:
    draft.dated, draft.mortal = False, False
    return two_clauses(draft, tense, size) if two else clause(draft, tense, size, opening=not draft.mentions)


def single(draft: Draft, tense: str, words: int) -> Phrase:
    draft.mortal = True
    if tense == "present" and words <= 7 and draft.chance(0.1):
        return join(weather(draft), leaf(*STOP))
    if words > 2 and draft.chance(0.15):
        return join(clause(draft, tense, words, asked=True), leaf(*QUESTION))
    return join(clause(draft, tense, words, opening=True), leaf(*STOP))


def sentence(draft: Draft, length: int) -> Phrase:
    """About `length` English words: one clause, or groups of one or two until the length is reached."""
    tense = draft.pick(("past", "past", "past", "present", "present", "future"))
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
    """How often a length is aimed at: most often about eleven words, and no length seldom."""
    return 0.4 + exp(-(((length - 12) / 5) ** 2) / 2)


@cache
def _weights(lengths: range) -> list[float]:
    return list(accumulate(map(_weight, lengths)))


def draw(rng: random.Random, lengths: range) -> Pair:
    """One sentence pair whose English length lies in `lengths`."""
    for _ in range(1000):
        try:
            phrase = sentence(Draft(rng, 0), rng.choices(lengths, cum_weights=_weights(lengths))[0])
        except DeadEnd:
            continue
        if len(phrase.english) in lengths:
            return pair_of(phrase)
    raise ValueError(f"no sentence found with a length in {lengths}")
