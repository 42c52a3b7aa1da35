"""A blank: what each model can know at it."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.qkv import (
    LESSON,
    blank,
)
from lessons.qkv.sense_models import CHECKPOINTS, LEFT_TO_RIGHT, TWO_SIDED
from models.tasks import BANK
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)
LEFT, BOTH = (list(CHECKPOINTS).index(reader) for reader in (LEFT_TO_RIGHT, TWO_SIDED))
MONEY, OF_RIVER = range(2)


def test_cue_right_of_the_blank_reaches_only_the_two_sided_model():
    muddy, bankrupt = EXPERIMENTS["blank"].run(), preset("blank", "Another bank")
    assert muddy.decided_sense(BOTH) == OF_RIVER
    assert bankrupt.decided_sense(BOTH) == MONEY
    assert (blank.views.write_fill(muddy, BOTH), blank.views.write_fill(bankrupt, BOTH)) == (
        "river",
        "street",
    )
    assert muddy.decided_sense(LEFT) is None
    np.testing.assert_array_equal(muddy.chances[LEFT], bankrupt.chances[LEFT])
    assert_says(
        blank.views.reading(muddy),
        "river",
        muddy.best_words[BOTH][OF_RIVER][1],
        muddy.sense_totals[BOTH, OF_RIVER],
    )
    assert_says(blank.views.compare_models(muddy), "right of the blank", "only", "bidirectional")


def test_cue_left_of_the_blank_reaches_both_models():
    run = preset("blank", "Muddy first")
    assert sorted(run.words) == sorted(
        [*EXPERIMENTS["blank"].run().words[:9], "when", *"it was muddy .".split()]
    )
    assert (run.decided_sense(LEFT), run.decided_sense(BOTH)) == (OF_RIVER, OF_RIVER)
    assert_says(blank.views.compare_models(run), "left of the blank", "both")
    accuracies = {
        side: [np.mean(run.measured[side][reader].fits) for reader in run.readers]
        for side in ("left", "right")
    }
    right, _, left = blank.views.counted(run).partition("left of the blank")
    assert_says(left, *accuracies["left"])
    assert_says(right, *accuracies["right"])


def test_reading_says_undecided_without_a_cue():
    run = preset("blank", "No clue")
    assert run.sense_totals == pytest.approx(np.full((2, 2), 0.5), abs=0.15)
    assert run.sense == pytest.approx(np.full((2, 2), 0.5), abs=0.12)
    text = blank.views.reading(run)
    assert text.count("undecided") == 2
    for reader in (LEFT, BOTH):
        assert_says(
            blank.views.describe_fill(run, reader),
            *(fact for pair in run.best_words[reader] for fact in pair),
        )
    assert_says(blank.views.compare_models(run), "neither")
    assert {blank.views.write_fill(run, reader) for reader in (LEFT, BOTH)} <= {
        "street or river",
        "river or street",
    }


def test_reading_mentions_words_right_of_the_blank_only_if_there_are_any():
    """If two cues left of the blank contradict each other, the reading must not mention the right side."""
    run = blank.compute.compute("muddy the bank was bankrupt and it was ___")
    assert run.decided_sense(LEFT) != run.decided_sense(BOTH)
    assert not says(blank.views.compare_models(run), "right of the blank")
    both_sides = blank.compute.compute("the river bank ___ street .")
    assert {both_sides.decided_sense(LEFT), both_sides.decided_sense(BOTH)} == {None}
    # there are two cues, which contradict each other
    assert not says(blank.views.reading(both_sides), "no word")


def test_cue_between_word_and_blank_is_known_only_at_the_blank():
    run = preset("blank", "In between")
    assert run.decided_sense(LEFT) == OF_RIVER
    assert run.sense[LEFT] == pytest.approx([0.5, 0.5], abs=0.12)
    assert run.sense[BOTH, OF_RIVER] > 0.9
    assert run.fitting[6] == "muddy"
    assert_says(
        blank.views.compare_models(run), "between bank and the blank", run.sense[LEFT, OF_RIVER], "only"
    )


def test_left_to_right_model_prefers_other_words_before_the_ambiguous_word():
    run = blank.compute.compute("the ___ was near the bat and the cave .")
    assert run.other_words[LEFT] > 0.5
    assert run.sense[BOTH].argmax() == 0
    assert_says(blank.views.describe_fill(run, LEFT), *run.likeliest[LEFT])
    assert not says(blank.views.describe_fill(run, LEFT), "undecided")
    assert blank.views.write_fill(run, LEFT).endswith(" ?")


@given(st.data())
def test_nothing_right_of_the_blank_reaches_the_left_to_right_model(data):
    start = "i arrived at the bank after crossing the ___"
    known = st.sampled_from(
        [word for word in BANK.vocabulary.words[3:] if word not in BANK.scenes and word != "___"]
    )
    run, longer = (
        blank.compute.compute(start),
        blank.compute.compute(" ".join([start, *data.draw(st.lists(known, max_size=12))])),
    )
    np.testing.assert_allclose(longer.chances[LEFT], run.chances[LEFT], atol=1e-6)
    np.testing.assert_allclose(longer.sense[LEFT], run.sense[LEFT], atol=1e-6)
    assert np.isnan(longer.weights[LEFT, :, run.place + 1 :]).all()


@pytest.mark.parametrize("text", EXPERIMENTS["blank"].controls[0].suggestions[:-1])
def test_suggested_sentences_decide_the_two_sided_model(text):
    run = blank.compute.compute(text)
    assert run.decided_sense(BOTH) is not None
    assert run.sense[BOTH].argmax() == run.decided_sense(BOTH)
    assert run.chances.sum(1) + run.not_shown == pytest.approx([1, 1])


def test_picture_hatches_words_not_seen_from_the_blank():
    run = EXPERIMENTS["blank"].run()
    both, left = blank.views.filled(run).lines
    assert not np.isnan(both.values).any()
    assert np.isnan(left.values).tolist() == [n > run.place for n in range(len(run.words))]
    assert (both.words[run.place], left.changed) == ("river", {run.place})
    assert set(blank.views.words(run).labels) == {*run.fitting, "any other"}
    assert {"filled", "words", "senses"} <= set(EXPERIMENTS["blank"].predict.covers)


@pytest.mark.parametrize("word", BANK.senses)
def test_no_sense_is_cut(word):
    picture = blank.views.senses(EXPERIMENTS["blank"].run({"text": f"we saw the {word} near the ___ ."}))
    assert "…</text>" not in picture.svg()
    assert [sum(sense in label for label in picture.labels) for sense in BANK.senses[word]] == [2, 2]


def test_words_that_tell_neither_sense_have_their_own_group():
    run = EXPERIMENTS["blank"].run({"text": "she ___ to the bank to get some money ."})
    assert run.groups[2] >= 6
    assert sum(run.groups) == len(run.fitting)
    assert run.decided_sense(BOTH) is None
    assert_says(blank.views.words(run).title, "either sense")
    assert_says(
        blank.views.reading(run), *run.likeliest[BOTH], "does not decide the sense", run.sense[BOTH, MONEY]
    )
    cuts = blank.views.words(run).cuts
    assert set(cuts) <= {run.groups[0], run.groups[0] + run.groups[1]}


@pytest.mark.parametrize("word", BANK.senses)
def test_every_cue_tells_its_own_sense(word):
    telling = blank.compute.telling_by_sense(word)
    for sense, words in zip(BANK.senses[word], telling, strict=True):
        assert {*BANK.cues_of(word, sense)} <= {*words}
        assert not {*words} & {*BANK.scenes}
    assert not {*telling[0]} & {*telling[1]}
