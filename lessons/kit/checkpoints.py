"""Trained models for lessons: load a model or its card, read typed text, run a model and cache the trace."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

import torch
from torch import Tensor

from lessons.kit import language
from lessons.kit.memo import memoize
from lessons.kit.notices import add_notice, name_vocabulary
from lessons.kit.typed_passage import read_passage
from lessons.kit.typed_text import (
    FINAL_MARK_NOTICES,
    MAX_WORDS,
    UNKNOWN,
    TypedSentence,
    limit_words,
    read_known_words,
)
from lessons.kit.typed_word import read_spelling
from models import metrics, recipes, zoo
from models.tasks import CORPORA, TASKS
from models.tasks.pronounce import PRONOUNCE
from models.tasks.task import Task
from models.tasks.translation.world import find_strange_words
from models.vocabulary import BOS, InputError, split_words

TRANSLATION = TASKS["translation"]
STORIES = CORPORA["stories"]
UNKNOWN_STORY_WORD = STORIES.vocabulary.index.get(UNKNOWN, -1)
WORDS_SHOWN = 8  # number of next words shown in a picture
FINAL_MARKS = (".", "?")
# suggested sentences that happen to be in the training data (course sentences always are)
EXTRA_TRAINING_SENTENCES = ("his letters are not beautiful .", "is she old ?", "she works in the morning .")
EXTRA_EVERYDAY_SENTENCES = ("is she old ?",)  # suggested sentences in the training data of task `everyday`
QUESTION_STARTS = frozenset("do does did is are was were will where".split())
TWO_SENTENCES = re.compile(r"\w[.?!]+\s+\w")  # suggested texts have a space before each mark
CONTEXT_DIMS = tuple(str(k) for k in recipes.CONTEXT_DIMS)  # sizes of a single context vector
BUDGET_OPTIONS = {f"{steps:,}": steps for steps in recipes.BUDGETS}
Words = tuple[str, ...]
Tokens = tuple[int, ...]


# ---- models ----


def load_model(name: str) -> Any:
    return zoo.load(name)[0]


@cache
def load_card(name: str) -> zoo.Card:
    return zoo.Card.read(name)


def figures_by_budget(name: str) -> Mapping[int, Mapping[str, Any]]:
    """The model's measurements by training steps; each budget has its own learning-rate decay."""
    return {row["steps"]: row for row in load_card(name).metrics["rungs"]}


def figures_at(name: str, steps: int | None = None) -> Mapping[str, Any]:
    """The model's measurements after this number of steps, or at the end of training."""
    return load_card(name).metrics if steps is None else figures_by_budget(name)[steps]


def measured_at(names: Iterable[str], steps: int) -> tuple[tuple[str, ...], int]:
    """The models measured after `steps` steps or the next smaller budget, and the budget that was used.

    For models that differ in their seed: not every seed has the longest training run.
    """
    figures = {name: figures_by_budget(name) for name in names}
    measured = max(budget for budgets in figures.values() for budget in budgets if budget <= steps)
    return tuple(name for name, budgets in figures.items() if measured in budgets), measured


def longest_common_budget(*names: str) -> int:
    """Largest budget that all these models have. Read from the recipes, so that no card is loaded."""
    return max(set.intersection(*(set(recipes.RECIPES[name].budgets) for name in names)))


@lru_cache(maxsize=8)
def untrained_model(name: str) -> Any:
    """Build the model with its initial weights."""
    card = load_card(name)
    return zoo.build(card.kind, card.config, card.recipe["seed"]).requires_grad_(False).eval()


# ---- typed text ----


@contextmanager
def blame_control(control: str) -> Iterator[None]:
    """Name this control in InputErrors that are raised inside."""
    try:
        yield
    except InputError as error:
        error.control = error.control or control
        raise


def read_source(text: str, control: str = "source", task: Task = TRANSLATION) -> Tokens:
    """Convert typed text to a translator's input. Notices report how it differs from the training data.

    English words are never refused. In other tasks an InputError says which characters cannot be used.
    """
    if task is TRANSLATION:
        return tuple(task.source.ids(read_small_world(text, control).words))
    if task is PRONOUNCE:
        return tuple(task.source.ids(read_spelling(text, control)))
    with blame_control(control):
        words = task.read(text)
    if task.unseen and (remark := task.unseen(words)):
        add_notice(control, remark)
    return tuple(task.source.ids(words))


