"""Writing with known distributions: greedy, forced, scored and sampled."""

import itertools
import math
from itertools import pairwise

import pytest
import torch

from models.decoding import (
    Settings,
    beam,
    exhaustive,
    greedy,
    histogram,
    sample,
    sample_ids,
    samples,
    score,
    select,
    stages,
    uniforms,
)
from models.vocabulary import InputError
from tests.writer import EOS, WORDS, Table, every_output


def slow_greedy(table, limit):
    text = ()
    while len(text) < limit and EOS not in text:
        row = table.log_p(text)
        text += (max(range(len(row)), key=lambda i: (row[i], -i)),)
    return text


# ---- greedy, forced and scored outputs ----


@pytest.mark.parametrize("seed", range(20))
def test_greedy_takes_the_best_token_each_time(seed):
    table = Table(seed)
    found = greedy(table, 12)
    assert found.tokens == slow_greedy(table, 12)
    assert found.finished == (EOS in found.tokens)
    assert found.logits.shape == (len(found.tokens), 7)
    assert table.calls == len(found.tokens)
    expected = [table.log_p(found.tokens[:t])[token] for t, token in enumerate(found.tokens)]
    assert found.logprobs == pytest.approx(expected)
    assert found.total == pytest.approx(sum(expected))


def test_greedy_ties_go_to_the_lowest_id():
    table = Table(0)
    table.rows[:] = 0.0
    assert greedy(table, 3).tokens == (0, 0, 0)
    assert beam(table, 1, 3).tokens() == (0, 0, 0)


def test_a_forced_token_is_written_and_the_rest_follows_from_it():
    table = Table(3, eos=-3)
    free = greedy(table, 8)
    wrong = next(word for word in WORDS if word != free.tokens[2])
    forced = greedy(table, 8, {2: wrong})
    assert forced.tokens[:3] == (*free.tokens[:2], wrong)
    assert forced.tokens[3:] == greedy(table, 8, dict(enumerate(forced.tokens[:3]))).tokens[3:]
    assert forced.tokens[3:] != free.tokens[3:]
    assert forced.logprobs[2] == pytest.approx(table.log_p(free.tokens[:2])[wrong])


def test_a_forced_end_ends():
    assert greedy(Table(3), 8, {0: 4, 1: EOS}).tokens == (4, EOS)
    assert sample(Table(3), 8, Settings(), 0, {0: 4, 1: EOS}).tokens == (4, EOS)


def test_a_forced_token_may_be_impossible_but_must_exist():
    assert greedy(Table(3), 1, {0: 0}).logprobs == (-math.inf,)
    for token in (-1, 7):
        with pytest.raises(InputError, match="no word number"):
            greedy(Table(3), 1, {0: token})


def test_score_multiplies_the_factors():
    table = Table(5)
    text = (3, 6, 6, EOS)
    found = score(table, text)
    assert (found.tokens, found.finished) == (text, True)
    assert found.logprobs == pytest.approx([table.log_p(text[:t])[text[t]] for t in range(4)])
    assert not score(table, text[:3]).finished
    whole = greedy(table, 9)
    assert score(table, whole.tokens) == whole


def test_all_outputs_share_probability_one():
    table = Table(1, eos=2.0)
    ended = sum(math.exp(score(table, text).total) for text, _ in every_output(table, 3))
    going = sum(math.exp(score(table, words).total) for words in itertools.product(WORDS, repeat=3))
    assert ended + going == pytest.approx(1)


@pytest.mark.parametrize("text", [(), (EOS, 3), (3, EOS, EOS)])
def test_what_cannot_be_scored(text):
    with pytest.raises(InputError, match="the end only at the end"):
        score(Table(0), text)


def test_logits_that_are_not_numbers_are_refused():
    for bad in (math.nan, math.inf):
        table = Table(0)
        table.rows[:, 4] = bad
        for run in (lambda w: greedy(w, 3), lambda w: beam(w, 2, 3), lambda w: sample(w, 3, Settings(), 0)):
            with pytest.raises(InputError, match="not numbers"):
                run(table)


def test_select_reorders_every_part():
    state = (torch.arange(3), (torch.arange(6).view(3, 2), torch.arange(3) * 10))
    first, (second, third) = select(state, torch.tensor([2, 0, 0, 1]))
    assert first.tolist() == [2, 0, 0, 1]
    assert second.tolist() == [[4, 5], [0, 1], [0, 1], [2, 3]]
    assert third.tolist() == [20, 0, 0, 10]


# ---- sampled outputs ----

SETTINGS = Settings(temperature=1.3, top_k=4, top_p=0.9, penalty=1.2, no_repeat=2)


