"""From probabilities to text: how the next token is chosen, and what each way of choosing leads to. Lesson decoding.

writer     what a model offers a search: the next token's logits, many hypotheses at once
filters    temperature, top-k, top-p and their kin: pure functions on logits, every stage kept
writing    one token after another: greedy, sampled, or forced to score a given text
search     beam search with its whole tree, and the exact best of a tiny task
measures   perplexity, loops, variety, and how samples approach a distribution
"""

from models.decoding.filters import (
    STAGES,
    Settings,
    Stage,
    adjust,
    entropy,
    min_p,
    no_repeat,
    penalise,
    stages,
    temper,
    top_k,
    top_p,
)
from models.decoding.measures import (
    Histogram,
    Loop,
    distinct,
    histogram,
    histograms,
    perplexity,
    phrase_logprobs,
    phrase_probability,
    find_loop,
)
from models.decoding.search import Node, Tree, beam, exhaustive
from models.decoding.writer import Hypothesis, State, Writer, select
from models.decoding.writing import draw, greedy, sample, samples, score, uniforms

__all__ = [
    "STAGES",
    "Histogram",
    "Hypothesis",
    "Loop",
    "Node",
    "Settings",
    "Stage",
    "State",
    "Tree",
    "Writer",
    "adjust",
    "beam",
    "distinct",
    "draw",
    "entropy",
    "exhaustive",
    "greedy",
    "histogram",
    "histograms",
    "min_p",
    "no_repeat",
    "penalise",
    "perplexity",
    "phrase_logprobs",
    "phrase_probability",
    "find_loop",
    "sample",
    "samples",
    "score",
    "select",
    "stages",
    "temper",
    "top_k",
    "top_p",
    "uniforms",
]
