"""Measures of text: perplexity, loops, probability of repeated phrases, histograms of samples."""

import math

import pytest
import torch

from models.decoding import (
    Loop,
    distinct,
    find_loop,
    histogram,
    perplexity,
    phrase_logprobs,
    phrase_probability,
    score,
)
from models.vocabulary import InputError
from tests.writer import Table


def test_perplexity():
    assert perplexity([math.log(1 / 8)] * 5) == pytest.approx(8)
    assert perplexity([math.log(0.5), math.log(0.125)]) == pytest.approx(4)
    assert perplexity([-1.0, -math.inf]) == math.inf
    with pytest.raises(InputError):
        perplexity([])


@pytest.mark.parametrize(
    ("text", "loop"),
    [
        ("xababab", ("ab", 3)),
        ("abababa", ("ba", 3)),
        ("abcabcabcabc", ("abc", 4)),
        ("xyzabab", None),
        ("abababx", None),
        ("aaaaa", None),
        ("aaaaaa", ("aa", 3)),
        ("", None),
        ("abcdabcdabcd", ("abcd", 3)),
        ("xxxabcabcabc", ("abc", 3)),
    ],
)
def test_repeats(text, loop):
    assert find_loop([*map(ord, text)]) == (loop and Loop(tuple(map(ord, loop[0])), loop[1]))


def test_distinct():
    assert distinct((1, 2, 1, 2), 1) == 0.5
    assert distinct((1, 2, 1, 2), 2) == pytest.approx(2 / 3)
    assert distinct((1, 2, 3), 2) == 1
    assert distinct((1,), 2) == 0
    with pytest.raises(InputError):
        distinct((1,), 0)


def test_phrase_probability_reads_one_walk():
    table = Table(13)
    prompt, phrase, times = (3, 4), (5, 6, 3), (0, 1, 4, 2)
    found = phrase_probability(table, prompt, phrase, times)
    assert table.calls == len(prompt) + 5 * len(phrase)
    for r, probability in zip(times, found, strict=True):
        context = (*prompt, *phrase * r)
        factors = [table.log_p((*context, *phrase[:t]))[token] for t, token in enumerate(phrase)]
        assert probability == pytest.approx(math.exp(sum(factors)))
        assert phrase_logprobs(table, prompt, phrase, 4)[r].tolist() == pytest.approx(factors)
    assert phrase_probability(table, (), phrase, (0,)) == pytest.approx(
        [math.exp(score(table, phrase).total)]
    )
    for wrong in (((), (0,)), (phrase, ()), (phrase, (-1,))):
        with pytest.raises(InputError):
            phrase_probability(table, prompt, *wrong)


def test_histogram_approaches_the_distribution():
    p = torch.tensor([0.5, 0.0, 0.3, 0.2])
    few, many = histogram(p, 50, 3), histogram(p, 50_000, 3)
    assert (few.counts.sum(), many.counts.sum()) == (50, 50_000)
    assert few.counts[1] == many.counts[1] == 0
    assert many.distance < 0.01 < few.distance
    assert few.distance == pytest.approx((few.counts / 50 - p).abs().sum().item() / 2, abs=1e-6)
    assert torch.equal(histogram(p, 50, 3).counts, few.counts)
    added = histogram(p, 60, 3).counts - few.counts
    assert added.sum() == 10
    assert bool((added >= 0).all()), "more draws add to the first ones"
    with pytest.raises(InputError):
        histogram(p, 0, 3)
