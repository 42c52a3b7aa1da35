"""Constructions of the small world that the lessons use: idioms, ambiguous words, agreements."""

import random
from itertools import pairwise

from models.tasks.translation import lexicon as small
from models.tasks.translation import nominals as nom
from models.tasks.translation.adjuncts import in_month
from models.tasks.translation.clauses import about, crossing_to_the_bank, piece_of_cake, ran_out_of
from models.tasks.translation.draft import DeadEnd
from models.tasks.translation.grammar import raining_cats_and_dogs, single
from models.tasks.translation.lexicon import NOUNS, SENSES, VERBS
from models.tasks.translation.nominals import Draft, Nominal
from models.tasks.translation.phrase import Phrase, join, leaf
from models.tasks.translation.verbs import be_clause, verb_clause

AMBIGUOUS_WORDS = frozenset(  # use a sentence of the small world if it contains one of these words
    """bank light match matches pie bucket piece agreement agreements treaty treaties law laws policy union
    crisis area lit economic agricultural european""".split()
)
EXCLUDED_WORDS = frozenset(
    "crossing who which hundred thousand that lend lends lent give gives gave given".split()
)  # used only in the small world
STOP = (".", ".")
PEOPLE = ("adult", "child", "name")


def draw_subject(draft: Draft) -> Nominal:
    if draft.chance(0.6):
        return nom.pronoun_subject(draft, ("i", "i", "we", "you", "he", "he", "she", "she", "they", "they"))
    return nom.any_nominal(draft, PEOPLE, True, coordinate=False, subject=True)


DOCUMENTS = frozenset("agreement agreements treaty treaties law laws".split())
ANIMAL_NOUNS = frozenset(noun.english for noun in NOUNS.values() if noun.kind == "animal")
POSSESSIVE_WORDS = frozenset("my your his her our their".split())
ECONOMIC_NOUNS = frozenset("area crisis policy union situation".split())


def makes_sense(words: list[str]) -> bool:
    """Whether the words make sense: documents only get signed, and economic precedes a suitable noun."""
    followers = {after for word, after in pairwise(words) if word == "economic"}
    signed = "signed" in words and bool({"was", "were", "be"} & set(words)) and "by" not in words
    owned = any(word == "of" and after in POSSESSIVE_WORDS for word, after in pairwise(words))
    asks_oneself = words[-1] == "?" and bool({"i", "we"} & set(words))
    eaten_by_animal = "pie" in words and bool(ANIMAL_NOUNS & set(words))
    said = [word for word in words if word != "the"]
    twice = len(set(said)) < len(said)
    wrong = owned or asks_oneself or eaten_by_animal or twice or "and" in words
    return not wrong and followers <= ECONOMIC_NOUNS and (signed or not DOCUMENTS & set(words))


def draw_marked(draft: Draft) -> Phrase:
    """Draw a clause of the small world with an ambiguous word, or about agreements and laws."""
    for _ in range(60):
        fresh = Draft(draft.rng, 0)
        try:
            phrase = single(fresh, draft.pick(("past", "past", "present", "future")), draft.rng.randint(4, 8))
        except DeadEnd:
            continue
        words = [word.text for word in phrase.english]
        # “spring” as in water, not as in “in spring”
        has_spring = "spring" in words and words[words.index("spring") - 1] == "the"
        if (
            (has_spring or AMBIGUOUS_WORDS & set(words))
            and not EXCLUDED_WORDS & set(words)
            and makes_sense(words)
        ):
            return phrase
    raise DeadEnd


def draw_pie(draft: Draft) -> Phrase:
    who = draw_subject(draft)
    words = [
        word
        for word in ("i", "you", "he", "she", "we", "they")
        if word != who.pronoun and not (who.pronoun in ("i", "we") and word in ("i", "we"))
    ]
    word = draft.pick(words)
    if who.pronoun == "you" or draft.chance(0.3):
        hit = nom.any_nominal(draft, PEOPLE, True, coordinate=False)
        return verb_clause(who, VERBS["hit"], "past", hit.phrase, particle="with a pie")
    return verb_clause(
        who,
        VERBS["hit"],
        "past",
        clitic=nom.clitic(word, "f" if word == "she" else "m"),
        particle="with a pie",
    )


SIGNERS = (
    ("the president", "le président"),
    ("the government", "le gouvernement"),
    ("the minister", "le ministre"),
    ("france", "la france"),
    ("germany", "l' allemagne"),
)


def draw_agreement(draft: Draft) -> Phrase:
    noun = NOUNS[draft.pick(("agreement", "agreement", "treaty", "law"))]
    head = nom.noun_phrase(draft, noun, draft.pick(("the", "the", "this")), draft.chance(0.2), adjectives=[])
    head = about(draft, head) if draft.chance(0.8) else head
    tense = draft.pick(("past", "past", "past", "future"))
    complement = leaf("signed", VERBS["sign"].agreeing(head.agreement))
    if draft.chance(0.3):
        complement = join(complement, leaf("by", "par"), leaf(*draft.pick(SIGNERS)))
    month = draft.pick(tuple(small.MONTHS))
    when = in_month(month, draft.pick(small.YEARS) if tense == "past" and draft.chance(0.8) else "")
    return be_clause(head, tense, join(complement, when), passive=True)


def draw_cats_and_dogs(draft: Draft) -> Phrase:
    return raining_cats_and_dogs(draft.pick(("now", "now", "then", "future")))


def draw_bucket(draft: Draft) -> Phrase:
    who = nom.any_nominal(draft, PEOPLE, True, coordinate=False, subject=True)
    return verb_clause(who, small.KICK_THE_BUCKET if draft.chance(0.7) else small.DIE, "past")


def draw_run_out(draft: Draft) -> Phrase:
    return ran_out_of(
        draw_subject(draft),
        draft.pick((SENSES["eau"], SENSES["argent"], SENSES["argent"], NOUNS["bread"], NOUNS["soup"])),
    )


def draw_give_up(draft: Draft) -> Phrase:
    return verb_clause(
        draw_subject(draft), VERBS["give_up"], "past", adverb=draft.pick(("", "", "", "not", "never"))
    )


def draw_cake(draft: Draft) -> Phrase:
    match = nom.noun_phrase(draft, SENSES["match"], draft.pick(("the", "the", "this")), adjectives=[])
    return piece_of_cake(match, draft.pick(("past", "past", "present", "future")))


def draw_crossing(draft: Draft) -> Phrase:
    crossed = NOUNS[draft.pick(("river", "river", "street", "street", "garden", "market"))]
    bank = SENSES["rive" if crossed.english == "river" else "banque"]
    across = nom.noun_phrase(draft, crossed, "the", adjectives=[])
    return crossing_to_the_bank(
        draw_subject(draft), nom.noun_phrase(draft, bank, "the", adjectives=[]), across
    )


CONSTRUCTIONS = (
    draw_pie,
    draw_pie,
    draw_agreement,
    draw_agreement,
    draw_cats_and_dogs,
    draw_bucket,
    draw_run_out,
    draw_give_up,
    draw_cake,
    draw_crossing,
)


def draw_special(rng: random.Random) -> Phrase:
    """Draw a whole sentence with its full stop."""
    draft = Draft(rng, 0)
    if draft.chance(0.45):
        return draw_marked(draft)
    return join(draft.pick(CONSTRUCTIONS)(draft), leaf(*STOP))
