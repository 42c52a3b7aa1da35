"""Sentences that the lessons rely on, built by the grammar, and how often each is in the training set."""

import random

from models.tasks.task import Pair
from models.tasks.translation import lexicon as lex
from models.tasks.translation import nominals as nom
from models.tasks.translation.adjuncts import in_month
from models.tasks.translation.clauses import crossing_to_the_bank, piece_of_cake, ran_out_of
from models.tasks.translation.grammar import raining_cats_and_dogs
from models.tasks.translation.lexicon import ADJECTIVES, NOUNS, SENSES, VERBS
from models.tasks.translation.nominals import Draft, Nominal
from models.tasks.translation.phrase import Phrase, join, leaf, pair_of
from models.tasks.translation.verbs import be_clause, verb_clause


def _the(noun: lex.Noun, *adjectives: str) -> Nominal:
    """Build a noun phrase with `the` and exactly the given adjectives, with nothing random."""
    return nom.noun_phrase(
        Draft(random.Random(0), 0), noun, "the", adjectives=[ADJECTIVES[name] for name in adjectives]
    )


def _pronoun(pronoun: str) -> Nominal:
    return nom.subject_pronoun(pronoun, "f" if pronoun == "she" else "m", "adult")


def _agreement() -> Phrase:
    agreement = nom.with_topic(_the(NOUNS["agreement"]), _the(NOUNS["area"], "european", "economic"))
    signed = leaf("signed", VERBS["sign"].agreeing(agreement.agreement))
    return be_clause(agreement, "past", join(signed, in_month("august", "1992")), passive=True)


def _pie() -> Phrase:
    return verb_clause(
        _pronoun("he"), VERBS["hit"], "past", clitic=nom.clitic("i", "m"), particle="with a pie"
    )


def course() -> dict[Pair, int]:
    """Build the course pairs: reordering (agreement), idioms (pie), disambiguation by a later word (bank)."""
    copies = [
        (_pie(), 60),
        (_agreement(), 20),
        (raining_cats_and_dogs(), 20),
        (verb_clause(_the(NOUNS["man"], "old"), lex.KICK_THE_BUCKET, "past"), 10),
        (ran_out_of(_pronoun("they"), SENSES["argent"]), 10),
        (verb_clause(_pronoun("she"), VERBS["give_up"], "past"), 10),
        (piece_of_cake(_the(SENSES["match"]), "past"), 10),
        (crossing_to_the_bank(_pronoun("i"), _the(SENSES["rive"]), _the(NOUNS["river"])), 10),
        (crossing_to_the_bank(_pronoun("i"), _the(SENSES["banque"]), _the(NOUNS["street"])), 10),
    ]
    return {pair_of(join(phrase, leaf(".", "."))): count for phrase, count in copies}
