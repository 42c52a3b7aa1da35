"""Greedy search, beam search with its tree, and exact search, for a translator or an addition model."""

from dataclasses import dataclass

import numpy as np

from lessons.kit.checkpoints import Tokens, Words, load_model, read_source
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.kit.references import Positions, differing_positions, matches_reference, reference_for
from models import decoding
from models.decoding import Hypothesis, Tree
from models.tasks import TASKS

WEAK_MODEL = "translator, one vector"
MODELS = {  # name → task, checkpoint
    WEAK_MODEL: ("translation", "translation-none-8-s0"),
    "translator, attention": ("translation", "translation-additive-64-s0"),
    "addition": ("addition", "addition-none-128-s0"),
}
WIDTHS = tuple(range(1, 9))
MAX_TOKENS = {"translation": 40, "addition": 6}  # including <eos>
MAX_PREFIXES = 4000  # maximum number of prefixes that the exact search tries
SAME_LOG_P = 0.005  # smaller differences are invisible at two decimals


@dataclass(frozen=True)
class Searched(Result):
    model: str
    source: Words
    width: int
    penalty: float
    words: Words  # word at each node of the tree
    parents: tuple[int | None, ...]
    totals: np.ndarray  # (nodes,) log P(y_1 .. y_t | x)
    status: Words
    why: Words
    outputs: tuple[Words, ...]  # greedy, beam
    totals_of: tuple[float, float]  # log P of the two outputs
    scores_of: tuple[float, float]  # log P of the two outputs, divided by length^penalty
    ended: tuple[bool, bool]
    truth: Words | None  # reference output, if known
    right: tuple[bool | None, bool | None]  # whether the output is correct: greedy, beam
    changed: Positions  # positions in the beam's output that differ from the greedy output
    by_width: np.ndarray  # (8,) log P of the output for each beam width, without a length penalty
    exact: Words  # the most probable of all outputs; empty if there were too many prefixes to try
    exact_total: float
    exact_right: bool | None
    had: bool  # whether the exact best output is among the beam's finished outputs
    pruned: int

    def limits(self) -> dict[str, bool]:
        is_addition = MODELS[self.model][0] == "addition"
        return {"source": not is_addition, "addends": is_addition}

    def idle(self) -> dict[str, str]:
        return (
            {"penalty": "Greedy search has a single output: no other to prefer."} if self.width == 1 else {}
        )


@memoize
def search_tree(model: str, source: Tokens, width: int, penalty: float, shown: int = 0) -> Tree:
    task, checkpoint = MODELS[model]
    return decoding.beam(load_model(checkpoint).writer(source), width, MAX_TOKENS[task], penalty, shown)


@memoize
def find_exact_best(model: str, source: Tokens) -> Hypothesis | None:
    """Find the most probable output by exhaustive search; None if there are too many prefixes to try.

    Prefixes less probable than a finished output are skipped: longer outputs can only be less probable.
    """
    task, checkpoint = MODELS[model]
    writer = load_model(checkpoint).writer(source)
    try:
        return decoding.exhaustive(writer, MAX_TOKENS[task], range(len(TASKS[task].target)), MAX_PREFIXES)
    except InputError:
        return None


def compute(model: str, source: str, addends: str, width: int, penalty: float) -> Searched:
    task = TASKS[MODELS[model][0]]
    text, control = (addends, "addends") if task.name == "addition" else (source, "source")
    tokens = read_source(text, control, task)
    words = task.source.tokens(tokens)
    beam = search_tree(model, tokens, width, penalty, 3 if width == 1 else 2)
    greedy, exact = search_tree(model, tokens, 1, penalty), find_exact_best(model, tokens)
    reference = reference_for(task, words)
    greedy_output, beam_output = (task.target.tokens(tree.tokens()) for tree in (greedy, beam))
    exact_output = task.target.tokens(exact.tokens) if exact else ()
    return Searched(
        model=model,
        source=words,
        width=width,
        penalty=penalty,
        words=task.target.tokens(node.token for node in beam.nodes),
        parents=tuple(node.parent for node in beam.nodes),
        totals=np.array([node.total for node in beam.nodes]),
        status=tuple(node.status for node in beam.nodes),
        why=tuple(node.why for node in beam.nodes),
        outputs=(greedy_output, beam_output),
        totals_of=(greedy.best.total, beam.best.total),
        scores_of=(greedy.best.score, beam.best.score),
        ended=(bool(greedy.finished), bool(beam.finished)),
        truth=reference,
        right=(matches_reference(greedy_output, reference), matches_reference(beam_output, reference)),
        changed=differing_positions(greedy_output, beam_output)[1],
        by_width=np.array([search_tree(model, tokens, width, 0.0).best.total for width in WIDTHS]),
        exact=exact_output,
        exact_total=exact.total if exact else float("nan"),
        exact_right=matches_reference(exact_output, reference) if exact else None,
        had=exact is not None and exact.tokens in map(beam.tokens, beam.finished),
        pruned=sum(node.status == "pruned" for node in beam.nodes),
    )
