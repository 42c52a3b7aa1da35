"""Interface of a language-model corpus: documents for training and testing."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from models.tasks.task import SPLITS, split_of
from models.vocabulary import Vocabulary


@dataclass(frozen=True)
class Dependency:
    """A dependency: the token at `cue` determines the token at `target`, at any distance."""

    kind: str
    cue: int
    target: int

    @property
    def distance(self) -> int:
        return self.target - self.cue


@dataclass(frozen=True)
class Document:
    """A text, its kind, and the words that depend on an earlier word. It contains no end-of-text token."""

    kind: str
    tokens: tuple[str, ...]
    dependencies: tuple[Dependency, ...] = ()


@dataclass(frozen=True)
class Corpus:
    """A generator of unlimited text. `draw(rng)` writes one document."""

    name: str
    vocabulary: Vocabulary
    draw: Callable[[random.Random], Document]
    choices: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # for each kind of dependency, the possible words at the target
    phrases: tuple[str, ...] = ()  # phrases to repeat: one from this corpus, and one that is not
    max_words: int = 60  # maximum number of words that a learner may type

    def document(self, rng: random.Random) -> tuple[str, ...]:
        return self.draw(rng).tokens

    def draw_documents(
        self, split: str, count: int, seed: int = 0, kind: str | None = None
    ) -> list[Document]:
        """Draw `count` different documents of one split (and one kind), reproducibly for each seed."""
        if split not in SPLITS:
            raise ValueError(f"split is one of {SPLITS}, not {split!r}")
        rng = random.Random(f"{self.name} {split} {seed}")
        found: dict[tuple[str, ...], Document] = {}
        tries = 0
        while len(found) < count:
            tries += 1
            if tries > 500 * count + 1000:
                raise ValueError(f"{self.name} has no {count} different documents of kind {kind!r}")
            document = self.draw(rng)
            if split_of(document.tokens) == split and kind in (None, document.kind):
                found.setdefault(document.tokens, document)
        return list(found.values())

    def documents(self, split: str, count: int, seed: int = 0) -> list[tuple[str, ...]]:
        return [document.tokens for document in self.draw_documents(split, count, seed)]
