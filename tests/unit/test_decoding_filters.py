"""Filters agree with slow reference versions in plain Python and have the required properties."""

import math
from itertools import pairwise

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from models.decoding import (
    STAGES,
    Settings,
    adjust,
    entropy,
    no_repeat,
    penalise,
    stages,
    temper,
    top_k,
    top_p,
)
from models.vocabulary import InputError

NEVER = -math.inf


# multiples of 1/2 make ties common; -inf is a word that is impossible from the start
logit = st.one_of(st.floats(-20, 20, width=32), st.integers(-6, 6).map(lambda i: i / 2), st.just(NEVER))
rows = st.lists(logit, min_size=1, max_size=12).filter(lambda row: max(row) > NEVER)


@st.composite
def row_and_history(draw):
    row = draw(rows)
    return row, draw(st.lists(st.integers(0, len(row) - 1), max_size=10))


def tensor(row):
    return torch.tensor(row, dtype=torch.float64)


def softmax(row):
    best = max(row)
    weights = [math.exp(z - best) for z in row]
    return [w / math.fsum(weights) for w in weights]


def best_first(row):
    return sorted(range(len(row)), key=lambda i: (-row[i], i))


def kept_only(row, kept):
    return [z if i in kept else NEVER for i, z in enumerate(row)]


def slow_temper(row, temperature):
    return kept_only(row, best_first(row)[:1]) if temperature == 0 else [z / temperature for z in row]


def slow_top_k(row, k):
    return kept_only(row, best_first(row)[: k or len(row)])


def slow_top_p(row, p):
    kept, mass, probabilities = [], 0.0, softmax(row)
    for i in best_first(row):
        kept.append(i)
        mass = math.fsum(probabilities[j] for j in kept)
        if mass >= p - 1e-12 and p < 1:
            break
    return kept_only(row, kept)


def slow_penalise(row, history, penalty):
    return [(z / penalty if z > 0 else z * penalty) if i in history else z for i, z in enumerate(row)]


def slow_no_repeat(row, history, n):
    """Try every word and look for an earlier copy of the n-gram that it completes."""

    def repeats(word):
        text = [*history, word]
        grams = [text[i : i + n] for i in range(len(text) - n + 1)]
        return bool(grams) and grams[-1] in grams[:-1]

    return [NEVER if n and repeats(i) else z for i, z in enumerate(row)]


@given(rows, st.one_of(st.just(0.0), st.floats(0.01, 20)))
def test_temper(row, temperature):
    assert temper(tensor(row), temperature).tolist() == pytest.approx(slow_temper(row, temperature))


@given(rows, st.integers(0, 15))
def test_top_k(row, k):
    assert top_k(tensor(row), k).tolist() == slow_top_k(row, k)


@given(rows, st.one_of(st.sampled_from([0.0, 0.25, 0.5, 0.6, 1.0]), st.floats(0, 1)))
def test_top_p(row, p):
    # if a set's probability equals p up to rounding, either result is correct
    masses = [math.fsum(sorted(softmax(row), reverse=True)[: n + 1]) for n in range(len(row))]
    assume(all(abs(mass - p) > 1e-9 or mass == p for mass in masses) or p in (0, 1))
    assert top_p(tensor(row), p).tolist() == slow_top_p(row, p)


@given(row_and_history(), st.floats(0.1, 5))
def test_penalise(case, penalty):
    row, history = case
    assert penalise(tensor(row), history, penalty).tolist() == pytest.approx(
        slow_penalise(row, history, penalty)
    )


@given(row_and_history(), st.integers(0, 4))
def test_no_repeat(case, n):
    row, history = case
    expected = slow_no_repeat(row, history, n)
    if max(expected) == NEVER:
        with pytest.raises(InputError, match="No word is left"):
            no_repeat(tensor(row), history, n)
    else:
        assert no_repeat(tensor(row), history, n).tolist() == expected


