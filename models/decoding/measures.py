"""Measures of texts: perplexity, loops, distinct n-grams, and histograms of samples.

Used in lesson `decoding`, experiments `loop`, `gallery` and `histogram`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from models.decoding.writer import Writer
from models.decoding.writing import sample_ids, score, uniforms
from models.vocabulary import InputError


def perplexity(logprobs: Sequence[float]) -> float:
    """exp(-mean log P): the number of equally likely tokens with the same uncertainty. Natural logarithms."""
    if not logprobs:
        raise InputError("Give at least one word.")
    mean = sum(logprobs) / len(logprobs)
    return math.exp(-mean) if mean > -700 else math.inf


@dataclass(frozen=True)
class Loop:
    """The phrase that a text repeats at its end."""

    phrase: tuple[int, ...]
    times: int


def find_loop(tokens: Sequence[int]) -> Loop | None:
    """Find a loop at the end of a text: 2 or more tokens, 3 or more times (Holtzman et al. 2020); else None.

    The text must not contain the end token. If several phrases fit, the shortest is returned.
    """
    tokens = tuple(tokens)
    for n in range(2, len(tokens) // 3 + 1):
        phrase, times = tokens[-n:], 1
        while tokens[-n * (times + 1) : -n * times] == phrase:
            times += 1
        if times >= 3:
            return Loop(phrase, times)
    return None


def distinct(tokens: Sequence[int], n: int) -> float:
    """Distinct n-grams / all n-grams: 1 if no n-gram repeats; 0 for a text shorter than n."""
    if n < 1:
        raise InputError("Count phrases of at least one word.")
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return len(set(grams)) / len(grams) if grams else 0.0


def phrase_logprobs(writer: Writer, prompt: Sequence[int], phrase: Sequence[int], max_repeats: int) -> Tensor:
    """log P of each token of the phrase after 0, 1, ... repeats of it: (max_repeats + 1, len(phrase)).

    One pass over the longest text gives all rows.
    """
    if not phrase or max_repeats < 0:
        raise InputError("Give a phrase of at least one word, and how often it has been said: 0 or more.")
    scored = score(writer, (*prompt, *(tuple(phrase) * (max_repeats + 1))))
    logprobs = torch.tensor(scored.logprobs[len(prompt) :], dtype=torch.float64)
    return logprobs.view(max_repeats + 1, len(phrase))


def phrase_probability(
    writer: Writer, prompt: Sequence[int], phrase: Sequence[int], repeats: Sequence[int]
) -> tuple[float, ...]:
    """P(phrase | prompt, then the phrase r times) for each r in `repeats`."""
    if not repeats or min(repeats) < 0:
        raise InputError("Say how often the phrase comes first: 0 or more.")
    probabilities = phrase_logprobs(writer, prompt, phrase, max(repeats)).sum(-1).exp().tolist()
    return tuple(probabilities[r] for r in repeats)


@dataclass(frozen=True)
class Histogram:
    counts: Tensor  # (V,) how often each word was drawn
    distance: float  # total variation distance ½ Σ |counts / n - p|, from 0 to 1


def histogram(probabilities: Tensor, n: int, seed: int) -> Histogram:
    """Draw n words from one distribution (V,). A larger n with the same seed only adds draws."""
    return histograms(probabilities, (n,), seed)[0]


def histograms(probabilities: Tensor, sizes: Sequence[int], seed: int) -> list[Histogram]:
    """Histograms after each number of draws in `sizes`."""
    if not 1 <= min(sizes) <= max(sizes) <= 1_000_000:
        raise InputError("Draw 1 to 1,000,000 times.")
    p = probabilities.double() / probabilities.double().sum()  # (V,)
    words = sample_ids(p.unsqueeze(0), uniforms(seed, max(sizes)).unsqueeze(0)).squeeze(0)  # (n,)
    counts = [words[:n].bincount(minlength=len(p)) for n in sizes]  # (V,) each
    return [
        Histogram(count, (count / n - p).abs().sum().item() / 2)
        for n, count in zip(sizes, counts, strict=True)
    ]
