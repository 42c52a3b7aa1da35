"""Greedy search, beam search with its tree, and the exact best, on a translator or a calculator."""

from dataclasses import dataclass

import numpy as np

from lessons.kit.checkpoints import Tokens, Words, load_model, read_source
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.kit.references import Places, differing_positions, matches_reference, reference_for
from models import decoding
from models.decoding import Hypothesis, Tree
from models.tasks import TASKS
from models.tasks.task import Task

MODELS = {
    "translator, one vector": ("translation", "translation-none-8-s0"),
    "translator, attention": ("translation", "translation-additive-64-s0"),
    "addition": ("addition", "addition-none-128-s0"),
}
WIDTHS = tuple(range(1, 9))
LIMIT = {"translation": 40, "addition": 6}  # tokens, the end included
BEGINNINGS = 4000  # that the exact search may try
SAME = 0.005  # what two decimals cannot tell apart


@dataclass(frozen=True)
class Searched(Result):
    model: str
    source: Words
    width: int
    penalty: float
    words: Words  # of each node of the tree
    parents: tuple[int | None, ...]
    totals: np.ndarray  # (nodes,) log P(y_1 .. y_t | x)
    status: Words
    why: Words
    outputs: tuple[Words, ...]  # greedy, beam
    totals_of: tuple[float, float]  # their log P
    scores_of: tuple[float, float]  # divided by length^penalty
    ended: tuple[bool, bool]
    truth: Words | None  # the right output, where it is known
    right: tuple[bool | None, bool | None]  # greedy, beam
    changed: Places  # of the beam’s output that are not in what greedy says
    by_width: np.ndarray  # (8,) log P of the answer of each width, without a length penalty
    exact: Words  # the most probable output of all; empty if too many beginnings were worth a try
    exact_total: float
    exact_right: bool | None
    had: bool  # the exact best is among the beam’s finished outputs
    pruned: int

    def limits(self) -> dict[str, bool]:
        adds = MODELS[self.model][0] == "addition"
        return {"source": not adds, "addends": adds}

    def idle(self) -> dict[str, str]:
        return {"penalty": "Greedy ends one output only: nothing to choose among."} if self.width == 1 else {}


def task_of(model: str) -> Task:
    return TASKS[MODELS[model][0]]


@memoize
def tree(model: str, source: Tokens, width: int, penalty: float, shown: int = 0) -> Tree:
    task, name = MODELS[model]
    return decoding.beam(load_model(name).writer(source), width, LIMIT[task], penalty, shown)


@memoize
def exact(model: str, source: Tokens) -> Hypothesis | None:
    """By full search, where a beginning less probable than a finished output is left; none if that is still too much work."""
    task, name = MODELS[model]
    writer = load_model(name).writer(source)
    try:
        return decoding.exhaustive(writer, LIMIT[task], range(len(TASKS[task].target)), BEGINNINGS)
    except InputError:
        return None


def beam(model: str, source: str, addends: str, width: int, penalty: float) -> Searched:
    task = task_of(model)
    ids = (
        read_source(addends, "addends", task)
        if task.name == "addition"
        else read_source(source, "source", task)
    )
    words = task.source.tokens(ids)
    grown = tree(model, ids, width, penalty, 3 if width == 1 else 2)
    greedy, best = tree(model, ids, 1, penalty), exact(model, ids)
    truth, outputs = (
        reference_for(task, words),
        tuple(task.target.tokens(found.tokens()) for found in (greedy, grown)),
    )
    return Searched(
        model=model,
        source=words,
        width=width,
        penalty=penalty,
        words=task.target.tokens(node.token for node in grown.nodes),
        parents=tuple(node.parent for node in grown.nodes),
        totals=np.array([node.total for node in grown.nodes]),
        status=tuple(node.status for node in grown.nodes),
        why=tuple(node.why for node in grown.nodes),
        outputs=outputs,
        totals_of=(greedy.best.total, grown.best.total),
        scores_of=(greedy.best.score, grown.best.score),
        ended=(bool(greedy.finished), bool(grown.finished)),
        truth=truth,
        right=(matches_reference(outputs[0], truth), matches_reference(outputs[1], truth)),
        changed=differing_positions(*outputs)[1],
        by_width=np.array([tree(model, ids, width, 0.0).best.total for width in WIDTHS]),
        exact=task.target.tokens(best.tokens) if best else (),
        exact_total=best.total if best else float("nan"),
        exact_right=matches_reference(task.target.tokens(best.tokens), truth) if best else None,
        had=best is not None and best.tokens in map(grown.tokens, grown.finished),
        pruned=sum(node.status == "pruned" for node in grown.nodes),
    )
