"""Interface of a sequence-to-sequence task: pairs for training and testing, and parsing of typed text."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from zlib import crc32

from models.vocabulary import SPECIAL, InputError, Vocabulary, check_tokens, split_characters, split_words

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class Pair:
    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: frozenset[tuple[int, int]] = (
        frozenset()
    )  # gold links (t, i): target token t was produced from source token i


def split_of(tokens: tuple[str, ...]) -> str:
    """Assign a sentence to a split by its hash, so that no sentence is in two splits."""
    bucket = crc32(" ".join(tokens).encode()) % 20
    return {0: "test", 1: "validation"}.get(bucket, "train")


@dataclass(frozen=True)
class Task:
    """A sequence-to-sequence task. `draw(rng, lengths)` draws a pair with a source length in `lengths`."""

    name: str
    source: Vocabulary
    target: Vocabulary
    draw: Callable[[random.Random, range], Pair]
    unit: str = "word"
    lengths: range = range(3, 41)  # possible source lengths, both for drawn and for typed sources
    course: Mapping[Pair, int] = field(
        default_factory=dict
    )  # sentences that the lessons rely on → number of copies in the training set
    clean: Callable[[str], str] | None = None  # normalise typed source text, or raise an InputError
    answer: Callable[[tuple[str, ...]], tuple[str, ...] | None] | None = (
        None  # the correct target of a source, if a rule can compute it
    )
    accepted: Callable[[tuple[str, ...]], Sequence[tuple[str, ...]]] | None = (
        None  # all correct targets, if there can be several
    )
    augment: Callable[[Pair, random.Random], Pair] | None = (
        None  # change a training pair, for example by hiding words
    )
    max_typed: int = 0  # maximum length of a typed source, if longer than `lengths`
    unseen: Callable[[tuple[str, ...]], str] | None = (
        None  # describe how a typed source differs from all training data; empty if it does not
    )
    nearest: Callable[[str], str] | None = None  # the nearest text of known characters

    @cached_property
    def course_sources(self) -> set[tuple[str, ...]]:
        return {pair.source for pair in self.course}

    def pairs(self, split: str, count: int, seed: int = 0, lengths: range | None = None) -> list[Pair]:
        """Draw `count` different pairs of one split, reproducibly; training also gets the course pairs."""
        if split not in SPLITS:
            raise ValueError(f"split is one of {SPLITS}, not {split!r}")
        lengths = lengths or self.lengths
        rng = random.Random(f"{self.name} {split} {seed}")
        found: dict[tuple[str, ...], Pair] = {}
        tries = 0
        while len(found) < count and tries < 60 * count + 1000:  # small tasks run out of different pairs
            tries += 1
            pair = self.draw(rng, lengths)
            if split_of(pair.source) == split and pair.source not in self.course_sources:
                found.setdefault(pair.source, pair)
        pairs = list(found.values())
        if split == "train" and self.augment:
            pairs = [self.augment(pair, rng) for pair in pairs]
        if split == "train":
            pairs += [
                pair
                for pair, copies in self.course.items()
                if len(pair.source) in lengths
                for _ in range(copies)
            ]
        return pairs

    def read(self, text: str) -> tuple[str, ...]:
        """Split typed source text into tokens, or raise an InputError that says what to change."""
        limit = max(self.lengths[-1], self.max_typed)
        try:
            return self._read(text, self.source, limit, self.clean)
        except InputError as error:
            if self.nearest and len(text) <= 40 * limit:
                error.nearest = self.nearest(text)[:limit]
            raise

    def reference(self, pair: Pair, output: tuple[str, ...]) -> tuple[str, ...]:
        """The target to compare an output with: the output if it is accepted, otherwise the pair's target."""
        return output if self.accepted and output in self.accepted(pair.source) else pair.target

    def read_target(self, text: str) -> tuple[str, ...]:
        return self._read(text, self.target, 2 * self.lengths[-1])

    def join(self, tokens: tuple[str, ...]) -> str:
        return ("" if self.unit == "character" else " ").join(tokens)

    @cached_property
    def target_separator(self) -> str:
        """The separator between target tokens in a text: none if each is a single character."""
        is_spaced = self.unit == "word" or any(len(word) > 1 for word in self.target.words[len(SPECIAL) :])
        return " " if is_spaced else ""

    def _read(
        self, text: str, vocabulary: Vocabulary, max_tokens: int, clean: Callable[[str], str] | None = None
    ) -> tuple[str, ...]:
        if len(text) > 40 * max_tokens:
            raise InputError(f"The text has {len(text):,} characters. Use at most {max_tokens} {self.unit}s.")
        if clean:
            text = clean(text)
        tokens = (
            split_characters(text, vocabulary) if self.unit == "character" else split_words(text, vocabulary)
        )
        return check_tokens(tokens, vocabulary, max_tokens, self.unit)
