"""A word left out: what each reader puts there, and which sense it gives the word with two."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.kit.checkpoints import blame_control, load_card
from lessons.kit.contract import Result
from lessons.qkv.compute.bank import READERS, looks, row_names, traced
from models.recipes import RECIPES
from models.tasks import BANK
from models.tasks.blank import TOLD

SURE = 0.8  # from here on a reader has decided


@dataclass(frozen=True)
class Measured:
    """By seed, from the cards."""

    fits: tuple[float, ...]  # share of blanks where the words of the right sense are the likelier ones
    first: tuple[float, ...]  # share where the likeliest word is the one left out
    perplexity: tuple[float, ...]


@dataclass(frozen=True)
class Filled(Result):
    words: tuple[str, ...]
    place: int  # of the blank, 0-based
    position: int  # of the word with two senses
    senses: tuple[str, ...]  # two
    readers: tuple[str, ...]
    fitting: tuple[str, ...]  # words: as many for the first sense as for the second
    chances: np.ndarray  # (readers, fitting) P(word | blank)
    likeliest: tuple[tuple[str, float], ...]  # by reader, of all words
    sense: np.ndarray  # (readers, 2) P(sense) at the word with two senses
    weights: np.ndarray  # (readers, layers · heads, words) where the blank looks; NaN where it may not
    rows: tuple[str, ...]  # of the weights
    measured: dict[str, dict[str, Measured]]  # where the cues stand → by reader
    ideal: dict[
        str, float
    ]  # where the cues stand → perplexity of one who knows how often each word is left out there
    count: int  # test sentences of each kind

    @property
    def word(self) -> str:
        return self.words[self.position]

    @property
    def together(self) -> np.ndarray:
        """(readers, 2) P of all fitting words of each sense"""
        return self.chances.reshape(len(self.readers), 2, -1).sum(-1)

    @property
    def other(self) -> np.ndarray:
        """(readers,) P of all other words"""
        return 1 - self.chances.sum(-1)

    @property
    def best(self) -> list[list[tuple[str, float]]]:
        """By reader and sense: its likeliest word."""
        half = len(self.fitting) // 2
        found = []
        for row in self.chances:
            first = [row[:half].argmax(), half + row[half:].argmax()]
            found.append([(self.fitting[n], float(row[n])) for n in first])
        return found

    def decided(self, reader: int) -> int | None:
        """The sense, 0 or 1, whose words this reader puts into the blank; None if it leaves that open."""
        sense = int(self.together[reader].argmax())
        return sense if self.together[reader, sense] > SURE else None


@lru_cache(maxsize=1)
def measured() -> tuple[dict[str, dict[str, Measured]], dict[str, float], int]:
    figures = {
        reader: [
            load_card(each).metrics["blanks"] for each in RECIPES if each.startswith(name.removesuffix("0"))
        ]  # all seeds
        for reader, name in READERS.items()
    }
    table = {
        side: {
            reader: Measured(
                *(tuple(each[side][key] for each in cards) for key in ("fits", "accuracy", "perplexity"))
            )
            for reader, cards in figures.items()
        }
        for side in TOLD
    }
    first = next(iter(figures.values()))[0]
    return table, {side: first[side]["ideal"] for side in TOLD}, first[TOLD[0]]["count"]


def blank(text: str) -> Filled:
    with blame_control("text"):
        words, position, place = BANK.read_blank(text)
    tokens, word, senses = tuple(BANK.vocabulary.ids(words)), words[position], BANK.senses[words[position]]
    traces = [traced(reader, tokens) for reader in READERS]
    at_word, at_blank = (
        np.stack([trace.probabilities[p].numpy() for trace in traces]) for p in (position, place)
    )  # (readers, answers)
    number = BANK.answers.index
    scenes = [tuple(cue for sense in senses for cue in scene.cues[sense]) for scene in BANK.scenes[word]]
    fitting = max(
        scenes, key=lambda cues: at_blank[:, [number(cue) for cue in cues]].sum()
    )  # things, or what they are or do
    first = len(BANK.labels)
    table, ideal, count = measured()
    return Filled(
        words=words,
        place=place,
        position=position,
        senses=senses,
        readers=tuple(READERS),
        fitting=fitting,
        chances=at_blank[:, [number(cue) for cue in fitting]],
        likeliest=tuple(
            (BANK.answers[first + row[first:].argmax()], float(row[first:].max())) for row in at_blank
        ),
        sense=at_word[:, [number(f"{word}: {sense}") for sense in senses]],
        weights=np.stack([looks(reader, tokens, place) for reader in READERS]),
        rows=row_names(),
        measured=table,
        ideal=ideal,
        count=count,
    )
