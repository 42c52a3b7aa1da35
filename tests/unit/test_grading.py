"""Experiment `bleu` of lesson `decoding`: what the grades say about chosen candidates."""

import pytest

from lessons.decoding.bleu import views
from lessons.decoding.bleu.compute import SENTENCES, compute
from lessons.decoding.bleu.exercises import OPPOSITE, PARAPHRASE
from lessons.kit.contract import InputError
from lessons.kit.notices import collect_notices
from tests.says import assert_says

FIRST = next(iter(SENTENCES))


def test_bleu_prefers_a_wrong_sentence_to_a_paraphrase():
    wrong, right = compute(FIRST, OPPOSITE, False), compute(FIRST, PARAPHRASE, False)
    assert wrong.bleu > right.bleu
    assert compute(FIRST, PARAPHRASE, True).is_exact, "the second reference has it"


@pytest.mark.parametrize("source", SENTENCES)
def test_every_offered_candidate_is_graded(source):
    for second in (False, True):
        for text in SENTENCES[source].candidates:
            run = compute(source, text, second)
            assert len(run.matched) == len(run.candidate)
            assert sum(run.matched) == run.shared[0]
            assert_says(views.reading(run), round(run.chrf, 1) if not run.is_exact else round(run.chrf))


def test_a_word_matches_as_often_as_a_reference_has_it():
    run = compute(FIRST, "le le le", False)
    assert run.matched == (True, False, False)


@pytest.mark.parametrize("text", ["", "  ", "😀" * 50, "le " * 41])
def test_what_cannot_be_graded_is_refused(text):
    with pytest.raises(InputError):
        compute(FIRST, text, False)


def test_unknown_words_are_graded_all_the_same():
    with collect_notices() as notices:
        run = compute(FIRST, "les zorglubs jouent dans le jardin .", False)
    assert "<unk>" in run.model_words
    assert "<unk>" in notices["candidate"]
    assert 0 < run.bleu < 100
    assert run.perplexity > 1
