"""Pronounce a word letter by letter, also with attention weights that the learner set at some steps."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import numpy as np

from lessons.attention.steer.compute import Rows, Steered, one_hot_row, steer
from lessons.attention.translators import Source, without_eos
from lessons.kit.checkpoints import Words, load_card
from lessons.kit.translator import Translator
from lessons.kit.typed_text import TypedSentence
from models import metrics
from models.tasks.pronounce import accepted, held_out
from models.tasks.task import Pair

PRONOUNCER = Translator("pronounce-additive-128-s0")
OPENING_WORD, OPENING_STEP = "thought", 3
COUNTED_WORDS = 500  # held-out words whose letters are counted
MIN_OCCURRENCES = 10  # letters that occur less often in these words are left out


@dataclass(frozen=True)
class WordSource(Source):
    """A typed word. Only held-out words have known pronunciations, some of them several."""

    @property
    def accepted(self) -> tuple[Words, ...]:
        return accepted(self.sentence.words)

    @property
    def pair(self) -> None:
        """Always None: the dictionary has no gold links between letters and sounds."""

    @property
    def truth(self) -> Words | None:
        return next(iter(self.accepted), None)

    def is_right(self, output: Words) -> bool | None:
        return without_eos(output) in self.accepted if self.accepted else None


@dataclass(frozen=True)
class Pronounced(Steered):
    """The pronunciation of a word, original and with the learner's weights. `source`: its letters."""

    accepted: tuple[Words, ...]  # all right pronunciations; empty if they are not known here
    exact_match: float  # on held-out words
    held_out_words: int

    @property
    def strongest(self) -> np.ndarray:
        """(T'',) the letter (from 0) with the largest weight at each step, including the step of `<eos>`."""
        return self.your_weights.argmax(1)

    @property
    def silent(self) -> tuple[int, ...]:
        """Letters on which no sound puts its largest weight."""
        sounding = set(self.strongest[: len(without_eos(self.yours))].tolist())
        return tuple(i for i in range(len(self.source)) if i not in sounding)


def compute(word: str, t: int, weights: Rows) -> Pronounced:
    letters = PRONOUNCER.source_words(PRONOUNCER.read(word, "word"))
    read = WordSource(PRONOUNCER, TypedSentence(letters, letters))
    natural = load_card(PRONOUNCER.name).metrics["natural"]
    return Pronounced(
        **vars(steer(read, t, weights)),
        accepted=read.accepted,
        exact_match=natural["exact_match"],
        held_out_words=natural["count"],
    )


def all_weight_on(word: str, t: int, letter: str) -> Rows:
    """Weights for a preset: at step t, all weight on the first occurrence of this letter in the word."""
    return ((t, one_hot_row(word.index(letter), len(word))),)


@cache
def letters_without_sound() -> dict[str, tuple[float, int]]:
    """Letter → fraction of its occurrences on which no sound puts its largest weight, and their number.

    Counted on held-out words, with the decoder fed the usual pronunciation. A final e is counted apart.
    """
    words = list(held_out().items())[:: len(held_out()) // COUNTED_WORDS][:COUNTED_WORDS]
    pairs = [Pair(tuple(word), found[0]) for word, found in words]
    occurrences = defaultdict[str, list[bool]](list)
    for pair, (weights,) in zip(
        pairs, metrics.attention_maps(PRONOUNCER.model, pairs, PRONOUNCER.task), strict=True
    ):
        sounding = set(weights[: len(pair.target)].argmax(-1).tolist())
        for i, letter in enumerate(pair.source):
            is_final_e = letter == "e" and i == len(pair.source) - 1
            occurrences["e at the end" if is_final_e else letter].append(i not in sounding)
    return {
        letter: (float(np.mean(silent)), len(silent))
        for letter, silent in sorted(occurrences.items(), key=lambda each: -np.mean(each[1]))
        if len(silent) >= MIN_OCCURRENCES
    }
