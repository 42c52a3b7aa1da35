"""Lesson `decoding`, one word: sampling, filters, histogram."""

import math
from functools import partial
from itertools import pairwise, product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lessons.decoding import LESSON, filters, histogram, sample
from lessons.decoding.prompts import BEAM_WINS, CERTAIN_NEXT, MANY_PLACES, NEW_SENTENCE
from lessons.decoding.story_models import WRITERS, load_story_model, next_logits, read_words
from lessons.kit.checkpoints import STORIES
from lessons.kit.web.renderer import Renderer
from models import decoding
from models.language_model import LanguageModel
from models.transformer_lm import TransformerLM
from models.vocabulary import InputError
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


# ---- sample ----


@pytest.mark.parametrize("model", sample.compute.SAMPLERS)
def test_longer_samples_extend_shorter_ones_of_the_same_seed(model):
    runs = [
        sample.compute.compute(model, NEW_SENTENCE, "the small books are old .", "les", n, 5)
        for n in (0, 1, 7)
    ]
    for fewer, more in pairwise(runs):
        assert more.words[: len(fewer.words)] == fewer.words
        assert more.words[len(fewer.words)] == fewer.upcoming
        np.testing.assert_allclose(more.log_product[: len(fewer.words)], fewer.log_product)
    again, other = (
        sample.compute.compute(model, NEW_SENTENCE, "the small books are old .", "les", 7, seed)
        for seed in (5, 6)
    )
    assert again.words == runs[-1].words
    assert model == "translator" or other.words != again.words


@pytest.mark.parametrize("model", WRITERS)
def test_factors_agree_with_the_score_of_the_text(model):
    run = sample.compute.compute(model, NEW_SENTENCE, "", "", 5, 1)
    tokens = STORIES.vocabulary.ids(run.words)
    hypothesis = decoding.score(load_story_model(model).writer(), tokens)
    np.testing.assert_allclose(run.factors, np.exp(hypothesis.logprobs), atol=1e-5)
    assert run.log_product[-1] == pytest.approx(hypothesis.total, abs=1e-4)
    assert run.next_probabilities.sum() + run.others == pytest.approx(1)
    assert run.typed == 9


def test_a_translation_is_sampled_from_its_source_and_ends():
    run = preset("sample", "A translator")
    assert run.source == tuple("we never arrived at the station .".split())
    assert run.ended
    assert run.words[-1] == "<eos>"
    assert run.as_truth is False  # one word was an unlikely draw
    assert run.factors.min() < 0.2
    assert np.median(run.factors) > 0.9
    other = EXPERIMENTS["sample"].run({"model": "translator", "n": 12, "source": BEAM_WINS})
    assert other.as_truth
    assert other.words[:-1] == other.truth
    assert EXPERIMENTS["sample"].run({"model": "translator", "n": 2}).as_truth is None
    assert EXPERIMENTS["sample"].run().truth is None
    Renderer(LESSON, EXPERIMENTS["sample"]).drawing({"model": "translator", "n": 30})


def test_random_number_selects_by_cumulative_probability():
    run = EXPERIMENTS["sample"].run({"n": 0})
    p = next_logits("GRU", read_words(EXPERIMENTS["sample"].state()["text"])).double().softmax(-1).numpy()
    order = np.argsort(-p, kind="stable")
    assert (
        run.upcoming
        == STORIES.vocabulary.words[order[np.searchsorted(p[order].cumsum(), run.die, side="right")]]
    )


# ---- filters ----


def filter_in_python(z: np.ndarray, temperature: float, k: int, p: float) -> np.ndarray:
    """Apply temperature, top-k and top-p word by word in plain Python, and return the final distribution."""
    order = sorted(range(len(z)), key=lambda w: (-z[w], w))
    if temperature == 0:
        return np.eye(len(z))[order[0]]
    weight = {w: math.exp((z[w] - z[order[0]]) / temperature) for w in (order if k == 0 else order[:k])}
    nucleus, held, total = [], 0.0, sum(weight.values())
    for w in weight:
        nucleus.append(w)
        held += weight[w]
        if held >= p * total * (1 - 1e-12) and p < 1:
            break
    mass = sum(weight[w] for w in nucleus)
    return np.array([weight[w] / mass if w in nucleus else 0.0 for w in range(len(z))])


