"""Decoding: how the next token is chosen, and measures of the resulting texts (lesson `decoding`).

writer     interface of models that write: logits of the next token, many hypotheses at once
filters    temperature, top-k, top-p and others: pure functions on logits
writing    token by token: greedy, sampled, or forced (to score a given text)
search     beam search that returns its search tree, and exact search for tiny tasks
measures   perplexity, loops, distinct n-grams, histograms of samples
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
    find_loop,
    histogram,
    histograms,
    perplexity,
    phrase_logprobs,
    phrase_probability,
)
from models.decoding.search import Node, Tree, beam, exhaustive
from models.decoding.writer import Hypothesis, State, Writer, select
from models.decoding.writing import greedy, sample, sample_ids, samples, score, uniforms

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
    "entropy",
    "exhaustive",
    "find_loop",
    "greedy",
    "histogram",
    "histograms",
    "min_p",
    "no_repeat",
    "penalise",
    "perplexity",
    "phrase_logprobs",
    "phrase_probability",
    "sample",
    "sample_ids",
    "samples",
    "score",
    "select",
    "stages",
    "temper",
    "top_k",
    "top_p",
    "uniforms",
]
