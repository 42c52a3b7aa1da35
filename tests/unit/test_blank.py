"""Sentences with one word left out: where the cues stand, and how often each word is the one left out."""

import math
from collections import Counter, defaultdict

import pytest
import torch
from torch.nn import functional as F

from models.batches import sense_question, blank_question, sense_batches
from models.data import questions
from models.measure import blank_figures
from models.tasks.bank import BANK, BLANK
from models.tasks.blank import NOWHERE, TOLD, blanks, frequencies
from models.tasks.task import SPLITS
from models.vocabulary import InputError
from models.zoo import build
from tests.says import assert_says

MANY = {split: blanks(split, 4000) for split in SPLITS}


def test_frequencies_fall_with_the_rank():
    assert sum(frequencies(6)) == pytest.approx(1)
    assert [frequencies(6)[0] / often for often in frequencies(6)] == pytest.approx([1, 2, 3, 4, 5, 6])


def test_a_sentence_with_its_blank_belongs_to_one_split():
    asked = {split: {gap.tokens for gap in gaps} for split, gaps in MANY.items()}
    assert not asked["train"] & asked["test"]
    assert not asked["train"] & asked["validation"]
    assert not asked["validation"] & asked["test"]


@pytest.mark.parametrize("split", SPLITS)
def test_one_blank_one_ambiguous_word_and_cues_where_it_says(split):
    for gap in MANY[split]:
        assert [n for n, token in enumerate(gap.tokens) if token == BLANK] == [gap.place]
        assert [n for n, token in enumerate(gap.tokens) if token in BANK.scenes] == [gap.position]
        assert gap.tokens[gap.position] == gap.word
        cues = {sense: set(BANK.fitting(gap.word, sense)) for sense in BANK.senses[gap.word]}
        assert gap.filled in cues[gap.sense]
        found = [n for n, token in enumerate(gap.tokens) if token in set.union(*cues.values())]
        assert {gap.tokens[n] for n in found} <= cues[gap.sense]  # no cue contradicts another
        sides = {"left" if n < gap.place else "right" for n in found}
        assert gap.told == ("both" if len(sides) == 2 else next(iter(sides), "nowhere"))
        assert BANK.read_blank(" ".join(gap.tokens).capitalize()) == (gap.tokens, gap.position, gap.place)


def test_as_many_of_each_kind_in_twins():
    assert Counter(gap.told for gap in MANY["test"]) == dict.fromkeys(TOLD, 1000)
    for one, other in zip(MANY["test"][::2], MANY["test"][1::2], strict=True):
        assert (one.word, one.told, one.place, one.position) == (
            other.word,
            other.told,
            other.place,
            other.position,
        )
        assert one.sense != other.sense
        assert (one.tokens == other.tokens) == (
            one.told == NOWHERE
        )  # where nothing tells, both senses fit the same sentence


def test_shares_are_how_often_a_word_is_left_out():
    seen = defaultdict(Counter)
    for gap in blanks("train", 16_000):
        rank = next(
            cues for scene in BANK.scenes[gap.word] if gap.filled in (cues := scene.cues[gap.sense])
        ).index(gap.filled)
        seen[gap.told == NOWHERE][rank, round(gap.share, 6)] += 1
    for nowhere, counts in seen.items():
        assert len(counts) == 6  # one share for each rank
        for (rank, share), count in counts.items():
            assert share == pytest.approx(frequencies(6)[rank] / (2 if nowhere else 1), abs=1e-6)
            assert count / counts.total() == pytest.approx(frequencies(6)[rank], abs=0.02)


def test_the_same_for_the_same_seed():
    assert blanks("test", 50, seed=1) == blanks("test", 50, seed=1)
    assert blanks("test", 50, seed=1) != blanks("test", 50, seed=2)
    with pytest.raises(ValueError, match="split is one of"):
        blanks("tests", 1)


def test_every_kind_of_sentence_is_asked_for_its_word_and_for_its_sense():
    asked = Counter(
        (question.tokens.index(BLANK) == question.place)
        for question in questions("train", 3000)
        if BLANK in question.tokens
    )
    assert asked == {True: 1000, False: 1000}
    gaps = blanks("train", 1000)
    assert {*map(blank_question, gaps), *map(sense_question, gaps)} <= {*questions("train", 3000)}


def test_the_perplexity_is_that_of_torch():
    """Of a model that was never trained, against torch's own loss; of the ideal reader, against the entropy of the ranks."""
    sizes = {"words": len(BANK.vocabulary), "answers": len(BANK.answers)}
    model, gaps = build("sense", {**sizes, "two_sided": True}).eval(), blanks("test", 400)
    with torch.inference_mode():
        figures = blank_figures(model, gaps)
        for told in TOLD:
            some = [gap for gap in gaps if gap.told == told]
            ((inputs, answers),) = sense_batches([*map(blank_question, some)], BANK, len(some))
            assert figures[told]["perplexity"] == pytest.approx(
                F.cross_entropy(model(*inputs), answers).exp().item(), rel=1e-3
            )
            assert figures[told]["ideal"] == pytest.approx(
                math.exp(-sum(math.log(gap.share) for gap in some) / len(some)), rel=1e-3
            )
            assert figures[told]["count"] == len(some) == 100


# Typed sentences


@pytest.mark.parametrize("gap", ["___", "_", "__________", "___."])
def test_any_run_of_underscores_is_the_blank(gap):
    tokens, position, place = BANK.read_blank(f"I arrived at the bank after crossing the {gap}")
    assert tokens[:9] == (*"i arrived at the bank after crossing the".split(), BLANK)
    assert (position, place) == (4, 8)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("i arrived at the bank after ___ the ___", ("2 blanks", "one")),
        ("___", tuple(BANK.senses)),
        ("the ___ beside the river", tuple(BANK.senses)),
        ("the bank near the bat and the ___", ("bank", "bat", "one")),
        ("the bank after swimming the ___", ("swimming",)),
        ("the bank ___ " + "the " * 23, ("26 words", 24)),
        ("_ " * 2000, (4000, 24)),
    ],
)
def test_a_sentence_that_cannot_be_used_is_answered(text, facts):
    with pytest.raises(InputError) as complaint:
        BANK.read_blank(text)
    assert_says(str(complaint.value), *facts)


@pytest.mark.parametrize("text", ["", "i arrived at the bank after crossing the river"])
def test_a_sentence_without_a_blank_is_told_how_to_type_one(text):
    with pytest.raises(InputError) as complaint:
        BANK.read_blank(text)
    assert "___" in str(complaint.value)


def test_markup_is_no_word():
    with pytest.raises(InputError) as complaint:
        BANK.read_blank("<script>alert(1)</script> the bank ___")
    assert "“script”" in str(complaint.value)
