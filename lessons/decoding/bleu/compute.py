"""Grade a typed translation: n-gram precisions, brevity, BLEU, chrF, exact match, and perplexity."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lessons.kit.checkpoints import Words
from lessons.kit.contract import InputError, Result
from lessons.kit.notices import add_notice
from lessons.kit.translator import Translator
from models.overlap import Bleu, bleu, chrf
from models.tasks.everyday.vocabulary import UNKNOWN
from models.vocabulary import EOS, Vocabulary, split_words

TRANSLATOR = Translator("everyday-additive-64-s0")
MAX_WORDS = 40
NO_WORDS = Vocabulary.of(())


class Sentence(NamedTuple):
    """An English sentence with two right translations, and candidates that a learner can choose."""

    references: tuple[str, str]
    candidates: tuple[str, ...]  # the first one is the default


SENTENCES = {
    "the children are playing in the garden .": Sentence(
        ("les enfants jouent dans le jardin .", "les enfants sont en train de jouer dans le jardin ."),
        (
            "les enfants jouent dans un jardin .",
            "les enfants jouent dans le jardin .",
            "les enfants ne jouent pas dans le jardin .",
            "dans le jardin jouent les enfants .",
        ),
    ),
    "my friend bought a new house last year .": Sentence(
        (
            "mon ami a acheté une nouvelle maison l' année dernière .",
            "l' année dernière , mon ami a acheté une maison neuve .",
        ),
        (
            "l' an dernier , mon ami a acheté une nouvelle maison .",
            "mon ami a vendu une nouvelle maison l' année dernière .",
            "mon ami a acheté une maison",
        ),
    ),
    "the dog will not be bought .": Sentence(
        ("le chien ne sera pas acheté .", "on n' achètera pas le chien ."),
        ("le chien sera acheté .", "personne ne va acheter le chien .", "le chien ne sera pas acheté ."),
    ),
}


@dataclass(frozen=True)
class Graded(Result):
    """Grades of one candidate against one or two references."""

    source: str
    candidate: Words
    references: tuple[Words, ...]
    matched: tuple[bool, ...]  # for each word of the candidate, whether a reference has it (clipped)
    _bleu: Bleu
    precisions: tuple[float, ...]  # (4,)
    shared: tuple[int, ...]  # (4,) n-grams that match, clipped
    totals: tuple[int, ...]  # (4,)
    brevity: float
    bleu: float  # 0 to 100
    chrf: float  # 0 to 100
    is_exact: bool
    model_words: Words  # what the model reads of the candidate, with <eos>
    model_probabilities: np.ndarray  # P of each word, given the source and the words before it

    @property
    def perplexity(self) -> float:
        return float(np.exp(-np.log(np.maximum(self.model_probabilities, 1e-45)).mean()))

    def limits(self) -> dict[str, list[str]]:
        return {
            "candidate": [
                text for text in SENTENCES[self.source].candidates if text != " ".join(self.candidate)
            ]
        }


def compute(source: str, candidate: str, second: bool) -> Graded:
    sentence = SENTENCES[source]
    others = {text for name, each in SENTENCES.items() if name != source for text in each.candidates}
    if candidate in others:  # the candidate left over from another sentence
        candidate = sentence.candidates[0]
    words = read_candidate(candidate)
    references = tuple(tuple(text.split()) for text in sentence.references[: 2 if second else 1])
    grade = bleu(words, references)
    model_words, probabilities = grade_by_model(source, words)
    return Graded(
        source=source,
        candidate=words,
        references=references,
        matched=mark_matched(words, grade),
        _bleu=grade,
        precisions=tuple(order.precision for order in grade.orders),
        shared=tuple(order.matched for order in grade.orders),
        totals=tuple(order.total for order in grade.orders),
        brevity=grade.brevity,
        bleu=grade.score,
        chrf=chrf(" ".join(words), [" ".join(reference) for reference in references]),
        is_exact=words in references,
        model_words=model_words,
        model_probabilities=probabilities,
    )


def read_candidate(text: str) -> Words:
    words = tuple(split_words(text, NO_WORDS))
    if not words:
        raise InputError("Type a French translation.", "candidate")
    if len(words) > MAX_WORDS:
        raise InputError(f"That is {len(words)} words. Use at most {MAX_WORDS}.", "candidate")
    return words


def mark_matched(words: Words, grade: Bleu) -> tuple[bool, ...]:
    """Mark words of the candidate that count as matches: each at most as often as a reference has it."""
    left = dict(grade.orders[0].clipped)
    marks = []
    for word in words:
        marks.append(left.get((word,), 0) > 0)
        left[word,] = left.get((word,), 0) - 1
    return tuple(marks)


def grade_by_model(source: str, words: Words) -> tuple[Words, np.ndarray]:
    """The probability that a translator gives to each word of the candidate and to its end."""
    task = TRANSLATOR.task
    known = tuple(word if word in task.target.index else UNKNOWN for word in words)
    if UNKNOWN in known:
        add_notice("candidate", f"For the perplexity, words that the model never saw are read as {UNKNOWN}.")
    tokens = tuple(task.source.ids(source.split()))
    trace = TRANSLATOR.run(tokens, (*task.target.ids(known), Vocabulary.eos))
    return (*known, EOS), trace.logprobs.exp().numpy()
