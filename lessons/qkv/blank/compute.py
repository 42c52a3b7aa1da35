"""The words that two models predict for a blank, and the sense they assign to the ambiguous word."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.kit.checkpoints import load_card
from lessons.kit.contract import Result
from lessons.qkv.sense_models import CHECKPOINTS, MIN_DECIDED, head_labels, run_model, weights_from
from lessons.qkv.typed_sentence import read_blank
from models.recipes import RECIPES
from models.tasks import BANK
from models.tasks.blank import CUE_SIDES


@dataclass(frozen=True)
class Measured:
    """Results per seed, from the cards."""

    fits: tuple[float, ...]  # fraction of blanks for which words of the right sense are more probable
    first: tuple[float, ...]  # fraction of blanks for which the likeliest word is the masked one
    perplexity: tuple[float, ...]


@dataclass(frozen=True)
class Filled(Result):
    words: tuple[str, ...]  # for pictures: ≈ before a word that replaces an unknown one
    word: str  # the ambiguous word
    place: int  # index of the blank, 0-based
    position: int  # index of the ambiguous word
    senses: tuple[str, ...]  # names of the two senses
    readers: tuple[str, ...]  # names of the models
    fitting: tuple[str, ...]  # fitting words, equally many for each sense
    chances: np.ndarray  # (models, fitting) P(word | blank)
    likeliest: tuple[tuple[str, float], ...]  # per model: the likeliest word of all, and its P
    sense: np.ndarray  # (models, 2) P(sense) at the ambiguous word
    weights: np.ndarray  # (models, layers · heads, words) weights from the blank; NaN where masked
    rows: tuple[str, ...]  # row labels of the weights
    measured: dict[str, dict[str, Measured]]  # position of the cues → model → results
    ideal: dict[str, float]  # position of the cues → perplexity under the true word frequencies
    count: int  # number of test sentences of each kind

    @property
    def sense_totals(self) -> np.ndarray:
        """Total P of the fitting words of each sense: (models, 2)."""
        return self.chances.reshape(len(self.readers), 2, -1).sum(-1)

    @property
    def other_words(self) -> np.ndarray:
        """Total P of all other words: (models,)."""
        return 1 - self.chances.sum(-1)

    @property
    def best_words(self) -> list[list[tuple[str, float]]]:
        """The likeliest word per model and sense."""
        half = len(self.fitting) // 2
        best = []
        for row in self.chances:
            indices = [row[:half].argmax(), half + row[half:].argmax()]
            best.append([(self.fitting[n], float(row[n])) for n in indices])
        return best

    def decided_sense(self, model: int) -> int | None:
        """The sense (0 or 1) of the words this model predicts for the blank; None if it is undecided."""
        sense = int(self.sense_totals[model].argmax())
        return sense if self.sense_totals[model, sense] > MIN_DECIDED else None


@lru_cache(maxsize=1)
def read_measurements() -> tuple[dict[str, dict[str, Measured]], dict[str, float], int]:
    """Read the cards of all seeds: results by cue position and model, ideal perplexities, sentence count."""
    figures = {
        model: [
            load_card(name).metrics["blanks"]
            for name in RECIPES
            if name.startswith(checkpoint.removesuffix("0"))
        ]
        for model, checkpoint in CHECKPOINTS.items()
    }
    table = {
        side: {
            model: Measured(
                *(tuple(card[side][key] for card in cards) for key in ("fits", "accuracy", "perplexity"))
            )
            for model, cards in figures.items()
        }
        for side in CUE_SIDES
    }
    first = next(iter(figures.values()))[0]
    return table, {side: first[side]["ideal"] for side in CUE_SIDES}, first[CUE_SIDES[0]]["count"]


def compute(text: str) -> Filled:
    sentence, position, place = read_blank(text)
    words = sentence.words
    tokens, word, senses = tuple(BANK.vocabulary.ids(words)), words[position], BANK.senses[words[position]]
    traces = [run_model(model, tokens) for model in CHECKPOINTS]
    at_word, at_blank = (
        np.stack([trace.probabilities[p].numpy() for trace in traces]) for p in (position, place)
    )  # (models, answers)
    index = BANK.answers.index
    scenes = [tuple(cue for sense in senses for cue in scene.cues[sense]) for scene in BANK.scenes[word]]
    fitting = max(scenes, key=lambda cues: at_blank[:, [index(cue) for cue in cues]].sum())
    first_word = len(BANK.labels)  # index of the first word; the answers before it are senses
    table, ideal, count = read_measurements()
    return Filled(
        words=sentence.shown,
        word=word,
        place=place,
        position=position,
        senses=senses,
        readers=tuple(CHECKPOINTS),
        fitting=fitting,
        chances=at_blank[:, [index(cue) for cue in fitting]],
        likeliest=tuple(
            (BANK.answers[first_word + row[first_word:].argmax()], float(row[first_word:].max()))
            for row in at_blank
        ),
        sense=at_word[:, [index(f"{word}: {sense}") for sense in senses]],
        weights=np.stack([weights_from(model, tokens, place) for model in CHECKPOINTS]),
        rows=head_labels(),
        measured=table,
        ideal=ideal,
        count=count,
    )
