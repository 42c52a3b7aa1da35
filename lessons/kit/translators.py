"""What lessons share about trained models: a model and its card, typed text, and runs that are kept by what they were made from."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

import torch
from torch import Tensor

from lessons.kit.memo import memoize
from lessons.kit.remarks import remark
from models import metrics, recipes, zoo
from models.tasks import CORPORA, TASKS
from models.tasks.task import Task
from models.tasks.translation.world import strange
from models.vocabulary import InputError

TRANSLATION = TASKS["translation"]
STORIES = CORPORA["stories"]
SHOWN = 8  # next words in a picture
MARKS = {".": "full stop", "?": "question mark"}  # that end a sentence
# on offer, and drawn for training by chance, beside the sentences of the course, which always are
DRAWN = ("his letters are not beautiful .", "is she old ?", "she works in the morning .")
ASKING = frozenset("do does did is are was were will where".split())  # a question begins with one of these
CODES = tuple(str(k) for k in recipes.CODES)  # how many numbers c has, where it is one vector
STEPS = {f"{steps:,}": steps for steps in recipes.BUDGETS}
Words = tuple[str, ...]
Tokens = tuple[int, ...]


# ---- models ----


def model_of(name: str) -> Any:
    return zoo.load(name)[0]


@cache
def card_of(name: str) -> zoo.Card:
    return zoo.Card.read(name)


def rungs(name: str) -> Mapping[int, Mapping[str, Any]]:
    """The model's figures by training steps, each budget with its own way down."""
    return {row["steps"]: row for row in card_of(name).metrics["rungs"]}


def rung(name: str, steps: int | None = None) -> Mapping[str, Any]:
    """The model's figures after so many steps; after all of them if none is named."""
    return card_of(name).metrics if steps is None else rungs(name)[steps]


def after(names: Iterable[str], steps: int) -> tuple[tuple[str, ...], int]:
    """Of models that differ by their seed, those measured after so many steps, or after the most that any of them had; and how many
    steps that is. The longest training is not always done with every seed."""
    known = {name: rungs(name) for name in names}
    had = max(budget for budgets in known.values() for budget in budgets if budget <= steps)
    return tuple(name for name, budgets in known.items() if had in budgets), had


def shared(*names: str) -> int:
    """The longest training that all of them had: by their recipes, so that a card that is missing stops no lesson but its own."""
    return max(set.intersection(*(set(recipes.RECIPES[name].budgets) for name in names)))


@lru_cache(maxsize=8)
def before_training(name: str) -> Any:
    """The same model with the weights that its training began with."""
    card = card_of(name)
    return zoo.build(card.kind, card.config, card.recipe["seed"]).requires_grad_(False).eval()


# ---- typed text ----


@contextmanager
def about(control: str) -> Iterator[None]:
    """A complaint from in here is about this control."""
    try:
        yield
    except InputError as error:
        error.control = error.control or control
        raise


def source_of(text: str, control: str = "source", task: Task = TRANSLATION) -> Tokens:
    """Typed text as a translator reads it, or an InputError that says what to change.

    The translators know no sentence without its final mark: one that is missing is added, and that is said. So is it of a
    sentence that they were trained on, and of one of a kind that they never saw.
    """
    with about(control):
        words = task.read(text)
        if task is TRANSLATION and words[-1] not in MARKS:
            mark = "?" if words[0] in ASKING else "."
            words = task.read(f"{text} {mark}")
            remark(control, f"A {MARKS[mark]} was added.")
        if task is TRANSLATION and (new := strange(words)):
            at = "at the border of a sentence" if len(new) == 1 else "side by side"
            told = f"Outside its world: in all it learned from, nothing like “{' '.join(new)}” stands {at}."
            remark(control, f"{told} What it writes may be fluent, and wrong.")
        if task is TRANSLATION and (words in task.course_sources or " ".join(words) in DRAWN):
            remark(control, "Seen in training.")
        return tuple(task.source.ids(words))


def target_of(text: str, control: str, task: Task = TRANSLATION) -> Tokens:
    """Typed text as a translator could write it, without <eos>."""
    with about(control):
        return tuple(task.target.ids(task.read_target(text)))


def story_of(text: str, control: str = "text") -> Tokens:
    """Typed text as a language model reads it."""
    with about(control):
        return tuple(STORIES.vocabulary.ids(STORIES.read(text)))


def english(tokens: Iterable[int]) -> Words:
    return TRANSLATION.source.tokens(tokens)


def french(tokens: Iterable[int]) -> Words:
    return TRANSLATION.target.tokens(tokens)


def told(tokens: Iterable[int]) -> Words:
    """Words of a story."""
    return STORIES.vocabulary.tokens(tokens)


# ---- runs ----


@memoize
def untouched(name: str, source: Tokens, target: Tokens | None = None) -> Any:
    """The trace of the model's own run; with a target, of what it thinks while it is fed that."""
    with torch.inference_mode():
        return model_of(name).run(source) if target is None else model_of(name).run(source, target)


@memoize
def said(name: str, source: Tokens, limit: int = 70) -> Words:
    """The output alone, without <eos>: sooner than a run in sight."""
    return french(metrics.translate(model_of(name), [source], limit)[0])


def likeliest(*probabilities: Tensor, shown: int = SHOWN) -> list[int]:
    """The words that are likeliest in any of these distributions (V,), by the first; of equal words the lower id goes first."""
    best = torch.stack(probabilities).amax(0).sort(descending=True, stable=True).indices[:shown]
    return best[probabilities[0][best].argsort(descending=True, stable=True)].tolist()