@given(row_and_history(), st.dictionaries(st.integers(0, 0), st.floats(-5, 5)))
def test_adjust(case, boost):
    row, ban = case
    expected = [NEVER if i in ban else z + boost.get(i, 0) for i, z in enumerate(row)]
    if max(expected) == NEVER:
        with pytest.raises(InputError, match="No word is left"):
            adjust(tensor(row), ban, boost)
    else:
        assert adjust(tensor(row), ban, boost).tolist() == pytest.approx(expected)
        assert torch.equal(adjust(tensor(row), ban, tuple(boost.items())), adjust(tensor(row), ban, boost))


@given(
    st.lists(
        st.lists(logit, min_size=5, max_size=5).filter(lambda row: max(row) > NEVER), min_size=1, max_size=4
    )
)
def test_many_rows_at_once_are_each_row_alone(table):
    for one in (
        lambda z: temper(z, 0),
        lambda z: temper(z, 1.7),
        lambda z: top_k(z, 2),
        lambda z: top_p(z, 0.7),
    ):
        assert one(tensor(table)).tolist() == [one(tensor(row)).tolist() for row in table]


@pytest.mark.parametrize(
    "filtering", [lambda z: temper(z, 0), lambda z: top_k(z, 1), lambda z: top_p(z, 0.0)]
)
def test_of_equal_words_the_lowest_id_is_left(filtering):
    assert filtering(tensor([1, 3, 3, 3])).tolist() == [NEVER, 3, NEVER, NEVER]


def test_equal_words_share_the_nucleus_exactly():
    for n in range(1, 11):
        assert (top_p(torch.zeros(10), n / 10) == 0).sum() == n


def test_the_whole_mass_is_every_word_however_unlikely():
    assert top_p(tensor([60, 0]), 1).tolist() == [60, 0]
    assert top_p(tensor([60, 0]), 0.999).tolist() == [60, NEVER]


@pytest.mark.parametrize(
    "filtering",
    [
        lambda z: temper(z, 0.5),
        lambda z: top_k(z, 2),
        lambda z: top_p(z, 0.5),
        lambda z: penalise(z, (1, 2), 2.0),
        lambda z: no_repeat(z, (1, 2, 1), 2),
        lambda z: adjust(z, (0,)),
        lambda z: adjust(z, (), {1: 1.0}),
        lambda z: stages(z, Settings(0.5, 2, 0.5, 2.0, 2, (0,), ((1, 1.0),)), (1, 2, 1)),
    ],
)
def test_a_filter_leaves_what_it_is_given_alone(filtering):
    z = tensor([1, 2, 3, 0])
    filtering(z)
    assert z.tolist() == [1, 2, 3, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda z: temper(z, -0.1),
        lambda z: temper(z, math.nan),
        lambda z: temper(z, math.inf),
        lambda z: top_k(z, -1),
        lambda z: top_k(z, 1.5),
        lambda z: top_k(z, math.nan),
        lambda z: top_p(z, -0.1),
        lambda z: top_p(z, 1.1),
        lambda z: top_p(z, math.nan),
        lambda z: penalise(z, (), 0),
        lambda z: penalise(z, (), math.inf),
        lambda z: penalise(z, (9,), 2),
        lambda z: no_repeat(z, (), -1),
        lambda z: adjust(z, (3,)),
        lambda z: adjust(z, (-1,)),
        lambda z: adjust(z, (), {0: math.nan}),
        lambda z: adjust(z, (), {9: 1.0}),
        lambda z: adjust(z, (0, 1, 2)),
        lambda z: stages(z * math.nan, Settings()),
        lambda z: stages(z + math.inf, Settings()),
        lambda z: stages(z - math.inf, Settings()),
        lambda z: stages(z, Settings(ban=(0, 1, 2))),
        lambda z: stages(z, Settings(temperature=math.nan)),
        lambda z: stages(z, Settings(penalty=math.nan)),
    ],
)
def test_wrong_settings_are_met_at_the_door(wrong):
    with pytest.raises(InputError):
        wrong(torch.zeros(3))


