"""Lesson examples that random drawing seldom produces, built with the grammar's functions."""

import random

from models.tasks.task import Pair
from models.tasks.translation import nominals as nom
from models.tasks.translation.adjuncts import in_month
from models.tasks.translation.lexicon import ADJECTIVES, BRIGHT, NOUNS, SENSES, VERBS
from models.tasks.translation.nominals import Draft, Nominal
from models.tasks.translation.phrase import Phrase, join, leaf, pair_of
from models.tasks.translation.verbs import be_clause, verb_clause


def noun(name: str, determiner: str = "the", *adjectives: str, plural: bool = False) -> Nominal:
    chosen = [ADJECTIVES[adjective] for adjective in adjectives]
    return nom.noun_phrase(Draft(random.Random(0), 0), NOUNS[name], determiner, plural, adjectives=chosen)


def pronoun(word: str, gender: str = "m") -> Nominal:
    return nom.subject_pronoun(word, gender, "adult")


def done(subject: Nominal, verb: str, participle: str, when: Phrase) -> Phrase:
    """Build a passive such as: was written: a été écrite."""
    return be_clause(
        subject, "past", join(leaf(participle, VERBS[verb].agreeing(subject.agreement)), when), passive=True
    )


def birds() -> Phrase:
    they = nom.clitic("they", "m", dative=True)
    gave = verb_clause(
        nom.subject_pronoun("we", "m", "adult"),
        VERBS["give"],
        "past",
        noun("letter", plural=True).phrase,
        clitic=they,
    )
    garden = join(leaf("in", "dans"), noun("garden").phrase)
    seen = done(noun("bird", "two", "big", plural=True), "see", "seen", garden)
    return join(leaf("when", "quand"), gave, leaf(",", ","), seen)


def letter() -> Phrase:
    head = nom.with_owner(noun("letter", "the", "beautiful"), noun("child", "my", "young", plural=True))
    important = be_clause(pronoun("it", head.agreement.gender), "past", quality(head, "important"))
    return join(
        done(head, "write", "written", in_month("january", "1992")), leaf("because", "parce que"), important
    )


def soup() -> Phrase:
    company = join(
        leaf("with", "avec"), noun("girl", "this", plural=True).phrase, leaf("at", "à"), noun("market").phrase
    )
    marie = nom.named(Draft(random.Random(0), 0), NOUNS["marie"])
    eats = verb_clause(marie, VERBS["eat"], "present", noun("soup").phrase)
    return join(
        eats,
        leaf("while", "pendant que"),
        verb_clause(nom.subject_pronoun("she", "f", "adult"), VERBS["work"], "present", company),
    )


def quality(subject: Nominal, adjective: str) -> Phrase:
    return leaf(adjective, ADJECTIVES[adjective].french(subject.agreement))


def bought(subject: Nominal, tense: str, adverb: str = "") -> Phrase:
    return be_clause(
        subject, tense, leaf("bought", VERBS["buy"].agreeing(subject.agreement)), adverb, passive=True
    )


def short() -> tuple[Phrase, ...]:
    """Build short statements."""
    man, dog, morning = (
        noun("man"),
        noun("dog"),
        join(leaf("in", ""), leaf("the", "le"), leaf("morning", "matin")),
    )
    car, books = (
        nom.with_owner(noun("car"), noun("minister", "the", "european")),
        noun("book", "the", "small", plural=True),
    )
    his, letters = noun("letter", "his", plural=True), noun("letter", plural=True)
    she, we, policy = pronoun("she", "f"), pronoun("we"), noun("policy", "this", "european", "agricultural")
    in_france = join(leaf("in", "en"), leaf("france", "france"))
    him, girl = nom.clitic("he", "m", dative=True), noun("girl", "the", "small")
    market, station = (
        join(leaf(to, "à"), noun(name).phrase) for to, name in (("to", "market"), ("at", "station"))
    )
    return (
        verb_clause(man, VERBS["see"], "present", dog.phrase),
        verb_clause(dog, VERBS["see"], "present", man.phrase),
        verb_clause(pronoun("they"), VERBS["buy"], "future", noun("house", "a", "beautiful").phrase),
        verb_clause(pronoun("they"), VERBS["sign"], "present", noun("agreement", "this", plural=True).phrase),
        bought(noun("house", "the", "beautiful"), "past"),
        bought(dog, "future", "not"),
        join(leaf("yesterday", "hier"), leaf(",", ","), verb_clause(she, VERBS["go"], "past", market)),
        verb_clause(she, VERBS["work"], "present", morning),
        verb_clause(girl, VERBS["go"], "present", join(leaf("to", "à"), leaf("london", "londres"))),
        verb_clause(pronoun("you"), VERBS["give_up"], "past", adverb="never"),
        verb_clause(pronoun("you"), VERBS["give"], "past", noun("car", "a").phrase, clitic=him),
        verb_clause(
            pronoun("you"),
            VERBS["see"],
            "past",
            join(in_france, leaf("yesterday", "hier")),
            clitic=nom.clitic("he", "m"),
        ),
        verb_clause(we, VERBS["arrive"], "past", station, "never"),
        be_clause(car, "present", quality(car, "black")),
        be_clause(policy, "past", quality(policy, "new"), "not"),
        be_clause(his, "present", quality(his, "beautiful"), "not"),
        be_clause(books, "present", quality(books, "old")),
        verb_clause(pronoun("i"), VERBS["give"], "past", letters.phrase, clitic=him),
        verb_clause(
            noun("cat", "the", "black"), VERBS["see"], "past", noun("dog", "the", "small").phrase, "not"
        ),
        birds(),
        letter(),
        soup(),
    )


def asked() -> tuple[Phrase, ...]:
    she, houses = pronoun("she", "f"), noun("house", "the", "big", plural=True)
    treaty = nom.with_topic(noun("treaty", "this"), noun("crisis", "the", "european", "economic"))
    bank = nom.with_owner(
        nom.noun_phrase(Draft(random.Random(0), 0), SENSES["rive"], "the", adjectives=[]),
        noun("river", "the", "small"),
    )
    return (
        be_clause(she, "present", quality(she, "old"), asked=True),
        be_clause(houses, "past", leaf("light", BRIGHT.french(houses.agreement)), asked=True),
        be_clause(
            treaty, "past", leaf("signed", VERBS["sign"].agreeing(treaty.agreement)), asked=True, passive=True
        ),
        be_clause(bank, "present", quality(bank, "beautiful"), asked=True),
    )


def offered_pairs() -> tuple[Pair, ...]:
    return tuple(
        pair_of(join(phrase, leaf(mark, mark)))
        for mark, phrases in ((".", short()), ("?", asked()))
        for phrase in phrases
    )
