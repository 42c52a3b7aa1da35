"""What lessons share about trained models: a model and its card, typed text, and runs that are kept by what they were made from."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

import torch
from torch import Tensor

from lessons.kit.memo import memoize
from lessons.kit.notices import add_notice
from models import metrics, recipes, zoo
from models.tasks import CORPORA, TASKS
from models.tasks.task import Task
from models.tasks.translation.world import strange
from models.vocabulary import InputError

TRANSLATION = TASKS["translation"]
STORIES = CORPORA["stories"]
WORDS_SHOWN = 8  # next words in a picture
FINAL_MARKS = {".": "full stop", "?": "question mark"}  # that end a sentence
# on offer, and drawn for training by chance, beside the sentences of the course, which always are
DRAWN = ("his letters are not beautiful .", "is she old ?", "she works in the morning .")
QUESTION_STARTS = frozenset(
    "do does did is are was were will where".split()
)  # a question begins with one of these
CONTEXT_DIMS = tuple(str(k) for k in recipes.CODES)  # how many numbers c has, where it is one vector
STEPS = {f"{steps:,}": steps for steps in recipes.BUDGETS}
Words = tuple[str, ...]
Tokens = tuple[int, ...]


# ---- models ----


def load_model(name: str) -> Any:
    return zoo.load(name)[0]


@cache
def load_card(name: str) -> zoo.Card:
    return zoo.Card.read(name)


def figures_by_budget(name: str) -> Mapping[int, Mapping[str, Any]]:
    """The model's figures by training steps, each budget with its own way down."""
    return {row["steps"]: row for row in load_card(name).metrics["rungs"]}


def figures_at(name: str, steps: int | None = None) -> Mapping[str, Any]:
    """The model's figures after so many steps; after all of them if none is named."""
    return load_card(name).metrics if steps is None else figures_by_budget(name)[steps]


def measured_at(names: Iterable[str], steps: int) -> tuple[tuple[str, ...], int]:
    """Of models that differ by their seed, those measured after so many steps, or after the most that any of them had; and how many
    steps that is. The longest training is not always done with every seed."""
    known = {name: figures_by_budget(name) for name in names}
    had = max(budget for budgets in known.values() for budget in budgets if budget <= steps)
    return tuple(name for name, budgets in known.items() if had in budgets), had


def longest_common_budget(*names: str) -> int:
    """The longest training that all of them had: by their recipes, so that a card that is missing stops no lesson but its own."""
    return max(set.intersection(*(set(recipes.RECIPES[name].budgets) for name in names)))


@lru_cache(maxsize=8)
def untrained_model(name: str) -> Any:
    """The same model with the weights that its training began with."""
    card = load_card(name)
    return zoo.build(card.kind, card.config, card.recipe["seed"]).requires_grad_(False).eval()


# ---- typed text ----


@contextmanager
def blame_control(control: str) -> Iterator[None]:
    """A complaint from in here is about this control."""
    try:
        yield
    except InputError as error:
        error.control = error.control or control
        raise


def read_source(text: str, control: str = "source", task: Task = TRANSLATION) -> Tokens:
    """Typed text as a translator reads it, or an InputError that says what to change.

    The translators know no sentence without its final mark: one that is missing is added, and that is said. So is it of a
    sentence that they were trained on, and of one of a kind that they never saw.
    """
    with blame_control(control):
        words = task.read(text)
        if task is TRANSLATION and words[-1] not in FINAL_MARKS:
            mark = "?" if words[0] in QUESTION_STARTS else "."
            words = task.read(f"{text} {mark}")
            add_notice(control, f"A {FINAL_MARKS[mark]} was added.")
        if task is TRANSLATION and (new := strange(words)):
            at = "at the border of a sentence" if len(new) == 1 else "side by side"
            told = f"Outside its world: in all it learned from, nothing like “{' '.join(new)}” stands {at}."
            add_notice(control, f"{told} What it writes may be fluent, and wrong.")
        if task is TRANSLATION and (words in task.course_sources or " ".join(words) in DRAWN):
            add_notice(control, "Seen in training.")
        return tuple(task.source.ids(words))


def read_target(text: str, control: str, task: Task = TRANSLATION) -> Tokens:
    """Typed text as a translator could write it, without <eos>."""
    with blame_control(control):
        return tuple(task.target.ids(task.read_target(text)))


def read_story(text: str, control: str = "text") -> Tokens:
    """Typed text as a language model reads it."""
    with blame_control(control):
        return tuple(STORIES.vocabulary.ids(STORIES.read(text)))


def english(tokens: Iterable[int]) -> Words:
    return TRANSLATION.source.tokens(tokens)


def french(tokens: Iterable[int]) -> Words:
    return TRANSLATION.target.tokens(tokens)


def story_words(tokens: Iterable[int]) -> Words:
    """Words of a story."""
    return STORIES.vocabulary.tokens(tokens)


# ---- runs ----


@memoize
def original_run(name: str, source: Tokens, target: Tokens | None = None) -> Any:
    """The trace of the model's own run; with a target, of what it thinks while it is fed that."""
    with torch.inference_mode():
        return load_model(name).run(source) if target is None else load_model(name).run(source, target)


@memoize
def translate(name: str, source: Tokens, limit: int = 70) -> Words:
    """The output alone, without <eos>: sooner than a run in sight."""
    return french(metrics.translate(load_model(name), [source], limit)[0])


def most_probable(*probabilities: Tensor, shown: int = WORDS_SHOWN) -> list[int]:
    """The words that are likeliest in any of these distributions (V,), by the first; of equal words the lower id goes first."""
    best = torch.stack(probabilities).amax(0).sort(descending=True, stable=True).indices[:shown]
    return best[probabilities[0][best].argsort(descending=True, stable=True)].tolist()