settings = st.builds(
    Settings,
    temperature=st.floats(0.05, 5),
    top_k=st.integers(0, 6),
    top_p=st.floats(0.05, 0.95),
    penalty=st.floats(0.5, 2),
    no_repeat=st.sampled_from([0, 3]),
)


@given(row_and_history(), settings)
def test_stages_chain_the_filters(case, chosen):
    row, history = case
    try:
        found = stages(tensor(row), chosen, history)
    except InputError:
        assume(False)
    assert tuple(stage.name for stage in found) == STAGES
    expected = slow_no_repeat(slow_penalise(row, history, chosen.penalty), history, chosen.no_repeat)
    tempered = slow_temper(expected, chosen.temperature)
    assert found[2].logits.tolist() == pytest.approx(expected)
    assert found[3].logits.tolist() == pytest.approx(tempered)
    assert found[3].probabilities.tolist() == pytest.approx(softmax(tempered))
    # start each later stage from the computed logits, because rounding may break ties
    cut = slow_top_k(found[3].logits.tolist(), chosen.top_k)
    assert found[4].logits.tolist() == cut
    assert torch.equal(found[5].logits, top_p(found[4].logits, chosen.top_p))
    assert torch.equal(found[6].logits, found[5].logits)  # min-p is off
    assert found[-1].probabilities.tolist() == pytest.approx(softmax(found[5].logits.tolist()))
    for earlier, later in pairwise(found):
        assert torch.equal(later.removed, later.logits == NEVER)
        assert bool((later.removed | ~earlier.removed).all()), "what is removed stays removed"
        assert not later.probabilities[later.removed].any()
    for stage in found[4:7]:
        left = ~stage.removed
        assert torch.equal(stage.probabilities[left], found[3].probabilities[left]), (
            "a cut does not share out"
        )


@given(rows, st.floats(-50, 50), settings)
def test_only_differences_of_logits_matter(row, shift, chosen):
    chosen = Settings(
        chosen.temperature, chosen.top_k, 1.0
    )  # no repetition penalty: it depends on the sign of a logit; no top-p: ties may round
    row = [z if z == NEVER else round(z * 8) / 8 for z in row]
    one, other = (stages(tensor(z), chosen)[-1].probabilities for z in (row, [z + round(shift) for z in row]))
    assert one.tolist() == pytest.approx(other.tolist())


def test_the_penalty_depends_on_where_zero_lies():
    z = tensor([2, 1, 0])
    here, there = (penalise(x, (0,), 2.0).softmax(-1) for x in (z, z - 5))
    assert not torch.allclose(here, there)


def test_a_banned_word_is_never_offered_and_a_boost_multiplies_the_odds():
    z = tensor([0, 1, 2, 3])
    _, adjusted, *_, last = stages(z, Settings(ban=(3,), boost=((3, 50.0), (0, 2.0))))
    assert adjusted.logits.tolist() == [2, 1, 2, NEVER]
    assert last.probabilities[3] == 0
    assert (last.probabilities[0] / last.probabilities[1]).item() == pytest.approx(
        math.exp(2) * math.exp(0 - 1)
    )


@given(rows.filter(lambda row: len({z for z in row if z > NEVER}) > 1))
def test_entropy_rises_with_temperature(row):
    row = [z if z == NEVER else round(z * 4) / 4 for z in row]
    bits = [entropy(temper(tensor(row), t).softmax(-1)).item() for t in (0.25, 0.5, 1, 2, 4)]
    assert all(a <= b + 1e-12 for a, b in pairwise(bits))
    assert bits[-1] > bits[0] or len({z for z in row if z > NEVER}) == 1


def test_entropy_in_bits():
    assert entropy(torch.full((8,), 0.125)).item() == pytest.approx(3)
    assert entropy(tensor([1, 0, 0])).item() == 0
    assert entropy(tensor([0.1, 0.1, 0])).item() == pytest.approx(1), "of what is left, made to sum to 1"


def test_zero_temperature_is_the_limit():
    z = tensor([1.0, 2.0, 1.9])
    assert torch.allclose(temper(z, 0.001).softmax(-1), temper(z, 0).softmax(-1))
