"""Greedy search, beam search with its tree, and exact search, for a translator or an addition model."""

from dataclasses import dataclass

import numpy as np

from lessons.kit.checkpoints import Tokens, Words
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.kit.references import Positions, differing_positions, matches_reference
from lessons.kit.translator import Translator
from models import decoding
from models.decoding import Hypothesis, Tree

WEAK_MODEL = "translator, one vector"
ADDITION = "addition"
MODELS = {
    WEAK_MODEL: Translator("translation-none-8-s0"),  # a model of the small world
    "translator, attention": Translator("everyday-additive-64-s0"),
    ADDITION: Translator("addition-none-128-s0"),
}
WIDTHS = tuple(range(1, 9))
MAX_TOKENS, MAX_DIGITS = 40, 10  # maximum length of an output, including <eos>
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
        is_addition = self.model == ADDITION
        return {"source": not is_addition, "addends": is_addition}

    def idle(self) -> dict[str, str]:
        return (
            {"penalty": "Greedy search has a single output: no other to prefer."} if self.width == 1 else {}
        )


@memoize
def search_tree(model: str, source: Tokens, width: int, penalty: float, shown: int = 0) -> Tree:
    return decoding.beam(MODELS[model].model.writer(source), width, max_tokens(model), penalty, shown)


def max_tokens(model: str) -> int:
    return MAX_DIGITS if model == ADDITION else MAX_TOKENS


@memoize
def find_exact_best(model: str, source: Tokens) -> Hypothesis | None:
    """Find the most probable output by exhaustive search; None if there are too many prefixes to try.

    Prefixes less probable than a finished output are skipped: longer outputs can only be less probable.
    """
    translator = MODELS[model]
    tokens = range(len(translator.task.target))
    try:
        return decoding.exhaustive(translator.model.writer(source), max_tokens(model), tokens, MAX_PREFIXES)
    except InputError:
        return None


def compute(model: str, source: str, addends: str, width: int, penalty: float) -> Searched:
    translator, task = MODELS[model], MODELS[model].task
    if model == ADDITION:
        tokens = translator.read(addends, "addends")
        words = shown = translator.source_words(tokens)
    else:
        sentence = translator.read_typed(source)
        words, shown = sentence.words, sentence.shown
        tokens = translator.ids(words)
    beam = search_tree(model, tokens, width, penalty, 3 if width == 1 else 2)
    greedy, exact = search_tree(model, tokens, 1, penalty), find_exact_best(model, tokens)
    reference = translator.reference(words, ())
    greedy_output, beam_output = (task.target.tokens(tree.tokens()) for tree in (greedy, beam))
    exact_output = task.target.tokens(exact.tokens) if exact else ()
    return Searched(
        model=model,
        source=shown,
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
