"""Force one word on the decoder, and compare free running with teacher forcing."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lessons.bottleneck.translator import TRANSLATOR, teacher_tokens
from lessons.kit.checkpoints import Tokens, Words, most_probable
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.notices import add_notice
from lessons.kit.references import (
    Positions,
    WordChanges,
    count_word_changes,
    differing_positions,
    matches_reference,
)
from lessons.kit.typed_text import read_french
from models.seq2seq import Seq2SeqTrace
from models.vocabulary import BOS

INPUT_WORDS = ("its own last word", "the teacher’s last word")  # free running, teacher forcing


@dataclass(frozen=True)
class Forced(Result):
    """Results with one forced word. In pairs: the original run, then the run with your word at step t.

    In teacher forcing, your word is written, but the decoder never reads it.
    """

    fed: str  # what the decoder is fed: one of INPUT_WORDS
    t: int
    wrong: str  # "" if nothing is forced
    words: Words  # (T)
    teacher: Words  # the teacher's words, with <eos>
    truth: Words | None  # the correct translation, if the grammar can give it
    free: tuple[Words, Words]  # outputs of free running
    guesses: tuple[Words, Words]  # most probable words when fed the teacher's words
    right: tuple[bool | None, bool | None]  # whether your output is correct: free running, teacher forcing
    changed: tuple[
        Positions, Positions
    ]  # positions in the outputs with your word that differ from the teacher: free, guesses
    later_changes: tuple[WordChanges, WordChanges]  # free running, teacher forcing
    total_variation: np.ndarray  # (steps,) distance between both predictions, with inputs as in `fed`
    next_words: Words  # (8) most probable words at step t + 1, with inputs as in `fed`
    next_probabilities: np.ndarray  # (2, 8)
    read: Words  # what the decoder reads at each step, with your word
    outputs: Words  # what the decoder writes at each step, with your word
    s: np.ndarray  # (steps, m) decoder states, with your word
    s_0: np.ndarray  # (m,)

    def limits(self) -> dict[str, Any]:
        return {"t": min(len(self.free[0]), len(self.teacher)) - 1}

    def idle(self) -> dict[str, str]:
        return {} if self.wrong else {"t": "No word is forced at this step. Type one below."}


def read_one_word(text: str, control: str) -> int | None:
    """Parse a single French word, the first of several; None if the text is empty."""
    if not text.strip():
        return None
    word, *others = read_french(text, TRANSLATOR.task.target, control)
    if others:
        add_notice(control, f"Only the first word, “{word}”, is forced.")
    return TRANSLATOR.task.target.index[word]


@memoize
def run_with_forced_word(source: Tokens, t: int, word: int) -> Seq2SeqTrace:
    """Run the translator freely, but make step t write the given word."""
    return TRANSLATOR.model.run(source, forced={t - 1: word})


def compute(text: str, fed: str, t: int, wrong: str) -> Forced:
    sentence, word = TRANSLATOR.read_typed(text, "text"), read_one_word(wrong, "wrong")
    source, french = TRANSLATOR.ids(sentence.words), TRANSLATOR.task.target.tokens
    target = teacher_tokens(source)
    free, taught = TRANSLATOR.run(source), TRANSLATOR.run(source, target)
    t = max(1, min(t, len(free.output) - 1, len(target) - 1))
    forced = free if word is None else run_with_forced_word(source, t, word)
    teacher, outputs = french(target), (french(free.output), french(forced.output))
    guess = french(taught.probabilities.argmax(-1))
    guesses = guess, guess if word is None else (*guess[: t - 1], *french([word]), *guess[t:])
    truth = TRANSLATOR.reference(sentence.words, ())
    is_free = fed == INPUT_WORDS[0]
    # with teacher forcing both runs have the same inputs
    before, after = (free, forced) if is_free else (taught, taught)
    distributions = torch.stack([before.probabilities[t], after.probabilities[t]])  # (2, V)
    best = most_probable(distributions.amax(0))
    return Forced(
        fed=fed,
        t=t,
        wrong="" if word is None else french([word])[0],
        words=sentence.shown,
        teacher=teacher,
        truth=truth,
        free=outputs,
        guesses=guesses,
        right=(matches_reference(outputs[1], truth), matches_reference(guesses[1], truth)),
        changed=(differing_positions(teacher, outputs[1])[1], differing_positions(teacher, guesses[1])[1]),
        later_changes=(count_later_changes(t, *outputs), count_later_changes(t, *guesses)),
        total_variation=total_variation(before, after),
        next_words=french(best),
        next_probabilities=distributions[:, best].numpy(),
        read=(BOS, *french(after.output[:-1])),
        outputs=outputs[1] if is_free else guesses[1],
        s=after.s.numpy(),
        s_0=after.values["initial.layer1.h"].numpy(),
    )


def count_later_changes(t: int, original: Words, forced: Words) -> WordChanges:
    """Count changes after step t.

    The forced word may replace the original word or be inserted before it; use the case with fewer changes.
    """
    return min((count_word_changes(original[start:], forced[t:]) for start in (t, t - 1)), key=sum)


def total_variation(original: Any, forced: Any) -> np.ndarray:
    """(steps,) ½ Σ |p − q| at the steps that occur in both runs."""
    steps = min(len(original.output), len(forced.output))
    p, q = (torch.as_tensor(run.probabilities[:steps]) for run in (original, forced))
    return (p - q).abs().sum(-1).numpy() / 2
