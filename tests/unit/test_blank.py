"""Sentences with a blank: where the cues are, and how often each word is left out."""

import math
import random
from collections import Counter, defaultdict

import pytest
import torch
from torch.nn import functional as F

from models.batches import blank_question, sense_batches, sense_question
from models.data import questions
from models.measure import blank_metrics
from models.tasks.bank import BANK, BLANK
from models.tasks.blank import CUE_SIDES, NOWHERE, draw_blanks, frames, frequencies, leave_out
from models.tasks.sense_sentences import UNKNOWN, draw_sentences
from models.tasks.task import SPLITS
from models.zoo import build

BLANKS = {split: draw_blanks(split, 4000) for split in SPLITS}


def test_frequencies_fall_with_the_rank():
    assert sum(frequencies(6)) == pytest.approx(1)
    assert [frequencies(6)[0] / often for often in frequencies(6)] == pytest.approx([1, 2, 3, 4, 5, 6])


def test_splits_share_no_blank():
    asked = {split: {gap.tokens for gap in gaps} for split, gaps in BLANKS.items()}
    assert not asked["train"] & asked["test"]
    assert not asked["train"] & asked["validation"]
    assert not asked["validation"] & asked["test"]


@pytest.mark.parametrize("split", SPLITS)
def test_sentences_have_one_blank_one_ambiguous_word_and_cues_on_the_named_side(split):
    for gap in BLANKS[split]:
        assert [n for n, token in enumerate(gap.tokens) if token == BLANK] == [gap.place]
        assert [n for n, token in enumerate(gap.tokens) if token in BANK.scenes] == [gap.position]
        assert gap.tokens[gap.position] == gap.word
        cues = {sense: set(BANK.cues_of(gap.word, sense)) for sense in BANK.senses[gap.word]}
        assert gap.filled in cues[gap.sense]
        found = [n for n, token in enumerate(gap.tokens) if token in set.union(*cues.values())]
        assert {gap.tokens[n] for n in found} <= cues[gap.sense]  # all cues support the same sense
        sides = {"left" if n < gap.place else "right" for n in found}
        assert gap.cue_side == ("both" if len(sides) == 2 else next(iter(sides), "nowhere"))


def test_kinds_are_balanced_and_come_in_pairs():
    assert Counter(gap.cue_side for gap in BLANKS["test"]) == dict.fromkeys(CUE_SIDES, 1000)
    for one, other in zip(BLANKS["test"][::2], BLANKS["test"][1::2], strict=True):
        assert (one.word, one.cue_side, one.place, one.position) == (
            other.word,
            other.cue_side,
            other.place,
            other.position,
        )
        assert one.sense != other.sense
        assert (one.tokens == other.tokens) == (
            one.cue_side == NOWHERE
        )  # without a cue, the same sentence fits both senses


def test_shares_agree_with_the_frequencies():
    seen = defaultdict(Counter)
    for gap in draw_blanks("train", 16_000):
        rank = next(
            cues for scene in BANK.scenes[gap.word] if gap.filled in (cues := scene.cues[gap.sense])
        ).index(gap.filled)
        seen[gap.cue_side == NOWHERE][rank, round(gap.share, 6)] += 1
    for nowhere, counts in seen.items():
        assert len(counts) == 6  # one probability for each rank
        for (rank, share), count in counts.items():
            assert share == pytest.approx(frequencies(6)[rank] / (2 if nowhere else 1), abs=1e-6)
            assert count / counts.total() == pytest.approx(frequencies(6)[rank], abs=0.02)


def test_same_seed_gives_same_blanks():
    assert draw_blanks("test", 50, seed=1) == draw_blanks("test", 50, seed=1)
    assert draw_blanks("test", 50, seed=1) != draw_blanks("test", 50, seed=2)
    with pytest.raises(ValueError, match="split is one of"):
        draw_blanks("tests", 1)


def test_questions_ask_for_words_and_senses():
    """One half of them about sentences with a blank asks for the word, the other half for the sense."""
    asked = questions("train", 4000)
    is_blank_asked = Counter(
        (question.tokens.index(BLANK) == question.position) for question in asked if BLANK in question.tokens
    )
    assert is_blank_asked[True] == is_blank_asked[False] > 1300
    assert sum(BLANK not in question.tokens for question in asked) == 1000
    gaps = draw_blanks("train", 500)
    assert {*map(blank_question, gaps), *map(sense_question, gaps)} <= {*asked}


def test_any_word_of_an_everyday_sentence_can_be_left_out():
    rng, filled = random.Random(0), Counter()
    for sentence in draw_sentences("train", 3000):
        gap = leave_out(sentence, rng)
        if gap is None:
            continue
        assert gap.sentence.tokens[gap.place] == BLANK
        assert gap.sentence.tokens[sentence.position] == sentence.word
        restored = (*gap.sentence.tokens[: gap.place], gap.filled, *gap.sentence.tokens[gap.place + 1 :])
        assert restored == sentence.tokens
        filled[gap.filled] += 1
    assert not {*filled} & {UNKNOWN, *".,?!"}
    assert len(filled) > 500
    assert filled["the"] < 3000 / 10


def test_everyday_blanks_leave_the_frequencies_of_the_task_exact():
    """A blank of the task, without cue, may not be asked with another distribution of words."""
    cueless = {" ".join(gap.tokens).rstrip(" .") for gap in BLANKS["train"] if gap.cue_side == NOWHERE}
    assert len(cueless & frames()) > len(cueless) / 2
    rng = random.Random(0)
    gaps = [leave_out(sentence, rng) for sentence in draw_sentences("train", 4000)]
    assert not {" ".join(gap.sentence.tokens).rstrip(" .!") for gap in gaps if gap} & frames()


def test_perplexity_agrees_with_torch():
    """Perplexity equals exp(cross_entropy), and the ideal perplexity follows from the true frequencies."""
    sizes = {"words": len(BANK.vocabulary), "answers": len(BANK.answers)}
    model, gaps = build("sense", {**sizes, "two_sided": True}).eval(), draw_blanks("test", 400)
    with torch.inference_mode():
        figures = blank_metrics(model, gaps)
        for told in CUE_SIDES:
            some = [gap for gap in gaps if gap.cue_side == told]
            ((inputs, answers),) = sense_batches([*map(blank_question, some)], BANK, len(some))
            assert figures[told]["perplexity"] == pytest.approx(
                F.cross_entropy(model(*inputs), answers).exp().item(), rel=1e-3
            )
            assert figures[told]["ideal"] == pytest.approx(
                math.exp(-sum(math.log(gap.share) for gap in some) / len(some)), rel=1e-3
            )
            assert figures[told]["count"] == len(some) == 100
