"""Lesson `bottleneck`, `bits`: bits of a text, bits of c, and rounding."""

from math import log2

import numpy as np
import pytest
import torch

from lessons.bottleneck import LESSON, bits
from lessons.bottleneck.bits.compute import LANGUAGE_MODEL, bits_of_words, smallest_sufficient
from lessons.kit.checkpoints import TRANSLATION, load_card, load_model
from models import metrics, rounding
from models.vocabulary import Vocabulary
from tests.says import assert_says

EXPERIMENT = LESSON.experiment("bits")
SOURCE = tuple(TRANSLATION.source.ids("the beautiful house was bought .".split()))


@pytest.mark.parametrize("count", [1, 2, 6, 16])
def test_rounding_leaves_so_many_values_and_moves_none_by_more_than_half_an_interval(count):
    c = torch.linspace(-1, 1, 5001)
    rounded = rounding.round_to_bits(c, count)
    assert len(rounded.unique()) == min(2**count, 5001)
    assert (rounded - c).abs().max() <= 2**-count + 1e-6


def test_one_bit_keeps_the_sign():
    assert rounding.round_to_bits(torch.tensor([-0.9, -0.1, 0.1, 0.9]), 1).tolist() == [-0.5, -0.5, 0.5, 0.5]


def test_the_bits_of_a_sentence_are_its_log_probability():
    model, total = load_model(LANGUAGE_MODEL), 0.0
    tokens = [Vocabulary.bos, *SOURCE, Vocabulary.eos]
    for n in range(1, len(tokens)):  # one prefix at a time
        total -= log2(model(torch.tensor([tokens[:n]]))[0, -1].softmax(-1)[tokens[n]].item())
    assert bits_of_words(SOURCE).sum() == pytest.approx(total, abs=1e-3)


def test_the_bound_is_above_what_the_language_model_needs():
    run = EXPERIMENT.run()
    words = len(TRANSLATION.source.words) - 3  # words that can occur in a text: without <pad>, <bos>, <eos>
    assert run.bound == pytest.approx(log2(words + 1))
    perplexity = load_card(LANGUAGE_MODEL).metrics["natural"]["perplexity"]
    assert 2**run.measured == pytest.approx(perplexity)
    assert run.measured < run.bound


def test_enough_bits_are_enough_with_every_larger_number_too():
    assert smallest_sufficient([False, True, False] + [True] * 13) == 4
    assert smallest_sufficient([True] * 16) == 1
    assert smallest_sufficient([True] * 15 + [False]) is None


def test_the_rounded_output_is_that_of_a_model_whose_c_is_rounded():
    run = EXPERIMENT.run({"bits": 2, "code": "64"})
    model = load_model("translation-none-64-s0")
    c = model.run(SOURCE).c
    np.testing.assert_array_equal(run.c[1], rounding.round_to_bits(c, 2).numpy())
    trace = model.run(SOURCE, edits={"c": lambda c, step: rounding.round_to_bits(c, 2)})
    assert TRANSLATION.target.ids(run.rounded) == [token for token in trace.output if token != Vocabulary.eos]
    assert TRANSLATION.target.ids(run.unrounded) == metrics.translate(model, [SOURCE])[0]


def test_sixteen_bits_change_nothing_and_enough_here_is_the_border():
    run = EXPERIMENT.run({"bits": 16})
    assert run.rounded == run.unrounded
    assert_says(bits.views.reading(run), "the same")
    border = run.enough_here
    assert border is not None
    assert EXPERIMENT.run({"bits": border}).rounded == run.unrounded
    assert EXPERIMENT.run({"bits": border - 1}).rounded != run.unrounded


def test_the_file_says_what_rounding_costs_now():
    row, again = rounding.load_rounding()[8], rounding.measure(rounding.MODELS[8], range(5, 6), 100)
    # fewer sentences than the card's measurement
    assert again["exact_match"][0] == pytest.approx(row["exact_match"][4], abs=0.15)


@pytest.mark.parametrize(("words", "numbers", "fits"), [(1000, 512, True), (2000, 8, False)])
def test_the_reading_says_whether_the_text_fits(words, numbers, fits):
    run = EXPERIMENT.run({"words": words, "numbers": numbers, "bits": 8})
    assert (words * run.measured <= numbers * 8) is fits
    text = bits.views.reading(run)
    assert_says(text, f"{words * run.measured:,.0f}", f"{numbers * 8:,}", "fit" if fits else "do not fit")


def test_the_bars_are_products_of_the_controls():
    run = EXPERIMENT.run({"words": 100, "numbers": 16, "bits": 4, "code": "128"})
    values = dict(zip(bits.views.budget(run).labels, bits.views.budget(run).values, strict=True))
    assert values["c, 4 bits each"] == 64
    assert values["c, 32 bits each"] == 512
    assert values["text, log₂ V"] == pytest.approx(100 * run.bound)


def test_the_exercise_is_answered_by_the_sliders():
    needed = int(np.ceil(bits.exercises.bits_needed()))
    exercise = bits.exercises.EXERCISES[0]
    assert exercise.check(needed, {}).ok
    assert not exercise.check(needed - 1, {}).ok
    assert EXPERIMENT.run({"bits": needed}).c_numbers * needed >= 1000 * EXPERIMENT.run().measured
