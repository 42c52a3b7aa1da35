"""The trained language models of this lesson, and which units correlate with which story feature."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import STORIES, Tokens, Words, load_model, original_run
from models.batches import pad_rows
from models.language_model import LanguageModel, LanguageModelTrace
from models.tasks.story_words import BOYS, GIRLS
from models.vocabulary import Vocabulary

MEASURED_STORIES = 40  # number of stories used to measure correlations


def checkpoint_name(cell: str, layers: int = 1) -> str:
    return f"stories-{cell.lower()}-{layers}"


def load_story_model(cell: str, layers: int = 1) -> LanguageModel:
    return load_model(checkpoint_name(cell, layers))


def run_original(cell: str, layers: int, tokens: Tokens) -> LanguageModelTrace:
    return original_run(checkpoint_name(cell, layers), tokens)


def memory_quantity(cell: str, layer: int = 1) -> str:
    """The name of the memory in a trace: the cell state for an LSTM, h for other cells."""
    return f"layer{layer}.cell" if cell == "LSTM" else f"layer{layer}.h"


def next_word_of_text(words: Words, t: int) -> str | None:
    """The word that comes after step t in the text, if any; step 1 reads <bos>, `words` begin with it."""
    return words[t] if t < len(words) else None


# ---- features of a story ----


def mark_hero(words: Words) -> list[float]:
    """1 once the story is about a girl, −1 once it is about a boy: the first name or pronoun decides."""
    hero, marks = 0.0, []
    for word in words:
        is_girl = word in GIRLS or word in ("girl", "she", "her")
        is_boy = word in BOYS or word in ("boy", "he", "his")
        hero = hero or float(is_girl) - float(is_boy)
        marks.append(hero)
    return marks


def mark_between(opening: str, closing: str) -> Callable[[Words], list[float]]:
    """Return a function that marks words with 1 from an opening mark to its closing mark."""

    def mark(words: Words) -> list[float]:
        depth, marks = 0, []
        for word in words:
            depth = max(0, depth + (word == opening) - (word == closing))
            marks.append(float(depth > 0))
        return marks

    return mark


def mark_sentence_ends(words: Words) -> list[float]:
    return [float(word in (".", "?")) for word in words]


FEATURES: dict[str, Callable[[Words], list[float]]] = {
    "she/he": mark_hero,
    "quotes": mark_between("“", "”"),
    "brackets": mark_between("(", ")"),
    "full stop": mark_sentence_ends,
}


# ---- units that correlate with a feature ----


@dataclass(frozen=True)
class Follower:
    """The unit whose memory has the largest correlation with a feature."""

    feature: str
    layer: int  # 1 is the lowest
    unit: int  # from 1
    correlation: float


@lru_cache(maxsize=1)
def measured_stories() -> tuple[Tensor, np.ndarray]:
    """Stories drawn from the grammar: token ids (stories, longest) and feature values (features, words)."""
    documents = STORIES.draw_documents("train", MEASURED_STORIES, seed=1, kind="story")
    stories = [("<bos>", *story.tokens) for story in documents]
    marks = [np.concatenate([mark(story) for story in stories]) for mark in FEATURES.values()]
    return pad_rows([STORIES.vocabulary.ids(story) for story in stories], Vocabulary.pad), np.array(marks)


@lru_cache(maxsize=8)
@torch.inference_mode()
def correlations(cell: str, layers: int) -> np.ndarray:
    """(features, layers, m) the correlation of each unit's memory with each feature."""
    (ids, marks), model = measured_stories(), load_story_model(cell, layers)
    states, memories = model.rnn.initial_state(len(ids)), []
    for x_t in model.embed(ids).unbind(1):
        states = model.rnn.step(x_t, states)
        memories.append(
            torch.stack([state[-1] for state in states])
        )  # (layers, stories, m) h, or an LSTM's cell state
    memory = torch.stack(memories, 2)[:, ids != Vocabulary.pad].double()  # (layers, words, m)
    centred = torch.from_numpy(marks - marks.mean(1, keepdims=True))
    covariance = centred @ memory / centred.shape[1]  # (layers, features, m)
    feature_std, memory_std = centred.std(1, correction=0)[:, None], memory.std(1, correction=0)[:, None]
    return (covariance / feature_std / memory_std).transpose(0, 1).numpy()


@lru_cache(maxsize=8)
def best_followers(cell: str, layers: int = 1) -> tuple[Follower, ...]:
    """For each feature, the unit that correlates with it best."""
    followers = []
    for feature, table in zip(FEATURES, correlations(cell, layers), strict=True):
        layer, unit = np.unravel_index(np.abs(table).argmax(), table.shape)
        followers.append(Follower(feature, int(layer) + 1, int(unit) + 1, float(table[layer, unit])))
    return tuple(followers)


def unit_at_rank(rank: int, cell: str, layers: int = 1, layer: int = 1, feature: str = "she/he") -> int:
    """The unit (from 0) with the rank-th largest correlation with the feature in its layer.

    Unlike a unit number, a rank means the same for every cell and after every training run.
    """
    table = correlations(cell, layers)[list(FEATURES).index(feature), layer - 1]  # (m,)
    return int(np.argsort(-np.abs(table), kind="stable")[rank - 1])