def test_the_same_seed_gives_the_same_text():
    table = Table(7, eos=-2)
    texts = [sample(table, 15, SETTINGS, seed).tokens for seed in range(10)]
    assert texts == [sample(table, 15, SETTINGS, seed).tokens for seed in range(10)]
    assert len(set(texts)) > 5


@pytest.mark.parametrize("settings", [Settings(), SETTINGS])
def test_samples_side_by_side_are_single_samples(settings):
    table = Table(8)
    together = samples(table, 20, 12, settings, 100, forced={1: 5})
    calls = table.calls
    assert calls <= 12, "one call a step for all"
    assert len({len(text.tokens) for text in together}) > 2, "they leave at different times"
    for i, found in enumerate(together):
        alone = sample(table, 12, settings, 100 + i, forced={1: 5})
        assert found == alone
        assert torch.equal(found.logits, alone.logits)


def test_a_longer_limit_only_adds():
    table = Table(9, eos=-9)
    assert sample(table, 30, Settings(), 4).tokens[:11] == sample(table, 11, Settings(), 4).tokens
    assert torch.equal(uniforms(4, 100)[:17], uniforms(4, 17))


def test_samples_follow_the_filters_and_keep_the_models_own_probability():
    table = Table(10, spread=1.0)
    for seed in range(30):
        found = sample(table, 10, SETTINGS, seed)
        for t, token in enumerate(found.tokens):
            allowed = stages(found.logits[t], SETTINGS, found.tokens[:t])[-1]
            assert not allowed.removed[token]
            assert found.logprobs[t] == pytest.approx(table.log_p(found.tokens[:t])[token])
        assert len(set(pairwise(found.tokens))) == len(found.tokens) - 1


def test_zero_temperature_is_greedy():
    for seed in range(5):
        assert sample(Table(seed), 10, Settings(temperature=0), seed=99) == greedy(Table(seed), 10)


def test_a_cut_moves_a_draw_only_towards_likelier_words():
    p = Table(0).rows[5].double().softmax(-1)
    u = uniforms(0, 500).unsqueeze(0)
    whole = sample_ids(p.unsqueeze(0), u)
    for changed in (Settings(top_k=3), Settings(top_p=0.7), Settings(temperature=0.5)):
        cut = sample_ids(stages(p.log(), changed)[-1].probabilities.unsqueeze(0), u)
        assert bool((p[cut] >= p[whole]).all())
        assert bool((cut != whole).any())
        assert bool((cut == whole).any())


def test_a_draw_never_falls_on_an_impossible_word():
    p = torch.tensor([[0.0, 0.3, 0.0, 0.7, 0.0]], dtype=torch.float64)
    u = torch.tensor(
        [[0.0, 0.5, math.nextafter(0.7, 0), 0.7, math.nextafter(1, 0), 1.0]], dtype=torch.float64
    )
    assert sample_ids(p, u).tolist() == [[3, 3, 3, 1, 1, 1]]


def test_frequencies_of_first_words_approach_the_distribution():
    table = Table(11, spread=1.0)
    settings = Settings(temperature=0.8, top_k=4)
    p = stages(greedy(table, 1).logits[0], settings)[-1].probabilities
    counts = torch.zeros(7)
    for found in samples(table, 4000, 1, settings, seed=0):
        counts[found.tokens[0]] += 1
    assert (counts / 4000 - p).abs().max() < 0.02  # about 2.5 standard deviations of the likeliest word
    assert not counts[p == 0].any()


def test_nothing_left_to_choose_is_said():
    with pytest.raises(InputError, match="No word is left"):
        sample(Table(0), 3, Settings(ban=(*WORDS, EOS)), 0)


def test_kept_logits_are_enough_to_move_a_slider():
    table = Table(12)
    for changed in (
        Settings(0.5),
        Settings(2.0, top_k=3),
        Settings(top_p=0.6, ban=(3,)),
        Settings(boost=((4, 1.0),)),
    ):
        found = sample(table, 6, Settings(), seed=1)
        calls = table.calls
        p = stages(found.logits[0], changed)[-1].probabilities
        word = sample_ids(p.unsqueeze(0), uniforms(1, 1).unsqueeze(0)).item()
        histogram(p, 100, 0)
        assert table.calls == calls, "no filter runs the model"
        assert word == sample(table, 6, changed, seed=1).tokens[0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda w: greedy(w, 0),
        lambda w: samples(w, 0, 3, Settings(), 0),
        lambda w: sample(w, 0, Settings(), 0),
    ],
)
def test_nothing_to_write_is_refused(wrong):
    with pytest.raises(InputError):
        wrong(Table(0))


def test_everything_runs_in_inference_mode():
    with torch.inference_mode():
        table = Table(14)
        assert greedy(table, 5).tokens == beam(table, 1, 5).tokens()
        assert samples(table, 3, 5, SETTINGS, 0)
        assert exhaustive(table, 3, WORDS)
