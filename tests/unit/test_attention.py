"""Attention scores match their definitions, and attention matches PyTorch's."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from models.attention import SCORES, Additive, Bilinear, Dot, ScaledBilinear, ScaledDot, Uniform, attend
from models.trace import Tap

m, T = 6, 5


def tensors(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def by_definition(score, s, h):
    """Score of one query and one state, written out with plain sums."""
    match score:
        case Additive():
            return sum(
                score.v[a] * torch.tanh(score.W_1[a] @ h + score.W_2[a] @ s) for a in range(len(score.v))
            )
        case ScaledBilinear():
            return h @ score.W @ s / len(s) ** 0.5
        case Bilinear():
            return s @ score.W @ h
        case ScaledDot():
            return s @ h / len(s) ** 0.5
        case Dot():
            return s @ h


@pytest.mark.parametrize("name", SCORES)
def test_score_is_its_definition(name):
    score, s, H = SCORES[name](m), tensors(m), tensors(T, m, seed=1)
    expected = torch.stack([by_definition(score, s, h) for h in H])
    torch.testing.assert_close(score(s, score.keys(H)), expected, atol=1e-5, rtol=0)


@given(d_1=st.integers(1, 7), d_2=st.integers(1, 7), d_3=st.integers(1, 7))
def test_keys_and_queries_of_different_sizes(d_1, d_2, d_3):
    """Scores with a matrix accept keys and queries of different sizes; the others raise an error."""
    s, H = tensors(3, d_2), tensors(T, d_1, seed=1)
    for score in (Bilinear(d_1, d_2), ScaledBilinear(d_1, d_2), Additive(d_1, d_2, d_3)):
        expected = torch.stack([torch.stack([by_definition(score, query, h) for h in H]) for query in s])
        torch.testing.assert_close(score(s, score.keys(H)), expected, atol=1e-5, rtol=1e-5)
    for Score in (Dot, ScaledDot):
        if d_1 == d_2:
            Score(d_1, d_2)
        else:
            with pytest.raises(ValueError, match="of one size"):
                Score(d_1, d_2)


@pytest.mark.parametrize("name", SCORES)
def test_one_query_many_hypotheses_and_batches_agree(name):
    score, H = SCORES[name](m), tensors(2, T, m)
    s = tensors(2, 3, m, seed=1)
    together = score.batch(s, score.keys(H))  # (2, 3, T)
    for b in range(2):
        torch.testing.assert_close(score(s[b], score.keys(H[b])), together[b], atol=1e-5, rtol=0)
        torch.testing.assert_close(score(s[b, 0], score.keys(H[b])), together[b, 0], atol=1e-5, rtol=0)


def test_scaled_dot_is_torch():
    score, s, H = ScaledDot(m), tensors(3, m), tensors(T, m, seed=1)
    torch.testing.assert_close(
        attend(score, s, score.keys(H), H),
        F.scaled_dot_product_attention(s[None], H[None], H[None])[0],
        atol=1e-5,
        rtol=0,
    )


def test_bilinear_with_identity_is_dot():
    bilinear = Bilinear(m)
    bilinear.W.data = torch.eye(m)
    s, H = tensors(m), tensors(T, m, seed=1)
    torch.testing.assert_close(bilinear(s, bilinear.keys(H)), Dot(m)(s, H))


@pytest.mark.parametrize("name", SCORES)
@given(seed=st.integers(0, 10_000), shift=st.floats(-50, 50))
def test_weights_are_a_distribution_that_no_shift_changes(name, seed, shift):
    score, s, H = SCORES[name](m), tensors(m, seed=seed), tensors(T, m, seed=seed + 1)
    plain, shifted = Tap(), Tap({"scores": lambda value, step: value + shift})
    attend(score, s, score.keys(H), H, plain)
    attend(score, s, score.keys(H), H, shifted)
    assert plain.last("weights").sum().item() == pytest.approx(1, abs=1e-5)
    assert (plain.last("weights") >= 0).all()
    torch.testing.assert_close(plain.last("weights"), shifted.last("weights"), atol=1e-4, rtol=0)


@pytest.mark.parametrize("name", SCORES)
def test_a_set_not_a_list(name):
    """Shuffling the states permutes the weights and leaves the context unchanged (lesson `attention`)."""
    score, s, H = SCORES[name](m), tensors(m), tensors(T, m, seed=1)
    order = torch.tensor([3, 0, 4, 1, 2])
    before, after = Tap(), Tap()
    c = attend(score, s, score.keys(H), H, before)
    c_shuffled = attend(score, s, score.keys(H[order]), H[order], after)
    torch.testing.assert_close(before.last("weights")[order], after.last("weights"), atol=1e-6, rtol=0)
    torch.testing.assert_close(c, c_shuffled, atol=1e-5, rtol=0)


def test_without_a_choice_the_context_is_the_mean_of_all_states():
    score, H = Uniform(4), tensors(2, 5, 4)
    torch.testing.assert_close(attend(score, tensors(4, seed=1), H[0], H[0]), H[0].mean(0))
    mean = H.mean(1, keepdim=True).expand(-1, 3, -1)
    torch.testing.assert_close(attend(score.batch, tensors(2, 3, 4, seed=1), H, H), mean)
