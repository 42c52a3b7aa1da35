"""BLEU and chrF written out agree with sacrebleu; clipping and brevity by hand."""

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF

from models.overlap import bleu, chrf, ngrams

TOKENS = "le la chien chat ne pas dort mange . jardin".split()
WORDS = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=14)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_bleu_agrees_with_sacrebleu(candidate, references):
    oracle = BLEU(smooth_method="none", tokenize="none", effective_order=False)
    expected = oracle.sentence_score(" ".join(candidate), [" ".join(reference) for reference in references])
    found = bleu(candidate, references)
    assert found.score == pytest.approx(expected.score, abs=1e-6)
    assert found.brevity == pytest.approx(expected.bp)
    assert [order.matched for order in found.orders] == expected.counts
    assert [order.total for order in found.orders] == expected.totals


@given(WORDS, st.lists(WORDS, min_size=1, max_size=2))
def test_chrf_agrees_with_sacrebleu(candidate, references):
    one, others = " ".join(candidate), [" ".join(reference) for reference in references]
    expected = max(CHRF(eps_smoothing=False).sentence_score(one, [other]).score for other in others)
    assert chrf(one, others) == pytest.approx(expected, abs=1e-6)


def test_clipping_by_hand():
    found = bleu(["le"] * 5, ["le chien dort .".split()])
    assert (found.orders[0].matched, found.orders[0].total) == (1, 5)
    assert found.score == 0
    twice = bleu(["le"] * 5, ["le chien dort .".split(), "le chat et le chien .".split()])
    assert twice.orders[0].matched == 2, "the reference that has it most often counts"


def test_brevity_by_hand():
    assert bleu("le chien".split(), ["le chien dort .".split()]).brevity == pytest.approx(exp(-1))
    assert bleu("le chien dort . .".split(), ["le chien dort .".split()]).brevity == 1
    assert bleu([], ["le".split()]).brevity == 0


def test_ngrams_by_hand():
    assert ngrams("a b a b".split(), 2) == {("a", "b"): 2, ("b", "a"): 1}
    assert not ngrams(["a"], 2)


def test_texts_without_a_common_character_get_nothing():
    assert chrf("abc", ["xyz"]) == chrf("", ["xyz"]) == 0
    assert chrf("abc", ["abc"]) == pytest.approx(100)
