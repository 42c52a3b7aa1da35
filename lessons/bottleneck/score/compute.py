"""The probability that the translator gives to a French sentence, word by word."""

from dataclasses import dataclass

import numpy as np

from lessons.bottleneck.translator import TRANSLATOR
from lessons.kit.checkpoints import Tokens, Words
from lessons.kit.contract import Result
from lessons.kit.notices import add_notice
from lessons.kit.references import Positions, differing_positions, matches_reference
from lessons.kit.typed_text import FINAL_MARK_NOTICES, read_french
from models.vocabulary import Vocabulary


@dataclass(frozen=True)
class Scored(Result):
    """Probabilities of the model's own output and of the candidate; the <eos> at the end is a factor too."""

    words: Words  # (T) the source
    truth: Words | None  # the correct translation, if the grammar can give it
    right: tuple[bool | None, bool | None]  # whether each is correct: own, candidate
    own: Words  # (n)
    own_factors: np.ndarray  # (n,) P(y_t | y_<t, x)
    candidate: Words  # (k)
    factors: np.ndarray  # (k,)
    preferred: Words  # (k) the most probable word at each position of the candidate
    preferred_factors: np.ndarray  # (k,)
    changed: Positions  # positions of the candidate that differ from the model's own output
    logs: tuple[np.ndarray, np.ndarray]  # log of each factor: own (n,), candidate (k,)

    @property
    def log_p(self) -> tuple[float, float]:
        """log P(own | x) and log P(candidate | x)."""
        return float(self.logs[0].sum()), float(self.logs[1].sum())


def read_candidate(text: str, mark: str) -> Tokens:
    """Parse typed French. Add a missing final mark, with a notice: every translation ends in one."""
    target = TRANSLATOR.task.target
    words = read_french(text, target, "candidate")
    if words[-1] not in FINAL_MARK_NOTICES:
        add_notice("candidate", FINAL_MARK_NOTICES[mark])
        words = (*words, mark)
    return tuple(target.ids(words))


def compute(text: str, candidate: str) -> Scored:
    sentence, french = TRANSLATOR.read_typed(text, "text"), TRANSLATOR.task.target.tokens
    source = TRANSLATOR.ids(sentence.words)
    target = (*read_candidate(candidate, sentence.words[-1]), Vocabulary.eos)
    own, forced = TRANSLATOR.run(source), TRANSLATOR.run(source, target)
    own_words, candidate_words = french(own.output), french(target)
    truth = TRANSLATOR.reference(sentence.words, TRANSLATOR.target_words(own.output))
    return Scored(
        words=sentence.shown,
        truth=truth,
        right=(matches_reference(own_words, truth), matches_reference(candidate_words, truth)),
        own=own_words,
        own_factors=own.logprobs.exp().numpy(),
        candidate=candidate_words,
        factors=forced.logprobs.exp().numpy(),
        preferred=french(forced.probabilities.argmax(-1)),
        preferred_factors=forced.probabilities.amax(-1).numpy(),
        changed=differing_positions(own_words, candidate_words)[1],
        logs=(own.logprobs.numpy(), forced.logprobs.numpy()),
    )
