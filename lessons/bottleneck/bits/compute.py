"""Bits in a text, bits in c, and what the translators write when c is rounded."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

import numpy as np
import torch

from lessons.bottleneck.translator import small_teacher_words
from lessons.kit.checkpoints import (
    CONTEXT_DIMS,
    TRANSLATION,
    Tokens,
    Words,
    french,
    load_card,
    load_model,
    original_run,
    read_small_world,
    translate,
)
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import Positions, differing_positions, matches_reference, reference_for
from models import metrics
from models.rounding import BITS, MODELS, RoundedTranslator, load_rounding, round_to_bits
from models.vocabulary import SPECIAL, Vocabulary

LANGUAGE_MODEL = "english-gru"  # a language model trained on the translators' English sentences
FLOAT_BITS = 32  # bits of a number in single precision
SUFFICIENT = 0.99  # fraction of the exact match without rounding that must remain


@dataclass(frozen=True)
class Size:
    """Measurements of the translator with a c of one size, on test sentences."""

    unrounded: float  # exact match without rounding
    exact_match: np.ndarray  # (16,) by bits per number
    sufficient: int | None  # smallest number of bits per number that is enough for the test sentences


@dataclass(frozen=True)
class Bits(Result):
    text_words: int  # number of words of the text in the thought experiment
    c_numbers: int  # number of numbers in its c
    bits: int  # per number
    code: str  # size of c of the translator
    bound: float  # bits per word, log2 of the vocabulary
    measured: float  # bits per word, cross-entropy of the language model on test sentences
    sizes: dict[str, Size]  # measurements by size of c
    count: int  # number of test sentences
    shown: Words  # (T) the sentence
    surprisals: np.ndarray  # (T + 1,) bits of each word and of the end
    teacher: Words
    truth: Words | None  # the correct translation, if the grammar can give it
    unrounded: Words  # outputs without <eos>
    rounded: Words
    right: tuple[bool | None, bool | None]  # whether each output is correct: unrounded, rounded
    changed: Positions  # positions of the rounded output that differ from the unrounded one
    c: np.ndarray  # (2, k): original and rounded
    _source: Tokens

    @property
    def size(self) -> Size:
        return self.sizes[self.code]

    @cached_property
    def enough_here(self) -> int | None:
        """The smallest number of bits that, like all larger ones, leaves this sentence's output unchanged."""
        outputs = rounded_outputs(self.code, self._source)
        return smallest_sufficient([output == self.unrounded for output in outputs])


def smallest_sufficient(is_enough: Sequence[bool]) -> int | None:
    """The smallest number of bits that is sufficient, as are all larger ones. The list begins at 1 bit."""
    failures = [bits for bits, enough in zip(BITS, is_enough, strict=True) if not enough]
    needed = max(failures, default=0) + 1
    return needed if needed in BITS else None


@memoize
def rounded_outputs(code: str, source: Tokens) -> tuple[Words, ...]:
    """The output with c rounded to 1, 2, … bits per number, without <eos>."""
    model = load_model(MODELS[int(code)])
    return tuple(french(metrics.translate(RoundedTranslator(model, bits), [source])[0]) for bits in BITS)


@memoize
def bits_of_words(source: Tokens) -> np.ndarray:
    """(T + 1,) −log2 P(word | words before it), by the language model; the last is for the end."""
    with torch.inference_mode():
        logits = load_model(LANGUAGE_MODEL)(torch.tensor([[Vocabulary.bos, *source]]))[0]  # (T + 1, V)
    logprobs = torch.log_softmax(logits, -1)[range(len(source) + 1), [*source, Vocabulary.eos]]
    return (-logprobs / np.log(2)).numpy()


def read_sizes() -> dict[str, Size]:
    sizes = {}
    for code in CONTEXT_DIMS:
        row = load_rounding()[int(code)]
        is_enough = [score >= SUFFICIENT * row["unrounded"] for score in row["exact_match"]]
        sizes[code] = Size(row["unrounded"], np.array(row["exact_match"]), smallest_sufficient(is_enough))
    return sizes


def compute(words: int, numbers: int, bits: int, code: str, text: str) -> Bits:
    sentence = read_small_world(text, "text")
    source, name = tuple(TRANSLATION.source.ids(sentence.words)), MODELS[int(code)]
    truth = reference_for(TRANSLATION, sentence.words)
    c = original_run(name, source).c
    outputs = translate(name, source), rounded_outputs(code, source)[bits - 1]
    return Bits(
        text_words=words,
        c_numbers=numbers,
        bits=bits,
        code=code,
        # log2 of the number of words, and the end
        bound=log2(len(set(TRANSLATION.source.words) - set(SPECIAL)) + 1),
        measured=log2(load_card(LANGUAGE_MODEL).metrics["natural"]["perplexity"]),
        sizes=read_sizes(),
        count=load_rounding()[int(code)]["sentences"],
        shown=sentence.shown,
        surprisals=bits_of_words(source),
        teacher=small_teacher_words(source),
        truth=truth,
        unrounded=outputs[0],
        rounded=outputs[1],
        right=(matches_reference(outputs[0], truth), matches_reference(outputs[1], truth)),
        changed=differing_positions(*outputs)[1],
        c=np.stack([c.numpy(), round_to_bits(c, bits).numpy()]),
        _source=source,
    )
