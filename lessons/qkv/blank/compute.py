"""The words that two models predict for a blank, and the sense they assign to the ambiguous word."""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from lessons.kit.checkpoints import load_card
from lessons.kit.contract import Result
from lessons.qkv.sense_models import CHECKPOINTS, MIN_DECIDED, head_labels, run_model, weights_from
from lessons.qkv.typed_sentence import read_blank
from models.recipes import RECIPES
from models.tasks import BANK
from models.tasks.blank import CUE_SIDES
from models.tasks.sense_sentences import telling_words

SHOWN_WORDS = 12


@dataclass(frozen=True)
class Measured:
    """Results per seed, from the cards."""

    fits: tuple[float, ...]  # fraction of blanks for which words of the right sense are more probable
    first: tuple[float, ...]  # fraction of blanks for which the likeliest word is the masked one
    perplexity: tuple[float, ...]


@dataclass(frozen=True)
class Filled(Result):
    words: tuple[str, ...]  # for pictures: unknown words in angle brackets
    word: str  # the ambiguous word
    place: int  # index of the blank, 0-based
    position: int  # index of the ambiguous word
    senses: tuple[str, ...]  # names of the two senses
    readers: tuple[str, ...]  # names of the models
    fitting: tuple[str, ...]  # words for the bars: for the first sense, for the second, then for either
    groups: tuple[int, int, int]  # how many of them belong to the first sense, to the second, to either
    chances: np.ndarray  # (models, fitting) P(word | blank)
    sense_totals: np.ndarray  # (models, 2) total P of all words that tell each sense
    best_words: tuple[tuple[tuple[str, float], ...], ...]  # per model and sense: the likeliest of these words
    likeliest: tuple[
        tuple[str, float], ...
    ]  # per model: the likeliest word that tells neither sense, and its P
    sense: np.ndarray  # (models, 2) P(sense) at the ambiguous word
    weights: np.ndarray  # (models, layers · heads, words) weights from the blank; NaN where masked
    rows: tuple[str, ...]  # row labels of the weights
    measured: dict[str, dict[str, Measured]]  # position of the cues → model → results
    ideal: dict[str, float]  # position of the cues → perplexity under the true word frequencies
    count: int  # number of test sentences of each kind

    @property
    def other_words(self) -> np.ndarray:
        """Total P of all words that tell neither sense: (models,)."""
        return 1 - self.sense_totals.sum(-1)

    @property
    def not_shown(self) -> np.ndarray:
        """Total P of all words without a bar: (models,)."""
        return 1 - self.chances.sum(-1)

    def decided_sense(self, model: int) -> int | None:
        """The sense (0 or 1) of the words this model predicts for the blank; None if it is undecided."""
        totals = self.sense_totals[model]
        sense = int(totals.argmax())
        return sense if totals.sum() > 0.5 and totals[sense] > MIN_DECIDED * totals.sum() else None


@cache
def telling_by_sense(word: str) -> tuple[tuple[str, ...], ...]:
    """Known words that tell each sense of an ambiguous word."""
    cues = {sense: frozenset(BANK.cues_of(word, sense)) for sense in BANK.senses[word]}
    telling, found = telling_words(word), []
    for sense, own in cues.items():
        others = frozenset().union(*(cues[other] for other in cues if other != sense))
        found.append(tuple(sorted(own | (telling[sense] - others) - BANK.scenes.keys())))
    return tuple(found)


def choose_words(word: str, at_blank: np.ndarray) -> tuple[tuple[str, ...], tuple[int, int, int]]:
    """Words to show for a blank, and how many of them belong to the first sense, to the second, to either.

    If cues of one scene are likely in either model, all cues of this scene, otherwise the likeliest words.
    """
    index, senses = BANK.answers.index, BANK.senses[word]
    scenes = [tuple(cue for sense in senses for cue in scene.cues[sense]) for scene in BANK.scenes[word]]
    totals = [at_blank[:, [index(cue) for cue in cues]].sum(1).max() for cues in scenes]
    if max(totals) > 0.5:
        cues = scenes[int(np.argmax(totals))]
        return cues, (len(cues) // 2, len(cues) // 2, 0)
    first_word = len(BANK.labels)
    likeliest = at_blank.max(0)[first_word:].argsort()[::-1][:SHOWN_WORDS]
    words = [BANK.answers[first_word + n] for n in likeliest]
    telling = telling_by_sense(word)
    groups = [[each for each in words if each in some] for some in telling]
    groups.append([each for each in words if not any(each in some for some in telling)])
    first, second, either = map(len, groups)
    return tuple(each for group in groups for each in group), (first, second, either)


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
    fitting, groups = choose_words(word, at_blank)
    telling = [[index(each) for each in some] for some in telling_by_sense(word)]
    neutral = sorted(
        {*range(len(BANK.labels), len(BANK.answers))} - {n for columns in telling for n in columns}
    )
    table, ideal, count = read_measurements()
    return Filled(
        words=sentence.shown,
        word=word,
        place=place,
        position=position,
        senses=senses,
        readers=tuple(CHECKPOINTS),
        fitting=fitting,
        groups=groups,
        sense_totals=np.stack([at_blank[:, columns].sum(1) for columns in telling], 1),
        best_words=tuple(
            tuple(
                (BANK.answers[columns[row[columns].argmax()]], float(row[columns].max()))
                for columns in telling
            )
            for row in at_blank
        ),
        chances=at_blank[:, [index(cue) for cue in fitting]],
        likeliest=tuple(
            (BANK.answers[n], float(row[n])) for row in at_blank for n in [max(neutral, key=row.__getitem__)]
        ),
        sense=at_word[:, [index(f"{word}: {sense}") for sense in senses]],
        weights=np.stack([weights_from(model, tokens, place) for model in CHECKPOINTS]),
        rows=head_labels(),
        measured=table,
        ideal=ideal,
        count=count,
    )