@given(
    st.lists(st.integers(-8, 8), min_size=1, max_size=40),
    st.sampled_from([0, 0.05, 0.5, 1, 3]),
    st.sampled_from([0, 1, 2, 5, 100]),
    st.sampled_from([0, 0.3, 0.5, 0.9, 1]),
)
def test_filters_agree_with_a_plain_python_version(z, temperature, k, p):
    settings = decoding.Settings(temperature, k, p)
    ours = decoding.stages(torch.tensor(z, dtype=torch.float64), settings)[-1].probabilities
    np.testing.assert_allclose(ours, filter_in_python(np.array(z, dtype=float), temperature, k, p), atol=1e-9)


def last_distribution(**settings) -> tuple[np.ndarray, filters.compute.Filtered]:
    """Return the expected final distribution over the whole vocabulary, and the run."""
    state = {"temperature": 1, "k": 0, "p": 1} | settings
    run = EXPERIMENTS["filters"].run(state)
    z = next_logits("GRU", read_words(NEW_SENTENCE)).double().numpy()
    return filter_in_python(z, state["temperature"], state["k"], state["p"]), run


@pytest.mark.parametrize(
    "settings", [{}, {"k": 7}, {"k": 7, "p": 0.8}, {"temperature": 0}, {"p": 0}, {"temperature": 3, "k": 100}]
)
def test_last_stage_agrees_on_the_whole_vocabulary(settings):
    expected, run = last_distribution(**settings)
    last = run.stage("renormalised")
    np.testing.assert_allclose(
        run.probabilities[last], expected[STORIES.vocabulary.ids(run.words)], atol=1e-9
    )
    assert run.live[last] == (expected > 0).sum()
    positive = expected[expected > 0]
    assert run.entropy[last] == pytest.approx(-(positive * np.log2(positive)).sum(), abs=1e-9)
    assert run.drawn_probability == pytest.approx(expected[STORIES.vocabulary.index[run.drawn]])
    assert run.words[run.drawn_at] == run.drawn


def test_k_beyond_the_vocabulary_changes_nothing():
    plain, all_of_them = (
        filters.compute.compute("GRU", NEW_SENTENCE, 1, k, 1, 1, "", "", 0, 0) for k in (0, 600)
    )
    np.testing.assert_array_equal(plain.probabilities, all_of_them.probabilities)


@pytest.mark.parametrize(
    "settings", [{}, {"k": 3, "p": 1}, {"ban": "she the", "k": 4, "p": 0.7}, {"penalty": 3, "k": 5}]
)
def test_pictures_share_their_words_and_cuts_separate_removed_words(settings):
    run = EXPERIMENTS["filters"].run(settings)
    pictures = [view(run) for view in EXPERIMENTS["filters"].views if view.__name__ != "reading"]
    assert len({tuple(label.removesuffix(" ✗ cut") for label in picture.labels) for picture in pictures}) == 1
    for picture in (filters.views.after_top_k(run), filters.views.after_top_p(run)):
        for cut in picture.cuts:
            assert picture.greyed == frozenset(range(cut, len(picture.labels)))
    assert filters.views.after_top_k(run).cuts
    assert filters.views.renormalised(run).changed == {run.drawn_at}
    assert run.drawn_at not in filters.views.renormalised(run).greyed


def test_filters_do_not_run_the_model_again(monkeypatch):
    calls = []
    for kind in (LanguageModel, TransformerLM):
        monkeypatch.setattr(
            kind,
            "__call__",
            lambda self, *inputs, forward=kind.__call__: calls.append(1) or forward(self, *inputs),
        )
    next_logits.cache_clear()
    experiment = EXPERIMENTS["filters"]
    for model in WRITERS:
        experiment.run({"model": model})
        assert calls  # the model was called, so the counter works
        calls.clear()
        for moved in (
            {"temperature": 2},
            {"k": 50},
            {"p": 0.3},
            {"penalty": 2},
            {"ban": "she"},
            {"boost": "he"},
            {"seed": 9},
        ):
            experiment.run({"model": model} | moved)
        assert not calls