def read_small_world(text: str, control: str = "source") -> TypedSentence:
    """Tokenize typed English for the task `translation`.

    A sentence whose words are all known is read as typed. In any other, known words replace unknown words.
    A missing final mark is added, because all training sentences have one. Notices report this, sentences
    from the training data, and word pairs that never occur there.
    """
    name_vocabulary(control, TRANSLATION.name)
    known = TRANSLATION.source
    words = tuple(split_words(text[: 40 * MAX_WORDS], known))
    is_known = all(word in known for word in words) and any(word[0].isalnum() for word in words)
    if not is_known or TWO_SENTENCES.search(text):
        sentence = read_known_words(text, known.index, control)
    else:
        if words[-1] not in FINAL_MARKS:
            mark = "?" if words[0] in QUESTION_STARTS else "."
            words = (*words, mark)
            add_notice(control, language.translate(FINAL_MARK_NOTICES[mark]))
        words = limit_words(words, control)
        sentence = TypedSentence(words, words)
    if sentence.words == sentence.typed and (new := find_strange_words(sentence.words)):
        template = (
            "Outside its world: in all it learned from, nothing like “{words}” stands at the border of a"
            " sentence. What it writes may be fluent, and wrong."
            if len(new) == 1
            else "Outside its world: in all it learned from, nothing like “{words}” stands side by side. What"
            " it writes may be fluent, and wrong."
        )
        add_notice(control, language.translate(template, words=" ".join(new)))
    if sentence.words in TRANSLATION.course_sources or " ".join(sentence.words) in EXTRA_TRAINING_SENTENCES:
        add_notice(control, language.translate("Seen in training."))
    return sentence


def read_target(text: str, control: str, task: Task = TRANSLATION) -> Tokens:
    """Convert typed text to output tokens of a translator, without <eos>."""
    with blame_control(control):
        return tuple(task.target.ids(task.read_target(text)))


def read_typed_story(text: str, control: str = "text", max_words: int = STORIES.max_words) -> TypedSentence:
    """Tokenize typed text for the story models. Unknown words become `<unk>`."""
    name_vocabulary(control, STORIES.name)
    return read_passage(text, STORIES.vocabulary.index, control, max_words)


def read_story(text: str, control: str = "text", max_words: int = STORIES.max_words) -> Tokens:
    """Convert typed text to input of the story models."""
    return tuple(STORIES.vocabulary.ids(read_typed_story(text, control, max_words).words))


def read_shown_story(
    text: str, control: str = "text", max_words: int = STORIES.max_words
) -> tuple[Tokens, Words]:
    """Input of the story models, and all words that they read, `<bos>` first, as pictures show them."""
    sentence = read_typed_story(text, control, max_words)
    return tuple(STORIES.vocabulary.ids(sentence.words)), (BOS, *sentence.shown)


def english(tokens: Iterable[int]) -> Words:
    return TRANSLATION.source.tokens(tokens)


def french(tokens: Iterable[int]) -> Words:
    return TRANSLATION.target.tokens(tokens)


def story_words(tokens: Iterable[int]) -> Words:
    return STORIES.vocabulary.tokens(tokens)


# ---- runs ----


@memoize
def original_run(name: str, source: Tokens, target: Tokens | None = None) -> Any:
    """Trace of an unedited run; with a target, the decoder is fed the target (teacher forcing)."""
    with torch.inference_mode():
        return load_model(name).run(source) if target is None else load_model(name).run(source, target)


@memoize
def translate(name: str, source: Tokens, limit: int = 70) -> Words:
    """Translate a sentence. The output has no <eos>. Faster than a run with a trace."""
    return french(metrics.translate(load_model(name), [source], limit)[0])


def most_probable(*probabilities: Tensor, shown: int = WORDS_SHOWN) -> list[int]:
    """Most probable words of any of these distributions (V,), sorted by the first one, then by id."""
    best = torch.stack(probabilities).amax(0).sort(descending=True, stable=True).indices[:shown]
    return best[probabilities[0][best].argsort(descending=True, stable=True)].tolist()