def test_ban_boost_and_penalty_change_the_probabilities():
    plain, run = (
        EXPERIMENTS["filters"].run({"temperature": 1, "k": 0, "p": 1, "boost": "her", "by": 0}),
        preset("filters", "Steered"),
    )
    before, after = (dict(zip(r.words, r.probabilities[-1], strict=True)) for r in (plain, run))
    assert after["she"] == 0
    assert after["her"] / after["the"] == pytest.approx(math.exp(3) * before["her"] / before["the"])
    assert {run.words[place] for place in run.touched} == {"she", "her"}
    penalised = EXPERIMENTS["filters"].run({"temperature": 1, "k": 0, "p": 1, "penalty": 2})
    assert (
        dict(zip(penalised.words, penalised.probabilities[-1], strict=True))["the"] < before["the"]
    )  # “the” occurs in the text, so it is penalised
    both = EXPERIMENTS["filters"].run({"ban": "she", "boost": "she", "by": 10})
    assert dict(zip(both.words, both.probabilities[-1], strict=True))["she"] == 0


def test_banning_every_word_raises_input_error(monkeypatch):
    monkeypatch.setattr(filters.compute, "next_logits", lambda model, tokens: torch.tensor([0.0, 1.0, 2.0]))
    monkeypatch.setattr(filters.compute, "read_word_list", lambda text, _: tuple(map(int, text.split())))
    with pytest.raises(InputError, match=r"(?i)at least one"):
        filters.compute.compute("GRU", "", 1, 0, 1, 1, "0 1 2", "", 0, 0)


def test_filter_presets_show_what_they_say():
    off, cold, wide = (preset("filters", title) for title in ("All off", "Cold", "An unsure model"))
    assert off.drawn == off.plain
    assert set(off.live) == {len(STORIES.vocabulary)}
    assert cold.entropy[cold.stage("tempered")] < off.entropy[0]
    narrow = EXPERIMENTS["filters"].run({"temperature": 1, "k": 0})
    assert wide.settings.top_p == narrow.settings.top_p
    assert wide.live[-1] > narrow.live[-1]


def test_guess_messages_carry_both_nucleus_sizes():
    here, there = (
        EXPERIMENTS["filters"].run({"text": text, "temperature": 1, "k": 0}).live[-1]
        for text in (NEW_SENTENCE, MANY_PLACES)
    )
    guess = EXPERIMENTS["filters"].predict
    for option in (filters.exercises.AFTER_FULL_STOP, filters.exercises.AFTER_THE, filters.exercises.EQUAL):
        assert_says(guess.check(option, {}).message, here, there)


# ---- histogram ----


def expected_distance(p: torch.Tensor, n: int) -> float:
    return histogram.compute.expected_distances(p, (n,)).item()


def test_frequencies_approach_the_distribution():
    few, many = preset("histogram", "Ten"), preset("histogram", "Ten thousand")
    assert many.n == 10_000
    assert many.distance < few.distance / 10
    assert many.shares.sum() == pytest.approx(1)
    assert sum(many.counts) == many.n
    np.testing.assert_allclose(many.shares, many.probabilities, atol=0.03)
    assert many.distance == many.distances[-1]


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_expected_distance_agrees_with_all_outcomes(n):
    p = torch.tensor([0.5, 0.3, 0.2, 0.0], dtype=torch.float64)
    mean = 0.0
    for words in product(range(3), repeat=n):
        shares = np.bincount(words, minlength=4) / n
        mean += math.prod(p[list(words)].tolist()) * np.abs(shares - p.numpy()).sum() / 2
    assert expected_distance(p, n) == pytest.approx(mean)


@pytest.mark.parametrize("n", [10, 100, 3000])
def test_measured_distances_agree_with_the_expectation(n):
    p = histogram.compute.distribution("GRU", read_words(NEW_SENTENCE), 1.0)
    measured = [decoding.histogram(p, n, seed).distance for seed in range(60)]
    reach = 4 * np.std(measured) / 60**0.5
    assert np.mean(measured) == pytest.approx(expected_distance(p, n), abs=reach)


def test_expected_distance_approaches_constant_over_root_n():
    p = histogram.compute.distribution("GRU", read_words(NEW_SENTENCE), 1.0)
    assert expected_distance(p, 10**8) == pytest.approx(histogram.compute.limit_constant(p) / 10**4, rel=0.01)
    assert (
        expected_distance(p, 10) < 0.9 * histogram.compute.limit_constant(p) / 10**0.5
    )  # C/√n is too large for small n


def test_a_wide_choice_takes_more_draws():
    assert preset("histogram", "A wide choice").constant > EXPERIMENTS["histogram"].run().constant


def test_temperature_zero_has_no_distance():
    run = preset("histogram", "No choice")
    assert (run.distance, run.expected, run.later, run.entropy) == (0, 0, 0, 0)
    likeliest = histogram.compute.distribution("GRU", read_words(MANY_PLACES), 1.0).argmax()
    assert run.words == (*STORIES.vocabulary.tokens([likeliest]), f"{len(STORIES.vocabulary) - 1} others")
    assert set(run.idle()) == {"n", "seed"}
    assert_says(histogram.views.reading(run), "every time", run.words[0])
    assert not says(histogram.views.reading(run), "expected")
    some = EXPERIMENTS["histogram"].run()
    farthest = int(np.abs(some.shares - some.probabilities)[:-1].argmax())
    facts = some.words[farthest], some.counts[farthest], some.n * some.probabilities[farthest]
    assert_says(histogram.views.reading(some), some.n, some.distance, some.expected, some.later, *facts)


def test_small_distance_is_not_written_as_zero():
    run = EXPERIMENTS["histogram"].run({"text": CERTAIN_NEXT, "temperature": 0.3, "n": 8000})
    assert 0 < run.expected < 1e-6
    assert "0.000" not in histogram.views.reading(run)
    assert_says(histogram.views.reading(run), "to")


@pytest.mark.parametrize(
    ("slug", "state"),
    [("sample", {"n": 0}), ("filters", {"temperature": 0}), ("histogram", {"temperature": 0})],
)
def test_a_quotation_mark_is_not_quoted(slug, state):
    """The reading does not put a quotation mark in quotation marks; “she said :” makes one likely."""
    run = EXPERIMENTS[slug].run({"text": "she said :"} | state)
    assert (run.next_words if slug == "sample" else run.words)[0] == "“"
    text = next(view for view in EXPERIMENTS[slug].views if view.__name__ == "reading")(run).replace("**", "")
    assert "““”" not in text
    assert_says(text, "the mark")


@pytest.mark.parametrize(
    ("settings", "idle"),
    [
        ({}, {"by"}),
        ({"boost": "he"}, set()),
        ({"text": ""}, {"by", "penalty"}),
        ({"temperature": 0}, {"by", "k", "p", "seed"}),
        ({"k": 1}, {"by", "p", "seed"}),
        ({"p": 0}, {"by", "seed"}),
    ],
)
def test_idle_controls_change_nothing(settings, idle):
    experiment = EXPERIMENTS["filters"]
    run = experiment.run(settings)
    assert set(run.idle()) == idle
    for name in idle:
        ends = next((control.low, control.high) for control in experiment.controls if control.name == name)
        moved = [experiment.run(settings | {name: end}) for end in ends]
        assert {other.drawn for other in moved} == {run.drawn}
        for other in moved:
            np.testing.assert_allclose(other.probabilities[-1], run.probabilities[-1])


def test_the_error_of_one_word_is_stated():
    run = EXPERIMENTS["histogram"].run({"n": 100})
    p = run.probabilities[0]
    assert_says(
        histogram.views.word_error(run), 100, float(np.sqrt(p * (1 - p) / 100)), float(abs(run.shares[0] - p))
    )
    counts = np.random.default_rng(0).binomial(100, p, 20_000) / 100
    assert np.std(counts) == pytest.approx(np.sqrt(p * (1 - p) / 100), rel=0.05)
    assert_says(histogram.views.word_error(preset("histogram", "No choice")), "no error")
